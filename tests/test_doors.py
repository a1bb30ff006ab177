"""Every address has a decision about who may pass; one without fails here."""

from collections.abc import Iterator
from typing import Any
from uuid import UUID

import pytest
from django.test import Client
from django.urls import URLPattern, URLResolver, get_resolver, reverse

from clubs.core.audit_log import capabilities
from clubs.models import User
from tests.addresses import addresses
from tests.people import PASSWORD, Cast, browser_of

OF_ACCOUNTS = """
    login logout signup reauthenticate inactive change_password set_password email confirm_email
    email_verification_sent reset_password reset_password_done reset_password_from_key
    reset_password_from_key_done confirm_login_code request_login_code
"""
OF_SECOND_STEPS = """
    activate_totp authenticate deactivate_totp download_recovery_codes generate_recovery_codes index
    reauthenticate view_recovery_codes
"""
DECIDED_BY_ALLAUTH = {f"account_{page}" for page in OF_ACCOUNTS.split()} | {
    f"mfa_{page}" for page in OF_SECOND_STEPS.split()
}


def patterns(resolver: URLResolver) -> Iterator[URLPattern]:
    return (entry for _, entry in addresses(resolver))


def decision(pattern: URLPattern) -> Any:
    view: Any = pattern.callback
    return getattr(view, "access", None) or getattr(getattr(view, "cls", None), "access", None)


def test_every_address_has_a_name_and_a_door() -> None:
    undecided_patterns = [
        str(pattern.pattern)
        for pattern in patterns(get_resolver())
        if not pattern.name
        or (pattern.name not in DECIDED_BY_ALLAUTH and decision(pattern) is None)
    ]
    assert undecided_patterns == []


def test_only_known_addresses_of_allauth_are_open() -> None:
    own_names = {pattern.name for pattern in patterns(get_resolver()) if decision(pattern)}
    allauth_names = {pattern.name for pattern in patterns(get_resolver())} - own_names
    assert allauth_names <= DECIDED_BY_ALLAUTH


def test_what_a_page_does_in_a_closed_club_its_operation_does_too() -> None:
    views: dict[str, Any] = {
        str(pattern.name): pattern.callback for pattern in patterns(get_resolver())
    }
    pairs = {
        (works_when_closed(views[page]), works_when_closed(views[operation.split()[1]].cls))
        for page, capability in capabilities()
        for operation in capability.operations
    }
    assert pairs == {(True, True), (False, False)}


def works_when_closed(view: Any) -> bool:
    return getattr(view, "works_when_closed", False)


@pytest.mark.django_db
def test_nobody_can_make_an_account_for_themselves(client: Client) -> None:
    response = client.post(
        "/accounts/signup/", {"email": "x@example.org", "password1": "four winds"}
    )
    assert not User.objects.exists()
    assert response.status_code == 200


HUGE = {
    "IntConverter": str(9**40),
    "SlugConverter": "riverside",
    "StringConverter": "x",
    "PathConverter": "bmja",
    "UUIDConverter": str(UUID(int=1)),
}


def filled_address(pattern: URLPattern) -> str:
    """An address of this pattern with a huge number wherever one is asked for."""
    url_kwargs = {
        name: HUGE[type(converter).__name__]
        for name, converter in pattern.pattern.converters.items()
    }
    return reverse(str(pattern.name), kwargs=url_kwargs)


@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("method", ["get", "post"])
def test_no_address_breaks_over_a_huge_number(cast: Cast, method: str) -> None:
    client = browser_of(cast.secretary)
    client.post(reverse("account_reauthenticate"), {"password": PASSWORD})
    int_patterns = [
        pattern
        for pattern in patterns(get_resolver())
        if "<int:" in str(pattern.pattern) and pattern.name not in DECIDED_BY_ALLAUTH
    ]
    options = {} if method == "get" else {"data": {}, "content_type": "application/json"}
    answers = {
        str(p.name): getattr(client, method)(filled_address(p), **options).status_code
        for p in int_patterns
    }
    broken_statuses = {
        name: code for name, code in answers.items() if code not in {401, 403, 404, 405}
    }
    # A program that sends nothing may be told what it left out before any row is looked for.
    assert {
        name: code for name, code in broken_statuses.items() if (name[:4], code) != ("api-", 400)
    } == {}


@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("method", ["get", "post"])
def test_nobody_learns_which_clubs_there_are(cast: Cast, client: Client, method: str) -> None:
    """Without signing in, a club that shows nothing answers like one that does not exist."""

    club_path = f"/{cast.club.slug}/"

    def answer(address: str) -> tuple[int, str]:
        response = getattr(client, method)(address, headers={"X-Request-ID": "7f3a0000"})
        text = response.content.decode() + response.headers.get("Location", "")
        return response.status_code, text.replace("no-such-club", cast.club.slug)

    all_addresses = [
        filled_address(pattern)
        for pattern in patterns(get_resolver())
        if pattern.name not in DECIDED_BY_ALLAUTH
    ]
    of_a_club = [
        address
        for address in all_addresses
        if address.startswith((f"/c{club_path}", f"/api/v1/clubs{club_path}"))
    ]
    assert len(of_a_club) > 300
    invented_addresses = {
        address: address.replace(club_path, "/no-such-club/") for address in of_a_club
    }
    assert [
        real_address
        for real_address, invented_address in invented_addresses.items()
        if answer(real_address) != answer(invented_address)
    ] == []


@pytest.mark.parametrize("letter", "twre")
def test_an_unreadable_link_is_not_found(client: Client, db: None, letter: str) -> None:
    assert client.get(f"/{letter}/%00/").status_code == 404
