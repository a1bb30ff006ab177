"""A substitute takes a chair or a fifth player joins: winds, sticks, goulash and totals go on."""

from collections.abc import Iterable, Sequence
from datetime import date
from importlib import import_module
from uuid import uuid4

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings, strategies as st
from hypothesis.extra.django import TestCase

from clubs.evenings.event import EveningTable
from clubs.evenings.papers import PAPERS, PrintOptions, seated_tables
from clubs.evenings.selectors.door import attendance_list
from clubs.evenings.selectors.evenings import (
    disputed_hands,
    linked_tables,
    result_of,
    tables_now,
    tables_of,
)
from clubs.evenings.selectors.floor import disputes_of, floor_of, players_waiting
from clubs.evenings.services import ending, evenings
from clubs.models import Club, Player, Session, SessionTable
from clubs.models.names import ORGANISER_READER
from clubs.table import services as at_table
from clubs.table.event import PlayedTable
from clubs.table.forms.sheets import TypedSheet
from clubs.table.papers.cards import SeatedTable
from clubs.table.papers.grid import grid_lines
from clubs.table.rows import Arrival, signed_points
from scoring import Wind
from scoring.scorebook import services as scorebook
from scoring.scorebook.models import Book, Game, Hand, HandState, RepairKind
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import progress
from scoring.scorebook.verifying import recount, verify_book
from tests.clubs.nights import (
    DRAWN,
    correct,
    make_players,
    night,
    page_of,
    post,
    post_next,
    table_at,
)
from tests.clubs.visits import Visitor
from tests.paper import words_of
from tests.people import Cast, make_club

TUESDAY = date(2026, 11, 17)


FOUR = (1, 2, 3, 4)


def wins(seat: int, score: int = 60, playing: Iterable[int] = FOUR) -> Report:
    """The seat goes Mah-Jong with the score; the others have 0."""
    return Report(winner=seat, totals={**dict.fromkeys(playing, 0), seat: score})


def next_won(session: Session, seat: int) -> Hand:
    """The next hand of table 1, in which the seat goes Mah-Jong."""
    table = table_at(session, 1)
    return post_next(table, wins(seat, playing=progress(table.game).deals[-1].winds))


@pytest.fixture
def session(cast: Cast) -> Session:
    """Ann, Ben, Cy and Di have played the East round; Ed is here without a seat."""
    players = make_players(cast.club, 5)
    session = night(cast.club, TUESDAY, players[:4])
    evenings.tick(session=session, player=players[4], is_here=True)
    post(table_at(session, 1), wins(2), wins(3), wins(4), wins(1), wins(2))
    return session


def person(session: Session, name: str) -> Player:
    return session.club.players.get(name=name)


def takes_over(session: Session, leaver: str, comes: str) -> tuple[str, ...]:
    return evenings.take_over(
        session=session,
        leaver=person(session, leaver),
        player=person(session, comes),
        goes_home=False,
    )


def joins(session: Session, name: str) -> tuple[str, ...]:
    return evenings.join_table(session=session, player=person(session, name), number=1)


def leaves(session: Session, name: str) -> tuple[str, ...]:
    return evenings.leave_table(session=session, leaver=person(session, name), goes_home=True)


def next_deal(session: Session) -> tuple[str, str, bool]:
    """Who is East at table 1's next hand, what prevails, and whether it is a goulash."""
    table = table_at(session, 1)
    deal = progress(table.game).deals[-1]
    east = table.places.get(seat__number=deal.dealer).player.name
    return east, str(deal.prevailing_wind), deal.goulash


def played_table(session: Session) -> PlayedTable:
    return PlayedTable(
        event=EveningTable(table_at(session, 1)), sent_by="table 1", reader=ORGANISER_READER
    )


def is_whole(session: Session) -> bool:
    """Whether everything adds up: the games replayed, and the sealed book."""
    books = Book.objects.filter(games__session_table__session=session)
    return not recount().differences and not any(verify_book(book.pk).findings for book in books)


