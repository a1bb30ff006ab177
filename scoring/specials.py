"""Special hands: which of them a winner has, and which a loser is one tile short of."""

from collections.abc import Iterator, Sequence

from scoring.candidates import Candidate, doubled, fixed
from scoring.hands import Hand, Reading
from scoring.readings import loose_reading, one_tile_more, readings_with, standing_readings
from scoring.rules import Form, RuleSet


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
    by_form = {
        Form.SETS: readings,
        Form.OTHER: [] if loose is None else [loose],
        Form.ANY: [*readings[:1], any_form][:1],
    }
    for special in rules.specials:
        for reading in by_form[special.form]:
            if special.when.test(reading):
                yield fixed(special, special.value, reading, rules)
                break
    for purity in rules.doubled_hands:
        for reading in readings:
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
        if any(purity.when.test(reading) for reading in complete[Form.SETS]):
            for reading in standing_readings(hand, rules):
                yield doubled(purity, reading, rules)


def _completed(hand: Hand, rules: RuleSet) -> dict[Form, list[Reading]]:
    """The readings of the hand with each tile that it could get."""
    tiles = list(one_tile_more(hand))
    loose = [loose_reading(hand, rules, tile) for tile in tiles]
    return {
        Form.SETS: [r for tile in tiles for r in readings_with(hand, rules, tile)],
        Form.OTHER: [reading for reading in loose if reading is not None],
        Form.ANY: [],
    }
