"""Programs that a club tells of what happens: written down, signed, sent, tried again, given up."""

import hmac
import json
import re
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from hashlib import sha256
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread
from typing import Any, NamedTuple

import pytest
from django.conf import settings
from django.core.mail import EmailMessage
from django.utils import timezone

from clubs.evenings.services import ending, evenings
from clubs.members.services import people
from clubs.models import AuditEntry, Club, Delivery, News, Webhook
from clubs.webhooks import safe_http, services
from clubs.webhooks.services import stop_webhook
from scoring.scorebook.refusals import Refused
from tests.api import (
    SOUTH_WINS,
    api_client,
    game_at,
    hand_payload,
    link_client,
    patch,
    refusal,
    send,
)
from tests.clubs.nights import make_players, night
from tests.clubs.visits import Visitor
from tests.people import Cast

DAY = date(2026, 11, 17)
PAGE = "/c/riverside/settings/webhooks/"
AT = "/api/v1/clubs/riverside/webhooks/"
EVERYTHING = [kind.value for kind in News if kind is not News.TRIED]


class Heard(NamedTuple):
    """What a program was sent."""

    path: str
    headers: dict[str, str]
    body: bytes

    @property
    def news(self) -> Any:
        return json.loads(self.body)


class Program:
    """Another program: listens, keeps what it hears, answers what it is told to."""

    def __init__(self) -> None:
        self.requests: list[Heard] = []
        self.status, self.leads_to = 204, ""
        program = self

        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                program.requests.append(Heard(self.path, dict(self.headers), body))
                self.send_response(program.status)
                if program.leads_to:
                    self.send_header("Location", program.leads_to)
                self.send_header("Content-Length", "0")
                self.end_headers()

            def log_message(self, *_: Any) -> None:
                """Says nothing."""

        self.server = HTTPServer(("127.0.0.1", 0), Handler)
        self.address = f"http://127.0.0.1:{self.server.server_port}/heard/?by=club"


@pytest.fixture
def program(settings: Any) -> Iterator[Program]:
    settings.WEBHOOKS_TO_PRIVATE = True
    listener = Program()
    thread = Thread(target=listener.server.serve_forever, args=[0.05])
    thread.start()
    yield listener
    listener.server.shutdown()
    thread.join()
    listener.server.server_close()


def listening(club: Club, program: Program, *kinds: str) -> Webhook:
    return services.add_webhook(club=club, address=program.address, kinds=kinds or EVERYTHING)


@pytest.fixture
def webhook(cast: Cast, program: Program) -> Webhook:
    """The program hears everything."""
    return listening(cast.club, program)


def kinds_told(club: Club) -> list[str]:
    return list(
        Delivery.objects.filter(webhook__club=club).order_by("pk").values_list("kind", flat=True)
    )


def happen(webhook: Webhook, *names: str) -> None:
    """These people come onto the list of the club."""
    for name in names:
        people.add_player(club=webhook.club, name=name)


def deliver_due(now: Any = None) -> None:
    """What the sweep of a minute does."""
    for key in services.due_deliveries(now=now or timezone.now()):
        services.deliver(delivery_id=key, now=now or timezone.now())


def test_an_evening_is_told_from_the_door_to_the_result(cast: Cast, webhook: Webhook) -> None:
    players = make_players(cast.club, 4)
    session = evenings.open_session(club=cast.club, held_on=DAY)
    for player in players:
        evenings.tick(session=session, player=player, is_here=True)
    evenings.seat_session(session=session)
    table = session.tables.get()
    send(api_client(cast.secretary), f"{game_at(table)}hands/", hand_payload(1, **SOUTH_WINS))
    ending.close_session(session=session)
    kinds = ["evening.opened", "evening.seated", "hand.recorded", "evening.closed"]
    assert kinds_told(webhook.club) == kinds
    news = Delivery.objects.get(kind="hand.recorded").payload
    assert news["club"] == "riverside"
    subject = {"table": 1, "evening": session.pk, "game": table.game_id}
    assert news["about"].items() >= subject.items()
    path = news["address"].removeprefix("http://localhost:8000")
    assert api_client(cast.secretary).get(path).json()["table"] == 1
    payloads = json.dumps([delivery.payload for delivery in Delivery.objects.all()])
    assert not any(player.name in payloads for player in players)


