"""What sealing a hand costs, and reading a book of 10,000: `python -m benchmarks.chain`."""

import os
import resource
import statistics
import time
from typing import Any
from uuid import uuid4

import django

from clubs.tenancy import across_clubs

GAMES, HANDS = 100, 100


def main() -> None:
    """Set Django up with the settings of the tests, then measure in a database of its own."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")
    django.setup()
    from django.db import connection

    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        measure()
    finally:
        connection.creation.destroy_test_db(str(connection.settings_dict["NAME"]), verbosity=0)


def measure() -> None:
    """Print a line for the sealing of a hand, and one for the reading of the book."""
    from scoring.scorebook.models import Book
    from scoring.scorebook.verifying import verify_book

    sealing = play()
    book = Book.objects.get()
    print(f"| seal a hand | {1000 * statistics.median(sealing):.2f} ms | 3 statements |")
    before, begun = memory(), time.perf_counter()
    busy = time.process_time()
    read = verify_book(book.pk)
    taken, worked = time.perf_counter() - begun, time.process_time() - busy
    print(
        f"| verify {read.links:,} hands | {taken:.1f} s, processor {worked:.1f} s | "
        f"{memory() - before:.0f} MB more, {len(read.findings)} findings |"
    )


def play() -> list[float]:
    """One hand at each table of an event, then the same again and again; seconds of sealing."""
    from django.db import transaction
    from django.db.models import F

    from scoring.scorebook import services
    from scoring.scorebook.models import Hand, Seat
    from scoring.scorebook.reports import Report

    report = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
    with transaction.atomic():
        for seats in services.open_games(rules="bmja", sizes=[4] * GAMES):
            services.record_hand(
                game=seats[0].game,
                submission_id=uuid4(),
                number=1,
                report=report,
                sent_by="table 1",
            )
        taken = [
            again(hand, number)
            for hand in list(Hand.objects.select_related("game"))
            for number in range(2, HANDS + 1)
        ]
        Seat.objects.update(points=F("points") * HANDS, hands=HANDS, mahjongs=F("mahjongs") * HANDS)
    return taken


def again(hand: Any, number: int) -> float:
    """The hand and its entries once more, sealed; the seconds that the sealing took."""
    from scoring.scorebook import ledger
    from scoring.scorebook.models import Hand, LedgerEntry

    entries = list(hand.entries.select_related("seat"))
    fields = {field.attname: getattr(hand, field.attname) for field in Hand._meta.concrete_fields}
    copy = Hand(**fields | {"id": None, "number": number, "submission_id": uuid4()})
    copy.game = hand.game
    copy.save()
    for entry in entries:
        entry.pk, entry.hand = None, copy
    entries = LedgerEntry.objects.bulk_create(entries)
    begun = time.perf_counter()
    ledger.hand_recorded(copy, [entry.seat for entry in entries], entries)
    return time.perf_counter() - begun


def memory() -> float:
    """The most that the process has had so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


if __name__ == "__main__":
    with across_clubs():
        main()
