"""Every form of a club's pages with a number that no row has, another club's, or none at all."""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, Final
from uuid import UUID

import pytest
from django.db import transaction
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from clubs.evenings.services import evenings
from clubs.members.services.merging import merge_players
from clubs.models import Player
from clubs.privacy.services import erase_player
from tests.api import api_client, send
from tests.clubs.core.test_doors import GETS, House, house, shared_house
from tests.clubs.visits import Visitor
from tests.pageforms import Form
from tests.people import make_player
from tests.sampling import SampleOf
from tests.test_doors import patterns
from tests.tournaments.oddities import read_forms

__all__ = ["house", "shared_house"]
GONE: Final = ["That person is no longer in the member list."]
UNKNOWN: Final = ("999999", "1" + "0" * 20, "9" * 5000, "-1", "²")


@pytest.fixture
def alice(house: House) -> Visitor:
    return Visitor(house.cast.secretary)


def forms(alice: Visitor, house: House, pages: Iterable[str]) -> list[Form]:
    """Every form of these pages, once for each page and set of fields."""
    forms_by_key: dict[tuple[str, ...], Form] = {}
    for name in pages:
        for form in read_forms(alice, house.address(name)):
            forms_by_key.setdefault((name, form.address, *sorted(form.fields)), form)
    of_one = {(form.address, *sorted(form.fields)): form for form in forms_by_key.values()}
    return list(of_one.values())


def default_data(form: Form) -> dict[str, Any]:
    """The form's fields as the page offers them; of several, the first that is not empty."""
    return {
        name: next(filter(None, values), "")
        for name, values in form.fields.items()
        if name != "csrfmiddlewaretoken"
    }


def oddly(form: Form, foreign: int) -> Iterator[dict[str, Any]]:
    """The form with one field of numbers filled in oddly, the others as they are meant."""
    data = default_data(form)
    for name, value in data.items():
        if value.isdecimal() or not value:
            for odd_value in (*UNKNOWN[:3], str(foreign)):
                yield data | {name: odd_value}


def post_status(client: Client, address: str, data: dict[str, Any]) -> int:
    """The status; whatever was stored is undone. An exception of ours comes through."""
    with transaction.atomic():
        status: int = client.post(address, data).status_code
        transaction.set_rollback(True)
    return status


@pytest.mark.sampled(law="long plays")
def test_no_number_in_a_form_breaks_a_page(
    alice: Visitor, house: House, sample_of: SampleOf
) -> None:
    foreign: Player = make_player(house.cast.stranger.memberships.get().club, "Nora")
    failures = []
    for form in forms(alice, house, sample_of(GETS)):
        for data in oddly(form, foreign.pk):
            try:
                status = post_status(alice, form.address, data)
            except Exception as error:
                failures.append((form.address, data, repr(error)[:200]))
            else:
                if status >= 500:
                    failures.append((form.address, data, str(status)))
    assert failures == []


@pytest.mark.parametrize(
    ("page", "yes", "no"), [("tick", "here", "away"), ("money", "paid", "unpaid")]
)
@pytest.mark.parametrize("odd_value", [*UNKNOWN, "", "\0"])
def test_a_press_for_nobody_is_answered_in_words(
    alice: Visitor, house: House, page: str, yes: str, no: str, odd_value: str
) -> None:
    pat = house.cast.club.players.get(name="Pat")
    foreign = house.cast.stranger.memberships.get().player
    assert foreign is not None
    for data in (
        {yes: odd_value, no: pat.pk},
        {yes: pat.pk, no: odd_value or "x"},
        {yes: foreign.pk},
        {},
    ):
        messages = alice.messages_after(house.address(page), **data)
        assert messages == GONE or data == {yes: "", no: pat.pk}


def test_nobody_is_ticked_who_was_erased_or_merged(alice: Visitor, house: House) -> None:
    club = house.cast.club
    kept_player, merged_player, erased_player = (
        make_player(club, name) for name in ("Maud", "M Hill", "Ida Long")
    )
    merge_players(kept_player=kept_player, merged_player=merged_player)
    erase_player(player=erased_player, today=date(2026, 11, 24))
    for player in (merged_player, erased_player):
        assert alice.messages_after(house.address("tick"), here=player.pk) == GONE
        assert not player.attendances.exists()
        program = api_client(house.cast.secretary)
        address = f"/api/v1/clubs/riverside/evenings/{house.session.pk}/check-in/"
        assert send(program, address, {"player": player.pk, "is_here": True}).status_code == 400


def test_whoever_was_ticked_before_can_be_unticked(alice: Visitor, house: House) -> None:
    ida = make_player(house.cast.club, "Ida Long")
    evenings.tick(session=house.session, player=ida, is_here=True)
    erase_player(player=ida, today=date(2026, 11, 24))
    alice.post(house.address("tick"), {"away": ida.pk})
    assert not ida.attendances.exists()


PARTS: Final[dict[str, Any]] = {
    "IntConverter": 10**20,
    "SlugConverter": "riverside",
    "UUIDConverter": UUID(int=1),
    "StringConverter": "x",
    "PathConverter": "x",
}


def everywhere() -> list[str]:
    """Every address of pages and of the API that holds a number, with one that no row can have."""
    return [
        reverse(str(pattern.name), kwargs=dict(_parts(pattern)))
        for pattern in patterns(get_resolver())
        if "IntConverter" in {type(part).__name__ for part in pattern.pattern.converters.values()}
        and str(pattern.name).partition("-")[0] != "admin"
    ]


def _parts(pattern: URLPattern) -> Iterator[tuple[str, Any]]:
    for name, part in pattern.pattern.converters.items():
        yield name, PARTS[type(part).__name__]


@pytest.mark.sampled(law="long plays")
def test_no_number_in_an_address_breaks_a_page(house: House, sample_of: SampleOf) -> None:
    alice, program = Visitor(house.cast.secretary), api_client(house.cast.secretary)
    failures = []
    assert len(everywhere()) > 100
    for address in sample_of(everywhere()):
        client = program if address.startswith("/api/") else alice
        for method in ("get", "post", "patch", "delete"):
            with transaction.atomic():
                status = getattr(client, method)(address).status_code
                transaction.set_rollback(True)
            if status >= 500:
                failures.append((method, address, status))
    assert failures == []
