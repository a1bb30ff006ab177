"""Find me: a few letters of a name lead to the table, the wind and the place."""

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries
from pytest_django.asserts import assertContains, assertNotContains

from tests.tournaments.cups import DRAWN, SECOND_WINS, make_cup, play_round, seated_cup
from tests.tournaments.halls import full_hall
from tournaments.models import Entrant, OddNumber, Placement, Table, Tournament
from tournaments.results import services as results_services
from tournaments.seating.services import changes, seating
from tournaments.setup import services as setup_services
from tournaments.steps import services
from tournaments.wall.selectors import Me, MyRound, me_in, names_in

pytestmark = pytest.mark.django_db


def fresh(cup: Tournament) -> Tournament:
    return Tournament.objects.get(pk=cup.pk)


def me(cup: Tournament, name: str) -> Me:
    entrant = Entrant.objects.get(tournament=cup, name=name)
    found = me_in(fresh(cup), entrant_id=entrant.pk, now=timezone.now())
    assert found is not None
    return found


def find(cup: Tournament) -> str:
    return f"/e/{cup.wall_key}/find/"


def two_rounds_played(*, last: bool = False) -> Tournament:
    """Four over two rounds: a win, then a draw that is still open."""
    cup = seated_cup(rounds=2, hands=1)
    play_round(cup, SECOND_WINS)
    services.close_round(tournament=cup)
    if last:
        results_services.hide_last_round(tournament=fresh(cup))
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    return fresh(cup)


def test_i_see_my_table_my_wind_and_who_sits_with_me_from_my_own_chair() -> None:
    cup = full_hall(16)
    place = Placement.objects.filter(round__tournament=cup, round__number=1, table__number=3)[2]
    now = me(cup, place.entrant.name).now
    assert isinstance(now, MyRound)
    assert (now.number, now.table, now.wind) == (1, 3, "W")
    around = Placement.objects.filter(table=place.table).order_by("seat__number")
    names = [one.entrant.name for one in around]
    assert [(chair.position, chair.name) for chair in now.square] == [
        (1, names[2]),
        (2, names[3]),
        (3, names[0]),
        (4, names[1]),
    ]
    assert [chair.wind for chair in now.square] == ["W", "N", "E", "S"]


def test_my_other_rounds_say_what_i_made_and_where_i_sit_next() -> None:
    cup = full_hall(16)
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    services.close_round(tournament=cup)
    south = Placement.objects.get(round__number=1, table__number=1, seat__number=2).entrant
    mine = me(cup, south.name)
    assert mine.now is not None
    assert mine.now.number == 2
    assert [(one.number, one.points) for one in mine.others] == [(1, "+240"), (3, "")]
    assert mine.others[1].table is not None
    assert mine.line is not None
    assert mine.line.place == "1="
    assert mine.figures[0] == ("Table points", "4")


def test_a_round_that_is_closed_is_among_my_rounds_also_if_it_is_the_last() -> None:
    cup = two_rounds_played()
    name = cup.entrants.all()[0].name
    assert [one.number for one in me(cup, name).others] == [1]
    services.close_round(tournament=cup)
    assert [one.number for one in me(cup, name).others] == [1, 2]


def test_what_a_kept_last_round_does_is_not_on_my_phone() -> None:
    cup = two_rounds_played(last=True)
    winner = Placement.objects.get(round__number=2, seat__number=2).entrant
    mine = me(cup, winner.name)
    assert mine.now is not None
    assert mine.now.points == ""
    assert mine.board.standing == "after round 1"
    results_services.release_results(tournament=cup)
    now = me(cup, winner.name).now
    assert now is not None
    assert now.points == "+240"


def test_kept_standings_are_those_after_the_last_hand() -> None:
    cup = seated_cup(rounds=1, hands=2)
    name = Placement.objects.get(round__number=1, seat__number=2).entrant.name
    for hands, gain in ((1, "+240"), (2, "+600")):
        play_round(cup, *[SECOND_WINS] * hands)
        assert dict(me(cup, name).figures)["Total gain"] == gain


def test_who_sits_out_is_told_so() -> None:
    cup = make_cup(entrants=5, rounds=2)
    setup_services.set_entry_rules(tournament=cup, odd_number=OddNumber.SIT_OUT, places=None)
    seating.seat_rounds(tournament=fresh(cup))
    resting = cup.rounds.get(number=1).sitting_out.get()
    now = me(cup, resting.name).now
    assert now is not None
    assert (now.table, now.sits_out) == (None, True)


def test_a_substitute_finds_the_seat_under_either_name(client: Client) -> None:
    cup = seated_cup(rounds=1)
    place = Placement.objects.filter(round__tournament=cup)[0]
    changes.substitute(tournament=cup, entrant=place.entrant, name="Wendy Ware", number=1)
    (found,) = names_in(fresh(cup), typed="wendy")
    assert (found.name, found.about) == ("Wendy Ware", f"substitute for {place.entrant.name}")
    page = client.get(find(cup), {"me": found.entrant_id})
    assertContains(page, f"Wendy Ware is playing for {place.entrant.name}.")


