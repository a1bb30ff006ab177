"""The page before a step, the step, and the way back."""

from collections.abc import Callable
from fractions import Fraction
from functools import partial
from typing import Any

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring.scorebook.models import Game, Hand
from scoring.scorebook.refusals import Refused
from tests.people import Cast
from tests.scoring.scorebook.book import decide, dispute
from tests.threads import at_once
from tests.tournaments.cups import (
    DRAWN,
    close_round,
    finish,
    fresh,
    make_cup,
    page_of,
    play_round,
    post,
    seated_cup,
    seated_cups,
    tables,
)
from tournaments.models import (
    Entrant,
    Placement,
    RoundState,
    StepBack,
    Table,
    Tournament,
    TournamentState,
)
from tournaments.results import services as results_services
from tournaments.results.selectors.standings import standings_of
from tournaments.seating.services import seating
from tournaments.setup import services as setup_services
from tournaments.steps import services
from tournaments.steps.selectors import PREFLIGHTS, preflight, preflight_withdrawal

pytestmark = pytest.mark.django_db
UNPAID = "Player 10, Player 11, Player 12, Player 5, Player 6, Player 7"


def worries(cup: Tournament, step: str) -> list[str]:
    check = preflight(fresh(cup), step)
    return [worry.sentence for worry in check.worries]


def test_who_is_not_here_and_who_has_not_paid_is_named_before_the_seating() -> None:
    cup = make_cup(entrants=12, rounds=1)
    assert worries(cup, "seat") == [
        "None of the 12 players has been checked in.",
        "None of the 12 players has been marked as paid.",
    ]
    cup.entrants.update(has_paid=True, is_here=True)
    cup.entrants.filter(number__lte=2).update(is_here=False)
    cup.entrants.filter(number__gte=5).update(has_paid=False)
    assert worries(cup, "seat") == [
        "2 players are not checked in: Player 1 and Player 2.",
        f"8 players are not marked as paid: {UNPAID} and 2 more.",
    ]


def test_before_a_round_is_closed_calls_and_unagreed_hands_are_told() -> None:
    cup = seated_cup(entrants=8, rounds=1, hands=1)
    play_round(cup, DRAWN)
    services.call_director(table=tables(cup)[1])
    assert worries(cup, "close") == [
        "Table 2 has called the director.",
        (
            "Round 1, tables 1 and 2: 2 hands have not been agreed by the players. "
            "What was entered counts."
        ),
    ]


def test_before_the_end_disputes_and_what_is_hidden_are_told() -> None:
    cup = seated_cup(entrants=8, rounds=1, hands=1)
    close_round(cup, DRAWN)
    results_services.hide_last_round(tournament=cup)
    hand = tables(cup)[1].game.hands.get()
    dispute(hand)
    assert worries(cup, "finish") == [
        "Round 1, table 2: hand 1 is not agreed.",
        "Round 1, table 1: 1 hand has not been agreed by the players. What was entered counts.",
        "The last round is still hidden: only officials can see it.",
    ]


def test_whoever_withdraws_with_a_seat_leaves_a_gap_and_the_first_who_waits_moves_up() -> None:
    cup = make_cup(entrants=4, rounds=2)
    setup_services.set_entry_rules(tournament=cup, odd_number="wait", places=4)
    late_entrant = setup_services.enter_entrant(tournament=cup, name="Late Larry")
    leaving = Entrant.objects.get(number=1)
    check = preflight_withdrawal(leaving)
    assert (check.worries, check.effects[1]) == (
        (),
        "Late Larry is first on the waiting list and gets the place instead.",
    )
    seating.seat_rounds(tournament=cup)
    (worry,) = preflight_withdrawal(leaving).worries
    assert worry.sentence.startswith("Player 1 has a seat in rounds 1, 2.")
    assert preflight_withdrawal(late_entrant).worries == ()


