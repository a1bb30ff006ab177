"""At a table: the phone page behind the printed card, the organisers' page, and receipts."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django.asserts import assertNumQueries

from clubs.models import SessionTable
from clubs.table.event import seat_key
from scoring.scorebook.models import Hand, HandState, LedgerEntry
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import receipt_address, sealed_hands
from tests.clubs.table.phones import (
    DRAWN,
    SOUTH_WINS,
    TYPED,
    At,
    AtEvening,
    AtRound,
    Phone,
    messages_of,
)
from tests.clubs.tables import seated_evening
from tests.people import Cast, make_club
from tests.scoring.scorebook.book import EAST_WINS_IN_TILES, dispute
from tests.tournaments.cups import tables
from tournaments.steps import services as steps

NOT_SAVED = "This hand was not saved. Show these scores to an organiser."
WEST_WON: dict[str, Any] = {
    "winner": 3, "score_1": 20, "score_2": 28, "score_3": 60, "score_4": 4
}  # fmt: skip


@pytest.fixture
def scorer(cast: Cast, evening: AtEvening) -> Phone:
    """The organisers' page, for the scorer."""
    return evening.desk(cast.scorer)


def correcting(game_table: At, hand: Hand, cast: Cast) -> Phone:
    """The scorer's page of one hand."""
    return Phone(game_table.desk_url("hand", hand.pk), cast.scorer)


# At either kind of table


def test_a_hand_is_shown_saved_and_agreed(game_table: At) -> None:
    phone = game_table.phone
    page = phone.check(**TYPED)
    assert [line.gain for line in page.context["hand"].lines] == [-64, 240, -80, -96]
    assert not Hand.objects.exists()
    phone.save(page)
    hand = Hand.objects.get()
    assert (hand.winner, hand.scores) == (2, {1: 20, 2: 60, 3: 8, 4: 4})
    assert hand.sent_by == game_table.sent_by
    phone.agree(hand)
    hand.refresh_from_db()
    assert hand.state == HandState.AGREED


def test_a_scorer_corrects_a_hand_and_what_stood_stays_in_the_book(
    cast: Cast, game_table: At
) -> None:
    (hand,), desk = game_table.post(SOUTH_WINS), game_table.desk(cast.scorer)
    answer = correcting(game_table, hand, cast).press(**WEST_WON, reason="West won it", step="save")
    assert answer["Location"] == desk.address
    (stands,) = game_table.current()
    assert (stands.winner, stands.reason, stands.state) == (3, "West won it", HandState.DECIDED)
    assert stands.sent_by == f"user {cast.scorer.pk}"
    (row,) = desk.page.book
    assert [(old.hand.row.pk, old.text) for old in row.past_hands] == [(hand.pk, "corrected")]


def test_what_is_finished_offers_no_correction(cast: Cast, game_table: At) -> None:
    game_table.post(SOUTH_WINS)
    desk = game_table.desk(cast.scorer)
    assert "/correct/" in desk.text()
    game_table.finish()
    assert "/correct/" not in desk.text()


@pytest.mark.parametrize("name", ["table", "round-table"])
def test_a_card_that_opens_nothing_says_what_to_do(client: Client, db: None, name: str) -> None:
    page = client.get(reverse(name, args=["no-such-key"]))
    assert page.status_code == 404
    assert "Ask the organiser for your table’s new card" in page.content.decode()


# At a round


def test_all_hands_played_ends_the_round_at_the_table(round_: AtRound) -> None:
    round_.post(SOUTH_WINS)
    round_.phone.enter(drawn="yes")
    page = round_.phone.look()
    assert page.context["form"] is None
    assert [seat.points for seat in page.context["page"].final] == [240, -64, -80, -96]


def test_a_card_of_a_round_to_come_says_so_and_keeps_what_was_typed(round_: AtRound) -> None:
    (table,) = tables(round_.cup, 2)
    later_phone = Phone(reverse("round-table", args=[table.link_key]))
    page, message = later_phone.look(), "Round 2 has not been started yet."
    assert page.context["form"] is None
    assert message in page.content.decode()
    form_data = round_.phone.sheet(step="save", winner=1, score_1=64)
    page = later_phone.press(**form_data)
    assert page.status_code == 422
    assert page.context["form"]["score_1"].value() == "64"
    assert page.context["form"].errors == {"__all__": [NOT_SAVED]}
    assert page.content.decode().count(f"{message} The director will start it.") == 1
    taps = later_phone.client.get(f"{later_phone.address}tiles/2/", follow=True)
    assert taps.redirect_chain == [(later_phone.address, 302)]


