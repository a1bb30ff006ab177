"""Tiles tapped at a table: four phones, one set of tiles, and what is saved of them."""

import re
from html import unescape
from typing import Any
from urllib.parse import urlencode

import pytest
from django.test import Client

from scoring import rule_set_keys
from scoring.building import Draft, Steps, read_draft
from scoring.scorebook.models import Hand, TappedHand
from scoring.scorebook.services.games import TapAnswer, tap_tiles
from scoring.scorebook.verifying import recount
from tests.clubs.table.phones import At, AtEvening, Phone, messages_of, playing
from tests.clubs.tables import sheet
from tests.people import Cast

WINNING = (
    "won:yes", "B1", "B1", "B1", "expose:B111", "DR", "DR", "DR", "DR",
    "B4", "B5", "B6", "WE", "WE", "WE", "O2", "O2", "F1", "way:wall",
)  # fmt: skip
TEMPLATE = re.compile(r"<template.*?</template>", re.DOTALL)  # what only scripts show
PUNGS = "won:yes pung:B1 pung:C2 pung:O3 pung:WS pair:DR way:discard last:DR"
ONE_SUIT = PUNGS.replace("C2", "B4").replace("O3", "B8")
# Pungs of 8, 4, 4 and 8, a pair of 2, 20 for Mah-Jong, doubled for the own wind and no chows.
IN_POINTS = {
    "bmja": (PUNGS, (8 + 4 + 4 + 8 + 2 + 20) * 4),
    "english": (PUNGS, (8 + 4 + 4 + 8 + 2 + 20 + 2 + 10) * 2),
    "tallies": (PUNGS, (8 + 4 + 4 + 8 + 2 + 20) * 4),
    "safalra": (ONE_SUIT, (2 + 2 + 2 + 4 + 10 + 5 + 1) * 2),
    "baggaley": (PUNGS, 4 + 4 + 4 + 4 + 2 + 20),
}


class Rack:
    """A phone without a script at one seat's tiles: each tap sends the page's form."""

    def __init__(self, game_table: At, seat: int, **query: str) -> None:
        self.client = Client()
        address = f"{game_table.phone.address}tiles/{seat}/?{urlencode(query)}"
        self.answer: Any = self.client.get(address, follow=True)

    @property
    def text(self) -> str:
        text = unescape(self.answer.content.decode())
        return " ".join(text.replace('<span class="whole">Mah-Jong</span>', "Mah-Jong").split())

    def hidden_value(self, name: str) -> str:
        hidden_input = re.search(rf'type="hidden" name="{name}" value="([^"]*)"', self.text)
        assert hidden_input is not None, name
        return hidden_input[1]

    def tap(self, *taps: str, add: str = "tile") -> None:
        action = re.search(r'<form class="builder"[^>]*action="([^"#]*)#hand"', self.text)
        assert action is not None
        for tap in taps:
            form_data = {name: self.hidden_value(name) for name in ("hand", "was", "number")}
            self.answer = self.client.post(
                action[1], form_data | {"add": add, "tap": tap}, follow=True
            )


def draft_texts(game_table: At) -> dict[int, str]:
    return dict(TappedHand.objects.filter(game=game_table.row.game).values_list("seat", "draft"))


def tap(game_table: At, seat: int, taps: str) -> TapAnswer:
    """All these taps at once, as a program sends them."""
    steps = Steps(Draft(won=False))
    return tap_tiles(
        game_id=game_table.row.game_id, number=1, seat=seat, sent_steps=steps, taps=taps.split()
    )


@pytest.fixture
def won(evening: AtEvening) -> AtEvening:
    """South has tapped: a kong of dragons, the prevailing wind, a chow, a flower; 280 points."""
    assert tap(evening, 2, " ".join(WINNING)).result.refusals == ()
    return evening


# At a seat's tiles


def test_tiles_tapped_on_two_phones_without_a_script_are_one_hand(game_table: At) -> None:
    south = Rack(game_table, 2)
    south.tap("won:yes", "B1", "B1", "B1", "F1")
    assert draft_texts(game_table) == {2: "SE.B111.F1.won"}
    assert f"{game_table.phone.page.view.names[2]}’s tiles" in south.text
    south.tap("undo")
    Rack(game_table, 3).tap("F1")
    page = game_table.phone.look()
    assert {seat: hand.text for seat, hand in page.context["tapped"].items()} == {
        2: "SE.B111..won",
        3: "WE..F1.lost",
    }
    check_page = game_table.phone.press(**sheet(page, score_2=60, score_1=20, step="type:2"))
    assert check_page.context["hand"].row.scores == {1: 20, 2: 60, 3: 4, 4: 0}
    game_table.phone.save(check_page)
    assert set(Hand.objects.get().lines) == {"3"}