def test_who_withdrew_with_a_seat_is_named_at_the_start_and_the_end_of_the_round() -> None:
    cup = make_cup(entrants=8, rounds=2, hands=1)
    cup.entrants.update(has_paid=True, is_here=True)
    seating.seat_rounds(tournament=cup)
    leaver = Placement.objects.get(round__number=1, table__number=2, seat__number=3).entrant
    name = leaver.name
    setup_services.withdraw(tournament=cup, entrant=leaver)
    (message,) = worries(cup, "start")
    assert message == (
        f"{name} has withdrawn and still has a seat in rounds 1, 2. At a table that plays no hand, "
        f"all four get 1¾ table points each, including {name}."
    )
    services.start_round(tournament=cup)
    at_table = f"{name} has withdrawn and still has a seat at table 2. "
    alone = (
        f"{at_table}If no hand is played there, "
        f"all four get 1¾ table points each, including {name}."
    )
    assert worries(cup, "close")[0] == alone
    services.stop_table(table=tables(cup)[1])
    post(tables(cup)[0], DRAWN)
    assert worries(cup, "close")[0] == alone
    services.close_round(tournament=cup)
    rows = {row.name: row for row in standings_of(cup)}
    assert (rows[name].table_points, rows[name].without_hand) == (Fraction(7, 4), 1)
    services.start_round(tournament=cup)
    table = Table.objects.get(round__number=2, placements__entrant=leaver)
    post(table, DRAWN)
    assert worries(cup, "close")[0].endswith(f"The hands played there count for {name} too.")


@pytest.mark.parametrize("step", PREFLIGHTS)
@pytest.mark.parametrize("moment", ["entering", "seated", "played", "finished"])
def test_every_step_has_a_page_at_every_time(
    director: Client, cast: Cast, step: str, moment: str
) -> None:
    cup = at_the_moment(make_cup(entrants=4, rounds=1, hands=1, club=cast.club), moment)
    check = preflight(cup, step)
    page = director.get(page_of(cup, f"{ADDRESSES[step]}/"))
    assertContains(page, check.title)
    assert ('id="go"' in page.content.decode()) is check.can_go
    assert fresh(cup).version == cup.version, "looking takes no step"


ADDRESSES = {
    "seat": "seat",
    "clear": "clear",
    "start": "start",
    "unstart": "start/undo",
    "close": "close",
    "reopen": "close/undo",
    "finish": "finish",
    "resume": "finish/undo",
    "publish": "results/publish",
    "delete": "delete",
}


def at_the_moment(cup: Tournament, moment: str) -> Tournament:
    """The tournament of one round and one table, brought so far."""
    if moment != "entering":
        seating.seat_rounds(tournament=cup)
    if moment in {"played", "finished"}:
        services.start_round(tournament=cup)
        play_round(cup, DRAWN)
    if moment == "finished":
        finish(cup)
    return fresh(cup)


def test_a_way_back_asks_why_and_keeps_what_was_typed(director: Client, cast: Cast) -> None:
    cup = at_the_moment(make_cup(entrants=4, rounds=1, hands=1, club=cast.club), "finished")
    home, undo_url = page_of(cup), page_of(cup, "finish/undo/")
    assertNotContains(director.get(undo_url), "(optional)")
    response = director.post(undo_url, {"reason": " "})
    assertContains(response, "Enter a reason", status_code=422)
    long_response = director.post(undo_url, {"reason": "x" * 201})
    assertContains(long_response, f'value="{"x" * 201}"', status_code=422)
    assertRedirects(director.post(undo_url, {"reason": "a slip in hand 1"}), home)
    assert Tournament.objects.get().state == TournamentState.PLAYING
    assertContains(director.get(home), "a slip in hand 1")


