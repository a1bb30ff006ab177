"""People who come and go while a hand is typed: it stays with those it was typed for."""

import re
from collections.abc import Callable
from datetime import date
from uuid import uuid4

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from clubs.evenings.event import EveningTable
from clubs.evenings.services import evenings
from clubs.models import EARLIER_GAME_OFFSET, Player
from clubs.table.event import seat_key
from clubs.table.services import replace_links
from scoring.scorebook.models import Hand, HandState
from tests.api import api_client, game_at, link_client, send
from tests.clubs.table.phones import (
    DRAWN,
    SOUTH_WINS,
    TYPED,
    AtEvening,
    AtRound,
    Phone,
    messages_of,
)
from tests.people import Cast, make_player
from tournaments.seating.services import changes

AGREED, DISPUTED = HandState.AGREED, HandState.DISPUTED
CHANGED = "The players at this table have changed."


def come_late(evening_table: AtEvening) -> Player:
    """A fifth player sits in from the next hand on."""
    session = evening_table.row.session
    latecomer = make_player(session.club, "Joao")
    evenings.tick(session=session, player=latecomer, is_here=True)
    evenings.join_table(session=session, player=latecomer, number=evening_table.row.number)
    return latecomer


def replace_one(evening_table: AtEvening) -> None:
    """A substitute takes the seat of one who goes home."""
    session = evening_table.row.session
    leaver = session.places.filter(is_current=True, seat__number=1).get().player
    substitute = make_player(session.club, "Denise")
    evenings.tick(session=session, player=substitute, is_here=True)
    evenings.take_over(session=session, leaver=leaver, player=substitute, goes_home=True)


CHANGES = [come_late, replace_one]


def form_of(phone: Phone) -> dict[str, str]:
    """What a browser sends of the page's form, hidden fields and all."""
    form = phone.look().context["form"]
    hidden_values = {
        name: str(form[name].value()) for name in ("submission_id", "number", "company")
    }
    return hidden_values | {name: str(value) for name, value in TYPED.items()}


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("hands", [0, 1])
def test_an_open_page_hears_that_others_play_and_not_that_a_hand_was_undone(
    evening: AtEvening, change: Callable[[AtEvening], object], hands: int
) -> None:
    evening.post(*[SOUTH_WINS] * hands)
    phone, mark = evening.phone, evening.phone.page.mark
    assert phone.look(v=mark).status_code == 204
    change(evening)
    text = phone.text(v=mark)
    assert (CHANGED in text, "was undone" in text) == (True, False)


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("hands", [0, 1])
def test_scores_typed_for_others_slide_to_nobody(
    evening: AtEvening, change: Callable[[AtEvening], object], hands: int
) -> None:
    evening.post(*[SOUTH_WINS] * hands)
    phone = evening.phone
    form_data = form_of(phone)
    change(evening)
    for step in ("check", "save", "tell:tallies", "tiles:1"):
        answer = phone.press(step=step, follow=True, **form_data)
        assert messages_of(answer)[0].startswith(
            "The players at this table have changed, so this hand"
        )
        form = answer.context["form"]
        assert [form[f"score_{place.number}"].value() for place in form.places] == [None] * 4
    assert Hand.objects.count() == hands


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize("hands", [0, 1])
def test_a_hand_kept_on_a_phone_is_saved_for_nobody_else(
    evening: AtEvening, change: Callable[[AtEvening], object], hands: int
) -> None:
    """Also one that was kept after the change, as the phone had not heard of it."""
    evening.post(*[SOUTH_WINS] * hands)
    phone = evening.phone
    form_data = form_of(phone)
    change(evening)
    response = phone.press("send/", kept_for="0", **form_data)
    assert response.status_code == 422
    page = response.json()["page"]
    assert "Someone joined or left this table after this hand was played" in page
    assert ("Edit hand" in page, "Show this to the organiser" in page) == (False, True)
    assert Hand.objects.count() == hands


def test_a_hand_that_was_sent_before_they_changed_counts_once(evening: AtEvening) -> None:
    phone = evening.phone
    form_data = form_of(phone)
    assert phone.press("send/", **form_data).status_code == 201
    come_late(evening)
    second_response = phone.press("send/", kept_for="600", **form_data)
    assert (second_response.status_code, second_response.json()["saved"]) == (
        200,
        form_data["submission_id"],
    )
    assert Hand.objects.count() == 1


