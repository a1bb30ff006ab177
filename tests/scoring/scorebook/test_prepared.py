"""Statements that are compiled once: they do what Django's own do, for whatever values."""

from contextlib import suppress
from functools import partial
from uuid import UUID, uuid4

import pytest
from django.db import IntegrityError, transaction
from django.db.models import F
from django.db.transaction import TransactionManagementError
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scoring.scorebook.models import Book, Game, Hand, Link, LinkKind, Seat
from scoring.scorebook.prepared import (
    PreparedChange,
    PreparedInsert,
    PreparedQuery,
    delete_query,
    update_query,
)
from tests.scoring.scorebook.book import open_game, open_tables
from tests.threads import at_once


@pytest.fixture
def games(db: None) -> list[Game]:
    return [open_game(), open_game(3)]


def test_each_value_finds_its_own_row(games: list[Game]) -> None:
    query = PreparedQuery(lambda key: Game.objects.filter(pk=key), int)
    assert [query.first(game.pk) for game in games] == games
    assert query.first(0) is None


def test_a_row_has_every_column(games: list[Game]) -> None:
    queried_game = PreparedQuery(lambda key: Game.objects.filter(pk=key), int).first(games[1].pk)
    stored_game = Game.objects.get(pk=games[1].pk)
    names = [field.attname for field in Game._meta.concrete_fields]
    assert [getattr(queried_game, name) for name in names] == [
        getattr(stored_game, name) for name in names
    ]


def test_related_rows_come_with_it(
    games: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    query = PreparedQuery(
        lambda game: Seat.objects.select_related("game").filter(game=game).order_by("number"), int
    )
    query(games[0].pk)
    with django_assert_num_queries(1):
        seats = query(games[1].pk)
        assert [(seat.number, seat.game.size) for seat in seats] == [(1, 3), (2, 3), (3, 3)]


def test_several_values_go_to_their_places_and_constants_stay(games: list[Game]) -> None:
    query = PreparedQuery(
        lambda game, number: (
            Seat.objects.filter(points=0, number__gt=number, game=game)
            .order_by("-number")
            .values_list("number", flat=True)
        ),
        int,
        int,
    )
    assert query(games[0].pk, 2) == [4, 3]
    assert query(games[1].pk, 1) == [3, 2]


def test_a_uuid_or_a_text_is_a_value_too(games: list[Game]) -> None:
    assert PreparedQuery(lambda key: Hand.objects.filter(submission_id=key), UUID)(uuid4()) == []
    played_by = PreparedQuery(lambda rules: Game.objects.filter(rules=rules).order_by("pk"), str)
    assert played_by(games[0].rules) == games
    assert played_by("none of these") == []


def test_a_value_that_does_not_get_into_the_statement_is_told(db: None) -> None:
    shifted_query = PreparedQuery(lambda number: Seat.objects.filter(number=number + 1), int)
    with pytest.raises(ValueError, match="as they are"):
        shifted_query(1)


@pytest.mark.django_db(transaction=True)
def test_no_row_is_locked_without_a_transaction() -> None:
    locking_query = PreparedQuery(lambda key: Game.objects.select_for_update().filter(pk=key), int)
    with transaction.atomic():
        assert locking_query(1) == []
    with pytest.raises(TransactionManagementError):
        locking_query(1)


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_every_thread_asks_by_its_own_connection() -> None:
    games = open_tables(2)
    query = PreparedQuery(lambda key: Game.objects.filter(pk=key), int)

    assert at_once([partial(query.first, game.pk) for game in games] * 4) == games * 4


def test_an_update_changes_the_rows_of_its_values_alone(games: list[Game]) -> None:
    points_change = PreparedChange(
        lambda game, number, best: update_query(
            Seat.objects.filter(game=game, number__gt=number),
            points=F("points") + 1,
            best_hand=best,
        ),
        *(int, int, int),
    )
    points_change(games[0].pk, 2, 64)
    points_change(games[1].pk, 1, 32)
    points_change(games[1].pk, 2, 100)
    seats = Seat.objects.order_by("game", "number").values_list("points", "best_hand")
    first = [(0, 0), (0, 0), (1, 64), (1, 64)]
    assert list(seats) == [*first, (0, 0), (1, 32), (2, 100)]


def test_rows_are_deleted_for_their_values_alone(games: list[Game]) -> None:
    deletion = PreparedChange(
        lambda game, number: delete_query(Seat.objects.filter(game=game, number=number)), int, int
    )
    deletion(games[0].pk, 2)
    deletion(games[0].pk, 4)
    seat_numbers = Seat.objects.order_by("game", "number").values_list("number", flat=True)
    assert list(seat_numbers) == [1, 3, 1, 2, 3]


def test_a_change_whose_value_does_not_get_into_the_statement_is_refused(games: list[Game]) -> None:
    shifted_change = PreparedChange(
        lambda key: delete_query(Seat.objects.filter(number=key + 1)), int
    )
    with pytest.raises(ValueError, match="as they are"):
        shifted_change(1)


def test_rows_stored_at_once_have_their_keys_and_every_column(
    games: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    links = [_link(games[0].book, number) for number in (1, 2, 3)]
    with django_assert_num_queries(1):
        PreparedInsert(Link)(links)
    names = [field.attname for field in Link._meta.concrete_fields]
    for link in links:
        stored_link = Link.objects.get(pk=link.pk)
        assert [getattr(stored_link, name) for name in names] == [
            getattr(link, name) for name in names
        ]


def test_what_may_not_be_stored_is_refused(games: list[Game]) -> None:
    store = PreparedInsert(Link)
    store([_link(games[0].book, 1)])
    with pytest.raises(IntegrityError), transaction.atomic():
        store([_link(games[0].book, 1)])


@pytest.mark.django_db(transaction=True)
def test_nothing_is_kept_of_a_transaction_whose_refused_row_was_overlooked() -> None:
    book, store = open_game().book, PreparedInsert(Link)
    store([_link(book, 1)])
    with transaction.atomic():
        store([_link(book, 2)])
        with suppress(IntegrityError):
            store([_link(book, 1)])
        with pytest.raises(TransactionManagementError):
            store([_link(book, 3)])
    assert list(Link.objects.values_list("number", flat=True)) == [1]


def _link(book: Book | None, number: int) -> Link:
    return Link(
        book=book,
        number=number,
        kind=LinkKind.HAND,
        state="",
        sealed=f"hand {number}",
        digest=f"{number:064}",
        written_at=timezone.now(),
    )
