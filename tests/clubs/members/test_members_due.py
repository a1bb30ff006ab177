"""Joining, renewing, lapsing; and guests who come again and again."""

from datetime import date
from typing import Any

import pytest
from django.urls import reverse

from clubs.evenings.selectors.evenings import door_list
from clubs.evenings.services import evenings
from clubs.members import services as people
from clubs.members.selectors import subscriptions
from clubs.models import Club, Player, Session
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import make_players
from tests.clubs.visits import Visitor
from tests.people import Cast, make_player

TODAY = date(2026, 11, 24)
DUE = "/c/riverside/members/due/"


@pytest.fixture
def ann(cast: Cast) -> Player:
    return make_player(cast.club, "Ann", paid_until=date(2026, 8, 31))


@pytest.fixture
def guest(cast: Cast) -> Player:
    return make_player(cast.club, "Gus", kind="guest")


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor(cast.secretary)


def came(guest: Player, times: int) -> None:
    for day in range(times):
        opened = evenings.open_session(club=guest.club, held_on=date(2026, 11, 1 + day))
        evenings.tick(session=opened, player=guest, is_here=True)


def said_at_the_door(guest: Player, session: Session) -> str:
    row = door_list(session).row(guest.pk)
    assert row
    return row.asks


@pytest.mark.parametrize(
    ("paid", "then"),
    [
        (date(2026, 12, 31), date(2027, 12, 31)),
        (date(2026, 8, 31), date(2027, 8, 31)),
        (date(2025, 11, 24), date(2026, 11, 24)),
        (date(2025, 11, 23), date(2027, 11, 23)),
        (date(2028, 2, 29), date(2029, 2, 28)),
        (None, date(2027, 11, 23)),
    ],
)
def test_a_year_is_added_to_what_is_paid(ann: Player, paid: date | None, then: date) -> None:
    Player.objects.filter(pk=ann.pk).update(paid_until=paid)
    assert people.renew(player=ann, today=TODAY).paid_until == then


def test_who_lapses_leaves_the_door_and_keeps_the_results(ann: Player) -> None:
    came(ann, 2)
    people.lapse(player=ann, today=TODAY)
    tonight = evenings.open_session(club=ann.club, held_on=TODAY)
    assert door_list(tonight).row(ann.pk) is None
    assert ann.attendances.count() == 2
    people.renew(player=ann, today=TODAY)
    ann.refresh_from_db()
    assert (ann.is_active, ann.lapsed_on) == (True, None)
    assert door_list(tonight).row(ann.pk)


def test_a_guest_becomes_a_member_once(guest: Player) -> None:
    joined = people.make_member(player=guest, today=TODAY)
    assert (joined.kind, joined.joined_on) == ("member", TODAY)
    with pytest.raises(Refused, match="Gus is already a member"):
        people.make_member(player=guest, today=TODAY)


@pytest.mark.parametrize(
    ("visits", "asked_from", "said"),
    [
        (1, 3, ""),
        (2, 3, "third visit: ask them to join"),
        (3, 3, "fourth visit: ask them to join"),
        (5, None, ""),
    ],
)
def test_a_guest_is_asked_to_join_after_so_many_visits(
    guest: Player, visits: int, asked_from: int | None, said: str
) -> None:
    people.ask_guests_from(club=guest.club, visits=asked_from)
    came(guest, visits)
    tonight = evenings.open_session(club=guest.club, held_on=TODAY)
    assert said_at_the_door(guest, tonight) == said
    evenings.tick(session=tonight, player=guest, is_here=True)
    assert said_at_the_door(guest, tonight) == said


def test_a_member_is_never_asked_to_join(ann: Player) -> None:
    came(ann, 5)
    assert said_at_the_door(ann, Session.objects.latest("held_on")) == ""


def test_the_list_says_who_is_due_the_longest_first(cast: Cast, ann: Player) -> None:
    for name, paid in (("Ben", date(2026, 12, 23)), ("Cy", date(2027, 8, 31)), ("Di", TODAY)):
        make_player(cast.club, name, paid_until=paid)
    people.lapse(player=make_player(cast.club, "Ed", paid_until=date(2020, 1, 1)), today=TODAY)
    due = subscriptions(cast.club, TODAY)
    assert [(row.name, row.is_over) for row in due.due] == [
        ("Ann", True),
        ("Di", False),
        ("Ben", False),
    ]
    assert [row.name for row in due.unknown] == ["Alice", "Dev", "Pat", "Sunil"]
    assert [(row.name, row.since) for row in due.lapsed] == [("Ed", TODAY)]


def test_renewing_letting_go_and_joining_are_one_press(
    alice: Visitor, ann: Player, guest: Player
) -> None:
    flashed = [
        alice.told(reverse(name, args=["riverside", who.pk]), from_list="yes")
        for name, who in (("member-renew", ann), ("member-lapse", ann), ("member-join", guest))
    ]
    assert flashed[0][0].startswith("Ann is paid until ")
    assert flashed[1:] == [
        ["Ann no longer appears at check-in. All their results are kept."],
        ["Gus is now a member."],
    ]
    again = alice.told(reverse("member-join", args=["riverside", guest.pk]))
    assert again == ["Gus is already a member."]


def test_the_club_sets_from_which_visit_guests_are_asked(alice: Visitor, cast: Cast) -> None:
    alice.told(DUE, visits="5")
    assert Club.objects.get(pk=cast.club.pk).guest_visits == 5
    alice.told(DUE, visits="", sent="yes")
    assert Club.objects.get(pk=cast.club.pk).guest_visits is None
    assert alice.post(DUE, {"visits": "0"}).status_code == 422


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_subscriptions_asks_no_more_for_more_people(
    alice: Visitor, cast: Cast, count: int, django_assert_num_queries: Any
) -> None:
    make_players(cast.club, count)
    with django_assert_num_queries(3):
        alice.get(DUE)
