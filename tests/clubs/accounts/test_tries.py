"""Who guesses at an account has to wait, and not its owner: at every entrance.

Each entrance is tried by a guesser elsewhere until they have to wait, and by the owner, on the
device where she signed in before. A device that is new to her waits for nobody in another place.
"""

from collections.abc import Callable
from datetime import timedelta
from typing import Any, Final, NamedTuple

import pytest
import time_machine
from django.core import signing
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from clubs.core.tries import DEVICE_COOKIE, DEVICE_SALT
from tests.addresses import addresses
from tests.api import send
from tests.clubs.accounts.test_second_step import code_now, set_up
from tests.clubs.accounts.test_signin import ALICE, NEW, is_in, sign_in
from tests.people import PASSWORD, Cast

pytestmark = pytest.mark.usefixtures("cast")
WRONG: Final = "not this one"
TO_WAIT: Final = "Too many attempts. Wait"
ELSEWHERE: Final = "203.0.113.9"


class Way(NamedTuple):
    """An entrance: how a browser tries it, wrongly or rightly, and what the answer is."""

    tries: int  # wrong ones from one place until it has to wait
    wrong: Callable[[Client], Any]
    right: Callable[[Client], Any]
    is_open: Callable[[Client, Any], bool]


def is_let_in(browser: Client, answer: Any) -> bool:
    del answer
    return is_in(browser)


def is_mailed(browser: Client, answer: Any) -> bool:
    del browser
    return bool(answer.status_code == 302)


def as_program(password: str) -> Callable[[Client], Any]:
    return lambda browser: send(browser, "/api/v1/token/", {"email": ALICE, "password": password})


def with_password(password: str) -> Callable[[Client], Any]:
    return lambda browser: sign_in(browser, password)


def asking(name: str) -> Callable[[Client], Any]:
    return lambda browser: browser.post(reverse(name), {"email": ALICE})


def by_mail(name: str) -> Way:
    return Way(3, asking(name), asking(name), is_mailed)


PASSWORD_PAGE: Final = Way(5, with_password(WRONG), with_password(PASSWORD), is_let_in)
WAYS: Final = {
    "account_login": PASSWORD_PAGE,
    "account_request_login_code": by_mail("account_request_login_code"),
    "account_reset_password": by_mail("account_reset_password"),
    "api-token": Way(
        5, as_program(WRONG), as_program(PASSWORD), lambda _, answer: answer.status_code == 201
    ),
}
OTHER_TESTS: Final = {  # more than an address and a password is needed; see also test_entrances
    "mfa_authenticate",
    "account_reauthenticate",
    "mfa_reauthenticate",
    "account_change_password",
}
NO_GUESSES: Final = {  # addresses of signing in where nothing can be guessed, and why
    "account_confirm_login_code": "three tries at a code, then it ends",
    "account_reset_password_from_key": "the key is in the link",
    "account_confirm_email": "the key is in the link",
    "account_logout": "opens nothing",
    "account_inactive": "opens nothing",
    "account_signup": "closed",
    "account_email": "after the password",
    "account_email_verification_sent": "opens nothing",
    "account_set_password": "for who signed in",
    "account_reset_password_done": "opens nothing",
    "account_reset_password_from_key_done": "opens nothing",
    "mfa_index": "for who signed in",
    "mfa_activate_totp": "after the password; its secret is on the page",
    "mfa_deactivate_totp": "after the password",
    "mfa_view_recovery_codes": "after the password",
    "mfa_generate_recovery_codes": "after the password",
    "mfa_download_recovery_codes": "after the password",
}


def test_every_address_of_signing_in_is_tried_here() -> None:
    names = {entry.name for address, entry in addresses() if address.startswith("/accounts/")}
    assert names == {
        name for name in {*WAYS, *OTHER_TESTS, *NO_GUESSES} if name.startswith(("account_", "mfa_"))
    }


@pytest.fixture
def owner() -> Client:
    """The secretary's browser, in which she signed in before; she is signed out."""
    browser = Client()
    sign_in(browser)
    browser.post(reverse("account_logout"))
    return browser


def guesser(place: str = ELSEWHERE) -> Client:
    return Client(REMOTE_ADDR=place)


@pytest.mark.parametrize("entrance", WAYS.values(), ids=WAYS)
def test_the_guesser_waits_and_not_the_owner(entrance: Way, owner: Client) -> None:
    for _ in range(entrance.tries):
        entrance.wrong(guesser())
    stopped_guesser = guesser()
    answer = entrance.right(stopped_guesser)
    assert TO_WAIT in answer.content.decode()
    assert not entrance.is_open(stopped_guesser, answer)
    new_device = Client()
    assert entrance.is_open(new_device, entrance.right(new_device)), "somewhere else"
    owner.defaults["REMOTE_ADDR"] = ELSEWHERE  # even beside the guesser
    assert entrance.is_open(owner, entrance.right(owner))


@pytest.mark.parametrize("entrance", WAYS.values(), ids=WAYS)
def test_guesses_from_many_places_have_a_limit_which_the_owner_does_not_feel(
    entrance: Way, owner: Client
) -> None:
    places = (f"198.51.100.{number}" for number in range(250))
    try_count = 0
    for place in places:
        if TO_WAIT in entrance.wrong(guesser(place)).content.decode():
            break
        try_count += 1
    assert try_count <= 60
    stopped_guesser = guesser("192.0.2.1")
    assert TO_WAIT in entrance.right(stopped_guesser).content.decode()
    assert entrance.is_open(owner, entrance.right(owner))


