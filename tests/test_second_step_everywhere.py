"""Where a second step is required, an organiser without one is a plain member at every address."""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final, NamedTuple

import pytest
from django.db import transaction
from django.test import Client
from django.urls import get_resolver, reverse

from clubs.core.authentication import ORGANISER_SETUP_MESSAGE
from clubs.models import Membership, Player, Role, ShownAs, User
from tests.admission import ORGANISERS, PEOPLE
from tests.api import api_client
from tests.clubs.api import test_api_doors as clubs_api
from tests.clubs.core import test_doors as clubs
from tests.clubs.office import make_office
from tests.people import PASSWORD, Cast, browser_of, make_cast
from tests.sampling import SampleOf
from tests.test_doors import filled_address, patterns
from tests.tournaments.api import test_api_doors as cups_api
from tests.tournaments.core import test_doors as cups

WITHOUT: Final = ("secretary", "director", "scorer", "superuser")
REFUSED: Final = frozenset({401, 403})
SETS_UP: Final = "sent to set it up"
HIDDEN_FORMS: Final = re.compile(rb'name="csrfmiddlewaretoken" value="[^"]*"')
NOTICE: Final = re.compile(
    rb'<div class="notices"><div class="notice .*?Everyone who helps to run.*?</div></div>'
)
Key = tuple[str, str]
Answer = int | str


@pytest.fixture(autouse=True)
def second_step_required(settings: Any) -> None:
    settings.SECOND_FACTOR = "required"


class Room(NamedTuple):
    """Some addresses of a club that ``make_venue`` makes, and where each is there.

    ``statuses`` are what each of the cast is answered at an address (by name and method) once
    organisers have a second step; over the API 200 stands for everything but a refusal.
    """

    make_venue: Callable[[], Any]
    statuses: Mapping[Key, Mapping[str, int]]
    address: Callable[[Any, Key], str]
    is_api: bool = False


def of_tables(
    expected_statuses: Callable[[dict[str, int]], dict[str, int]],
    gets: dict[str, dict[str, int]],
    posts: dict[str, dict[str, int]],
) -> dict[Key, dict[str, int]]:
    return {
        (name, method): expected_statuses(allowed_statuses)
        for method, rows in (("get", gets), ("post", posts))
        for name, allowed_statuses in rows.items()
    }


def of_names(people_by_key: Mapping[Key, Iterable[str]]) -> dict[Key, dict[str, int]]:
    return {
        key: dict.fromkeys(PEOPLE, 403) | dict.fromkeys(people, 200)
        for key, people in people_by_key.items()
    }


def of_cups() -> Mapping[Key, Iterable[str]]:
    writers = {
        (name.split()[1], name.split()[0]): people for name, people in cups_api.WRITES.items()
    }
    return {(name, "get"): people for name, people in cups_api.READS.items()} | writers


def anywhere(_: Any, key: Key) -> str:
    """An address of that name in the cast's club, whether or not there is such a row."""
    return filled_address(
        next(pattern for pattern in patterns(get_resolver()) if pattern.name == key[0])
    )


OF_PAPERS: Final = {("job-result", "get"): ("secretary",)} | {
    (f"tournament-{paper}-pdf", "get"): ORGANISERS
    for paper in ("sheets", "cards", "emergency", "badges", "certificates", "poster")
}
ROOMS: Final = {
    "club pages": Room(
        clubs.lay_house,
        of_tables(clubs.expected_statuses, clubs.GETS, clubs.POSTS),
        lambda house, key: house.address(key[0]),
    ),
    "tournament pages": Room(
        cups.lay_hall,
        of_tables(cups.expected_statuses, cups.GETS, cups.POSTS),
        lambda hall, key: hall.address(key[0]),
    ),
    "clubs over the API": Room(
        lambda: make_office(make_cast()),
        of_names(
            {(operation.name, operation.method): operation.people for operation in clubs_api.WAYS}
        ),
        lambda office, key: office.address(key[0]),
        is_api=True,
    ),
    "tournaments over the API": Room(
        cups.lay_hall, of_names(of_cups()), lambda hall, key: hall.address(key[0]), is_api=True
    ),
    "papers": Room(clubs.lay_house, of_names(OF_PAPERS), anywhere),
}
READ_BY_MEMBERS: Final = [name for name in ROOMS if name != "papers"]
TELLS_THE_ROLE: Final = {"api-my-everything", "account", "keys"}
WITH_THE_TIME: Final = ("-pdf", "-xlsx")
MAKES_A_KEY: Final = {("keys", "post")}
OF_PAT_ALONE: Final = {"everything", "everything-file", "everything-data"}


