"""Someone comes late, leaves early or is moved: what was played stays, and the table plays on."""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone
from pytest_django.asserts import assertNumQueries

from clubs.evenings.event import EveningTable
from clubs.evenings.selectors.door import door_list
from clubs.evenings.selectors.evenings import (
    evening_summaries,
    evenings_of,
    names_at,
    result_of,
    tables_now,
)
from clubs.evenings.selectors.floor import floor_of, table_changes, wall_of
from clubs.evenings.services import ending, evenings
from clubs.evenings.services.costs import cost_of_move
from clubs.league.selectors.seasons import league_table
from clubs.models import Club, Player, Session, SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Book, Game, Hand, HandState
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount, verify_book
from tests.clubs.nights import (
    DRAWN,
    SECOND_WINS,
    correct,
    make_players,
    make_season,
    night,
    page_of,
    post,
    table_at,
)
from tests.clubs.visits import Visitor
from tests.people import Cast, make_club
from tests.scoring.scorebook.book import dispute
from tests.threads import at_once

pytestmark = pytest.mark.django_db
LAST_WEEK, TUESDAY = date(2026, 11, 10), date(2026, 11, 17)


# Ben, now East, and the others pay Cy: Ben -64, Cy +240, Hal -80, Ann -96.
CY_WINS = Report(winner=3, totals={2: 20, 3: 60, 4: 8, 1: 4})


@pytest.fixture
def session(cast: Cast) -> Session:
    """Ann, Ben, Cy and Di at table 1; Ed, Flo and Gus at table 2; Hal came late."""
    make_season(cast.club)
    players = make_players(cast.club, 13)
    session = night(cast.club, TUESDAY, players[:4], players[4:7])
    evenings.tick(session=session, player=players[7], is_here=True)
    return session


@pytest.fixture
def changed_evening(session: Session) -> Session:
    """Ann went home after the first hand at table 1, and the others carried on."""
    post(table_at(session, 1), SECOND_WINS)
    leaves(session, "Ann")
    return session


def players_named(session: Session, *names: str) -> list[Player]:
    return [session.club.players.get(name=name) for name in names]


def leaves(session: Session, name: str) -> tuple[str, ...]:
    (leaver,) = players_named(session, name)
    return evenings.leave_table(session=session, leaver=leaver, goes_home=True)


def ends(session: Session, name: str, *, goes_home: bool) -> tuple[str, ...]:
    (leaver,) = players_named(session, name)
    return evenings.end_table(session=session, leaver=leaver, goes_home=goes_home)


def sits_in(session: Session, name: str) -> tuple[str, ...]:
    (player,) = players_named(session, name)
    return evenings.join_table(session=session, player=player, number=2)


def hal_for_di(session: Session) -> None:
    di, hal = players_named(session, "Di", "Hal")
    evenings.take_over(session=session, leaver=di, player=hal, goes_home=True)


def lay(session: Session, *names: str) -> tuple[str, ...]:
    return evenings.form_table(session=session, players=players_named(session, *names))


def sitting(session: Session, number: int) -> str:
    """Who sits at the table, in the order of the seats."""
    return " ".join(names_at(table_at(session, number)).values())


def second_hand(session: Session, number: int) -> None:
    at_table.post_hand(
        table=EveningTable(table_at(session, number)),
        submission_id=uuid4(),
        number=2,
        report=DRAWN,
        sent_by=f"table {number}",
    )


def test_a_latecomer_makes_a_table_of_three_a_four(session: Session) -> None:
    post(table_at(session, 2), DRAWN)
    seat_names = "Ed (East), Flo (South), Gus (West) and Hal (North)"
    assert sits_in(session, "Hal") == (
        "The hand already played at table 2 still counts for the people who played it.",
        f"From the next hand, table 2 is {seat_names}, with East as the prevailing wind.",
        "The next hand is a goulash.",
        ("With four players the East round starts again: it ends when all four have been East."),
        "If you use counting sticks, the new player starts with 2,000.",
        "The table card stays the same.",
    )
    assert table_at(session, 2).game.size == 4


