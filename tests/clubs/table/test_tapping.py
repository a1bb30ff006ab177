"""Tiles tapped at a club table: four phones, one set of tiles, a page for each seat's hand."""

import re
from html import unescape
from typing import Any

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from clubs.evenings.services import evenings
from clubs.models import SessionTable
from scoring.building import read_draft
from scoring.scorebook.models import Hand, TappedHand
from tests.clubs.tables import seated_evening, sheet
from tests.people import PASSWORD, Cast

BY_SCRIPT = {"HX-Request": "true"}


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return seated_evening(cast.club).tables.get()


def tiles_of(table: SessionTable, seat: int, **typed: str) -> str:
    """Where a phone taps that seat's tiles."""
    address = reverse("table-tiles", args=[table.link_key, seat])
    return f"{address}?{'&'.join(f'{name}={value}' for name, value in typed.items())}"


def name_at(table: SessionTable, seat: int) -> str:
    return table.places.get(seat__number=seat).player.name


class Phone:
    """A phone without a script: each tap sends the page's form and is sent back to the page."""

    def __init__(self, address: str) -> None:
        self.client = Client()
        self.answer: Any = self.client.get(address, follow=True)

    @property
    def text(self) -> str:
        text = unescape(self.answer.content.decode())
        return " ".join(text.replace('<span class="whole">Mah-Jong</span>', "Mah-Jong").split())

    def sent(self, name: str) -> str:
        found = re.search(rf'type="hidden" name="{name}" value="([^"]*)"', self.text)
        assert found is not None, name
        return found[1]

    def tap(self, *taps: str, add: str = "tile") -> None:
        action = re.search(r'<form class="builder"[^>]*action="([^"#]*)#hand"', self.text)
        assert action is not None
        told = {name: self.sent(name) for name in ("hand", "was", "number")}
        for tap in taps:
            told |= {name: self.sent(name) for name in ("hand", "was")}
            self.answer = self.client.post(action[1], told | {"add": add, "tap": tap}, follow=True)


def kept(table: SessionTable) -> dict[int, str]:
    return dict(TappedHand.objects.filter(game=table.game).values_list("seat", "draft"))


def test_a_hand_is_tapped_together_without_a_script(table: SessionTable) -> None:
    phone = Phone(tiles_of(table, 2))
    phone.tap("won:yes", "B1", "B1", "B1", "F1")
    assert kept(table) == {2: "SE.B111.F1.won"}
    assert f"{name_at(table, 2)}’s tiles" in phone.text
    phone.tap("undo")
    assert kept(table) == {2: "SE.B111..won"}


def test_looking_keeps_nothing(client: Client, table: SessionTable) -> None:
    client.get(tiles_of(table, 2), {"tap": "B1"})
    assert kept(table) == {}


def test_the_deal_needs_no_asking(client: Client, table: SessionTable) -> None:
    page = client.get(tiles_of(table, 3))
    draft = page.context["builder"].draft
    assert (draft.seat, draft.prevailing, draft.players) == ("W", "E", 4)
    assert page.context["builder"].table == ()


def test_a_closed_page_loses_nothing(table: SessionTable) -> None:
    Phone(tiles_of(table, 2)).tap("B1", "B2")
    assert "B12" in Phone(tiles_of(table, 2)).sent("hand")


def test_whoever_was_marked_at_the_table_has_said_mah_jong(table: SessionTable) -> None:
    Phone(tiles_of(table, 2, winner="2")).tap("B1")
    Phone(tiles_of(table, 3, winner="2")).tap("B1")
    assert kept(table) == {2: "SE.B1..won", 3: "WE.B1..lost"}


def test_the_second_to_say_mah_jong_is_told_who_said_it(table: SessionTable) -> None:
    late = Phone(tiles_of(table, 3))
    Phone(tiles_of(table, 2)).tap("won:yes")
    late.tap("won:yes")
    first = f"{name_at(table, 2)} has already said Mah-Jong, and only one player can."
    assert first in late.text
    late.tap("won:over")
    assert {seat: read_draft(text).won for seat, text in kept(table).items()} == {3: True}


def test_tiles_that_others_hold_cannot_be_tapped(table: SessionTable) -> None:
    Phone(tiles_of(table, 2)).tap("DR", add="kong")
    page = Phone(tiles_of(table, 3)).text
    (button,) = re.findall(r'<button class="key"[^>]*value="DR"[^>]*>', page)
    assert "disabled" in button


def test_a_tap_too_late_is_told_what_the_others_have(table: SessionTable) -> None:
    late = Phone(tiles_of(table, 3))
    Phone(tiles_of(table, 2)).tap("F1")
    late.tap("F1")
    assert "There is only 1 tile “flower 1”, and it is already used." in late.text
    assert kept(table) == {2: "SE..F1.lost"}