@pytest.mark.parametrize(
    ("typed", "found"),
    [
        ("luk", ["Ann Łukasiewicz", "Zoë Łukasiewicz"]),
        ("ZOE l", ["Zoë Łukasiewicz"]),
        ("nobody", []),
    ],
)
def test_a_few_letters_are_enough_accents_and_capitals_aside(typed: str, found: list[str]) -> None:
    cup = make_cup(entrants=0)
    setup_services.enter_many(
        tournament=cup, names=["Zoë Łukasiewicz", "Ann Łukasiewicz", "Ben Brown"]
    )
    assert [one.name for one in names_in(fresh(cup), typed=typed)] == found


def test_without_javascript_letters_are_sent_and_a_name_is_pressed(client: Client) -> None:
    cup = full_hall(16)
    page = client.get(find(cup), {"find": "efua"})
    entrant = Entrant.objects.get(tournament=cup, name="Efua Abbott")
    assertContains(page, f'href="{find(cup)}?me={entrant.pk}"')
    assertNotContains(page, "Ann Abbott")
    assertContains(client.get(find(cup), {"find": "qqq"}), "No one found called “qqq”.")


def test_the_phone_remembers_me_until_i_say_that_it_is_not_me(client: Client) -> None:
    cup = full_hall(16)
    entrant = Entrant.objects.get(tournament=cup, name="Efua Abbott")
    client.get(find(cup), {"me": entrant.pk})
    assertContains(client.get(find(cup)), "<h1>Efua Abbott</h1>", html=True)
    cookie = client.cookies["me"]
    assert (cookie["path"], cookie["httponly"]) == (find(cup), True)
    client.get(find(cup), {"me": "0"})
    assertContains(client.get(find(cup)), "<h1>Find my table</h1>", html=True)


@pytest.mark.parametrize("asked", ["999999", "x", "-1", "9" * 30, "²", ""])
def test_a_number_that_is_nobody_leads_to_the_list(client: Client, asked: str) -> None:
    page = client.get(find(full_hall(16)), {"me": asked})
    assertContains(page, "Find my table")


def test_somebody_of_another_tournament_is_not_shown_here(client: Client) -> None:
    cup = full_hall(16)
    other = make_cup(entrants=4, club=cup.club)
    stranger = other.entrants.all()[0]
    assertContains(client.get(find(cup), {"me": stranger.pk}), "Find my table")


def test_my_page_is_sent_again_only_when_there_is_news(
    client: Client, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = seated_cup(rounds=1, hands=1)
    entrant = cup.entrants.all()[0]
    asked = {"me": entrant.pk, "v": cup.version}
    with django_assert_num_queries(1):
        assert client.get(find(cup), asked).status_code == 204
    play_round(cup, DRAWN)
    news = client.get(find(cup), asked)
    assertContains(news, 'id="me"')
    assertNotContains(news, "<html")


def test_no_tables_link_is_on_the_page(client: Client) -> None:
    cup = full_hall(16)
    services.start_round(tournament=cup)
    page = client.get(find(cup), {"me": cup.entrants.all()[0].pk})
    for table in Table.objects.filter(round__tournament=cup):
        assertNotContains(page, table.link_key)


def test_the_clock_runs_on_my_phone(client: Client) -> None:
    cup = full_hall(16, minutes=75)
    services.start_round(tournament=cup)
    page = client.get(find(cup), {"me": cup.entrants.all()[0].pk})
    assertContains(page, f'data-at="/e/{cup.wall_key}/clock/"')


def test_at_the_end_i_read_my_place_and_the_way_to_the_results(client: Client) -> None:
    cup = two_rounds_played()
    services.close_round(tournament=cup)
    services.finish_tournament(tournament=cup)
    results_services.publish_results(tournament=fresh(cup))
    page = client.get(find(cup), {"me": cup.entrants.all()[0].pk})
    assertContains(page, "of 4</h2>")
    assertContains(page, f"/e/{cup.wall_key}/results/")


@pytest.mark.parametrize("rounds", [1, 3])
def test_my_page_is_as_many_queries_after_one_round_as_after_three(
    rounds: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = full_hall(16, rounds=rounds, minutes=75)
    services.start_round(tournament=cup)
    play_round(cup, SECOND_WINS)
    entrant, fresh_cup = cup.entrants.all()[0], fresh(cup)
    for queries in (8, 5):  # the standings are kept until something changes
        with django_assert_num_queries(queries):
            me_in(fresh_cup, entrant_id=entrant.pk, now=timezone.now())


@pytest.mark.parametrize("entrants", [16, 48])
def test_the_list_of_names_is_as_many_queries_for_sixteen_as_for_more(
    entrants: int, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    cup = fresh(full_hall(entrants))
    with django_assert_num_queries(3):
        names_in(cup)
