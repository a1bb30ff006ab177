"""What the score book costs, in time and queries: `python -m benchmarks.scorebook [WHAT]`.

WHAT is ``events`` (a season and two tournaments), ``chain`` (sealing hands, and reading a book of
10,000) or ``reach`` (how much of the code one saved hand enters). Each is played in a database of
its own, on the server in ``DATABASE_URL`` or in SQLite.
"""

import argparse
import os
import resource
import sys
import time
from collections.abc import Callable, Iterable
from functools import partial
from itertools import count
from statistics import median
from types import FrameType
from uuid import uuid4

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.test_settings")
django.setup()

from django.conf import settings
from django.db import connection, transaction
from django.db.models import F
from django.test import Client
from django.test.utils import CaptureQueriesContext, setup_test_environment

from benchmarks import sample
from clubs.evenings.event import EveningTable
from clubs.evenings.practice_play import Dealer, play_hands
from clubs.league.selectors.seasons import league_table
from clubs.models import Club, Season, SessionTable
from clubs.tenancy import across_clubs
from scoring.scorebook import ledger, services
from scoring.scorebook.models import Book, Hand, LedgerEntry, Recording, Seat
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import verify_book
from tournaments.results.selectors.results import results_of
from tournaments.results.selectors.standings import standings_of
from tournaments.seating.services import seating

GAMES, HANDS, TIMES = 100, 100, 10
CUPS = ((16, 5), (256, 12))  # entrants, rounds
TimedCall = Callable[[], object]


def print_cost(label: str, calls: Iterable[TimedCall]) -> None:
    """Print the median processor time and time of the calls, and the queries of the last."""
    processor, clock = [], []
    for call in calls:
        processor_start, start = time.process_time(), time.perf_counter()
        with CaptureQueriesContext(connection) as queries:
            call()
        processor.append(1000 * (time.process_time() - processor_start))
        clock.append(1000 * (time.perf_counter() - start))
    figures = f"{median(processor):,.1f} ms | {median(clock):,.1f} ms | {len(queries)}"
    print(f"| {label} | {figures} |", flush=True)


def measure_events() -> None:
    """Hands of a club night going in, and the tables and standings that come out."""
    club = Club.objects.create(name="Riverside", slug="riverside")
    season = played_season(club)
    tables, dealer = list(SessionTable.objects.select_related("game", "session")), Dealer(1368)
    for recording in (Recording.TOTALS, Recording.TILES):
        deals = [
            partial(play_hands, EveningTable(table), dealer, 1, recording=recording)
            for table in tables
        ]
        print_cost(f"submit a hand in {recording}", deals)
    print_cost("league table, 24 players, 8 evenings", [partial(league_table, season)] * 20)
    for entrants, rounds in CUPS:
        cup, size = sample.tournament_of(club, entrants, rounds), f"{entrants} entrants"
        print_cost(
            f"seat {size} over {rounds} rounds", [partial(seating.seat_rounds, tournament=cup)]
        )
        sample.play_rounds(cup, Recording.TOTALS)
        print_cost(f"standings, {size}, {rounds} rounds", [partial(standings_of, cup)] * TIMES)
        print_cost(f"all results, {size}, {rounds} rounds", [partial(results_of, cup)] * TIMES)


def played_season(club: Club) -> Season:
    """Eight evenings of 24 players at six tables, a hand each."""
    players = sample.players_of(club, 24)
    for week in range(8):
        session, dealer = sample.evening_of(club, players, week), Dealer(week)
        for table in session.tables.select_related("game", "session"):
            play_hands(EveningTable(table), dealer, 1, recording=Recording.TOTALS)
    return sample.season_of(club, best=6)


def measure_chain() -> None:
    """A line for the sealing of a hand, and one for the reading of the book."""
    print(f"| seal a hand | {1000 * median(play_and_seal()):.2f} ms | 3 statements |")
    memory_before, start, processor_start = peak_memory(), time.perf_counter(), time.process_time()
    verified_book = verify_book(Book.objects.get().pk)
    clock, processor = time.perf_counter() - start, time.process_time() - processor_start
    print(
        f"| verify {verified_book.links:,} hands | {clock:.1f} s, processor {processor:.1f} s | "
        f"{peak_memory() - memory_before:.0f} MB more, {len(verified_book.findings)} findings |"
    )


