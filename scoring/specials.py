"""Special hands: which of them a winner has, and which a loser is one tile short of."""

from collections.abc import Iterator, Sequence

from scoring.candidates import Candidate, doubled, fixed
from scoring.hands import Hand, Reading
from scoring.readings import (
    is_loose,
    loose_reading,
    one_tile_more,
    readings_with,
    standing_readings,
)
from scoring.rules import Form, RuleSet
from scoring.tiles import JOKER, Tile


def has_a_shape_of_its_own(hand: Hand, rules: RuleSet) -> bool:
    """Whether the hand is a Mah-Jong without being four sets and a pair."""
    loose = loose_reading(hand, rules)
    return loose is not None and any(
        special.form is Form.OTHER and special.when.test(loose) for special in rules.specials
    )


def won_specials(hand: Hand, readings: Sequence[Reading], rules: RuleSet) -> Iterator[Candidate]:
    """A candidate for each special hand that this Mah-Jong is, in the rules' order."""
    loose = loose_reading(hand, rules)
    any_form = Reading(hand, hand.sets, (), rules.choice)
    of_pungs = [reading for reading in readings if reading.chows == 0]
    by_form = {
        Form.PUNGS: of_pungs,
        Form.OTHER: [] if loose is None else [loose],
        Form.ANY: [*readings[:1], any_form][:1],
    }
    for special in rules.specials:
        for reading in by_form[special.form]:
            if special.when.test(reading):
                yield fixed(special, special.value, reading, rules)
                break
    for purity in rules.doubled_hands:
        for reading in of_pungs:
            if purity.when.test(reading):
                yield doubled(purity, reading, rules)


def fishing_specials(hand: Hand, best: Reading, rules: RuleSet) -> Iterator[Candidate]:
    """A candidate for each special hand that this loser's hand is exactly one tile short of.

    `best` is the reading of the hand as it stands, whose sets a doubled hand counts.
    """
    if hand.size != 13:
        return
    complete = _completed(hand, rules)
    for special in rules.specials:
        share = special.fishing
        tested = complete[special.form]
        if share and any(special.when.test(reading) for reading in tested):
            yield fixed(special, share, best, rules)
    for purity in rules.doubled_hands:
        if any(purity.when.test(reading) for reading in complete[Form.PUNGS]):
            for reading in standing_readings(hand, rules):
                yield doubled(purity, reading, rules)


def _completed(hand: Hand, rules: RuleSet) -> dict[Form, list[Reading]]:
    """The readings of the hand with each tile that it could get."""
    tiles = list(one_tile_more(hand))
    loose = [loose_reading(hand, rules, tile) for tile in tiles] if is_loose(hand) else []
    return {
        Form.PUNGS: _of_pungs(hand, tiles, rules),
        Form.OTHER: [reading for reading in loose if reading is not None],
        Form.ANY: [],
    }


def _of_pungs(hand: Hand, tiles: Sequence[Tile], rules: RuleSet) -> list[Reading]:
    """Where each group is of one kind of tile, more kinds than groups leave nothing to search."""
    groups = 5 - len(hand.sets)
    if len({*hand.concealed} - {JOKER}) > groups:
        return []
    completed = (reading for tile in tiles for reading in readings_with(hand, rules, tile))
    return [reading for reading in completed if reading.chows == 0]
