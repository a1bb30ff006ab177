"""The directory of clubs: which database each is in, and who may write while one is being moved.

Whoever writes something of a club has a lock that all of them share, and whoever moves it has that
lock alone. The locks are in the main database, on a connection of their own (``gate``): they end
with their transaction, so a program that ends while it moves a club leaves nothing behind.
"""

from collections.abc import Callable, Collection, Iterable, Iterator
from contextlib import contextmanager
from typing import Any, Final, TypeVar

from django.db import connections, transaction
from django.db.models import Count, QuerySet

from clubs import databases
from clubs.databases import MAIN, at
from clubs.models import Club, ClubDatabase, ClubPlace

GATE: Final = "gate"
Result = TypeVar("Result")


class BeingMoved(Exception):
    """The club is being moved to another database: nothing can be written for a moment."""

    def __str__(self) -> str:
        return "This club is being moved to another database. Try again in a moment."


def database_of(slug: str) -> str:
    """The database in which the club of this address is; the main one for an unknown club."""
    if not databases.are_several():
        return MAIN
    places = ClubPlace.objects.filter(slug=slug)
    return str(places.values_list("database_id", flat=True).first() or MAIN)


def of_club(club_id: int) -> str:
    """The same for the key of a club."""
    if not databases.are_several():
        return MAIN
    places = ClubPlace.objects.filter(club=club_id)
    return str(places.values_list("database_id", flat=True).first() or MAIN)


def is_here(club_id: int) -> bool:
    """Whether the club belongs in the current database, and is not left over from a move."""
    return of_club(club_id) == databases.current()


@contextmanager
def at_club(slug: str, *, writes: bool = False) -> Iterator[None]:
    """Work in the club's database within the block.

    Raises ``BeingMoved`` if it ``writes`` while the club is being moved.
    """
    if not writes or not databases.are_several():
        with at(database_of(slug)):
            yield
        return
    with transaction.atomic(using=GATE):
        if not _locks("pg_try_advisory_xact_lock_shared", _of_club(slug)):
            raise BeingMoved
        with at(database_of(slug)):
            yield


@contextmanager
def working_at(name: str) -> Iterator[None]:
    """For jobs: work in this database within the block, once no club is moved into or out of it."""
    if not databases.are_several():
        yield
        return
    with transaction.atomic(using=GATE):
        _wait_as_long_as_it_takes(GATE)
        _locks("pg_advisory_xact_lock_shared", _of_database(name))
        with at(name):
            yield


def work_in_each(work: Callable[[], object]) -> None:
    """For sweeps: do the work in every database; one that is away does not keep the others."""
    faults = []
    for name in databases.names():
        try:
            with working_at(name):
                work()
        except Exception as fault:
            faults.append(fault)
    if faults:
        raise faults[0] if len(faults) == 1 else ExceptionGroup("In several databases", faults)


@contextmanager
def standing_still() -> Iterator[None]:
    """Let no club be moved within the block; those that are being moved are waited for."""
    if not databases.are_several():
        yield
        return
    with transaction.atomic(using=GATE):
        _wait_as_long_as_it_takes(GATE)
        for name in sorted(databases.names()):
            _locks("pg_advisory_xact_lock_shared", _of_database(name))
        yield


@contextmanager
def without_jobs(*places: str) -> Iterator[None]:
    """Let no job work in these databases within the block; those that do are waited for."""
    with transaction.atomic(using=GATE):
        _wait_as_long_as_it_takes(GATE)
        for name in sorted(places):
            _locks("pg_advisory_xact_lock", _of_database(name))
        yield


@contextmanager
def moving(clubs: Collection[Club], *, to: str) -> Iterator[None]:
    """Keep everyone from writing something of the clubs within the block; then they are at ``to``.

    Requests that are being answered are waited for; those that come later are refused. If the block
    raises, the clubs stay where they are. It begins in the main database.
    """
    with transaction.atomic():
        _wait_as_long_as_it_takes(MAIN)
        for slug in sorted(club.slug for club in clubs):
            _locks("pg_advisory_xact_lock", _of_club(slug), using=MAIN)
        yield
        for club in clubs:
            _note_place(club, to)


def _of_club(slug: str) -> str:
    return f"club {slug}"


def _of_database(name: str) -> str:
    return f"database {name}"