def peak_memory() -> float:
    """The most that the process has had so far, in megabytes."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


@transaction.atomic
def play_and_seal() -> list[float]:
    """One hand at each table of an event, then the same again and again; seconds of sealing."""
    report = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
    for seats in services.open_games(rules="bmja", sizes=[4] * GAMES):
        services.record_hand(
            game=seats[0].game, submission_id=uuid4(), number=1, report=report, sent_by="table 1"
        )
    hands = list(Hand.objects.select_related("game"))
    durations = [seal_again(hand, number) for hand in hands for number in range(2, HANDS + 1)]
    Seat.objects.update(points=F("points") * HANDS, hands=HANDS, mahjongs=F("mahjongs") * HANDS)
    return durations


def seal_again(hand: Hand, number: int) -> float:
    """The hand and its entries once more, sealed; the seconds that the sealing took."""
    entries = list(hand.entries.select_related("seat"))
    copy = sample.copy_hand(hand, number)
    copy.game = hand.game
    copy.save()
    for entry in entries:
        entry.pk, entry.hand = None, copy
    entries = LedgerEntry.objects.bulk_create(entries)
    start = time.perf_counter()
    ledger.seal_hand(copy, [entry.seat for entry in entries], entries)
    return time.perf_counter() - start


def measure_reach() -> None:
    """The files and functions of ours that a hand enters, saved on a page and over the API."""
    setup_test_environment()
    club = Club.objects.create(name="Riverside", slug="riverside")
    table = sample.evening_of(club, sample.players_of(club, 4), 0).tables.get()
    link, game = table.link_key, table.game_id
    client, numbers, scores = Client(), count(1), {1: 20, 2: 60, 3: 8, 4: 4}
    form_data = {f"score_{seat}": score for seat, score in scores.items()} | {"step": "save"}

    def key() -> dict[str, object]:
        return {"submission_id": str(uuid4()), "number": next(numbers), "winner": 2}

    def on_a_page() -> None:
        client.post(f"/t/{link}/", {**form_data, **key()})

    def over_the_api() -> None:
        report = {"scores": scores, **key()}
        headers = {"authorization": f"Link {link}"}
        client.post(
            f"/api/v1/games/{game}/hands/", report, content_type="application/json", headers=headers
        )

    for channel, save in (("on a page", on_a_page), ("over the API", over_the_api)):
        save()  # the first also enters what is remembered afterwards
        functions = functions_entered(save)
        files = len({file for file, _ in functions})
        print(f"| a hand saved {channel} | {files} files | {len(functions)} functions |")


def functions_entered(call: TimedCall) -> set[tuple[str, int]]:
    """The functions of this checkout that the call enters: their files and first lines."""
    root, functions = f"{settings.BASE_DIR}/", set()

    def watch(frame: FrameType, event: str, _: object) -> None:
        code = frame.f_code
        if event == "call" and code.co_filename.startswith(root):
            functions.add((code.co_filename.removeprefix(root), code.co_firstlineno))

    sys.setprofile(watch)
    try:
        call()
    finally:
        sys.setprofile(None)
    return {place for place in functions if not place[0].startswith((".venv/", "benchmarks/"))}


MEASUREMENTS = {"events": measure_events, "chain": measure_chain, "reach": measure_reach}


def main() -> None:
    """Measure in a database of its own."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", nargs="?", choices=MEASUREMENTS, default="events")
    measure = MEASUREMENTS[parser.parse_args().what]
    connection.creation.create_test_db(verbosity=0, autoclobber=True)
    try:
        print(f"On {connection.vendor}; medians: processor, clock, queries.")
        measure()
    finally:
        connection.creation.destroy_test_db(str(connection.settings_dict["NAME"]), verbosity=0)


if __name__ == "__main__":
    with across_clubs():
        main()
