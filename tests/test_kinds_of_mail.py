"""Every kind of email is known: who can cause it, to whom it goes, and what limits it."""

import ast
import re
from collections.abc import Iterator
from datetime import date
from pathlib import Path
from typing import Final

import pytest
from django.core import mail
from django.urls import reverse

from clubs.core.mail_limits import CONFIRMATIONS_PER_ADDRESS, NEW_CLUB_MESSAGE, is_unreviewed_club
from clubs.messages.message_kinds import MESSAGE_KINDS, RESULT_KINDS
from clubs.messages.selectors import day_key
from clubs.models import AgreedTerms, Batch, Role, User
from scoring.scorebook.refusals import Refused
from tests.clubs.hosting.test_mail_limits import press_send
from tests.clubs.nights import make_players, night
from tests.clubs.outbox import with_emails, write
from tests.people import PASSWORD, Cast, browser_of, make_user

ROOT: Final = Path(__file__).parents[1]
DAY: Final = date(2026, 11, 17)
SENDERS: Final = {
    *("send_mail", "send_notice", "send_notification_mail"),
    *("EmailMessage", "EmailMultiAlternatives"),
}
# Where an email is made that can go to somebody who has no account, and what limits it.
TO_STRANGERS: Final = {
    ("clubs/messages/mail.py", "build_email"): ("clubs/messages/services.py", "count_mails"),
    ("clubs/accounts/services.py", "send_invitation"): (
        "clubs/accounts/services.py",
        "count_mails",
    ),
    ("clubs/accounts/services.py", "request_address_change"): (
        "clubs/accounts/services.py",
        "count_confirmation",
    ),
    ("clubs/hosting/services/founding.py", "_send_link"): (
        "clubs/hosting/services/founding.py",
        "_refuse_too_many",
    ),
    ("clubs/accounts/signin.py", "send_mail"): ("clubs/core/tries.py", "count_try"),
}
TO_ACCOUNTS: Final = {
    ("clubs/accounts/services.py", "revoke_all_tokens"): "whose keys they are",
    ("clubs/accounts/services.py", "change_address"): "whose address it was",
    ("clubs/accounts/services.py", "send"): "the club’s secretaries",
    ("clubs/accounts/signin.py", "send_notification_mail"): "whose account it is",
    ("clubs/webhooks/services.py", "stop_webhook"): "the club’s secretaries",
    ("clubs/hosting/services/deletion.py", "mail_organisers"): "the club’s organisers",
    ("clubs/house/mail_checks.py", "_check_sending"): "whoever presses",
    ("clubs/hosting/services/founding.py", "_notify_operators"): "administrators",
    ("tournaments/away.py", "tell_operators"): "administrators",
    ("tournaments/backup.py", "tell_operators"): "administrators",
    ("clubs/core/mail.py", "send_notice"): "the way that some of these take",
}


def makers() -> Iterator[tuple[str, str]]:
    for house in ("clubs", "tournaments", "config"):
        for path in sorted((ROOT / house).rglob("*.py")):
            yield from ((str(path.relative_to(ROOT)), name) for name in _makers_in(path))


def _makers_in(path: Path) -> Iterator[str]:
    def inside(node: ast.AST, function_name: str) -> Iterator[str]:
        function_name = node.name if isinstance(node, ast.FunctionDef) else function_name
        if isinstance(node, ast.Call) and _name(node.func) in SENDERS:
            yield function_name
        for child in ast.iter_child_nodes(node):
            yield from inside(child, function_name)

    yield from inside(ast.parse(path.read_text(encoding="utf-8")), "")


def _name(expression: ast.expr) -> str:
    return getattr(expression, "attr", "") or getattr(expression, "id", "")


def test_every_place_that_makes_an_email_is_known() -> None:
    assert set(makers()) == {*TO_STRANGERS, *TO_ACCOUNTS}


def test_what_can_go_to_strangers_is_counted() -> None:
    """Each limit is there by its name; ``test_mail_limits`` and ``test_tries`` reach it."""
    for path, limit in TO_STRANGERS.values():
        assert re.search(rf"\b{limit}\(", (ROOT / path).read_text(encoding="utf-8")), (path, limit)


@pytest.mark.parametrize("kind", MESSAGE_KINDS)
def test_a_new_club_sends_no_message_of_any_kind(cast: Cast, kind: str) -> None:
    cast.club.agreed_to = AgreedTerms.objects.create(digest="x", terms="", privacy="")
    cast.club.save()
    assert is_unreviewed_club(cast.club)
    players = make_players(cast.club, 2)
    with_emails(players)
    batch = write(cast.club, players, cast.secretary)
    evening = night(cast.club, held_on=DAY)
    subject = evening.pk if kind in RESULT_KINDS else day_key(DAY)
    Batch.objects.filter(pk=batch.pk).update(kind=kind, about=subject)
    batch.refresh_from_db()
    with pytest.raises(Refused) as refusal:
        press_send(batch, cast)
    assert str(refusal.value) == NEW_CLUB_MESSAGE
    assert mail.outbox == []


def test_one_address_is_asked_a_few_times_a_day_whoever_asks(cast: Cast) -> None:
    """Several accounts could otherwise send an hour's dozens of emails to one person."""
    people = [
        make_user(cast.club, f"Asker{n}", Role.PLAYER) for n in range(CONFIRMATIONS_PER_ADDRESS)
    ]

    def ask_confirmation(user: User, email: str) -> str:
        browser = browser_of(user)
        browser.post(reverse("account_reauthenticate"), {"password": PASSWORD})
        page = browser.post(reverse("account_email"), {"email": email}, follow=True)
        return page.content.decode()

    for user in people:
        assert "We have sent an email" in ask_confirmation(user, "Victim@example.org")
    refusal = "has been sent enough emails today. Try again tomorrow."
    assert refusal in ask_confirmation(cast.secretary, "victim@example.org")
    assert [message.to for message in mail.outbox] == [
        ["victim@example.org"]
    ] * CONFIRMATIONS_PER_ADDRESS
    assert "We have sent an email" in ask_confirmation(cast.secretary, "someone@else.example")
