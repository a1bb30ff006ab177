"""At the bell all tables that still play are stopped with one press."""

from functools import partial

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains

from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.refusals import Refused
from tests.api import api_client, look, send
from tests.people import Cast
from tests.tournaments.cups import SECOND_WINS, fresh, next_round, page_of, post, seated_cup, tables
from tournaments.models import RoundState, Tournament
from tournaments.steps import services

pytestmark = pytest.mark.django_db


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    """Four tables of two hands: one has played both, one has a dispute, one has no hand at all."""
    cup = seated_cup(entrants=16, rounds=1, hands=2, club=cast.club)
    full, disputed_table, _, one_hand = tables(cup)
    post(full, SECOND_WINS, SECOND_WINS)
    post(one_hand, SECOND_WINS)
    (hand,) = post(disputed_table, SECOND_WINS)
    Hand.objects.filter(pk=hand.pk).update(state=HandState.DISPUTED)
    return cup


def stopped_tables(cup: Tournament) -> list[int]:
    return [table.number for table in tables(cup) if table.stopped_at]


def test_all_that_still_play_stop_and_a_dispute_is_named(director: Client, cup: Tournament) -> None:
    page = director.get(page_of(cup, "close/"))
    assertContains(page, "Stop all 2 tables that are still playing")
    assertContains(page, "A table with a hand that is not agreed waits for you to decide it.")
    assertContains(page, "Table 3 has no hand yet. If it is stopped, its players share")
    answer = director.post(page_of(cup, "close/stopped/"), {"round": "1"}, follow=True)
    assertContains(answer, "2 tables stopped. Their points count as they are.")
    assertContains(answer, "hand 1 is not agreed")
    assert stopped_tables(cup) == [3, 4]
    assertContains(
        answer, "Table 3 stopped before its first hand. Its players share the table points equally"
    )
    assertNotContains(answer, "Stop all")


def test_a_round_without_a_hand_is_told_before_it_counts_and_wherever_it_counts(
    director: Client, cast: Cast
) -> None:
    cup = seated_cup(entrants=8, rounds=3, hands=1, club=cast.club)
    next_round(cup, SECOND_WINS)
    page = director.get(page_of(cup, "close/"))
    assertContains(
        page,
        "None of them has a hand yet. If they are stopped, their players share the table points "
        "equally: 1¾ each.",
    )
    stop = partial(director.post, page_of(cup, "close/stopped/"), {"round": "2"}, follow=True)
    share_text = "The players at each of them share the table points equally: 1¾ each."
    assertContains(stop(), f"No hand was entered at any table in round 2. {share_text}")
    services.close_round(tournament=cup)
    services.start_round(tournament=cup)
    post(tables(cup, 3)[0], SECOND_WINS)
    services.stop_tables(tournament=cup)
    services.close_round(tournament=cup)
    page = director.get(page_of(cup, "finish/"))
    assertContains(page, f"3 tables ended without a hand, in rounds 2, 3. {share_text}")
    page = director.get(page_of(cup, "standings/"))
    assertContains(page, "At a table that ended without a hand, each player gets 1¾ table points.")
    assertContains(page, '<td>1<span class="sub">no hand in 2</span></td>', count=4)
    assertContains(page, '<td>2<span class="sub">no hand in 1</span></td>', count=4)


def test_stopping_again_stops_nothing_more(director: Client, cup: Tournament) -> None:
    for _ in range(2):
        answer = director.post(page_of(cup, "close/stopped/"), follow=True)
    assertContains(answer, "No table was still playing.")
    assert stopped_tables(cup) == [3, 4]


def test_a_program_stops_them_and_the_round_closes(cast: Cast, cup: Tournament) -> None:
    Hand.objects.filter(state=HandState.DISPUTED).update(state=HandState.DECIDED)
    address = f"/api/v1/clubs/{cup.club.slug}/tournaments/{cup.pk}/stop-tables/"
    answer = send(api_client(cast.director), address, {"round": 1})
    assert answer.json() == {"tables": [2, 3, 4]}
    services.close_round(tournament=cup)
    assert fresh(cup).rounds.get().state == RoundState.CLOSED
    with pytest.raises(Refused, match="No round is being played"):
        services.stop_tables(tournament=cup)


def test_a_program_stops_them_as_it_saw_them_or_not_at_all(cast: Cast, cup: Tournament) -> None:
    cup_url = f"/api/v1/clubs/{cup.club.slug}/tournaments/{cup.pk}/"
    program = api_client(cast.director)
    stop, tag = f"{cup_url}stop-tables/", look(program, f"{cup_url}close/").headers["ETag"]
    assert send(program, stop, {"round": 1}, tag=tag).json() == {"tables": [3, 4]}
    Hand.objects.filter(state=HandState.DISPUTED).update(state=HandState.DECIDED)
    services.stop_tables(tournament=cup)
    services.close_round(tournament=cup)
    services.reopen_round(tournament=cup, made_by="test", reason="a slip")
    assert send(program, stop, {"round": 1}, tag=tag).status_code == 412


def test_the_list_says_which_round_is_being_played(director: Client, cup: Tournament) -> None:
    page = director.get(f"/c/{cup.club.slug}/tournaments/")
    assertContains(page, "round 1 of 1 is being played")
    assertNotContains(page, "seated")
