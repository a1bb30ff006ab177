"""What is this tile, what is it worth: read off the rules as they are played."""

import pytest
from django.test import Client
from django.urls import reverse

from clubs.house.services import keep_house_rules
from clubs.language.words import TILE_NAMES
from clubs.models import SessionTable
from clubs.table.event import seat_key
from clubs.table.selectors.rules import AboutTile, Aid, Asker, aid_of
from scoring import Hand, Tile, Wind, read_set, rule_set, rule_set_keys, score
from scoring.house import read_house_rules
from scoring.scorebook.models import Game
from tests.clubs.tables import seated_evening
from tests.people import make_club

WORDS = {"nothing": (0, 0)}


def about(rules: str, code: str, own: Wind = Wind.E, prevailing: Wind | None = Wind.E) -> AboutTile:
    told = aid_of(rule_set(rules), Asker(own, prevailing), code).tile
    assert told
    return told


def worths(tile: AboutTile) -> dict[str, tuple[str, str]]:
    return {one.name: (one.exposed, one.concealed) for one in tile.sets}


def test_an_end_of_a_suit_is_worth_twice_a_middle_tile() -> None:
    assert worths(about("bmja", "B1")) == {
        "A chow": ("nothing", "nothing"),
        "A pair": ("nothing", "nothing"),
        "A pung": ("4 points", "8 points"),
        "A kong": ("16 points", "32 points"),
    }
    assert worths(about("bmja", "B5"))["A pung"] == ("2 points", "4 points")


def test_ones_own_wind_that_prevails_is_doubled_twice() -> None:
    south = about("bmja", "WS", Wind.S, Wind.S)
    assert south.said == ("South’s own wind.", "The prevailing wind.")
    assert worths(south) == {
        "A pair": ("4 points", "4 points"),
        "A pung": ("4 points and 2 doubles", "8 points and 2 doubles"),
        "A kong": ("16 points and 2 doubles", "32 points and 2 doubles"),
    }


def test_somebody_elses_wind_doubles_nothing() -> None:
    assert worths(about("bmja", "WN", Wind.S, Wind.E))["A pung"] == ("4 points", "8 points")


def test_a_flower_says_whose_it_is() -> None:
    assert about("bmja", "F2", Wind.S).said[1:] == (
        "Worth 4 points.",
        "It is your own flower: 1 double.",
    )
    assert about("bmja", "S4", Wind.S).said[2] == "It is North’s own season."


@pytest.mark.parametrize("key", rule_set_keys())
@pytest.mark.parametrize("code", ["B2", "C9", "WE", "WW", "DR"])
@pytest.mark.parametrize("tiles", [3, 4])
@pytest.mark.parametrize("exposed", [True, False])
def test_what_it_says_of_a_set_is_what_the_engine_counts(
    key: str, code: str, tiles: int, exposed: bool
) -> None:
    rules = rule_set(key)
    prevailing = Wind.E if rules.passing.prevailing else None
    group = read_set([Tile(code)] * tiles, exposed=exposed)
    assert group
    hand = Hand(seat_wind=Wind.W, prevailing_wind=prevailing, sets=(group,))
    price = rules.book.prices(Wind.W, prevailing).sets[group.code]
    told = worths(about(key, code, Wind.W, prevailing))["A pung" if tiles == 3 else "A kong"]
    said = [word for word in told[not exposed].split() if word.isdigit()]
    assert said == [str(much) for much in (price.points, price.doubles) if much]
    if rules.losers_score:
        lines = [line for line in score(hand, rules=rules).lines if line.tiles]
        assert price.points == sum(line.points or 0 for line in lines)


@pytest.mark.parametrize("key", rule_set_keys())
def test_every_tile_of_the_rules_can_be_tapped_and_has_a_name(key: str) -> None:
    rules = rule_set(key)
    asker = Asker(Wind.E, Wind.E if rules.passing.prevailing else None)
    rows = aid_of(rules, asker).rows
    assert {len(row) for row in rows[:3]} == {9}
    for code in (code for row in rows for code in row):
        told = aid_of(rules, asker, code).tile
        assert told
        assert told.name == TILE_NAMES[code]
        assert told.sets or told.said


@pytest.mark.parametrize("key", rule_set_keys())
def test_every_line_about_sets_has_a_picture(key: str) -> None:
    told: Aid = aid_of(rule_set(key), Asker(Wind.E, Wind.E))
    sets = told.parts[0].lines
    assert sets
    assert [line.name for line in sets if not line.tiles and "ragon" not in line.name] == []


def test_what_prevails_is_not_asked_where_no_wind_does() -> None:
    for key in rule_set_keys():
        page = Client().get(f"/rules/{key}/aid/")
        assert page.status_code == 200
        assert ("The prevailing wind" in page.content.decode()) is rule_set(key).passing.prevailing


@pytest.mark.parametrize("asked", ["tile=XX&own=Q", "tile=back", "tile=&own=&prevailing=Z"])
def test_a_question_about_nothing_shows_every_tile(asked: str) -> None:
    page = Client().get(f"/rules/bmja/aid/?{asked}")
    assert page.status_code == 200
    assert "Every tile" in page.content.decode()


def test_rules_that_nobody_has_are_not_found() -> None:
    assert Client().get("/rules/nothing/aid/").status_code == 404


@pytest.fixture
def table() -> SessionTable:
    return seated_evening(make_club()).tables.get()


@pytest.mark.django_db
def test_house_rules_say_their_own_worth() -> None:
    club = make_club()
    lines = {"base": "bmja", "points": {"Pung of 2s to 8s": [3, 6]}}
    own = keep_house_rules(club=club, declared=read_house_rules(lines))
    page = Client().get(f"/rules/{own.edition.key}/aid/?tile=B5").content.decode()
    assert "exposed: 3 points" in page
    assert "concealed: 6 points" in page


@pytest.mark.django_db
def test_a_seats_own_link_asks_for_its_own_wind(client: Client, table: SessionTable) -> None:
    address = reverse("table-aid", args=[seat_key(table, 3)])
    page = client.get(f"{address}?tile=WW").content.decode()
    assert "West’s own wind." in page
    assert f'href="{reverse("table", args=[seat_key(table, 3)])}">Back to the table' in page


@pytest.mark.django_db
def test_the_tables_link_asks_by_its_rules(client: Client, table: SessionTable) -> None:
    Game.objects.update(rules="tallies/1")
    page = client.get(reverse("table-aid", args=[table.link_key])).content.decode()
    assert rule_set("tallies").name in page
