"""Every way into an account passes one gate: the password, the second step, the count of tries."""

import ast
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from django.core import mail
from django.core.exceptions import PermissionDenied
from django.test import Client, RequestFactory
from django.urls import reverse

from clubs.accounts import services
from clubs.accounts.signin import sign_in_new_account
from clubs.models import FoundingRequest, Role, User
from tests.clubs.accounts.test_second_step import code_now, set_up
from tests.clubs.accounts.test_signin import is_in
from tests.clubs.hosting.conftest import texts_folder  # noqa: F401
from tests.clubs.hosting.test_founding import FOUNDED, LINK, ask
from tests.clubs.house.test_services_setting_up import FIELDS, SET_UP
from tests.people import PASSWORD, Cast

ROOT: Final = Path(__file__).resolve().parents[3]
PACKAGES: Final = ("clubs", "tournaments", "config", "tongbox", "scoring")
OPENING: Final = {  # what begins or renews a session, or makes a key
    "login",
    "perform_login",
    "perform_password_login",
    "resume_login",
    "force_login",
    "update_session_auth_hash",
    "sign_in",
    "sign_in_new_account",
    "make_token",
    "cycle_key",
    "SESSION_KEY",
    "HASH_SESSION_KEY",
}
ENTRANCES: Final = {
    "clubs.accounts.signin.sign_in_new_account login": "the first session of a new account",
    "clubs.accounts.signin.sign_in perform_password_login": "as the sign-in page",
    "clubs.accounts.views._accept_with_new_account sign_in_new_account": "an invited newcomer",
    "clubs.accounts.views.form_valid update_session_auth_hash": "this session, after the password",
    "clubs.accounts.views.api_keys make_token": "a key, after the password",
    "clubs.accounts.api._make_key make_token": "a key, after the password or by a key",
    "clubs.house.views.set_up sign_in_new_account": "the first club’s founder",
    "clubs.house.views._sign_in_founder sign_in": "the founder who pressed twice",
    "clubs.house.views.import_first_club sign_in_new_account": "whoever brought the first club",
    "clubs.hosting.views.start_link sign_in_new_account": "a founder with an emailed link",
    "clubs.hosting.views._sign_in_founder sign_in": "a founder who pressed twice",
    "clubs.hosting.views.import_by_link sign_in_new_account": "who brought a club by email link",
}
NO_ENTRANCES: Final = {  # a mailbox of IMAP; who waits for their second step
    "clubs.messages.mailbox._open_mailbox login",
    "clubs.core.authentication._keys login",
}


def calls() -> Iterator[str]:
    """``module.function name`` for every mention of something that opens an account."""
    for package in PACKAGES:
        for file in sorted((ROOT / package).rglob("*.py")):
            module = ".".join(file.relative_to(ROOT).with_suffix("").parts)
            for function in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
                if isinstance(function, ast.FunctionDef):
                    for node in ast.walk(function):
                        name = getattr(node, "attr", None) or getattr(node, "id", None)
                        if name in OPENING:
                            yield f"{module}.{function.name} {name}"


def test_every_entrance_to_an_account_is_known() -> None:
    assert {*calls()} - NO_ENTRANCES == {*ENTRANCES}


def test_only_an_account_that_never_signed_in_opens_without_the_gate(cast: Cast) -> None:
    request = RequestFactory().get("/")
    request.session = Client().session
    browser = Client()
    browser.post(reverse("account_login"), {"login": cast.secretary.email, "password": PASSWORD})
    cast.secretary.refresh_from_db()
    with pytest.raises(PermissionDenied):
        sign_in_new_account(request, cast.secretary)


def first_club() -> tuple[str, dict[str, str], dict[str, Any]]:
    Client().post(SET_UP, FIELDS, headers={"host": "localhost"})
    return SET_UP, FIELDS, {"headers": {"host": "localhost"}}


