"""Someone comes late or leaves early: what was played stays, and the table plays on."""

from datetime import date
from functools import partial
from uuid import uuid4

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.evenings.event import EveningTable
from clubs.evenings.selectors.evenings import (
    door_list,
    evenings_of,
    names_at,
    result_of,
    summaries,
    tables_now,
)
from clubs.evenings.selectors.floor import changes_now, floor_of, wall_of
from clubs.evenings.services import evenings, seats
from clubs.league.selectors.seasons import league_table
from clubs.models import Player, Session
from clubs.table import services as at_table
from scoring.scorebook.models import Book, Hand, HandState
from scoring.scorebook.refusals import Refused
from scoring.scorebook.verifying import recount, verify_book
from tests.clubs.nights import DRAWN, SECOND_WINS, at, make_players, make_season, night, post
from tests.clubs.visits import Visitor
from tests.people import Cast

pytestmark = pytest.mark.django_db
TUESDAY = date(2026, 11, 17)


@pytest.fixture
def players(cast: Cast) -> list[Player]:
    """Ann to Mo."""
    return make_players(cast.club, 13)


@pytest.fixture
def session(cast: Cast, players: list[Player]) -> Session:
    """Ann, Ben, Cy and Di at table 1; Ed, Flo and Gus at table 2; Hal came late."""
    make_season(cast.club)
    session = night(cast.club, TUESDAY, players[:4], players[4:7])
    evenings.tick(session=session, player=players[7], is_here=True)
    return session


def sitting(session: Session, number: int) -> list[str]:
    """Who sits at the table, in the order of the seats."""
    return list(names_at(at(session, number)).values())


def points(session: Session) -> dict[str, int]:
    return {row.name: row.points for row in result_of(session)}


def test_a_latecomer_makes_a_table_of_three_a_four(session: Session, players: list[Player]) -> None:
    post(at(session, 2), DRAWN)
    said = seats.sit_in(session=session, player=players[7], number=2)
    seated = "Ed (East), Flo (South), Gus (West) and Hal (North)"
    assert said == (
        "The hand already played at table 2 still counts for the people who played it.",
        f"From the next hand, table 2 is {seated}, and East prevails.",
        "The table card stays the same.",
    )
    assert at(session, 2).game.size == 4


def test_the_table_keeps_its_link_and_its_first_game_is_kept_beside_it(
    session: Session, players: list[Player]
) -> None:
    table = at(session, 1)
    post(table, SECOND_WINS)
    seats.take_over(session=session, leaver=players[3], player=players[7], goes_home=True)
    after = at(session, 1)
    assert (after.pk, after.link_key) == (table.pk, table.link_key)
    assert after.game_id != table.game_id
    assert at(session, 1001).game_id == table.game_id
    assert sitting(session, 1001) == ["Ann", "Ben", "Cy", "Di"]


def test_whoever_is_to_be_east_next_is_east_first(session: Session, players: list[Player]) -> None:
    post(at(session, 1), SECOND_WINS)
    seats.take_over(session=session, leaver=players[3], player=players[7], goes_home=True)
    assert sitting(session, 1) == ["Ben", "Cy", "Hal", "Ann"]


def test_hands_played_stay_with_whoever_played_them_and_both_games_count(
    session: Session, players: list[Player]
) -> None:
    post(at(session, 1), SECOND_WINS)
    seats.take_over(session=session, leaver=players[3], player=players[7], goes_home=True)
    post(at(session, 1), SECOND_WINS)
    totals = points(session)
    assert totals["Di"] == -96
    assert totals["Ann"] == -64 - 96
    assert totals["Ben"] == 240 - 64
    assert totals["Hal"] == -80
    assert sum(totals.values()) == 0
    assert len(result_of(session)) == 8


def test_the_league_counts_both_games(cast: Cast, session: Session, players: list[Player]) -> None:
    post(at(session, 1), SECOND_WINS)
    seats.take_over(session=session, leaver=players[3], player=players[7], goes_home=True)
    post(at(session, 1), SECOND_WINS)
    evenings.close_session(session=session)
    season = cast.club.leagues.get().seasons.get()
    assert {row.name: row.total for row in league_table(season).ranked} == {
        "Ann": -160,
        "Ben": 176,
        "Cy": 160,
        "Di": -96,
        "Hal": -80,
    }


