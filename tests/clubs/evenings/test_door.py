"""Everyone who usually comes is checked in with one press."""

from datetime import date, timedelta

import pytest
from pytest_django.asserts import assertNumQueries

from clubs.evenings.selectors.door import MAX_FIRST_CHECK_IN, usual_people
from clubs.evenings.services import evenings
from clubs.evenings.services.ending import cancel_session, close_session
from clubs.models import Club, Player, PlayerKind, Session
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import DRAWN, evening_of, make_players, night, page_of, post
from tests.clubs.visits import Visitor
from tests.people import Cast, make_player

LAST = date(2026, 11, 10)
TONIGHT = LAST + timedelta(weeks=1)
OFFER = "Then untick anyone who is not here."


@pytest.fixture
def club(cast: Cast) -> Club:
    """A club whose members are those of the test."""
    Player.objects.update(is_active=False)
    return cast.club


def names_of(session: Session) -> list[str]:
    return [row.player.name for row in session.attendances.order_by("player__name")]


def test_before_the_first_evening_all_members_are_offered(club: Club, alice: Visitor) -> None:
    make_players(club, 5)
    make_player(club, "Zoë", kind=PlayerKind.GUEST)
    session = evenings.open_session(club=club, held_on=TONIGHT)
    assert "Check in all 5 members" in alice.read(page_of("evening", session))
    messages = alice.messages_after(page_of("tick-usual", session))
    assert messages == ["5 people checked in. Untick anyone who is not here."]
    assert names_of(session) == ["Ann", "Ben", "Cy", "Di", "Ed"]
    assert OFFER not in alice.read(page_of("evening", session))


def test_later_those_who_came_last_time_are_offered(club: Club, alice: Visitor) -> None:
    players = make_players(club, 7)
    guest = make_player(club, "Zoë", kind=PlayerKind.GUEST)
    evening_of(club, [*players[:5], guest], LAST)
    Player.objects.filter(name="Ed").update(is_active=False)
    session = evenings.open_session(club=club, held_on=TONIGHT)
    page = alice.read(page_of("evening", session))
    assert "Check in the 4 members who came on 10 November" in page
    evenings.check_in_usual(session=session)
    assert names_of(session) == ["Ann", "Ben", "Cy", "Di"]


def test_an_evening_to_which_nobody_came_or_that_was_cancelled_is_not_the_last(club: Club) -> None:
    players = make_players(club, 6)
    evening_of(club, players[:3], LAST)
    evening_of(club, [], LAST + timedelta(days=1))
    cancelled_session = night(club, LAST + timedelta(days=2), players[:4])
    post(cancelled_session.tables.get(), DRAWN)
    cancel_session(session=cancelled_session, reason="Snow")
    session = evenings.open_session(club=club, held_on=TONIGHT)
    assert usual_people(session).came_on == LAST


def test_a_large_club_that_has_not_met_ticks_one_by_one(club: Club, alice: Visitor) -> None:
    for number in range(MAX_FIRST_CHECK_IN + 1):
        make_player(club, f"Player {number}")
    session = evenings.open_session(club=club, held_on=TONIGHT)
    assert OFFER not in alice.read(page_of("evening", session))
    assert alice.messages_after(page_of("tick-usual", session)) == [
        "0 people checked in. Untick anyone who is not here."
    ]


def test_pressed_twice_it_checks_in_once_and_brings_nobody_back(club: Club) -> None:
    ann, ben, *_ = make_players(club, 4)
    session = evenings.open_session(club=club, held_on=TONIGHT)
    evenings.check_in_usual(session=session)
    session.attendances.filter(player=ann).update(left_at="2026-11-17T20:00Z")
    evenings.check_in_usual(session=session)
    assert session.attendances.count() == 4
    assert session.attendances.get(player=ann).left_at is not None
    assert session.attendances.get(player=ben).left_at is None


def test_once_somebody_is_ticked_nothing_is_offered(club: Club, alice: Visitor) -> None:
    ann, *_ = make_players(club, 4)
    session = evenings.open_session(club=club, held_on=TONIGHT)
    htmx = {"HX-Request": "true"}
    page = alice.post(page_of("tick", session), {"here": ann.pk}, headers=htmx)
    assert '<div id="usual" hx-swap-oob="true"></div>' in page.content.decode()
    assert OFFER not in alice.read(page_of("evening", session))


def test_nobody_is_checked_in_to_a_finished_evening(club: Club) -> None:
    session = night(club, TONIGHT, make_players(club, 4))
    post(session.tables.get(), DRAWN)
    close_session(session=session)
    with pytest.raises(Refused, match="This evening is finished"):
        evenings.check_in_usual(session=session)


@pytest.mark.parametrize("count", [4, 12])
def test_it_asks_no_more_for_more_people(club: Club, count: int) -> None:
    evening_of(club, make_players(club, count), LAST)
    session = evenings.open_session(club=club, held_on=TONIGHT)
    with assertNumQueries(8):
        evenings.check_in_usual(session=session)