def emailed_link() -> tuple[str, dict[str, str], dict[str, Any]]:
    ask()
    link = LINK.search(str(mail.outbox[-1].body))
    assert link
    Client().post(link[1], FOUNDED)
    assert FoundingRequest.objects.get().used_at
    return link[1], FOUNDED, {}


@pytest.fixture(params=[first_club, emailed_link])
def sent_page(request: pytest.FixtureRequest, settings: Any) -> tuple[str, dict[str, str], Any]:
    """A page that founded a club, what was sent to it, and how: to be sent once more."""
    settings.SITE_ADDRESS = ""
    if request.param is emailed_link:
        request.getfixturevalue("texts_folder")
        settings.SITE_ADDRESS = "http://localhost:8000"
    else:
        request.getfixturevalue("db")
    entrance: tuple[str, dict[str, str], Any] = request.param()
    return entrance


def test_a_second_press_asks_for_the_second_step(
    sent_page: tuple[str, dict[str, str], Any],
) -> None:
    page, fields, post_options = sent_page
    founder = Client()
    password = fields["password1"]
    founder.post(reverse("account_login"), {"login": "margaret@example.org", "password": password})
    secret = activate_second_step(founder, password)
    thief = Client()
    answer = thief.post(page, fields, **post_options)
    assert answer.headers["Location"].startswith(reverse("mfa_authenticate"))
    assert not is_in(thief)
    thief.post(reverse("mfa_authenticate"), {"code": code_now(secret)[::-1]})
    assert not is_in(thief)


def activate_second_step(founder: Client, password: str) -> str:
    founder.post(reverse("account_reauthenticate"), {"password": password})
    return set_up(founder)


def test_guesses_at_a_second_press_are_counted(sent_page: tuple[str, dict[str, str], Any]) -> None:
    page, fields, post_options = sent_page
    wrong = fields | {"password1": "not this one", "password2": "not this one"}
    for _ in range(5):
        assert not is_in(press(page, wrong, post_options))
    assert not is_in(press(page, fields, post_options))  # right, but after five wrong ones
    browser = Client()
    data = {"login": "margaret@example.org", "password": fields["password1"]}
    assert "Too many attempts" in browser.post(reverse("account_login"), data).content.decode()


def test_the_founder_presses_again_while_a_guesser_waits(
    sent_page: tuple[str, dict[str, str], Any],
) -> None:
    page, fields, post_options = sent_page
    founder = Client()
    signing_in = {"login": "margaret@example.org", "password": fields["password1"]}
    founder.post(reverse("account_login"), signing_in)
    founder.post(reverse("account_logout"))
    wrong = fields | {"password1": "not this one", "password2": "not this one"}
    for _ in range(5):
        press(page, wrong, post_options, ip_address="127.0.0.9")
    assert not is_in(press(page, fields, post_options, ip_address="127.0.0.9"))
    founder.post(page, fields, **post_options, REMOTE_ADDR="127.0.0.9")
    assert is_in(founder)


def press(
    page: str, fields: dict[str, str], post_options: Any, *, ip_address: str = "127.0.0.1"
) -> Client:
    browser = Client(REMOTE_ADDR=ip_address)
    browser.post(page, fields, **post_options)
    return browser


def test_a_second_press_with_the_password_signs_in(
    sent_page: tuple[str, dict[str, str], Any],
) -> None:
    page, fields, post_options = sent_page
    assert is_in(press(page, fields, post_options))
    assert User.objects.count() == (1 if page == SET_UP else 2)


def test_an_invitation_to_someone_with_an_account_asks_them_to_sign_in(cast: Cast) -> None:
    invitation = services.invite(
        club=cast.club, email=cast.stranger.email, role=Role.SECRETARY, invited_by=cast.secretary
    )
    browser = Client()
    page = reverse("role-invitation", args=[invitation.key])
    data = {"name": "Someone", "password1": FIELDS["password1"], "password2": FIELDS["password1"]}
    for answer in (browser.get(page), browser.post(page, data)):
        assert "sign in" in answer.content.decode().lower()
    assert not is_in(browser)