def test_a_substitute_goes_on_with_the_wind_the_deal_and_the_goulash(session: Session) -> None:
    assert next_deal(session) == ("Ben", "S", False)
    post_next(table_at(session, 1), DRAWN)
    messages = takes_over(session, "Cy", "Ed")
    assert messages == (
        "The 6 hands already played at table 1 still count for the people who played them.",
        (
            "From the next hand, table 1 is Ben (East), Ed (South), Di (West) and Ann (North), "
            "with South as the prevailing wind."
        ),
        "The next hand is a goulash.",
        "Ed takes over Cy’s wind and, if you use them, counting sticks.",
        "The table card stays the same.",
        "Cy is waiting for another seat.",
    )
    assert next_deal(session) == ("Ben", "S", True)
    assert is_whole(session)


def test_after_a_takeover_every_place_shows_the_same_seats(session: Session) -> None:
    """The winds go on: cards, lists, sheets, the screen, the phone and the API say who is East."""
    post_next(table_at(session, 1), DRAWN)
    takes_over(session, "Cy", "Ed")
    winds = {"Ben": Wind.E, "Ed": Wind.S, "Di": Wind.W, "Ann": Wind.N}
    phone = played_table(session)
    assert {seat.name: seat.wind for seat in phone.view.seats} == winds
    assert {seat.name: seat.wind for seat in floor_of(session)[0].seats} == winds
    assert {place.name: place.wind for place in tables_of(session)[0].places} == winds
    sheet = TypedSheet(phone.game, phone.view, phone.rules, start={}, may_change=True)
    assert {name: wind for _, name, wind in sheet.columns} == winds
    (card,) = seated_tables(session.club, tables_now(session), build_url=str)
    assert [(chair.name, chair.wind) for chair in card.chairs_from_east] == [*winds.items()]
    seat_labels = [f"{name} {wind.label}" for name, wind in winds.items()]
    assert [
        label for label in seat_labels if label in first_page_text(session, "cards")
    ] == seat_labels
    seat_rows = [f"{name} 1 {winds[name].label}" for name in sorted(winds)]
    assert [label for label in seat_rows if label in first_page_text(session, "seats")] == seat_rows


def first_page_text(session: Session, kind: str) -> str:
    """The words of the first page of one of the evening’s papers."""
    paper = PAPERS[kind].render(session, PrintOptions(build_url=str))
    assert paper is not None
    return " ".join(words_of(paper)[0].split())


def test_a_substitute_has_the_sticks_of_the_chair(session: Session) -> None:
    sticks_before = played_table(session).sticks_before(6)
    takes_over(session, "Cy", "Ed")
    assert played_table(session).sticks_before(1) == sticks_before
    assert sticks_before != dict.fromkeys(range(1, 5), 2000)
    hand = next_won(session, 3)
    assert played_table(session).sticks_before(2) == {
        seat: points + hand.gains[seat] for seat, points in sticks_before.items()
    }


def test_a_fifth_player_has_sticks_of_their_own_and_the_others_keep_theirs(
    session: Session,
) -> None:
    sticks = played_table(session).sticks_before(6)
    joins(session, "Ed")
    # Ben is East now and has the first seat.
    assert played_table(session).sticks_before(1) == {
        1: sticks[2],
        2: sticks[3],
        3: sticks[4],
        4: sticks[1],
        5: 2000,
    }


def test_the_phone_shows_what_each_has_won_at_the_table_all_evening(session: Session) -> None:
    points_before = {row.name: row.points for row in result_of(session)}
    takes_over(session, "Cy", "Ed")
    hand = next_won(session, 3)
    table_points = {seat.name: seat.points for seat in played_table(session).view.seats}
    gains = dict(zip(("Ann", "Ben", "Ed", "Di"), hand.gains.values(), strict=True))
    assert table_points == {name: points_before.get(name, 0) + gain for name, gain in gains.items()}
    assert table_points == {
        row.name: row.points for row in result_of(session) if row.name in table_points
    }
    (now,) = (table for table in linked_tables(session) if table.view.number == 1)
    assert list(now.view.totals.values()) == list(table_points.values())
    (floor,) = floor_of(session)
    assert floor.label == "6 hands"
    assert {chair.name: chair.note for chair in floor.seats} == {
        name: floor_note(points) for name, points in table_points.items()
    }


