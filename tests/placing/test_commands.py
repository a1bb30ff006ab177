"""Commands find a club wherever it is, and go through every database."""

from datetime import date
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from clubs.core.directory import moving
from clubs.databases import MAIN, at
from clubs.models import AuditEntry, Club, Membership, Role, User
from scoring.scorebook.models import Book, Link, Seat
from tests.clubs.tables import seated_evening
from tests.people import make_club
from tests.placing.placed import placed_club
from tests.threads import at_once
from tests.tournaments.backup.test_backups import post
from tournaments.backup import digest_of_all


def output(*words: str, **options: Any) -> str:
    out = StringIO()
    call_command(*words, stdout=out, stderr=out, **options)
    return out.getvalue()


def refusal(*words: str, **options: Any) -> str:
    out = StringIO()
    with pytest.raises(CommandError) as refused:
        call_command(*words, stdout=out, stderr=out, **options)
    return f"{out.getvalue()}{refused.value}"


@pytest.fixture
def clubs() -> dict[str, Club]:
    """A club in each database with a hand in its score book, by the database."""
    result = {MAIN: make_club("Hilltop", "hilltop")}
    result |= {"north": placed_club("north"), "south": placed_club("south", "quayside")}
    for name, club in result.items():
        with at(name):
            post(seated_evening(club, held_on=date(2026, 11, 17)).tables.get(), 1)
    return result


def test_recount_and_verify_read_the_books_of_every_database(clubs: dict[str, Club]) -> None:
    assert output("recount") == "3 games, 3 hands, 0 differences\n"
    assert output("verify").startswith("3 books, ")
    with at("south"):
        Seat.objects.filter(number=1).update(points=7777)
    assert "stored {" in refusal("recount")
    assert "not as recorded" in refusal("verify")


def test_a_book_is_found_by_its_number_or_its_printed_code(clubs: dict[str, Club]) -> None:
    with at("south"):
        book, link = Book.objects.get(), Link.objects.latest("pk")
    assert output("verify", book=book.pk).startswith("1 book, ")
    assert "is link 1 of the score book of quayside" in output("verify", head=link.digest[:16])
    assert refusal("verify", book=7) == "There is no score book 7."
    assert "has the verification code 0000" in refusal("verify", head="0" * 16)


def test_the_digest_is_of_every_database(clubs: dict[str, Club]) -> None:
    lines = output("digest", by_club=True).splitlines()
    assert [line.partition("  ")[2] for line in lines] == ["hilltop", "riverside", "quayside", ""]
    assert lines[-1] == digest_of_all().whole
    assert f'["club",{clubs["north"].pk},"riverside"' in output("digest", lines="riverside")
    assert '"clubs_club": 3' in output("digest", json=True)


def test_a_role_is_given_where_the_club_is(clubs: dict[str, Club]) -> None:
    dev = User.objects.create_user("dev@example.org", "four winds blow", name="Dev")
    with at("north"):
        dev.copy_here()
    said = output("give_role", "riverside", dev.email, "director")
    assert said.startswith("dev@example.org is tournament director.")
    with at("north"):
        assert Membership.objects.filter(user__email="dev@example.org", role=Role.DIRECTOR).exists()
        assert AuditEntry.objects.filter(what="give_role").exists()
    assert refusal("give_role", "nowhere", "dev@example.org", "scorer").startswith("There is no")


def test_no_role_is_given_while_the_club_is_moved(clubs: dict[str, Club]) -> None:
    words = ("give_role", "riverside", "dev@example.org", "director")
    with moving([clubs["north"]], to="north"):
        (said,) = at_once([lambda: refusal(*words)])
    assert said == "This club is being moved to another database. Try again in a moment."


def test_a_club_is_exported_from_its_database(clubs: dict[str, Club], tmp_path: Path) -> None:
    file = tmp_path / "riverside.tongbox"
    said = output("export_club", "riverside", str(file))
    assert file.stat().st_size > 1000
    assert "The digest is " in said


def test_retention_schedules_are_looked_through_everywhere(clubs: dict[str, Club]) -> None:
    every = output("let_go", look=True).splitlines()
    assert [line.partition(":")[0] for line in every] == ["Hilltop", "riverside", "quayside"]
    assert output("let_go", "quayside", look=True).startswith("quayside: ")
    assert refusal("let_go", "nowhere") == "There is no club at nowhere."


def test_the_doctor_counts_every_club(clubs: dict[str, Club], tmp_path: Path) -> None:
    out = StringIO()
    call_command("doctor", port=1, stdout=out, stderr=out)
    assert "Readable and up to date, 3 clubs." in out.getvalue()