def test_what_did_not_happen_is_not_told(webhook: Webhook) -> None:
    with pytest.raises(Refused):
        happen(webhook, "Pat")
    assert kinds_told(webhook.club) == []
    happen(webhook, "Zoe")
    assert kinds_told(webhook.club) == ["member.added"]


def test_a_program_is_told_of_what_it_asked_for_and_of_its_own_club(
    cast: Cast, program: Program
) -> None:
    webhook = listening(cast.club, program, "hand.recorded")
    elsewhere = cast.stranger.memberships.get().club
    listening(elsewhere, program)
    happen(webhook, "Zoe")
    assert kinds_told(cast.club) == kinds_told(elsewhere) == []


def test_news_are_signed_so_that_the_program_knows_them(program: Program, webhook: Webhook) -> None:
    happen(webhook, "Zoe")
    deliver_due()
    (request,) = program.requests
    parts = dict(part.split("=") for part in request.headers["Tongbox-Signature"].split(","))
    signed_body = f"{parts['t']}.".encode() + request.body
    assert parts["v1"] == hmac.new(webhook.secret.encode(), signed_body, sha256).hexdigest()
    assert abs(int(parts["t"]) - timezone.now().timestamp()) < 5
    assert request.path == "/heard/?by=club"
    assert request.headers["Tongbox-Id"] == request.news["id"]
    delivery = Delivery.objects.get()
    assert (delivery.answer, delivery.try_at, delivery.done_at is not None) == (
        "It answered 204.",
        None,
        True,
    )


@pytest.mark.django_db(transaction=True)
def test_a_hand_reaches_the_program_as_soon_as_it_is_in_the_book(
    cast: Cast, program: Program
) -> None:
    table = night(cast.club, DAY, make_players(cast.club, 4)).tables.get()
    listening(cast.club, program, "hand.recorded")
    send(link_client(table.link_key), f"{game_at(table)}hands/", hand_payload())
    assert [request.news["kind"] for request in program.requests] == ["hand.recorded"]


def test_what_fails_is_tried_again_for_a_day_and_then_given_up_in_words(
    program: Program, webhook: Webhook
) -> None:
    program.status = 500
    happen(webhook, "Zoe")
    began = now = timezone.now()
    for _ in services.RETRY_PAUSES:
        deliver_due(now)
        delivery = Delivery.objects.get()
        assert delivery.answer == "It answered 500."
        assert delivery.try_at is not None
        now = delivery.try_at + timedelta(seconds=1)
    deliver_due(now)
    webhook.refresh_from_db()
    assert len(program.requests) == len(services.RETRY_PAUSES) + 1
    assert len({request.news["id"] for request in program.requests}) == 1
    assert webhook.is_active is False
    assert webhook.stopped_because == "Nothing was delivered for a day. It answered 500."
    assert timedelta(hours=20) < sum(services.RETRY_PAUSES, timedelta()) < timedelta(hours=25)
    assert began <= now


def test_a_program_that_was_stopped_is_told_what_waits_once_it_begins_again(
    program: Program, webhook: Webhook
) -> None:
    program.status = 410
    happen(webhook, "Zoe")
    deliver_due()
    webhook.refresh_from_db()
    assert webhook.stopped_because == "The receiver says the address no longer exists."
    assert webhook.is_active is False
    happen(webhook, "Yan")
    assert kinds_told(webhook.club) == ["member.added"]
    program.status = 204
    services.change_webhook(
        webhook=webhook, address=webhook.address, kinds=webhook.kinds, is_active=True
    )
    deliver_due()
    assert [request.news["kind"] for request in program.requests] == ["member.added"] * 2