def floor_note(points: int) -> str:
    return f"+{points:,}" if points > 0 else f"−{-points:,}"


def test_an_ended_part_has_the_totals_of_its_time(session: Session) -> None:
    totals = dict(linked_tables(session)[0].view.totals)
    takes_over(session, "Cy", "Ed")
    next_won(session, 3)
    takes_over(session, "Di", "Cy")
    tables = {table.view.number: table.view for table in linked_tables(session)}
    assert tables[1001].totals == totals
    assert tables[2001].totals[1] == totals[1] + Hand.objects.latest("pk").gains[1]
    # Cy comes back in Di's chair, with what Cy had won before.
    assert tables[1].totals[4] == totals[3]


def test_a_table_of_another_size_keeps_what_prevails_and_begins_its_round_again(
    session: Session,
) -> None:
    next_won(session, 3)
    assert next_deal(session) == ("Cy", "S", False)
    messages = joins(session, "Ed")
    assert (
        "With five players the South round starts again: it ends when all five have been East."
        in (messages)
    )
    assert next_deal(session) == ("Cy", "S", False)
    for winner in (2, 3, 4, 5):
        next_won(session, winner)
    assert next_deal(session) == ("Ed", "S", False)
    messages = leaves(session, "Ed")
    assert next_deal(session) == ("Cy", "S", False)
    assert messages[1].endswith("with South as the prevailing wind.")
    assert is_whole(session)


def test_two_changes_without_a_hand_between_them_go_on_from_the_last_hand(session: Session) -> None:
    sticks = played_table(session).sticks_before(6)
    joins(session, "Ed")
    leaves(session, "Cy")
    # Ed has taken Cy's place in the order, with sticks of his own.
    assert next_deal(session) == ("Ben", "S", False)
    assert played_table(session).sticks_before(1) == {
        1: sticks[2],
        2: sticks[4],
        3: sticks[1],
        4: 2000,
    }
    next_won(session, 1)
    assert is_whole(session)


def test_who_took_a_chair_keeps_it_when_others_come_or_leave(session: Session) -> None:
    joins(session, "Ed")
    leaves(session, "Cy")
    next_won(session, 1)
    leaves(session, "Ann")
    # Ed took the chair of Cy, after Ben and before Di.
    places = table_at(session, 1).places.values_list("seat__number", "player__name")
    winds = progress(table_at(session, 1).game).deals[-1].winds
    assert {name: winds[seat].value for seat, name in places} == {"Ben": "E", "Ed": "S", "Di": "W"}
    assert is_whole(session)


def test_undone_the_table_is_as_it_was(session: Session) -> None:
    deal_before, sticks = next_deal(session), played_table(session).sticks_before(6)
    takes_over(session, "Cy", "Ed")
    evenings.undo_change(session=session, number=1)
    assert (next_deal(session), played_table(session).sticks_before(6)) == (deal_before, sticks)
    assert Game.objects.filter(continues__isnull=False).count() == 0
    takes_over(session, "Di", "Ed")
    assert next_deal(session) == deal_before


def test_a_correction_before_the_change_moves_the_winds_after_it(session: Session) -> None:
    takes_over(session, "Cy", "Ed")
    next_won(session, 3)
    next_won(session, 4)
    sticks_before = played_table(session).sticks_before(3)
    assert next_deal(session)[:2] == ("Di", "S")
    # In hand 5 Ann, not Ben, went Mah-Jong: she was East and stays so.
    fifth = table_at(session, 1001).game.hands.get(number=5)
    correct(fifth, wins(1))
    later_hands = table_at(session, 1).game.hands.filter(is_current=True).order_by("number")
    assert [hand.deal["dealer"] for hand in later_hands] == [1, 2]
    assert {hand.state for hand in later_hands} == {HandState.DECIDED}
    assert next_deal(session)[:2] == ("Ed", "S")
    assert played_table(session).sticks_before(3) != sticks_before
    assert is_whole(session)
    assert sum(row.points for row in result_of(session)) == 0


