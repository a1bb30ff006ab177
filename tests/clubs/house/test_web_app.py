"""What a home screen would keep of a page, and what a browser would put away for it."""

import re
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from django.contrib.staticfiles import finders
from django.test import Client
from django.urls import reverse
from PIL import Image

from clubs.core.permissions import VisibleParts
from clubs.house import web_app
from clubs.models import Club, MarkColour, Session
from tests.clubs.tables import seated_evening
from tests.people import Cast, browser_of, make_club

TOKENS = Path(__file__).resolve().parents[3] / "static" / "css" / "tokens.css"
LINKED = re.compile(r'<link rel="manifest" href="([^"]+)"')
CLUB = "/c/riverside/manifest.webmanifest"
TONGBOX = "/manifest.webmanifest"
ALL = VisibleParts(results=True, league=True, calendar=True)
SAFE = 0.8  # of the width: a circle that no phone cuts


@pytest.fixture
def tonight(db: None) -> Session:
    return seated_evening(make_club())


def manifest_url(client: Client, address: str) -> str:
    """The manifest of the page there."""
    match = LINKED.search(client.get(address).content.decode())
    assert match
    return match[1]


def picture(icon: dict[str, Any]) -> Image.Image:
    path = finders.find(icon["src"].removeprefix("/static/"))
    assert isinstance(path, str)
    return Image.open(BytesIO(Path(path).read_bytes()))


def test_the_web_app_of_a_club_opens_on_its_home_page(cast: Cast) -> None:
    answer = browser_of(cast.player).get(CLUB)
    assert answer["Content-Type"] == "application/manifest+json"
    manifest = answer.json()
    assert (manifest["name"], manifest["short_name"]) == ("Riverside Mah-Jong Club", "Riverside")
    assert (manifest["id"], manifest["start_url"], manifest["scope"]) == (
        "/c/riverside/",
        manifest["id"],
        "/",
    )
    shortcuts = {shortcut["name"]: shortcut["url"] for shortcut in manifest["shortcuts"]}
    assert shortcuts == {
        "Current evening": "/c/riverside/evenings/tonight/",
        "League table": "/c/riverside/seasons/current/",
        "Calendar": "/c/riverside/calendar/",
    }


def test_a_visitor_has_shortcuts_to_what_the_club_shows(client: Client, db: None) -> None:
    Club.objects.filter(pk=make_club().pk).update(shows_league=True)
    assert [shortcut["name"] for shortcut in client.get(CLUB).json()["shortcuts"]] == [
        "League table"
    ]


@pytest.mark.parametrize(
    ("name", "short_name"),
    [
        ("Riverside Mah-Jong Club", "Riverside"),
        ("Hill Top Tiles", "Hill Top"),
        ("Bury Mah-Jong Club", "Bury"),
        ("Llanfairpwllgwyngyll", "Llanfairpwll"),
    ],
)
def test_whole_words_of_a_name_stand_below_an_icon(name: str, short_name: str) -> None:
    assert web_app.club_manifest(Club(name=name, slug="x"), sees=ALL)["short_name"] == short_name


def test_pages_of_a_club_install_the_club_and_others_tongbox(cast: Cast) -> None:
    client = browser_of(cast.secretary)
    assert {
        manifest_url(client, reverse(page, args=["riverside"])) for page in ("club", "members")
    } == {CLUB}
    assert {manifest_url(client, reverse(page)) for page in ("account", "guides")} == {TONGBOX}


def test_a_tables_page_never_installs_itself(client: Client, tonight: Session) -> None:
    """Next week its link leads nowhere: a public club is installed instead, else Tongbox."""
    table = reverse("table", args=[tonight.tables.get().link_key])
    assert manifest_url(client, table) == TONGBOX
    Club.objects.update(shows_results=True)
    assert manifest_url(client, table) == CLUB
    assert client.get(CLUB).json()["start_url"] == "/c/riverside/"


def test_a_practice_club_is_no_web_app(cast: Cast) -> None:
    client = browser_of(cast.secretary)
    address = client.post(reverse("rehearse", args=["riverside"]))["Location"]
    assert manifest_url(client, address) == TONGBOX


@pytest.mark.parametrize("colour", MarkColour.values)
def test_every_mark_has_icons_that_phones_may_cut(colour: str) -> None:
    club = Club(name="Riverside", slug="riverside", mark_colour=colour)
    icons = web_app.club_manifest(club, sees=ALL)["icons"]
    assert [(icon["purpose"], icon["sizes"]) for icon in icons] == [
        ("any", "192x192"),
        ("any", "512x512"),
        ("maskable", "192x192"),
        ("maskable", "512x512"),
    ]
    for icon in icons:
        image = picture(icon)
        assert "{}x{}".format(*image.size) == icon["sizes"]
        if icon["purpose"] == "maskable":
            assert is_plain_outside(image.convert("RGBA"))


def is_plain_outside(image: Image.Image) -> bool:
    """Whether all that lies outside the circle is of one colour that hides what is behind it."""
    half, background = image.width / 2, image.getpixel((0, 0))
    assert isinstance(background, tuple)
    outside = {
        image.getpixel((x, y))
        for x in range(0, image.width, 4)
        for y in range(0, image.height, 4)
        if (x - half) ** 2 + (y - half) ** 2 > (SAFE * half) ** 2
    }
    return outside == {background} and background[3] == 255


def test_the_manifest_has_the_colours_of_the_pages() -> None:
    tokens = TOKENS.read_text(encoding="utf-8")
    assert f"--paper: {web_app.PAPER_COLOUR};" in tokens
    assert f"--baize: {web_app.BAIZE_COLOUR};" in tokens


def test_the_page_that_is_put_away_says_nothing_of_who_is_signed_in(cast: Cast) -> None:
    page = browser_of(cast.secretary).get(reverse("offline"))
    assert page.content == Client().get(reverse("offline")).content
    assert "no-store" not in page["Cache-Control"]  # for the session was not even read


def test_another_text_size_makes_another_worker(client: Client) -> None:
    usual = client.get(reverse("worker")).content
    assert client.get(reverse("worker")).content == usual
    client.cookies["looks"] = "letters-large"
    assert client.get(reverse("worker")).content != usual


def test_all_that_the_page_is_made_of_is_put_away(client: Client) -> None:
    page = client.get(reverse("offline")).content.decode()
    parts = set(web_app.files_of_page(page))
    assert {f"/static/css/{name}.css" for name in ("tokens", "frame", "print")} < parts
    assert {f"/static/js/{name}.js" for name in ("offline", "outbox-store")} < parts
    assert all(part in client.get(reverse("worker")).content.decode() for part in parts)