def test_a_script_gets_only_what_a_tap_changes(client: Client, table: SessionTable) -> None:
    sent = {"number": 1, "hand": "SE...lost", "was": "", "tap": ["B1", "B1"]}
    for _ in range(2):
        answer = client.post(tiles_of(table, 2), sent, headers=BY_SCRIPT)
        assert answer.status_code == 200
        assert "<html" not in answer.content.decode()
    assert kept(table) == {2: "SE.B11..lost"}


def test_taps_for_a_hand_that_was_saved_meanwhile_lead_back_to_the_table(
    client: Client, table: SessionTable
) -> None:
    sent = {"number": 2, "hand": "SE...lost", "was": "", "tap": "B1"}
    answer = client.post(tiles_of(table, 2), sent, headers=BY_SCRIPT)
    assert (answer.status_code, answer.content.decode()) == (
        409,
        reverse("table", args=[table.link_key]),
    )
    assert [str(one) for one in get_messages(answer.wsgi_request)] == [
        "Hand 2 is not being played now: the next is 1."
    ]


def test_no_tiles_are_tapped_once_the_evening_is_finished(
    client: Client, table: SessionTable
) -> None:
    evenings.close_session(session=table.session)
    answer = client.get(tiles_of(table, 2), follow=True)
    assert "This evening is finished." in answer.content.decode()


def test_who_sits_out_has_no_tiles(client: Client, cast: Cast) -> None:
    table = seated_evening(cast.club, players=5).tables.get()
    answer = client.get(reverse("table-tiles", args=[table.link_key, 5]))
    assert answer.status_code == 302


def test_organisers_tap_at_their_own_page_of_the_table(
    client: Client, cast: Cast, table: SessionTable
) -> None:
    client.login(email=cast.scorer.email, password=PASSWORD)
    address = reverse("evening-tiles", args=[cast.club.slug, table.session.pk, table.number, 2])
    sent = {"number": 1, "hand": "SE...lost", "was": "", "tap": "B1"}
    assert client.post(address, sent).status_code == 302
    assert kept(table) == {2: "SE.B1..lost"}


def test_what_was_typed_at_the_table_comes_back(table: SessionTable) -> None:
    phone = Phone(tiles_of(table, 2, score_1="20", winner="2"))
    phone.tap("B1")
    back = re.search(r'href="([^"]*)"[^>]*data-leave>Done', phone.text)
    assert back is not None
    assert back[1].partition("?")[2] == "score_1=20&winner=2"
    assert Hand.objects.count() == 0


WINNING = (
    "won:yes", "B1", "B1", "B1", "expose:B111", "DR", "DR", "DR", "DR",
    "B4", "B5", "B6", "WE", "WE", "WE", "O2", "O2", "F1", "way:wall",
)  # fmt: skip


def tap_a_mah_jong(table: SessionTable, seat: int = 2) -> None:
    """Dilip's favourite: a kong of dragons in his hand, the prevailing wind, a chow, a flower."""
    Phone(tiles_of(table, seat)).tap(*WINNING)


def at_the_table(table: SessionTable) -> str:
    return reverse("table", args=[table.link_key])


def check(client: Client, table: SessionTable, **typed: str | int) -> Any:
    """Press Check with this typed."""
    page = client.get(at_the_table(table))
    return client.post(at_the_table(table), sheet(page, **typed))


def carried(page: Any) -> dict[str, str]:
    """What the page that asks whether all is right sends to be saved."""
    return {**page.context["form"].typed, "step": "save"}


def test_the_winner_in_tiles_and_the_others_in_figures(client: Client, table: SessionTable) -> None:
    tap_a_mah_jong(table)
    page = check(client, table, winner=2, score_1=20, score_3=8, score_4=4)
    assert page.context["hand"].row.scores == {1: 20, 2: 280, 3: 8, 4: 4}
    assert page.context["form"].unscored == frozenset()
    answer = client.post(at_the_table(table), carried(page))
    assert answer.status_code == 302
    hand = Hand.objects.get()
    assert hand.report["totals"] == {"1": 20, "3": 8, "4": 4}
    assert hand.report["won_by"] == "wall"
    assert [item["name"] for item in hand.lines["2"]["items"]]
    assert kept(table) == {}


def test_saving_twice_is_saving_once_though_the_tiles_are_gone(
    client: Client, table: SessionTable
) -> None:
    tap_a_mah_jong(table)
    page = check(client, table)
    for _ in range(2):
        answer = client.post(at_the_table(table), carried(page), follow=True)
        assert "Hand 1 saved." in answer.content.decode()
    assert Hand.objects.count() == 1


def test_whose_tiles_say_mah_jong_needs_no_marking(client: Client, table: SessionTable) -> None:
    tap_a_mah_jong(table)
    assert client.get(at_the_table(table)).context["form"]["winner"].value() == 2
    assert check(client, table).context["hand"].row.winner == 2


def test_losers_may_be_told_in_tiles_too(client: Client, table: SessionTable) -> None:
    tap_a_mah_jong(table)
    Phone(tiles_of(table, 1)).tap("pung:B9", "F2")
    page = check(client, table, score_3=8)
    assert page.context["hand"].row.scores == {1: 12, 2: 280, 3: 8, 4: 0}
    assert page.context["form"].unscored == {4}
    assert page.content.decode().count("tiles: ") == 2