def test_a_correction_that_leaves_the_winds_moves_only_sticks(session: Session) -> None:
    takes_over(session, "Cy", "Ed")
    hand = next_won(session, 3)
    sticks_before = played_table(session).sticks_before(2)
    correct(table_at(session, 1001).game.hands.get(number=1), wins(2, 100))
    assert table_at(session, 1).game.hands.get(is_current=True) == hand
    # East pays the 40 more twice; the others have less too, and Ben has all of it.
    assert {
        seat: now - sticks_before[seat]
        for seat, now in played_table(session).sticks_before(2).items()
    } == {1: -80, 2: 160, 3: -40, 4: -40}
    assert is_whole(session)


def test_a_correction_that_would_not_fit_after_the_change_is_refused(cast: Cast) -> None:
    players = make_players(cast.club, 6)
    session = night(cast.club, TUESDAY, players[:5])
    evenings.tick(session=session, player=players[5], is_here=True)
    post(table_at(session, 1), wins(2))
    takes_over(session, "Di", "Flo")
    next_won(session, 5)  # who sat out in hand 1
    with pytest.raises(Refused, match="Hand 2, played after the players changed, would no longer"):
        correct(table_at(session, 1001).game.hands.get(), wins(1))
    assert table_at(session, 1001).game.hands.get().winner == 2
    assert is_whole(session)


def test_the_preview_of_a_correction_names_who_played_after_the_change(
    alice: Visitor, session: Session
) -> None:
    takes_over(session, "Cy", "Ed")
    next_won(session, 3)
    hand = table_at(session, 1001).game.hands.get(number=5)
    page = page_of("evening-hand", session, 1001, hand.pk)
    form_data = {"tell": "totals", "winner": "1", "score_1": "60", "score_2": "0", "score_3": "0"}
    answer = alice.post(page, {**form_data, "score_4": "0", "reason": "a slip", "step": "look"})
    text = answer.content.decode()
    assert "Hand 6 after the change of players" in text
    assert "Before: " in text
    assert "Ed +" in text


def test_a_repair_and_its_undoing_reach_the_hands_after_the_change(session: Session) -> None:
    takes_over(session, "Cy", "Ed")
    next_won(session, 3)
    hands_before = [(hand.deal, hand.gains) for hand in table_at(session, 1).game.hands.all()]
    game = table_at(session, 1001).game
    mistake = scorebook.Mistake(kind=RepairKind.WINNER, game_id=game.pk, first=5, report=wins(1))
    repair_result = scorebook.repair_games(
        mistake=mistake, description="Ann won", reason="a slip", made_by="user 1"
    )
    assert is_whole(session)
    assert next_deal(session)[:2] == ("Ben", "S")
    scorebook.undo_repair(repair_id=repair_result.repair.pk, undone_by="user 1")
    current = table_at(session, 1).game.hands.filter(is_current=True)
    assert [(hand.deal, hand.gains) for hand in current] == hands_before
    assert is_whole(session)


def test_a_finished_evening_says_what_everyone_has(cast: Cast, session: Session) -> None:
    takes_over(session, "Cy", "Ed")
    next_won(session, 3)
    ending.close_session(session=session)
    text = Visitor(cast.player).get(reverse("table", args=[table_at(session, 1).link_key])).text
    for row in result_of(session):
        if row.name != "Cy":
            assert floor_note(row.points) in text


def test_an_evening_that_never_counted_is_taken_away_whole(session: Session) -> None:
    takes_over(session, "Cy", "Ed")
    next_won(session, 3)
    books = set(Game.objects.values_list("book", flat=True))
    session.places.all().delete()
    session.tables.all().delete()
    scorebook.remove_books([book for book in books if book])
    assert not Game.objects.exists()


