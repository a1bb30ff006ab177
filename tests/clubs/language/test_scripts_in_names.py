"""A name that is a script stays a name: on every page that someone may open, of every kind."""

import re
from collections.abc import Callable, Iterable, Mapping
from typing import NamedTuple

import pytest
from django.db.models import Model
from django.test import Client

from clubs.models import (
    Alias,
    Batch,
    Club,
    Holiday,
    League,
    Message,
    Player,
    Season,
    Series,
    User,
    Wish,
)
from tests.clubs.core import test_doors as clubs
from tests.clubs.core.test_doors import House
from tests.tournaments.core import test_doors as cups
from tests.tournaments.core.test_doors import Hall
from tournaments.models import Entrant, Prize, Tournament

SCRIPT = "<img src=x onerror=alert(1)>"
QUOTE = "\"' onfocus=alert(1) x='"
WORDS: tuple[tuple[type[Model], str], ...] = (
    (Player, "name"),
    (Player, "phone"),
    (User, "name"),
    (Alias, "name"),
    (Club, "name"),
    (League, "name"),
    (Season, "name"),
    (Series, "name"),
    (Series, "place"),
    (Holiday, "name"),
    (Wish, "reason"),
    (Batch, "title"),
    (Message, "subject"),
    (Message, "body"),
    (Tournament, "name"),
    (Entrant, "name"),
    (Entrant, "team"),
    (Prize, "name"),
)
# Data, never run; no < in it.
DATA = re.compile(r"<script[^>]*application/json[^>]*>[^<]*</script>")


class Room(NamedTuple):
    """Pages, whose they are, and how many words and pages there are at least."""

    make_venue: Callable[[], House | Hall]
    pages: Iterable[str]
    planted_count: int
    looked_at: int


ROOMS = {
    "a club": Room(clubs.lay_house, clubs.GETS, 10, 50),
    "a tournament": Room(cups.lay_hall, cups.GETS, 5, 30),
}


def plant(planted_text: str) -> int:
    """Write the script where people write words, past every form; how many fields there were."""
    count = 0
    for model, field in WORDS:
        if field not in {model_field.name for model_field in model._meta.get_fields()}:
            continue
        size = getattr(model._meta.get_field(field), "max_length", None) or 200
        for row in model._default_manager.all():
            model._default_manager.filter(pk=row.pk).update(
                **{field: f"{planted_text}{row.pk}"[:size]}
            )
            count += 1
    return count


def pages_with(
    client: Client, addresses: Mapping[str, str], planted_text: str
) -> tuple[list[str], int]:
    """The pages on which it stands as it was written, and how many were looked at."""
    page_names, page_count = [], 0
    for name, address in addresses.items():
        answer = client.get(address)
        if answer.status_code == 200 and "html" in answer["Content-Type"]:
            page_count += 1
            html = DATA.sub("", answer.content.decode())
            page_names += [name] if planted_text in html else []
    return page_names, page_count


@pytest.mark.django_db
@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("planted_text", [SCRIPT, QUOTE])
@pytest.mark.parametrize("room", ROOMS.values(), ids=ROOMS)
def test_no_page_takes_a_name_for_a_script(client: Client, room: Room, planted_text: str) -> None:
    venue = room.make_venue()
    addresses = {name: venue.address(name) for name in room.pages}
    assert plant(planted_text) > room.planted_count
    secretary = venue.cast.secretary
    client.force_login(secretary, backend="django.contrib.auth.backends.ModelBackend")
    page_names, page_count = pages_with(client, addresses, planted_text)
    assert (page_names, page_count > room.looked_at) == ([], True)