def test_the_next_hand_of_the_same_people_is_taken_from_a_form_of_the_first(
    evening: AtEvening,
) -> None:
    """Offline the forms of all hands to come are those that the phone got before the first."""
    phone = evening.phone
    form_data = form_of(phone)
    evening.post(DRAWN)
    second = form_data | {"submission_id": str(uuid4()), "number": "2"}
    assert phone.press("send/", **second).status_code == 201


@pytest.mark.parametrize("change", CHANGES)
@pytest.mark.parametrize(("act", "state"), [("agree", AGREED), ("dispute", DISPUTED)])
def test_after_a_change_the_table_says_whether_its_hands_are_right(
    evening: AtEvening, change: Callable[[AtEvening], object], act: str, state: str
) -> None:
    evening.post(DRAWN)
    change(evening)
    later_table = AtEvening(evening.row.session.tables.get(number=evening.row.number))
    (hand,) = later_table.post(DRAWN)
    later_table.phone.agree(hand, act, **{"seat": "2"} if act == "dispute" else {})
    assert Hand.objects.get(pk=hand.pk).state == state


def apply_change(
    evening_table: AtEvening, change: Callable[[AtEvening], object]
) -> tuple[AtEvening, AtEvening]:
    """The table as it plays on after the change, and the hands before it."""
    change(evening_table)
    tables = evening_table.row.session.tables
    now = tables.get(number=evening_table.row.number)
    return AtEvening(now), AtEvening(
        tables.get(number=evening_table.row.number + EARLIER_GAME_OFFSET)
    )


def link_to_the_hands_before(phone: Phone) -> str:
    (link,) = re.findall(r'href="([^"]+)">Hands? 1', phone.text("hands/"))
    return str(link)


@pytest.mark.parametrize("change", CHANGES)
def test_the_phone_leads_to_hands_that_were_not_agreed_before_a_change(
    evening: AtEvening, change: Callable[[AtEvening], object]
) -> None:
    first, last = evening.post(SOUTH_WINS, DRAWN)
    now, _ = apply_change(evening, change)
    assert "2 hands from before the players changed are not agreed yet" in now.phone.text()
    address = link_to_the_hands_before(now.phone)
    assert address in now.phone.text()
    earlier_phone = Phone(address.removesuffix("hands/"))
    page = earlier_phone.text("hands/")
    assert ("Agree these 2 hands for everyone" in page, "Zoë" in page) == (True, True)
    assert f'href="{now.phone.address}"' in page
    for hand in (first, last):
        (redirect,) = earlier_phone.agree(hand).redirect_chain
        assert redirect[0] == address
        assert Hand.objects.get(pk=hand.pk).state == AGREED
    assert "not agreed yet" not in now.phone.text()
    assert "Hands 1 to 2 were played before" in now.phone.text("hands/")


@pytest.mark.parametrize("change", CHANGES)
def test_everyone_who_stays_agrees_on_their_own_phone(
    evening: AtEvening, change: Callable[[AtEvening], object]
) -> None:
    """Their seats may have other numbers by then; whoever has come has no part in those hands."""
    (hand,) = evening.post(SOUTH_WINS)
    now, earlier_game = apply_change(evening, change)
    seats = {name: seat for seat, name in earlier_game.names.items()}
    for seat, name in now.names.items():
        phone = now.own_phone(seat)
        if name not in seats:
            assert "not agreed yet" not in phone.text() + phone.text("hands/")
            assert "Hand 1 was played before the players changed" in phone.text("hands/")
            continue
        assert "1 hand from before the players changed is not agreed yet" in phone.text()
        own_phone = Phone(link_to_the_hands_before(phone).removesuffix("hands/"))
        assert (own_phone.page.seat, f'href="{phone.address}"' in own_phone.text("hands/")) == (
            seats[name],
            True,
        )
        own_phone.agree(hand)
    said_so = Hand.objects.get(pk=hand.pk).agreements.values_list("seat", flat=True)
    assert set(said_so) == {seats[name] for name in now.names.values() if name in seats}


def test_whoever_has_left_the_table_has_no_link_to_it(evening: AtEvening) -> None:
    evening.post(SOUTH_WINS)
    now, earlier_game = apply_change(evening, replace_one)
    (leaver,) = set(earlier_game.names.values()) - set(now.names.values())
    (seat,) = [seat for seat, name in earlier_game.names.items() if name == leaver]
    page = earlier_game.own_phone(seat).text("hands/")
    assert now.row.link_key not in page
    assert f"/t/{now.row.pk}s" not in page