def test_an_opening_that_was_changed_by_hand_is_found(session: Session) -> None:
    takes_over(session, "Cy", "Ed")
    game = table_at(session, 1).game
    assert game.opening is not None
    for wrong in (None, {"seats": [1, 2, 3, 4], "state": {**game.opening["state"], "rounds": 3}}):
        Game.objects.filter(pk=game.pk).update(opening=wrong)
        assert recount().differences
    Game.objects.filter(pk=game.pk).update(opening={"seats": [1], "state": "x"})
    assert any("cannot be played again" in difference for difference in recount().differences)


class Evenings(TestCase):
    """Changes of people at any hand leave winds, deal, goulash and sticks as they were."""

    @settings(max_examples=10, deadline=None)
    @given(data=st.data())
    def test_the_evening_has_the_winds_of_the_same_evening_without_changes(
        self, data: st.DataObject
    ) -> None:
        size = data.draw(st.sampled_from([3, 4, 5]))
        outcomes, breaks = self._draw_reports(data, size)
        changed_evening = self._play_evening("one", size, outcomes, breaks)
        unbroken_evening = self._play_evening("other", size, outcomes, set())
        assert changed_evening == unbroken_evening
        assert recount().differences == ()

    @staticmethod
    def _draw_reports(data: st.DataObject, size: int) -> tuple[list[Report], set[int]]:
        reports: list[Report] = []
        club = make_club("Trial", f"trial-{Club.objects.count()}")
        table = table_at(night(club, TUESDAY, make_players(club, size)), 1)
        for _ in range(data.draw(st.integers(1, 9))):
            playing = progress(table.game).deals[-1].winds
            winner = data.draw(st.sampled_from([None, *playing]))
            reports.append(DRAWN if winner is None else wins(winner, playing=playing))
            post_next(table, reports[-1])
        breaks = data.draw(st.sets(st.integers(1, len(reports)), max_size=4))
        return reports, breaks

    @staticmethod
    def _play_evening(
        name: str, size: int, outcomes: Sequence[Report], breaks: set[int]
    ) -> list[tuple[object, ...]]:
        club = make_club(name, f"{name}-{Club.objects.count()}")
        players = make_players(club, size + 1)
        session = night(club, TUESDAY, players[:size])
        evenings.tick(session=session, player=players[size], is_here=True)
        states: list[tuple[object, ...]] = []
        for at_hand, report in enumerate(outcomes):
            if at_hand in breaks:
                waits = players_waiting(session).get()
                leaver = session.places.get(is_current=True, seat__number=1 + at_hand % size)
                evenings.take_over(
                    session=session, leaver=leaver.player, player=waits, goes_home=False
                )
            table = played_table(session)
            deal = table.deal(table.next_number)
            winds, wind = dict(deal.winds), deal.prevailing_wind
            states.append(
                (winds, deal.dealer, wind, deal.goulash, table.sticks_before(table.next_number))
            )
            hand = post_next(table_at(session, 1), report)
            states.append((hand.gains,))
        return states


def sheet_words(alice: Visitor, session: Session, kind: str) -> str:
    """The text of a printout of the evening."""
    return " ".join(words_of(alice.get(page_of(f"{kind}-pdf", session)).content))


def test_the_tally_sheet_has_everyone_who_played_at_the_table(
    alice: Visitor, session: Session
) -> None:
    takes_over(session, "Cy", "Ed")
    post_next(table_at(session, 1), DRAWN)
    leaves(session, "Di")
    next_won(session, 1)
    tables = [table.view for table in linked_tables(session) if table.view.number == 1]
    points = [
        *tables[0].totals.values(),
        *(departed_points for _, departed_points in tables[0].leavers),
    ]
    assert [name for name, _ in tables[0].leavers] == ["Cy", "Di"]
    assert sum(points) == 0
    text = sheet_words(alice, session, "tally")
    for row in result_of(session):
        assert f"{row.name}{' (has left)' if row.name in {'Cy', 'Di'} else ''}" in text
        assert floor_note(row.points) in text


