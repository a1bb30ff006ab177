"""The clock on the pages: set at the desk, followed at the table, and what the bell leaves."""

from uuid import uuid4

import pytest
from django.test import Client
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from tests.clubs.tables import sheet
from tests.people import Cast
from tests.tournaments.clocks import at_minute, enter, timed_cup
from tests.tournaments.cups import SECOND_WINS, tables
from tournaments.models import AtTheBell, Round, Table, Tournament
from tournaments.steps import services


@pytest.fixture
def cup(cast: Cast) -> Tournament:
    return timed_cup(club=cast.club)


def desk(cup: Tournament) -> str:
    return f"/c/riverside/tournaments/{cup.pk}/"


def phone(cup: Tournament) -> str:
    return f"/r/{tables(cup)[0].link_key}/"


def first_round(cup: Tournament) -> Round:
    return cup.rounds.get(number=1)


def test_the_director_stops_the_clock_and_lets_it_go_on(director: Client, cup: Tournament) -> None:
    with at_minute(20):
        assertContains(director.get(desk(cup)), "55 minutes left")
        assertRedirects(director.post(f"{desk(cup)}clock/set/", {"do": "pause"}), desk(cup))
    with at_minute(30):
        page = director.get(desk(cup))
        assertContains(page, "Paused")
        assertContains(page, "Resume clock")
        director.post(f"{desk(cup)}clock/set/", {"do": "resume"})
        assertContains(director.get(desk(cup)), "until 3:35pm")


def test_minutes_are_added_by_a_button_that_cannot_be_pressed_twice(
    director: Client, cup: Tournament
) -> None:
    with at_minute(20):
        for _ in range(2):
            director.post(f"{desk(cup)}clock/minutes/", {"minutes": "5", "seen": "0"})
        assertContains(director.get(desk(cup)), "5 added so far")
    assert first_round(cup).minutes_added == 5


@pytest.mark.parametrize("minutes", ["", "many", "99999999999999999999", "0.5"])
def test_odd_minutes_are_answered_with_a_sentence(
    director: Client, cup: Tournament, minutes: str
) -> None:
    with at_minute(20):
        answer = director.post(f"{desk(cup)}clock/minutes/", {"minutes": minutes}, follow=True)
    assertContains(answer, "minutes")
    assert "notice--error" in answer.content.decode()
    assert first_round(cup).minutes_added == 0


def test_the_bell_is_rung_and_taken_back(director: Client, cup: Tournament) -> None:
    with at_minute(20):
        director.post(f"{desk(cup)}clock/set/", {"do": "ring"})
        page = director.get(desk(cup))
        assertContains(page, "The bell has rung")
        assertContains(page, "Undo the bell")
        assertNotContains(page, "Minutes for all tables")
        director.post(f"{desk(cup)}clock/set/", {"do": "unring"})
        assertContains(director.get(desk(cup)), "55 minutes left")


def test_one_table_gets_more_minutes_and_its_phone_says_so(
    director: Client, client: Client, cup: Tournament
) -> None:
    table = f"{desk(cup)}rounds/1/tables/1/"
    with at_minute(20):
        assertRedirects(director.post(f"{table}minutes/", {"minutes": "5", "seen": "0"}), table)
        assertContains(director.get(table), "60 minutes left")
        assertContains(client.get(phone(cup)), "60 minutes left")
        assertContains(client.get(f"{phone(cup)}clock/"), 'data-left="3600"')
        assertContains(director.get(f"{desk(cup)}clock/"), 'data-left="3300"')


def test_a_tournament_without_a_clock_shows_none(director: Client, cup: Tournament) -> None:
    Tournament.objects.update(minutes_a_round=None, hands_a_round=8)
    for page in (desk(cup), phone(cup), f"{phone(cup)}clock/"):
        assertNotContains(director.get(page), "data-clock=")


def test_after_the_bell_the_phone_says_what_is_to_be_done(client: Client, cup: Tournament) -> None:
    with at_minute(76):
        page = client.get(phone(cup))
    assertContains(page, "Finish this hand and enter it. Then you are done.")
    assertContains(page, "Check hand 1")


def test_once_the_last_hand_is_in_the_phone_asks_for_no_other(
    client: Client, cup: Tournament
) -> None:
    hand = enter(tables(cup)[0], 1, minute=80)
    with at_minute(81):
        page = client.get(phone(cup))
    assert page.context["form"] is None
    assertContains(page, "The bell rang at 3:25pm and the last hand is in.")
    assertContains(page, f"/hands/{hand.pk}/agree/")