def test_the_table_keeps_its_link_and_everyone_keeps_their_seat(session: Session) -> None:
    table = table_at(session, 1)
    post(table, SECOND_WINS)
    hal_for_di(session)
    table_after = table_at(session, 1)
    assert (table_after.pk, table_after.link_key) == (table.pk, table.link_key)
    assert table_after.game_id != table.game_id
    assert sitting(session, 1) == "Ann Ben Cy Hal"
    assert table_at(session, 1001).game_id == table.game_id
    assert sitting(session, 1001) == "Ann Ben Cy Di"


def test_hands_stay_with_whoever_played_them_and_both_games_count(session: Session) -> None:
    post(table_at(session, 1), SECOND_WINS)
    hal_for_di(session)
    post(table_at(session, 1), CY_WINS)
    result = result_of(session)
    assert {row.table for row in result} == {1, 2}
    totals = {row.name: row.points for row in result}
    hand_totals = {"Ann": -64 - 96, "Ben": 240 - 64, "Cy": -80 + 240, "Di": -96, "Hal": -80}
    assert sum(hand_totals.values()) == 0
    assert totals == {**hand_totals, "Ed": 0, "Flo": 0, "Gus": 0}
    ending.close_session(session=session)
    season = session.club.leagues.get().seasons.get()
    assert {row.name: row.total for row in league_table(season).ranked_rows} == hand_totals


def test_a_four_goes_on_as_a_three_and_the_book_of_the_evening_is_whole(
    changed_evening: Session,
) -> None:
    assert sitting(changed_evening, 1) == "Ben Cy Di"
    assert "Ann" not in door_list(changed_evening).unseated_names
    post(table_at(changed_evening, 1), DRAWN)
    assert recount().differences == ()
    assert verify_book(Book.objects.get(session=changed_evening).pk).findings == ()


def test_a_three_does_not_go_on_as_a_two(session: Session) -> None:
    post(table_at(session, 2), DRAWN)
    with pytest.raises(Refused, match="Table 2 would have 2 players, which the rules do not allow"):
        leaves(session, "Ed")
    assert sitting(session, 2) == "Ed Flo Gus"


def test_the_table_ends_and_the_others_wait(session: Session) -> None:
    post(table_at(session, 2), DRAWN)
    assert ends(session, "Ed", goes_home=True) == (
        "Table 2 ends after 1 hand. Flo and Gus can sit at another table or go home.",
        "Ed leaves for the evening.",
    )
    assert table_changes(session).waiting == ("Flo", "Gus", "Hal")
    with pytest.raises(Refused, match="finished"):
        second_hand(session, 2)


def test_three_who_wait_make_a_table_of_their_own_and_two_make_none(session: Session) -> None:
    ends(session, "Ed", goes_home=False)
    with pytest.raises(Refused, match="would have 2 players"):
        lay(session, "Ed", "Flo")
    lay(session, "Ed", "Flo", "Gus", "Hal")
    assert sitting(session, 3) == "Ed Flo Gus Hal"


def test_before_the_first_hand_only_the_seats_change(session: Session) -> None:
    game = table_at(session, 2).game_id
    sits_in(session, "Hal")
    assert (table_at(session, 2).game_id, sitting(session, 2)) == (game, "Ed Flo Gus Hal")


def test_a_hand_that_is_not_agreed_is_settled_first(session: Session) -> None:
    post(table_at(session, 1), SECOND_WINS)
    Hand.objects.update(state=HandState.DISPUTED)
    with pytest.raises(Refused, match=r"Hand 1 of table 1 is disputed\. Resolve"):
        leaves(session, "Ann")


@pytest.mark.parametrize(
    ("name", "message"), [("Ann", "is already at a table"), ("Mo", "checked in first")]
)
def test_only_somebody_who_is_here_and_waits_sits_down(
    session: Session, name: str, message: str
) -> None:
    with pytest.raises(Refused, match=message):
        sits_in(session, name)


