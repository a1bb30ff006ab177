"""The way back out of every step, and who keeps the reason."""

from functools import partial
from typing import Any

import pytest

from scoring.scorebook.models import Game, Hand
from scoring.scorebook.refusals import Refused
from tests.people import make_club
from tests.threads import at_once
from tests.tournaments.cups import DRAWN, make_cup, play_round, post, seated_cup, tables
from tournaments.models import RoundState, StepBack, Table, Tournament, TournamentState
from tournaments.results import services as results_services
from tournaments.seating.services import seating
from tournaments.steps import services

WHY: dict[str, Any] = {"reason": "hand 3 was misread", "made_by": "user 1"}


def closed_cup(*, rounds: int = 1) -> Tournament:
    """A tournament whose first round is closed."""
    cup = seated_cup(rounds=rounds, hands=1)
    play_round(cup, DRAWN)
    services.close_round(tournament=cup)
    return Tournament.objects.get()


@pytest.mark.django_db
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


@pytest.mark.django_db
def test_nothing_that_was_not_started_is_taken_back() -> None:
    cup = make_cup(entrants=4, rounds=1)
    seating.seat_rounds(tournament=cup)
    with pytest.raises(Refused, match="No round is being played"):
        services.unstart_round(tournament=cup)


@pytest.mark.django_db
def test_a_closed_round_takes_hands_again_and_the_reason_is_kept() -> None:
    cup = closed_cup(rounds=2)
    services.reopen_round(tournament=cup, **WHY)
    round_ = cup.rounds.get(number=1)
    assert (round_.state, round_.closed_at) == (RoundState.PLAYING, None)
    assert not Game.objects.filter(tournament_table__round=round_, closed_at__isnull=False)
    (kept,) = StepBack.objects.all()
    assert (kept.what, kept.reason, kept.made_by) == (
        "Round 1 reopened",
        "hand 3 was misread",
        "user 1",
    )
    services.close_round(tournament=cup)


@pytest.mark.django_db
def test_without_a_reason_a_round_stays_closed() -> None:
    cup = closed_cup()
    with pytest.raises(Refused, match="Enter a reason"):
        services.reopen_round(tournament=cup, reason="  ", made_by="user 1")
    assert cup.rounds.get().state == RoundState.CLOSED


@pytest.mark.django_db
def test_a_round_stays_closed_once_the_next_has_begun() -> None:
    cup = closed_cup(rounds=2)
    services.start_round(tournament=cup)
    with pytest.raises(Refused, match="Round 2 has started"):
        services.reopen_round(tournament=cup, **WHY)


@pytest.mark.django_db
def test_there_is_no_round_to_open_again_before_one_is_closed() -> None:
    cup = make_cup(entrants=4, rounds=1)
    with pytest.raises(Refused, match="No round has been closed"):
        services.reopen_round(tournament=cup, **WHY)


@pytest.mark.django_db
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
    for n in range(4):
        cup = seated_cup(rounds=1, club=make_club(f"Club {n}", f"club-{n}"))
        (table,) = tables(cup)
        back = partial(services.unstart_round, tournament=cup)
        posted, taken = at_once([partial(post, table, DRAWN), back])
        is_there = Hand.objects.filter(game=table.game_id).exists()
        assert isinstance(taken, Refused) is is_there
        assert isinstance(posted, Refused) is not is_there
        wanted = RoundState.PLAYING if is_there else RoundState.SEATED
        assert cup.rounds.get().state == wanted
