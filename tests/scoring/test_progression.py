"""What the game says about East, the deal, the winds, the goulash and the end, now and ahead."""

import json
import time
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given, strategies as st

from scoring import Deal, RuleSet, deals, house_rules, rule_set, rule_set_keys
from scoring.hands.problems import BadOutcome
from scoring.table.progression import (
    GAME_OVER,
    HANDS_AHEAD,
    ComingDeal,
    Exchange,
    Opening,
    deals_ahead,
    deals_ahead_as_json,
    exchanges_between,
    table_after,
)
from tests.scoring.strategies import law, law_under_every_rule_set, under_every_rule_set
from tests.scoring.worked import (
    Case,
    case_params,
    in_every_book,
    play_case,
    refused_game,
    refused_in_every_book,
)

BMJA, BAGGALEY = rule_set("bmja"), rule_set("baggaley")


@pytest.mark.parametrize(("key", "case"), case_params(in_every_book("game")))
def test_a_worked_game(key: str, case: Case) -> None:
    answer = play_case(case, rule_set(key))
    assert answer == {name: case[name] for name in answer}


@pytest.mark.parametrize(("key", "case"), case_params(refused_in_every_book("games")))
def test_outcomes_that_no_game_has(key: str, case: Case) -> None:
    assert refused_game(case, rule_set(key)) == case["problems"]


def test_a_round_of_hands_ends_after_so_many_or_with_its_wind_rounds() -> None:
    for outcomes, rounds, hands in (([2, None, 3], 4, 3), ([2, 3, 4, 1], 1, 8)):
        progress = deals(outcomes, rules=BMJA, wind_rounds=rounds, hands=hands)
        assert (len(progress.deals), progress.is_finished) == (len(outcomes), True)


def test_east_may_go_on_winning() -> None:
    progress = deals([1] * 20, rules=BMJA)
    assert {deal.dealer for deal in progress.deals} == {1}
    assert progress.deals[-1].number == 21


def test_a_race_needs_the_gains_of_every_hand() -> None:
    with pytest.raises(ValueError, match="shorter"):
        deals([2, 3], rules=BAGGALEY, gains=[{2: 60}])


def test_points_end_no_game_that_is_not_a_race() -> None:
    progress = deals([2], rules=BMJA, gains=[{1: -2000, 2: 4000, 3: -1000, 4: -1000}])
    assert (progress.is_finished, progress.winners) == (False, ())


def winds(*winners: int | None, seats: int = 4, exchanges: list[Exchange]) -> list[str]:
    """Each hand's winds as the seats have them: ``E1 S2 W3 N4`` without the numbers."""
    game_deals = deals(winners, rules=BMJA, seats=seats, exchanges=exchanges).deals
    return [
        "".join(deal.winds.get(seat, "-") for seat in range(1, seats + 1)) for deal in game_deals
    ]


def test_the_deal_goes_with_the_place() -> None:
    progress = deals([1, 2, None], rules=BMJA, exchanges=[(2, 1, 2)])
    assert [deal.dealer for deal in progress.deals] == [1, 2, 2, 2]


@pytest.mark.parametrize(
    ("winners", "exchanges", "expected_winds"),
    [
        pytest.param([1, 1], [(2, 2, 3)], ["ESWN", "EWSN", "EWSN"], id="from a hand on"),
        pytest.param([1, 1], [(2, 2, 3), (3, 2, 3)], ["ESWN", "EWSN", "ESWN"], id="and back"),
        pytest.param([1], [(3, 2, 3)], ["ESWN", "ESWN"], id="a hand that is not dealt yet"),
        pytest.param([1, 5], [(2, 1, 5)], ["ESWN-", "-SWNE", "-SWNE"], id="the turn to sit out"),
        pytest.param([1, 2], [(2, 1, 5)], ["ESWN-", "-SWNE", "NESW-"], id="and to come in again"),
        pytest.param([2], [(1, 1, 2)], ["SEWN", "SEWN"], id="East is whoever sits there"),
    ],
)
def test_two_change_about_with_their_winds(
    winners: list[int], exchanges: list[Exchange], expected_winds: list[str]
) -> None:
    assert winds(*winners, seats=len(expected_winds[0]), exchanges=exchanges) == expected_winds


