"""Links and codes that open on one computer alone are said to, before anyone is given them."""

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client, RequestFactory
from django.urls import reverse
from django.utils import timezone

from clubs.core.addresses import (
    is_local_only,
    is_nearby,
    is_served_address,
    is_served_host,
    site_address,
)
from clubs.house.services import set_public_parts
from clubs.messages import services
from clubs.models import Batch, Installation
from tests.clubs.nights import SECOND_WINS, post
from tests.clubs.outbox import with_emails, write
from tests.clubs.tables import seated_evening
from tests.clubs.visits import Visitor
from tests.clubs.year import make_series
from tests.people import Cast
from tests.tournaments.cups import seated_cup, tables

MESSAGES = "No one can open the links in these messages."
CODES = "Phones cannot open the links and QR codes made here."
SITE = "https://club.example.org"


@pytest.mark.parametrize(
    ("address", "only_here"),
    [
        ("http://localhost:8000", True),
        ("http://tongbox.localhost/", True),
        ("http://127.0.0.1:8000/c/riverside/", True),
        ("http://127.1.2.3", True),
        ("http://[::1]:8000/", True),
        ("http://[::ffff:127.0.0.1]/", True),
        ("http://0.0.0.0:8000/", True),
        ("http://192.168.1.20:8000/", False),
        ("http://[fe80::1]/", False),
        ("http://tongbox.local/", False),
        ("https://localhost.example.org/", False),
        (SITE, False),
    ],
)
def test_an_address_that_opens_only_here(address: str, *, only_here: bool) -> None:
    assert is_local_only(address) == only_here


def read_page(visitor: Visitor, address: str, host: str = "testserver") -> str:
    return visitor.get(address, headers={"host": host}).content.decode()


def writing_pages(batch: Batch) -> list[str]:
    return [
        reverse("batch", args=["riverside", batch.pk]),
        reverse("batch-by-hand", args=["riverside", batch.pk]),
        reverse("messages-write", args=["riverside", "invitation"]),
    ]


def test_it_is_said_before_messages_are_sent(cast: Cast, alice: Visitor, settings: Any) -> None:
    settings.SITE_ADDRESS = "http://localhost:8000"
    pat = cast.club.players.get(name="Pat")
    with_emails([pat])
    batch = services.draft_invitations(
        club=cast.club,
        held_on=timezone.localdate() + timedelta(days=7),
        day_text="Tuesday",
        readers=[pat],
        made_by=cast.secretary,
    )
    pages = writing_pages(batch)
    assert [MESSAGES in read_page(alice, page) for page in pages] == [True] * 3
    plain = write(cast.club, [pat], cast.secretary)
    assert MESSAGES not in read_page(alice, writing_pages(plain)[0])
    settings.SITE_ADDRESS = SITE
    assert [MESSAGES in read_page(alice, page) for page in pages] == [
        True
    ] * 3  # not one of its hosts
    settings.ALLOWED_HOSTS = [*settings.ALLOWED_HOSTS, "club.example.org"]
    assert [MESSAGES in read_page(alice, page) for page in pages] == [False] * 3


def test_it_is_said_where_invitations_and_the_public_address_lead(
    cast: Cast, alice: Visitor, settings: Any
) -> None:
    set_public_parts(club=cast.club, shows_results=True, shows_league=False, shows_calendar=False)
    pages = {
        reverse("roles", args=["riverside"]): "No one can open the links in invitations.",
        reverse("club-public", args=["riverside"]): "No one else can open this address.",
    }
    public, spread = reverse("club-public", args=["riverside"]), "Put this address on your website"
    assert all(warning in read_page(alice, page) for page, warning in pages.items())
    assert spread not in read_page(alice, public)
    settings.SITE_ADDRESS, settings.ALLOWED_HOSTS = SITE, ["*"]
    assert not any(warning in read_page(alice, page) for page, warning in pages.items())
    assert spread in read_page(alice, public)