def test_a_change_is_taken_back_until_the_next_hand(session: Session) -> None:
    game_id = table_at(session, 1).game_id
    post(table_at(session, 1), SECOND_WINS)
    hal_for_di(session)
    assert evenings.undo_change(session=session, number=1) == "Change undone at table 1."
    assert (table_at(session, 1).game_id, sitting(session, 1)) == (game_id, "Ann Ben Cy Di")
    assert table_changes(session).waiting == ("Hal",)
    second_hand(session, 1)


def test_once_the_table_has_played_on_the_change_stays(changed_evening: Session) -> None:
    post(table_at(changed_evening, 1), DRAWN)
    with pytest.raises(Refused, match="Table 1 has entered another hand"):
        evenings.undo_change(session=changed_evening, number=1)


def test_a_table_that_ended_sits_down_again(session: Session) -> None:
    ends(session, "Ed", goes_home=True)
    evenings.undo_change(session=session, number=2)
    assert table_changes(session).waiting == ("Hal",)
    post(table_at(session, 2), DRAWN)


def test_a_table_does_not_sit_down_again_once_somebody_sits_elsewhere(session: Session) -> None:
    ends(session, "Ed", goes_home=False)
    lay(session, "Ed", "Flo", "Gus")
    with pytest.raises(Refused, match=r"now sits at table 3\. Undo that"):
        evenings.undo_change(session=session, number=2)


def test_looking_changes_nothing(session: Session) -> None:
    post(table_at(session, 1), SECOND_WINS)
    messages = evenings.preview_change(lambda: leaves(session, "Ann"))
    assert messages[-1] == "Ann leaves for the evening."
    assert sitting(session, 1) == "Ann Ben Cy Di"
    assert session.tables.count() == 2


def test_an_evening_opened_again_leaves_ended_games_ended(changed_evening: Session) -> None:
    ending.close_session(session=changed_evening)
    ending.reopen_session(session=changed_evening)
    assert [table_at(changed_evening, number).game.is_closed for number in (1, 2, 1001)] == [
        False,
        False,
        True,
    ]


def test_floor_papers_and_the_list_of_evenings_have_each_table_once(
    changed_evening: Session,
) -> None:
    first, second = floor_of(changed_evening)
    assert (first.number, first.hands_played, first.label) == (1, 1, "1 hand")
    (ended_game,) = first.ended_games
    assert (ended_game.number, ended_game.title, ended_game.hands) == (1001, "hand 1", 1)
    assert (second.number, second.ended_games) == (2, ())
    assert [table.view.number for table in tables_now(changed_evening)] == [1, 2]
    (row,) = evening_summaries(evenings_of(changed_evening.club))
    assert (row.tables, row.best, row.points) == (2, ("Ben",), 240)


def test_somebody_who_went_home_is_ticked_again_when_they_come_back(
    changed_evening: Session,
) -> None:
    (ann,) = players_named(changed_evening, "Ann")
    evenings.tick(session=changed_evening, player=ann, is_here=True)
    assert table_changes(changed_evening).waiting == ("Ann", "Hal")
    evenings.tick(session=changed_evening, player=ann, is_here=False)
    assert table_changes(changed_evening).leavers == ("Ann",)
    assert changed_evening.attendances.filter(player=ann).exists()


def test_the_page_says_first_what_will_happen_and_then_does_it(
    alice: Visitor, session: Session
) -> None:
    post(table_at(session, 1), SECOND_WINS)
    di, hal = players_named(session, "Di", "Hal")
    form_data = {
        "leaves-leaver": di.pk,
        "leaves-then": hal.pk,
        "leaves-home": "on",
        "way": "leaves",
    }
    preview_page = alice.post(page_of("evening-change", session), form_data)
    assert preview_page.context["preview"][-1] == "Di leaves for the evening."
    assert sitting(session, 1) == "Ann Ben Cy Di"
    alice.post(page_of("evening-change", session), {**form_data, "save": "yes"})
    assert sitting(session, 1) == "Ann Ben Cy Hal"
    assert alice.messages_after(page_of("evening-change-undo", session, 1))[-1] == (
        "Change undone at table 1."
    )