def test_who_sits_out_after_the_exchange_cannot_have_won() -> None:
    with pytest.raises(BadOutcome, match="Seat 1, which sits out"):
        deals([1, 1], rules=BMJA, seats=5, exchanges=[(2, 1, 5)])


@pytest.mark.parametrize("exchange", [(0, 1, 2), (2, 1, 1), (2, 1, 5), (2, 0, 1)])
def test_an_exchange_is_of_two_seats_of_the_table(exchange: Exchange) -> None:
    with pytest.raises(BadOutcome) as bad:
        deals([1], rules=BMJA, exchanges=[exchange])
    assert [problem.path for problem in bad.value.problems] == ["exchanges.0"]


OUTCOMES = st.lists(st.sampled_from([1, 2, 3, 4, None]), max_size=12)
PAIRS = st.sampled_from([(1, 2), (1, 3), (1, 4), (2, 3), (2, 4), (3, 4)])
EXCHANGES = st.lists(st.tuples(st.integers(1, 12), PAIRS), max_size=4).map(
    lambda hands_and_pairs: [
        (hand, *pair)
        for hand, pair in sorted(hands_and_pairs, key=lambda hand_and_pair: hand_and_pair[0])
    ]
)


@under_every_rule_set
@law
@given(outcomes=OUTCOMES, hand=st.integers(1, 12), pair=PAIRS)
def test_an_exchange_twice_is_none(
    rules: RuleSet, outcomes: list[int | None], hand: int, pair: tuple[int, int]
) -> None:
    exchanges = [(hand, *pair), (hand, *pair)]
    progress = deals(outcomes, rules=rules, wind_rounds=None, exchanges=exchanges)
    assert progress == deals(outcomes, rules=rules, wind_rounds=None)


@under_every_rule_set
@law
@given(
    outcomes=OUTCOMES,
    known_exchanges=EXCHANGES,
    pair=PAIRS,
    first=st.integers(1, 12),
    extra_hands=st.integers(0, 4),
)
def test_who_changes_about_with_winds_and_wins_plays_the_same_game(
    rules: RuleSet,
    outcomes: list[int | None],
    known_exchanges: list[Exchange],
    pair: tuple[int, int],
    first: int,
    extra_hands: int,
) -> None:
    """Names that change about for a while leave every wind with who it was, and the rest alone."""
    last = first + extra_hands
    swap = dict(zip(pair, reversed(pair), strict=True))
    swapped_outcomes = [
        swap.get(seat, seat) if seat and first <= number <= last else seat
        for number, seat in enumerate(outcomes, start=1)
    ]
    exchanges = exchanges_between(known_exchanges, pair, first, last)
    progress_before = deals(outcomes, rules=rules, wind_rounds=None, exchanges=known_exchanges)
    progress_after = deals(swapped_outcomes, rules=rules, wind_rounds=None, exchanges=exchanges)
    for old_deal, now in zip(progress_before.deals, progress_after.deals, strict=True):
        names = swap if first <= now.number <= last else {}
        assert {names.get(seat, seat): wind for seat, wind in old_deal.winds.items()} == now.winds
        assert names.get(old_deal.dealer, old_deal.dealer) == now.dealer
        assert (old_deal.prevailing_wind, old_deal.goulash) == (now.prevailing_wind, now.goulash)


@law
@given(
    known_exchanges=EXCHANGES,
    pair=PAIRS,
    first=st.integers(1, 12),
    last=st.none() | st.integers(12, 14),
)
def test_the_same_repair_again_takes_it_back(
    known_exchanges: list[Exchange], pair: tuple[int, int], first: int, last: int | None
) -> None:
    new_exchanges = exchanges_between(known_exchanges, pair, first, last)
    restored_exchanges = exchanges_between(new_exchanges, pair, first, last)
    outcomes = [1] * 14
    assert deals(outcomes, rules=BMJA, exchanges=restored_exchanges) == deals(
        outcomes, rules=BMJA, exchanges=known_exchanges
    )


