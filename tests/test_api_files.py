"""What the API tells, asked for as a file: a file or a sentence, never a fault."""

from typing import Any

import pytest
from django.test import Client
from django.urls import get_resolver, reverse

from clubs.api.lists import TablesAPIView
from clubs.models import ApiToken
from clubs.webhooks.services import add_webhook, try_webhook
from tests.api import api_client, faults, handlers_of, link_client
from tests.clubs.tables import seated_evening
from tests.people import Cast, browser_of
from tests.spreadsheets import faults_of
from tests.test_doors import patterns
from tests.test_second_step_everywhere import ROOMS
from tests.tournaments.cups import seated_cup, tables

ROOMS_READ = [name for name in ROOMS if name.endswith("over the API")]
OF_PROGRAMS = {"api-webhook-list", "api-webhook-detail", "api-delivery-list"}
OF_ONES_OWN = {"api-key-list", "api-key-detail", "api-clubs"}
OF_RULES = {"api-rules", "api-house-rules"}
OF_A_GAME = {"api-game-seats", "api-game-earlier", "api-game-corrections"}
AT_A_LINK = {"api-game-result", "api-game-standings"}
ALSO_READ = OF_PROGRAMS | OF_ONES_OWN | OF_RULES
ANSWERED = {200, 400, 404}


OF_PAGES = ("-csv", "-xlsx", "money-file", "money-year-file")
FOR_IMPORT = {"members-csv", "members-xlsx"}


def as_files(client: Client, address: str) -> set[int]:
    """The statuses of the answers as each kind of file; what breaks in a view is raised here.

    Whatever is a file can be read by whoever opens it.
    """
    answers = [client.get(f"{address}?as={kind}") for kind in ("csv", "xlsx")]
    files = [answer.content for answer in answers if answer.status_code == 200]
    assert (address, [fault for file in files for fault in faults_of(file)]) == (address, [])
    return {answer.status_code for answer in answers}


@pytest.mark.parametrize("name", ["club pages", "tournament pages"])
def test_whoever_opens_a_file_of_a_page_can_read_it(db: None, name: str) -> None:
    room = ROOMS[name]
    venue = room.make_venue()
    secretary = browser_of(venue.cast.secretary)
    files = {
        key[0]: secretary.get(room.address(venue, key))
        for key in room.statuses
        if key[1] == "get" and key[0].endswith(OF_PAGES)
    }
    contents = {name: b"".join(file) for name, file in files.items() if file.status_code == 200}
    faults = {
        name: cell_faults
        for name, content in contents.items()
        if (cell_faults := faults_of(content, for_import=name in FOR_IMPORT))
    }
    assert faults == {}
    assert len(contents) > 5


@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("name", ROOMS_READ)
def test_whatever_a_club_has_is_a_file_or_refused(db: None, name: str) -> None:
    room = ROOMS[name]
    venue = room.make_venue()
    secretary = api_client(venue.cast.secretary)
    answers = {
        key[0]: as_files(secretary, room.address(venue, key))
        for key in room.statuses
        if key[1] == "get" and room.statuses[key]["secretary"] == 200
    }
    assert {name: statuses for name, statuses in answers.items() if not statuses <= ANSWERED} == {}
    assert {200} in answers.values()


def test_so_are_programs_keys_and_rules(cast: Cast) -> None:
    secretary, club = api_client(cast.secretary), cast.club.slug
    key = ApiToken.objects.get()
    webhook = add_webhook(
        club=cast.club, address="https://tongbox.invalid/", kinds=["hand.recorded"]
    )
    try_webhook(webhook=webhook)
    url_args: dict[str, list[Any]] = {
        **{name: [club, webhook.pk] for name in ("api-webhook-detail", "api-delivery-list")},
        **{name: [club] for name in ("api-webhook-list", "api-house-rules")},
        "api-key-detail": [key.pk],
    }
    answers = {
        name: as_files(secretary, reverse(name, args=url_args.get(name, []))) for name in ALSO_READ
    }
    files = {name for name, statuses in answers.items() if statuses == {200}}
    assert {name: statuses for name, statuses in answers.items() if not statuses <= ANSWERED} == {}
    assert files >= {
        "api-key-list",
        "api-clubs",
        "api-rules",
        "api-webhook-list",
        "api-delivery-list",
    }


def test_so_are_the_lists_of_a_game(cast: Cast) -> None:
    secretary = api_client(cast.secretary)
    evening = seated_evening(cast.club).tables.get()
    for table in (evening, tables(seated_cup(club=cast.club, rounds=1))[0]):
        url_args = [table.game_id]
        for name in OF_A_GAME:
            assert as_files(secretary, reverse(name, args=url_args)) == {200}
        phone = link_client(table.link_key)
        answers = {name: as_files(phone, reverse(name, args=url_args)) for name in AT_A_LINK}
        assert sorted(answers.values(), key=sorted) == [{200}, {404}]


def test_one_key_is_no_list_and_says_so(cast: Cast) -> None:
    me = api_client(cast.secretary)
    address = reverse("api-key-detail", args=[ApiToken.objects.get().pk])
    assert me.get(address).json()["name"] == "A test"
    assert as_files(me, address) == {400}
    assert faults(me.get(f"{address}?as=json")) == [("unknown_parameter", "as")]


def test_every_address_of_a_list_is_asked_for_as_a_file() -> None:
    views = {
        str(pattern.name): pattern.callback.cls  # type: ignore[attr-defined]
        for pattern in patterns(get_resolver())
        if "get" in handlers_of(pattern.callback) and not str(pattern.name).endswith("-detail")
    }
    tried_names = {key[0] for name in ROOMS_READ for key in ROOMS[name].statuses if key[1] == "get"}
    untried_names = views.keys() - tried_names - ALSO_READ - OF_A_GAME - AT_A_LINK
    assert sorted(name for name in untried_names if issubclass(views[name], TablesAPIView)) == []
