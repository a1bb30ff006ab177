"""Pages that are come to only by doing something: a name for each, as someone gets there."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import Final

from allauth.mfa.totp.internal.auth import (
    format_hotp_value,
    hotp_value,
    yield_hotp_counters_from_time,
)
from django.contrib.auth.models import AnonymousUser
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse
from django.test import RequestFactory
from django.urls import reverse
from django.utils import timezone
from django.views.csrf import csrf_failure
from playwright.sync_api import Page, Route
from structlog.contextvars import bound_contextvars

from clubs.models import Club, Delivery, News, Webhook
from config import middleware, views
from tests.browser.telling import begin, choose
from tests.browser.tour import PASSWORD, stops
from tournaments.models import Tournament

TOO_MUCH: Final = 50_000_000  # bytes
OUTAGES: Final = {
    "failed-full": "database or disk is full",
    "failed-busy": "database is locked",
    "failed-away": "the connection was refused",
}
Detour = Callable[[Page, str], Iterator[str]]


def by_a_code(page: Page, server: str) -> Iterator[str]:
    """A code is asked for, and a wrong one typed."""
    page.goto(f"{server}{reverse('account_request_login_code')}")
    page.get_by_label("Email").fill("nobody@example.org")
    page.get_by_role("button", name="Send me a code").click()
    page.get_by_role("heading", name="Enter your code").wait_for()
    yield "sign-in-code-sent"
    page.get_by_label("Code from the email").fill("ABCD-EFGH")
    page.locator("main").get_by_role("button", name="Sign in").click()
    page.get_by_role("alert").wait_for()
    yield "sign-in-code-wrong"


def by_a_second_step(page: Page, server: str) -> Iterator[str]:
    """Someone sets a second step up, comes in by a code on paper, and takes the step off."""
    yield from _set_up(page, server)
    on_paper = page.locator(".recovery li").first.inner_text()
    for name, address in (
        ("second-step-on", "mfa_index"),
        ("your-sign-in-safe", "account"),
        ("second-step-more-codes", "mfa_generate_recovery_codes"),
    ):
        page.goto(f"{server}{reverse(address)}")
        yield name
    yield from _come_in(page, server, on_paper)
    page.goto(f"{server}{reverse('mfa_reauthenticate')}")
    yield "second-step-again"
    _ask_again(page, f"{server}{reverse('mfa_deactivate_totp')}")
    page.get_by_role("button", name="Turn off").wait_for()
    yield "second-step-off"
    page.get_by_role("button", name="Turn off").click()
    page.get_by_text("Two-step verification is off.").wait_for()


def _set_up(page: Page, server: str) -> Iterator[str]:
    _ask_again(page, f"{server}{reverse('account_email')}")
    page.get_by_role("heading", name="Email address").wait_for()
    yield "your-address"
    page.goto(f"{server}{reverse('mfa_activate_totp')}")
    yield "second-step-app"
    page.get_by_text("Cannot scan the code?").click()
    page.get_by_label("6-digit code").fill(code_now(page.locator(".scan__secret").inner_text()))
    page.get_by_role("button", name="Turn on").click()
    page.get_by_role("heading", name="Recovery codes").wait_for()
    yield "second-step-codes"


def _come_in(page: Page, server: str, on_paper: str) -> Iterator[str]:
    page.goto(f"{server}{reverse('account_logout')}")
    page.locator("main").get_by_role("button", name="Sign out").click()
    page.goto(f"{server}{reverse('account_login')}")
    page.fill("input[name=login]", "player@example.org")
    page.fill("input[name=password]", PASSWORD)
    page.click("main button[type=submit]")
    page.get_by_role("heading", name="Enter your 6-digit code").wait_for()
    yield "second-step-asked"
    page.get_by_label("Code").fill(on_paper)
    page.get_by_role("button", name="Sign in", exact=True).click()
    page.get_by_text("Account of").wait_for(state="attached")


def code_now(secret: str) -> str:
    _previous_counter, counter, _next_counter = yield_hotp_counters_from_time()
    code: str = format_hotp_value(hotp_value(secret, counter))
    return code


def _ask_again(page: Page, address: str) -> None:
    page.goto(address)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()


def for_programs(page: Page, server: str) -> Iterator[str]:
    """A key is made and revoked; a program is told, stopped and taken away."""
    page.goto(f"{server}{reverse('keys')}")
    yield "keys-asked"
    page.get_by_role("link", name="Enter password").click()
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Continue").click()
    page.get_by_role("button", name="Create key").click()
    page.get_by_role("alert").wait_for()
    yield "keys-wrong"
    page.get_by_role("textbox", name="Name").fill("The screen in the hall")
    page.get_by_role("button", name="Create key").click()
    page.get_by_role("status").get_by_text("created").wait_for()
    yield "keys-made"
    page.get_by_role("button", name="Revoke").click()
    program = _told_program()
    page.goto(f"{server}{reverse('webhooks', args=[program.club.slug])}")
    yield "webhooks-told"
    program.delete()


def _told_program() -> Webhook:
    club = Club.objects.get(slug="riverside")
    kinds = [News.EVENING_OPENED, News.HAND_RECORDED]
    program = Webhook.objects.create(
        club=club,
        address="https://example.org/heard/",
        kinds=kinds,
        is_active=False,
        stopped_because="It was away for a day.",
    )
    now = timezone.now()
    fields = {"webhook": program, "payload": {}}
    Delivery.objects.create(**fields, kind=kinds[1], tries=1, done_at=now, answer="200 OK.")
    Delivery.objects.create(**fields, kind=kinds[0], tries=4, try_at=now, answer="No answer came.")
    return program


def when_it_fails(page: Page, server: str) -> Iterator[str]:
    """What is read when something cannot be done: as the server makes it, at an address of ours."""
    for name, answer in _failures():
        page.route(f"{server}/{name}/", partial(_answer, answer))
        page.goto(f"{server}/{name}/")
        yield name


def _answer(answer: HttpResponse, route: Route) -> None:
    route.fulfill(body=answer.content, content_type="text/html")


def _failures() -> Iterator[tuple[str, HttpResponse]]:
    request = RequestFactory().get("/", CONTENT_LENGTH=str(TOO_MUCH))
    request.user = AnonymousUser()
    request.resolver_match = None
    yield "bad-request", views.bad_request(request, ValueError())
    yield "sent-too-late", csrf_failure(request)
    yield "too-large", middleware.limit_body_size(views.liveness_check)(request)
    yield "too-often", views.too_many_requests(request)
    with bound_contextvars(request_id="3f9a22c17b04"):
        yield "failed", views.server_error(request)
        for name, message in OUTAGES.items():
            yield name, _outage(request, message)


def _outage(request: HttpRequest, message: str) -> HttpResponse:
    try:
        raise OperationalError(message)
    except OperationalError:
        return views.server_error(request)


def without_a_network(page: Page, server: str) -> Iterator[str]:
    """A table's phone as its network goes and comes back: a name for each state it is in.

    The hand that is entered is none that can be scored, so nothing comes into the book. The phone
    was not told in time which totals can be.
    """
    page.context.route("**/ahead/?totals=*", lambda route: route.abort())
    status = page.locator("[data-net] [role=status]")
    page.goto(f"{server}{next(stop.address for stop in stops() if stop.name == 'table')}")
    page.locator("[data-net][data-knows][data-put-away]").wait_for()
    page.context.set_offline(True)
    status.get_by_text("OFFLINE", exact=True).wait_for()
    yield "table-offline"
    begin(page)
    choose(page, 0)
    page.locator(".entry input").first.fill("61")
    page.locator("[data-entry] [value=check]").click()
    page.get_by_role("heading", name="Check this hand").wait_for()
    yield "table-offline-check"
    page.get_by_role("button", name="on this phone").click()
    status.get_by_text("1 hand", exact=True).wait_for()
    yield "table-offline-kept"
    page.context.set_offline(False)
    page.get_by_role("heading", name="could not be saved yet").wait_for()
    yield "table-offline-refused"


MESSY_LIST: Final = """Riverside Mah-Jong Club – members 2026

