"""What every answer carries, whoever asks for whatever; and what a real installation says."""

import os
import secrets
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings as configured
from django.test import Client
from django.urls import URLPattern, get_resolver, reverse

from tests.people import Cast, browser_of
from tests.test_doors import filled_address, patterns
from tests.test_odd_numbers import pages_of
from tests.test_other_clubs import Clubs, clubs

__all__ = ["clubs"]

EVERY_ANSWER = {
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Referrer-Policy": "same-origin",
}
OF_THE_BROWSER = {"DJANGO_ALLOW_ASYNC_UNSAFE"}  # set for Playwright, by tests in the same process
POLICY = {
    "default-src 'self'",
    "script-src 'self'",
    "style-src 'self'",
    "object-src 'none'",
    "frame-ancestors 'none'",
    "base-uri 'self'",
    "form-action 'self'",
}


def with_one_address(pattern: URLPattern) -> bool:
    """allauth's addresses with an expression of their own are tried elsewhere."""
    return bool(pattern.name) and "RegexPattern" not in type(pattern.pattern).__name__


def lacks(answer: Any) -> list[str]:
    wrong = [name for name, value in EVERY_ANSWER.items() if answer.headers.get(name) != value]
    policy = {part.strip() for part in answer.headers["Content-Security-Policy"].split(";")}
    if not policy >= POLICY or "unsafe" in str(policy):
        wrong.append("Content-Security-Policy")
    if "camera=()" not in answer.headers["Permissions-Policy"]:
        wrong.append("Permissions-Policy")
    cache_control = answer.headers["Cache-Control"]
    if "public" in cache_control or not ("private" in cache_control or "no-store" in cache_control):
        wrong.append("Cache-Control")
    return wrong


@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("person", ["secretary", "nobody"])
def test_every_address_answers_with_every_header(cast: Cast, person: str) -> None:
    client = browser_of(cast.people()[person])
    addresses = [
        filled_address(pattern) for pattern in patterns(get_resolver()) if with_one_address(pattern)
    ]
    faults = {address: wrong for address in addresses if (wrong := lacks(client.get(address)))}
    assert faults == {}
    assert len(addresses) > 200


def test_what_somebody_signed_in_reads_is_not_kept(cast: Cast) -> None:
    client = browser_of(cast.secretary)
    for name in ("club", "members", "members-import", "evenings"):
        answer = client.get(reverse(name, args=[cast.club.slug]))
        assert "no-store" in answer["Cache-Control"]


def test_an_answer_to_a_host_that_is_not_ours_is_guarded_too(client: Client, db: None) -> None:
    answer = client.get("/", headers={"host": "evil.example"})
    assert (answer.status_code, lacks(answer)) == (400, [])


@pytest.mark.sampled(law="long plays")
def test_nothing_that_somebody_signed_in_reads_is_kept(clubs: Clubs) -> None:
    """No page, no file and no answer of the API stays on the disk of a shared laptop."""
    client = browser_of(clubs.cast.secretary)
    answers = {page: client.get(page) for page in pages_of(clubs)}
    good_answers = {page: answer for page, answer in answers.items() if answer.status_code == 200}
    assert len(good_answers) > 150
    assert any(page.endswith("members.xlsx") for page in good_answers)
    storable_pages = {
        page for page, answer in good_answers.items() if "no-store" not in answer["Cache-Control"]
    }
    assert storable_pages == set()


def test_an_answer_of_a_fault_is_guarded_too(client: Client, db: None) -> None:
    for address in ("/nothing/", "/rules/nothing/", "/t/nothing/"):
        answer = client.get(address)
        assert (answer.status_code, lacks(answer)) == (404, [])


def test_no_page_but_ours_may_post_a_form(cast: Cast) -> None:
    client = Client(enforce_csrf_checks=True)
    credentials = {"login": "alice@example.org", "password": "x"}
    assert client.post(reverse("account_login"), credentials).status_code == 403


def test_a_fault_is_told_without_what_is_inside(client: Client, db: None) -> None:
    assert configured.DEBUG is False
    page = client.get("/nothing/").content.decode()
    assert "Traceback" not in page
    assert "urlpatterns" not in page


def run_installed(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    inherited_variables = {
        name: value for name, value in os.environ.items() if name not in OF_THE_BROWSER
    }
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, *arguments],
        env={
            **inherited_variables,
            "SECRET_KEY": secrets.token_urlsafe(50),
            "TONGBOX_TLS": "1",
            **environment,
        },
        cwd=configured.BASE_DIR,
        capture_output=True,
        text=True,
        timeout=120,
        check=False,
    )


@pytest.mark.sampled(law="long plays")
def test_a_real_installation_has_no_warning() -> None:
    result = run_installed("manage.py", "check", "--deploy", "--fail-level", "DEBUG")
    assert result.returncode == 0, result.stderr
    assert "(0 silenced)" in result.stdout


def test_behind_tls_cookies_and_transport_are_strict() -> None:
    setting_names = (
        "SESSION_COOKIE_SECURE CSRF_COOKIE_SECURE SESSION_COOKIE_HTTPONLY CSRF_COOKIE_HTTPONLY"
        " SESSION_COOKIE_SAMESITE CSRF_COOKIE_SAMESITE SECURE_HSTS_SECONDS SECURE_SSL_REDIRECT"
        " ALLAUTH_TRUSTED_PROXY_COUNT"
    )
    code = (
        "from django.conf import settings as told;"
        f" print(*(getattr(told, name) for name in '{setting_names}'.split()))"
    )
    process = run_installed("-c", code, DJANGO_SETTINGS_MODULE="config.settings")
    assert process.stdout.split() == [*["True"] * 4, "Lax", "Lax", "31536000", "True", "1"]
