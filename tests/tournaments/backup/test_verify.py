"""``manage.py verify`` and ``digest``: that nothing was changed, and nothing else is there."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.evenings.services import ending
from clubs.models import Job, Session, SessionTable
from scoring.scorebook.models import Edition, Hand, Seat
from scoring.scorebook.selectors import head_code
from tests.clubs.tables import seated_evening
from tests.paper import words_of
from tests.people import Cast, make_player
from tests.scoring.scorebook.book import DRAWN
from tests.scoring.scorebook.tampering import behind_the_book
from tests.tournaments.backup.test_backups import post
from tests.tournaments.cups import seated_tournament, send_hand, tables
from tournaments.backup import digest_lines, digest_of_all
from tournaments.models import Tournament, TournamentState
from tournaments.results.papers import results_pdf
from tournaments.results.selectors.results import results_of


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    """A table of an evening with a hand, beside a tournament with another."""
    send_hand(tables(seated_tournament(cast.club))[0])
    session_table: SessionTable = seated_evening(cast.club, held_on=date(2026, 11, 3)).tables.get()
    post(session_table, 1)
    return session_table


def verify(**options: object) -> tuple[str, str]:
    """What it says of the sum, and every line about a row."""
    output, err = StringIO(), StringIO()
    try:
        call_command("verify", stdout=output, stderr=err, **options)
    except CommandError as refused:
        return str(refused), err.getvalue()
    return output.getvalue().strip(), err.getvalue()


def test_two_books_hold(table: SessionTable) -> None:
    assert verify() == ("2 books, 2 links: nothing was changed outside Tongbox.", "")


def test_a_changed_score_is_named_with_its_table_and_day(table: SessionTable) -> None:
    hand = Hand.objects.get(game=table.game)
    with behind_the_book():
        Hand.objects.filter(pk=hand.pk).update(score_2=62)
        summary, lines = verify()
    assert summary == "2 books, 2 links: 1 thing not as recorded."
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
    summary, _ = verify(book=table.session.book_id)
    assert summary == "1 book, 1 link: nothing was changed outside Tongbox."


def test_a_head_noted_on_paper_is_found_again(table: SessionTable) -> None:
    table.session.refresh_from_db()
    table.session.book.refresh_from_db()  # type: ignore[union-attr]
    code = head_code(table.session.book)
    post(table, 2, DRAWN)
    summary, _ = verify(head=code)
    assert summary == (
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
    summary, _ = verify(**options)
    assert summary.startswith(answer)


def test_house_rules_that_were_changed_are_told_too(table: SessionTable) -> None:
    with behind_the_book():
        Edition.objects.create(key="bmja/2008~0", name="Ours", declaration={"base": "bmja"})
        summary, lines = verify()
    assert summary.endswith("1 thing not as recorded.")
    assert "is now read as" in lines


def test_the_printed_results_carry_the_code(table: SessionTable) -> None:
    cup = Tournament.objects.get()
    paper = " ".join(words_of(results_pdf(cup, results_of(cup))))
    assert f"verification code {head_code(cup.book)}" in paper


def test_the_result_of_an_evening_carries_the_code_once_it_is_finished(
    table: SessionTable, cast: Cast, client: Client
) -> None:
    client.force_login(cast.secretary)
    url = reverse("result", args=[cast.club.slug, table.session_id])
    assert "erification code" not in client.get(url).content.decode()
    ending.close_session(session=table.session)
    session = Session.objects.get(pk=table.session_id)
    assert head_code(session.book) in client.get(url).content.decode()


def test_the_results_of_a_tournament_carry_the_code(table: SessionTable, client: Client) -> None:
    cup = Tournament.objects.get()
    Tournament.objects.update(published_at=timezone.now(), state=TournamentState.FINISHED)
    page = client.get(reverse("results", args=[cup.wall_key]))
    assert head_code(cup.book) in page.content.decode()


def digest(**options: object) -> str:
    output = StringIO()
    call_command("digest", stdout=output, **options)
    return output.getvalue().strip()


def test_asked_twice_it_says_the_same(table: SessionTable) -> None:
    assert digest() == digest() == digest_of_all().overall_digest
    assert len(digest()) == 64


@contextmanager
def changes_the_digest() -> Iterator[None]:
    """What is done within changes the digest of the whole, and of Riverside alone of the clubs."""
    digest_before = digest_of_all()
    yield
    digest_after = digest_of_all()
    assert digest_before.overall_digest != digest_after.overall_digest
    assert {
        slug
        for slug, club_digest in digest_before.clubs.items()
        if digest_after.clubs[slug] != club_digest
    } == {"riverside"}


def test_a_hand_changes_its_own_club_and_the_whole(table: SessionTable) -> None:
    with changes_the_digest():
        post(table, 2)


def test_a_total_that_was_changed_behind_the_book_changes_it(table: SessionTable) -> None:
    with changes_the_digest():
        Seat.objects.filter(game=table.game, number=1).update(points=9_999)


def test_a_member_more_changes_it(table: SessionTable, cast: Cast) -> None:
    with changes_the_digest():
        make_player(cast.club, "Wilhelmina")


def test_what_only_passes_through_does_not_change_it(table: SessionTable, cast: Cast) -> None:
    digest_before = digest_of_all()
    Job.objects.create(club=cast.club, kind="season pack", about=1)
    assert digest_of_all() == digest_before


def test_the_lines_name_what_is_digested(table: SessionTable, cast: Cast) -> None:
    parsed_lines = [json.loads(line) for line in digest_lines(cast.club)]
    assert [line[0] for line in parsed_lines].count("evening") == 1
    (evening,) = [line for line in parsed_lines if line[0] == "evening"]
    book = table.session.book
    assert book is not None
    book.refresh_from_db()
    assert evening[4:] == [1, book.head, 1, 1, 4, 0]
    assert [line[0] for line in parsed_lines if line[0] in {"result", "standing"}]
    assert digest(lines="riverside").splitlines() == list(digest_lines(cast.club))


def test_by_club_a_difference_can_be_found(table: SessionTable) -> None:
    clubs = digest_of_all().clubs
    by_club = digest(by_club=True).splitlines()
    assert by_club[:-1] == [f"{clubs[slug]}  {slug}" for slug in ("hill-top", "riverside")]
    with pytest.raises(CommandError, match="no club at nowhere"):
        digest(lines="nowhere")


def test_for_programs_it_counts_every_table(table: SessionTable) -> None:
    report = json.loads(digest(json=True))
    assert report["digest"] == digest()
    assert report["tables"]["scorebook_hand"] == 2
    assert "clubs.0001_initial" in report["migrations"]
