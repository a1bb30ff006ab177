"""Links and codes that open on one computer alone are said to, before anyone is given them."""

from datetime import timedelta
from typing import Any

import pytest
from django.urls import reverse
from django.utils import timezone

from clubs.messages import services
from clubs.models import Batch
from clubs.templatetags.look import opens_only_here
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
    assert opens_only_here(address) == only_here


def shown(visitor: Visitor, address: str, host: str = "testserver") -> str:
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
        when="Tuesday",
        readers=[pat],
        made_by=cast.secretary,
    )
    pages = writing_pages(batch)
    assert [MESSAGES in shown(alice, page) for page in pages] == [True] * 3
    plain = write(cast.club, [pat], cast.secretary)
    assert MESSAGES not in shown(alice, writing_pages(plain)[0])
    settings.SITE_ADDRESS = SITE
    assert [MESSAGES in shown(alice, page) for page in pages] == [False] * 3


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
        here = shown(alice, page, "localhost:8000")
        assert CODES in here, page
        assert f'<a class="whole" href="{SITE}">' in here
        assert CODES not in shown(alice, page, "club.example.org"), page


def test_without_an_address_the_page_says_what_to_do(
    cast: Cast, alice: Visitor, settings: Any
) -> None:
    settings.SITE_ADDRESS, settings.ALLOWED_HOSTS = "http://localhost:8000", ["*"]
    evening = reverse("papers", args=["riverside", seated_evening(cast.club).pk])
    said = "such as this computer’s address on your network"
    assert said in shown(alice, evening, "127.0.0.1:8000")
