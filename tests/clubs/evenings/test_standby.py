"""Filling a table at short notice: asked in turn, answered by a link, seen at the door."""

from collections.abc import Iterator
from datetime import UTC, date, datetime

import pytest
import time_machine
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.evenings.selectors.calendar import filling_in
from clubs.evenings.services import calendar, evenings
from clubs.models import Answer, Club, Invitation, Player, StandBy
from scoring.scorebook.refusals import Refused
from tests.clubs.nights import make_players
from tests.clubs.visits import Visitor
from tests.clubs.year import TUESDAY, make_series
from tests.people import Cast

AT = reverse("standby", args=["riverside", "2026-11-17"])


@pytest.fixture(autouse=True)
def before_it() -> Iterator[None]:
    with time_machine.travel("2026-11-15T10:00Z", tick=False):
        yield


@pytest.fixture
def alice(cast: Cast) -> Visitor:
    return Visitor(cast.secretary)


@pytest.fixture
def glad(cast: Cast) -> list[Player]:
    """Ann, Ben and Cy stand by."""
    players = make_players(cast.club, 3)
    for player in players:
        calendar.set_stand_by(player=player, is_glad=True)
    return players


@pytest.fixture
def invitation(cast: Cast, glad: list[Player]) -> Invitation:
    return calendar.ask_to_come(
        club=cast.club, held_on=TUESDAY, player=glad[0], asked_by=cast.secretary
    )


def waiting(club: Club, held_on: date = TUESDAY) -> list[str]:
    return [row.name for row in filling_in(club, held_on).waiting]


def test_whoever_was_not_asked_for_longest_is_first(cast: Cast, glad: list[Player]) -> None:
    for player, day in ((glad[0], 3), (glad[1], 1)):
        Invitation.objects.create(
            club=cast.club,
            player=player,
            held_on=date(2026, 11, day),
            asked_at=datetime(2026, 11, day, tzinfo=UTC),
        )
    assert waiting(cast.club) == ["Cy", "Ben", "Ann"]


def test_who_has_been_asked_or_has_left_is_not_to_be_asked(
    invitation: Invitation, glad: list[Player]
) -> None:
    Player.objects.filter(pk=glad[1].pk).update(is_active=False)
    assert waiting(invitation.club) == ["Cy"]


def test_asking_twice_keeps_the_link(cast: Cast, invitation: Invitation) -> None:
    again = calendar.ask_to_come(
        club=cast.club, held_on=TUESDAY, player=invitation.player, asked_by=cast.secretary
    )
    assert (again.pk, again.key) == (invitation.pk, invitation.key)


def test_the_secretary_gets_the_words_and_a_draft(
    alice: Visitor, cast: Cast, glad: list[Player]
) -> None:
    make_series(cast.club)
    Player.objects.filter(pk=glad[0].pk).update(email="ann@example.org")
    alice.post(AT, {"ask": glad[0].pk})
    (_, message) = alice.get(AT).context["asked"][0]
    link = reverse("standby-answer", args=[Invitation.objects.get().key])
    assert message.text == (
        "Dear Ann,\n\ncould you play as a substitute at Riverside Mah-Jong Club on "
        "Tuesday 17 November, 2pm, Village Hall?\nPlease answer yes or no here. "
        f"You do not need a password:\nhttp://testserver{link}"
        "\n\nThank you, Alice"
    )
    assert message.mail.startswith("mailto:ann%40example.org?subject=Can%20you%20come")


def test_looking_at_the_link_answers_nothing(client: Client, invitation: Invitation) -> None:
    page = client.get(reverse("standby-answer", args=[invitation.key]))
    invitation.refresh_from_db()
    assert "Can you come, Ann?" in page.content.decode()
    assert invitation.answer == Answer.NONE


def test_an_answer_is_thanked_for_and_may_be_changed(
    client: Client, invitation: Invitation
) -> None:
    at = reverse("standby-answer", args=[invitation.key])
    for said, shown in (("yes", "you can come"), ("no", "you cannot come")):
        page = client.post(at, {"answer": said}, follow=True).content.decode()
        invitation.refresh_from_db()
        assert (invitation.answer, "Thank you, Ann" in page, shown in page) == (said, True, True)


def test_what_is_neither_yes_nor_no_changes_nothing(client: Client, invitation: Invitation) -> None:
    client.post(reverse("standby-answer", args=[invitation.key]), {"answer": "perhaps"})
    invitation.refresh_from_db()
    assert invitation.answer == Answer.NONE


def test_on_the_evening_itself_an_answer_still_counts(
    client: Client, invitation: Invitation
) -> None:
    with time_machine.travel("2026-11-17T19:00Z"):
        client.post(reverse("standby-answer", args=[invitation.key]), {"answer": "no"})
    invitation.refresh_from_db()
    assert invitation.answer == Answer.NO


def test_after_the_day_nothing_is_answered(client: Client, invitation: Invitation) -> None:
    with time_machine.travel("2026-11-18T10:00Z"):
        page = client.post(
            reverse("standby-answer", args=[invitation.key]), {"answer": "yes"}, follow=True
        )
    invitation.refresh_from_db()
    assert invitation.answer == Answer.NONE
    assert "That date has passed" in page.content.decode()


def test_answers_stand_at_the_door(alice: Visitor, invitation: Invitation) -> None:
    session = evenings.open_session(club=invitation.club, held_on=TUESDAY)
    calendar.answer(invitation=invitation, choice=Answer.YES)
    page = alice.get(reverse("evening", args=["riverside", session.pk])).content.decode()
    assert "<strong>Substitutes who can come:</strong> Ann" in page


def test_the_list_of_those_who_fill_in_is_kept_on_the_page(
    alice: Visitor, cast: Cast, glad: list[Player]
) -> None:
    pat = cast.club.players.get(name="Pat")
    alice.post(AT, {"add": pat.pk})
    alice.post(AT, {"drop": glad[0].pk})
    assert waiting(cast.club) == ["Ben", "Cy", "Pat"]


def test_nobody_of_another_club_is_asked(alice: Visitor, cast: Cast) -> None:
    carol = cast.stranger.memberships.get().player
    assert carol is not None
    assert alice.told(AT, ask=carol.pk) == ["Choose someone from the list."]
    with pytest.raises(Refused):
        calendar.ask_to_come(club=cast.club, held_on=TUESDAY, player=carol, asked_by=cast.secretary)
    assert not StandBy.objects.exists()


def test_a_day_that_cannot_be_read_is_not_found(alice: Visitor) -> None:
    assert alice.get(reverse("standby", args=["riverside", "soon"])).status_code == 404


@pytest.mark.parametrize("count", [1, 3])
def test_the_page_asks_as_often_for_one_as_for_three(
    cast: Cast, glad: list[Player], django_assert_num_queries: DjangoAssertNumQueries, count: int
) -> None:
    for player in glad[:count]:
        calendar.ask_to_come(
            club=cast.club, held_on=TUESDAY, player=player, asked_by=cast.secretary
        )
    with django_assert_num_queries(5):
        assert len(filling_in(cast.club, TUESDAY).invited) == count
