"""The score calculator without a script, and the help with tiles: read off the rules."""

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from hypothesis import given, settings, strategies as st
from pytest_django.asserts import assertNumQueries

from clubs.house.services import save_house_rules
from clubs.language.words import TILE_NAMES
from clubs.models import SessionTable
from clubs.table.event import seat_key
from clubs.table.papers.crib import crib_pdf
from clubs.table.selectors.rules import Aid, Asker, TileInfo, aid_of
from clubs.table.selectors.tile_entry import Builder, build_hand
from scoring import Hand, Tile, Wind, read_set, rule_set, rule_set_keys, score
from scoring.building import Draft, Steps, read_draft, write_draft
from scoring.house import read_house_rules
from scoring.scorebook.editions import store_edition
from scoring.scorebook.models import Game
from tests.paper import words_of
from tests.people import make_club
from tests.scoring.tapping import draft_after

WHOLE = "EE.B456WeeeO22-B111~Drrrr..won-discard-O2"
TILES = ("B1", "B1", "B1", "DR", "DR", "DR", "DR", "B4", "B5", "B6", "WE", "WE", "WE", "O2", "O2")
TAPS = (*TILES, "expose:B111", "way:discard", "last:O2")


class Page:
    """Someone's page without a script: each tap sends the form as it stands."""

    def __init__(self, key: str = "bmja") -> None:
        self.client = Client()
        self.answer: Any = self.client.get(reverse("score-rules", args=[key]))

    @property
    def text(self) -> str:
        return unescape(self.answer.content.decode())

    def hidden_value(self, name: str) -> str:
        hidden_input = re.search(rf'type="hidden" name="{name}" value="([^"]*)"', self.text)
        assert hidden_input is not None
        return hidden_input[1]

    def offers(self, tap: str) -> bool:
        button = re.search(rf'<button[^>]*name="tap" value="{re.escape(tap)}"([^>]*)>', self.text)
        return button is not None and "disabled" not in button[1]

    def tap(self, tap: str, add: str = "tile") -> None:
        assert self.offers(tap), tap
        action = re.search(r'action="([^"#]*)#hand"', self.text)
        assert action is not None
        hidden_values = {name: self.hidden_value(name) for name in ("hand", "was")}
        self.answer = self.client.get(action[1], hidden_values | {"add": add, "tap": tap})


A_MAH_JONG = "B1 B1 B1 DR DR DR B4 B5 B6 WE WE WE O2 O2"


def test_a_mah_jong_is_tapped_together_without_a_script() -> None:
    page = Page()
    for tap in TAPS:
        page.tap(tap)
    assert page.hidden_value("hand") == "EE.B456WeeeO22~Drrrr-B111..won-discard-O2"
    assert "64 × 8" in page.text
    assert "512" in page.text
    assert len(TAPS) == 18


def test_several_tiles_at_once_take_fewer_taps() -> None:
    page = Page()
    for add, tap in (
        ("pung", "B1"),
        ("kong", "DR"),
        ("chow", "B4"),
        ("pung", "WE"),
        ("pair", "O2"),
    ):
        page.tap(tap, add)
    for tap in ("expose:B111", "way:discard", "last:O2"):
        page.tap(tap)
    assert read_draft(page.hidden_value("hand")).tile_counts == read_draft(WHOLE).tile_counts
    assert "512" in page.text


def test_undo_takes_back_what_was_tapped() -> None:
    page = Page()
    assert not page.offers("undo")
    for tap in ("B1", "won:no", "undo", "undo"):
        page.tap(tap)
    assert page.hidden_value("hand") == write_draft(Draft())


def test_the_choice_of_how_many_stays() -> None:
    page = Page()
    page.tap("B1", "pung")
    assert 'value="pung" checked' in page.text


def test_a_tile_that_is_used_up_says_so_and_cannot_be_tapped() -> None:
    page = Page()
    page.tap("DR", "kong")
    assert not page.offers("DR")
    assert re.search(
        r'value="DR" disabled.*?<span class="key__gone">none left', page.text, re.DOTALL
    )


def test_an_address_with_a_tap_too_many_says_why() -> None:
    answer = Client().get(reverse("score"), {"hand": "EE.~B1111..won", "tap": "B1"})
    assert answer.status_code == 200
    assert "None of the 4 tiles “1 of bamboos” is left." in answer.content.decode()