def test_the_book_of_the_evening_is_still_whole(session: Session, players: list[Player]) -> None:
    post(at(session, 1), SECOND_WINS)
    seats.leave(session=session, leaver=players[3], goes_home=True)
    post(at(session, 1), DRAWN)
    assert recount().differences == ()
    assert verify_book(Book.objects.get(session=session).pk).findings == ()


def test_a_four_goes_on_as_a_three(session: Session, players: list[Player]) -> None:
    post(at(session, 1), SECOND_WINS)
    seats.leave(session=session, leaver=players[0], goes_home=True)
    assert sitting(session, 1) == ["Ben", "Cy", "Di"]
    assert "Ann" not in door_list(session).unseated


def test_a_three_does_not_go_on_as_a_two(session: Session, players: list[Player]) -> None:
    post(at(session, 2), DRAWN)
    with pytest.raises(Refused, match="Table 2 would have 2 players, which the rules do not allow"):
        seats.leave(session=session, leaver=players[4], goes_home=True)
    assert sitting(session, 2) == ["Ed", "Flo", "Gus"]


def test_the_table_ends_and_the_others_wait(session: Session, players: list[Player]) -> None:
    post(at(session, 2), DRAWN)
    said = seats.end_table(session=session, leaver=players[4], goes_home=True)
    assert said == (
        "Table 2 ends after 1 hand. Flo and Gus can sit at another table or go home.",
        "Ed leaves for the evening.",
    )
    assert changes_now(session).waiting == ("Flo", "Gus", "Hal")
    with pytest.raises(Refused, match="finished"):
        at_table.post_hand(
            table=EveningTable(at(session, 2)),
            submission_id=uuid4(),
            number=2,
            report=DRAWN,
            sent_by="table 2",
        )


def test_three_who_wait_make_a_table_of_their_own(session: Session, players: list[Player]) -> None:
    seats.end_table(session=session, leaver=players[4], goes_home=False)
    seats.lay_another(session=session, players=players[4:8])
    assert sitting(session, 3) == ["Ed", "Flo", "Gus", "Hal"]


def test_two_make_no_table(session: Session, players: list[Player]) -> None:
    evenings.tick(session=session, player=players[8], is_here=True)
    with pytest.raises(Refused, match="would have 2 players"):
        seats.lay_another(session=session, players=players[7:9])


def test_before_the_first_hand_only_the_seats_change(
    session: Session, players: list[Player]
) -> None:
    game = at(session, 2).game_id
    seats.sit_in(session=session, player=players[7], number=2)
    assert (at(session, 2).game_id, sitting(session, 2)) == (game, ["Ed", "Flo", "Gus", "Hal"])


def test_a_hand_that_is_not_agreed_is_settled_first(
    session: Session, players: list[Player]
) -> None:
    post(at(session, 1), SECOND_WINS)
    Hand.objects.update(state=HandState.DISPUTED)
    with pytest.raises(Refused, match=r"Hand 1 of table 1 is disputed\. Resolve"):
        seats.leave(session=session, leaver=players[0], goes_home=True)


@pytest.mark.parametrize("who", [0, 12])
def test_only_somebody_who_is_here_and_waits_sits_down(
    session: Session, players: list[Player], who: int
) -> None:
    with pytest.raises(Refused, match=r"already|checked in first"):
        seats.sit_in(session=session, player=players[who], number=2)


def test_a_change_is_taken_back_until_the_next_hand(
    session: Session, players: list[Player]
) -> None:
    before = at(session, 1).game_id
    post(at(session, 1), SECOND_WINS)
    seats.take_over(session=session, leaver=players[3], player=players[7], goes_home=True)
    assert seats.undo(session=session, number=1) == "Table 1 is as it was before."
    assert at(session, 1).game_id == before
    assert sitting(session, 1) == ["Ann", "Ben", "Cy", "Di"]
    assert changes_now(session).waiting == ("Hal",)
    at_table.post_hand(
        table=EveningTable(at(session, 1)),
        submission_id=uuid4(),
        number=2,
        report=DRAWN,
        sent_by="table 1",
    )