def test_only_who_can_share_a_calendar_is_told_that_its_links_open_only_here(
    cast: Cast, alice: Visitor, client: Visitor, settings: Any
) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    set_public_parts(club=cast.club, shows_results=False, shows_league=False, shows_calendar=True)
    make_series(cast.club, last_on=timezone.localdate() + timedelta(days=60))
    page = reverse("calendar", args=["riverside"])
    pages = [read_page(reader, page, "localhost:8000") for reader in (alice, client)]
    assert [CODES in page for page in pages] == [True, False]


NOT_OURS = "http://10.99.99.99:8000"  # a number that no machine of these tests has


def test_a_number_that_this_computer_no_longer_has_is_said(
    cast: Cast, alice: Visitor, settings: Any
) -> None:
    settings.SITE_ADDRESS, settings.ALLOWED_HOSTS = "", ["*"]
    Installation.objects.create(address=NOT_OURS)
    page = reverse("messages-write", args=["riverside", "invitation"])
    html = read_page(alice, page)
    assert MESSAGES in html
    assert "where Tongbox does not answer" in html
    assert MESSAGES not in read_page(alice, page, "10.99.99.99:8000")  # it has just answered there


@pytest.mark.parametrize(
    ("host", "is_ours"),
    [
        ("192.168.1.20", True),
        ("203.0.113.5", True),
        ("[fd00::20]", True),
        ("localhost", True),
        ("nas", True),
        ("nas.local", True),
        ("nas.home.arpa", True),
        ("club.example.org", True),
        ("evil.example.org", False),
        ("192.168.1.20.example.org", False),
        ("local.example.org", False),
    ],
)
def test_nearby_are_numbers_and_names_that_nobody_elsewhere_can_have(
    host: str, settings: Any, *, is_ours: bool
) -> None:
    settings.ALLOWED_HOSTS = ["nearby", "club.example.org", "*"]
    assert is_served_host(host) == is_ours
    assert Client().get("/healthz/", headers={"host": f"{host}:8000"}).status_code == (
        200 if is_ours else 400
    )


