"""The tables of an evening: on the wall, in dispute, and on paper."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from clubs.evenings.selectors import floor
from clubs.evenings.selectors.evenings import linked_tables
from clubs.evenings.services import ending, evenings
from clubs.models import Session, SessionTable
from scoring.scorebook.models import Game
from tests.clubs.nights import (
    DRAWN,
    SECOND_WINS,
    evening_of,
    fours,
    make_players,
    night,
    post,
    table_at,
)
from tests.clubs.visits import Visitor
from tests.people import Cast, make_player
from tests.scoring.scorebook.book import agree, decide, dispute
from tests.tournaments import cups
from tournaments.rounds import selectors as in_tournaments

DAY = date(2026, 11, 17)


@pytest.fixture
def session(cast: Cast) -> Session:
    return fours(cast.club, 1)


@pytest.fixture
def table(session: Session) -> SessionTable:
    return session.tables.get()


@pytest.fixture
def three(cast: Cast) -> Session:
    return fours(cast.club, 3)


def wall(session: Session, **query: Any) -> Any:
    """What hangs on the wall for whoever holds the link."""
    return Client().get(reverse("wall", args=[session.wall_key]), query)


def pages(session: Session) -> Any:
    return wall(session).context["wall"].pages


def titles(session: Session) -> list[str]:
    return [page.title for page in pages(session)]


def test_before_the_tables_are_laid_the_wall_counts_who_is_here(cast: Cast) -> None:
    wall_page = wall(evening_of(cast.club, make_players(cast.club, 3)))
    assert (wall_page.context["wall"].pages, wall_page.context["wall"].present_count) == ((), 3)
    assert "checked in. Tables will be announced soon." in wall_page.content.decode()


def test_the_next_step_of_an_open_page_follows_a_dispute(
    cast: Cast, session: Session, table: SessionTable
) -> None:
    (hand,), visitor = post(table, SECOND_WINS), Visitor(cast.secretary)
    address = reverse("evening", args=[session.club.slug, session.pk])
    assert "When the last hand is in" in visitor.read(address)
    dispute(hand, 2)
    news = visitor.read(address, v="0")
    assert ('id="next-step"' in news, "Decide the disputed hands" in news) == (True, True)
    review = reverse("evening-hand", args=[session.club.slug, session.pk, 1, hand.pk])
    assert f'id="enter-1" href="{review}"' in news


def test_the_wall_shows_tables_and_latecomers_then_the_result(
    session: Session, table: SessionTable
) -> None:
    assert titles(session) == ["Seating"]
    latecomer = make_player(session.club, "Late Larry")
    evenings.tick(session=session, player=latecomer, is_here=True)
    assert "Late Larry has no table yet." in wall(session).content.decode()
    post(table, SECOND_WINS)
    assert titles(session) == ["Seating", "Result so far"]
    ending.close_session(session=session)
    assert titles(session) == ["Result"]


def test_in_a_full_club_everybody_finds_their_name_until_the_first_hand(cast: Cast) -> None:
    players = [make_player(cast.club, f"Player {number}") for number in range(28)]
    session = night(cast.club, DAY, *(players[index : index + 4] for index in range(0, 28, 4)))
    first, *other_pages = pages(session)
    assert (first.kind, first.title) == ("seats", "Find your name")
    assert sum(len(column) for column in first.columns) == 28
    assert [page.kind for page in other_pages] == ["tables", "tables"]
    post(table_at(session, 1), SECOND_WINS)
    playing = pages(session)
    assert [page.kind for page in playing] == ["tables", "tables", "result"]
    assert [len(page.tables) for page in playing] == [6, 1, 0]
    assert [[len(column) for column in page.columns] for page in playing] == [[], [], [14, 14]]


@pytest.mark.parametrize(
    ("number", "page_number", "follows"),
    [("", 1, 2), ("2", 2, 1), ("3", 1, 2), ("0", 1, 2), ("x", 1, 2), ("²", 1, 2), ("9" * 9, 1, 2)],
)
def test_without_javascript_the_pages_turn_by_address(
    session: Session, table: SessionTable, number: str, page_number: int, follows: int
) -> None:
    post(table, SECOND_WINS)
    page = wall(session, page=number)
    assert (page.context["wall"].start_page, page.context["wall"].next) == (page_number, follows)
    assert f'content="10; url=?page={follows}"' in page.content.decode()


def test_the_wall_is_sent_again_only_when_newer(session: Session) -> None:
    version = Session.objects.get().version
    with assertNumQueries(1):
        assert wall(session, v=version).status_code == 204
    part = wall(session, v=version - 1)
    assert (part.status_code, b"<html" in part.content) == (200, False)


@pytest.mark.parametrize("tables", [1, 3])
def test_wall_and_paper_sheets_ask_no_more_for_more_tables(cast: Cast, tables: int) -> None:
    session, scorer = fours(cast.club, tables), Visitor(cast.scorer)
    sheets = reverse("evening-sheets", args=["riverside", session.pk])
    scorer.get(sheets)
    with assertNumQueries(7):
        scorer.get(sheets)
    for table in session.tables.all():
        post(table, SECOND_WINS)
    with assertNumQueries(6):
        wall(session)


def test_the_winds_move_on_while_everybody_keeps_a_chair(
    session: Session, table: SessionTable
) -> None:
    post(table, DRAWN, SECOND_WINS)
    (now,) = floor.floor_of(session)
    assert [(seat.wind, seat.name, seat.position, seat.note) for seat in now.seats] == [
        ("E", "Ben", 2, "+240"),
        ("S", "Cy", 3, "−80"),
        ("W", "Di", 4, "−96"),
        ("N", "Ann", 1, "−64"),
    ]
    assert (now.prevailing, now.hands, now.state, now.label) == ("E", 2, "playing", "2 hands")


def test_at_a_table_of_five_one_sits_out(cast: Cast) -> None:
    (table,) = floor.floor_of(night(cast.club, DAY, make_players(cast.club, 5)))
    assert [(seat.wind, seat.name, seat.position) for seat in table.seats] == [
        ("E", "Ann", 1),
        ("S", "Ben", 2),
        ("W", "Cy", 3),
        ("N", "Di", 4),
        (None, "Ed", 5),
    ]
    assert (table.state, table.label) == ("idle", "no hand yet")


def test_who_has_waited_longest_comes_first_with_their_words(three: Session) -> None:
    first, second, _ = three.tables.all()
    late_hand, early_hand = post(first, SECOND_WINS)[0], post(second, DRAWN, SECOND_WINS)[1]
    dispute(early_hand, 3, "East is wrong")
    dispute(late_hand, 2)
    queue = floor.disputes_of(three)
    assert [(waits.table, waits.number, waits.hand) for waits in queue] == [
        (2, 2, early_hand.pk),
        (1, 1, late_hand.pk),
    ]
    assert [(complaint.name, complaint.text) for complaint in queue[0].complaints] == [
        ("Gus", "East is wrong")
    ]


def test_what_is_settled_waits_no_more(session: Session, table: SessionTable) -> None:
    first, other_hand = post(table, SECOND_WINS, DRAWN)
    for hand in (first, other_hand):
        dispute(hand)
    agree(first)
    decide(other_hand)
    assert floor.disputes_of(session) == ()


def test_where_the_scorer_alone_agrees_every_hand_waits_for_a_look(session: Session) -> None:
    Game.objects.update(agreement="scorer")
    (hand,) = post(table_at(session, 1), SECOND_WINS)
    (waits,) = floor.disputes_of(session)
    assert (waits.hand, waits.complaints) == (hand.pk, ())


def test_organisers_see_the_queue_and_players_do_not(cast: Cast, table: SessionTable) -> None:
    dispute(post(table, SECOND_WINS)[0], 2, "my score was 46")
    address = reverse("evening", args=["riverside", table.session_id])
    for person, sees in ((cast.secretary, True), (cast.scorer, True), (cast.player, False)):
        for query in ({}, {"v": "0"}):
            page = Visitor(person).get(address, query).content.decode()
            assert ("my score was 46" in page) == sees


def test_the_evening_says_how_many_hands_nobody_has_agreed_to(
    cast: Cast, table: SessionTable
) -> None:
    agree(post(table, SECOND_WINS, DRAWN)[0])
    address = reverse("close", args=["riverside", table.session_id])
    page = Visitor(cast.secretary).post(address, follow=True)
    assert "1 hand at table 1 is not agreed yet. It counts as entered." in page.content.decode()
    ending.close_session(session=table.session)


def test_the_director_sees_the_disputes_of_all_rounds(cast: Cast) -> None:
    cup = cups.seated_cup(club=cast.club)
    (table,) = cups.tables(cup)
    dispute(cups.post(table, SECOND_WINS)[0], 4, "the winds are wrong")
    (queue,) = in_tournaments.disputes_of(cup)
    assert (queue.round, queue.table, queue.number) == (1, 1, 1)
    page = Visitor(cast.director).get(f"/c/riverside/tournaments/{cup.pk}/").content.decode()
    assert "the winds are wrong" in page
    assert f"/tournaments/{cup.pk}/rounds/1/tables/1/" in page


def stack(session: Session, *started_tables: int) -> floor.SheetStack:
    return floor.stack_of(
        [table.view for table in linked_tables(session)], draft_games=started_tables
    )


def test_what_came_by_phone_and_what_was_typed_is_told_apart(three: Session) -> None:
    first, second, _ = three.tables.all()
    (hand, _) = post(first, SECOND_WINS, DRAWN)
    type(hand).objects.filter(pk=hand.pk).update(sent_by="user 1")
    post(second, DRAWN)
    assert [sheet.text for sheet in stack(three).sheets] == [
        "2 hands: 1 by phone, 1 from paper",
        "1 hand, all by phone",
        "No hands recorded",
    ]


def test_the_next_sheet_is_the_one_that_was_begun_and_then_one_without_a_hand(
    three: Session,
) -> None:
    first, second, third = three.tables.all()
    post(first, DRAWN)
    assert stack(three).next.number == 2  # type: ignore[union-attr]
    assert stack(three, third.game_id).next.number == 3  # type: ignore[union-attr]
    for table in (second, third):
        post(table, DRAWN)
    assert (stack(three).next, stack(three).waiting) == (None, 0)


def test_of_a_planned_number_it_is_known_which_sheet_is_half(
    session: Session, table: SessionTable
) -> None:
    table.game.hands_planned = 2
    table.game.save()
    post(table, DRAWN)
    (sheet,) = stack(session).sheets
    assert (sheet.state, sheet.text) == ("half", "1 of 2 hands, all by phone")


def test_the_page_leads_to_each_sheet(cast: Cast, three: Session) -> None:
    scorer, evening = Visitor(cast.scorer), ["riverside", three.pk]
    url = reverse("evening-sheets", args=evening)
    assert url in scorer.get(reverse("evening", args=evening)).content.decode()
    page = scorer.get(url).content.decode()
    assert "Next sheet: table 1" in page
    for number in (1, 2, 3):
        assert reverse("evening-sheet", args=[*evening, number]) in page
