"""The queries at every hand, compiled once, answer as plain Django does."""

from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from django.db.models import Model

from clubs import tenancy
from clubs.core import queue
from clubs.evenings.event import EveningTable
from clubs.evenings.selectors import evenings
from clubs.models import News, SessionTable
from clubs.table import services as at_table
from clubs.webhooks.services import add_webhook
from scoring.scorebook import ledger, selectors
from scoring.scorebook.reports import Report
from scoring.scorebook.services import recording
from tests.clubs.table.phones import AtRound
from tests.clubs.tables import seated_evening
from tests.people import Cast
from tournaments.rounds import selectors as rounds

SENT = UUID(int=1368)
QUERIES: dict[str, Any] = {
    "game": (ledger._GAME, lambda table: [table.game_id]),
    "book": (ledger._BOOK, lambda table: [table.game.book_id]),
    "outcomes": (selectors._OUTCOMES, lambda table: [table.game_id]),
    "hands": (recording._KNOWN, lambda table: [table.game_id, SENT]),
    "names": (evenings._SITTING, lambda table: [table.pk, table.session.club_id]),
    "programs": (queue._LISTENING, lambda table: [table.session.club_id]),
    "table of a link": (
        tenancy._asking(evenings.tables_with_games, (), ("link_key",), (str,)),
        lambda table: [table.link_key],
    ),
    "version of a link": (
        tenancy._asking(
            SessionTable.objects.all, ("link_key", "session__version"), ("link_key",), (str,)
        ),
        lambda table: [table.link_key],
    ),
}


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    """A table with a hand in its book, and a program that is told of it."""
    add_webhook(club=cast.club, address="https://tongbox.invalid/", kinds=[News.HAND_RECORDED])
    seated = seated_evening(cast.club).tables.select_related("session", "game").get()
    report = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
    at_table.post_hand(
        table=EveningTable(seated), submission_id=SENT, number=1, report=report, sent_by="a test"
    )
    return seated


@pytest.mark.services
@pytest.mark.parametrize("name", QUERIES)
def test_a_query_compiled_once_answers_as_its_queryset(table: SessionTable, name: str) -> None:
    query, values_of = QUERIES[name]
    answers_as_its_queryset(query, values_of(table))


@pytest.mark.services
def test_who_sits_at_a_table_of_a_round_is_answered_as_by_its_queryset(cast: Cast) -> None:
    answers_as_its_queryset(rounds._SITTING, [AtRound.of(cast).row.pk, cast.club.pk])


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
    related = [field for field in fields if field.name in state.fields_cache]
    came_with_it = {field.name: columns(getattr(row, field.name)) for field in related}
    values = {field.attname: getattr(row, field.attname) for field in fields}
    return type(row), values, came_with_it, state.adding, state.db