def test_a_card_of_a_round_that_is_closed_leads_to_the_next(round_: AtRound) -> None:
    form_data = round_.phone.sheet(step="save", winner=3, score_3=84)
    round_.close()
    steps.start_round(tournament=round_.cup)
    text = round_.phone.text()
    message = "This card is for round 1, which is closed. Round 2 is being played"
    assert f"{message}: use the card of that round." in text
    assert reverse("find-me", args=[round_.cup.wall_key]) in text
    page = round_.phone.press(**form_data)
    assert (page.status_code, len(round_.current())) == (422, 2)
    assert page.context["form"].errors == {"__all__": [NOT_SAVED]}
    assert page.content.decode().count(message) == 1


def test_a_scorer_corrects_a_hand_of_a_closed_round(cast: Cast, round_: AtRound) -> None:
    hand, _ = round_.post(SOUTH_WINS, DRAWN)
    steps.close_round(tournament=round_.cup)
    form_data = {**TYPED, "score_1": 24, "reason": "misread", "step": "save"}
    correcting(round_, hand, cast).press(**form_data)
    stands = round_.current()[0]
    assert (stands.scores[1], stands.reason) == (24, "misread")


# At an evening: the phone


def test_the_page_names_the_seats_with_winds_and_what_prevails(evening: AtEvening) -> None:
    page = evening.phone.look()
    seats = [(chair.wind, chair.name) for chair in page.context["square"]]
    assert seats == list(zip("ESWN", [evening.names[seat] for seat in (1, 2, 3, 4)], strict=True))
    assert page.context["deal"].prevailing_wind == "E"


def test_an_empty_score_is_said_to_be_nothing(phone: Phone) -> None:
    page = phone.check(winner=2, score_2=60, score_1=20)
    assert page.content.decode().count("no score: 0") == 2


def test_change_brings_the_typed_hand_back(phone: Phone) -> None:
    form_data = phone.sheet(step="change", winner=2, score_1="2O", score_2="60")
    form = phone.press(**form_data).context["form"]
    assert [form[name].value() for name in ("winner", "score_1", "score_2")] == ["2", "2O", "60"]
    assert form["submission_id"].value() == form_data["submission_id"]


def test_a_drawn_hand_is_two_presses_and_a_goulash_follows(phone: Phone) -> None:
    phone.save(phone.check(drawn="yes"))
    assert Hand.objects.get().winner is None
    assert phone.look().context["deal"].goulash is True


def test_east_passes_and_the_totals_run(phone: Phone) -> None:
    phone.enter()
    square = phone.look().context["square"]
    assert [(chair.wind, chair.note, chair.position, chair.dealer) for chair in square] == [
        ("E", "+240", 2, True),
        ("S", "−80", 3, False),
        ("W", "−96", 4, False),
        ("N", "−64", 1, False),
    ]


@pytest.mark.parametrize(
    ("inputs", "fields"),
    [
        ({"winner": 2, "score_2": 60, "score_1": 37}, {"score_1"}),
        ({"winner": 2, "score_2": 60, "score_1": 1002}, {"score_1"}),
        ({"winner": 2, "score_2": 60, "score_1": -4}, {"score_1"}),
        ({"winner": 2, "score_2": 60, "score_1": "forty"}, {"score_1"}),
        ({"winner": 2, "score_2": "9" * 400}, {"score_2"}),
        ({"winner": 2, "score_1": 20}, {"score_2"}),
        ({"score_1": 20}, {"winner"}),
        ({"winner": 5, "score_1": 20}, {"winner"}),
        ({"winner": 2, "score_2": 60, "pays_for_all": 2}, {"pays_for_all"}),
        (
            {"winner": 2, "score_1": 37, "score_2": 4000, "score_3": "forty"},
            {"score_1", "score_2", "score_3"},
        ),
    ],
)
def test_what_cannot_be_is_said_at_its_field(
    phone: Phone, inputs: dict[str, str | int], fields: set[str]
) -> None:
    page = phone.check(step="save", **inputs)
    assert page.status_code == 422
    assert set(page.context["form"].errors) == fields
    assert Hand.objects.count() == 0
    form_values = {name: page.context["form"][name].value() for name in inputs}
    assert form_values == {name: str(value) for name, value in inputs.items()}


