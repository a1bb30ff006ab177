"""Nobody but the organisers, the table and themselves reads a name that someone hides.

Every address that others may read is asked for, in a club and in a tournament where all but one
are hidden, and looked through for their surname: pages, parts of pages, files, papers and the API.
A program reads names as its person does on the pages, and a table's link tells first names.
"""

from collections.abc import Iterator
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from django.core import mail
from django.urls import get_resolver, reverse

from clubs.core.permissions import Permission
from clubs.evenings.services import ending
from clubs.models import Club, Player, Role, SessionTable
from clubs.models.names import name_key
from clubs.table.event import seat_key
from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import receipt_address
from tests.api import link_client
from tests.clubs import nights, outbox
from tests.clubs.api_places import OF_A_LINK, READS, WRITTEN, api_place
from tests.clubs.core import test_doors as of_clubs
from tests.clubs.core.test_doors import House, lay_house
from tests.clubs.table.test_game_doors import addresses as operations_of_games
from tests.paper import words_of
from tests.people import Cast, browser_of, make_player
from tests.test_doors import decision, patterns
from tests.tournaments import cups
from tests.tournaments.api import test_api_doors as api_of_tournaments
from tests.tournaments.core import test_doors as of_tournaments
from tests.tournaments.core.test_doors import Hall
from tournaments.results import services
from tournaments.seating.services import changes, seating
from tournaments.setup import services as setup_services
from tournaments.steps import services as steps_services
from tournaments.table import services as table_services

SURNAME = "Quillfeather"
HIDDEN = [
    f"{first} {SURNAME}" for first in ("Ada", "Bea", "Cleo", "Dora", "Edie", "Fay", "Gwen", "Hope")
]
READERS = ("player", "member of another club", "nobody")
ORGANISERS = ("secretary", "director", "scorer")
FILES = (
    *("standings-pdf", "standings-csv", "standings-xlsx", "standings-json"),
    *("standings-rounds-csv", "standings-hands-csv"),
)
PUBLISHED = (
    *("results", "results-pdf", "results-csv", "results-xlsx", "results-json"),
    *("results-rounds-csv", "results-hands-csv"),
)
OF_AN_OPEN_TABLE = ("round-table-hand-receipt", "round-table-tiles", "round-table-ahead")
OF_A_REPLACED_CARD = "round-table-formerly"
# Papers that lie on tables, hang on the wall or are handed out: whoever prints them.
HANDED_OUT = ("season-pdf", "sheets-pdf", "cards-pdf", "seats-pdf", "seating-cards-pdf")
AT_THE_DESK = ("door-pdf", "tally-pdf", "members-csv", "money", "evening", "members", "season")
IN_THE_HALL = (
    "standings-pdf",
    *(
        f"tournament-{paper}-pdf"
        for paper in ("sheets", "cards", "seating-cards", "badges", "certificates", "poster")
    ),
)
OF_A_HALL = (*api_of_tournaments.OPEN_GETS, *api_of_tournaments.MEMBERS_GETS)
API_OPEN = {"api-token", "api-rules", "api-clubs", "api-house-rules", "api-docs"}
OWN_KEYS = {"api-key-list", "api-key-detail"}
OF_A_HALLS_LINK = {"api-game-standings", "api-game-call"}


READ_BY_LINK = {"api-link": ()} | {
    name: tuple(pattern.pattern.converters)
    for name, pattern in operations_of_games()
    if pattern.callback.cls.by_link and hasattr(pattern.callback.cls, "get")
}


def hide_everybody(club: Club) -> None:
    """All who have no sign-in of their own have the surname, and hide it."""
    for player in club.players.filter(membership=None):
        first = player.name.split(" ")[0] if player.places.exists() else f"Zed{player.pk}"
        full_name = f"{first} {SURNAME}"
        Player.objects.filter(pk=player.pk).update(
            name=full_name, name_key=name_key(full_name), shown_as="hidden"
        )


@pytest.fixture
def night(db: None) -> House:
    """An evening that was played by hidden people, in a club that shows its results."""
    house = lay_house()
    club = house.cast.club
    house.address("members")
    hide_everybody(club)
    Club.objects.filter(pk=club.pk).update(
        shows_results=True, shows_league=True, shows_calendar=True, rates=True
    )
    Player.objects.filter(name="Pat").update(wants_results=True, email="pat@example.org")
    nights.post(house.session.tables.get(), nights.SECOND_WINS, nights.DRAWN)
    return house