TABLES = [(rule_set(key), seats) for key in rule_set_keys() for seats in rule_set(key).seats]
FULL = st.lists(st.integers(0, 99), min_size=HANDS_AHEAD, max_size=HANDS_AHEAD)


def moving(base: str, **passing: Any) -> Any:
    rules = house_rules({"base": base, "passing": passing})
    return pytest.param(rules, id=f"{base} {passing}")


OF_HOUSES = [
    moving("bmja", draw_moves=True, goulash=False, prevailing=False),
    moving("bmja", most_hands=3),
    moving("bmja", most_wins=2, draw_moves=True),
    moving("bmja", most_wins=2),
    moving("bmja", most_draws=2),
    moving("tallies", most_draws=2, most_wins=3),
    moving("tallies", most_hands=4, most_wins=2, prevailing=False),
    moving("safalra", most_hands=2),
    moving("safalra", draw_moves=True),
]


@law_under_every_rule_set
def test_whoever_walks_along_meets_the_deals_of_the_engine(
    rules: RuleSet, data: st.DataObject
) -> None:
    _walk(rules, data)


@pytest.mark.parametrize("rules", OF_HOUSES)
@law
@given(data=st.data())
def test_whoever_walks_along_meets_the_deals_of_house_rules(
    rules: RuleSet, data: st.DataObject
) -> None:
    _walk(rules, data)


@pytest.mark.parametrize("rules", OF_HOUSES)
@law
@given(data=st.data())
def test_no_run_is_longer_than_the_house_allows(rules: RuleSet, data: st.DataObject) -> None:
    seats = data.draw(st.sampled_from(rules.seats))
    outcomes, game_deals = _play_game(
        {"rules": rules, "seats": seats, "wind_rounds": None}, data.draw(FULL)
    )
    passing, hands, wins, draws = rules.passing, 0, 0, 0
    for deal, outcome, following in zip(game_deals, outcomes, game_deals[1:], strict=False):
        if outcome in {None, deal.dealer}:
            hands, wins = hands + 1, 0 if outcome is None else wins + 1
            draws = draws + 1 if outcome is None else 0
            drawn_on = outcome is None and passing.moves_after_a_draw
            is_at_limit = hands == passing.most_hands or wins == passing.most_wins
            is_at_limit = is_at_limit or draws == passing.most_draws
            assert (following.dealer == deal.dealer) is not (drawn_on or is_at_limit)
        if following.dealer != deal.dealer:
            hands = wins = draws = 0


def test_east_stays_after_one_drawn_hand_and_passes_after_the_second() -> None:
    rules = house_rules({"base": "bmja", "passing": {"most_draws": 2}})
    game_deals = deals([None, 1, None, None, 2, None], rules=rules).deals
    assert [deal.dealer for deal in game_deals] == [1, 1, 1, 1, 2, 2, 2]
    assert [deal.goulash for deal in game_deals] == [False, True, False, True, True, False, True]


def test_a_game_that_carries_on_knows_the_drawn_hand_before_it() -> None:
    rules = house_rules({"base": "bmja", "passing": {"most_draws": 2}})
    opening, usual = (
        table_after([None], rules=played_by, seats=4, wind_rounds=None, hands=None).opens(
            (1, 2, 3, 4)
        )
        for played_by in (rules, BMJA)
    )
    assert Opening.from_json(opening.as_json()) == opening
    assert deals([None], rules=rules, opening=opening).deals[-1].dealer == 2
    assert "draws_in_a_row" not in usual.as_json()


def _walk(rules: RuleSet, data: st.DataObject) -> None:
    game_settings: dict[str, Any] = {
        "rules": rules,
        "seats": data.draw(st.sampled_from(rules.seats)),
        "wind_rounds": data.draw(st.sampled_from([None, 1, 2, 4])),
        "exchanges": data.draw(st.sampled_from([(), ((9, 1, 2),)])),
    }
    chances = data.draw(FULL)
    first_outcomes, _first_deals = _play_game(
        game_settings, chances[: data.draw(st.integers(0, 12))]
    )
    _outcomes, game_deals = _play_game(game_settings, chances, first_outcomes)
    assert _walk_states(deals_ahead(first_outcomes, **game_settings), chances) == game_deals


