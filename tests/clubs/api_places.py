"""Where the API has what others than organisers may read of a club."""

from typing import Any

from django.urls import URLPattern, reverse

from clubs import audit
from clubs.evenings.api import calendar, evenings, papers, wall
from clubs.house import api as house_api
from clubs.league import api as league_api
from clubs.members import api as members_api
from clubs.messages import api as messages_api
from clubs.models import Player
from clubs.privacy import api as privacy_api
from clubs.table.api import entry, hands
from clubs.table.api.games import LINK_ACCESS
from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import receipt_address
from tests.clubs.core.test_doors import House

OFFICE = (members_api, privacy_api, calendar, messages_api, house_api)
PLAY = (hands, evenings, wall, papers, league_api, entry)
PATTERNS: dict[str, URLPattern] = {
    str(pattern.name): pattern
    for patterns in (audit.api_patterns, *(room.urlpatterns for room in (*OFFICE, *PLAY)))
    for pattern in patterns
}
OF_A_LINK = {
    name
    for name, url_pattern in PATTERNS.items()
    if name == "api-link" or url_pattern.callback.cls.access == LINK_ACCESS  # type: ignore[attr-defined]
}
READS = {
    name
    for name, url_pattern in PATTERNS.items()
    if {"get"} <= {*url_pattern.callback.cls.http_method_names} & {*dir(url_pattern.callback.cls)}  # type: ignore[attr-defined]
}
READS -= OF_A_LINK
WRITTEN = PATTERNS.keys() - READS - OF_A_LINK


def api_place(house: House, name: str, player: Player) -> str:
    """The address of that name: of the house's evening, season and series, and of this person."""
    parts = PATTERNS[name].pattern
    table = house.session.tables.get()
    hand = Hand.objects.filter(game=table.game_id).earliest("pk")
    url_kwargs: dict[str, Any] = {
        "club": house.cast.club.slug,
        "day": house.session.held_on,
        "evening": house.session.pk,
        "number": table.number,
        "game": table.game_id,
        "hand": hand.pk,
        "seat": 1,
        "season": house.season.pk,
        "series": house.cast.club.series.get().pk,
        "player": player.pk,
        "code": receipt_address(hand),
        "key": _key(house, str(parts).split("/")[0]),
    }
    return reverse(name, kwargs={part: url_kwargs[part] for part in parts.converters})


def _key(house: House, room: str) -> str:
    """The secret of a link, or the name of the rules."""
    return house.session.wall_key if room == "w" else "bmja"
