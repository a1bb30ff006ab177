"""A name that is a script stays a name: on every page that someone may open, of every kind."""

import re
from collections.abc import Mapping

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
from tests.clubs.core import test_doors
from tests.clubs.core.test_doors import House
from tests.tournaments.core import test_doors as test_tournaments
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
DATA = re.compile(
    r"<script[^>]*application/json[^>]*>[^<]*</script>"
)  # data, never run; no < in it


@pytest.fixture
def house(db: None) -> House:
    return test_doors.lay_house()


@pytest.fixture
def hall(db: None) -> Hall:
    return test_tournaments.lay_hall()


def plant(planted: str) -> int:
    """Write the script where people write words, past every form; how many fields there were."""
    count = 0
    for model, field in WORDS:
        if field not in {one.name for one in model._meta.get_fields()}:
            continue
        size = getattr(model._meta.get_field(field), "max_length", None) or 200
        for row in model._default_manager.all():
            model._default_manager.filter(pk=row.pk).update(**{field: f"{planted}{row.pk}"[:size]})
            count += 1
    return count


def pages_with(client: Client, addresses: Mapping[str, str], planted: str) -> tuple[list[str], int]:
    """The pages on which it stands as it was written, and how many were looked at."""
    found, seen = [], 0
    for name, address in addresses.items():
        answer = client.get(address)
        if answer.status_code == 200 and "html" in answer["Content-Type"]:
            seen += 1
            shown = DATA.sub("", answer.content.decode())
            found += [name] if planted in shown else []
    return found, seen


@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("planted", [SCRIPT, QUOTE])
def test_no_page_of_a_club_takes_a_name_for_a_script(
    client: Client, house: House, planted: str
) -> None:
    addresses = {name: house.address(name) for name in test_doors.GETS}
    assert plant(planted) > 10
    client.force_login(house.cast.secretary, backend="django.contrib.auth.backends.ModelBackend")
    found, seen = pages_with(client, addresses, planted)
    assert (found, seen > 50) == ([], True)


@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("planted", [SCRIPT, QUOTE])
def test_no_page_of_a_tournament_takes_a_name_for_a_script(
    client: Client, hall: Hall, planted: str
) -> None:
    addresses = {name: hall.address(name) for name in test_tournaments.GETS}
    assert plant(planted) > 5
    client.force_login(hall.cast.secretary, backend="django.contrib.auth.backends.ModelBackend")
    found, seen = pages_with(client, addresses, planted)
    assert (found, seen > 30) == ([], True)
