"""A program reads names as its person does on the pages, and a table's link tells first names."""

from collections.abc import Mapping

import pytest
from django.test import Client
from django.urls import reverse

from clubs.models import Player
from tests.api import send, told
from tests.api_twins import read_at
from tests.clubs.api_places import PLACED, api_place
from tests.clubs.core import test_doors as of_clubs
from tests.clubs.core.test_doors import House
from tests.people import Cast
from tests.sampling import SampleOf
from tests.test_names_as_chosen import ORGANISERS, make_hall, night, seen_by, tells
from tests.tournaments.api import test_api_doors as api_of_tournaments
from tests.tournaments.core import test_doors as of_tournaments

__all__ = ["night"]

HALL_READS = api_of_tournaments.READS.keys()
# Pages with everybody's names only to choose from, or where the API has them at another address.
ELSEWHERE = {
    "member-merge": "api-players",
    "members-twins": "api-players",
    "messages-write": "api-players",
    "season-given": "api-players",
    "standby": "api-players",
    "wish-add": "api-players",
    "prize": "api-entrants",
    "evenings": "api-evening-result",
}


def untold(client: Client, pairs: Mapping[str, list[str]]) -> list[str]:
    """Pages that tell the surname to someone while what a program reads there does not."""
    return [
        f"{page} but not {twins}"
        for page, twins in pairs.items()
        if twins and tells(client.get(page)) and not any(tells(client.get(twin)) for twin in twins)
    ]


def looked_for(page: str) -> tuple[str, ...]:
    return (ELSEWHERE[page],) if page in ELSEWHERE else read_at(page)


@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("person", ORGANISERS)
def test_an_organisers_program_reads_a_club_as_the_pages_do(
    night: House, person: str, sample_of: SampleOf
) -> None:
    hidden = Player.objects.filter(places__session=night.session).first()
    assert hidden is not None
    pairs = {
        night.address(page): [
            api_place(night, twin, hidden) for twin in looked_for(page) if twin in PLACED
        ]
        for page in sample_of(of_clubs.GETS)
    }
    assert untold(seen_by(night.cast.everybody()[person]), pairs) == []


@pytest.mark.sampled(law="long plays")
@pytest.mark.parametrize("person", ORGANISERS)
def test_an_organisers_program_reads_a_tournament_as_the_pages_do(
    cast: Cast, person: str, sample_of: SampleOf
) -> None:
    hall = make_hall(cast)
    pairs = {
        hall.address(page): [
            api_of_tournaments.address(hall, twin)
            for twin in looked_for(page)
            if twin in HALL_READS
        ]
        for page in sample_of(of_tournaments.GETS)
    }
    assert untold(seen_by(cast.everybody()[person]), pairs) == []


def test_what_a_table_sends_is_answered_without_hidden_names(night: House) -> None:
    client, link = Client(), reverse("api-table", args=[night.session.tables.get().link_key])
    hand = told(3)
    preview = send(client, f"{link}preview/", hand)
    kept = send(client, link, hand)
    said = f"{link}hands/{kept.json()['id']}/"
    shown = client.get(said).json()["shown"]
    answers = {
        "preview": preview,
        "kept": kept,
        "another": send(client, link, told(3, winner=None)),
        "sent": send(client, f"{link}send/", {"hands": [hand, told(3), told(9)]}),
        "disputed": send(client, f"{said}dispute/", {"shown": shown, "seat": 1, "words": "No."}),
        "agreed": send(client, f"{said}agree/", {"shown": shown, "seat": 2}),
        "taken back": send(client, f"{said}undo/", {}),
    }
    assert {name: answer.status_code for name, answer in answers.items()} == {
        **dict.fromkeys(answers, 200),
        "kept": 201,
        "another": 409,
        "taken back": 204,
    }
    assert [name for name, answer in answers.items() if tells(answer)] == []
