"""The readings of a hand: in sets and a pair, as it stands, and as loose tiles."""

from collections.abc import Iterator
from dataclasses import replace

from scoring.arrangements import Sets, sets_and_a_pair, standing_sets
from scoring.hands import Hand, Kind, Reading
from scoring.rules import RuleSet
from scoring.tiles import JOKER, PLAYING_TILES, Tile


def won_readings(hand: Hand, rules: RuleSet) -> Iterator[Reading]:
    """Every way in which a winner's hand is sets and a pair, whatever the number of chows.

    The set that a claimed tile completes is exposed; each place where it could stand is a reading.
    """
    for sets in _arranged(hand.concealed, rules):
        for placed in _placements(sets, hand):
            yield Reading(hand, hand.sets + placed, (), rules.choice)


def standing_readings(hand: Hand, rules: RuleSet) -> Iterator[Reading]:
    """Every way to read the sets that stand in the hand of a player who did not win."""
    for sets in standing_sets(hand.concealed, jokers_in_a_pung=rules.jokers.in_a_pung):
        yield Reading(hand, hand.sets + sets, (), rules.choice)


def is_loose(hand: Hand) -> bool:
    """Whether no set was claimed and no kong declared."""
    return not any(group.exposed or group.kind is Kind.KONG for group in hand.sets)


def loose_reading(hand: Hand, rules: RuleSet, *more: Tile) -> Reading | None:
    """The hand as loose tiles; None where a set was claimed, a kong declared or a joker held."""
    if not is_loose(hand):
        return None
    declared = [tile for group in hand.sets for tile in group.tiles]
    loose = (*declared, *hand.concealed, *more)
    return None if JOKER in loose else Reading(hand, (), loose, rules.choice)


def one_tile_more(hand: Hand) -> Iterator[Tile]:
    """The tiles that the player could still get: those of which four are not in the hand."""
    held = [*hand.concealed, *(tile for group in hand.sets for tile in group.tiles)]
    kinds = (*PLAYING_TILES, JOKER) if hand.goulash else PLAYING_TILES
    return (tile for tile in kinds if held.count(tile) < 4)


def readings_with(hand: Hand, rules: RuleSet, tile: Tile) -> Iterator[Reading]:
    """Every way in which the hand with one tile more is sets and a pair."""
    for sets in _arranged((*hand.concealed, tile), rules):
        yield Reading(hand, hand.sets + sets, (), rules.choice)


def _arranged(tiles: tuple[Tile, ...], rules: RuleSet) -> list[Sets]:
    return sets_and_a_pair(tiles, jokers_in_a_pung=rules.jokers.in_a_pung)


def _placements(sets: Sets, hand: Hand) -> Iterator[Sets]:
    if not hand.claimed:
        yield sets
        return
    for place, group in enumerate(sets):
        if hand.winning_tile in group.tiles and group not in sets[:place]:
            yield (*sets[:place], replace(group, exposed=True), *sets[place + 1 :])
