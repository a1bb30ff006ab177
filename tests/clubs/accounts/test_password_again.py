"""Whatever gives somebody power asks a session of days ago for the password again, everywhere."""

from typing import Any, Final

import pytest
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from clubs.accounts.services import invite
from clubs.core.permissions import MANAGE_ROLES
from clubs.models import Role, RoleInvitation
from tests.clubs.hosting.conftest import make_operator
from tests.clubs.visits import Visitor
from tests.people import Cast, browser_of
from tests.test_doors import decision, patterns

ASKS: Final = "asks for the password"
WITHOUT_IT: Final = {
    "account": "it is a page of links",
    "roles": "it lists who has a role",
    "role-links": "it only reads, and asks before it does",
    "sign-out-everywhere": "whoever fears a thief must not have to wait",
    "key-revoke": "a key that is revoked opens nothing any more",
    "operator": "it lists the clubs",
    "operator-club": "it says how large a club is",
}


def doors_of(audience: object, *, over_the_api: bool) -> list[URLPattern]:
    """The addresses that these may open: pages, or those of the API."""
    return [
        pattern
        for pattern in patterns(get_resolver())
        if decision(pattern) == audience and hasattr(pattern.callback, "cls") == over_the_api
    ]


def answers(browser: Client, audience: object, parts: dict[str, Any]) -> dict[str, str]:
    """What every page of these people does with a button in a session of days ago, by its name."""
    outcomes = {}
    for door in doors_of(audience, over_the_api=False):
        if str(door.name).startswith("api-") or door.name in WITHOUT_IT:
            continue
        answer = browser.post(address(door, parts))
        asks = answer.headers.get("Location", "").startswith("/accounts/reauthenticate/")
        outcomes[str(door.name)] = ASKS if asks else f"answers {answer.status_code}"
    return outcomes


def address(door: URLPattern, parts: dict[str, Any]) -> str:
    return reverse(str(door.name), kwargs={name: parts[name] for name in door.pattern.converters})


@pytest.fixture
def parts(cast: Cast) -> dict[str, Any]:
    """What an address may name: the club, and a number of somebody's role and of an invitation."""
    invitation = invite(
        club=cast.club, invited_by=cast.secretary, email="bea@example.org", role=Role.SCORER
    )
    pat = cast.player.memberships.get()
    RoleInvitation.objects.filter(pk=invitation.pk).update(id=pat.pk)
    return {"club": cast.club.slug, **dict.fromkeys(("pk", "person", "invitation"), pat.pk)}


def test_every_page_that_changes_a_role_asks(cast: Cast, parts: dict[str, Any]) -> None:
    outcomes = answers(Visitor(cast.secretary), MANAGE_ROLES, parts)
    assert len(outcomes) >= 5
    assert set(outcomes.values()) == {ASKS}, outcomes
    assert cast.player.memberships.get().role == Role.PLAYER


def test_every_page_of_an_operator_asks(parts: dict[str, Any]) -> None:
    outcomes = answers(browser_of(make_operator()), "operators", parts)
    assert len(outcomes) >= 5
    assert set(outcomes.values()) == {ASKS}, outcomes


def test_every_page_of_an_account_that_gives_a_way_in_asks(
    cast: Cast, parts: dict[str, Any]
) -> None:
    outcomes = answers(Visitor(cast.secretary), "anyone signed in", parts)
    assert outcomes.keys() >= {"account_email", "keys"}
    assert set(outcomes.values()) == {ASKS}, outcomes


def test_no_operation_of_the_api_gives_or_takes_a_role() -> None:
    assert doors_of(MANAGE_ROLES, over_the_api=True) == []