def make_hall(cast: Cast) -> Hall:
    """A tournament of hidden people: drawn, changed by hand, ruled on, its first round played."""
    club = cast.club
    Club.objects.filter(pk=club.pk).update(
        shows_results=True, shows_league=True, shows_calendar=True
    )
    for name in HIDDEN:
        make_player(club, name, shown_as="hidden")
    cup = cups.make_cup(entrants=0, rounds=2, hands=1, club=club)
    setup_services.enter_names(tournament=cup, names=HIDDEN)
    assert not cup.entrants.filter(player=None).exists()
    seating.seat_rounds(tournament=cup)
    entrant, other_entrant = cup.entrants.order_by("number")[:2]
    changes.swap(tournament=cup, number=1, one=entrant, other=other_entrant, made_by="test")
    services.save_prize(tournament=cup, kind="last")
    services.save_prize(tournament=cup, kind="chosen", name="The best hat", chosen=entrant)
    steps_services.start_round(tournament=cup)
    table, *_ = cups.tables(cup)
    cups.post(table, cups.SECOND_WINS)
    case = cups.case(table, 1, reason=f"{HIDDEN[0]} had a tile too many")
    table_services.make_ruling(case=case, what="adjustment", points=-10)
    return Hall(cast, cups.fresh(cup))


def finish(hall: Hall) -> None:
    """The rest is played and the results are published."""
    cups.post(cups.tables(hall.cup)[1], cups.SECOND_WINS)
    cups.next_round(hall.cup)
    cups.finish(hall.cup, cups.SECOND_WINS)
    services.publish_results(tournament=hall.cup)


def text_of(answer: Any) -> str:
    """What someone reads of an answer, whatever it is."""
    content = b"".join(answer.streaming_content) if answer.streaming else answer.content
    kind = answer.headers.get("Content-Type", "")
    if kind.startswith("application/pdf"):
        return " ".join(words_of(content))
    if content.startswith(b"PK"):
        files = ZipFile(BytesIO(content))
        return " ".join(files.read(name).decode(errors="replace") for name in files.namelist())
    return content.decode(errors="replace")


def tells(answer: Any) -> bool:
    """Whether the surname stands in it, wherever a line breaks."""
    letters = "".join(text_of(answer).split())
    return SURNAME.casefold() in (letters + str(dict(answer.headers))).casefold()


def part(name: str) -> str:
    """What asks for the same in another shape: a page's part that is new, a program's file."""
    return "as=csv" if name.startswith("api-") else "v=x"


def walk(cast: Cast, addresses: dict[str, str]) -> Iterator[tuple[str, str, Any]]:
    """Every address as each who is no organiser reads it, whole and in another shape."""
    people = cast.people()
    for person in READERS:
        client = browser_of(people[person])
        for name, address in addresses.items():
            for url in (address, f"{address}{'&' if '?' in address else '?'}{part(name)}"):
                yield person, name, client.get(url)


def leaks(cast: Cast, addresses: dict[str, str]) -> tuple[set[str], list[str]]:
    """What could be read at all, and who reads the surname where."""
    read_names, findings = set(), []
    for person, name, answer in walk(cast, addresses):
        if answer.status_code == 200:
            read_names.add(name)
        if tells(answer):
            findings.append(f"{name} as {person}")
    return read_names, findings


def open_names() -> set[str]:
    """The names of all addresses at which others than organisers may read."""
    return {str(pattern.name) for pattern in patterns(get_resolver()) if is_open(decision(pattern))}


def is_open(door: object) -> bool:
    if isinstance(door, Permission):
        return Role.PLAYER in door.roles or bool(door.public_by)
    return isinstance(door, str)


def places(venue: Any, gets: Any) -> dict[str, str]:
    """The address of every page of a table of doors that is open to others than organisers."""
    return {name: venue.address(name) for name in gets if name in open_names()}


