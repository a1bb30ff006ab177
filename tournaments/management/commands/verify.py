"""Check the books of all events for tampering."""

from argparse import ArgumentParser
from collections.abc import Iterable
from typing import Any

from django.core.management.base import BaseCommand, CommandError

from clubs.language.words import count_words
from clubs.tenancy import across_clubs
from scoring.scorebook.editions import changed_editions
from scoring.scorebook.models import Book
from scoring.scorebook.selectors import link_with_code
from scoring.scorebook.verifying import Discrepancy, rows_outside_books, verify_book
from tournaments.data_export import event_of_book, table_of_game


class Command(BaseCommand):
    """``manage.py verify``: exit status 1 and a line for each row that differs from its seal."""

    help = (
        "Compare every hand, entry, agreement and decision with the score books, and list each "
        "record that was changed, added or removed outside Tongbox."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--book", type=int, help="only the score book with this number")
        parser.add_argument(
            "--head", help="only the score book with this printed verification code"
        )

    def handle(self, *args: Any, **options: Any) -> None:
        with across_clubs():
            book = self._book(options["book"], options["head"])
            books = Book.objects.order_by("pk")
            books = books if book is None else books.filter(pk=book)
            findings = links = 0
            for book_id in books.values_list("pk", flat=True):
                verified_book = verify_book(book_id)
                links += verified_book.links
                findings += self._tell(verified_book.findings)
            if book is None:
                edition_changes = list(changed_editions())
                for line in edition_changes:
                    self.stderr.write(line)
                findings += self._tell(rows_outside_books()) + len(edition_changes)
            read_through = f"{count_words(books.count(), 'book')}, {count_words(links, 'link')}"
        if findings:
            raise CommandError(f"{read_through}: {count_words(findings, 'thing')} not as recorded.")
        self.stdout.write(f"{read_through}: nothing was changed outside Tongbox.")

    def _book(self, book: int | None, head: str | None) -> int | None:
        """The only book to look at, if any; a printed code goes before a number."""
        if head is None:
            if book is not None and not Book.objects.filter(pk=book).exists():
                raise CommandError(f"There is no score book {book}.")
            return book
        link = link_with_code(head)
        if link is None:
            raise CommandError(
                f"No score book has the verification code {head}. Check the code. "
                "If it is right, its record has been changed or removed."
            )
        later_links = link.book.length - link.number
        self.stdout.write(
            f"{head} is link {link.number} of the score book of "
            f"{event_of_book(link.book_id)}; {count_words(later_links, 'link')} came after it."
        )
        return link.book_id

    def _tell(self, findings: Iterable[Discrepancy]) -> int:
        lines = [_finding_sentence(finding) for finding in findings]
        for line in lines:
            self.stderr.write(line)
        return len(lines)


def _finding_sentence(finding: Discrepancy) -> str:
    """``Hand 7 of table 3, Riverside, 3 November 2026 (hand row 4711): report differs …``."""
    if finding.game is not None:
        location = table_of_game(finding.game)
    else:
        location = "No score book"
        if finding.book is not None:
            location = f"The score book of {event_of_book(finding.book)}"
    if finding.hand is not None:
        location = f"Hand {finding.hand} of {location}"
    return f"{location[0].upper()}{location[1:]} ({finding.row}): {finding.text}."
