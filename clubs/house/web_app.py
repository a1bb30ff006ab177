"""What a home screen keeps of Tongbox: the club or Tongbox itself, as a web app.

A table's link is of one evening and a practice club is wiped, so neither is ever a web app.
"""

import re
from hashlib import sha256
from textwrap import shorten
from typing import Any, Final, NamedTuple

from django.templatetags.static import static
from django.urls import reverse

from clubs.core.permissions import VisibleParts
from clubs.models import Club, MarkColour

MANIFEST_TYPE: Final = "application/manifest+json"
PAPER_COLOUR: Final = "#f4eddd"  # as in `static/css/tokens.css`: a manifest knows no dark colours
BAIZE_COLOUR: Final = "#0b3d2c"
ICON_SIZES: Final = (192, 512)  # pixels
SHORT_NAME_LENGTH: Final = 12
DESCRIPTION: Final = (
    "Evenings, hands checked by the rules, and the league table of a mah-jong club."
)
FILE_ADDRESS: Final = re.compile(r'(?:href|src)="(/[^"]+\.\w+)"')


class WebApp(NamedTuple):
    """The web app that a page belongs to: its name, and where its manifest is."""

    name: str
    manifest: str


def web_app_of(club: Club | None, *, sees_home: bool) -> WebApp:
    """The club's for someone who may open its home page, else that of Tongbox."""
    if club is None or not sees_home or club.rehearsal_of_id is not None:
        return WebApp("Tongbox", reverse("web-app"))
    return WebApp(club.name, reverse("club-web-app", args=[club.slug]))


def general_manifest() -> dict[str, Any]:
    """The manifest of Tongbox, which opens on the club of whoever is signed in."""
    return _make_manifest("Tongbox", DESCRIPTION, reverse("home"), MarkColour.RED)


def club_manifest(club: Club, *, sees: VisibleParts) -> dict[str, Any]:
    """The club's manifest, with shortcuts to those parts that its reader sees."""
    description = f"{club.name}: evenings, results and the league table."
    start = reverse("club", args=[club.slug])
    manifest = _make_manifest(club.name, description, start, club.mark_colour)
    shortcuts = (
        ("Current evening", "tonight", sees.results),
        ("League table", "season-now", sees.league),
        ("Calendar", "calendar", sees.calendar),
    )
    manifest["shortcuts"] = [
        {"name": label, "url": reverse(page, args=[club.slug]), "icons": manifest["icons"][:1]}
        for label, page, is_seen in shortcuts
        if is_seen
    ]
    return manifest


def _make_manifest(name: str, description: str, start: str, colour: str) -> dict[str, Any]:
    return {
        "id": start,
        "name": name,
        "short_name": shorten(name, SHORT_NAME_LENGTH, placeholder="", break_on_hyphens=False),
        "description": description,
        "lang": "en-GB",
        "start_url": start,
        "scope": "/",
        "display": "standalone",
        "background_color": PAPER_COLOUR,
        "theme_color": BAIZE_COLOUR,
        "icons": [
            {
                "src": static(f"img/{picture}-{colour}-{size}.png"),
                "sizes": f"{size}x{size}",
                "type": "image/png",
                "purpose": purpose,
            }
            for picture, purpose in (("icon", "any"), ("mask", "maskable"))
            for size in ICON_SIZES
        ],
    }


def files_of_page(page: str) -> list[str]:
    """The addresses of the files that a page of HTML is made of."""
    return sorted(set(FILE_ADDRESS.findall(page)))


def page_digest(page: str) -> str:
    """A short mark that changes with every letter of a page."""
    return sha256(page.encode()).hexdigest()[:12]
