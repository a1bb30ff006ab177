"""Programs that are told, over weeks: new secrets, those that do not answer, letters about them."""

import hmac
import re
import time
from collections.abc import Iterable
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.core.mail import EmailMessage
from django.utils import timezone

from clubs.members import services as people
from clubs.models import AuditEntry, Delivery, News, Webhook
from clubs.webhooks import services
from clubs.webhooks.services import stop_webhook
from tests.api import api_client, send
from tests.clubs.visits import Visitor
from tests.clubs.webhooks.test_webhooks import Program, listening, program, sent
from tests.people import Cast

GUIDE = settings.BASE_DIR / "docs" / "guide" / "api.md"
__all__ = ["program"]


def is_ours(secret: str, header: str, body: bytes) -> bool:
    """What the guide tells programmers to do, as it stands there."""
    found = re.search(r"```python\n(def is_ours.*?)```", Path(GUIDE).read_text(), re.DOTALL)
    assert found
    known: dict[str, Any] = {"hmac": hmac, "time": time}
    exec(found[1], known)  # noqa: S102
    return bool(known["is_ours"](secret, header, body))


def happen(cast: Cast, *names: str) -> None:
    for name in names:
        people.add_player(club=cast.club, name=name)


def next_try(webhook: Webhook) -> Any:
    """A second after the oldest that waits is to be tried."""
    waits = webhook.deliveries.filter(try_at__isnull=False).order_by("pk").first()
    assert waits is not None
    assert waits.try_at is not None
    return waits.try_at + timedelta(seconds=1)


def test_the_guides_lines_know_our_news_and_no_others(cast: Cast, program: Program) -> None:
    webhook = listening(cast.club, program)
    happen(cast, "Zoe")
    sent()
    (heard,) = program.heard
    header = heard.headers["Tongbox-Signature"]
    assert is_ours(webhook.secret, header, heard.body)
    assert not is_ours(webhook.secret, header, heard.body + b" ")
    assert not is_ours("tbs_another", header, heard.body)
    old = services.signature([webhook.secret], int(time.time()) - 400, heard.body)
    assert not is_ours(webhook.secret, old, heard.body), "it is played again"


def test_a_new_secret_and_the_one_before_it_sign_for_a_day(cast: Cast, program: Program) -> None:
    webhook = listening(cast.club, program)
    former = webhook.secret
    page = Visitor(cast.secretary).post(f"/c/riverside/settings/webhooks/{webhook.pk}/secret/")
    webhook.refresh_from_db()
    assert webhook.secret in page.content.decode()
    assert webhook.secret != former
    happen(cast, "Zoe")
    sent()
    header, body = program.heard[0].headers["Tongbox-Signature"], program.heard[0].body
    assert all(is_ours(one, header, body) for one in (webhook.secret, former))
    happen(cast, "Yan")
    sent(timezone.now() + timedelta(days=1, seconds=1))
    assert program.heard[1].headers["Tongbox-Signature"].count("v1=") == 1


def test_a_program_may_make_its_secret_anew(cast: Cast, program: Program) -> None:
    webhook = listening(cast.club, program)
    one = f"/api/v1/clubs/riverside/webhooks/{webhook.pk}/secret/"
    told = send(api_client(cast.secretary), one, {}).json()["secret"]
    webhook.refresh_from_db()
    assert (told, webhook.former_secret != told) == (webhook.secret, True)


def test_while_one_piece_of_news_waits_the_later_ones_wait_with_it(
    cast: Cast, program: Program
) -> None:
    webhook = listening(cast.club, program)
    program.status = 503
    happen(cast, "Zoe")
    sent()
    happen(cast, "Yan", "Xia")
    sent()
    assert len(program.heard) == 1
    program.status = 204
    sent(next_try(webhook))
    about = [heard.news["about"]["player"] for heard in program.heard]
    assert about == [about[0], *sorted(about[1:])], "the first again, then the others in order"
    assert len(about) == 4
    assert not webhook.deliveries.filter(done_at=None).exists()


def test_news_that_a_program_never_takes_do_not_hold_the_others_for_ever(
    cast: Cast, program: Program
) -> None:
    webhook = listening(cast.club, program)
    program.status = 500
    happen(cast, "Zoe")
    for _ in range(services.HOLDS_OTHERS + 1):
        sent(next_try(webhook) if program.heard else None)
    program.status = 204
    happen(cast, "Yan")
    sent()
    assert list(webhook.deliveries.order_by("pk").values_list("tries", "answer")) == [
        (services.HOLDS_OTHERS + 1, "It answered 500."),
        (1, "It answered 204."),
    ]


def given_up(webhook: Webhook, times: Iterable[object] = services.PAUSES) -> None:
    """Try the oldest to the end."""
    oldest = Delivery.objects.order_by("pk").first()
    assert oldest is not None
    for _ in (0, *times):
        Delivery.objects.filter(pk=oldest.pk).update(try_at=timezone.now())
        services.deliver(delivery_id=oldest.pk, now=timezone.now())
    webhook.refresh_from_db()


def test_a_program_that_hears_others_is_not_stopped_for_one_that_it_never_takes(
    cast: Cast, program: Program
) -> None:
    webhook = listening(cast.club, program)
    happen(cast, "Zoe", "Yan")
    _, second = Delivery.objects.order_by("pk")
    services.deliver(delivery_id=second.pk, now=timezone.now())
    program.status = 500
    given_up(webhook)
    first = Delivery.objects.order_by("pk")[0]
    assert (first.try_at, first.done_at, webhook.is_active) == (None, None, True)


def test_the_secretary_gets_one_letter_when_a_program_hears_nothing_any_more(
    cast: Cast, program: Program, mailoutbox: list[EmailMessage]
) -> None:
    webhook = listening(cast.club, program)
    program.status = 410
    happen(cast, "Zoe")
    sent()
    stop_webhook(webhook=webhook, because="The receiver says the address no longer exists.")
    (letter,) = mailoutbox
    assert letter.to == [cast.secretary.email]
    assert "The receiver says the address no longer exists." in letter.body
    assert "/c/riverside/settings/webhooks/" in letter.body
    assert [(deed.what, deed.by) for deed in AuditEntry.objects.all()] == [
        ("webhook-stopped", "Tongbox")
    ]
    page = Visitor(cast.secretary).get("/c/riverside/settings/activity/").content.decode()
    assert "Tongbox stopped a webhook that was failing." in page


@pytest.mark.parametrize("status", [301, 404, 500])
def test_only_two_hundred_is_an_answer(cast: Cast, program: Program, status: int) -> None:
    webhook = listening(cast.club, program, News.MEMBER_ADDED)
    program.status = status
    happen(cast, "Zoe")
    sent()
    assert webhook.deliveries.get().done_at is None