@pytest.mark.parametrize("hand", ["EE.B12", "nonsense", "x" * 5000])
@pytest.mark.parametrize("name", ["score-rules", "score-link"])
def test_a_broken_link_is_said_in_a_sentence(name: str, hand: str) -> None:
    answer = Client().get(reverse(name, args=["bmja"]), {"hand": hand})
    assert answer.status_code == 422
    assert "This link does not contain a complete hand" in answer.content.decode()


def test_a_broken_history_leaves_an_empty_hand() -> None:
    answer = Client().get(reverse("score"), {"hand": WHOLE, "was": "x*y"})
    assert answer.status_code == 422


@pytest.mark.parametrize("key", rule_set_keys())
def test_every_rule_set_reckons(key: str) -> None:
    page = Page(key)
    assert rule_set(key).name in page.text
    assert ("flower 1" in page.text) is (rule_set(key).bonus_points is not None)
    page.tap("WE", "pung")
    page.tap("won:no")
    assert page.answer.status_code == 200


def test_other_rules_keep_the_tiles() -> None:
    page = Page()
    for tap in ("B1", "F1"):
        page.tap(tap)
    address = re.search(r'href="(/score/safalra/[^"]*)"', page.text) or pytest.fail("no link")
    answer = page.client.get(address[1]).content.decode()
    assert 'value="EE.B1..won"' in answer
    assert "not counted: flower 1, plum blossom." in unescape(answer)


@pytest.mark.parametrize("page", ["score/whist", "score/whist/link", "rules/whist/aid"])
def test_rules_that_nobody_has_are_not_found(page: str) -> None:
    assert Client().get(f"/{page}/").status_code == 404


def test_the_calculator_is_for_looking() -> None:
    assert Client().post(reverse("score")).status_code == 405


def test_the_script_gets_the_parts_of_the_page_alone_with_words_to_read_aloud() -> None:
    query = {"hand": "EE.B2..won", "tap": ["B2", "pung:DR"]}
    answer = Client().get(reverse("score"), query, headers={"HX-Request": "true"})
    text = answer.content.decode()
    assert "<html" not in text
    assert 'data-say="2 of bamboos, red dragon added. ' in text
    assert "B2:2:2" in text
    assert "HX-Request" in answer["Vary"]
    for html in (text, Page().text):
        parts = re.findall(r'data-part="(\w+)"', html)
        assert sorted(parts) == ["books", "dock", "ending", "score", "share", "table", "tray"]


def test_the_link_opens_the_same_hand() -> None:
    page = Client().get(reverse("score-link", args=["bmja"]), {"hand": WHOLE})
    text = page.content.decode()
    link = re.search(r'readonly value="([^"]*)"', text) or pytest.fail("no link")
    assert link[1].startswith("http://testserver/score/bmja/?hand=")
    assert "512" in Client().get(link[1].removeprefix("http://testserver")).content.decode()
    assert '<svg class="qr"' in text or 'class="qr"' in text


@settings(deadline=None, max_examples=60)
@given(
    hand=st.sampled_from([WHOLE, "EEg.JkkB11..lost", "", "EE"]) | st.text(max_size=20),
    previous_hand=st.sampled_from([WHOLE, f"{WHOLE}*{WHOLE}", ""]) | st.text(max_size=20),
    taps=st.lists(st.sampled_from(["undo", "B1", "chow:B1", "take:B456"]) | st.text(max_size=12)),
    add=st.sampled_from(["pung", "", "chow"]) | st.text(max_size=6),
)
def test_no_address_breaks_the_page(
    hand: str, previous_hand: str, taps: list[str], add: str
) -> None:
    query = {"hand": hand, "was": previous_hand, "tap": taps, "add": add}
    assert Client().get(reverse("score"), query).status_code in {200, 422}


def test_a_tap_that_does_nothing_says_why_beside_the_total() -> None:
    builder = build_hand(Steps(draft_after("kong:DR")), ("DR",), rule_set("bmja"))
    assert builder.state == "None of the 4 tiles “red dragon” is left."
    assert builder.state_of_hand == "11 more tiles: three more sets and a pair."


@pytest.mark.parametrize(
    ("taps", "asked_for"),
    [
        ("", ""),
        ("B1", "13 more tiles: four more sets and a pair."),
        (A_MAH_JONG, "Choose how the last tile was obtained."),
        (f"{A_MAH_JONG} way:discard", "Choose the last tile."),
        (f"{A_MAH_JONG} way:discard last:O2", ""),
        ("won:no B1 B1", ""),
    ],
)
def test_a_hand_says_what_it_lacks_before_it_is_left(taps: str, asked_for: str) -> None:
    assert build_hand(Steps(draft_after(taps)), (), rule_set("bmja")).unfinished_hint == asked_for


