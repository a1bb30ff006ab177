"""A claimed score beside a described hand: agreed, or exactly what differs."""

import pytest
from hypothesis import given, strategies as st

from scoring import BadHand, Hand, RuleSet, hand_from_json, rule_set, rule_set_keys, score
from scoring.claims import Claim, ClaimedLine, Kind, compare
from scoring.hands.tiles import Tile
from tests.scoring.strategies import hands, law, under_every_rule_set
from tests.scoring.worked import Case, cases

BMJA = rule_set("bmja")
SCORED = [
    pytest.param(key, case, id=case["id"])
    for key in rule_set_keys()
    for case in cases("hand", of=key)
    if "total" in case["expected"] and "house" not in case
]


def hand_of(name: str) -> Hand:
    """The hand of a worked case."""
    return hand_from_json(
        next(case for case in cases("hand") if case["id"] == name)["fields"], BMJA
    )


def claimed(hand: Hand, rules: RuleSet = BMJA) -> list[ClaimedLine]:
    """The lines of the hand's score as an honest player claims them."""
    lines = [one for line in score(hand, rules).lines for one in line.workings or (line,)]
    return [
        ClaimedLine(line.name, line.points if line.value is None else line.value, line.doubles)
        for line in lines
    ]


PURITY = hand_of("bmja-301")


@pytest.mark.parametrize(("key", "case"), SCORED)
def test_an_honest_claim_agrees(key: str, case: Case) -> None:
    rules = rule_set(key)
    hand = hand_from_json(case["fields"], rules)
    assert compare(Claim(case["expected"]["total"]), hand, rules).agrees


def test_an_honest_claim_of_every_line_agrees() -> None:
    assert compare(Claim(272, tuple(claimed(PURITY))), PURITY, BMJA).agrees
    assert compare(Claim(None, tuple(reversed(claimed(PURITY)))), PURITY, BMJA).agrees


def test_a_line_left_out_is_named() -> None:
    lines = [line for line in claimed(PURITY) if line.name != "Mah-Jong"]
    told = compare(Claim(112, tuple(lines)), PURITY, BMJA)
    assert [(one.kind, one.sentence) for one in told.differences] == [
        (Kind.MISSING, "Not claimed: Mah-Jong, 20 points.")
    ]
    assert (told.agrees, told.findings, told.reckoning.total) == (False, (), 272)


def test_a_line_too_much_is_named() -> None:
    lines = (*claimed(PURITY), ClaimedLine("No chows", doubles=1))
    told = compare(Claim(lines=lines), PURITY, BMJA)
    assert [(one.kind, one.sentence) for one in told.differences] == [
        (Kind.TOO_MUCH, "Claimed, but not earned by this hand: No chows, 1 double.")
    ]


def test_a_line_of_another_value_is_named() -> None:
    """Two equal pungs agree; the concealed one was counted as exposed."""
    lines = claimed(PURITY)
    place = lines.index(ClaimedLine("Pung of 2s to 8s", 4))
    lines[place] = ClaimedLine("Pung of 2s to 8s", 2)
    told = compare(Claim(256, tuple(lines)), PURITY, BMJA)
    assert [(one.kind, one.sentence) for one in told.differences] == [
        (Kind.OTHER_VALUE, "Pung of 2s to 8s is worth 4 points, not 2 points.")
    ]


def test_right_lines_wrongly_added_up() -> None:
    told = compare(Claim(227, tuple(claimed(PURITY))), PURITY, BMJA)
    assert [one.sentence for one in told.differences] == [
        "Every line is right, but they come to 272, not 227."
    ]


def test_a_limit_not_applied_to_right_lines() -> None:
    limited = next(case for case in cases("hand") if case["expected"].get("limited"))
    hand = hand_from_json(limited["fields"], BMJA)
    told = compare(Claim(2000, tuple(claimed(hand))), hand, BMJA)
    assert told.differences[0].sentence.endswith("and the hand to the limit of 1,000, not 2,000.")


def test_a_bare_total_is_for_the_detective() -> None:
    told = compare(Claim(112), PURITY, BMJA)
    assert told.differences == ()
    assert told.findings[0].sentence == ("Not counted: “Mah-Jong”. The hand scores 272, not 112.")


@under_every_rule_set
@law
@given(st.data())
def test_one_line_dropped_is_one_difference(rules: RuleSet, data: st.DataObject) -> None:
    hand = data.draw(hands(rules))
    lines = claimed(hand, rules)
    if len(lines) > 1:
        dropped = lines.pop(data.draw(st.integers(0, len(lines) - 1)))
        told = compare(Claim(lines=tuple(lines)), hand, rules).differences
        assert [(one.kind, one.name) for one in told] == [(Kind.MISSING, dropped.name)]


def test_a_hand_that_cannot_be_scored_cannot_be_compared() -> None:
    with pytest.raises(BadHand):
        compare(Claim(20), Hand(concealed=(Tile("B1"),) * 5), BMJA)