def test_a_hand_too_late_is_refused_and_what_was_typed_stays(
    client: Client, cup: Tournament
) -> None:
    Tournament.objects.update(at_the_bell=AtTheBell.STOP)
    with at_minute(74):
        typed = sheet(client.get(phone(cup)), step="save", winner=2, score_2=60)
    with at_minute(78):
        page = client.post(phone(cup), typed)
    assertContains(page, "no more hands count", status_code=422)
    assertContains(page, 'value="60"', status_code=422)


def test_the_phone_says_that_the_table_has_stopped_and_takes_it_back(
    client: Client, cup: Tournament
) -> None:
    with at_minute(60):
        client.post(f"{phone(cup)}stop/", {"do": "stop"})
        page = client.get(phone(cup))
        assertContains(page, "This table stopped at 3:10pm.")
        assert page.context["form"] is None
        client.post(f"{phone(cup)}stop/", {"do": "play_on"})
        assertContains(client.get(phone(cup)), "Check hand 1")


def test_an_official_stops_a_table_and_still_enters_its_hands(
    director: Client, cup: Tournament
) -> None:
    table = f"{desk(cup)}rounds/1/tables/1/"
    director.post(f"{table}stop/", {"do": "stop"})
    assert Table.objects.get(round__number=1).stopped_at is not None
    page = director.get(table)
    assertContains(page, "Resume play")
    assert page.context["form"] is not None


def test_a_card_of_a_round_not_started_says_why_its_table_cannot_stop(
    client: Client, cup: Tournament
) -> None:
    later = f"/r/{tables(cup, 2)[0].link_key}/"
    answer = client.post(f"{later}stop/", {"do": "stop"}, follow=True)
    assertContains(answer, "Round 2 has not been started yet")


def test_other_phones_hear_that_the_table_has_stopped(client: Client, cup: Tournament) -> None:
    with at_minute(60):
        seen = client.get(phone(cup)).context["page"].mark
        assert client.get(phone(cup), {"v": seen}).status_code == 204
        services.stop_table(table=tables(cup)[0])
        assertContains(client.get(phone(cup), {"v": seen}), "Something has changed")


def test_the_api_tells_the_clock_of_the_hall_and_of_each_table(
    director: Client, client: Client, cup: Tournament
) -> None:
    api, key = f"/api/v1/clubs/riverside/tournaments/{cup.pk}/", tables(cup)[0].link_key
    with at_minute(20):
        services.add_minutes(tournament=cup, minutes=5, table=tables(cup)[0])
        hall = director.get(api).json()["clock"]
        table = client.get(f"/api/v1/r/{key}/").json()
        by_desk = director.get(f"{api}rounds/1/tables/1/").json()
    assert (hall["seconds_left"], hall["words"]) == (55 * 60, "55 minutes left")
    assert table["clock"]["ends_at"] == "2026-11-21T15:30:00Z"
    assert (table["stopped_at"], by_desk["clock"]) == (None, table["clock"])


def test_the_api_holds_a_table_to_the_bell_but_not_the_organisers(
    director: Client, client: Client, cup: Tournament
) -> None:
    Tournament.objects.update(at_the_bell=AtTheBell.STOP)
    hand = {"submission_id": str(uuid4()), "number": 1, "winner": None}
    key = tables(cup)[0].link_key
    with at_minute(90):
        late = client.post(f"/api/v1/r/{key}/", hand, content_type="application/json")
        assert late.status_code in {400, 403, 409}, late.content
        assert "no more hands count" in late.content.decode()
        here = f"/api/v1/clubs/riverside/tournaments/{cup.pk}/rounds/1/tables/1/"
        assert director.post(here, hand, content_type="application/json").status_code == 201


def test_a_round_is_started_with_its_clock_standing(director: Client, cup: Tournament) -> None:
    services.unstart_round(tournament=cup)
    assertContains(director.get(f"{desk(cup)}start/"), "Start round without the clock")
    director.post(f"{desk(cup)}start/", {"clock": "waits"})
    page = director.get(desk(cup))
    assertContains(page, "Not started: 75 minutes to play")
    director.post(f"{desk(cup)}clock/set/", {"do": "resume"})
    assertContains(director.get(desk(cup)), "Pause clock")


def test_a_table_shows_its_stake_with_the_gains(client: Client, cup: Tournament) -> None:
    Tournament.objects.update(start_stake=2000)
    enter(tables(cup)[0], 1, minute=20, report=SECOND_WINS)
    with at_minute(21):
        page = client.get(phone(cup))
        assertContains(page, "Totals here include the 2,000 points each player started with.")
        assertContains(page, "2,240")
        standings = client.get(f"{phone(cup)}standings/")
    assertContains(standings, "+240")
    assertContains(standings, "Totals count gains only, not the 2,000 points")