def test_all_entrances_at_once_do_not_lock_the_owner_out(owner: Client) -> None:
    for entrance in WAYS.values():
        for _ in range(entrance.tries + 1):
            entrance.wrong(guesser())
    for entrance in WAYS.values():
        assert entrance.is_open(owner, entrance.right(owner))


def test_a_guesser_is_not_let_go_on_by_waiting_five_minutes_for_ever() -> None:
    now, try_count = timezone.now(), 0
    for minute in range(0, 55, 6):
        with time_machine.travel(now + timedelta(minutes=minute)):
            answers = [sign_in(guesser(), WRONG).content.decode() for _ in range(5)]
        try_count += sum(TO_WAIT not in answer for answer in answers)
    assert try_count == 20


def test_one_guesser_in_the_hall_stops_nobody_elses_device(owner: Client) -> None:
    for number in range(20):
        sign_in(Client(), WRONG, f"p{number}@example.org")
    assert TO_WAIT in sign_in(Client()).content.decode()
    sign_in(owner)
    assert is_in(owner)


def test_five_wrong_passwords_on_a_device_of_the_owner_wait_as_well(owner: Client) -> None:
    for _ in range(5):
        sign_in(owner, WRONG)
    assert "Wait 5 minutes" in sign_in(owner).content.decode()
    new_device = Client()
    sign_in(new_device)
    assert is_in(new_device)


def test_a_device_is_the_owners_and_of_nobody_else(owner: Client) -> None:
    for _ in range(5):
        sign_in(owner, WRONG, "dev@example.org")
    assert TO_WAIT in sign_in(Client(), email="dev@example.org").content.decode()


def test_two_who_share_a_device_are_both_at_home_on_it(owner: Client) -> None:
    sign_in(owner, email="dev@example.org")
    owner.post(reverse("account_logout"))
    for email in (ALICE, "dev@example.org"):
        for _ in range(5):
            sign_in(Client(), WRONG, email)
    for email in (ALICE, "dev@example.org"):
        sign_in(owner, email=email)
        assert is_in(owner)
        owner.post(reverse("account_logout"))


@pytest.mark.parametrize(
    "value",
    [
        *("", "x", "x:y:z"),
        # Signed at the second of collecting, so its name must be its own.
        pytest.param(signing.dumps(["n", ["a"]], salt="other"), id="signed for something else"),
    ],
)
def test_a_forged_device_is_a_new_one(value: str) -> None:
    browser = Client()
    browser.cookies[DEVICE_COOKIE] = value
    for _ in range(5):
        sign_in(browser, WRONG)
    assert TO_WAIT in sign_in(Client()).content.decode()


def test_the_cookie_of_a_device_names_nobody(owner: Client) -> None:
    cookie = owner.cookies[DEVICE_COOKIE]
    assert (cookie["httponly"], cookie["samesite"]) == (True, "Lax")
    assert "alice" not in str(signing.loads(cookie.value, salt=DEVICE_SALT))


def test_a_wrong_password_makes_no_device() -> None:
    browser = Client()
    sign_in(browser, WRONG)
    assert DEVICE_COOKIE not in browser.cookies


def test_the_second_step_of_the_owner_is_not_stopped_by_guesses_elsewhere(owner: Client) -> None:
    sign_in(owner)
    secret = set_up(owner)
    owner.post(reverse("account_logout"))
    thief = guesser()
    sign_in(thief)  # the password was stolen
    codes = [
        thief.post(reverse("mfa_authenticate"), {"code": "000000"}).content.decode()
        for _ in range(6)
    ]
    assert [TO_WAIT in code for code in codes] == [*[False] * 5, True]
    with time_machine.travel(timezone.now() + timedelta(seconds=90)):
        thief.post(reverse("mfa_authenticate"), {"code": code_now(secret)})
        assert not is_in(thief)
        sign_in(owner)
        owner.post(reverse("mfa_authenticate"), {"code": code_now(secret)})
    assert is_in(owner)


def test_a_stolen_session_stops_no_password_on_the_owners_device(owner: Client, cast: Cast) -> None:
    thief = guesser()
    thief.force_login(cast.secretary, backend="django.contrib.auth.backends.ModelBackend")
    confirm_page, change = reverse("account_reauthenticate"), reverse("account_change_password")
    for _ in range(3):
        thief.post(confirm_page, {"password": WRONG})
        thief.post(change, {"oldpassword": WRONG, "password1": NEW, "password2": NEW})
    for page, name in ((confirm_page, "password"), (change, "oldpassword")):
        assert TO_WAIT in thief.post(page, {name: PASSWORD}).content.decode()
    sign_in(owner)
    assert owner.post(confirm_page, {"password": PASSWORD}).status_code == 302
    fields = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert owner.post(change, fields).status_code == 302
    cast.secretary.refresh_from_db()
    assert cast.secretary.check_password(NEW)


def test_a_stolen_session_stops_no_code_on_the_owners_device(owner: Client, cast: Cast) -> None:
    sign_in(owner)
    secret = set_up(owner)
    cast.secretary.refresh_from_db()
    thief = guesser()
    thief.force_login(cast.secretary, backend="django.contrib.auth.backends.ModelBackend")
    confirm_page = reverse("mfa_reauthenticate")
    codes = [thief.post(confirm_page, {"code": "000000"}).content.decode() for _ in range(6)]
    assert TO_WAIT in codes[-1]
    with time_machine.travel(timezone.now() + timedelta(seconds=90)):
        assert owner.post(confirm_page, {"code": code_now(secret)}).status_code == 302