def _play_game(
    game_settings: dict[str, Any], chances: Sequence[int], first_outcomes: Sequence[int | None] = ()
) -> tuple[list[int | None], list[Deal]]:
    """Outcomes after those begun with, as long as the game is not over, and the deals of each."""
    outcomes, game_deals = [*first_outcomes], []
    for chance in chances:
        progress = deals(outcomes, **game_settings)
        if progress.is_finished:
            break
        game_deals.append(replace(progress.deals[-1], number=0))
        outcomes.append(_outcome(progress.deals[-1], chance))
    return outcomes, game_deals


def _outcome(deal: Deal, chance: int) -> int | None:
    """One of the seats that play, or a drawn hand."""
    return [None, *deal.winds][chance % (len(deal.winds) + 1)]


def _walk_states(states: Sequence[ComingDeal], chances: Sequence[int]) -> list[Deal]:
    met_deals: list[Deal] = []
    state_index: int | None = 0 if states else GAME_OVER
    for chance in chances:
        if state_index is None or state_index == GAME_OVER:
            break
        met_deals.append(replace(states[state_index].deal, number=0))
        state_index = states[state_index].next_states[
            _outcome(states[state_index].deal, chance) or 0
        ]
    assert state_index is not None or len(met_deals) == len(chances)
    return met_deals


@law
@given(chances=FULL)
def test_tables_alike_are_one_state(chances: list[int]) -> None:
    game_settings: dict[str, Any] = {"rules": BMJA, "seats": 4, "wind_rounds": 4}
    state_keys = {state.key for state in deals_ahead([], **game_settings)}
    outcomes, _game_deals = _play_game(game_settings, chances)
    for hands in range(len(outcomes)):
        assert deals_ahead(outcomes[:hands], **game_settings, hands_ahead=0)[0].key in state_keys


def test_a_game_of_four_winds_has_few_deals_ahead() -> None:
    assert len(deals_ahead([], rules=BMJA, seats=4, wind_rounds=4)) == 32


def test_the_last_hand_of_the_last_wind_leads_nowhere_when_east_loses() -> None:
    (*_, last) = deals_ahead([2, 3, 4], rules=BMJA, seats=4, wind_rounds=1)
    assert [seat for seat, place in last.next_states.items() if place == GAME_OVER] == [1, 2, 3]
    assert [*last.next_states] == [0, 1, 2, 3, 4]


def test_nothing_is_ahead_of_a_game_that_is_over() -> None:
    assert deals_ahead([2, 3, 4, 1], rules=BMJA, seats=4, wind_rounds=1) == ()


def test_the_one_who_sits_out_cannot_win() -> None:
    (now, *_) = deals_ahead([], rules=BMJA, seats=5, wind_rounds=4)
    assert sorted(now.next_states) == [0, 1, 2, 3, 4]
    assert deals_ahead_as_json([now])["states"] == [[now.key, 0, 1, 0, 2, 2, 2]]


def test_further_ahead_than_was_asked_is_not_known() -> None:
    (now,) = deals_ahead([], rules=BMJA, seats=4, wind_rounds=4, hands_ahead=0)
    assert (now.next_states[1], now.next_states[2]) == (0, None)


@pytest.mark.parametrize(("rules", "seats"), TABLES)
def test_thirty_hands_ahead_are_small_on_the_wire_and_quick(rules: RuleSet, seats: int) -> None:
    start = time.process_time()
    deals_data = deals_ahead_as_json(deals_ahead([], rules=rules, seats=seats, wind_rounds=4))
    seconds = time.process_time() - start
    assert len(json.dumps(deals_data, separators=(",", ":"))) < 15_000
    assert seconds < 0.25


