"""How the six main pages fare in Lighthouse on a phone: `python -m benchmarks.lighthouse ADDRESS`.

ADDRESS serves the sample club from the database of ``DATABASE_URL``. Needs Node and Chromium:
``npm install lighthouse@12.2.3`` in a folder whose ``node_modules/.bin`` is on the PATH, and
``CHROME_PATH``. Prints each page's four scores (of 100), its layout shift and its weak audits.
"""

import json
import os
import subprocess
import sys
from typing import Any, Final, NamedTuple

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from django.conf import settings
from django.test import Client
from django.urls import reverse

from clubs.models import Club, Season, SessionState, User
from clubs.tenancy import across_clubs

CATEGORIES: Final = ("performance", "accessibility", "best-practices", "seo")
FLAGS: Final = ("--quiet", "--output=json", "--chrome-flags=--headless --no-sandbox")


class Visit(NamedTuple):
    """A page, and whose it is: an empty text is somebody who has not signed in."""

    name: str
    path: str
    email: str = ""


def visits() -> list[Visit]:
    """The pages that most people see most."""
    with across_clubs():
        club = Club.objects.get(slug="riverside")
        tonight = club.sessions.get(state=SessionState.PLAYING)
        past_session = club.sessions.filter(state=SessionState.CLOSED).latest("held_on")
        season = Season.objects.filter(league__club=club).latest("starts_on")
        key = tonight.tables.get(number=1).link_key
    url_args = [club.slug]
    return [
        Visit("the club", reverse("club", args=url_args), "player@example.org"),
        Visit(
            "an evening", reverse("evening", args=[*url_args, tonight.pk]), "secretary@example.org"
        ),
        Visit("a table’s phone", reverse("table", args=[key])),
        Visit("a table’s scores", reverse("table-standings", args=[key])),
        Visit(
            "a result", reverse("result", args=[*url_args, past_session.pk]), "player@example.org"
        ),
        Visit("the league", reverse("season", args=[*url_args, season.pk]), "player@example.org"),
    ]


def report(server: str, visit: Visit) -> dict[str, Any]:
    """What Lighthouse says of the page."""
    command = ["lighthouse", f"{server}{visit.path}", *FLAGS]
    if visit.email:
        client = Client()
        with across_clubs():
            user = User.objects.get(email=visit.email)
            client.force_login(user, backend=settings.AUTHENTICATION_BACKENDS[0])
        cookie = client.cookies[settings.SESSION_COOKIE_NAME]
        command.append(f"--extra-headers={json.dumps({'Cookie': f'{cookie.key}={cookie.value}'})}")
    result = subprocess.run(command, capture_output=True, encoding="utf-8", check=True)  # noqa: S603
    page_report: dict[str, Any] = json.loads(result.stdout)
    return page_report


def main(server: str) -> None:
    print(f"{'':20}{''.join(f'{name:>16}' for name in CATEGORIES)}{'layout shift':>16}")
    for visit in visits():
        lighthouse_report = report(server, visit)
        scores = [
            round(100 * lighthouse_report["categories"][name]["score"]) for name in CATEGORIES
        ]
        shift = lighthouse_report["audits"]["cumulative-layout-shift"]["numericValue"]
        print(f"{visit.name:20}{''.join(f'{score:>16}' for score in scores)}{shift:>16.3f}")
        for audit in lighthouse_report["audits"].values():
            if audit["score"] is not None and audit["score"] < 0.9:
                print(f"  {audit['id']}: {audit['score']}")


if __name__ == "__main__":
    main(sys.argv[1])
