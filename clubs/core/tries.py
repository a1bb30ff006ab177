"""How often someone may try to get into an account, or have an email sent that lets them in.

Every entrance to an account asks here. A try counts for whoever makes it: for the device, where the
account was signed in there before, else for the network address. So a guesser elsewhere stops
themselves and not the owner. All addresses together have a limit for one account as well, which
holds for devices where it was never signed in.
"""

from collections.abc import Iterator
from enum import StrEnum
from math import ceil
from secrets import token_urlsafe
from time import time
from typing import Any, Final, NamedTuple

from allauth.core.internal.ratelimit import (
    RateLimitUsage,
    consume,
    get_cache_key,
    get_ip,
    get_rates,
)
from django.conf import settings
from django.core import signing
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.http import HttpRequest, HttpResponse
from django.utils.crypto import salted_hmac

MINUTE_SECONDS: Final = 60  # seconds
YEAR_SECONDS: Final = 365 * 24 * 60 * MINUTE_SECONDS
TOO_MANY_TRIES: Final = "too_many_login_attempts"  # the code of the error
RATE_LIMIT_APP: Final = "tongbox"
DEVICE_COOKIE: Final = "device"
DEVICE_SALT: Final = "device"
MOST_ACCOUNTS: Final = 8  # of people who share a device
# In a request's META: the address that signed in just now.
SIGNED_IN_KEY: Final = "tongbox.signed_in"

ACTIONS_BY_URL_NAME: Final = {  # by allauth itself: pages of those who are in, or have a link
    "account_reset_password_from_key": "reset_password_from_key",
    "account_email": "manage_email",
}


class Entrance(StrEnum):
    """What is tried; each has counts of its own."""

    VISIT = "visit"  # a password, right or wrong
    SIGN_IN = "sign-in"  # a wrong password
    SECOND_STEP = "second-step"  # a wrong code
    LOGIN_CODE = "login-code"  # asking for an email with a code
    RESET = "reset"  # asking for an email with a link


class Limits(NamedTuple):
    """How many tries, as allauth writes rates; empty for no limit."""

    device: str  # for an account on a device where it was signed in
    place: str  # for an account from one network address
    network: str  # for all accounts from that address
    account: str  # for an account from all addresses


LIMITS: Final = {
    Entrance.VISIT: Limits("30/m/key", "", "30/m/key", ""),
    Entrance.SIGN_IN: Limits("5/5m/key", "5/5m/key,20/h/key", "20/5m/key", "60/h/key"),
    Entrance.SECOND_STEP: Limits("5/5m/key", "5/5m/key,20/h/key", "20/5m/key", "60/h/key"),
    Entrance.LOGIN_CODE: Limits("3/10m/key", "3/10m/key,6/h/key", "20/h/key", "20/h/key"),
    Entrance.RESET: Limits("3/10m/key", "3/10m/key,6/h/key", "20/h/key", "20/h/key"),
}


class Try(NamedTuple):
    """A try that was counted."""

    counts: tuple[RateLimitUsage, ...]

    def forget(self) -> None:
        """Take it off the counts again, as it was right."""
        for count in self.counts:
            count.rollback()


def count_try(request: HttpRequest, entrance: Entrance, email: str) -> Try:
    """Count a try at the account with this address, whether or not there is one.

    Raises ``ValidationError``, with how long to wait, if there were too many.
    """
    counts = []
    for key, rates in _rate_limit_keys(request, LIMITS[entrance], email):
        config = {entrance.value: rates}
        names: dict[str, Any] = {
            "app": RATE_LIMIT_APP,
            "action": entrance.value,
            "config": config,
            "key": key,
        }
        count = consume(request, limit_get=True, **names)
        if count is None:
            raise ValidationError(
                wait_sentence(_seconds_left(request, **names)), code=TOO_MANY_TRIES
            )
        counts.append(count)
    return Try(tuple(counts))


def _rate_limit_keys(request: HttpRequest, limits: Limits, email: str) -> Iterator[tuple[str, str]]:
    """The keys to count under with their rates; the narrowest first, which spares the others."""
    account = _email_digest(email)
    device = _read_device(request)
    place = get_ip(request)
    if account in device.accounts:
        counters = [(f"device {device.number} {account}", limits.device)]
    else:
        counters = [
            (f"place {place} {account}", limits.place),
            (f"network {place}", limits.network),
            (f"account {account}", limits.account),
        ]
    yield from ((key, rates) for key, rates in counters if rates)


class Device(NamedTuple):
    """A browser in which accounts were signed in before: a random number and their digests."""

    number: str = ""
    accounts: tuple[str, ...] = ()


def note_sign_in(request: HttpRequest, email: str) -> None:
    """Let the answer to this request mark the device as one of this account."""
    request.META[SIGNED_IN_KEY] = email


def device_middleware(answer: Any) -> Any:
    """Middleware: a browser keeps for a year that somebody signed in there."""

    def inner(request: HttpRequest) -> HttpResponse:
        response: HttpResponse = answer(request)
        if email := request.META.get(SIGNED_IN_KEY):
            _set_device_cookie(request, response, email)
        return response

    return inner


def _set_device_cookie(request: HttpRequest, response: HttpResponse, email: str) -> None:
    device, account = _read_device(request), _email_digest(email)
    other_accounts = [
        other_account for other_account in device.accounts if other_account != account
    ]
    accounts = [*other_accounts, account][-MOST_ACCOUNTS:]
    response.set_cookie(
        DEVICE_COOKIE,
        signing.dumps([device.number or token_urlsafe(12), accounts], salt=DEVICE_SALT),
        max_age=YEAR_SECONDS,
        samesite="Lax",
        secure=settings.SESSION_COOKIE_SECURE,
        httponly=True,
    )


def _read_device(request: HttpRequest) -> Device:
    """What the browser's cookie says; nothing without one, or with one that is not ours."""
    try:
        number, accounts = signing.loads(
            request.COOKIES.get(DEVICE_COOKIE, ""), salt=DEVICE_SALT, max_age=YEAR_SECONDS
        )
    except signing.BadSignature:
        return Device()
    return Device(number, tuple(accounts))


def _email_digest(email: str) -> str:
    return salted_hmac(DEVICE_SALT, email.strip().lower(), algorithm="sha256").hexdigest()[:32]


def seconds_to_wait(request: HttpRequest) -> int:
    """Seconds until the page of this request may be tried again; a minute if it has no limit."""
    url_name = request.resolver_match.url_name if request.resolver_match else ""
    action = ACTIONS_BY_URL_NAME.get(url_name or "", "")
    return (
        _seconds_left(request, app="allauth.account", action=action) if action else MINUTE_SECONDS
    )


def wait_sentence(seconds: int) -> str:
    """The message after too many tries."""
    minutes = ceil(seconds / MINUTE_SECONDS)
    how_long = "a minute" if minutes == 1 else f"{minutes} minutes"
    return f"Too many attempts. Wait {how_long} and try again."


def _seconds_left(
    request: HttpRequest, *, app: str, action: str, config: Any = None, key: str | None = None
) -> int:
    """Until the oldest try of a full count ends."""
    waits = []
    for rate in get_rates(app=app, action=action, config=config):
        tries: list[float] = cache.get(
            get_cache_key(request, app=app, action=action, rate=rate, key=key), []
        )
        if len(tries) >= rate.amount:
            waits.append(tries[-1] + rate.duration - time())
    return ceil(max((wait for wait in waits if wait > 0), default=MINUTE_SECONDS))
