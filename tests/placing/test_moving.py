"""A club moved to another database: every row, under its key, and nothing left behind."""

from io import StringIO
from typing import Any

import pytest
from django.core.files.storage import default_storage
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse

from clubs.backup import Trouble
from clubs.core.directory import at_club, database_of
from clubs.databases import MAIN, at
from clubs.hosting.services import moving
from clubs.hosting.services.moving import move_club
from clubs.models import AgreedTerms, Club, HouseRules, Job, KeptAnswer, User
from scoring.scorebook.models import Edition
from tests.clubs.hosting.whole_club import make_whole_club
from tests.people import browser_of, make_club
from tests.placing.placed import placed_club, rows_of


@pytest.fixture
def whole() -> Club:
    """A club with a row in every table, in the main database."""
    terms = AgreedTerms.objects.create(digest="1", terms="t", privacy="p")
    return make_whole_club("riverside", "Riverside", terms)


def test_every_row_is_moved_under_its_key(whole: Club) -> None:
    practice = whole.rehearsals.get()
    before = [rows_of(club, MAIN) for club in (whole, practice)]
    moved = move_club("riverside", to="north")
    assert [rows_of(club, "north") for club in (whole, practice)] == before
    assert moved.rows == sum(len(rows) for tables in before for rows in tables.values())
    assert (database_of("riverside"), database_of(practice.slug)) == ("north", "north")


def test_nothing_is_left_behind(whole: Club) -> None:
    practice = whole.rehearsals.get()
    move_club("riverside", to="north")
    assert not Club.objects.exists()
    assert rows_of(whole, MAIN) == rows_of(practice, MAIN) == {}


def test_printouts_are_still_there(whole: Club) -> None:
    file = whole.jobs.exclude(result="").get().result.name
    move_club("riverside", to="north")
    with at("north"):
        assert Job.objects.exclude(result="").get().result.name == file
    assert default_storage.exists(str(file))


def test_it_can_go_on_and_come_back(whole: Club) -> None:
    before = rows_of(whole, MAIN)
    for name in ("north", "south", MAIN):
        move_club("riverside", to=name)
    assert rows_of(whole, MAIN) == before


def test_accounts_stay_in_the_main_database(whole: Club) -> None:
    secretary = User.objects.get(name="Sec.riverside")
    move_club("riverside", to="north")
    assert User.objects.get(name="Sec.riverside").password == secretary.password
    with at("north"):
        assert {user.password for user in User.objects.all()} == {""}


def test_house_rules_that_are_there_already_are_used(whole: Club) -> None:
    edition = whole.house_rules.get().edition
    with at("north"):
        there = Edition.objects.create(
            key=edition.key, name=edition.name, declaration=edition.declaration
        )
    move_club("riverside", to="north")
    with at("north"):
        assert HouseRules.objects.filter(club=whole).get().edition == there


def test_a_request_repeated_after_the_move_is_known(whole: Club) -> None:
    KeptAnswer.objects.create(owner="link 1", key="k", asked="a", status=200, body="{}")
    with at("north"):
        KeptAnswer.objects.create(owner="link 2", key="k", asked="b", status=200, body="{}")
    move_club("riverside", to="north")
    with at("north"):
        owners = sorted(KeptAnswer.objects.values_list("owner", flat=True))
    assert owners == ["link 1", "link 2", "riverside"]


def test_its_pages_and_links_are_answered_from_there(whole: Club) -> None:
    table = whole.sessions.get().tables.get()
    browser = browser_of(User.objects.get(name="Sec.riverside"))
    pages = [reverse("club", args=["riverside"]), reverse("table", args=[table.link_key])]
    before = [browser.get(page).status_code for page in pages]
    move_club("riverside", to="south")
    assert [browser.get(page).status_code for page in pages] == before == [200, 200]
    assert Client().get(pages[1]).status_code == 200


def test_while_it_is_moved_pages_are_read_and_nothing_is_saved(
    whole: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    browser = browser_of(User.objects.get(name="Sec.riverside"))
    key = whole.sessions.get().tables.get().link_key
    page, phone = reverse("club", args=["riverside"]), reverse("api-table-book", args=[key])
    answers = []

    def meanwhile(*args: Any) -> int:
        answers.extend([browser.get(page), browser.post(page), browser.post(phone)])
        return copy(*args)

    copy = moving._copy
    monkeypatch.setattr(moving, "_copy", meanwhile)
    move_club("riverside", to="north")
    assert [answer.status_code for answer in answers] == [200, 503, 503]
    assert answers[1].headers["Retry-After"] == "5"
    assert "being moved" in answers[1].content.decode()
    assert answers[2].json()["problems"][0]["code"] == "being_moved"


def test_a_move_that_fails_changes_nothing(whole: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    before = rows_of(whole, MAIN)

    def differs(*_: object, **__: object) -> int:
        raise Trouble(
            "Row 1 of clubs_player is different in the new database, so nothing was moved."
        )

    monkeypatch.setattr(moving, "copy_rows", differs)
    with pytest.raises(Trouble, match="is different in the new database"):
        move_club("riverside", to="north")
    assert rows_of(whole, MAIN) == before
    assert rows_of(whole, "north") == {}
    with at_club("riverside", writes=True):
        assert Club.objects.filter(slug="riverside").exists()


@pytest.mark.parametrize(
    ("slug", "to", "sentence"),
    [
        ("riverside", "east", "There is no database east; there are default, north, south."),
        ("hilltop", "north", "There is no club at hilltop."),
        ("riverside", MAIN, "Riverside Mah-Jong Club is in the database default already."),
    ],
)
def test_what_cannot_be_moved(slug: str, to: str, sentence: str) -> None:
    make_club()
    with pytest.raises(CommandError, match=sentence):
        call_command("move_club", slug, to)


def test_the_command_says_what_it_did() -> None:
    placed_club("north")
    said = StringIO()
    call_command("move_club", "riverside", "south", stdout=said)
    assert said.getvalue().startswith("riverside is in the database south now. 2 rows were copied")
