"""``manage.py verify``: what a club types to know that nothing was changed behind its back."""

from datetime import date
from io import StringIO
from typing import Any
from uuid import uuid4

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.evenings.event import EveningTable
from clubs.evenings.services import evenings
from clubs.models import Session, SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Edition, Hand
from scoring.scorebook.selectors import head_code
from tests.clubs.tables import seated_evening
from tests.paper import words_of
from tests.people import Cast
from tests.scoring.scorebook.book import DRAWN, SOUTH_WINS
from tests.scoring.scorebook.tampering import behind_the_book
from tests.tournaments.tables import seated_tournament
from tournaments.models import Table, Tournament, TournamentState
from tournaments.results.papers import results_pdf
from tournaments.results.selectors.results import results_of
from tournaments.table.event import RoundTable


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    """A table of an evening with a hand, beside a tournament with another."""
    cup = seated_tournament(cast.club)
    at = Table.objects.get(round__tournament=cup, round__number=1)
    told: Any = {"submission_id": uuid4(), "number": 1, "sent_by": "table 1"}
    at_table.post_hand(table=RoundTable(at), report=DRAWN, **told)
    session = seated_evening(cast.club, held_on=date(2026, 11, 3))
    found: SessionTable = session.tables.get()
    told = {"submission_id": uuid4(), "number": 1, "sent_by": "table 1"}
    at_table.post_hand(table=EveningTable(found), report=SOUTH_WINS, **told)
    return found


def verify(**options: object) -> tuple[str, str]:
    """What it says of the sum, and every line about a row."""
    out, err = StringIO(), StringIO()
    try:
        call_command("verify", stdout=out, stderr=err, **options)
    except CommandError as refused:
        return str(refused), err.getvalue()
    return out.getvalue().strip(), err.getvalue()


def test_two_books_hold(table: SessionTable) -> None:
    assert verify() == ("2 books, 2 links: nothing was changed outside Tongbox.", "")


def test_a_changed_score_is_named_with_its_table_and_day(table: SessionTable) -> None:
    hand = Hand.objects.get(game=table.game)
    with behind_the_book():
        Hand.objects.filter(pk=hand.pk).update(score_2=62)
        said, lines = verify()
    assert said == "2 books, 2 links: 1 thing not as recorded."
    assert lines == (
        f"Hand 1 of table 1, Riverside Mah-Jong Club, 3 November 2026 (hand row {hand.pk}): "
        "score_2 is 62, but 60 was sealed as link 1.\n"
    )


def test_a_hand_of_a_tournament_is_named_with_its_round(table: SessionTable) -> None:
    hand = Hand.objects.earliest("pk")
    with behind_the_book():
        Hand.objects.filter(pk=hand.pk).update(reason="nothing")
        _, lines = verify()
    assert lines.startswith(f"Hand 1 of round 1, table 1, Autumn Cup (hand row {hand.pk}): reason")


def test_a_book_alone(table: SessionTable) -> None:
    said, _ = verify(book=table.session.book_id)
    assert said == "1 book, 1 link: nothing was changed outside Tongbox."


def test_a_head_noted_on_paper_is_found_again(table: SessionTable) -> None:
    table.session.refresh_from_db()
    table.session.book.refresh_from_db()  # type: ignore[union-attr]
    code = head_code(table.session.book)
    told: Any = {"submission_id": uuid4(), "number": 2, "sent_by": "table 1"}
    at_table.post_hand(table=EveningTable(table), report=DRAWN, **told)
    said, _ = verify(head=code)
    assert said == (
        f"{code} is link 1 of the score book of Riverside Mah-Jong Club, 3 November 2026; "
        "1 link came after it.\n1 book, 2 links: nothing was changed outside Tongbox."
    )


@pytest.mark.parametrize(
    ("options", "answer"),
    [
        (
            {"head": "3F9A 22C1 7B04 E5D8"},
            "No score book has the verification code 3F9A 22C1 7B04 E5D8.",
        ),
        ({"book": 900}, "There is no score book 900."),
    ],
)
def test_a_book_that_is_not_there(
    table: SessionTable, options: dict[str, object], answer: str
) -> None:
    said, _ = verify(**options)
    assert said.startswith(answer)


def test_house_rules_that_were_changed_are_told_too(table: SessionTable) -> None:
    with behind_the_book():
        Edition.objects.create(key="bmja/2008~0", name="Ours", declaration={"base": "bmja"})
        said, lines = verify()
    assert said.endswith("1 thing not as recorded.")
    assert "is now read as" in lines


def test_the_printed_results_carry_the_code(table: SessionTable) -> None:
    cup = Tournament.objects.get()
    paper = " ".join(words_of(results_pdf(cup, results_of(cup))))
    assert f"verification code {head_code(cup.book)}" in paper


def test_the_result_of_an_evening_carries_the_code_once_it_is_finished(
    table: SessionTable, cast: Cast, client: Client
) -> None:
    client.force_login(cast.secretary)
    at = reverse("result", args=[cast.club.slug, table.session_id])
    assert "erification code" not in client.get(at).content.decode()
    evenings.close_session(session=table.session)
    session = Session.objects.get(pk=table.session_id)
    assert head_code(session.book) in client.get(at).content.decode()


def test_the_results_of_a_tournament_carry_the_code(table: SessionTable, client: Client) -> None:
    cup = Tournament.objects.get()
    Tournament.objects.update(published_at=timezone.now(), state=TournamentState.FINISHED)
    page = client.get(reverse("results", args=[cup.wall_key]))
    assert head_code(cup.book) in page.content.decode()