def test_two_workers_send_one_piece_of_news_once(program: Program, webhook: Webhook) -> None:
    happen(webhook, "Zoe")
    now, (key,) = timezone.now(), Delivery.objects.values_list("pk", flat=True)
    Delivery.objects.update(try_at=now)
    for _ in range(2):
        services.deliver(delivery_id=key, now=now)
    assert len(program.requests) == 1


def test_news_of_a_worker_that_died_are_sent_by_the_next(
    program: Program, webhook: Webhook
) -> None:
    happen(webhook, "Zoe")
    Delivery.objects.update(tries=1, try_at=timezone.now() + services.CLAIM_LASTS)
    deliver_due()
    assert program.requests == []
    deliver_due(timezone.now() + services.CLAIM_LASTS + timedelta(seconds=1))
    assert len(program.requests) == 1


def test_nobody_leads_us_elsewhere(program: Program, webhook: Webhook) -> None:
    program.status, program.leads_to = 302, program.address
    happen(webhook, "Zoe")
    deliver_due()
    assert (len(program.requests), Delivery.objects.get().answer) == (1, "It answered 302.")


@pytest.mark.parametrize(
    "address",
    [
        "http://example.org/",
        "https://127.0.0.1/",
        "https://[::1]/",
        "https://10.0.0.7/heard/",
        "https://169.254.169.254/latest/",
        "https://192.168.1.1/",
        "https://[::ffff:127.0.0.1]/",
        "https://[64:ff9b::7f00:1]/",
        "https://[64:ff9b:1::7f00:1]/",
        "https://[::7f00:1]/",
        "https://[fec0::1]/",
        "https://[2002:7f00:1::]/",
        "https://me:secret@example.org/",
        "ftp://example.org/",
        "https:///heard/",
        "https://example.org/a b",
        "https://example.org/\r\nHost: x",
        "https://bücher.example/",
        "https://[",
        "https://example.org:99999/",
    ],
)
def test_what_is_no_public_address_is_refused(cast: Cast, address: str) -> None:
    with pytest.raises(Refused) as error:
        services.add_webhook(club=cast.club, address=address, kinds=EVERYTHING)
    assert [problem.path for problem in error.value.problems] == ["address"]


@contextmanager
def fake_dns(monkeypatch: pytest.MonkeyPatch, *addresses: str) -> Iterator[None]:
    """Every name has these addresses; an address is its own."""
    results, real = [(0, 0, 0, "", (address, 443)) for address in addresses], socket.getaddrinfo

    def looked_up(host: str, *arguments: Any, **kwargs: Any) -> Any:
        return results if "example" in host else real(host, *arguments, **kwargs)

    with monkeypatch.context() as patches:
        patches.setattr("socket.getaddrinfo", looked_up)
        yield


@pytest.mark.parametrize(
    "addresses",
    [["127.0.0.1"], ["93.184.216.34", "10.0.0.1"], ["fe80::1%eth0"], ["0.0.0.0"]],  # noqa: S104
)
def test_a_public_name_of_a_private_machine_is_not_reached(
    monkeypatch: pytest.MonkeyPatch, addresses: list[str]
) -> None:
    with fake_dns(monkeypatch, *addresses), pytest.raises(safe_http.PostFailed, match="public"):
        safe_http.post("https://example.org/", b"{}", {}, private=False)


def test_the_machine_that_was_looked_at_is_the_one_that_is_reached(
    monkeypatch: pytest.MonkeyPatch, program: Program
) -> None:
    port = program.server.server_port
    with fake_dns(monkeypatch, "127.0.0.1"):
        response = safe_http.post(f"http://club.example:{port}/", b"{}", {}, private=True)
    assert (response.status, program.requests[0].headers["Host"]) == (204, f"club.example:{port}")


def test_whoever_answers_too_slowly_is_left(monkeypatch: pytest.MonkeyPatch) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        monkeypatch.setattr(safe_http, "TOTAL_TIMEOUT", 0.2)
        address = f"http://127.0.0.1:{silent.getsockname()[1]}/"
        with pytest.raises(safe_http.PostFailed, match="the connection was lost"):
            safe_http.post(address, b"{}", {}, private=True)


