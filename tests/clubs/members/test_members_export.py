"""The list of members taken along and read in again."""

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils.datastructures import MultiValueDict

from clubs.members.files import csv_of_members, xlsx_of_members
from clubs.members.forms import ImportForm
from clubs.members.services import import_members, merge_players
from clubs.models import Club
from tests.clubs.visits import Visitor
from tests.people import Cast, make_club, make_player

Export = Callable[[Club], bytes]


@pytest.fixture
def full(db: None) -> Club:
    """A club whose people have everything that is awkward in a spreadsheet."""
    club = make_club()
    ann = make_player(
        club,
        "Smith, Ann",
        email="ann@example.org",
        phone="+44 1225  1",
        paid_until=date(2027, 8, 31),
        wants_results=True,
        joined_on=date(2001, 2, 3),
        shown_as="initial",
    )
    make_player(club, "'Tis Me", kind="guest", phone="01225 1")
    make_player(club, '-Zoë "Łu"; O’Neill', is_active=False, lapsed_on=date(2026, 1, 2))
    ann.aliases.create(club=club, name="=Annie", name_key="=annie")
    ann.aliases.create(club=club, name="'Nan", name_key="'nan")
    merge_players(kept=ann, gone=make_player(club, "Ann Smyth"))
    return club


def read_in(club: Club, content: bytes) -> None:
    form = ImportForm({}, MultiValueDict({"file": [SimpleUploadedFile("members", content)]}))
    assert form.is_valid(), form.errors
    import_members(club=club, text=form.cleaned_data["text"])


@pytest.mark.parametrize("export", [csv_of_members, xlsx_of_members])
def test_a_list_taken_along_is_read_in_without_a_change(full: Club, export: Export) -> None:
    again = make_club("Hill Top Tiles", "hill-top")
    read_in(again, export(full))
    assert csv_of_members(again) == csv_of_members(full)
    assert again.players.count() == 3


@pytest.mark.parametrize("export", [csv_of_members, xlsx_of_members])
def test_reading_ones_own_list_in_again_changes_nothing(full: Club, export: Export) -> None:
    before = csv_of_members(full)
    read_in(full, export(full))
    assert csv_of_members(full) == before
    assert full.imports.get().before == {}


def test_a_file_with_the_former_column_names_still_changes_nothing(full: Club) -> None:
    before = csv_of_members(full)
    read_in(full, before.replace(b"active,left on", b"still comes,lapsed"))
    assert csv_of_members(full) == before
    assert full.imports.get().before == {}


def test_the_file_holds_a_line_a_person(full: Club) -> None:
    lines = csv_of_members(full).decode("utf-8-sig").splitlines()
    assert lines[0] == (
        "name,kind,email,phone,joined,paid until,nickname,results by email,active,left on,shown as"
    )
    assert (
        '"Smith, Ann",member,ann@example.org,\'+44 1225  1,2001-02-03,2027-08-31,'
        "''Nan; =Annie; Ann Smyth,yes,yes,,initial"
    ) in lines


@pytest.mark.parametrize("kind", ["csv", "xlsx"])
def test_the_secretary_takes_the_list_along(cast: Cast, kind: str) -> None:
    answer = Visitor(cast.secretary).get(f"/c/riverside/members.{kind}")
    name = f'attachment; filename="riverside-members.{kind}"'
    assert answer.headers["Content-Disposition"] == name
    read_in(make_club("Empty", "empty"), answer.content)
    assert Club.objects.get(slug="empty").players.count() == cast.club.players.count()


@pytest.mark.parametrize("count", [1, 3])
def test_taking_along_asks_no_more_for_more_people(
    db: None, count: int, django_assert_num_queries: Any
) -> None:
    club = make_club()
    for number in range(count):
        make_player(club, f"Ann {number}")
    with django_assert_num_queries(2):
        csv_of_members(club)
