"""How long someone waits who has tried too often: read from the counts that allauth keeps."""

from collections.abc import Iterator
from math import ceil
from time import time
from typing import Final

from allauth.core.internal.ratelimit import Rate, get_cache_key, get_rates
from django.core.cache import cache
from django.http import HttpRequest

APP: Final = "allauth.account"
A_MINUTE: Final = 60  # seconds
COUNTED_AT: Final = {
    "account_login": ("login", "login_failed"),
    "account_request_login_code": ("request_login_code",),
    "account_reset_password": ("reset_password",),
    "account_reset_password_from_key": ("reset_password_from_key",),
    "account_reauthenticate": ("reauthenticate", "login_failed"),
    "account_change_password": ("change_password", "login_failed"),
    "account_set_password": ("change_password",),
    "account_email": ("manage_email",),
    "mfa_authenticate": ("login_failed",),
    "mfa_reauthenticate": ("reauthenticate", "login_failed"),
    "mfa_activate_totp": ("login_failed",),
}


def seconds_to_wait(request: HttpRequest) -> int:
    """Seconds until the address of this request may be tried again; a minute where none counts."""
    at = request.resolver_match.url_name if request.resolver_match else ""
    waits = [
        wait
        for action in COUNTED_AT.get(at or "", ())
        for rate in get_rates(app=APP, action=action)
        for key in _keys(request, rate)
        if (wait := _wait(request, action, rate, key)) > 0
    ]
    return ceil(max(waits, default=A_MINUTE))


def sentence(request: HttpRequest) -> str:
    """What someone reads who has tried too often."""
    minutes = ceil(seconds_to_wait(request) / A_MINUTE)
    how_long = "a minute" if minutes == 1 else f"{minutes} minutes"
    return f"Too many attempts. Wait {how_long} and try again."


def _keys(request: HttpRequest, rate: Rate) -> Iterator[str | None]:
    if rate.per == "ip" or (rate.per == "user" and request.user.is_authenticated):
        yield None
    elif rate.per == "key":
        typed = request.POST.get("login") or request.POST.get("email")
        yield from filter(None, (typed and typed.strip().lower(), _second_step(request)))


def _second_step(request: HttpRequest) -> str | None:
    """Under which name the codes of a second step are counted, for whoever is taking it."""
    stage = getattr(request, "_login_stage", None)
    user = stage.login.user if stage else request.user
    return f"mfa-auth-user-{user.pk}" if user.pk else None


def _wait(request: HttpRequest, action: str, rate: Rate, key: str | None) -> float:
    """Seconds until one more try is allowed; 0 or less where one is now."""
    counted = get_cache_key(request, app=APP, action=action, rate=rate, key=key)
    tries: list[float] = cache.get(counted, [])
    return tries[-1] + rate.duration - time() if len(tries) >= rate.amount else 0