def test_the_closing_page_leads_to_every_table_and_lets_one_stop(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(entrants=12, rounds=1, hands=2, club=cast.club)
    first, second, third = tables(cup)
    post(first, DRAWN, DRAWN)
    post(second, DRAWN)
    dispute(post(third, DRAWN)[0])
    page = director.get(page_of(cup, "close/"))
    assertContains(page, "2 tables must finish before the round can close")
    assertContains(page, "/rounds/1/tables/2/")
    assertContains(page, "Mark as stopped<")
    assertNotContains(page, 'id="stopped-3"')
    assertNotContains(page, 'id="go"')
    answer = director.post(page_of(cup, "close/stopped/2/"), follow=True)
    assertContains(answer, "Table 2 has stopped.")
    assertContains(answer, "1 table must finish before the round can close")
    assert Table.objects.get(number=2).stopped_at is not None
    decide(third.game.hands.get())
    director.post(page_of(cup, "close/stopped/3/"))
    director.post(page_of(cup, "close/"))
    assert cup.rounds.get().state == RoundState.CLOSED


WHY: dict[str, Any] = {"reason": "hand 3 was misread", "made_by": "user 1"}


def closed_cup(*, rounds: int = 1) -> Tournament:
    """A tournament whose first round is closed."""
    cup = seated_cup(rounds=rounds, hands=1)
    close_round(cup, DRAWN)
    return Tournament.objects.get()


def test_a_start_is_taken_back_with_its_clock_and_started_again() -> None:
    cup = seated_cup(rounds=1)
    services.stop_table(table=tables(cup)[0])
    services.unstart_round(tournament=cup)
    round_ = cup.rounds.get()
    assert (round_.state, round_.started_at) == (RoundState.SEATED, None)
    assert Table.objects.get().stopped_at is None
    services.start_round(tournament=cup)
    post(tables(cup)[0], DRAWN)
    with pytest.raises(Refused, match="Round 1 already has a hand"):
        services.unstart_round(tournament=cup)


@pytest.mark.parametrize(
    ("undo", "reason_fields", "message"),
    [
        (services.unstart_round, {}, "No round is being played"),
        (services.reopen_round, WHY, "No round has been closed"),
    ],
    ids=["a start", "a close"],
)
def test_nothing_that_was_not_done_is_taken_back(
    undo: Callable[..., object], reason_fields: dict[str, str], message: str
) -> None:
    with pytest.raises(Refused, match=message):
        undo(tournament=seated_cup(rounds=1, starts=False), **reason_fields)


def test_a_closed_round_takes_hands_again_and_the_reason_is_kept() -> None:
    cup = closed_cup(rounds=2)
    services.reopen_round(tournament=cup, **WHY)
    round_ = cup.rounds.get(number=1)
    assert (round_.state, round_.closed_at) == (RoundState.PLAYING, None)
    assert not Game.objects.filter(tournament_table__round=round_, closed_at__isnull=False)
    (step_back,) = StepBack.objects.all()
    assert (step_back.what, step_back.reason, step_back.made_by) == (
        "Round 1 reopened",
        "hand 3 was misread",
        "user 1",
    )
    services.close_round(tournament=cup)


def test_without_a_reason_a_round_stays_closed() -> None:
    cup = closed_cup()
    with pytest.raises(Refused, match="Enter a reason"):
        services.reopen_round(tournament=cup, reason="  ", made_by="user 1")
    assert cup.rounds.get().state == RoundState.CLOSED


def test_a_round_stays_closed_once_the_next_has_begun() -> None:
    cup = closed_cup(rounds=2)
    services.start_round(tournament=cup)
    with pytest.raises(Refused, match="Round 2 has started"):
        services.reopen_round(tournament=cup, **WHY)


def test_a_finished_tournament_is_opened_again_and_its_results_are_taken_back() -> None:
    cup = closed_cup()
    with pytest.raises(Refused, match="not finished"):
        services.reopen_tournament(tournament=cup, **WHY)
    services.finish_tournament(tournament=cup)
    results_services.publish_results(tournament=cup)
    with pytest.raises(Refused, match="Reopen the tournament first"):
        services.reopen_round(tournament=cup, **WHY)
    services.reopen_tournament(tournament=cup, **WHY)
    cup.refresh_from_db()
    assert (cup.state, cup.published_at) == (TournamentState.PLAYING, None)
    assert StepBack.objects.get().what == "Tournament reopened, its results unpublished"
    services.reopen_round(tournament=cup, **WHY)
    services.close_round(tournament=cup)
    services.finish_tournament(tournament=cup)
    assert Tournament.objects.get().state == TournamentState.FINISHED


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_a_first_hand_and_the_start_taken_back_do_not_both_happen() -> None:
    for cup in seated_cups(rounds=1):
        (table,) = tables(cup)
        undo_start = partial(services.unstart_round, tournament=cup)
        post_result, undo_result = at_once([partial(post, table, DRAWN), undo_start])
        is_there = Hand.objects.filter(game=table.game_id).exists()
        assert isinstance(undo_result, Refused) is is_there
        assert isinstance(post_result, Refused) is not is_there
        expected_state = RoundState.PLAYING if is_there else RoundState.SEATED
        assert cup.rounds.get().state == expected_state