def _locks(function: str, about: str, *, using: str = GATE) -> bool:
    """Call one of PostgreSQL's functions for locks; of those that only try, whether it did."""
    with connections[using].cursor() as cursor:
        cursor.execute(f"SELECT {function}(hashtextextended(%s, 0))", [f"tongbox {about}"])
        return cursor.fetchone()[0] is not False


def _wait_as_long_as_it_takes(using: str) -> None:
    with connections[using].cursor() as cursor:
        cursor.execute("SET LOCAL idle_in_transaction_session_timeout = 0")
        cursor.execute("SET LOCAL lock_timeout = 0")


@contextmanager
def keeping_names() -> Iterator[None]:
    """Within the block nobody else founds or renames a club, in whichever database.

    It stands around the transactions, so that the next one to found a club sees this one.
    """
    if not databases.are_several():
        yield
        return
    with transaction.atomic(using=GATE):
        _wait_as_long_as_it_takes(GATE)
        _locks("pg_advisory_xact_lock", "names of clubs")
        yield


@contextmanager
def where_new_clubs_go() -> Iterator[None]:
    """Within a transaction of the main database: one in the database for the next new club."""
    name = databases.current() if databases.current() != MAIN else for_new_clubs()
    with at(name), transaction.atomic(savepoint=False):
        yield


@contextmanager
def founding() -> Iterator[None]:
    """For making a club: one transaction in the main database and where new clubs go.

    The club's is committed first. A club whose place is then not noted is deleted after an hour.
    """
    with keeping_names(), transaction.atomic(), where_new_clubs_go():
        yield


def enter(club: Club) -> None:
    """Put a club that was just made in the current database into the directory."""
    if (name := databases.current()) != MAIN:
        _note_place(club, name)


def leave(club_id: int) -> None:
    """Take a club that was deleted out of the directory."""
    if databases.are_several():
        ClubPlace.objects.filter(club=club_id).delete()


def _note_place(club: Club, name: str) -> None:
    if name == MAIN:
        leave(club.pk)
    else:
        fields = {"slug": club.slug, "database_id": name}
        ClubPlace.objects.update_or_create(club=club.pk, defaults=fields)


def for_new_clubs() -> str:
    """The database for the next new club: the club database with the fewest clubs."""
    if not databases.are_several():
        return MAIN
    counted = ClubDatabase.objects.annotate(clubs=Count("clubplace"))
    fewest = counted.filter(name__in=databases.names()).order_by("clubs", "pk")
    return fewest.values_list("name", flat=True).first() or MAIN


def in_each(work: Callable[[], Result]) -> list[Result]:
    """Do the work in every database, the main one first; returns what each gave."""
    results = []
    for name in databases.names():
        with at(name):
            results.append(work())
    return results


def addresses_like(beginning: str) -> set[str]:
    """The names in addresses that begin like this, of the clubs of every database."""
    clubs = Club.objects.filter(slug__startswith=beginning).values_list("slug", flat=True)
    taken = set(all_in_each(clubs.all))
    if databases.are_several():
        places = ClubPlace.objects.filter(slug__startswith=beginning)
        taken |= set(places.values_list("slug", flat=True))
    return taken


def is_anywhere(rows: QuerySet[Any, Any]) -> bool:
    """Whether any database has such a row."""
    return any(in_each(rows.exists))


def of_clubs_in_each(
    work: Callable[[], Iterable[Result]], club_of: Callable[[Result], int | None]
) -> list[Result]:
    """What the work gives in every database, without what is left of clubs that were moved.

    ``club_of`` gives the key of a row's club; None: the row is of no club, so it is in the main
    database. One query more where there are several databases.
    """
    results = in_each(lambda: list(work()))
    if not databases.are_several():
        return results[0]
    clubs = {club for rows in results for row in rows if (club := club_of(row))}
    places = ClubPlace.objects.filter(club__in=clubs)
    name_of = {place.club: str(place.database_id) for place in places}
    return [
        row
        for name, rows in zip(databases.names(), results, strict=True)
        for row in rows
        if name_of.get(club_of(row) or 0, MAIN) == name
    ]


def all_in_each(work: Callable[[], Iterable[Result]]) -> list[Result]:
    """The same for work that gives several; no query is left to be made."""
    return [each for results in in_each(lambda: list(work())) for each in results]
