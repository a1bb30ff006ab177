"""``manage.py digest``: one number that any hand, place or person changes, and nothing else."""

import json
from datetime import date
from io import StringIO
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command

from clubs.evenings.event import EveningTable
from clubs.models import Job, SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Seat
from tests.clubs.tables import seated_evening
from tests.people import Cast, make_player
from tests.scoring.scorebook.book import SOUTH_WINS
from tests.tournaments.tables import seated_tournament
from tournaments.backup import Digest, digest_of_all, lines_of


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    """A table of an evening with a hand, beside a tournament."""
    seated_tournament(cast.club)
    session = seated_evening(cast.club, held_on=date(2026, 11, 3))
    found: SessionTable = session.tables.get()
    post(found, 1)
    return found


def post(table: SessionTable, number: int) -> None:
    at_table.post_hand(
        table=EveningTable(table),
        report=SOUTH_WINS,
        submission_id=uuid4(),
        number=number,
        sent_by="table 1",
    )


def digest(**options: object) -> str:
    out = StringIO()
    call_command("digest", stdout=out, **options)
    return out.getvalue().strip()


def test_asked_twice_it_says_the_same(table: SessionTable) -> None:
    assert digest() == digest() == digest_of_all().whole
    assert len(digest()) == 64


def test_a_hand_changes_its_own_club_and_the_whole(table: SessionTable) -> None:
    before = digest_of_all()
    post(table, 2)
    _differs(before, digest_of_all(), {"riverside"})


def test_a_total_that_was_changed_behind_the_book_changes_it(table: SessionTable) -> None:
    before = digest_of_all()
    Seat.objects.filter(game=table.game, number=1).update(points=9_999)
    _differs(before, digest_of_all(), {"riverside"})


def test_a_member_more_changes_it(table: SessionTable, cast: Cast) -> None:
    before = digest_of_all()
    make_player(cast.club, "Wilhelmina")
    _differs(before, digest_of_all(), {"riverside"})


def test_what_only_passes_through_does_not_change_it(table: SessionTable, cast: Cast) -> None:
    before = digest_of_all()
    Job.objects.create(club=cast.club, kind="season pack", about=1)
    assert digest_of_all() == before


def test_the_lines_name_what_is_digested(table: SessionTable, cast: Cast) -> None:
    told = [json.loads(one) for one in lines_of(cast.club)]
    assert [one[0] for one in told].count("evening") == 1
    (evening,) = [one for one in told if one[0] == "evening"]
    book = table.session.book
    assert book is not None
    book.refresh_from_db()
    assert evening[4:] == [1, book.head, 1, 1, 4, 0]
    assert [one[0] for one in told if one[0] in {"result", "standing"}]
    assert digest(lines="riverside").splitlines() == list(lines_of(cast.club))


def test_by_club_a_difference_can_be_found(table: SessionTable) -> None:
    clubs = digest_of_all().clubs
    by_club = digest(by_club=True).splitlines()
    assert by_club[:-1] == [f"{clubs[slug]}  {slug}" for slug in ("hill-top", "riverside")]
    with pytest.raises(CommandError, match="no club at nowhere"):
        digest(lines="nowhere")


def test_for_programs_it_counts_every_table(table: SessionTable) -> None:
    told = json.loads(digest(json=True))
    assert told["digest"] == digest()
    assert told["tables"]["scorebook_hand"] == 1
    assert "clubs.0001_initial" in told["migrations"]


def _differs(before: Digest, after: Digest, clubs: set[str]) -> None:
    assert before.whole != after.whole
    assert {slug for slug, one in before.clubs.items() if after.clubs[slug] != one} == clubs
