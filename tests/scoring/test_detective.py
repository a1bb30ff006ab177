"""What the detective says of claims and rows that do not fit."""

import random
import time
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, settings, strategies as st

from scoring import (
    BadHand,
    BadScores,
    Hand,
    Reckoning,
    RuleSet,
    Wind,
    hand_from_json,
    house_rules,
    possible_totals,
    rule_set,
    rule_set_keys,
    score,
    settle,
)
from scoring.detective import (
    Claim,
    ClaimedLine,
    DifferenceKind,
    Finding,
    Slip,
    compare,
    examine_claim,
    examine_row,
    guess_total,
)
from scoring.hands.tiles import Tile
from tests.sampling import examples
from tests.scoring.planted import (
    CLAIMS,
    ROWS,
    Points,
    Sheet,
    claim_rates,
    deal_sheet,
    mend_sheet,
    row_rates,
    worked_hands,
)
from tests.scoring.strategies import hands, law_under_every_rule_set
from tests.scoring.worked import Case, cases, scored_cases

BMJA = rule_set("bmja")
WORKED = cases("claim", book="detective")
CLAIMED = [
    pytest.param(case, claim, id=f"{claim['claimed']} {case['title']}")
    for case in WORKED
    for claim in case["claims"]
]
E, S, W, N = Wind


def reckoning_of(case: Case) -> Reckoning:
    return score(hand_from_json(case["fields"], BMJA), BMJA)


@pytest.mark.parametrize(("case", "claim"), CLAIMED)
def test_a_worked_claim(case: Case, claim: dict[str, Any]) -> None:
    right = reckoning_of(case)
    likeliest, *_other_findings = examine_claim(claim["claimed"], right, BMJA)
    assert right.total == case["right"]
    assert likeliest.kind == claim["kind"]
    scores = f"The hand scores {right.total:,}, not {claim['claimed']:,}."
    assert likeliest.message == f"{claim['says']} {scores}"
    assert likeliest.corrected_fields == {"total": right.total}


def test_the_limit_was_not_applied() -> None:
    limited_hand = next(hand for hand in worked_hands() if hand.is_limited)
    (finding,) = examine_claim(
        (limited_hand.basic or 0) << (limited_hand.doubles or 0), limited_hand, BMJA
    )
    assert finding.kind == Slip.LIMIT_NOT_APPLIED


def test_three_doubles_are_not_six_times() -> None:
    right = next(hand for hand in worked_hands() if hand.doubles == 3 and not hand.is_limited)
    findings = examine_claim((right.basic or 0) * 6, right, BMJA)
    assert "3 doubles make 8 times, not 6." in " ".join(finding.message for finding in findings)


def test_where_points_are_only_added_nobody_doubles() -> None:
    rules = replace(BMJA, set_doubles=(), doubles=(), doubled_hands=())
    right = score(hand_from_json(WORKED[0]["fields"], rules), rules)
    assert right.total == 50
    (finding,) = examine_claim(30, right, rules)[:1]
    assert finding.message == "Not counted: “Mah-Jong”. The hand scores 50, not 30."
    assert Slip.DOUBLE_TOO_MANY not in {
        finding.kind for finding in examine_claim(100, right, rules)
    }