Surname,First name,Tel,E-mail,Paid,Locker,Member since
Ashworth,Margaret,01225 4567,margaret@example.org,1/9/26,12,1 Sep 2019
Marsh,Ngaio,01225 1234,ngaio@example.org,1/9/26,,1/9/2026
Marsh,Ngaio,,,,7,
Byrne,Seán,01225 9,seán,,,31/2/2026
Total,,,,4,,
"""


def with_a_list(page: Page, server: str) -> Iterator[str]:
    """A messy list of members is checked; one name is near someone's."""
    club = Club.objects.get(slug="riverside")
    member_name = club.players.filter(is_active=True, name__contains=" ").earliest("pk").name
    first, _, last = member_name.partition(" ")
    page.goto(f"{server}{reverse('members-import', args=[club.slug])}")
    page.get_by_label("Or paste a list").fill(f"{MESSY_LIST}{last}s,{first},,,,,\n")
    page.get_by_role("button", name="Check the list").click()
    page.get_by_role("heading", name="Check your import").wait_for()
    yield "members-import-check"
    page.get_by_role("button", name="Import", exact=True).first.click()
    page.get_by_role("alert").wait_for()
    yield "members-import-problem"


def with_entries(page: Page, server: str) -> Iterator[str]:
    """A list of entries is checked; a line of it cannot be entered."""
    cup = Tournament.objects.latest("held_on")
    page.goto(f"{server}{reverse('entrants-import', args=[cup.club.slug, cup.pk])}")
    page.get_by_label("Or paste a list").fill("Entries\nName,Club,Diet\nNgaio,Bath,\n<b>,,\n")
    page.get_by_role("button", name="Check the list").click()
    page.get_by_role("heading", name="Check your import").wait_for()
    yield "entrants-import-check"


def with_a_wrong_score(page: Page, server: str) -> Iterator[str]:
    """A phone offers scores that are possible; the others' stand close together below."""
    page.goto(f"{server}{next(stop.address for stop in stops() if stop.name == 'table')}")
    begin(page)
    choose(page, 1)
    for figure, score in zip(page.locator(".entry input").all(), "1222", strict=True):
        figure.fill(score)
    page.locator("[data-entry] [value=check]").click()
    page.locator(".guesses__one").first.wait_for()
    yield "table-wrong-score"


DETOURS: Final[tuple[tuple[str, Detour, tuple[str, ...]], ...]] = (  # who goes, at which sizes
    ("", by_a_code, ("phone", "desk")),
    ("player", by_a_second_step, ("phone", "desk")),
    ("secretary", for_programs, ("phone", "desk")),
    ("secretary", with_a_list, ("phone", "desk")),
    ("director", with_entries, ("phone", "desk")),
    ("", when_it_fails, ("phone", "desk")),
    ("", without_a_network, ("phone",)),
    ("", with_a_wrong_score, ("phone",)),
)