@pytest.mark.parametrize("change", CHANGES)
def test_a_problem_with_a_hand_before_a_change_is_decided_by_the_scorer(
    evening: AtEvening, cast: Cast, change: Callable[[AtEvening], object]
) -> None:
    first, last = evening.post(SOUTH_WINS, DRAWN)
    now, earlier_game = apply_change(evening, change)
    now.post(DRAWN)
    for hand in (first, last):
        earlier_game.phone.dispute(hand, seat="3", words="I had 46")
        assert Hand.objects.get(pk=hand.pk).state == DISPUTED
    desk = now.desk(cast.scorer).text()
    assert f'<a href="{earlier_game.event.address}">hands 1 to 2</a> (2 not agreed yet)' in desk
    for hand in (first, last):
        address = f"{earlier_game.event.address}hands/{hand.pk}/correct/"
        said_so = Phone(address, cast.scorer).press(step="uphold", reason="as on the sheet")
        assert said_so["Location"] == earlier_game.event.address
        assert Hand.objects.get(pk=hand.pk).state == HandState.DECIDED
    page = earlier_game.phone.text("hands/")
    assert "Scorer’s decision: as on the sheet" in page


@pytest.mark.parametrize("change", CHANGES)
def test_a_corrected_hand_before_a_change_moves_the_totals_after_it(
    evening: AtEvening, cast: Cast, change: Callable[[AtEvening], object]
) -> None:
    first, _ = evening.post(SOUTH_WINS, SOUTH_WINS)
    now, earlier_game = apply_change(evening, change)
    correction = Phone(f"{earlier_game.event.address}hands/{first.pk}/correct/", cast.scorer)
    answer = correction.press(step="save", reason="a slip", **TYPED | {"score_3": 12})
    assert answer["Location"] == earlier_game.event.address
    totals = {seat.name: seat.points for seat in now.phone.page.stored_view.seats}
    present_totals = {name: totals[name] for name in earlier_game.names.values() if name in totals}
    points = {seat.number: seat.points for seat in earlier_game.row.game.seats.all()}
    assert present_totals == {
        name: points[seat] for seat, name in earlier_game.names.items() if name in totals
    }


@pytest.mark.parametrize("change", CHANGES)
def test_undo_is_offered_only_where_it_can_be(
    evening: AtEvening, change: Callable[[AtEvening], object]
) -> None:
    first, last = evening.post(SOUTH_WINS, DRAWN)
    assert "Undo hand 2" in evening.phone.text()
    _, earlier_game = apply_change(evening, change)
    assert "Undo hand" not in earlier_game.phone.text("hands/")
    response = earlier_game.phone.press(f"hands/{last.pk}/undo/", follow=True)
    assert "The players at this table have changed since" in messages_of(response)[0]
    evenings.undo_change(session=evening.row.session, number=evening.row.number)
    evening_table = AtEvening(evening.row.session.tables.get())
    evening_table.take_back(last)
    assert evening_table.current() == [first]


@pytest.mark.parametrize("change", CHANGES)
def test_a_program_finds_the_hands_before_a_change(
    evening: AtEvening, change: Callable[[AtEvening], object]
) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    now, earlier_game = apply_change(evening, change)
    games_json = link_client(now.row.link_key).get(f"{game_at(now.row)}earlier-games/").json()
    (part,) = games_json["results"]
    earlier_game_id = earlier_game.row.game_id
    expected_part = {
        "game_id": earlier_game_id,
        "hands": "hand 1",
        "key": earlier_game.row.link_key,
        "waiting": 1,
    }
    assert part == expected_part
    api, hands = link_client(part["key"]), f"/api/v1/games/{earlier_game_id}/hands/"
    tag = api.get(f"{hands}{hand.pk}/").headers["ETag"]
    answer = send(api, f"{hands}{hand.pk}/agree/", {}, tag=tag)
    assert (answer.status_code, Hand.objects.get(pk=hand.pk).state) == (200, AGREED)


def changed_twice(evening_table: AtEvening) -> tuple[AtEvening, list[AtEvening]]:
    """The table as it plays on after two changes, and the hands before each of them."""
    for change in (come_late, replace_one):
        evening_table.post(SOUTH_WINS)
        change(evening_table)
        evening_table = AtEvening(
            evening_table.row.session.tables.get(number=evening_table.row.number)
        )
    earlier_rows = evening_table.row.session.tables.filter(number__gt=EARLIER_GAME_OFFSET)
    return evening_table, [AtEvening(row) for row in earlier_rows]


def by_page(evening_table: AtEvening, cast: Cast) -> None:
    assert Phone(evening_table.desk_url("new-link"), cast.director).press().status_code == 302


