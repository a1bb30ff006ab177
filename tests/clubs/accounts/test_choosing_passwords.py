"""Where a password is chosen, every fault is named at once, at its field, and nothing is lost."""

from collections.abc import Callable
from typing import Any

import pytest
from django.core import mail
from django.test import Client

from clubs.accounts import services
from clubs.models import Role
from tests.clubs.visits import confirmed_visitor, errors
from tests.people import PASSWORD, Cast

pytestmark = pytest.mark.django_db
SHORT = "This password is too short. It must contain at least 8 characters."
FAULTY = {"password1": "short", "password2": "shorter"}
NOT_THE_SAME = "The two passwords are not the same."
Page = tuple[Client, str, dict[str, str]]


def first_run(_: None = None) -> Page:
    fields = {"name": "Riverside", "rules": "bmja", "person": "Ann", "email": "ann@example.org"}
    return Client(headers={"host": "localhost"}), "/set-up/", fields


def invitation(cast: Cast) -> Page:
    role_invitation = services.invite(
        club=cast.club, email="new@example.org", role=Role.PLAYER, invited_by=cast.secretary
    )
    link = services.invitation_link(role_invitation).partition("8000")[2]
    return Client(), link, {"name": "Ann"}


def change(cast: Cast) -> Page:
    return confirmed_visitor(cast.player), "/accounts/password/change/", {"oldpassword": PASSWORD}


def first_password(cast: Cast) -> Page:
    browser = Client()
    cast.player.set_unusable_password()
    cast.player.save()
    browser.force_login(cast.player, backend="django.contrib.auth.backends.ModelBackend")
    return browser, "/accounts/password/set/", {}


def reset(cast: Cast) -> Page:
    browser = Client()
    browser.post("/accounts/password/reset/", {"email": cast.player.email})
    from_mail = [word for word in _last_mail().split() if "/accounts/password/reset/key/" in word]
    response = browser.get(from_mail[0].partition("8000")[2], follow=True)
    return browser, response.redirect_chain[-1][0], {}


def _last_mail() -> str:
    return str(mail.outbox[-1].body)


def is_typed(page: Any, field: str, value: str) -> bool:
    html = str(page.context["form"][field])
    return f'value="{value}"' in html


@pytest.mark.parametrize("open_page", [invitation, change, first_password, reset])
def test_both_faults_are_named_at_once_and_both_fields_keep_what_was_typed(
    open_page: Callable[[Cast], Page], cast: Cast
) -> None:
    browser, address, fields = open_page(cast)
    page = browser.post(address, {**fields, **FAULTY})
    assert errors(page) == {"password1": [SHORT], "password2": [NOT_THE_SAME]}
    assert all(is_typed(page, field, value) for field, value in FAULTY.items())
    assert "no-store" in page.headers["Cache-Control"]


def test_the_first_run_names_everything_at_once() -> None:
    browser, address, fields = first_run()
    page = browser.post(address, {**fields, **FAULTY, "email": "ann"})
    assert errors(page) == {
        "email": ["Enter an email address like name@example.org."],
        "password1": [SHORT],
        "password2": [NOT_THE_SAME],
    }
    assert all(is_typed(page, field, value) for field, value in FAULTY.items())
    assert "no-store" in page.headers["Cache-Control"]


def test_the_invitation_says_in_our_words_what_to_do(cast: Cast) -> None:
    browser, address, _ = invitation(cast)
    page = browser.get(address).content.decode()
    assert "Use at least 8 characters." in page
    assert "for verification" not in page
    empty = errors(browser.post(address, {"name": ""}))
    assert empty == {
        "name": ["Enter your name."],
        "password1": ["Choose a password."],
        "password2": ["Enter the password again."],
    }


@pytest.mark.parametrize("open_page", [invitation, change, first_password, reset])
def test_each_password_has_a_button_that_shows_it(
    open_page: Callable[[Cast], Page], cast: Cast
) -> None:
    browser, address, _ = open_page(cast)
    page = browser.get(address).content.decode()
    assert page.count("password__show") == page.count('type="password"') > 0
    assert "js/password" in page