@pytest.mark.parametrize("key", ["english", "baggaley", "bmja"])
def test_a_last_tile_from_the_wall_is_asked_for_where_it_may_score(key: str) -> None:
    hand = build_hand(Steps(draft_after(f"{A_MAH_JONG} way:wall", key)), (), rule_set(key))
    asks = "" if key == "bmja" else "Choose which tile came last: it may score more."
    assert (hand.unfinished_hint, hand.score.is_whole) == (asks, True)
    hand_with_last = build_hand(Steps(hand.draft), ("last:O2",), rule_set(key))
    assert hand_with_last.unfinished_hint == ""


def test_the_seats_of_a_table_share_its_tiles() -> None:
    builder = build_hand(
        Steps(draft_after("B1 B1")), (), rule_set("bmja"), {Tile("B1"): 2, Tile("F1"): 1}
    )
    keys = {key.code: key for row in builder.rows for key in row.keys}
    assert (keys[Tile("B1")].held_count, keys[Tile("B1")].left_count) == (2, 0)
    assert keys[Tile("F1")].left_count == 0


def question_names(key: str, taps: str) -> list[str]:
    builder: Builder = build_hand(Steps(draft_after(taps, key)), (), rule_set(key))
    return [question.name for question in (*builder.ending, *builder.table)]


def test_only_what_the_rules_ask_is_asked() -> None:
    assert question_names("bmja", "won:no") == ["fact", "seat", "prevailing", "players", "goulash"]
    assert question_names("safalra", "") == ["way", "seat", "players"]
    assert question_names("tallies", "") == [
        "way",
        "fact",
        "seat",
        "prevailing",
        "dealer",
        "players",
    ]
    assert question_names("baggaley", "") == ["way", "seat"]
    assert question_names("english", "B1 way:wall last:B1") == ["way", "last", "fact", "seat"]


@pytest.mark.parametrize(
    ("taps", "state"),
    [
        ("", "Tap the tiles of the hand."),
        ("B1", "13 more tiles: four more sets and a pair."),
        ("pung:B1 pung:DR chow:B4 pung:WE O2 O2 way:wall", "Mah-Jong."),
        ("won:no B1", "Not Mah-Jong."),
    ],
)
def test_one_sentence_stands_beside_the_total(taps: str, state: str) -> None:
    assert build_hand(Steps(draft_after(taps)), (), rule_set("bmja")).state == state


@pytest.mark.django_db
def test_house_rules_are_looked_up_once(client: Client) -> None:
    edition = store_edition(read_house_rules({"base": "bmja", "name": "Score rules", "limit": 400}))
    for number in (1, 0):
        with assertNumQueries(number):
            page = client.get(reverse("score-rules", args=[edition.key]), {"hand": WHOLE})
        assert "Reduced to the limit of 400." in page.content.decode()


@pytest.mark.parametrize("name", ["home", "rules"])
@pytest.mark.django_db
def test_the_way_to_the_calculator(client: Client, name: str) -> None:
    make_club()
    page = client.get(reverse(name, args=["bmja"] if name == "rules" else []), follow=True)
    assert "/score/" in page.content.decode()


WORDS = {"nothing": (0, 0)}


def tile_info(
    rules: str, code: str, own_wind: Wind = Wind.E, prevailing: Wind | None = Wind.E
) -> TileInfo:
    info = aid_of(rule_set(rules), Asker(own_wind, prevailing), code).tile
    assert info
    return info


def worths(tile: TileInfo) -> dict[str, tuple[str, str]]:
    return {tile_set.name: (tile_set.exposed, tile_set.concealed) for tile_set in tile.sets}


def test_an_end_of_a_suit_is_worth_twice_a_middle_tile() -> None:
    assert worths(tile_info("bmja", "B1")) == {
        "A chow": ("nothing", "nothing"),
        "A pair": ("nothing", "nothing"),
        "A pung": ("4 points", "8 points"),
        "A kong": ("16 points", "32 points"),
    }
    assert worths(tile_info("bmja", "B5"))["A pung"] == ("2 points", "4 points")