def test_the_same_form_twice_is_one_hand_and_other_figures_show_both(phone: Phone) -> None:
    form_data = phone.sheet(step="save", **TYPED)
    assert [phone.press(**form_data).status_code for _ in range(2)] == [302, 302]
    assert (Hand.objects.count(), LedgerEntry.objects.count()) == (1, 4)
    page = phone.press(**form_data | {"score_1": "24"})
    assert (page.status_code, page.context["form"].report.totals[1]) == (409, 24)
    assert Hand.objects.get().scores[1] == 20


def test_two_phones_with_the_same_figures_are_one_hand(phone: Phone) -> None:
    first, second = (phone.sheet(step="save", **TYPED) for _ in range(2))
    phone.press(**first)
    message = "Hand 1 was already recorded with the same scores."
    assert messages_of(phone.press(**second))[-1] == message
    assert Hand.objects.count() == 1


@pytest.mark.parametrize("step", ["check", "save"])
def test_two_phones_with_different_figures_see_what_stands(phone: Phone, step: str) -> None:
    late_data = phone.sheet(step=step, winner=3, score_3=84, score_1=12)
    phone.enter()
    page = phone.press(**late_data)
    assert page.status_code == 409
    assert page.context["hand"].row.scores == {1: 20, 2: 60, 3: 8, 4: 4}
    assert page.context["form"].report == Report(winner=3, totals={1: 12, 2: 0, 3: 84, 4: 0})
    assert Hand.objects.count() == 1


def test_the_newest_hand_is_said_to_be_saved_however_often_it_is_asked(phone: Phone) -> None:
    first = "Hand 1 saved."
    assert first not in phone.text(saved=1)
    phone.enter()
    assert [first in phone.text(saved=1) for _ in range(2)] == [True, True]
    assert first not in phone.text()
    phone.enter()
    assert first not in phone.text(saved=1)


def test_a_link_only_looks_when_opened_and_agrees_to_no_other_games_hand(phone: Phone) -> None:
    assert phone.look("hands/1/agree/").status_code == 405
    assert phone.press("hands/999999/agree/").status_code == 404


def test_five_play_in_turn(cast: Cast) -> None:
    page = AtEvening.create(cast, players=5).phone.look()
    assert [chair.key for chair in page.context["square"] if not chair.plays] == ["5"]
    assert "sits out this hand" in page.content.decode()
    assert [place.number for place in page.context["form"].places] == [1, 2, 3, 4]


def test_a_finished_evening_takes_no_hand_and_loses_nothing(evening: AtEvening) -> None:
    phone = evening.phone
    phone.enter()
    form_data = phone.sheet(step="save", winner=1, score_1=64)
    evening.finish()
    assert phone.look().context["form"] is None
    page = phone.press(**form_data)
    assert page.status_code == 422
    assert page.context["form"]["score_1"].value() == "64"
    assert page.context["form"].errors == {"__all__": [NOT_SAVED]}
    assert page.content.decode().count("This evening is finished") == 1


def test_other_phones_hear_of_a_hand_once(phone: Phone) -> None:
    mark = phone.page.mark
    assert phone.look(v=mark).status_code == 204
    phone.enter()
    assert "Hand 1 has been entered." in phone.text(v=mark)


@pytest.mark.parametrize("hands", [1, 3])
def test_the_page_and_its_news_ask_the_same_however_many_hands(
    evening: AtEvening, hands: int
) -> None:
    evening.post(*[DRAWN] * hands)
    phone, mark = evening.phone, evening.phone.page.mark
    with assertNumQueries(7):
        phone.look()
    with assertNumQueries(7):
        phone.look("hands/")
    for place, news in (("", {"v": mark}), ("hands/", {"v": mark})):
        with assertNumQueries(2):
            assert phone.look(place, **news).status_code == 204


def test_the_hands_and_the_totals_of_a_table_follow(game_table: At) -> None:
    mark, totals = game_table.phone.page.mark, "standings/"
    assert game_table.phone.look(totals, totals=mark).status_code == 204
    assert "No hand has been entered yet." in game_table.phone.text("hands/")
    game_table.post(SOUTH_WINS)
    for text in (game_table.phone.text(totals, totals=mark), game_table.own_phone(2).text(totals)):
        assert game_table.names[2] in text
        assert "240" in text
    news = game_table.phone.text("hands/", v=mark)
    assert "Hand 1: " in news
    assert "<html" not in news


def test_each_place_says_which_it_is(evening: AtEvening) -> None:
    for phone in (evening.phone, evening.own_phone(2)):
        for place in ("", "standings/", "hands/", "more/"):
            (current,) = re.findall(r'href="([^"]*)"[^>]*aria-current="page"', phone.text(place))
            assert current == f"{phone.address}{place}"