def test_a_phone_has_the_totals_of_whoever_has_left(session: Session, client: Client) -> None:
    takes_over(session, "Cy", "Ed")
    post_next(table_at(session, 1), DRAWN)
    leaves(session, "Di")
    next_won(session, 1)
    won = {row.name: row.points for row in result_of(session)}
    key = table_at(session, 1).link_key
    during = client.get(reverse("table-standings", args=[key])).content.decode()
    ending.close_session(session=session)
    html_after = client.get(reverse("table", args=[key])).content.decode()
    for name in ("Cy", "Di"):
        total = f'<td class="num total">{signed_points(won[name])}</td>'
        row = f'<th scope="row">{name} <span class="sub">has left</span></th>{total}'
        assert row in during
        assert row in html_after


def test_whoever_has_left_and_whoever_sits_have_names_apart(
    session: Session, client: Client
) -> None:
    for name, full in (("Cy", "Ann Hall"), ("Ed", "Ann Hunt")):
        session.club.players.filter(name=name).update(name=full, shown_as="initial")
    takes_over(session, "Ann Hall", "Ann Hunt")
    post_next(table_at(session, 1), DRAWN)
    page = client.get(
        reverse("table-standings", args=[table_at(session, 1).link_key])
    ).content.decode()
    assert "Ann Ha." in page
    assert "Ann Hu." in page


def test_the_emergency_pack_has_the_sheets_of_earlier_games(
    alice: Visitor, session: Session
) -> None:
    takes_over(session, "Cy", "Ed")
    text = sheet_words(alice, session, "emergency")
    assert "Table 1, hands 1 to 5" in text
    assert text.count("If Tongbox stops") == 1


@pytest.mark.parametrize("kind", ["seats", "emergency"])
def test_the_seating_list_says_who_has_no_table_yet(
    alice: Visitor, session: Session, kind: str
) -> None:
    assert "Ed has no table yet." in sheet_words(alice, session, kind)
    takes_over(session, "Cy", "Ed")
    assert "Cy has no table yet." in sheet_words(alice, session, kind)
    joins(session, "Cy")
    assert "no table yet" not in sheet_words(alice, session, kind)


def test_an_early_leaver_is_on_the_attendance_list(session: Session) -> None:
    takes_over(session, "Cy", "Ed")
    leaves(session, "Di")
    assert {row.name for row in attendance_list(session) if row.is_here} == {
        *("Ann", "Ben", "Cy", "Di", "Ed")
    }
    Player.objects.filter(name="Di").update(is_active=False)
    assert Arrival("Di", is_here=True) in attendance_list(session)


def test_a_score_sheet_goes_on_from_the_totals_before_the_change(session: Session) -> None:
    takes_over(session, "Cy", "Ed")
    next_won(session, 3)
    (table,) = (table for table in linked_tables(session) if table.view.number == 1)
    (line, *_) = grid_lines(SeatedTable("Riverside", table.view, ""))
    assert dict(line.so_far) == table.view.totals


def test_every_page_goes_on_counting_the_hands(alice: Visitor, session: Session) -> None:
    takes_over(session, "Cy", "Ed")
    phone = reverse("table", args=[table_at(session, 1).link_key])
    assert "Hand 6: who went Mah-Jong?" in alice.get(phone).text
    assert "Check hand 6" in alice.get(page_of("evening-table", session, 1)).text
    hand = next_won(session, 3)
    assert "Hand 6 saved." in alice.get(f"{phone}?saved=1").text
    hands = reverse("table-hands", args=[table_at(session, 1).link_key])
    assert "Hand 6" in alice.get(hands).text
    assert (
        "Undo hand 6?"
        in alice.get(reverse("table-undo", args=[table_at(session, 1).link_key, hand.pk])).text
    )


