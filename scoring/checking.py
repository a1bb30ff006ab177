"""What about a hand's tiles and sets keeps it from being scored at all."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from scoring.hands import Hand, Kind, TileSet
from scoring.problems import Code, Problem
from scoring.rules import RuleSet
from scoring.tiles import BONUS_TILES, JOKER, Tile

_OF_EACH_PLAYING_TILE = 4


@dataclass(frozen=True, slots=True)
class Unread:
    """What could not be read: whole fields, and how many of the tiles in the hand."""

    fields: frozenset[str] = frozenset()
    tiles: int = 0


ALL_READ = Unread()


def hand_problems(hand: Hand, rules: RuleSet, unread: Unread = ALL_READ) -> list[Problem]:
    """Every problem with the hand's tiles; not with whether they make a Mah-Jong."""
    problems = [
        *_tile_problems(hand),
        *_set_problems(hand, rules),
        *_copies_problems(hand),
        *_table_chow_problems(hand, rules),
    ]
    if unread.fields.isdisjoint({"sets", "concealed", "mahjong"}):
        problems += _count_problems(hand, hand.size + unread.tiles)
    if unread.fields.isdisjoint({"concealed", "mahjong", "winning_tile", "won_by"}):
        problems += _winning_tile_problems(hand, sure=not unread.tiles)
    return problems


def chow_limit(hand: Hand, rules: RuleSet) -> int:
    """How many chows this hand may hold."""
    barred = hand.goulash and not rules.chows.in_a_goulash
    return 0 if barred or hand.players < rules.chows.players else rules.chows.most


def _tile_problems(hand: Hand) -> Iterator[Problem]:
    for where, tile in _placed_tiles(hand):
        if tile in BONUS_TILES:
            yield Problem(Code.BONUS_IN_HAND, where, {"tile": tile})
        if tile == JOKER and not hand.goulash:
            params = {"found": "A joker", "expected": "played with outside a goulash"}
            yield Problem(Code.UNKNOWN_TILE, where, params)
    for place, tile in enumerate(hand.bonus):
        if tile not in BONUS_TILES:
            params = {"found": tile, "expected": "a flower or a season"}
            yield Problem(Code.UNKNOWN_TILE, f"bonus.{place}", params)


def _placed_tiles(hand: Hand) -> Iterator[tuple[str, Tile]]:
    for number, tile_set in enumerate(hand.sets):
        for place, tile in enumerate(tile_set.tiles):
            yield f"sets.{number}.tiles.{place}", tile
    for place, tile in enumerate(hand.concealed):
        yield f"concealed.{place}", tile


def _set_problems(hand: Hand, rules: RuleSet) -> Iterator[Problem]:
    for place, tile_set in enumerate(hand.sets):
        reason = _why_no_set(tile_set, rules)
        if reason:
            params = {"tiles": " ".join(tile_set.tiles), "reason": reason}
            yield Problem(Code.BAD_SET, f"sets.{place}", params)


def _why_no_set(tile_set: TileSet, rules: RuleSet) -> str | None:
    most = {
        Kind.CHOW: 0,
        Kind.PUNG: rules.jokers.in_a_pung,
        Kind.KONG: rules.jokers.in_a_kong,
    }
    if tile_set.kind is Kind.PAIR:
        return "a pair stays in the hand"
    if tile_set.jokers > most[tile_set.kind]:
        return f"a {tile_set.kind} may hold {most[tile_set.kind]} jokers at most"
    return None


def _copies_problems(hand: Hand) -> Iterator[Problem]:
    held = Counter([*hand.bonus, *(tile for _where, tile in _placed_tiles(hand))])
    for tile, found in held.items():
        most = 1 if tile in BONUS_TILES else _OF_EACH_PLAYING_TILE
        if found > most:
            place = _place_of(tile, hand)
            params: dict[str, int | str] = {"found": found, "tile": tile, "most": most}
            yield Problem(Code.TOO_MANY_COPIES, place, params)


def _place_of(tile: Tile, hand: Hand) -> str:
    if tile in hand.bonus:
        return "bonus"
    return "concealed" if tile in hand.concealed else "sets"


def _table_chow_problems(hand: Hand, rules: RuleSet) -> Iterator[Problem]:
    most = chow_limit(hand, rules)
    places = [place for place, group in enumerate(hand.sets) if group.kind is Kind.CHOW]
    if len(places) > most:
        params = {"found": len(places), "most": most}
        yield Problem(Code.TOO_MANY_CHOWS, f"sets.{places[most]}", params)


def _count_problems(hand: Hand, size: int) -> Iterator[Problem]:
    if hand.mahjong and size != 14:
        yield Problem(Code.WRONG_COUNT, "concealed", {"found": size})
    if not hand.mahjong and size > 13:
        yield Problem(Code.LONG_HAND, "concealed", {"found": size})


def _winning_tile_problems(hand: Hand, *, sure: bool) -> Iterator[Problem]:
    unnamed = hand.winning_tile is None and hand.claimed
    elsewhere = hand.winning_tile is not None and hand.winning_tile not in hand.concealed
    if unnamed or (sure and elsewhere):
        yield Problem(Code.WINNING_TILE_MISSING, "winning_tile")