def test_what_is_missing_is_said_before_anything_is_saved(
    client: Client, table: SessionTable
) -> None:
    Phone(tiles_of(table, 2)).tap("won:yes", "kong:DR")
    page = check(client, table)
    assert page.status_code == 422
    (sentence,) = page.context["form"].errors["score_2"]
    assert sentence == (f"{name_at(table, 2)}’s tiles: 11 more tiles: three more sets and a pair.")


def test_a_claim_is_put_beside_what_the_tiles_score(client: Client, table: SessionTable) -> None:
    tap_a_mah_jong(table)
    page = check(client, table, score_2=140)
    (sentence,) = page.context["form"].errors["score_2"]
    assert sentence.startswith(f"140 was entered for {name_at(table, 2)}. A double was forgotten: ")
    assert sentence.endswith("The hand scores 280, not 140.")
    assert page.context["form"].guesses["score_2"] == [("score_2:280", 280)]
    typed = sheet(page, winner=2, score_2=140)
    page = client.post(at_the_table(table), typed | {"put": "score_2:280"})
    assert page.context["hand"].row.lines


def test_a_claim_may_stand_without_the_tiles(client: Client, table: SessionTable) -> None:
    tap_a_mah_jong(table)
    page = check(client, table, winner=2, score_2=140)
    typed = sheet(page, winner=2, score_2=140, step="type:2")
    page = client.post(at_the_table(table), typed)
    assert page.context["hand"].row.scores[2] == 140
    assert page.context["hand"].row.lines == {}
    assert kept(table) == {}


def test_tiles_changed_between_looking_and_saving_are_looked_at_again(
    client: Client, table: SessionTable
) -> None:
    tap_a_mah_jong(table)
    page = check(client, table)
    Phone(tiles_of(table, 2)).tap("take:F1")
    answer = client.post(at_the_table(table), carried(page))
    assert "The tiles were changed on another phone." in answer.content.decode()
    assert answer.context["hand"].row.scores[2] == 264
    assert Hand.objects.count() == 0
    assert client.post(at_the_table(table), carried(answer)).status_code == 302


def test_the_marked_winner_and_the_tiles_must_agree(client: Client, table: SessionTable) -> None:
    tap_a_mah_jong(table)
    page = check(client, table, winner=3, score_3=60)
    (sentence,) = page.context["form"].errors["winner"]
    assert f"{name_at(table, 3)} is marked here, but {name_at(table, 2)}’s tiles say" in sentence


def test_a_drawn_hand_needs_no_tiles(client: Client, table: SessionTable) -> None:
    Phone(tiles_of(table, 2)).tap("B1", "B2")
    page = check(client, table, drawn="yes")
    assert client.post(at_the_table(table), carried(page)).status_code == 302
    assert Hand.objects.get().report == {"winner": None}
    assert kept(table) == {}


def test_on_the_way_to_the_tiles_nothing_typed_is_lost(client: Client, table: SessionTable) -> None:
    page = client.get(at_the_table(table))
    typed = sheet(page, winner=2, score_1=20, step="tiles:2")
    answer = client.post(at_the_table(table), typed, follow=True)
    back = answer.context["rack"].back
    form = client.get(back).context["form"]
    assert (form["winner"].value(), form["score_1"].value()) == ("2", "20")
    assert str(form["submission_id"].value()) == typed["submission_id"]


def test_a_page_that_is_open_sees_what_others_tap(client: Client, table: SessionTable) -> None:
    address = reverse("table-tapped", args=[table.link_key])
    mark = client.get(at_the_table(table)).context["tiles_mark"]
    assert client.get(address, {"v": mark}).status_code == 204
    Phone(tiles_of(table, 2)).tap("B1")
    answer = client.get(address, {"v": mark, "way": "tiles"})
    assert 'id="tapped_2" hx-swap-oob="true"' in answer.content.decode()


def test_a_hand_taken_back_can_be_changed_tile_by_tile(client: Client, table: SessionTable) -> None:
    tap_a_mah_jong(table)
    client.post(at_the_table(table), carried(check(client, table, score_1=20)))
    undo = reverse("table-undo", args=[table.link_key, Hand.objects.get().pk])
    page = client.post(undo, follow=True)
    assert page.context["form"]["score_1"].value() == 20
    assert page.context["form"]["score_2"].value() is None
    Phone(tiles_of(table, 2)).tap("take:F1")
    assert check(client, table, winner=2).context["hand"].row.scores[2] == 264


def test_hands_so_far_show_the_tiles_with_every_line(client: Client, table: SessionTable) -> None:
    tap_a_mah_jong(table)
    client.post(at_the_table(table), carried(check(client, table)))
    text = client.get(at_the_table(table)).content.decode()
    assert f"{name_at(table, 2)}’s tiles: 280" in text
    assert "70 × 4" in text
