"""The whole installation in one number: the same wherever the same hands were kept.

Per club and event: standings and league tables as ranked, the heads of the books' chains, how many
hands and entries there are and how many people. No names, no keys of sessions, no times.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.apps import apps
from django.db import connection, models
from django.db.migrations.recorder import MigrationRecorder
from django.db.models import Count, Q, Sum

from clubs.backup.archive import digest_of, line
from clubs.evenings.selectors.evenings import result_of
from clubs.league.selectors.seasons import league_table
from clubs.models import Club, Season, Session
from clubs.models.names import ORGANISER
from clubs.models.tenancy import within
from scoring.scorebook.models import Book, Game, Hand, LedgerEntry
from tournaments.models import Tournament
from tournaments.results.selectors.standings import standings

WRITTEN_AS = 1  # goes up whenever a line is written otherwise, so that nobody compares two ways


@dataclass(frozen=True, slots=True)
class Digest:
    """The digest of the installation (64 hexadecimal digits) and each club's, by its slug."""

    whole: str
    clubs: dict[str, str]


def digest_of_all() -> Digest:
    """Reads every event of every club; the queries grow with the number of events."""
    clubs: dict[str, str] = {}
    for club in sorted(Club.objects.all(), key=lambda one: one.slug):
        with within(club.pk):
            clubs[club.slug] = digest_of(lines_of(club))
    lines = [line("tongbox", WRITTEN_AS), line("books", *_books_at_all())]
    return Digest(digest_of([*lines, *(line(*one) for one in clubs.items())]), clubs)


def lines_of(club: Club) -> Iterator[str]:
    """What is digested of a club, in order: to lay two beside each other and see what differs."""
    yield line("club", club.pk, club.slug, club.name, club.rules)
    for kind, count in sorted(Counter(club.players.values_list("kind", flat=True)).items()):
        yield line("people", kind, count)
    yield line("sign-ins", club.memberships.count())
    for session in Session.objects.filter(club=club).select_related("book").order_by("pk"):
        yield from _evening(session)
    seasons = Season.objects.filter(league__club=club).select_related("league__club")
    for season in seasons.order_by("pk"):
        yield from _season(season)
    for cup in Tournament.objects.filter(club=club).select_related("book").order_by("pk"):
        yield from _tournament(cup)


def counts_by_table() -> dict[str, int]:
    """How many rows every table of the program has, by its name."""
    found = [model for model in apps.get_models(include_auto_created=True) if model._meta.managed]
    return {model._meta.db_table: _rows(model) for model in found}


def migrations_applied() -> list[str]:
    """``clubs.0014_replaced_links``: every migration that the database has, sorted."""
    applied = MigrationRecorder(connection).applied_migrations()
    return sorted(f"{app}.{name}" for app, name in applied)


def _rows(model: type[models.Model]) -> int:
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT count(*) FROM {connection.ops.quote_name(model._meta.db_table)}")  # noqa: S608
        (count,) = cursor.fetchone()
    return int(count)


def _books_at_all() -> tuple[int, int, int, int]:
    """Books, games, hands and entries of the whole score book, those of no event too."""
    rows = (Book.objects, Game.objects, Hand.objects, LedgerEntry.objects)
    books, games, hands, entries = (one.count() for one in rows)
    return books, games, hands, entries


def _evening(session: Session) -> Iterator[str]:
    yield line("evening", session.pk, session.held_on, session.state, *_book(session.book))
    for row in result_of(session, reader=ORGANISER):
        sums = (row.points, row.hands, row.mahjongs, row.best_hand)
        yield line("result", row.place, row.is_tied, row.player_id, row.table, *sums)


def _season(season: Season) -> Iterator[str]:
    yield line("season", season.pk, season.starts_on, season.ends_on)
    for row in league_table(season, reader=ORGANISER).rows:
        sums = (row.attended, row.counted, row.total, row.best_total, row.average, row.score)
        yield line("league", row.place, row.is_tied, row.player_id, *sums, row.mahjongs)


def _tournament(cup: Tournament) -> Iterator[str]:
    yield line("tournament", cup.pk, cup.state, *_book(cup.book))
    for row in standings(cup, reader=ORGANISER):
        sums = (row.rounds, row.table_points, row.total, row.mahjongs, row.best_hand)
        yield line("standing", row.place, row.is_tied, row.entrant_id, *sums)


def _book(book: Book | None) -> tuple[int | str, ...]:
    """Length and head of the chain, hands and those that stand, entries and their sum."""
    if book is None:
        return ()
    hands = Hand.objects.filter(game__book=book).aggregate(
        all=Count("pk"), stand=Count("pk", filter=Q(is_current=True))
    )
    ledger = LedgerEntry.objects.filter(seat__game__book=book).aggregate(
        entries=Count("pk"), points=Sum("points", default=0)
    )
    sums = (hands["all"], hands["stand"], ledger["entries"], int(ledger["points"]))
    return (book.length, book.head, *sums)
