"""Two who change, erase or renew one person at the same moment: neither undoes the other."""

from collections.abc import Callable
from datetime import date
from functools import partial
from typing import Any

import pytest
from django.db import connection
from django.urls import reverse

from clubs.evenings.services import evenings
from clubs.members.services import people
from clubs.members.services.merging import merge_players
from clubs.messages import services
from clubs.models import Batch, Player
from clubs.privacy.services import erase_player
from scoring.scorebook.refusals import Refused
from tests.api import api_client
from tests.people import Cast, make_cast, make_player
from tests.threads import at_once

TODAY = date(2026, 11, 24)
PAID = date(2026, 8, 31)
ROUNDS = 8
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.services]


def maud(cast: Cast, number: int) -> Player:
    details = {"email": "maud@example.org", "phone": "01632 960114", "paid_until": PAID}
    return make_player(cast.club, f"Maud Pemberton {number}", **details)


def copy_of(player: Player) -> Player:
    """The row as another request has read it."""
    return Player.objects.get(pk=player.pk)


def no_surprise(answers: list[object]) -> None:
    """Anything but an answer or a refusal is raised by ``at_once`` itself."""
    assert sum(isinstance(answer, Refused) for answer in answers) < len(answers)


def patch(cast: Cast, player: Player, **changes: str) -> int:
    """What a program's change is answered; it has a connection of its own."""
    address = reverse("api-player-detail", args=["riverside", player.pk])
    answer = api_client(cast.secretary).patch(address, changes, content_type="application/json")
    connection.close()
    return answer.status_code


AGAINST: dict[str, Callable[[Cast, Player], Any]] = {
    "a program": lambda cast, player: patch(cast, player, phone="01632 960115"),
    "a page": lambda _, player: people.change_player(
        player=copy_of(player), changes={"phone": "01632 960115"}
    ),
    "a renewal": lambda _, player: people.renew_subscription(player=copy_of(player), today=TODAY),
    "who leaves": lambda _, player: people.end_membership(player=copy_of(player), today=TODAY),
    "a merge": lambda cast, player: merge_players(
        kept_player=copy_of(player),
        merged_player=make_player(cast.club, f"M {player.pk}", phone="1"),
    ),
    "a letter": lambda cast, player: services.draft_message(
        club=cast.club,
        subject="The hall",
        text="is let.",
        readers=[copy_of(player), cast.club.players.get(name="Pat")],
        made_by=cast.secretary,
    ),
}


@pytest.mark.parametrize("act", AGAINST.values(), ids=AGAINST)
def test_nothing_brings_back_what_is_erased(act: Callable[[Cast, Player], Any]) -> None:
    cast = make_cast()
    for number in range(ROUNDS):
        player = maud(cast, number)
        stale = copy_of(player)
        answers = at_once(
            [partial(erase_player, player=stale, today=TODAY), partial(act, cast, player)]
        )
        no_surprise(answers)
        player.refresh_from_db()
        assert (player.name[:15], player.email, player.phone) == ("A former player", "", "")
        assert (player.is_active, player.paid_until) == (False, None)
    assert not Batch.objects.filter(messages__email__startswith="maud").exists()


def test_nobody_is_ticked_who_is_erased_at_that_moment() -> None:
    cast = make_cast()
    tonight = evenings.open_session(club=cast.club, held_on=TODAY)
    for number in range(ROUNDS):
        player = maud(cast, number)
        tick = partial(evenings.tick, session=tonight, player=copy_of(player), is_here=True)
        answers = at_once([partial(erase_player, player=copy_of(player), today=TODAY), tick])
        no_surprise(answers)
        is_refused = isinstance(answers[1], Refused)
        assert tonight.attendances.filter(player=player).exists() != is_refused


BESIDE: dict[str, tuple[Callable[[Cast, Player], Any], dict[str, Any]]] = {
    "a renewal": (AGAINST["a renewal"], {"paid_until": date(2027, 8, 31)}),
    "a program": (
        lambda cast, player: patch(cast, player, email="m@example.org"),
        {"email": "m@example.org"},
    ),
}


@pytest.mark.parametrize(("act", "becomes"), BESIDE.values(), ids=BESIDE)
def test_two_who_change_different_things_both_have_their_way(
    act: Callable[[Cast, Player], Any], becomes: dict[str, Any]
) -> None:
    cast = make_cast()
    for number in range(ROUNDS):
        player = maud(cast, number)
        answers = at_once(
            [partial(act, cast, player), partial(patch, cast, player, phone="01632 960115")]
        )
        assert answers[1] == 200
        player.refresh_from_db()
        expected = {"phone": "01632 960115", **becomes}
        assert {name: getattr(player, name) for name in expected} == expected


def test_presses_at_once_add_one_year() -> None:
    player = maud(make_cast(), 1)
    details = people.Details(paid_until=PAID)
    answers = at_once(
        [
            partial(
                people.renew_subscription,
                player=copy_of(player),
                today=TODAY,
                shown_details=details,
            )
        ]
        * 4
    )
    assert sum(isinstance(answer, Refused) for answer in answers) == 3
    player.refresh_from_db()
    assert player.paid_until == date(2027, 8, 31)