def test_the_hands_before_a_change_are_not_said_to_be_missing(
    alice: Visitor, session: Session
) -> None:
    joins(session, "Ed")
    hands = reverse("table-hands", args=[table_at(session, 1).link_key])
    desk = page_of("evening-table", session, 1)
    for _ in range(2):
        for page in (alice.read(hands), alice.read(desk)):
            assert "Hands 1 to 5" in page
            assert "No hand has been entered yet." not in page
        next_won(session, 3)
    assert "Hands 1 to 5 were played before the players changed" in alice.read(hands)


def test_the_score_book_adds_up_after_a_change(session: Session) -> None:
    joins(session, "Ed")
    hand = next_won(session, 3)
    view = played_table(session).view
    earlier_points = dict(zip(sorted(view.names), view.earlier_points, strict=True))
    assert any(earlier_points.values())
    assert view.totals == {
        seat: points + hand.gains.get(seat, 0) for seat, points in earlier_points.items()
    }


def preview(table: SessionTable, number: int) -> None:
    at_table.preview_hand(
        table=EveningTable(table), submission_id=uuid4(), number=number, report=wins(2)
    )


def test_what_cannot_be_done_names_the_hand_as_people_count_it(session: Session) -> None:
    takes_over(session, "Cy", "Ed")
    hand = next_won(session, 3)
    with pytest.raises(Refused, match="Hand 9 cannot be entered now: the next hand"):
        preview(table_at(session, 1), number=4)
    next_won(session, 3)
    with pytest.raises(Refused, match="Hand 7 has been recorded since, so hand 6 can no longer"):
        scorebook.undo_hand(game_id=hand.game_id, hand_id=hand.pk, taken_by="table 1")
    Hand.objects.filter(pk=hand.pk).update(state=HandState.DISPUTED)
    (floor,) = floor_of(session)
    assert floor.label == "hand 6 disputed"
    assert [(dispute.title, dispute.number_at_table) for dispute in disputes_of(session)] == [
        ("Table 1", 6)
    ]
    assert disputed_hands(session) == ["Table 1, hand 6,"]


def test_hands_before_a_change_are_called_by_their_numbers(
    alice: Visitor, session: Session
) -> None:
    takes_over(session, "Cy", "Ed")
    next_won(session, 3)
    takes_over(session, "Di", "Cy")
    titles = [table.view.title for table in linked_tables(session)]
    assert titles == ["Table 1", "Table 1, hands 1 to 5", "Table 1, hand 6"]
    assert EveningTable(table_at(session, 2001)).title == "Table 1, hand 6"
    (floor,) = floor_of(session)
    assert [game.title for game in floor.ended_games] == ["hands 1 to 5", "hand 6"]
    page = alice.get(page_of("evening", session)).text
    assert "Earlier: " in page
    assert "1st game" not in page


def test_a_score_sheet_goes_on_counting_too(alice: Visitor, session: Session) -> None:
    takes_over(session, "Cy", "Ed")
    next_won(session, 3)
    (table,) = (table for table in linked_tables(session) if table.view.number == 1)
    numbers = [line.number for line in grid_lines(SeatedTable("Riverside", table.view, ""))]
    assert numbers == [*range(6, 17)]
    page = alice.get(page_of("evening-sheet", session, 1))
    assert "Hand 7: drawn" in page.text
    assert "Hand 2: drawn" not in page.text


def test_an_evening_of_before_the_upgrade_goes_on_counting_too(session: Session) -> None:
    takes_over(session, "Cy", "Ed")
    next_won(session, 3)
    takes_over(session, "Di", "Cy")
    openings = Game.objects.exclude(continues=None).order_by("pk").values_list("opening", flat=True)
    as_now = list(openings)
    assert [opening["hands"] for opening in as_now if opening] == [5, 6]
    upgrade = import_module("scoring.scorebook.migrations.0005_hands_go_on")
    upgrade.forget(apps, connection.schema_editor())
    assert not any("hands" in opening for opening in openings.all() if opening)
    assert table_at(session, 1).game.hands_before == 0
    upgrade.count_hands(apps, connection.schema_editor())
    assert list(openings.all()) == as_now
    assert is_whole(session)
