"""The wall of an evening, and the floor that it shows."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.evenings.selectors.floor import floor_of
from clubs.evenings.services import evenings
from clubs.models import Session
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, night, post
from tests.people import Cast, make_player

DAY = date(2026, 11, 17)


def wall(session: Session, **query: Any) -> Any:
    """What hangs on the wall for whoever holds the link."""
    return Client().get(reverse("wall", args=[session.wall_key]), query)


def titles(session: Session) -> list[str]:
    """The titles of the wall's pages."""
    return [page.title for page in wall(session).context["wall"].pages]


def test_before_the_tables_are_laid_the_wall_counts_who_is_here(cast: Cast) -> None:
    session = evenings.open_session(club=cast.club, held_on=DAY)
    for player in make_players(cast.club, 3):
        evenings.tick(session=session, player=player, is_here=True)
    shown = wall(session)
    assert (shown.context["wall"].pages, shown.context["wall"].here) == ((), 3)
    assert "checked in. Tables will be announced soon." in shown.content.decode()


def test_the_wall_shows_tables_then_the_result(cast: Cast) -> None:
    session = night(cast.club, DAY, make_players(cast.club, 4))
    assert titles(session) == ["Seating"]
    post(session.tables.get(), SECOND_WINS)
    assert titles(session) == ["Seating", "Result so far"]
    evenings.close_session(session=session)
    assert titles(session) == ["Result"]


def seven_tables(cast: Cast) -> Session:
    players = [make_player(cast.club, f"Player {number}") for number in range(28)]
    return night(cast.club, DAY, *(players[at : at + 4] for at in range(0, 28, 4)))


def test_more_than_6_tables_and_24_rows_take_more_pages_and_columns(cast: Cast) -> None:
    session = seven_tables(cast)
    post(session.tables.get(number=1), SECOND_WINS)
    pages = wall(session).context["wall"].pages
    assert [len(page.tables) for page in pages] == [6, 1, 0]
    assert [[len(column) for column in page.columns] for page in pages] == [[], [], [14, 14]]


def test_in_a_full_club_everybody_finds_their_name_until_the_first_hand(cast: Cast) -> None:
    session = seven_tables(cast)
    first, *others = wall(session).context["wall"].pages
    assert (first.kind, first.title) == ("seats", "Find your name")
    assert sum(len(column) for column in first.columns) == 28
    assert [page.kind for page in others] == ["tables", "tables"]
    post(session.tables.get(number=1), SECOND_WINS)
    assert "seats" not in [page.kind for page in wall(session).context["wall"].pages]


def test_whoever_came_after_the_tables_were_laid_is_named(cast: Cast) -> None:
    session = night(cast.club, DAY, make_players(cast.club, 4))
    evenings.tick(session=session, player=make_player(cast.club, "Late Larry"), is_here=True)
    assert "Late Larry has no table yet." in wall(session).content.decode()


@pytest.mark.parametrize(
    ("number", "shown", "follows"),
    [("", 1, 2), ("2", 2, 1), ("3", 1, 2), ("0", 1, 2), ("x", 1, 2), ("²", 1, 2), ("9" * 9, 1, 2)],
)
def test_without_javascript_the_pages_turn_by_address(
    cast: Cast, number: str, shown: int, follows: int
) -> None:
    session = night(cast.club, DAY, make_players(cast.club, 4))
    post(session.tables.get(), SECOND_WINS)
    page = wall(session, page=number)
    assert (page.context["wall"].shown, page.context["wall"].next) == (shown, follows)
    assert f'content="10; url=?page={follows}"' in page.content.decode()


def test_the_wall_is_sent_again_only_when_newer(cast: Cast, django_assert_num_queries: Any) -> None:
    session = night(cast.club, DAY, make_players(cast.club, 4))
    version = Session.objects.get().version
    with django_assert_num_queries(1):
        assert wall(session, v=version).status_code == 204
    part = wall(session, v=version - 1)
    assert (part.status_code, b"<html" in part.content) == (200, False)


@pytest.mark.parametrize("tables", [1, 3])
def test_the_wall_asks_no_more_for_more_tables(
    cast: Cast, tables: int, django_assert_num_queries: Any
) -> None:
    players = make_players(cast.club, 12)
    session = night(cast.club, DAY, *(players[at : at + 4] for at in range(0, 4 * tables, 4)))
    for table in session.tables.all():
        post(table, SECOND_WINS)
    with django_assert_num_queries(6):
        wall(session)


def test_the_winds_move_on_while_everybody_keeps_a_chair(cast: Cast) -> None:
    session = night(cast.club, DAY, make_players(cast.club, 4))
    post(session.tables.get(), DRAWN, SECOND_WINS)
    (table,) = floor_of(session)
    assert [(seat.wind, seat.name, seat.position, seat.note) for seat in table.seats] == [
        ("E", "Ben", 2, "+240"),
        ("S", "Cy", 3, "−80"),
        ("W", "Di", 4, "−96"),
        ("N", "Ann", 1, "−64"),
    ]
    assert (table.prevailing, table.hands, table.state, table.label) == (
        "E",
        2,
        "playing",
        "2 hands",
    )


def test_at_a_table_of_five_one_sits_out(cast: Cast) -> None:
    session = night(cast.club, DAY, make_players(cast.club, 5))
    (table,) = floor_of(session)
    assert [(seat.wind, seat.name, seat.position) for seat in table.seats] == [
        ("E", "Ann", 1),
        ("S", "Ben", 2),
        ("W", "Cy", 3),
        ("N", "Di", 4),
        (None, "Ed", 5),
    ]
    assert (table.state, table.label) == ("idle", "no hand yet")