def test_once_the_table_has_played_on_the_change_stays(
    session: Session, players: list[Player]
) -> None:
    post(at(session, 1), SECOND_WINS)
    seats.take_over(session=session, leaver=players[3], player=players[7], goes_home=True)
    post(at(session, 1), DRAWN)
    with pytest.raises(Refused, match="Table 1 has entered another hand"):
        seats.undo(session=session, number=1)


def test_a_table_that_ended_sits_down_again(session: Session, players: list[Player]) -> None:
    seats.end_table(session=session, leaver=players[4], goes_home=True)
    seats.undo(session=session, number=2)
    assert changes_now(session).waiting == ("Hal",)
    post(at(session, 2), DRAWN)


def test_a_table_does_not_sit_down_again_once_somebody_sits_elsewhere(
    session: Session, players: list[Player]
) -> None:
    seats.end_table(session=session, leaver=players[4], goes_home=False)
    seats.lay_another(session=session, players=players[4:7])
    with pytest.raises(Refused, match=r"now sits at table 3\. Undo that"):
        seats.undo(session=session, number=2)


def test_looking_changes_nothing(session: Session, players: list[Player]) -> None:
    post(at(session, 1), SECOND_WINS)
    said = seats.what_would_happen(
        lambda: seats.leave(session=session, leaver=players[0], goes_home=True)
    )
    assert said[-1] == "Ann leaves for the evening."
    assert sitting(session, 1) == ["Ann", "Ben", "Cy", "Di"]
    assert session.tables.count() == 2


def test_an_evening_opened_again_leaves_ended_games_ended(
    session: Session, players: list[Player]
) -> None:
    post(at(session, 1), SECOND_WINS)
    seats.leave(session=session, leaver=players[0], goes_home=True)
    evenings.close_session(session=session)
    evenings.reopen_session(session=session)
    assert [at(session, number).game.is_closed for number in (1, 2, 1001)] == [False, False, True]


def test_floor_and_papers_show_each_table_once(session: Session, players: list[Player]) -> None:
    post(at(session, 1), SECOND_WINS)
    seats.leave(session=session, leaver=players[0], goes_home=True)
    first, second = floor_of(session)
    assert (first.number, first.played, first.label) == (1, 1, "new game, no hand yet")
    assert [(game.number, game.title, game.hands) for game in first.ended] == [
        (1001, "First game", 1)
    ]
    assert (second.number, second.ended) == (2, ())
    assert [table.view.number for table in tables_now(session)] == [1, 2]


def test_somebody_who_went_home_is_ticked_again_when_they_come_back(
    session: Session, players: list[Player]
) -> None:
    post(at(session, 1), SECOND_WINS)
    seats.leave(session=session, leaver=players[0], goes_home=True)
    evenings.tick(session=session, player=players[0], is_here=True)
    assert changes_now(session).waiting == ("Ann", "Hal")
    evenings.tick(session=session, player=players[0], is_here=False)
    assert changes_now(session).gone == ("Ann",)
    assert session.attendances.filter(player=players[0]).exists()


def test_the_page_says_first_what_will_happen_and_then_does_it(
    cast: Cast, session: Session, players: list[Player]
) -> None:
    post(at(session, 1), SECOND_WINS)
    secretary = Visitor(cast.secretary)
    page = reverse("evening-change", args=[cast.club.slug, session.pk])
    sent = {
        "way": "leaves",
        "leaves-leaver": players[3].pk,
        "leaves-then": players[7].pk,
        "leaves-home": "on",
    }
    looked = secretary.post(page, sent)
    assert looked.context["preview"][-1] == "Di leaves for the evening."
    assert sitting(session, 1) == ["Ann", "Ben", "Cy", "Di"]
    secretary.post(page, {**sent, "save": "yes"})
    assert sitting(session, 1) == ["Ben", "Cy", "Hal", "Ann"]
    undo = reverse("evening-change-undo", args=[cast.club.slug, session.pk, 1])
    assert secretary.told(undo)[-1] == "Table 1 is as it was before."


def test_the_phone_at_the_table_goes_on_under_the_same_link(
    cast: Cast, session: Session, players: list[Player]
) -> None:
    table = at(session, 1)
    post(table, SECOND_WINS)
    phone = reverse("table", args=[table.link_key])
    visitor = Visitor(cast.player)
    assert "hand 2" in visitor.get(phone).content.decode().lower()
    seats.leave(session=session, leaver=players[0], goes_home=True)
    said = visitor.get(phone)
    assert said.context["page"].next_number == 1
    assert "Ann" not in {seat.name for seat in said.context["page"].view.seats}


