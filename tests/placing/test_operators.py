"""The operator's pages, where clubs are in several databases."""

from typing import Any

import pytest
from django.core import mail
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.clubfile.selectors import export_club
from clubs.core.directory import database_of
from clubs.databases import at
from clubs.hosting.services import deletion
from clubs.house.services import delete_everything
from clubs.models import Club
from clubs.tenancy import within
from tests.people import make_club, make_player
from tests.placing.placed import placed_club

LIST = reverse("operator")
NAMES = {"north": ("alpha", "delta"), "south": ("bravo", "echo")}


def of_club(slug: str, act: str = "") -> str:
    return reverse(f"operator-{act or 'club'}", args=[slug])


@pytest.fixture
def five() -> None:
    """Five clubs in three databases; their names alternate."""
    make_club("Charlie", "charlie")
    for name, slugs in NAMES.items():
        for slug in slugs:
            club = placed_club(name, slug)
            with at(name):
                make_player(club, "Bertie")


def names(answer: Any) -> list[str]:
    return [row.club.name for row in answer.context["clubs"]]


@pytest.mark.usefixtures("five")
def test_the_list_is_of_every_database_by_name(olga: Client) -> None:
    answer = olga.get(LIST)
    assert names(answer) == ["alpha", "bravo", "Charlie", "delta", "echo"]
    rows = answer.context["clubs"]
    assert [row.database for row in rows] == ["north", "south", "default", "north", "south"]
    assert [row.players for row in rows] == [1, 1, 0, 1, 1]
    assert rows[0].founder == "secretary@alpha.example"
    assert "In the database north." in answer.content.decode()


@pytest.mark.usefixtures("five")
def test_the_list_is_paged_over_the_databases(olga: Client, monkeypatch: Any) -> None:
    monkeypatch.setattr("clubs.hosting.views.A_PAGE", 2)
    pages = [olga.get(LIST, {"page": number}) for number in (1, 2, 3)]
    assert [names(page) for page in pages] == [["alpha", "bravo"], ["Charlie", "delta"], ["echo"]]
    assert "5 clubs" in pages[0].content.decode()


@pytest.mark.usefixtures("five")
@pytest.mark.parametrize(
    ("wanted", "expected"),
    [
        ({"search": "A"}, ["alpha", "bravo", "Charlie", "delta", "echo"]),
        ({"search": "ch"}, ["Charlie", "echo"]),
        ({"search": "secretary@delta"}, ["delta"]),
        ({"state": "closed"}, ["delta"]),
        ({"unused": "6"}, ["alpha", "bravo", "Charlie", "delta", "echo"]),
    ],
)
def test_the_list_is_searched_in_every_database(
    olga: Client, wanted: dict[str, str], expected: list[str]
) -> None:
    with at("north"):
        deletion.close_club(club=Club.objects.get(slug="delta"))
    assert names(olga.get(LIST, wanted)) == expected


@pytest.mark.parametrize("clubs", [1, 3])
def test_the_list_takes_as_many_queries_however_many_clubs(
    olga: Client, clubs: int, django_assert_num_queries: Any
) -> None:
    for number in range(clubs):
        placed_club("north", f"north{number}")
        placed_club("south", f"south{number}")
    olga.get(LIST)
    with (
        django_assert_num_queries(7),
        django_assert_num_queries(3, using="north"),
        django_assert_num_queries(3, using="south"),
    ):
        assert len(names(olga.get(LIST))) == 2 * clubs


def test_a_club_is_closed_and_opened_where_it_is(olga: Client) -> None:
    club = placed_club("north")
    page = olga.post(of_club("riverside", "close"), {"because": "Not paid."}, follow=True)
    assert "riverside is closed." in page.content.decode()
    assert "<dd>north</dd>" in page.content.decode()
    with at("north"):
        assert Club.objects.get().closed_because == "Not paid."
        entry = club.audit_entries.get()
        assert (entry.what, str(entry.made_by)) == ("operator-close", "Olga")
    olga.post(of_club("riverside", "reopen"))
    with at("north"):
        assert Club.objects.get().closed_at is None


def test_a_deletion_is_announced_and_cancelled_where_the_club_is(olga: Client) -> None:
    placed_club("south")
    on = (timezone.localdate() + deletion.NOTICE).isoformat()
    page = olga.post(of_club("riverside", "announce"), {"on": on}, follow=True)
    assert "We have emailed its secretaries." in page.content.decode()
    assert mail.outbox[-1].to == ["secretary@riverside.example"]
    with at("south"):
        assert Club.objects.get().delete_on
    olga.post(of_club("riverside", "keep"))
    with at("south"):
        assert Club.objects.get().delete_on is None


def test_an_operator_brings_a_club_where_new_clubs_go(olga: Client, tmp_path: Any) -> None:
    club, file = placed_club("north"), tmp_path / "club.tongbox"
    with at("north"), within(club.pk), file.open("xb") as written:
        export_club(club, written)
        delete_everything(club=club)
    sent = SimpleUploadedFile(file.name, file.read_bytes())
    page = olga.post(reverse("operator-bring"), {"file": sent}, follow=True)
    assert "riverside has been imported." in page.content.decode()
    assert database_of("riverside") == "north"


def test_a_club_that_was_moved_is_on_the_list_once(olga: Client) -> None:
    club = placed_club("north")
    with at("south"):  # what a move that was broken off leaves
        Club.objects.create(pk=club.pk, name="riverside", slug="riverside", uid=club.uid)
    rows = olga.get(LIST).context["clubs"]
    assert [(row.club.name, row.database) for row in rows] == [("riverside", "north")]