def test_the_page_tells_what_came_back(alice: Visitor, program: Program) -> None:
    data = {"address": program.address, "kinds": ["hand.recorded"]}
    page = alice.post(PAGE, data).content.decode()
    webhook = Webhook.objects.get()
    assert webhook.secret in page
    alice.post(f"{PAGE}{webhook.pk}/test/")
    deliver_due()
    assert program.requests[0].news["kind"] == "tried"
    page = alice.read(PAGE)
    assert (webhook.secret in page, "It answered 204." in page) == (False, True)
    assert "You press “Send a test”" in page
    alice.post(f"{PAGE}{webhook.pk}/switch/")
    webhook.refresh_from_db()
    assert webhook.is_active is False
    alice.post(f"{PAGE}{webhook.pk}/remove/")
    assert not Webhook.objects.exists()


def test_the_api_does_the_same(cast: Cast, program: Program) -> None:
    client = api_client(cast.secretary)
    response = send(client, AT, {"address": program.address, "kinds": ["member.added"]})
    assert (response.status_code, response.json()["secret"][:4]) == (201, "tbs_")
    address = f"{AT}{response.json()['id']}/"
    assert "secret" not in client.get(address).json()
    assert patch(client, address, kinds=["hand.recorded"]).json()["kinds"] == ["hand.recorded"]
    assert send(client, f"{address}test/", {}).status_code == 201
    deliver_due()
    (news,) = client.get(f"{address}deliveries/", {"kind": "tried"}).json()["results"]
    assert news["answer"] == "It answered 204."
    assert news["payload"]["id"] == program.requests[0].news["id"]
    assert send(client, f"{address}deliveries/{news['id']}/again/", {}).status_code == 200
    deliver_due()
    assert program.requests[0].news["id"] == program.requests[1].news["id"]
    assert client.delete(address).status_code == 204
    wrong = send(client, AT, {"address": "https://10.0.0.1:99999", "kinds": ["member.added"]})
    assert refusal(wrong) == (400, [("bad_address", "address")])


def test_news_are_kept_for_a_month(webhook: Webhook) -> None:
    happen(webhook, "Zoe")
    assert services.delete_old_deliveries(now=timezone.now() + timedelta(days=29)) == 0
    assert services.delete_old_deliveries(now=timezone.now() + timedelta(days=31)) == 1


GUIDE = settings.BASE_DIR / "docs" / "guide" / "api.md"


def is_ours(secret: str, header: str, body: bytes) -> bool:
    """What the guide tells programmers to do, as it stands there."""
    match = re.search(r"```python\n(def is_ours.*?)```", Path(GUIDE).read_text(), re.DOTALL)
    assert match
    namespace: dict[str, Any] = {"hmac": hmac, "time": time}
    exec(match[1], namespace)  # noqa: S102
    return bool(namespace["is_ours"](secret, header, body))


def next_try(webhook: Webhook) -> Any:
    """A second after the oldest that waits is to be tried."""
    waits = webhook.deliveries.filter(try_at__isnull=False).order_by("pk").first()
    assert waits is not None
    assert waits.try_at is not None
    return waits.try_at + timedelta(seconds=1)


def test_the_guides_lines_know_our_news_and_no_others(program: Program, webhook: Webhook) -> None:
    happen(webhook, "Zoe")
    deliver_due()
    (request,) = program.requests
    header = request.headers["Tongbox-Signature"]
    assert is_ours(webhook.secret, header, request.body)
    assert not is_ours(webhook.secret, header, request.body + b" ")
    assert not is_ours("tbs_another", header, request.body)
    old = services.signature([webhook.secret], int(time.time()) - 400, request.body)
    assert not is_ours(webhook.secret, old, request.body), "it is played again"


def test_a_new_secret_and_the_one_before_it_sign_for_a_day(
    alice: Visitor, program: Program, webhook: Webhook
) -> None:
    former = webhook.secret
    page = alice.post(f"{PAGE}{webhook.pk}/secret/")
    webhook.refresh_from_db()
    assert webhook.secret in page.content.decode()
    assert webhook.secret != former
    happen(webhook, "Zoe")
    deliver_due()
    header, body = program.requests[0].headers["Tongbox-Signature"], program.requests[0].body
    assert all(is_ours(secret, header, body) for secret in (webhook.secret, former))
    happen(webhook, "Yan")
    deliver_due(timezone.now() + timedelta(days=1, seconds=1))
    assert program.requests[1].headers["Tongbox-Signature"].count("v1=") == 1