def test_a_whole_mah_jong_is_tapped_tile_by_tile(evening: AtEvening) -> None:
    Rack(evening, 2).tap(*WINNING)
    assert evening.phone.check().context["hand"].row.scores[2] == 280


def test_looking_keeps_nothing_and_asks_no_deal(evening: AtEvening) -> None:
    page = evening.phone.look("tiles/3/", tap="B1")
    draft = page.context["builder"].draft
    assert (draft.seat, draft.prevailing, draft.players) == ("W", "E", 4)
    assert page.context["builder"].table == ()
    assert draft_texts(evening) == {}


def test_a_closed_page_loses_nothing(evening: AtEvening) -> None:
    Rack(evening, 2).tap("B1", "B2")
    assert "B12" in Rack(evening, 2).hidden_value("hand")


def test_whoever_was_marked_at_the_table_has_said_mah_jong(evening: AtEvening) -> None:
    Rack(evening, 2, winner="2").tap("B1")
    Rack(evening, 3, winner="2").tap("B1")
    assert draft_texts(evening) == {2: "SE.B1..won", 3: "WE.B1..lost"}


def test_the_second_to_say_mah_jong_is_told_who_said_it(evening: AtEvening) -> None:
    late_rack = Rack(evening, 3)
    Rack(evening, 2).tap("won:yes")
    late_rack.tap("won:yes")
    name = evening.names[2]
    assert f"{name} has already said Mah-Jong, and only one player can." in late_rack.text
    late_rack.tap("won:over")
    assert {seat: read_draft(text).won for seat, text in draft_texts(evening).items()} == {3: True}


def test_tiles_that_others_hold_cannot_be_tapped(evening: AtEvening) -> None:
    late_rack = Rack(evening, 3)
    Rack(evening, 2).tap("DR", add="kong")
    (button,) = re.findall(r'<button class="key"[^>]*value="DR"[^>]*>', Rack(evening, 3).text)
    assert "disabled" in button
    Rack(evening, 4).tap("F1")
    late_rack.tap("F1")
    assert "There is only 1 tile “flower 1”, and it is already used." in late_rack.text
    assert set(draft_texts(evening)) == {2, 4}


def by_script(game_table: At, **inputs: Any) -> Any:
    inputs = {"hand": "SE...lost", "was": "", **inputs}
    address = f"{game_table.phone.address}tiles/2/"
    return game_table.phone.client.post(address, inputs, headers={"HX-Request": "true"})


def test_a_script_gets_only_what_a_tap_changes(evening: AtEvening) -> None:
    for _ in range(2):
        answer = by_script(evening, number=1, tap=["B1", "B1"])
        assert answer.status_code == 200
        assert "<html" not in answer.content.decode()
    assert draft_texts(evening) == {2: "SE.B11..lost"}


def test_organisers_tap_at_their_own_page_of_the_table(cast: Cast, evening: AtEvening) -> None:
    page = Phone(evening.desk_url("tiles", 2), cast.scorer)
    answer = page.press(number=1, hand="SE...lost", was="", tap="B1")
    assert answer.status_code == 302
    assert draft_texts(evening) == {2: "SE.B1..lost"}


def test_a_script_that_is_late_is_sent_back_to_the_table(evening: AtEvening) -> None:
    answer = by_script(evening, number=2, tap="B1")
    assert (answer.status_code, answer.content.decode()) == (409, evening.phone.address)
    assert messages_of(answer) == ["Hand 2 is not the current hand: the next one is 1."]


def test_no_tiles_are_tapped_once_the_evening_is_finished(evening: AtEvening) -> None:
    evening.finish()
    assert "This evening is finished." in Rack(evening, 2).text


def test_who_sits_out_at_a_table_of_five_has_no_tiles(cast: Cast) -> None:
    evening_table = AtEvening.create(cast, players=5)
    assert evening_table.phone.look("tiles/5/").status_code == 302
    seats = evening_table.phone.look("tiles/1/").context["seats"]
    assert [seat.place.number for seat in seats] == [1, 2, 3, 4]


# From the table to the tiles and back


def test_what_was_typed_at_the_table_comes_back(evening: AtEvening) -> None:
    rack = Rack(evening, 2, score_1="20", winner="2")
    rack.tap("B1")
    back_link = re.search(r'href="([^"]*)"[^>]*data-leave>Done', rack.text)
    assert back_link is not None
    assert back_link[1].partition("?")[2] == "score_1=20&winner=2"
    assert Hand.objects.count() == 0


