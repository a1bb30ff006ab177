"""Two players who sat in each other's place: winds, deal and turns to sit out change about."""

import pytest
from hypothesis import given, strategies as st

from scoring import RuleSet, Wind, deals, rule_set
from scoring.hands.problems import BadOutcome
from scoring.table.progression import Exchange, exchanged_between
from tests.scoring.strategies import law, under_every_rule_set

BMJA = rule_set("bmja")


def winds(*winners: int | None, seats: int = 4, exchanges: list[Exchange]) -> list[str]:
    """Each hand's winds as the seats have them: ``E1 S2 W3 N4`` without the numbers."""
    dealt = deals(winners, rules=BMJA, seats=seats, exchanges=exchanges).deals
    return ["".join(deal.winds.get(seat, "-") for seat in range(1, seats + 1)) for deal in dealt]


def test_two_change_about_from_a_hand_on() -> None:
    assert winds(1, 1, exchanges=[(2, 2, 3)]) == ["ESWN", "EWSN", "EWSN"]


def test_the_deal_goes_with_the_place() -> None:
    told = deals([1, 2, None], rules=BMJA, exchanges=[(2, 1, 2)])
    assert [deal.dealer for deal in told.deals] == [1, 2, 2, 2]


def test_the_turn_to_sit_out_goes_with_the_place() -> None:
    assert winds(1, 5, seats=5, exchanges=[(2, 1, 5)]) == ["ESWN-", "-SWNE", "-SWNE"]


def test_they_are_back_in_their_places_after_the_same_again() -> None:
    assert winds(1, 1, 1, exchanges=[(2, 2, 3), (4, 2, 3)])[-1] == "ESWN"


def test_an_exchange_of_a_hand_that_is_not_dealt_yet_waits() -> None:
    assert winds(1, exchanges=[(3, 2, 3)]) == ["ESWN", "ESWN"]


def test_who_sits_out_after_the_exchange_cannot_have_won() -> None:
    with pytest.raises(BadOutcome, match="Seat 1, which sits out"):
        deals([1, 1], rules=BMJA, seats=5, exchanges=[(2, 1, 5)])


@pytest.mark.parametrize("exchange", [(0, 1, 2), (2, 1, 1), (2, 1, 5), (2, 0, 1)])
def test_an_exchange_is_of_two_seats_of_the_table(exchange: Exchange) -> None:
    with pytest.raises(BadOutcome) as bad:
        deals([1], rules=BMJA, exchanges=[exchange])
    assert [problem.where for problem in bad.value.problems] == ["exchanges.0"]


# Laws -------------------------------------------------------------------------------------------

OUTCOMES = st.lists(st.sampled_from([1, 2, 3, 4, None]), max_size=12)
PAIRS = st.sampled_from([(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)])
EXCHANGES = st.lists(st.tuples(st.integers(1, 12), PAIRS), max_size=4).map(
    lambda told: [(hand, *pair) for hand, pair in sorted(told, key=lambda one: one[0])]
)


@under_every_rule_set
@law
@given(outcomes=OUTCOMES, hand=st.integers(1, 12), pair=PAIRS)
def test_an_exchange_twice_is_none(
    rules: RuleSet, outcomes: list[int | None], hand: int, pair: tuple[int, int]
) -> None:
    twice = [(hand, *pair), (hand, *pair)]
    again = deals(outcomes, rules=rules, wind_rounds=None, exchanges=twice)
    assert again == deals(outcomes, rules=rules, wind_rounds=None)


@under_every_rule_set
@law
@given(
    outcomes=OUTCOMES, known=EXCHANGES, pair=PAIRS, first=st.integers(1, 12), more=st.integers(0, 4)
)
def test_who_changes_about_with_winds_and_wins_plays_the_same_game(
    rules: RuleSet,
    outcomes: list[int | None],
    known: list[Exchange],
    pair: tuple[int, int],
    first: int,
    more: int,
) -> None:
    """Names that change about for a while leave every wind with who it was, and the rest alone."""
    last = first + more
    swap = dict(zip(pair, reversed(pair), strict=True))
    told = [
        swap.get(seat, seat) if seat and first <= number <= last else seat
        for number, seat in enumerate(outcomes, start=1)
    ]
    exchanges = exchanged_between(known, pair, first, last)
    before = deals(outcomes, rules=rules, wind_rounds=None, exchanges=known)
    after = deals(told, rules=rules, wind_rounds=None, exchanges=exchanges)
    for was, now in zip(before.deals, after.deals, strict=True):
        names = swap if first <= now.number <= last else {}
        assert {names.get(seat, seat): wind for seat, wind in was.winds.items()} == now.winds
        assert names.get(was.dealer, was.dealer) == now.dealer
        assert (was.prevailing_wind, was.goulash) == (now.prevailing_wind, now.goulash)


@law
@given(known=EXCHANGES, pair=PAIRS, first=st.integers(1, 12), last=st.none() | st.integers(12, 14))
def test_the_same_repair_again_takes_it_back(
    known: list[Exchange], pair: tuple[int, int], first: int, last: int | None
) -> None:
    told = exchanged_between(known, pair, first, last)
    again = exchanged_between(told, pair, first, last)
    outcomes = [1] * 14
    assert deals(outcomes, rules=BMJA, exchanges=again) == deals(
        outcomes, rules=BMJA, exchanges=known
    )


def test_east_is_whoever_sits_there() -> None:
    told = deals([2], rules=BMJA, exchanges=[(1, 1, 2)])
    assert [deal.winds[1] for deal in told.deals] == [Wind.S, Wind.S]