def test_the_only_latecomer_is_chosen_already(alice: Visitor, session: Session) -> None:
    (hal,) = players_named(session, "Hal")
    page = page_of("evening-change", session)
    selected_option = f'<option value="{hal.pk}" selected>Hal</option>'
    assert selected_option in alice.get(page).content.decode()
    ida = Player.objects.get(name="Ida")
    evenings.tick(session=session, player=ida, is_here=True)
    assert selected_option not in alice.get(page).content.decode()


def test_the_phone_at_the_table_goes_on_under_the_same_link(cast: Cast, session: Session) -> None:
    table, visitor = table_at(session, 1), Visitor(cast.player)
    post(table, SECOND_WINS)
    phone = reverse("table", args=[table.link_key])
    assert "hand 2" in visitor.get(phone).content.decode().lower()
    leaves(session, "Ann")
    page = visitor.get(phone).context["page"]
    assert page.next_number == 1
    assert "Ann" not in {seat.name for seat in page.view.seats}


def test_a_hand_of_the_game_that_ended_can_still_be_corrected(
    alice: Visitor, changed_evening: Session
) -> None:
    correct(Hand.objects.get(), DRAWN)
    assert {row.points for row in result_of(changed_evening)} == {0}
    html = alice.get(page_of("evening-table", changed_evening, 1001)).content.decode()
    assert "Table 1, hand 1" in html
    assert "Table 1001" not in html


def test_nobody_of_another_club_is_seated(alice: Visitor, session: Session) -> None:
    carol = Player.objects.get(club__slug="hill-top")
    form_data = {"way": "comes", "comes-player": carol.pk, "comes-number": 2}
    answer = alice.post(page_of("evening-change", session), form_data)
    assert (answer.status_code, answer.context["preview"]) == (422, None)
    assert answer.context["forms"]["comes"].errors["player"] == ["Choose a player."]


def test_what_cannot_be_is_said_beside_the_form_and_nothing_is_lost(
    alice: Visitor, session: Session
) -> None:
    (ed,) = players_named(session, "Ed")
    form_data = {"way": "leaves", "leaves-leaver": ed.pk, "leaves-then": "without"}
    answer = alice.post(page_of("evening-change", session), form_data)
    assert answer.status_code == 422
    assert "Table 2 would have 2 players" in answer.content.decode()
    assert answer.context["forms"]["leaves"]["then"].value() == "without"


def test_a_disputed_hand_that_keeps_a_table_is_one_press_away(
    alice: Visitor, session: Session
) -> None:
    page = page_of("evening-change", session)
    (hand,) = post(table_at(session, 1), SECOND_WINS)
    assert "disputed hand" not in alice.read(page)
    dispute(hand, seat=1)
    hal = players_named(session, "Hal")[0]
    form_data = {"way": "comes", "comes-player": hal.pk, "comes-number": 1}
    answer = alice.post(page, form_data)
    html = answer.content.decode()
    assert answer.status_code == 422
    assert "Hand 1 of table 1 is disputed. Resolve it first." in html
    assert f'href="{page_of("evening-hand", session, 1, hand.pk)}"' in html


def test_after_a_change_the_evening_still_knows_that_hands_were_played(
    alice: Visitor, changed_evening: Session
) -> None:
    page = alice.get(page_of("evening", changed_evening))
    assert page.context["hands"] == 1
    assert page_of("evening-table", changed_evening, 1001) in page.content.decode()
    assert "result" in {wall_page.kind for wall_page in wall_of(changed_evening).pages}


def test_a_hand_kept_from_before_the_change_is_not_given_to_whoever_sits_there_now(
    session: Session,
) -> None:
    entered_at, late_id, saved_id = timezone.now(), uuid4(), uuid4()

    def send(**hand: Any) -> Any:
        table = EveningTable(table_at(session, 1))
        return at_table.post_hand(table=table, sent_by="table 1", entered_at=entered_at, **hand)

    first = send(submission_id=saved_id, number=1, report=SECOND_WINS)
    leaves(session, "Ann")
    post(table_at(session, 1), DRAWN)
    with pytest.raises(Refused, match="Someone joined or left this table after this hand"):
        send(submission_id=late_id, number=2, report=DRAWN)
    second_result = send(submission_id=saved_id, number=1, report=SECOND_WINS)
    assert (second_result.hand.pk, second_result.is_new) == (first.hand.pk, False)