def test_a_hand_of_the_game_that_ended_can_still_be_corrected(
    cast: Cast, session: Session, players: list[Player]
) -> None:
    (hand,) = post(at(session, 1), SECOND_WINS)
    seats.leave(session=session, leaver=players[0], goes_home=True)
    at_table.correct_hand(
        table=EveningTable(at(session, 1001)),
        hand_id=hand.pk,
        report=DRAWN,
        corrected_by="user 1",
        reason="a slip",
    )
    assert points(session)["Ben"] == 0
    desk = reverse("evening-table", args=[cast.club.slug, session.pk, 1001])
    said = Visitor(cast.secretary).get(desk).content.decode()
    assert "Table 1, first game" in said
    assert "Table 1001" not in said


def test_the_list_of_evenings_counts_tables_not_games(
    cast: Cast, session: Session, players: list[Player]
) -> None:
    post(at(session, 1), SECOND_WINS)
    seats.leave(session=session, leaver=players[0], goes_home=True)
    (row,) = summaries(evenings_of(cast.club))
    assert (row.tables, row.best, row.points) == (2, ("Ben",), 240)


def test_nobody_of_another_club_is_seated_and_no_evening_of_another_found(
    cast: Cast, session: Session, players: list[Player]
) -> None:
    elsewhere = Visitor(cast.stranger)
    for name, args in (("evening-change", []), ("evening-change-undo", [1])):
        address = reverse(name, args=["hill-top", session.pk, *args])
        assert elsewhere.post(address).status_code == 404
    carol = Player.objects.get(club__slug="hill-top")
    page = reverse("evening-change", args=[cast.club.slug, session.pk])
    sent = {"way": "comes", "comes-player": carol.pk, "comes-number": 2}
    answer = Visitor(cast.secretary).post(page, sent)
    assert (answer.status_code, answer.context["preview"]) == (422, None)
    assert answer.context["forms"]["comes"].errors["player"] == ["Choose a player."]


def test_what_cannot_be_is_said_beside_the_form_and_nothing_is_lost(
    cast: Cast, session: Session, players: list[Player]
) -> None:
    page = reverse("evening-change", args=[cast.club.slug, session.pk])
    sent = {"way": "leaves", "leaves-leaver": players[4].pk, "leaves-then": "without"}
    answer = Visitor(cast.secretary).post(page, sent)
    assert answer.status_code == 422
    assert "Table 2 would have 2 players" in answer.content.decode()
    assert answer.context["forms"]["leaves"]["then"].value() == "without"


def test_after_a_change_the_evening_still_knows_that_hands_were_played(
    cast: Cast, session: Session, players: list[Player]
) -> None:
    post(at(session, 1), SECOND_WINS)
    seats.leave(session=session, leaver=players[0], goes_home=True)
    page = Visitor(cast.secretary).get(reverse("evening", args=[cast.club.slug, session.pk]))
    assert (page.context["hands"], page.context["unagreed"]) == (1, 1)
    first_game = reverse("evening-table", args=[cast.club.slug, session.pk, 1001])
    assert first_game in page.content.decode()
    assert "result" in {shown.kind for shown in wall_of(session).pages}


def test_a_hand_kept_from_before_the_change_is_not_given_to_whoever_sits_there_now(
    session: Session, players: list[Player]
) -> None:
    before, late, saved = timezone.now(), uuid4(), uuid4()
    send = partial(at_table.post_hand, sent_by="table 1", entered_at=before)
    first = send(
        table=EveningTable(at(session, 1)), submission_id=saved, number=1, report=SECOND_WINS
    )
    seats.leave(session=session, leaver=players[0], goes_home=True)
    post(at(session, 1), DRAWN)
    with pytest.raises(Refused, match="Someone joined or left this table after this hand"):
        send(table=EveningTable(at(session, 1)), submission_id=late, number=2, report=DRAWN)
    again = send(
        table=EveningTable(at(session, 1)), submission_id=saved, number=1, report=SECOND_WINS
    )
    assert (again.hand.pk, again.is_new) == (first.hand.pk, False)