def night_addresses(house: House) -> dict[str, str]:
    """Those of the club, and the pages of people who are hidden."""
    club, table = house.cast.club.slug, house.session.tables.get()
    hidden_player = Player.objects.filter(places__session=house.session).first()
    hand = Hand.objects.filter(game=table.game_id).earliest("pk")
    assert hidden_player is not None
    first = hidden_player.name.split()[0]
    return {
        **places(house, of_clubs.GETS),
        "player": reverse("player", args=[club, hidden_player.pk]),
        "season-why": reverse("season-why", args=[club, house.season.pk, hidden_player.pk]),
        "evening-why": f"{house.address('evening-why')}?name={first}",
        "table-receipt": reverse("table-receipt", args=[receipt_address(hand)]),
        "table-hand-receipt": reverse("table-hand-receipt", args=[table.link_key, hand.pk]),
        "table-dispute": reverse("table-dispute", args=[table.link_key, hand.pk]),
        "table-undo": reverse("table-undo", args=[table.link_key, hand.pk]),
        **{name: api_place(house, name, hidden_player) for name in READS & open_names()},
        "api-evening-why of one": (
            f"{api_place(house, 'api-evening-why', hidden_player)}?name={first}"
        ),
    }


def hall_addresses(hall: Hall) -> dict[str, str]:
    """Those of the tournament, its walls one by one, and someone who has found themselves."""
    club, cup = hall.cast.club.slug, hall.cup
    game = cups.tables(cup, 1)[0].game_id
    addresses = places(hall, of_tournaments.GETS)
    wall, me = addresses["tournament-wall"], cup.entrants.earliest("number").pk
    return {
        **addresses,
        **{f"wall {show}": f"{wall}?show={show}" for show in ("seats", "tables", "standings")},
        **{name: reverse(name, args=[cup.wall_key]) for name in PUBLISHED},
        **{name: reverse(name, args=[club, cup.pk]) for name in FILES},
        "me": f"{addresses['find-me']}?me={me}",
        "find": f"{addresses['find-me']}?find=ada",
        "why-open ada": f"{addresses['why-open']}?name=Ada",
        **{name: hall.address(name) for name in OF_A_HALL},
        **{name: reverse(name, args=[game]) for name in ("api-game", "api-game-clock")},
    }


@pytest.mark.sampled(law="long plays")
def test_a_hidden_name_is_read_nowhere_in_a_club(night: House) -> None:
    addresses = night_addresses(night)
    read_names, findings = leaks(night.cast, addresses)
    assert findings == []
    unread = addresses.keys() - read_names
    assert {"evening", "result", "season", "season-why", "player", "table", "wall"}.isdisjoint(
        unread
    )
    assert {name for name in unread if name.startswith("api-")} == set()


def test_nor_when_the_evening_is_finished(night: House) -> None:
    names = ("wall", "club", "evening", "result", "evenings")
    addresses = {name: night.address(name) for name in names}
    ending.close_session(session=night.session)
    read_names, findings = leaks(night.cast, addresses)
    assert (read_names, findings) == (set(names), [])


@pytest.mark.sampled(law="hidden names", days=2)
def test_a_hidden_name_is_read_nowhere_in_a_tournament(cast: Cast) -> None:
    hall = make_hall(cast)
    addresses = hall_addresses(hall)
    read_names, findings = leaks(cast, addresses)
    assert findings == []
    later_pages = {*PUBLISHED, *OF_AN_OPEN_TABLE, OF_A_REPLACED_CARD}
    assert addresses.keys() - read_names <= {*later_pages, *(f"api-{name}" for name in later_pages)}


@pytest.mark.sampled(law="long plays")
def test_nor_when_the_results_are_published(cast: Cast) -> None:
    hall = make_hall(cast)
    finish(hall)
    addresses = hall_addresses(hall)
    read_names, findings = leaks(cast, addresses)
    assert findings == []
    assert set(PUBLISHED) <= read_names


@pytest.mark.sampled(law="long plays")
def test_every_address_that_others_may_read_is_walked(night: House) -> None:
    hall = make_hall(night.cast)
    posted_names = {*of_clubs.POSTS, *of_tournaments.POSTS, *api_of_tournaments.WRITTEN, *WRITTEN}
    walked_names = {*night_addresses(night), *hall_addresses(hall), *API_OPEN, *OWN_KEYS}
    exempt_names = {"home", "style", "alive", "ready", "metrics", "schema", "docs-area"}
    exempt_names |= {"api-root", "api-nowhere", *OF_A_LINK, *OF_A_HALLS_LINK}
    assert {
        name for name in open_names() - walked_names - posted_names if not name.startswith("_")
    } <= exempt_names


def test_papers_that_are_handed_out_keep_a_hidden_name(night: House) -> None:
    client = browser_of(night.cast.secretary)
    responses = {name: client.get(night.address(name)) for name in HANDED_OUT}
    assert {name for name, answer in responses.items() if answer.status_code != 200} == set()
    assert [name for name, answer in responses.items() if tells(answer)] == []