def test_a_page_at_a_host_that_is_not_ours_says_what_to_set(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["localhost"]
    answer = Client().get("/", headers={"host": "<b>club.example.org"})
    assert answer.status_code == 400
    page = answer.content.decode()
    assert "<h1>Tongbox does not answer at this address</h1>" in page
    assert "&lt;b&gt;club.example.org" in page
    assert "<code>TONGBOX_ADDRESS</code>" in page


def test_a_container_takes_the_address_of_the_machine_it_runs_on(settings: Any) -> None:
    settings.ALLOWED_HOSTS = ["nearby", "*"]
    assert not is_served_address(NOT_OURS)
    settings.IN_CONTAINER = True
    assert is_served_address(NOT_OURS)
    assert not is_served_address("https://club.example.org")


def test_the_environment_goes_before_the_address_that_was_chosen(db: None, settings: Any) -> None:
    settings.SITE_ADDRESS = ""
    assert site_address() == "http://localhost:8000"
    Installation.objects.create(address=NOT_OURS)
    assert site_address() == NOT_OURS
    settings.SITE_ADDRESS = SITE
    assert site_address() == SITE


@pytest.mark.parametrize(
    ("host", "extra", "nearby"),
    [
        ("localhost:8000", {"REMOTE_ADDR": "127.0.0.1"}, True),
        ("127.0.0.1:8000", {"REMOTE_ADDR": "127.0.0.1"}, True),
        ("[::1]:8000", {"REMOTE_ADDR": "::1"}, True),
        ("192.168.1.20:8000", {"REMOTE_ADDR": "192.168.1.77"}, True),
        ("192.168.1.20:8000", {"REMOTE_ADDR": "::ffff:192.168.1.77"}, True),
        ("192.168.1.20", {"REMOTE_ADDR": "", "HTTP_X_FORWARDED_FOR": "192.168.1.77"}, False),
        ("192.168.1.20", {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "10.0.0.7"}, False),
        ("localhost", {"REMOTE_ADDR": "127.0.0.1", "SERVER_PROTOCOL": "HTTP/1.0"}, False),
        *(
            ("localhost", {"REMOTE_ADDR": "127.0.0.1", f"HTTP_{name}": "1"}, False)
            for name in (
                "VIA",
                "FORWARDED",
                "X_FORWARDED_PROTO",
                "X_FORWARDED_HOST",
                "X_FORWARDED_SERVER",
                "X_REAL_IP",
                "X_CLIENT_IP",
                "TRUE_CLIENT_IP",
                "CF_CONNECTING_IP",
                "CF_RAY",
                "FLY_CLIENT_IP",
                "X_ENVOY_EXTERNAL_ADDRESS",
            )
        ),
        ("localhost", {"REMOTE_ADDR": "203.0.113.5"}, False),
        ("192.168.1.20", {"REMOTE_ADDR": "8.8.8.8"}, False),
        ("club.example.org", {"REMOTE_ADDR": "127.0.0.1"}, False),  # a tunnel, or rebinding
        ("8.8.8.8", {"REMOTE_ADDR": "172.17.0.1"}, False),
        ("localhost", {"REMOTE_ADDR": "10.0.0.1", "HTTP_X_FORWARDED_FOR": "8.8.8.8"}, False),
        ("localhost", {"REMOTE_ADDR": "::1", "HTTP_X_FORWARDED_FOR": "8.8.8.8, 10.0.0.1"}, False),
        ("localhost", {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": "unknown"}, False),
        ("localhost", {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_REAL_IP": "8.8.8.8"}, False),
        ("localhost", {"REMOTE_ADDR": "127.0.0.1", "HTTP_FORWARDED": "for=8.8.8.8"}, False),
    ],
)
def test_who_is_nearby(host: str, extra: dict[str, Any], settings: Any, *, nearby: bool) -> None:
    settings.ALLOWED_HOSTS = ["*"]
    request = RequestFactory().get("/", headers={"host": host}, **extra)
    assert is_nearby(request) == nearby
    settings.IN_CONTAINER = True
    assert not is_nearby(request)
    settings.IN_CONTAINER, settings.BEHIND_TLS = False, True
    assert not is_nearby(request)


def test_it_is_said_before_cards_are_printed(cast: Cast, alice: Visitor, settings: Any) -> None:
    settings.SITE_ADDRESS, settings.ALLOWED_HOSTS = SITE, ["*"]
    evening = ["riverside", seated_evening(cast.club).pk]
    cup = seated_cup(club=cast.club)
    table = tables(cup)[0]
    make_series(cast.club, last_on=timezone.localdate() + timedelta(days=60))
    pages = [
        reverse("evening", args=evening),
        reverse("papers", args=evening),
        reverse("evening-new-link", args=[*evening, 1]),
        reverse("calendar", args=["riverside"]),
        reverse("standby", args=["riverside", "2026-11-17"]),
        reverse("tournament", args=["riverside", cup.pk]),
        reverse("tournament-papers", args=["riverside", cup.pk]),
        reverse("round-table-seats", args=[table.link_key]),
    ]
    for page in pages:
        html = read_page(alice, page, "localhost:8000")
        assert CODES in html, page
        assert f'<a class="whole" href="{SITE}">' in html
        assert CODES not in read_page(alice, page, "club.example.org"), page


def test_the_tables_come_before_it_once_a_hand_is_played(cast: Cast, alice: Visitor) -> None:
    evening = seated_evening(cast.club)
    page = reverse("evening", args=["riverside", evening.pk])
    seated_page = read_page(alice, page, "localhost:8000")
    assert seated_page.index(CODES) < seated_page.index("Print table cards")
    post(evening.tables.get(), SECOND_WINS)
    played_page = read_page(alice, page, "localhost:8000")
    assert played_page.count(CODES) == 1
    assert played_page.index('id="floor"') < played_page.index(CODES)


def test_without_an_address_the_page_says_who_can_set_one(
    cast: Cast, alice: Visitor, settings: Any
) -> None:
    settings.SITE_ADDRESS, settings.ALLOWED_HOSTS = "http://localhost:8000", ["*"]
    evening = reverse("papers", args=["riverside", seated_evening(cast.club).pk])
    hint = "Ask the person who looks after Tongbox for an address that phones can reach."
    assert hint in read_page(alice, evening, "127.0.0.1:8000")