def test_ones_own_wind_that_prevails_is_doubled_twice() -> None:
    south = tile_info("bmja", "WS", Wind.S, Wind.S)
    assert south.notes == ("South’s own wind.", "The prevailing wind.")
    assert worths(south) == {
        "A pair": ("4 points", "4 points"),
        "A pung": ("4 points and 2 doubles", "8 points and 2 doubles"),
        "A kong": ("16 points and 2 doubles", "32 points and 2 doubles"),
    }


def test_a_flower_says_whose_it_is() -> None:
    assert tile_info("bmja", "F2", Wind.S).notes[1:] == (
        "Worth 4 points.",
        "It is your own flower: 1 double.",
    )
    assert tile_info("bmja", "S4", Wind.S).notes[2] == "It is North’s own season."


@pytest.mark.parametrize("key", rule_set_keys())
@pytest.mark.parametrize("code", ["B2", "C9", "WE", "WW", "WN", "DR"])
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
    worth_texts = worths(tile_info(key, code, Wind.W, prevailing))[
        "A pung" if tiles == 3 else "A kong"
    ]
    figures = [word for word in worth_texts[not exposed].split() if word.isdigit()]
    assert figures == [str(figure) for figure in (price.points, price.doubles) if figure]
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
        info = aid_of(rules, asker, code).tile
        assert info
        assert info.name == TILE_NAMES[code]
        assert info.sets or info.notes


@pytest.mark.parametrize("key", rule_set_keys())
def test_every_line_about_sets_has_a_picture(key: str) -> None:
    tile_aid: Aid = aid_of(rule_set(key), Asker(Wind.E, Wind.E))
    sets = tile_aid.parts[0].lines
    assert sets
    assert [line.name for line in sets if not line.tiles and "ragon" not in line.name] == []


def test_what_prevails_is_not_asked_where_no_wind_does() -> None:
    for key in rule_set_keys():
        page = Client().get(f"/rules/{key}/aid/")
        assert page.status_code == 200
        assert ("The prevailing wind" in page.content.decode()) is rule_set(key).passing.prevailing


@pytest.mark.parametrize("query", ["tile=XX&own=Q", "tile=back", "tile=&own=&prevailing=Z"])
def test_a_question_about_nothing_shows_every_tile(query: str) -> None:
    page = Client().get(f"/rules/bmja/aid/?{query}")
    assert page.status_code == 200
    assert "Every tile" in page.content.decode()


@pytest.mark.django_db
def test_house_rules_say_their_own_worth() -> None:
    club = make_club()
    lines = {"base": "bmja", "points": {"Pung of 2s to 8s": [3, 6]}}
    house_rules = save_house_rules(club=club, declared_rules=read_house_rules(lines))
    page = Client().get(f"/rules/{house_rules.edition.key}/aid/?tile=B5").content.decode()
    assert "exposed: 3 points" in page
    assert "concealed: 6 points" in page


def test_a_seats_own_link_asks_for_its_own_wind(client: Client, table: SessionTable) -> None:
    address = reverse("table-aid", args=[seat_key(table, 3)])
    page = client.get(f"{address}?tile=WW").content.decode()
    assert "West’s own wind." in page
    assert f'class="places__place" href="{reverse("table", args=[seat_key(table, 3)])}"' in page


def test_the_tables_link_asks_by_its_rules(client: Client, table: SessionTable) -> None:
    Game.objects.update(rules="tallies/1")
    page = client.get(reverse("table-aid", args=[table.link_key])).content.decode()
    assert rule_set("tallies").name in page


@pytest.mark.django_db
def test_the_rules_of_a_book_have_its_own_words_beside_their_lines() -> None:
    page = Client().get("/rules/bmja/").content.decode()
    for phrase in ("minor tiles", "major tiles", "honour tiles"):
        assert f"({phrase})</th>" in page
    assert "(minor tiles)" not in Client().get("/rules/safalra/").content.decode()
    crib = " ".join(" ".join(words_of(crib_pdf("Riverside", rule_set("bmja")))).split())
    assert "Pung of 2s to 8s (minor tiles)" in crib


@pytest.mark.django_db
def test_the_rules_name_their_edition_as_a_reader_says_it() -> None:
    assert "Edition 2008. Each line below" in Client().get("/rules/bmja/").content.decode()
    lines = {"base": "bmja", "points": {"Pung of 2s to 8s": [3, 6]}}
    house_rules = save_house_rules(club=make_club(), declared_rules=read_house_rules(lines))
    page = Client().get(f"/rules/{house_rules.edition.key}/").content.decode()
    assert "This version never changes." in page
    assert house_rules.edition.key not in re.sub(r"<[^>]*>", "", page)