@pytest.mark.parametrize("key", rule_set_keys())
def test_every_finding_leads_to_the_right_total(key: str) -> None:
    rules = rule_set(key)
    for case in scored_cases(key):
        right = score(hand_from_json(case["fields"], rules), rules)
        for total in (0, 1, right.total, 2 * right.total, right.total // 2, right.total - 6):
            findings = examine_claim(total, right, rules)
            assert (findings == ()) == (total == right.total)
            assert len(findings) <= 5
            assert all(finding.corrected_fields == {"total": right.total} for finding in findings)


LOSER = possible_totals(rule_set("bmja"), won=False, seat_wind=Wind.W, prevailing_wind=Wind.E)


def test_a_possible_total_has_no_guesses() -> None:
    assert guess_total(64, LOSER) == ()


@pytest.mark.parametrize(
    ("written_total", "figures", "descriptions"),
    [
        (37, [36, 38], []),
        (65, [56, 64, 66], ["two digits were swapped (56)"]),
        (1002, [102, 1000], ["there is a zero too many (102)"]),
        (-4, [0], []),
    ],
)
def test_slips_come_before_what_is_near(
    written_total: int, figures: list[int], descriptions: list[str]
) -> None:
    guesses = guess_total(written_total, LOSER)
    assert [guess.points for guess in guesses] == figures
    assert [guess.explanation for guess in guesses if guess.explanation] == descriptions


def test_a_double_too_many_is_guessed() -> None:
    descriptions = [guess.explanation for guess in guess_total(92, (44, 46, 90, 94))]
    assert descriptions == ["46 was doubled once too often", "", ""]


SCORES = st.fixed_dictionaries(
    {seat: st.integers(0, 500).map(lambda half: 2 * half) for seat in Wind}
)
GAINS = st.fixed_dictionaries({seat: st.integers(-3000, 3000) for seat in Wind})


def examine_sheet(sheet: Sheet, key: str = "bmja") -> tuple[Finding, ...]:
    return examine_row(
        sheet.scores, sheet.gains, winner=sheet.winner, rules=rule_set(key), won_by="wall"
    )


@pytest.mark.parametrize("case", cases("row", book="detective"), ids=lambda case: case["title"])
def test_a_worked_row(case: Case) -> None:
    written_scores = {Wind(seat): points for seat, points in case["scores"].items()}
    scores = written_scores | dict.fromkeys(map(Wind, case.get("missing", ())), None)
    role_names = case.keys() & {"dealer", "discarder", "pays_for_all"}
    likeliest, *other_findings = examine_row(
        {seat: scores[seat] for seat in Wind if seat in scores},
        {Wind(seat): points for seat, points in case["gains"].items()},
        winner=Wind(case["winner"]) if case["winner"] else None,
        rules=rule_set(case.get("rules", "bmja")),
        won_by=case.get("won_by"),
        **{name: Wind(case[name]) for name in role_names},
    )
    assert (likeliest.kind, likeliest.message) == (case["kind"], case["says"])
    assert likeliest.corrected_fields == case["corrected"]
    sentences = [finding.message for finding in other_findings]
    assert sentences == case.get("then", sentences)


@pytest.mark.parametrize("key", rule_set_keys())
@given(SCORES, st.sampled_from(Wind))
def test_nothing_is_found_in_a_right_row(key: str, scores: Points, winner: Wind) -> None:
    rules = rule_set(key)
    gains = settle(scores, winner=winner, rules=rules, won_by="wall").gain
    assert examine_row(scores, gains, winner=winner, rules=rules, won_by="wall") == ()
    blank = {**gains, winner: None}
    assert examine_row(scores, blank, winner=winner, rules=rules, won_by="wall") == ()


def test_nothing_is_found_in_a_drawn_hand_that_nobody_paid() -> None:
    zero_scores = dict.fromkeys(Wind, 0)
    assert examine_row(zero_scores, zero_scores, winner=None, rules=BMJA) == ()


@pytest.mark.parametrize("key", rule_set_keys())
@settings(deadline=None, max_examples=examples(60))
@given(SCORES, GAINS, st.sampled_from(Wind))
def test_every_correction_makes_the_row_right(
    key: str, scores: Points, gains: Points, winner: Wind
) -> None:
    sheet = Sheet(scores, gains, winner)
    for finding in examine_sheet(sheet, key):
        assert examine_sheet(mend_sheet(sheet, finding), key) == ()


@pytest.mark.parametrize("name", ROWS)
def test_every_explanation_of_a_planted_slip_makes_the_row_right(name: str) -> None:
    _kind, planter = ROWS[name]
    chance = random.Random(2)
    spoilt = [
        planted_slip for _row in range(30) if (planted_slip := planter(deal_sheet(chance), chance))
    ]
    for sheet, *_right in spoilt:
        findings = examine_sheet(sheet)
        assert all(examine_sheet(mend_sheet(sheet, finding)) == () for finding in findings)
        assert [finding.likelihood for finding in findings] == [1, 2, 3, 4, 5][: len(findings)]


def test_no_row_takes_50_milliseconds() -> None:
    chance = random.Random(1)
    assert max(spent_on_nonsense(chance) for _ in range(40)) < 0.05


def spent_on_nonsense(chance: random.Random) -> float:
    """Seconds of the processor for a row that nothing explains, the best of three."""
    scores = {seat: chance.randrange(0, 500, 2) for seat in Wind}
    sheet = Sheet(scores, {seat: chance.randrange(-999, 999) for seat in Wind}, S)
    durations = []
    for _try in range(3):
        began = time.process_time()
        assert examine_sheet(sheet)[0].kind in {Slip.UNEXPLAINED, Slip.TWO_SLIPS}
        durations.append(time.process_time() - began)
    return min(durations)


def test_with_tallies_a_loser_needs_no_total() -> None:
    scores = {E: None, S: 100, W: None, N: None}
    gains = {E: -200, S: 400, W: -100, N: -100}
    assert examine_row(scores, gains, winner=S, rules=rule_set("tallies"), won_by="wall") == ()


def test_a_gain_of_nobody_in_play_is_refused() -> None:
    with pytest.raises(BadScores, match="North is not in play"):
        examine_row({E: 0, S: 20}, {E: -20, S: 20, N: 0}, winner=S, rules=BMJA)


# Slips that are told by another name as often.
LIKE_ANOTHER = {
    "bonus tiles not doubled": 0.3,
    "drawn tile forgotten": 0.4,
    "bonus tile forgotten": 0.75,
    "totals exchanged": 0.6,
    "gain: carried wrongly": 0.75,
    "total: carried wrongly": 0.8,
    "payment entered for another": 0.35,
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", ROWS)
def test_a_slip_planted_in_a_row_is_named(name: str) -> None:
    first, in_three, mended_rightly = row_rates(name, 150)
    least = LIKE_ANOTHER.get(name, 0.88)
    assert first >= least
    assert in_three >= 0.85
    assert mended_rightly >= least


@pytest.mark.parametrize("name", CLAIMS)
def test_a_slip_planted_in_a_claim_is_named(name: str) -> None:
    first, in_three, explained_share = claim_rates(name, 150)
    assert first >= LIKE_ANOTHER.get(name, 0.85)
    assert in_three >= 0.9
    assert explained_share >= 0.99


SCORED = [
    pytest.param(key, case, id=case["id"]) for key in rule_set_keys() for case in scored_cases(key)
]


def claimed_lines(hand: Hand, rules: RuleSet = BMJA) -> list[ClaimedLine]:
    """The lines of the hand's score as an honest player claims them."""
    lines = [
        working_line
        for line in score(hand, rules).lines
        for working_line in line.workings or (line,)
    ]
    return [
        ClaimedLine(line.name, line.points if line.value is None else line.value, line.doubles)
        for line in lines
    ]


PURITY = hand_from_json(
    next(case["fields"] for case in cases("hand") if case["id"] == "bmja-301"), BMJA
)


@pytest.mark.parametrize(("key", "case"), SCORED)
def test_an_honest_claim_agrees(key: str, case: Case) -> None:
    rules, total = rule_set(key), case["expected"]["total"]
    hand = hand_from_json(case["fields"], rules)
    lines = tuple(claimed_lines(hand, rules))
    for claim in (Claim(total), Claim(total, lines), Claim(None, lines[::-1])):
        assert compare(claim, hand, rules).agrees


ALL = claimed_lines(PURITY)
PUNG = ClaimedLine("Pung of 2s to 8s", 4)  # two are equal; this one was counted as exposed
PLACE = ALL.index(PUNG)


@pytest.mark.parametrize(
    ("lines", "total", "kind", "message"),
    [
        (
            [line for line in ALL if line.name != "Mah-Jong"],
            112,
            DifferenceKind.MISSING,
            "Not claimed: Mah-Jong, 20 points.",
        ),
        (
            [*ALL, ClaimedLine("No chows", doubles=1)],
            None,
            DifferenceKind.TOO_MUCH,
            "Claimed, but not earned by this hand: No chows, 1 double.",
        ),
        (
            [*ALL[:PLACE], PUNG._replace(points=2), *ALL[PLACE + 1 :]],
            256,
            DifferenceKind.OTHER_VALUE,
            "Pung of 2s to 8s is worth 4 points, not 2 points.",
        ),
        (ALL, 227, DifferenceKind.WRONG_SUM, "Every line is right, but they come to 272, not 227."),
    ],
    ids=lambda value: value.value if isinstance(value, DifferenceKind) else "",
)
def test_a_line_claimed_otherwise_is_named(
    lines: list[ClaimedLine], total: int | None, kind: DifferenceKind, message: str
) -> None:
    comparison = compare(Claim(total, tuple(lines)), PURITY, BMJA)
    assert [(difference.kind, difference.message) for difference in comparison.differences] == [
        (kind, message)
    ]
    assert (comparison.agrees, comparison.findings, comparison.reckoning.total) == (False, (), 272)


def test_a_limit_not_applied_to_right_lines() -> None:
    limited_case = next(case for case in cases("hand") if case["expected"].get("limited"))
    hand = hand_from_json(limited_case["fields"], BMJA)
    comparison = compare(Claim(2000, tuple(claimed_lines(hand))), hand, BMJA)
    assert comparison.differences[0].message.endswith(
        "and the hand to the limit of 1,000, not 2,000."
    )


def test_a_bare_total_is_for_the_detective() -> None:
    comparison = compare(Claim(112), PURITY, BMJA)
    assert comparison.differences == ()
    assert comparison.findings[0].message == (
        "Not counted: “Mah-Jong”. The hand scores 272, not 112."
    )


@law_under_every_rule_set
def test_one_line_dropped_is_one_difference(rules: RuleSet, data: st.DataObject) -> None:
    hand = data.draw(hands(rules))
    lines = claimed_lines(hand, rules)
    if len(lines) > 1:
        dropped_line = lines.pop(data.draw(st.integers(0, len(lines) - 1)))
        differences = compare(Claim(lines=tuple(lines)), hand, rules).differences
        assert [(difference.kind, difference.name) for difference in differences] == [
            (DifferenceKind.MISSING, dropped_line.name)
        ]


def test_a_hand_that_cannot_be_scored_cannot_be_compared() -> None:
    with pytest.raises(BadHand):
        compare(Claim(20), Hand(concealed=(Tile("B1"),) * 5), BMJA)


@pytest.mark.parametrize(
    ("won_by", "gains", "says"),
    [
        ("wall", [-128, 256, -64, -64], "was not claimed, but everyone paid as if it was"),
        ("discard", [-256, 512, -128, -128], "was claimed, but everyone paid as if it was not"),
    ],
)
def test_an_unclaimed_tile_that_everyone_pays_double_for(
    won_by: str, gains: list[int], says: str
) -> None:
    payments = {"unclaimed": 2, "losers_settle": False}
    rules = house_rules({"base": "bmja", "payments": payments})
    findings = examine_row(
        dict(zip(Wind, (0, 64, 0, 0), strict=True)),
        dict(zip(Wind, gains, strict=True)),
        winner=S,
        rules=rules,
        won_by=won_by,
        discarder=W if won_by == "discard" else None,
    )
    assert says in findings[0].message


def test_east_is_doubled_besides_for_an_unclaimed_tile() -> None:
    rules = house_rules({"base": "bmja", "payments": {"unclaimed": 2, "losers_settle": False}})
    findings = examine_row(
        dict(zip(Wind, (0, 64, 0, 0), strict=True)),
        dict(zip(Wind, (-128, 384, -128, -128), strict=True)),
        winner=S,
        rules=rules,
        won_by="wall",
    )
    assert findings[0].message.startswith("East's payment to South was not doubled")