def test_the_organisers_desk_has_names_in_full(night: House) -> None:
    client = browser_of(night.cast.secretary)
    responses = {name: client.get(night.address(name)) for name in AT_THE_DESK}
    assert [name for name, answer in responses.items() if not tells(answer)] == []


@pytest.mark.parametrize("person", ORGANISERS)
def test_every_organiser_reads_names_in_full(night: House, person: str) -> None:
    client = browser_of(night.cast.people()[person])
    for name in ("evening", "result", "season", "members", "evening-why"):
        assert tells(client.get(night.address(name))), name


@pytest.mark.sampled(law="long plays")
def test_papers_of_a_hall_keep_a_hidden_name(cast: Cast) -> None:
    hall = make_hall(cast)
    finish(hall)
    client = browser_of(cast.director)
    responses = {
        name: client.get(reverse(name, args=[cast.club.slug, hall.cup.pk])) for name in IN_THE_HALL
    }
    assert {name: answer.headers["Content-Type"] for name, answer in responses.items()} == (
        dict.fromkeys(IN_THE_HALL, "application/pdf")
    )
    assert [name for name, answer in responses.items() if tells(answer)] == []


def test_a_director_reads_names_in_full(cast: Cast) -> None:
    hall = make_hall(cast)
    client = browser_of(cast.director)
    for name in ("tournament", "seating", "standings", "seating-why", "prizes", "tournament-table"):
        assert tells(client.get(hall.address(name))), name


def test_at_the_table_hidden_people_go_by_their_first_names(night: House) -> None:
    for name in ("table", "table-seats"):
        page = browser_of(None).get(night.address(name)).content.decode()
        assert "Margaret" in page, name
        assert "A member" not in page, name


def test_a_program_with_a_link_reads_first_names_alone(night: House) -> None:
    hall = make_hall(night.cast)
    for table in (night.session.tables.get(), cups.tables(hall.cup, 1)[0]):
        hand = Hand.objects.filter(game=table.game_id).earliest("pk").pk
        url_kwargs = {"game": table.game_id, "hand": hand, "seat": 1}
        for key in (table.link_key, seat_key(table, 1)):
            answers = {
                name: link_client(key).get(
                    reverse(name, kwargs={part: url_kwargs[part] for part in parts})
                )
                for name, parts in READ_BY_LINK.items()
            }
            assert {name for name, answer in answers.items() if tells(answer)} == set()
            statuses = {answer.status_code for answer in answers.values()}
            assert (200 in statuses, max(statuses) < 500) == (True, True)
            assert [
                name for name in ("api-game", "api-link") if answers[name].status_code != 200
            ] == []


def test_a_player_reads_the_own_name_in_full(night: House) -> None:
    margaret = night.cast.club.players.get(name__startswith="Margaret")
    night.cast.player.memberships.update(player=margaret)
    client = browser_of(night.cast.player)
    for name in ("evening", "result", "season", "members"):
        page = client.get(night.address(name)).content.decode()
        assert page.count(SURNAME) == page.count(f"Margaret {SURNAME}") > 0, name


def test_a_result_by_email_keeps_the_names_of_others(night: House) -> None:
    names_by_email = {}
    for player in Player.objects.filter(places__session=night.session):
        email = f"player{player.pk}@example.org"
        Player.objects.filter(pk=player.pk).update(email=email, wants_results=True)
        names_by_email[email] = player.name
    ending.close_session(session=night.session)
    (batch,) = outbox.results_of(night.session)
    outbox.press(batch, night.cast.secretary)
    outbox.work(batch)
    assert len(mail.outbox) == len(names_by_email) + 1
    for letter in mail.outbox:
        text = f"{vars(letter)}"
        other_text = text.replace(names_by_email.get(letter.to[0], "-"), "")
        assert SURNAME not in other_text.replace("\n", "")
        assert "A member" in text


def test_what_is_agreed_to_stays_agreed_when_somebody_hides(night: House) -> None:
    table = SessionTable.objects.get(session=night.session)
    page = browser_of(None).get(reverse("table", args=[table.link_key])).content.decode()
    Player.objects.filter(places__session=night.session).update(shown_as="full")
    second_page = browser_of(None).get(reverse("table", args=[table.link_key])).content.decode()
    assert shown_digests(page) == shown_digests(second_page) != set()


def shown_digests(page: str) -> set[str]:
    """What the forms to agree bind an agreement to."""
    return {part.split('"')[0] for part in page.split('name="shown" value="')[1:]}