def test_the_standings_follow(phone: Phone) -> None:
    version = phone.look("standings/").context["version"]
    assert phone.look("standings/", v=version).status_code == 204
    phone.enter()
    rows = phone.look("standings/", v=version).context["rows"]
    assert [row.points for row in rows] == [240, -64, -80, -96]


# At an evening: the organisers' page


def test_a_director_sees_no_button_to_correct(cast: Cast, evening: AtEvening) -> None:
    evening.post(SOUTH_WINS)
    assert "Correct" not in evening.desk(cast.director).text()


def test_a_scorer_enters_a_hand(cast: Cast, scorer: Phone) -> None:
    hand = scorer.enter(**WEST_WON)
    assert (hand.winner, hand.sent_by) == (3, f"user {cast.scorer.pk}")


def test_a_correction_starts_from_what_stands(cast: Cast, evening: AtEvening) -> None:
    report = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4}, pays_for_all=4)
    (hand,) = evening.post(report)
    form = correcting(evening, hand, cast).look().context["form"]
    names = ("winner", "score_1", "score_2", "score_3", "score_4", "pays_for_all")
    assert [form[name].value() for name in names] == [2, 20, 60, 8, 4, 4]


def test_the_scorer_sees_which_hands_a_correction_moves(cast: Cast, evening: AtEvening) -> None:
    first, _ = evening.post(SOUTH_WINS, DRAWN)
    east_won = {"winner": 1, "score_1": 60, "score_2": 20, "reason": "East won it"}
    page = correcting(evening, first, cast).press(**east_won)
    moved_hands = [(old.row.number, new.row.dealer) for old, new, _ in page.context["moved"]]
    assert moved_hands == [(1, 1), (2, 1)]
    assert not Hand.objects.filter(is_current=False).exists()


def test_what_a_correction_would_change_offers_nothing_to_keep(
    cast: Cast, evening: AtEvening
) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    dispute(hand)
    page = correcting(evening, hand, cast)
    assert "Keep as entered" in page.text()
    preview = page.press(**WEST_WON, reason="slip").content.decode()
    assert "What would change" in preview
    assert "Keep as entered" not in preview


def test_a_correction_needs_a_reason_and_keeps_to_the_rules(cast: Cast, evening: AtEvening) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    page = correcting(evening, hand, cast).press(**WEST_WON, step="save")
    errors = {"reason": ["Enter a reason for the change."]}
    assert (page.status_code, page.context["form"].errors) == (422, errors)
    assert page.context["form"]["score_3"].value() == "60"
    page = correcting(evening, hand, cast).press(**{**WEST_WON, "score_1": 37, "reason": "slip"})
    assert set(page.context["form"].errors) == {"score_1"}


def test_the_scorer_lets_a_disputed_hand_stand_and_says_why(cast: Cast, evening: AtEvening) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    dispute(hand)
    page = correcting(evening, hand, cast)
    answer = page.press(step="uphold", reason=" ", follow=True)
    assert answer.redirect_chain == [(page.address, 302)]
    assert "Enter a reason" in answer.content.decode()
    hand.refresh_from_db()
    assert hand.state == HandState.DISPUTED
    response = page.press(step="uphold", reason="the paper sheet says so")
    assert response["Location"] == evening.event.address
    hand.refresh_from_db()
    assert (hand.state, hand.decisions.get().reason) == (
        HandState.DECIDED,
        "the paper sheet says so",
    )


def test_a_hand_that_was_corrected_meanwhile_leads_back(cast: Cast, evening: AtEvening) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    evening.correct(hand)
    page = correcting(evening, hand, cast)
    answer = page.client.get(page.address, follow=True)
    assert answer.redirect_chain == [(evening.event.address, 302)]
    assert "That hand has just been corrected." in answer.content.decode()


def test_a_table_that_is_not_there(table: SessionTable, scorer: Phone) -> None:
    address = reverse("evening-table", args=["riverside", table.session_id, 9])
    assert scorer.client.get(address).status_code == 404


def test_only_where_a_hand_is_entered_the_page_asks_for_tiles(
    cast: Cast, evening: AtEvening
) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    pages = [evening.desk(cast.secretary), Phone(evening.desk_url("hand", hand.pk), cast.secretary)]
    assert ["/tiles/?v=" in page.text() for page in pages] == [True, False]


# Receipts


def address(hand: Hand, kind: str = "table") -> str:
    return reverse(f"{kind}-receipt", args=[receipt_address(hand)])


