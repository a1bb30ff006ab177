"""Who did what over the API: the lines of the page, for a secretary's program alone."""

from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from clubs.models import AuditEntry, Backup, Club, User
from clubs.tenancy import within
from tests.api import api_client, faults, send
from tests.clubs.visits import Visitor
from tests.people import Cast

AT = "/api/v1/clubs/riverside/who-did-what/"


def done(club: Club, user: User, what: str, **told: Any) -> AuditEntry:
    """A line of who did what."""
    with within(club.pk):
        return AuditEntry.objects.create(club=club, made_by=user, what=what, **told)


def sentences(answer: Any) -> list[str]:
    return [row["sentence"] for row in answer.json()["results"]]


def test_a_program_reads_the_same_lines_as_the_page(cast: Cast) -> None:
    program = api_client(cast.secretary)
    send(program, "/api/v1/clubs/riverside/players/", {"name": "Zoë Hill"})
    Visitor(cast.secretary).post(reverse("evenings", args=["riverside"]), {"held_on": "2026-11-17"})
    page = Visitor(cast.secretary).get(reverse("who-did-what", args=["riverside"]))
    opened, added = program.get(AT).json()["results"]
    assert [opened["sentence"], added["sentence"]] == [row.sentence for row in page.context["rows"]]
    assert (opened["kind"], opened["program"], opened["user"]) == (
        "evenings",
        "",
        cast.secretary.pk,
    )
    assert (added["kind"], added["program"]) == ("people", "A key called “A test”")
    zoe = cast.club.players.get(name="Zoë Hill")
    assert added["page"] == reverse("player", args=["riverside", zoe.pk])


SEATED = "Alice seated an evening."
CHANGED = "The website (Dev’s) changed someone’s details."


@pytest.mark.parametrize(
    ("asked", "left"),
    [
        ("kind=evenings", [SEATED]),
        ("kind=people", [CHANGED]),
        ("program=website", [CHANGED]),
        ("to=2020-01-01", []),
        ("since=2020-01-01T00:00:00Z", [CHANGED, SEATED]),
    ],
)
def test_a_program_asks_for_some_of_the_lines(cast: Cast, asked: str, left: list[str]) -> None:
    done(cast.club, cast.secretary, "seat")
    done(cast.club, cast.director, "member-change", by="The website")
    assert sentences(api_client(cast.secretary).get(f"{AT}?{asked}")) == left


def test_a_program_asks_for_the_lines_of_one_sign_in(cast: Cast) -> None:
    done(cast.club, cast.secretary, "seat")
    done(cast.club, cast.director, "seat")
    found = api_client(cast.secretary).get(f"{AT}?user={cast.director.pk}")
    assert sentences(found) == ["Dev seated an evening."]


def test_a_kind_that_there_is_not_is_refused(cast: Cast) -> None:
    answer = api_client(cast.secretary).get(f"{AT}?kind=croquet")
    assert faults(answer) == [("bad_parameter", "kind")]


def test_the_lines_are_taken_along_as_a_file(cast: Cast) -> None:
    done(cast.club, cast.secretary, "seat")
    answer = api_client(cast.secretary).get(f"{AT}?as=csv")
    assert "Alice seated an evening." in answer.content.decode("utf-8-sig").splitlines()[1]


@pytest.mark.parametrize("count", [1, 3])
def test_one_line_and_three_ask_the_same_of_the_database(
    cast: Cast, django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    pat = cast.club.players.get(name="Pat")
    for _ in range(count):
        done(cast.club, cast.secretary, "member-change", about={"player": pat.pk})
    client = api_client(cast.secretary)
    client.get(AT)
    with django_assert_num_queries(6):
        found = client.get(AT)
    assert sentences(found) == ["Alice changed Pat’s details."] * count


def test_a_program_hears_of_a_backup_that_was_not_good(cast: Cast) -> None:
    Backup.objects.create(made_at=timezone.now(), is_good=False, fault="The disk was full.")
    told = api_client(cast.secretary).get("/api/v1/clubs/riverside/backup/").json()
    assert told == {
        "good_at": None,
        "trouble": "The last backup failed its test.",
        "fault": "The disk was full.",
        "put_back_at": None,
    }