@pytest.mark.parametrize("tables", [1, 3])
def test_changes_ask_no_more_for_more_tables(alice: Visitor, cast: Cast, tables: int) -> None:
    players = make_players(cast.club, 13)
    session = night(cast.club, TUESDAY, *(players[n * 4 : n * 4 + 4] for n in range(tables)))
    evenings.tick(session=session, player=players[12], is_here=True)
    with assertNumQueries(7):
        assert "Mo" in alice.get(page_of("evening-change", session)).text
    for table in list(session.tables.all()):
        post(table, SECOND_WINS)
        leaves(session, players[(table.number - 1) * 4].name)
    with assertNumQueries(1):
        assert len(result_of(session)) == 4 * tables


def evening(sizes: tuple[int, ...] = (4, 4), club: Club | None = None) -> Session:
    """Ann, Ben, Cy … at tables of these sizes, in their order."""
    players = iter(make_players(club or make_club(), sum(sizes)))
    tables = [[next(players) for _ in range(size)] for size in sizes]
    return night(tables[0][0].club, TUESDAY, *tables)


def tables_of(session: Session) -> list[str]:
    """The names at each table, East first."""
    return [sitting(session, number) for number in session.tables.values_list("number", flat=True)]


def swap(session: Session, name: str, other_name: str) -> str:
    first, second = players_named(session, name, other_name)
    return evenings.change_places(session=session, one=first, other=second)


def move(session: Session, name: str, number: int) -> str:
    (player,) = players_named(session, name)
    return evenings.move_to_table(session=session, player=player, number=number)


def cost(act: Callable[..., str], session: Session, *move: Any) -> list[tuple[str, bool | None]]:
    costs = cost_of_move(session=session, act=partial(act, session, *move))
    return [(remark.sentence, remark.is_kept) for remark in costs]


def test_two_change_places_with_their_winds() -> None:
    session = evening()
    version = session.version
    assert swap(session, "Ann", "Ed") == "Ann and Ed have changed places."
    assert tables_of(session) == ["Ed Ben Cy Di", "Ann Flo Gus Hal"]
    session.refresh_from_db()
    assert session.version == version + 1
    swap(session, "Ben", "Di")
    assert tables_of(session) == ["Ed Di Cy Ben", "Ann Flo Gus Hal"]


def test_somebody_who_came_late_takes_a_seat() -> None:
    session = evening((4, 3))
    evenings.add_guest(session=session, name="Zoë")
    move(session, "Zoë", 2)
    assert tables_of(session) == ["Ann Ben Cy Di", "Ed Flo Gus Zoë"]
    swap(session, "Zoë", "Ann")
    assert tables_of(session) == ["Zoë Ben Cy Di", "Ed Flo Gus Ann"]


def test_a_table_that_grows_or_shrinks_keeps_its_card() -> None:
    session = evening()
    cards = list(session.tables.values_list("link_key", flat=True))
    move(session, "Ann", 2)
    assert tables_of(session) == ["Ben Cy Di", "Ed Flo Gus Hal Ann"]
    assert list(session.tables.values_list("link_key", flat=True)) == cards
    sizes = session.tables.values_list("game__size", flat=True)
    assert (list(sizes), Game.objects.count()) == ([3, 5], 2)
    post(session.tables.get(number=1), DRAWN)


def test_what_a_move_costs_is_told_and_nothing_is_moved() -> None:
    session = evening()
    ann, ben, cy, di, ed = players_named(session, "Ann", "Ben", "Cy", "Di", "Ed")
    night(session.club, LAST_WEEK, [ann, ed, ben], [cy, di])
    assert cost(swap, session, "Ben", "Ed") == [
        ("Ann and Ed would sit together again; they did on 10 November.", False),
        ("Ann and Ben, who sat together on 10 November, would no longer be together.", True),
    ]
    sizes = "There would be table 1 of three and table 2 of five."
    assert cost(move, session, "Ann", 2)[-1] == (sizes, None)
    assert tables_of(session) == ["Ann Ben Cy Di", "Ed Flo Gus Hal"]


