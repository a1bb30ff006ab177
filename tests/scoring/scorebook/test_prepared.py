"""Queries that are drawn up once: they answer as Django's own, for whatever values."""

from functools import partial
from uuid import UUID, uuid4

import pytest
from django.db import transaction
from django.db.transaction import TransactionManagementError
from pytest_django import DjangoAssertNumQueries

from scoring.scorebook.models import Game, Hand, Seat
from scoring.scorebook.prepared import Prepared
from tests.scoring.scorebook.book import open_game, open_tables
from tests.threads import at_once


@pytest.fixture
def games(db: None) -> list[Game]:
    return [open_game(), open_game(3)]


def test_each_value_finds_its_own_row(games: list[Game]) -> None:
    asked = Prepared(lambda key: Game.objects.filter(pk=key), int)
    assert [asked.first(game.pk) for game in games] == games
    assert asked.first(0) is None


def test_a_row_has_every_column(games: list[Game]) -> None:
    found = Prepared(lambda key: Game.objects.filter(pk=key), int).first(games[1].pk)
    stored = Game.objects.get(pk=games[1].pk)
    names = [field.attname for field in Game._meta.concrete_fields]
    assert [getattr(found, name) for name in names] == [getattr(stored, name) for name in names]


def test_related_rows_come_with_it(
    games: list[Game], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    asked = Prepared(
        lambda game: Seat.objects.select_related("game").filter(game=game).order_by("number"), int
    )
    asked(games[0].pk)
    with django_assert_num_queries(1):
        seats = asked(games[1].pk)
        assert [(seat.number, seat.game.size) for seat in seats] == [(1, 3), (2, 3), (3, 3)]


def test_several_values_go_to_their_places_and_constants_stay(games: list[Game]) -> None:
    asked = Prepared(
        lambda game, above: (
            Seat.objects.filter(points=0, number__gt=above, game=game)
            .order_by("-number")
            .values_list("number", flat=True)
        ),
        int,
        int,
    )
    assert asked(games[0].pk, 2) == [4, 3]
    assert asked(games[1].pk, 1) == [3, 2]


def test_a_uuid_or_a_text_is_a_value_too(games: list[Game]) -> None:
    assert Prepared(lambda key: Hand.objects.filter(submission_id=key), UUID)(uuid4()) == []
    played_by = Prepared(lambda rules: Game.objects.filter(rules=rules).order_by("pk"), str)
    assert played_by(games[0].rules) == games
    assert played_by("none of these") == []


def test_a_value_that_does_not_get_into_the_statement_is_told(db: None) -> None:
    shifted = Prepared(lambda number: Seat.objects.filter(number=number + 1), int)
    with pytest.raises(ValueError, match="as they are"):
        shifted(1)


@pytest.mark.django_db(transaction=True)
def test_no_row_is_locked_without_a_transaction() -> None:
    locked = Prepared(lambda key: Game.objects.select_for_update().filter(pk=key), int)
    with transaction.atomic():
        assert locked(1) == []
    with pytest.raises(TransactionManagementError):
        locked(1)


@pytest.mark.services
@pytest.mark.django_db(transaction=True)
def test_every_thread_asks_by_its_own_connection() -> None:
    games = open_tables(2)
    asked = Prepared(lambda key: Game.objects.filter(pk=key), int)

    assert at_once([partial(asked.first, game.pk) for game in games] * 4) == games * 4
