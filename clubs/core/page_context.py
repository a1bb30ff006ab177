"""What every page of a club has round it: the club's name, its tabs, the trail to here."""

from typing import Any

from django.urls import reverse

from clubs.language.moments import long_date
from clubs.models import Club, Player, Season, Session

Step = tuple[str, str]
Crumbs = list[dict[str, str]]


def framed(club: Club, tab: str, **context: Any) -> dict[str, Any]:
    """The context of a page under one of the club's tabs (the tab's url name)."""
    return {"club": club, "club_url": reverse("club", args=[club.slug]), "tab": tab, **context}


def trail(club: Club, *steps: Step, here: str) -> Crumbs:
    """The breadcrumbs below a tab: each step's words and url name, and where the page is."""
    crumbs = [{"label": words, "url": reverse(name, args=[club.slug])} for words, name in steps]
    return [*crumbs, {"label": here}]


def evening_trail(club: Club, session: Session, *below: dict[str, str]) -> Crumbs:
    """The breadcrumbs to an evening and to what stands below it."""
    evening = reverse("evening", args=[club.slug, session.pk])
    return [
        {"label": "Evenings", "url": reverse("evenings", args=[club.slug])},
        {"label": long_date(session.held_on), "url": evening},
        *below,
    ]


def season_trail(club: Club, season: Season, *below: dict[str, str]) -> Crumbs:
    """The breadcrumbs to a season and to what stands below it."""
    return [
        {"label": "League", "url": reverse("seasons", args=[club.slug])},
        {"label": str(season), "url": reverse("season", args=[club.slug, season.pk])},
        *below,
    ]


def member_trail(club: Club, player: Player, *, here: str) -> Crumbs:
    """The breadcrumbs to a page on what the club knows of someone."""
    return [
        {"label": "Members", "url": reverse("members", args=[club.slug])},
        {"label": player.name, "url": reverse("player", args=[club.slug, player.pk])},
        {"label": here},
    ]


SETTINGS_TRAIL = ("Settings", "settings")