def user_without_step(cast: Cast, person: str) -> User:
    """An organiser, or a superuser of no club, who has set up no second step."""
    if person == "superuser":
        return User.objects.create_superuser("root@example.org", PASSWORD, name="Root")
    user: User = getattr(cast, person)
    return user


def expected_answer(room: Room, key: Key, person: str) -> Answer:
    """A plain member's answer; whatever more their role gives them sends them to set it up."""
    if key in MAKES_A_KEY or (person == "superuser" and key[0].startswith("operator")):
        return SETS_UP
    in_full = room.statuses[key]["secretary" if person == "superuser" else person]
    if in_full in REFUSED:
        return 403
    plainly = room.statuses[key]["member of another club" if person == "superuser" else "player"]
    return SETS_UP if plainly in REFUSED or key[0] in OF_PAT_ALONE else in_full


def answer(room: Room, client: Client, key: Key, address: str) -> Answer:
    data = {"data": {}, "content_type": "application/json"} if room.is_api else {"data": {"a": "b"}}
    response = getattr(client, key[1])(address, **({} if key[1] == "get" else data))
    if room.is_api:
        if response.status_code == 403 and ORGANISER_SETUP_MESSAGE in response.content.decode():
            return SETS_UP
        return response.status_code if response.status_code in REFUSED else 200
    if response.get("Location") == reverse("mfa_activate_totp"):
        return SETS_UP
    return int(response.status_code)


def in_turn(keys: Iterable[Key]) -> Iterator[Key]:
    """Each address; what is done there is taken back before the next."""
    for key in keys:
        with transaction.atomic():
            yield key
            transaction.set_rollback(True)


def client_of(room: Room, user: User) -> Client:
    return api_client(user) if room.is_api else browser_of(user)


@pytest.mark.sampled
@pytest.mark.parametrize("person", WITHOUT)
@pytest.mark.parametrize("name", ROOMS)
def test_no_organiser_without_it_may_do_more_than_a_member(
    db: None, name: str, person: str, sample_of: SampleOf
) -> None:
    room = ROOMS[name]
    venue = room.make_venue()
    user = user_without_step(venue.cast, person)
    sampled_keys = set(sample_of([" ".join(key) for key in room.statuses]))
    answers = {
        key: answer(room, client_of(room, user), key, room.address(venue, key))
        for key in in_turn(room.statuses)
        if " ".join(key) in sampled_keys
    }
    assert answers == {key: expected_answer(room, key, person) for key in answers}
    assert len(answers) == len(sampled_keys)


def as_read(client: Client, address: str) -> bytes:
    response = client.get(address)
    body = response.content if response.status_code == 200 else b""
    return b" ".join(NOTICE.sub(b"", HIDDEN_FORMS.sub(b"", body)).split())


def of_members(room: Room) -> list[Key]:
    """What a secretary without it and a plain member read, and nobody without a sign-in."""
    keys = [key for key in room.statuses if key[1] == "get" and key[0] not in TELLS_THE_ROLE]
    return [
        key
        for key in keys
        if expected_answer(room, key, "secretary") == 200
        and room.statuses[key]["nobody"] != 200
        and not key[0].endswith(WITH_THE_TIME)
    ]


@pytest.mark.sampled
@pytest.mark.parametrize("name", READ_BY_MEMBERS)
def test_no_organiser_without_it_reads_more_than_a_member(db: None, name: str) -> None:
    room = ROOMS[name]
    venue = room.make_venue()
    cast = venue.cast
    Player.objects.filter(club=cast.club).exclude(name="Alice").update(shown_as=ShownAs.HIDDEN)
    client = client_of(room, cast.secretary)

    def all_read() -> dict[Key, bytes]:
        return {key: as_read(client, room.address(venue, key)) for key in of_members(room)}

    waiting = all_read()
    Membership.objects.filter(user=cast.secretary, club=cast.club).update(role=Role.PLAYER)
    plain = all_read()
    assert sum(map(bool, plain.values())) >= 5
    assert [key for key, body in waiting.items() if body != plain[key]] == []


def test_every_address_of_a_club_is_tried() -> None:
    tried_names = {name for room in ROOMS.values() for name, _ in room.statuses}
    of_a_club = {
        str(pattern.name)
        for pattern in patterns(get_resolver())
        if "club" in pattern.pattern.converters
    }
    assert sorted(of_a_club - tried_names) == []
