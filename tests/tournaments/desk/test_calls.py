"""A table calls the director from its phone; someone comes, or is no longer needed."""

from datetime import timedelta
from functools import partial

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from scoring.scorebook.refusals import Refused
from tests.people import PASSWORD, Cast, make_club
from tests.threads import at_once
from tests.tournaments.cups import DRAWN, play_round, seated_cup, tables
from tournaments.models import Call, Table, Tournament
from tournaments.steps import services


@pytest.fixture
def table(cast: Cast) -> Table:
    return tables(seated_cup(rounds=2, hands=1, club=cast.club))[0]


@pytest.fixture
def desk(cast: Cast) -> Client:
    client = Client()
    client.login(email=cast.director.email, password=PASSWORD)
    return client


def phone(table: Table) -> str:
    return reverse("round-table", args=[table.link_key])


def desk_of(table: Table) -> str:
    cup = table.round.tournament
    return reverse("tournament", args=[cup.club.slug, cup.pk])


def test_a_call_from_the_phone_is_on_the_desk_until_somebody_is_there(
    client: Client, desk: Client, cast: Cast, table: Table
) -> None:
    before = Tournament.objects.get().version
    assertContains(client.get(phone(table)), "Call the director")
    asked = client.post(f"{phone(table)}call/", {"what": "We do not agree"})
    assertRedirects(asked, phone(table))
    assert Tournament.objects.get().version == before + 1
    assertContains(client.get(phone(table)), "The director has been called</strong>; just now")
    page = desk.get(desk_of(table))
    assertContains(page, "1 table needs attention")
    assertContains(page, "<title>(1) Autumn Cup")
    assertContains(page, "We do not agree")
    there = reverse("table-call-answered", args=["riverside", table.round.tournament_id, 1, 1])
    assertContains(desk.post(there, follow=True), "Call from table 1 dealt with.")
    call = Call.objects.get()
    assert (call.answered_by, call.what) == (f"user {cast.director.pk}", "We do not agree")
    assertContains(client.get(phone(table)), "Call the director")
    assertContains(desk.post(there, follow=True), "Dev has already dealt with table 1, at ")


def test_a_table_that_needs_nobody_any_more_says_so(client: Client, table: Table) -> None:
    client.post(f"{phone(table)}call/", {"what": "something made up"})
    client.post(f"{phone(table)}call/", {"step": "cancel"})
    call = Call.objects.get()
    assert (call.what, call.answered_by) == ("", f"round table {table.pk}")
    assert call.answered_at is not None


def test_pressed_twice_it_is_one_call_and_a_later_one_is_another(table: Table) -> None:
    first = services.call_director(table=table, what="A question about the rules")
    assert services.call_director(table=table) == first
    assert services.answer_call(table=table, answered_by="user 1") is True
    assert services.answer_call(table=table, answered_by="user 2") is False
    assert services.call_director(table=table) != first
    assert list(Call.objects.values_list("answered_by", flat=True)) == ["user 1", ""]


def test_the_phone_asks_how_its_call_stands(client: Client, table: Table) -> None:
    services.call_director(table=table)
    part = client.get(f"{phone(table)}call/")
    assertContains(part, "Cancel call")
    assertNotContains(part, "<html")


def test_closing_the_round_ends_its_calls_and_takes_no_more(client: Client, table: Table) -> None:
    services.call_director(table=table)
    play_round(table.round.tournament, DRAWN)
    services.close_round(tournament=table.round.tournament)
    assert Call.objects.get().answered_at is not None
    with pytest.raises(Refused, match="which is closed"):
        services.call_director(table=table)
    assertNotContains(client.get(phone(table)), "Call the director")
    answer = client.post(f"{phone(table)}call/", follow=True)
    assertContains(answer, "This card is for round 1, which is closed.")


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_two_phones_at_once_make_one_call() -> None:
    for n in range(4):
        cup = seated_cup(rounds=1, club=make_club(f"Club {n}", f"club-{n}"))
        (table,) = tables(cup)
        call = partial(services.call_director, table=table)
        one, other = at_once([call, call])
        assert isinstance(one, Call)
        assert one == other
    assert Call.objects.count() == 4


def test_the_desk_is_told_anew_when_its_minutes_have_passed(desk: Client, table: Table) -> None:
    here, version = desk_of(table), Tournament.objects.get().version
    now = int(timezone.now().timestamp())
    assert desk.get(here, {"v": version, "until": now + 60}).status_code == 204
    table.round.tournament.rounds.filter(number=1).update(
        started_at=timezone.now() - timedelta(minutes=21)
    )
    news = desk.get(here, {"v": version, "until": now - 1})
    assertContains(news, "<title>(1) Autumn Cup")
    assertContains(news, "no hand for 21 minutes")
    assertNotContains(news, "<html")


def test_the_desk_shows_only_what_wants_looking_at_if_asked(cast: Cast, desk: Client) -> None:
    cup = seated_cup(entrants=12, rounds=1, club=cast.club)
    services.call_director(table=tables(cup)[1])
    here = reverse("tournament", args=["riverside", cup.pk])
    page = desk.get(here, {"only": ""})
    assertContains(page, 'id="row-2"')
    assertNotContains(page, 'id="row-1"')
    assertContains(page, "&amp;only")
    assertContains(desk.get(here), 'id="row-1"')


@pytest.mark.parametrize(
    ("asked", "where"),
    [
        ("number=2", "rounds/1/tables/2/"),
        ("number= 2 &sheet=yes", "rounds/1/tables/2/score-sheet/"),
    ],
)
def test_the_desk_leads_to_a_table_by_its_number(
    cast: Cast, desk: Client, asked: str, where: str
) -> None:
    cup = seated_cup(entrants=12, rounds=2, club=cast.club)
    home = f"/c/riverside/tournaments/{cup.pk}/"
    assertRedirects(desk.get(f"{home}tables/?{asked}"), f"{home}{where}")
    missing = desk.get(f"{home}tables/?number=40", follow=True)
    assertContains(missing, "There is no table “40” in this round.")