@pytest.mark.parametrize(
    ("sizes", "number", "message"),
    [
        ((4, 4), 1, "Ann already sits there"),
        ((4, 4), 3, "There is no table 3"),
        ((4, 5), 2, "Table 2 would have 6 players"),
        ((3, 4), 2, "Table 1 would have 2 players"),
    ],
)
def test_a_move_that_cannot_be_is_refused(
    sizes: tuple[int, ...], number: int, message: str
) -> None:
    session = evening(sizes)
    tables_before = tables_of(session)
    with pytest.raises(Refused, match=message):
        move(session, "Ann", number)
    assert tables_of(session) == tables_before


def test_only_two_different_people_who_are_here_take_a_seat() -> None:
    session = evening()
    (stranger,) = make_players(make_club("Other", "other"), 1)
    with pytest.raises(Refused, match="must be checked in first"):
        evenings.move_to_table(session=session, player=stranger, number=1)
    with pytest.raises(Refused, match="Choose two different players"):
        swap(session, "Ann", "Ann")


def test_a_table_that_has_begun_keeps_its_seats() -> None:
    session = evening((4, 4, 4))
    post(session.tables.get(number=1), DRAWN)
    with pytest.raises(Refused, match="That table has already recorded a hand"):
        swap(session, "Ann", "Ed")
    swap(session, "Ed", "Lou")
    assert tables_of(session)[1].startswith("Lou")
    ending.close_session(session=session)
    with pytest.raises(Refused, match="while the evening is being played"):
        swap(session, "Ed", "Lou")


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_a_hand_and_a_move_at_once_never_mix() -> None:
    for n in range(4):
        session = evening(club=make_club(f"Club {n}", f"club-{n}"))
        table = SessionTable.objects.get(session=session, number=1)
        post_result, move_result = at_once(
            [partial(post, table, DRAWN), partial(move, session, "Ann", 2)]
        )
        if isinstance(move_result, Refused):
            assert isinstance(post_result, list)
            assert tables_of(session)[0] == "Ann Ben Cy Di"
        else:
            assert tables_of(session)[0] == "Ben Cy Di"
    assert recount().differences == ()


def test_the_page_tells_the_cost_first_and_then_moves(alice: Visitor, cast: Cast) -> None:
    session = evening(club=cast.club)
    ann, ed = players_named(session, "Ann", "Ed")
    form_data = {"way": "places", "places-one": ann.pk, "places-other": ed.pk}
    page = alice.post(page_of("evening-move", session), form_data).content.decode()
    assert "No one is seated with someone from a recent evening." in page
    assert session.places.get(player=ann).table.number == 1
    final_page = alice.post(
        page_of("evening-move", session), {**form_data, "save": "yes"}, follow=True
    )
    assert "Ann and Ed have changed places." in final_page.content.decode()
    assert final_page.redirect_chain[0][0] == page_of("evening-why", session)
    assert session.places.get(player=ann).table.number == 2


def test_what_was_chosen_stays_with_the_reason(alice: Visitor, cast: Cast) -> None:
    session = evening((3, 4), cast.club)
    (ann,) = players_named(session, "Ann")
    form_data = {"way": "table", "table-player": ann.pk, "table-number": 2, "save": "yes"}
    answer = alice.post(page_of("evening-move", session), form_data)
    assert answer.status_code == 422
    assert "Table 1 would have 2 players" in answer.content.decode()
    assert f'<option value="{ann.pk}" selected>' in answer.content.decode()
    form_data = {"way": "table", "table-player": 99999999, "table-number": "x"}
    answer = alice.post(page_of("evening-move", session), form_data)
    assert "Choose a table." in answer.content.decode()


def test_a_finished_evening_moves_nobody(alice: Visitor, cast: Cast) -> None:
    session = evening((4,), cast.club)
    Session.objects.update(state="closed")
    page = alice.get(page_of("evening-move", session)).content.decode()
    assert "There is no one to move" in page