def test_a_program_may_make_its_secret_anew(cast: Cast, webhook: Webhook) -> None:
    answer = send(api_client(cast.secretary), f"{AT}{webhook.pk}/secret/", {}).json()
    webhook.refresh_from_db()
    assert answer["secret"] == webhook.secret != webhook.former_secret


def test_while_one_piece_of_news_waits_the_later_ones_wait_with_it(
    program: Program, webhook: Webhook
) -> None:
    program.status = 503
    happen(webhook, "Zoe")
    deliver_due()
    happen(webhook, "Yan", "Xia")
    deliver_due()
    assert len(program.requests) == 1
    program.status = 204
    deliver_due(next_try(webhook))
    player_ids = [request.news["about"]["player"] for request in program.requests]
    assert player_ids == [player_ids[0], *sorted(player_ids[1:])], (
        "the first again, then the others in order"
    )
    assert len(player_ids) == 4
    assert not webhook.deliveries.filter(done_at=None).exists()


def test_news_that_a_program_never_takes_do_not_hold_the_others_for_ever(
    program: Program, webhook: Webhook
) -> None:
    program.status = 500
    happen(webhook, "Zoe")
    for _ in range(services.BLOCKING_TRIES + 1):
        deliver_due(next_try(webhook) if program.requests else None)
    program.status = 204
    happen(webhook, "Yan")
    deliver_due()
    assert list(webhook.deliveries.order_by("pk").values_list("tries", "answer")) == [
        (services.BLOCKING_TRIES + 1, "It answered 500."),
        (1, "It answered 204."),
    ]


def given_up(webhook: Webhook, times: Iterable[object] = services.RETRY_PAUSES) -> None:
    """Try the oldest to the end."""
    oldest = Delivery.objects.order_by("pk").first()
    assert oldest is not None
    for _ in (0, *times):
        Delivery.objects.filter(pk=oldest.pk).update(try_at=timezone.now())
        services.deliver(delivery_id=oldest.pk, now=timezone.now())
    webhook.refresh_from_db()


def test_a_program_that_hears_others_is_not_stopped_for_one_that_it_never_takes(
    program: Program, webhook: Webhook
) -> None:
    happen(webhook, "Zoe", "Yan")
    _, second = Delivery.objects.order_by("pk")
    services.deliver(delivery_id=second.pk, now=timezone.now())
    program.status = 500
    given_up(webhook)
    first = Delivery.objects.order_by("pk")[0]
    assert (first.try_at, first.done_at, webhook.is_active) == (None, None, True)


def test_the_secretary_gets_one_letter_when_a_program_hears_nothing_any_more(
    cast: Cast, alice: Visitor, program: Program, webhook: Webhook, mailoutbox: list[EmailMessage]
) -> None:
    program.status = 410
    happen(webhook, "Zoe")
    deliver_due()
    stop_webhook(webhook=webhook, because="The receiver says the address no longer exists.")
    (letter,), deed = mailoutbox, AuditEntry.objects.get()
    assert letter.to == [cast.secretary.email]
    assert "The receiver says the address no longer exists." in letter.body
    assert PAGE in letter.body
    assert (deed.what, deed.by) == ("webhook-stopped", "Tongbox")
    page = alice.read("/c/riverside/settings/activity/")
    assert "Tongbox stopped a webhook that was failing." in page


@pytest.mark.parametrize("status", [301, 404, 500])
def test_only_two_hundred_is_an_answer(cast: Cast, program: Program, status: int) -> None:
    webhook = listening(cast.club, program, News.MEMBER_ADDED)
    program.status = status
    happen(webhook, "Zoe")
    deliver_due()
    assert webhook.deliveries.get().done_at is None