def test_on_the_way_to_the_tiles_nothing_typed_is_lost(phone: Phone) -> None:
    form_data = phone.sheet(winner=2, score_1=20, step="tiles:2")
    back_url = phone.press(follow=True, **form_data).context["rack"].return_url
    form = phone.client.get(back_url).context["form"]
    assert (form["winner"].value(), form["score_1"].value()) == ("2", "20")
    assert str(form["submission_id"].value()) == form_data["submission_id"]


def test_a_page_that_is_open_sees_what_others_tap(evening: AtEvening) -> None:
    mark = evening.phone.look().context["tiles_mark"]
    assert evening.phone.look("tiles/", v=mark).status_code == 204
    Rack(evening, 2).tap("B1")
    text = evening.phone.text("tiles/", v=mark, way="tiles")
    assert 'id="tapped_2" hx-swap-oob="true"' in text


# What is saved


def test_the_winner_in_tiles_and_the_others_in_figures(won: AtEvening) -> None:
    page = won.phone.check(winner=2, score_1=20, score_3=8, score_4=4)
    assert page.context["hand"].row.scores == {1: 20, 2: 280, 3: 8, 4: 4}
    assert page.context["form"].unscored_seats == frozenset()
    assert won.phone.save(page).status_code == 302
    hand = Hand.objects.get()
    assert hand.report["totals"] == {"1": 20, "3": 8, "4": 4}
    assert hand.report["won_by"] == "wall"
    assert [item["name"] for item in hand.lines["2"]["items"]]
    assert draft_texts(won) == {}


def test_saving_twice_is_saving_once_though_the_tiles_are_gone(won: AtEvening) -> None:
    """The winner needs no marking; every line of the tiles is on the list of hands."""
    assert won.phone.look().context["form"]["winner"].value() == 2
    page = won.phone.check()
    assert page.context["hand"].row.winner == 2
    form_data = {**page.context["form"].typed_values, "step": "save"}
    for _ in range(2):
        answer = won.phone.press(follow=True, **form_data)
        assert "Hand 1 saved." in answer.content.decode()
    assert Hand.objects.count() == 1
    text = won.phone.text()
    assert f"{won.names[2]}’s tiles: 280" in text
    assert "70 × 4" in text


def test_losers_may_be_told_in_tiles_too(won: AtEvening) -> None:
    tap(won, 1, "pung:B9 F2")
    page = won.phone.check(score_3=8)
    assert page.context["hand"].row.scores == {1: 12, 2: 280, 3: 8, 4: 0}
    assert page.context["form"].unscored_seats == {4}
    assert page.content.decode().count("tiles: ") == 2


def test_what_is_missing_is_said_before_anything_is_saved(evening: AtEvening) -> None:
    tap(evening, 2, "won:yes kong:DR")
    page = evening.phone.check()
    assert page.status_code == 422
    (error,) = page.context["form"].errors["score_2"]
    assert error == f"{evening.names[2]}’s tiles: 11 more tiles: three more sets and a pair."


def test_a_claim_is_put_beside_what_the_tiles_score(won: AtEvening) -> None:
    page = won.phone.check(score_2=140)
    (error,) = page.context["form"].errors["score_2"]
    assert error.startswith(f"140 was entered for {won.names[2]}. A double was forgotten: ")
    assert error.endswith("The hand scores 280, not 140.")
    assert page.context["form"].guesses["score_2"] == [("score_2:280", 280)]
    form_data = sheet(page, winner=2, score_2=140)
    assert won.phone.press(**form_data, put="score_2:280").context["hand"].row.lines
    page = won.phone.press(**form_data, step="type:2")
    assert page.context["hand"].row.scores[2] == 140, "a claim may stand without the tiles"
    assert page.context["hand"].row.lines == draft_texts(won) == {}


def test_tiles_changed_between_looking_and_saving_are_looked_at_again(won: AtEvening) -> None:
    page = won.phone.check()
    Rack(won, 2).tap("take:F1")
    answer = won.phone.save(page)
    assert "The tiles were changed on another phone." in answer.content.decode()
    assert answer.context["hand"].row.scores[2] == 264
    assert Hand.objects.count() == 0
    assert won.phone.save(answer).status_code == 302


def test_the_marked_winner_and_the_tiles_must_agree(won: AtEvening) -> None:
    page = won.phone.check(winner=3, score_3=60)
    (error,) = page.context["form"].errors["winner"]
    assert f"{won.names[3]} is marked here, but {won.names[2]}’s tiles say" in error


def test_a_drawn_hand_needs_no_tiles(evening: AtEvening) -> None:
    tap(evening, 2, "B1 B2")
    assert evening.phone.save(evening.phone.check(drawn="yes")).status_code == 302
    assert Hand.objects.get().report == {"winner": None}
    assert draft_texts(evening) == {}