def receipt(game_table: At, hand: Hand) -> str:
    page = Client().get(address(hand, game_table.event.phone))
    assert page.status_code == 200
    return page.content.decode()


def test_a_receipt_shows_the_hand_as_it_was_recorded(game_table: At) -> None:
    (hand,) = game_table.post(SOUTH_WINS)
    text = receipt(game_table, hand)
    assert "Receipt for hand 1" in text
    assert "Recorded by the table’s phone" in text
    assert "No one has agreed yet" in text
    assert sealed_hands([hand.pk])[hand.pk].code in text
    for phrase in (
        game_table.event.club.name,
        game_table.phone.page.view.title,
        "went",
        "+240",
        "−64",
        "qr",
    ):
        assert phrase in text
    for key in (game_table.row.link_key, seat_key(game_table.row, 1)):
        assert key not in text, "a receipt gives no way to the table"
    other_url_name = {"table": "round-table", "round-table": "table"}[game_table.event.phone]
    assert Client().get(address(hand, other_url_name)).status_code == 404


def test_it_says_whose_phone_it_was(evening: AtEvening) -> None:
    name = evening.names[2]
    (hand,) = evening.post(SOUTH_WINS, seat=2)
    text = receipt(evening, hand)
    assert f"Recorded by {name}’s phone" in text
    assert f"{name}: agreed" in text


def test_it_says_who_found_it_not_right_and_what_the_scorer_said(evening: AtEvening) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    evening.say(hand, 3, agrees=False, note="My score was 46")
    evening.say(hand, 2, agrees=False)
    evening.say(hand, 2)
    evening.decide(hand, "Seen on the table")
    text = receipt(evening, hand)
    for phrase in (
        f"{evening.names[3]}: disputed",
        "My score was 46",
        "The scorer: kept as entered",
        "Seen on the table",
    ):
        assert phrase in text
    second = evening.names[2]
    last = (f"{second}: agreed" in text, f"{second}: disputed" in text)
    assert last == (True, False), "only the last word of a player counts"


def test_a_corrected_hand_leads_to_what_stands_and_back(evening: AtEvening) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    new = evening.correct(hand)
    old_receipt, new_receipt = receipt(evening, hand), receipt(evening, new)
    assert "Corrected" in old_receipt
    assert "this no longer counts" in old_receipt
    assert address(new) in old_receipt
    assert "Corrected by the scorer: a slip" in new_receipt
    assert address(hand) in new_receipt


def test_a_hand_taken_back_leads_to_what_was_entered_instead(evening: AtEvening) -> None:
    (hand,) = evening.post(SOUTH_WINS)
    evening.take_back(hand)
    text = receipt(evening, hand)
    assert ("Undone" in text, "View current receipt" in text) == (True, False)
    (new_hand,) = evening.post(DRAWN)
    assert address(new_hand) in receipt(evening, hand)


def test_tiles_are_on_the_receipt(evening: AtEvening) -> None:
    assert "tiles: " in receipt(evening, *evening.post(EAST_WINS_IN_TILES))


@pytest.mark.parametrize("code", ["no-such-receipt", "0" * 32, "f" * 20, "A" * 32])
def test_an_address_with_a_slip_in_it_is_told_so(evening: AtEvening, code: str) -> None:
    evening.post(SOUTH_WINS)
    page = Client().get(reverse("table-receipt", args=[code]))
    assert page.status_code == 404
    assert "Receipt not found" in page.content.decode()


def test_phones_and_the_organisers_book_lead_to_the_receipt(cast: Cast, game_table: At) -> None:
    (hand,) = game_table.post(SOUTH_WINS)
    url, path = address(hand, game_table.event.phone), f"hands/{hand.pk}/receipt/"
    for phone in (game_table.phone, game_table.own_phone(2)):
        assert f"{phone.address}{path}" in phone.text("hands/")
        assert phone.look(path)["Location"] == url
    assert url in game_table.desk(cast.scorer).text()


def test_the_phone_leads_to_no_other_tables_receipts(evening: AtEvening) -> None:
    other_table = AtEvening(seated_evening(make_club("Elsewhere", "elsewhere")).tables.get())
    (hand,) = other_table.post(SOUTH_WINS)
    assert evening.phone.look(f"hands/{hand.pk}/receipt/").status_code == 404


@pytest.mark.parametrize("hands", [1, 3])
def test_a_receipt_costs_the_same_however_long_the_evening(hands: int, evening: AtEvening) -> None:
    url = address(evening.post(*[SOUTH_WINS] * hands)[0])
    with assertNumQueries(8):
        Client().get(url)