def by_program(evening_table: AtEvening, cast: Cast) -> None:
    address = f"{game_at(evening_table.row)}new-link/"
    assert api_client(cast.secretary).post(address, {}, "application/json").status_code == 200


@pytest.mark.parametrize("replace_card", [by_page, by_program])
@pytest.mark.parametrize("asked_at", [0, 1001, 2001])
def test_a_new_card_also_replaces_the_links_to_hands_before_a_change(
    evening: AtEvening, cast: Cast, replace_card: Callable[[AtEvening, Cast], None], asked_at: int
) -> None:
    """They lead to the table as it plays now, so they would hand the new card to the old one."""
    now, earlier_games = changed_twice(evening)
    games = [now, *earlier_games]
    links = [game.row.link_key for game in games]
    seat_links = [seat_key(game.row, seat) for game in games for seat in game.names]
    replace_card(next(game for game in games if game.row.number == (asked_at or 1)), cast)
    for key in (*links, *seat_links):
        for path in ("", "hands/", "seats/", "standings/"):
            assert Phone(reverse("table", args=[key])).look(path).status_code == 410
        for name in ("", "hands/", "earlier-games/"):
            response = link_client(key).get(f"{game_at(now.row)}{name}")
            assert (response.status_code, response.json()["problems"][0]["code"]) == (
                410,
                "replaced",
            )
    for game in games:
        game.row.refresh_from_db()
    hands = now.phone.text("hands/")
    for earlier_game in earlier_games:
        assert earlier_game.phone.address in hands
        assert f'href="{now.phone.address}"' in earlier_game.phone.text("hands/")


def test_a_new_card_leaves_the_links_of_other_tables(cast: Cast) -> None:
    session = evenings.open_session(club=cast.club, held_on=date(2026, 11, 17))
    for name in ("Ann", "Ben", "Cy", "Dee", "Eve", "Flo", "Guy", "Hal"):
        evenings.tick(session=session, player=make_player(cast.club, name), is_here=True)
    evenings.seat_session(session=session)
    for number in (1, 2):
        evening_table = AtEvening(session.tables.get(number=number))
        evening_table.post(SOUTH_WINS)
        leaver = evening_table.row.places.get(seat__number=1).player
        evenings.leave_table(session=session, leaver=leaver, goes_home=True)
    cards = dict(session.tables.values_list("number", "link_key"))
    replace_links(table=EveningTable(session.tables.get(number=1)))
    new = dict(session.tables.values_list("number", "link_key"))
    assert {number for number in cards if cards[number] != new[number]} == {1, 1001}
    assert set(cards) == {1, 2, 1001, 1002}


def test_the_card_replaced_at_hands_before_a_change_is_that_of_the_table(
    evening: AtEvening, cast: Cast
) -> None:
    evening.post(SOUTH_WINS)
    now, earlier_game = apply_change(evening, replace_one)
    page = Phone(earlier_game.desk_url("new-link"), cast.director)
    response = page.press(follow=True)
    now.row.refresh_from_db()
    assert response.context["address"].endswith(now.phone.address)
    assert page.client.get(response.context["card"])["Content-Type"] == "application/pdf"


def test_a_page_of_hands_before_a_change_asks_once_for_the_table_s_games(
    evening: AtEvening,
) -> None:
    _, (_, last) = changed_twice(evening)
    for phone in (last.phone, last.own_phone(1)):
        with CaptureQueriesContext(connection) as queries:
            phone.look("hands/")
        assert sum(' AS "waiting"' in query["sql"] for query in queries) == 1


def test_the_desk_lists_the_hands_before_each_change(evening: AtEvening, cast: Cast) -> None:
    now, (first, second) = changed_twice(evening)
    links = (
        f'<a href="{first.event.address}">hand 1</a> (1 not agreed yet), '
        f'<a href="{second.event.address}">hand 2</a> (1 not agreed yet)</span>'
    )
    assert links in now.desk(cast.scorer).text()


def test_a_round_s_hands_before_a_substitute_are_agreed_disputed_and_undone(
    round_: AtRound, cast: Cast
) -> None:
    first, last = round_.post(SOUTH_WINS, DRAWN)
    entrant = round_.row.placements.get(seat__number=2).entrant
    changes.set_substitute(tournament=round_.cup, entrant=entrant, name="Sue", number=1)
    phone = round_.phone
    assert "1 earlier hand is not agreed yet" in phone.text()
    phone.agree(first)
    assert Hand.objects.get(pk=first.pk).state == AGREED
    phone.dispute(last, seat="2", words="I won it")
    assert Hand.objects.get(pk=last.pk).state == DISPUTED
    round_.decide(last)