def test_a_hand_taken_back_can_be_changed_tile_by_tile(won: AtEvening) -> None:
    won.phone.save(won.phone.check(score_1=20))
    undo = f"hands/{Hand.objects.get().pk}/undo/"
    form = won.phone.press(undo, follow=True).context["form"]
    assert (form["score_1"].value(), form["score_2"].value()) == (20, None)
    Rack(won, 2).tap("take:F1")
    assert won.phone.check(winner=2).context["hand"].row.scores[2] == 264


# Under each rule set


@pytest.fixture
def table_under_rules(cast: Cast, rules: str) -> AtEvening:
    """A table of a club that plays these rules."""
    return AtEvening.create(playing(rules, cast))


def save(game_table: At, **inputs: Any) -> Hand:
    game_table.phone.save(game_table.phone.check(**inputs))
    return Hand.objects.latest("pk")


@pytest.mark.parametrize("rules", rule_set_keys())
def test_a_mah_jong_in_tiles_is_saved_and_counts_the_same_again(
    table_under_rules: AtEvening, rules: str
) -> None:
    taps, points = IN_POINTS[rules]
    assert tap(table_under_rules, 2, taps).result.refusals == ()
    hand = save(table_under_rules, **({"last_tile": 3} if rules == "tallies" else {}))
    assert hand.scores[2] == hand.lines["2"]["total"] == points
    assert recount().differences == ()


@pytest.mark.parametrize("rules", ["tallies"])
def test_who_discarded_is_asked_where_he_pays_alone(table_under_rules: AtEvening) -> None:
    tap(table_under_rules, 2, PUNGS)
    wrong = {
        "": "Choose who discarded the last tile, or say it was drawn from the wall.",
        "wall": "By the tiles, the last tile was claimed. Choose who discarded it.",
    }
    for last_tile, error in wrong.items():
        page = table_under_rules.phone.check(last_tile=last_tile)
        assert page.context["form"].errors["last_tile"] == [error]
    report = save(table_under_rules, last_tile=4).report
    assert (report["won_by"], report["discarder"]) == ("discard", 4)


@pytest.mark.parametrize("rules", ["tallies"])
def test_a_last_tile_from_the_wall_needs_no_asking(table_under_rules: AtEvening) -> None:
    tap(table_under_rules, 2, PUNGS.replace("discard", "wall"))
    tap(table_under_rules, 3, "pung:DG")
    report = save(table_under_rules).report
    assert report["won_by"] == "wall"
    assert set(report["tiles"]) == {"2"}


def test_three_play_with_the_tiles_of_three(cast: Cast) -> None:
    evening_table = AtEvening.create(cast, players=3)
    assert tap(evening_table, 2, PUNGS).result.steps.draft.players == 3
    assert set(save(evening_table).gains) == {1, 2, 3}


ROBBED = "won:yes pung:B1 pung:C2 pung:O3 pung:WS pair:DR way:robbed_kong last:DR"
ROBBED_TILE_HELD = (
    "The other three tiles of a robbed kong are in the kong, and this hand has the red dragon"
    " twice: check how it was won."
)


def test_an_impossible_story_is_said_with_the_tiles_and_before_saving(evening: AtEvening) -> None:
    tap(evening, 2, ROBBED)
    tiles = evening.phone.look("tiles/2/")
    assert tiles.context["builder"].notices == (ROBBED_TILE_HELD,)
    assert ROBBED_TILE_HELD in tiles.content.decode()
    page = evening.phone.check()
    assert f"’s tiles: {ROBBED_TILE_HELD}" in page.content.decode()
    assert Hand.objects.count() == 0
    evening.phone.save(page)
    assert Hand.objects.get().lines["2"]["notices"][0]["code"] == "robbed_tile_held"


def test_a_possible_story_is_checked_without_a_word(evening: AtEvening) -> None:
    tap(evening, 2, PUNGS)
    page = evening.phone.check().content.decode()
    assert "notice--warning" not in TEMPLATE.sub("", page)


@pytest.mark.parametrize("rules", ["tallies"])
def test_a_first_discard_of_another_than_the_dealer_is_said_before_saving(
    table_under_rules: AtEvening,
) -> None:
    tap(table_under_rules, 2, PUNGS.replace("way:discard", "way:first_discard"))
    assert table_under_rules.phone.check(last_tile=1).context["doubts"] == []
    page = table_under_rules.phone.check(last_tile=4)
    message = "The dealer makes the first discard, not North: check who discarded."
    assert page.context["doubts"] == [message]
    assert message in page.content.decode()