def carried_on(
    outcomes: Sequence[int | None], breaks: set[int], rules: RuleSet, seats: int
) -> list[Deal]:
    """The deals of a game in which a substitute sits down before each hand of the breaks."""
    opening, game_deals, recent_outcomes = None, list[Deal](), list[int | None]()
    for number in range(1, len(outcomes) + 2):
        if number in breaks:
            table = table_after(
                recent_outcomes,
                rules=rules,
                seats=seats,
                wind_rounds=None,
                hands=None,
                opening=opening,
            )
            opening, recent_outcomes = table.opens(range(1, seats + 1)), []
        latest_deals = deals(
            recent_outcomes, rules=rules, seats=seats, wind_rounds=None, opening=opening
        ).deals
        game_deals.append(replace(latest_deals[-1], number=number))
        recent_outcomes = [*recent_outcomes, *outcomes[number - 1 : number]]
    return game_deals


@under_every_rule_set
@given(data=st.data())
def test_the_winds_go_on_whoever_sits_down(rules: RuleSet, data: st.DataObject) -> None:
    seats = data.draw(st.sampled_from(sorted(rules.seats)))
    winners: list[int | None] = []
    for _ in range(data.draw(st.integers(0, 25))):
        deal = deals(winners, rules=rules, seats=seats, wind_rounds=None).deals[-1]
        winners.append(data.draw(st.sampled_from([None, *deal.winds])))
    breaks = data.draw(st.sets(st.integers(2, len(winners) + 2), max_size=6))
    expected_deals = deals(winners, rules=rules, seats=seats, wind_rounds=None).deals
    assert carried_on(winners, breaks, rules, seats) == list(expected_deals)


def opening_after(*winners: int | None, seats: list[int | None], table_size: int = 4) -> Opening:
    table = table_after(winners, rules=BMJA, seats=table_size, wind_rounds=None, hands=None)
    return table.opens(seats)


def test_a_fifth_player_waits_and_the_prevailing_wind_stays() -> None:
    # Everyone has lost East once, then East lost again: South prevails and seat 2 is East.
    opening = opening_after(2, 3, 4, 1, 2, None, seats=[2, 3, 4, 1, None])
    deal = deals([], rules=BMJA, seats=5, wind_rounds=None, opening=opening).deals[0]
    assert (deal.prevailing_wind, deal.dealer, deal.sits_out) == ("S", 1, 5)
    assert deal.goulash  # the hand before was drawn
    # The South round begins again: all five are East in it.
    later_deals = deals(
        [2, 3, 4, 5, 1], rules=BMJA, seats=5, wind_rounds=None, opening=opening
    ).deals
    assert [deal.prevailing_wind for deal in later_deals] == ["S"] * 5 + ["W"]


def test_a_newcomer_who_replaces_one_of_five_before_a_hand_takes_that_place() -> None:
    opening = opening_after(2, seats=[2, 3, 4, None])
    assert (opening.places, opening.dealer, opening.counted) == ((1, 2, 3, 4), 1, 1)


def test_an_opening_is_read_as_it_was_written() -> None:
    opening = opening_after(2, None, 3, seats=[1, 2, 3, 4])
    assert Opening.from_json(opening.as_json()) == opening
    spoilt_openings: tuple[Any, ...] = (
        None,
        [],
        {},
        {**opening.as_json(), "dealer": "1"},
        {**opening.as_json(), "x": 1},
    )
    for spoilt in spoilt_openings:
        with pytest.raises(ValueError, match="No game opens with"):
            Opening.from_json(spoilt)


@pytest.mark.parametrize(
    "changed_fields",
    [{"places": (1, 2, 3)}, {"dealer": 5}, {"rounds": -1}, {"points": {7: 1}}, {"waiting": (5,)}],
)
def test_an_opening_of_no_such_table(changed_fields: dict[str, Any]) -> None:
    opening = replace(opening_after(seats=[1, 2, 3, 4]), **changed_fields)
    with pytest.raises(BadOutcome):
        deals([], rules=BMJA, opening=opening)
