"""What is read and written at every hand, compiled once, does what plain Django does."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.db import connection, transaction
from django.db.models import F, Model
from django.test.utils import CaptureQueriesContext

from clubs import tenancy
from clubs.core import queue
from clubs.evenings.event import EveningTable
from clubs.evenings.selectors import evenings
from clubs.evenings.services import evenings as at_evenings
from clubs.models import News, Session, SessionTable
from clubs.table import services as at_table
from clubs.webhooks.services import add_webhook
from scoring.scorebook import ledger, selectors
from scoring.scorebook.models import Book, Hand, LedgerEntry, Link, TappedHand
from scoring.scorebook.prepared import PreparedInsert
from scoring.scorebook.reports import Report
from scoring.scorebook.services import recording
from tests.clubs.table.phones import AtRound
from tests.clubs.tables import seated_evening
from tests.people import Cast
from tournaments import core as tournaments
from tournaments.models import Tournament
from tournaments.rounds import selectors as rounds

SENT = UUID(int=1368)
QUERIES: dict[str, Any] = {
    "game": (ledger._LOCK_GAME, lambda table: [table.game_id]),
    "book": (ledger._LOCK_BOOK, lambda table: [table.game.book_id]),
    "outcomes": (selectors._OUTCOMES_QUERY, lambda table: [table.game_id]),
    "hands": (recording._KNOWN_HANDS_QUERY, lambda table: [table.game_id, SENT]),
    "names": (evenings._PEOPLE_AT_TABLE, lambda table: [table.pk, table.session.club_id]),
    "programs": (queue._KINDS_QUERY, lambda table: [table.session.club_id]),
    "table of a link": (
        tenancy._prepared_query(evenings.tables_with_games, (), ("link_key",), (str,)),
        lambda table: [table.link_key],
    ),
    "version of a link": (
        tenancy._prepared_query(
            SessionTable.objects.all, ("link_key", "session__version"), ("link_key",), (str,)
        ),
        lambda table: [table.link_key],
    ),
}


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    """A table with a hand in its book, and a program that is told of it."""
    add_webhook(club=cast.club, address="https://tongbox.invalid/", kinds=[News.HAND_RECORDED])
    evening_table = seated_evening(cast.club).tables.select_related("session", "game").get()
    report = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
    at_table.post_hand(
        table=EveningTable(evening_table),
        submission_id=SENT,
        number=1,
        report=report,
        sent_by="a test",
    )
    return evening_table


@pytest.mark.services
@pytest.mark.parametrize("name", QUERIES)
def test_a_query_compiled_once_answers_as_its_queryset(table: SessionTable, name: str) -> None:
    query, values_of = QUERIES[name]
    answers_as_its_queryset(query, values_of(table))


@pytest.mark.services
def test_who_sits_at_a_table_of_a_round_is_answered_as_by_its_queryset(cast: Cast) -> None:
    answers_as_its_queryset(rounds._PLACES, [AtRound.create(cast).row.pk, cast.club.pk])


@pytest.mark.services
def test_a_table_with_its_round_is_answered_as_by_its_queryset(cast: Cast) -> None:
    answers_as_its_queryset(rounds._CURRENT_TABLE, [AtRound.create(cast).row.pk, cast.club.pk])


@pytest.mark.services
@transaction.atomic
def test_a_change_compiled_once_is_the_statement_that_django_sends(table: SessionTable) -> None:
    session, game, book = table.session, table.game, ledger.lock_book(table.game).pk
    evenings_of_the_club = Session.objects.filter(club=session.club_id)
    sends_alike(
        lambda: at_evenings.touch(session),
        lambda: evenings_of_the_club.filter(pk=session.pk).update(version=F("version") + 1),
    )
    sends_alike(
        lambda: recording._FORGET_TILES(game.pk, 5),
        lambda: TappedHand.objects.filter(game=game, number__lte=5).delete(),
    )
    sends_alike(
        lambda: ledger._UPDATE_BOOK_HEAD(book, 7, "ab" * 32),
        lambda: Book.objects.filter(pk=book).update(length=7, head="ab" * 32),
    )


@pytest.mark.services
def test_the_version_of_a_tournament_is_raised_as_by_django(cast: Cast) -> None:
    tournament = AtRound.create(cast).row.round.tournament
    of_the_club = Tournament.objects.filter(club=tournament.club_id)
    sends_alike(
        lambda: tournaments.touch(tournament),
        lambda: of_the_club.filter(pk=tournament.pk).update(version=F("version") + 1),
    )


@pytest.mark.services
@pytest.mark.parametrize("model", [Hand, LedgerEntry, Link])
def test_rows_stored_by_one_statement_have_every_column(
    table: SessionTable, model: type[Model]
) -> None:
    stored_rows = list(model._base_manager.all())
    assert stored_rows
    with transaction.atomic():
        model._base_manager.all()._raw_delete(using="default")
        rows = list(map(without_its_key, stored_rows))
        PreparedInsert(model)(rows)
        keys = {row.pk: row for row in model._base_manager.all()}
        assert [columns(keys[row.pk]) for row in rows] == list(map(columns, rows))
        assert list(map(values_of, rows)) == list(map(values_of, stored_rows))
        transaction.set_rollback(True)


def without_its_key(row: Model) -> Model:
    return type(row)(**values_of(row))


def values_of(row: Model) -> dict[str, Any]:
    fields = [field for field in row._meta.concrete_fields if not field.primary_key]
    return {field.attname: getattr(row, field.attname) for field in fields}


def sends_alike(compiled_query: Callable[[], object], plain: Callable[[], object]) -> None:
    with transaction.atomic():
        for _ in range(2):  # drawn up, and sent again
            with CaptureQueriesContext(connection) as queries:
                compiled_query()
        with CaptureQueriesContext(connection) as expected_queries:
            plain()
        assert [query["sql"] for query in queries] == [query["sql"] for query in expected_queries]


def answers_as_its_queryset(query: Any, values: list[Any]) -> None:
    with transaction.atomic():
        plain = [columns(row) for row in query._draw(*values)]
        assert plain
        assert [columns(row) for row in query(*values)] == plain
        assert [columns(row) for row in query(*values)] == plain


def columns(row: Any) -> Any:
    """Every column of a row, its state, and the same of the rows that came with it."""
    if not isinstance(row, Model):
        return row
    state, fields = row._state, row._meta.concrete_fields
    related_fields = [field for field in fields if field.name in state.fields_cache]
    came_with_it = {field.name: columns(getattr(row, field.name)) for field in related_fields}
    values = {field.attname: getattr(row, field.attname) for field in fields}
    return type(row), values, came_with_it, state.adding, state.db
