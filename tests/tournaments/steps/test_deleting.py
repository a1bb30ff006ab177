"""A tournament made by mistake is deleted, and one in which something counts is not."""

import pytest
from django.apps import apps
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains

from clubs.core.audit_log import audit_rows
from clubs.models import AuditEntry
from clubs.table.services import undo_last_hand as undo
from scoring.scorebook.models import Book, Game, Hand, LedgerEntry
from tests.api import api_client
from tests.people import Cast, make_club
from tests.tournaments.cups import DRAWN, SECOND_WINS, finish, page_of, post, seated_cup, tables
from tournaments.models import Entrant, Prize, PrizeKind, Tournament
from tournaments.setup import services as setup_services
from tournaments.table.event import RoundTable

pytestmark = pytest.mark.django_db


def take_back(cup: Tournament) -> None:
    """The table takes back its last hand."""
    (table,) = tables(cup)
    from_table = RoundTable(table)
    hand = Hand.objects.get(is_current=True)
    undo(table=from_table, hand_id=hand.pk, taken_by="user 1")


def press(client: Client, cup: Tournament, follow: bool = True) -> object:
    page = client.get(page_of(cup, "delete/"))
    state = page.context["now"].state
    return client.post(page_of(cup, "delete/"), {"shown": state}, follow=follow)


def test_the_page_says_what_goes_and_then_nothing_of_it_is_left(
    cast: Cast, director: Client
) -> None:
    cup = seated_cup(club=cast.club, rounds=3)
    Prize.objects.create(tournament=cup, number=1, name="First", kind=PrizeKind.PLACE, place=1)
    page = director.get(page_of(cup, "delete/"))
    for text in (
        "Autumn Cup is no longer in the list. No result is lost.",
        "The entry list (4 people) is deleted.",
        "The seating of 3 rounds is deleted, and printed table cards stop working.",
        "Its prizes (1) are deleted.",
        "This cannot be undone.",
    ):
        assertContains(page, text)
    answer = press(director, cup)
    assertContains(answer, "Autumn Cup has been deleted.")  # type: ignore[arg-type]
    filled_models = [
        model for model in apps.get_app_config("tournaments").get_models() if _has_rows(model)
    ]
    assert filled_models == []
    assert not Book.objects.exists()
    assert not Game.objects.exists()
    (line,) = audit_rows(cast.club, AuditEntry.objects.all())
    assert line.sentence.endswith("deleted the tournament “Autumn Cup” of 21 November 2026.")


def _has_rows(model: type) -> bool:
    return bool(model._default_manager.exists())  # type: ignore[attr-defined]


def test_other_tournaments_stay_as_they_are(cast: Cast, director: Client) -> None:
    cup, other_cup = seated_cup(club=cast.club), seated_cup(club=make_club("Other", "other"))
    post(tables(other_cup)[0], SECOND_WINS)
    press(director, cup)
    assert list(Tournament.objects.all()) == [other_cup]
    assert other_cup.entrants.count() == 4
    assert (Hand.objects.count(), LedgerEntry.objects.count()) == (1, 4)


def test_a_tournament_with_a_hand_is_not_deleted_and_one_with_an_undone_hand_is(
    cast: Cast, director: Client
) -> None:
    cup = seated_cup(club=cast.club)
    post(tables(cup)[0], SECOND_WINS)
    reason = "A hand or a ruling has been saved, so the tournament cannot be deleted."
    page = director.get(page_of(cup, "delete/"))
    assertContains(page, reason)
    assertNotContains(page, "Delete tournament</button>")
    answer = director.post(page_of(cup, "delete/"), {})
    assertContains(answer, reason, status_code=422)
    take_back(cup)
    assertContains(press(director, cup), "Autumn Cup has been deleted.")  # type: ignore[arg-type]
    assert not Hand.objects.exists()


def test_a_tournament_for_which_somebody_has_paid_is_not_deleted(
    cast: Cast, director: Client
) -> None:
    cup = seated_cup(club=cast.club)
    setup_services.tick_entrant(tournament=cup, entrant=cup.entrants.all()[0], has_paid=True)
    assertContains(director.get(page_of(cup, "delete/")), "1 player is marked as paid.")
    director.post(page_of(cup, "delete/"), {})
    assert Tournament.objects.exists()


def test_a_finished_tournament_is_not_deleted(cast: Cast, director: Client) -> None:
    cup = finish(seated_cup(club=cast.club, rounds=1, hands=1), DRAWN)
    director.post(page_of(cup, "delete/"), {})
    assert Tournament.objects.exists()


def test_whoever_entered_meanwhile_is_not_deleted_unseen(cast: Cast, director: Client) -> None:
    cup = seated_cup(club=cast.club)
    state = director.get(page_of(cup, "delete/")).context["now"].state
    setup_services.enter_entrant(tournament=cup, name="Rosa")
    answer = director.post(page_of(cup, "delete/"), {"shown": state})
    assert answer.status_code == 422
    assert Entrant.objects.filter(name="Rosa").exists()


def test_a_program_deletes_it_too(cast: Cast) -> None:
    cup = seated_cup(club=cast.club)
    program = api_client(cast.director)
    url = reverse("api-tournament-detail", args=[cast.club.slug, cup.pk])
    post(tables(cup)[0], SECOND_WINS)
    assert program.delete(url).status_code == 409
    take_back(cup)
    assert program.delete(url).status_code == 204
    assert not Tournament.objects.exists()


def test_the_settings_lead_there(cast: Cast, director: Client) -> None:
    cup = seated_cup(club=cast.club)
    assertContains(director.get(page_of(cup, "settings/")), page_of(cup, "delete/"))
