"""What a table may type about one hand: by scores, by counted sticks or by its winner."""

from itertools import permutations
from typing import Any
from uuid import UUID

import pytest
from django.http import QueryDict
from django.urls import reverse
from pytest_django.asserts import assertContains, assertNotContains, assertRedirects

from clubs.models import SessionTable
from clubs.table.forms.hands import (
    HandForm,
    hand_form_data,
    keep_tiles,
    parse_points,
    playing_seats,
)
from scoring import Wind, rule_set
from scoring.scorebook.models import Hand, HandState, TappedHand
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import HandRow, hand_row
from scoring.scorebook.verifying import recount
from tests.api import api_client, game_at, hand_payload, send
from tests.clubs.table.phones import DRAWN, TYPED, At, AtEvening, AtRound, Phone, playing
from tests.clubs.visits import Visitor
from tests.people import Cast
from tests.tournaments.cups import seated_tournament
from tournaments.models import Table, Tournament

WINDS = dict(zip((1, 2, 3, 4), Wind, strict=True))
NAMES = {1: "Margaret", 2: "Dilip", 3: "Zoë", 4: "Ngaio"}
HAD = {1: 2064, 2: 1936, 3: 2000, 4: 2000}
SENT = "submission_id=6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10&number=5"


def hand_form(text: str, rules: str = "bmja") -> HandForm:
    form_data = QueryDict(f"{SENT}&{text}")
    return HandForm(
        playing_seats(WINDS, NAMES), form_data, rules=rule_set(rules), sticks_before=HAD
    )


@pytest.mark.parametrize(
    ("rules", "text", "report"),
    [
        (
            "bmja",
            "winner=2&score_1=20&score_2=60&score_3=8&score_4=4",
            Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4}),
        ),
        (
            "bmja",
            "winner=2&score_2=60&pays_for_all=4",
            Report(winner=2, totals={1: 0, 2: 60, 3: 0, 4: 0}, pays_for_all=4),
        ),
        ("bmja", "winner=nobody", Report(winner=None)),
        ("bmja", "drawn=yes", Report(winner=None)),
        ("bmja", "drawn=yes&winner=2&score_1=x", Report(winner=None)),
        ("tallies", "drawn=yes", Report(winner=None)),
        (
            "tallies",
            "winner=2&score=100&last_tile=wall",
            Report(winner=2, totals={2: 100}, won_by="wall"),
        ),
        (
            "bmja",
            "way=tallies&winner=2&count_1=2,000&count_2=2176&count_3=1920&count_4=1904",
            Report(winner=2, tallies={1: 2000, 2: 2176, 3: 1920, 4: 1904}, had=HAD),
        ),
        ("bmja", "way=winner&winner=2", Report(winner=2, only_winner=True)),
    ],
    ids=[
        "four totals",
        "one player pays for all",
        "nobody won",
        "drawn",
        "drawn, whatever else was typed",
        "drawn, and no last tile",
        "the last tile from the wall",
        "sticks beside what everybody had",
        "only the winner",
    ],
)
def test_what_is_typed_of_a_hand(rules: str, text: str, report: Report) -> None:
    form = hand_form(text, rules)
    assert (form.errors, form.report) == ({}, report)
    assert form.cleaned_data["submission_id"] == UUID("6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10")


def test_a_loser_left_empty_counts_as_nothing_and_is_named() -> None:
    form = hand_form("winner=2&score_1=20&score_2=60&score_3=&score_4=4")
    assert form.is_valid()
    assert form.report.totals == {1: 20, 2: 60, 3: 0, 4: 4}
    assert form.unscored_seats == frozenset({3})


def test_whoever_discarded_the_last_tile_is_named() -> None:
    form = hand_form("winner=2&score=100&last_tile=3", "tallies")
    assert form.errors == {}
    assert form.report == Report(winner=2, totals={2: 100}, won_by="discard", discarder=3)
    assert [(place.name, score) for place, score in form.figures] == [("Dilip", "100")]
    assert form.said_of_the_last_tile == "Zoë discarded the last tile"


NO_WINNER = "Choose who went Mah-Jong, or choose “Nobody (drawn hand)”."
TWO_WINNERS = "Two players are marked. Choose the one who went Mah-Jong."
NOT_HERE = "Choose one of the players of this hand."
NO_SCORE = "Enter what Dilip scored for the Mah-Jong."
NO_NUMBER = "“{}” is not a number. Enter points as a number, for example 64."
TOO_MUCH = "That is more than any hand can score. Check the number."
NO_DISCARDER = "Choose who discarded the last tile, or say it was drawn from the wall."
HIS_OWN = "Dilip went Mah-Jong with it, so someone else discarded it."


@pytest.mark.parametrize(
    ("rules", "text", "field", "error"),
    [
        ("bmja", "winner=2&score_1=20", "score_2", NO_SCORE),
        ("bmja", "score_1=20", "winner", NO_WINNER),
        ("bmja", "winner=1&winner=2&score_1=20", "winner", TWO_WINNERS),
        ("bmja", "winner=7", "winner", NOT_HERE),
        ("bmja", "winner=Dilip", "winner", NOT_HERE),
        ("bmja", "winner=2&score_2=60&score_1=forty", "score_1", NO_NUMBER.format("forty")),
        ("bmja", "winner=2&score_2=60&score_1=6.5", "score_1", NO_NUMBER.format("6.5")),
        ("bmja", f"winner=2&score_2=60&score_1={'9' * 5000}", "score_1", TOO_MUCH),
        (
            "bmja",
            "way=tallies&winner=2&count_1=2000&count_2=2176&count_4=0",
            "count_3",
            "Enter what Zoë has now, even if it is 0.",
        ),
        ("tallies", "winner=2&score=100", "last_tile", NO_DISCARDER),
        ("tallies", "winner=2&score=100&last_tile=2", "last_tile", HIS_OWN),
        ("tallies", "winner=2&score=100&last_tile=7", "last_tile", NOT_HERE),
        ("tallies", "winner=2&last_tile=wall", "score", NO_SCORE),
    ],
)
def test_what_is_missing_or_cannot_be_is_said_at_its_field(
    rules: str, text: str, field: str, error: str
) -> None:
    assert hand_form(text, rules).errors == {field: [error]}


@pytest.mark.parametrize(("text", "points"), [("1,000", 1000), (" 1 000 ", 1000), ("", None)])
def test_points_are_read_as_people_write_them(text: str, points: int | None) -> None:
    assert parse_points(text) == points


@pytest.mark.parametrize(
    ("rules", "extra_fields"),
    [
        ("bmja", {"pays_for_all", "score_1", "score_2", "score_3", "score_4"}),
        ("english", {"pays_for_all", "score_1", "score_2", "score_3", "score_4"}),
        ("tallies", {"pays_for_all", "last_tile", "score"}),
        ("safalra", {"score_1", "score_2", "score_3", "score_4"}),
        ("baggaley", {"score_1", "score_2", "score_3", "score_4"}),
    ],
)
def test_a_form_asks_what_its_rules_need_and_no_more(rules: str, extra_fields: set[str]) -> None:
    form = hand_form("", rules)
    field_names = {name for name in form.fields if not name.startswith("tiles_")}
    assert field_names == {"submission_id", "number", "company", "way", "winner", *extra_fields}


def test_a_form_that_lost_its_number_says_so() -> None:
    form = HandForm(playing_seats(WINDS, NAMES), QueryDict("winner=nobody"), rules=rule_set("bmja"))
    error = (
        "Something is missing from this form. Open the table’s page again and enter the hand again."
    )
    assert form.errors == {"submission_id": [error], "number": [error]}


def make_row(report: dict[str, Any], **scores: int) -> HandRow:
    winds = {str(seat): str(wind) for seat, wind in WINDS.items()}
    deal = {"winds": winds, "dealer": 1, "prevailing_wind": "E", "goulash": False}
    hand = Hand(number=1, winner=2, report=report, deal=deal, state=HandState.REPORTED, **scores)
    return hand_row(hand)


TILES = {"1": {"concealed": ["B1", "B1"]}, "2": {"concealed": ["DR", "DR"]}}


def test_tiles_stay_where_neither_total_nor_winner_changed() -> None:
    row = make_row(
        {"winner": 2, "tiles": TILES, "won_by": "wall"},
        score_1=20,
        score_2=60,
        score_3=0,
        score_4=0,
    )
    told_now = Report(winner=2, totals={1: 20, 2: 64, 3: 0, 4: 0})
    assert keep_tiles(told_now, row) == Report(
        winner=2, totals={2: 64, 3: 0, 4: 0}, tiles={1: TILES["1"]}, won_by="wall"
    )


def test_tiles_go_when_somebody_else_won() -> None:
    row = make_row({"winner": 2, "tiles": TILES}, score_1=20, score_2=60, score_3=0, score_4=0)
    told_now = Report(winner=1, totals={1: 20, 2: 60, 3: 0, 4: 0})
    assert keep_tiles(told_now, row) == told_now


CLAIMED_TILES = {"2": {"concealed": ["DR", "DR"], "winning_tile": "DR"}}


def won_from_zoe(won_by: str) -> HandRow:
    report = {"winner": 2, "tiles": CLAIMED_TILES, "won_by": won_by, "discarder": 3}
    return make_row(report, score_2=100)


def test_how_a_hand_was_won_stays_as_finely_as_it_was_told() -> None:
    row = won_from_zoe("last_discard")
    assert hand_form_data(row)["last_tile"] == "3"
    told_now = Report(winner=2, totals={2: 100}, won_by="discard", discarder=3)
    assert keep_tiles(told_now, row) == Report(
        winner=2, tiles={2: CLAIMED_TILES["2"]}, won_by="last_discard", discarder=3
    )


def test_the_winners_tiles_go_when_the_hand_was_won_otherwise() -> None:
    told_now = Report(winner=2, totals={2: 100}, won_by="wall")
    assert keep_tiles(told_now, won_from_zoe("robbed_kong")) == told_now


@pytest.mark.parametrize("rules", ["bmja", "english", "tallies"])
def test_sticks_are_counted_where_players_pay(rules: str) -> None:
    assert [method.key for method in hand_form("", rules).recording_buttons] == [
        "totals",
        "tiles",
        "tallies",
        "winner",
    ]


@pytest.mark.parametrize("rules", ["safalra", "baggaley"])
def test_where_nobody_pays_no_sticks_are_counted(rules: str) -> None:
    form = hand_form("way=tallies&winner=2&score_2=60", rules)
    assert [method.key for method in form.recording_buttons] == ["totals", "tiles", "winner"]
    assert form.told_by == "totals"


def test_figures_of_another_way_are_kept_for_the_way_back() -> None:
    form = hand_form("way=tallies&winner=2&score_2=60&score_3=&count_1=2000")
    assert form.hidden_values == {"score_2": "60"}


# On the pages

COUNTED: dict[str, Any] = {
    "way": "tallies", "winner": 2,
    "count_1": 1936, "count_2": 2240, "count_3": 1920, "count_4": 1904,
}  # fmt: skip
UNEXPLAINED = COUNTED | {"count_2": 2242, "count_4": 1902}
ONLY_THE_WINNER: dict[str, Any] = {"way": "winner", "winner": 2}


# The ways, and the way from one to another


def test_a_page_begins_with_the_clubs_way(cast: Cast, phone: Phone) -> None:
    assert phone.look().context["form"].told_by == "totals"
    cast.club.record_by = "tallies"
    cast.club.save()
    assert phone.look().context["form"].told_by == "tallies"


def test_one_tap_chooses_another_way_and_keeps_what_was_typed(phone: Phone) -> None:
    form_data = phone.sheet(step="tell:tallies", winner=2, score_2=60)
    page = phone.press(**form_data)
    form = page.context["form"]
    assert (form.told_by, form["winner"].value(), form.hidden_values) == (
        "tallies",
        "2",
        {"score_2": "60"},
    )
    assert form["submission_id"].value() == form_data["submission_id"]
    assertContains(page, "had 2,000", count=4)
    totals_form = phone.press(**form_data | {"step": "tell:totals"} | form.hidden_values).context[
        "form"
    ]
    assert totals_form["score_2"].value() == "60"


def test_the_way_is_remembered_through_check_and_change(phone: Phone) -> None:
    page = phone.check(**COUNTED)
    form_data = page.context["form"].typed_values
    change_form = phone.press(**form_data, step="change").context["form"]
    assert (change_form.told_by, change_form["count_2"].value()) == ("tallies", "2240")
    phone.save(page)
    assert Hand.objects.get().report["tallies"] == {"1": 1936, "2": 2240, "3": 1920, "4": 1904}
    assert phone.look().context["form"].told_by == "totals"


ENTERED: dict[str, dict[str, str]] = {
    "totals": {"score_1": "20", "score_2": "60", "score_3": "8", "score_4": "4"},
    "tallies": {"count_1": "1808", "count_2": "2240", "count_3": "1952", "count_4": "2000"},
    "winner": {},
}
BY_THREE: dict[str, str] = {"winner": "2", "pays_for_all": "3", "reason": "a slip"}


def sent_again(page: Any) -> dict[str, str]:
    """What the form of this page sends as it stands: its fields, and what it keeps."""
    form = page.context["form"]
    form_values = {
        name: str(form[name].value() or "") for name in form.fields if name != "as_counted"
    }
    return {name: value for name, value in (form.hidden_values | form_values).items() if value}


@pytest.mark.parametrize(("first", "second"), [*permutations(ENTERED, 2)])
def test_a_preview_of_a_correction_loses_nothing_on_the_way_back(
    game_table: At, cast: Cast, first: str, second: str
) -> None:
    (hand,) = game_table.post(DRAWN)
    page = Phone(f"{game_table.event.address}hands/{hand.pk}/correct/", cast.secretary)
    form_data = BY_THREE | ENTERED[first] | {"way": first}
    other_data = sent_again(page.press(**form_data, step=f"tell:{second}"))
    check_page = page.press(**other_data | ENTERED[second], as_counted="on", step="check")
    change_page = page.press(**check_page.context["form"].typed_values, step="change")
    assert change_page.context["form"].told_by == second
    first_page = page.press(**sent_again(change_page), step=f"tell:{first}")
    assert sent_again(first_page).items() >= (form_data | ENTERED[second]).items()


@pytest.mark.parametrize("method", ["totals", "tallies"])
def test_winner_only_keeps_who_discarded(cast: Cast, method: str) -> None:
    evening_table = AtEvening.create(playing("tallies", cast))
    form_data = evening_table.phone.sheet(way=method, winner=2, last_tile=3)
    winner_only = evening_table.phone.press(**form_data, step="tell:winner")
    check_page = evening_table.phone.press(**sent_again(winner_only), step="check")
    winner_page = evening_table.phone.press(
        **check_page.context["form"].typed_values, step=f"tell:{method}"
    )
    assert winner_page.context["form"]["last_tile"].value() == "3"


@pytest.mark.parametrize(
    ("inputs", "text"),
    [
        (TYPED | {"score_2": 62}, "Scored"),
        (COUNTED, "Has now"),
        ({"way": "winner", "winner": 3}, "No points are recorded."),
    ],
)
def test_whoever_enters_a_hand_second_reads_it_in_the_way_it_was_entered(
    phone: Phone, inputs: dict[str, Any], text: str
) -> None:
    second = phone.sheet(step="save", **inputs)
    phone.enter()
    page = phone.press(**second)
    assert page.status_code == 409
    assert text in page.content.decode().partition("What you entered")[2]


# Counted sticks


def test_counted_sticks_are_settled_and_shown_before_they_are_saved(phone: Phone) -> None:
    page = phone.check(**COUNTED)
    assert [line.gain for line in page.context["hand"].lines] == [-64, 240, -80, -96]
    assertContains(page, "Mah-Jong</span> with 60")
    assertContains(page, "Has now")
    assertNotContains(page, "Which sticks to pass")
    assert phone.enter(**COUNTED).scores == {2: 60}
    assert recount().differences == ()
    following = phone.check(step="tell:tallies")
    assert [points_before for _, _, points_before in following.context["form"].counts] == [
        2240,
        1920,
        1904,
        1936,
    ]


def test_one_tap_puts_the_count_right_that_does_not_fit(phone: Phone) -> None:
    form_data = phone.sheet(**COUNTED | {"count_4": 1894})
    page = phone.press(**form_data)
    assertContains(page, "10 are missing", status_code=422)
    ((correction, figure),) = page.context["form"].guesses["count_4"]
    assert figure == 1904
    second_page = phone.press(**form_data, put=correction)
    assert second_page.context["hand"].row.gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_counts_without_scores_are_saved_at_the_second_look(phone: Phone) -> None:
    form_data = phone.sheet(**UNEXPLAINED)
    assertContains(phone.press(**form_data), "The counts are right", status_code=422)
    check_page = phone.press(**form_data, as_counted="on")
    assertContains(check_page, "so they were saved as counted")
    phone.save(check_page)
    assert Hand.objects.get().gains == {1: -64, 2: 242, 3: -80, 4: -98}
    assertContains(phone.look(), "went Mah-Jong")


def test_at_a_table_of_five_four_count(cast: Cast) -> None:
    phone = AtEvening.create(cast, players=5).phone
    page = phone.check(step="tell:tallies")
    assert len(list(page.context["form"].counts)) == 4
    assert phone.enter(**COUNTED).gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_the_points_on_the_table_are_where_a_tournaments_counts_begin(cast: Cast) -> None:
    phone = AtRound.create(cast).phone
    Tournament.objects.update(start_stake=1000, record_by="tallies")
    assertContains(phone.look(), "had 1,000", count=4)
    counts = {"count_1": 936, "count_2": 1240, "count_3": 920, "count_4": 904}
    assert phone.enter(**COUNTED | counts).gains == {1: -64, 2: 240, 3: -80, 4: -96}


def test_a_counted_hand_is_corrected_as_it_was_told(cast: Cast, evening: AtEvening) -> None:
    hand = evening.phone.enter(**COUNTED)
    page = Phone(evening.desk_url("hand", hand.pk), cast.scorer)
    form = page.look().context["form"]
    assert (form.told_by, form["count_4"].value()) == ("tallies", 1904)
    right = COUNTED | {"count_1": 1932, "count_4": 1908, "reason": "Margaret had miscounted"}
    page.press(**right, as_counted="on", step="save")
    assert Hand.objects.get(is_current=True).gains == {1: -68, 2: 240, 3: -80, 4: -92}
    assert recount().differences == ()


# Only the winner


def test_only_the_winner_takes_two_presses(cast: Cast, phone: Phone) -> None:
    cast.club.record_by = "winner"
    cast.club.save()
    assertContains(phone.check(winner=2), "no points are recorded for this hand")
    assert phone.enter(winner=2).report == {"winner": 2, "only_winner": True}
    assert phone.look().context["deal"].dealer == 2
    assertContains(phone.look(), "Only the winner was entered")


@pytest.mark.parametrize("inputs", [ONLY_THE_WINNER, COUNTED], ids=["winner", "sticks"])
def test_tiles_that_were_tapped_are_put_aside_where_a_hand_is_told_otherwise(
    table: SessionTable, phone: Phone, inputs: dict[str, Any]
) -> None:
    TappedHand.objects.create(game=table.game, number=1, seat=2, draft="SE.B111..won")
    response = phone.save(phone.check(**inputs))
    assertRedirects(response, f"{phone.address}?saved=1")
    assert "tiles" not in Hand.objects.get().report
    assert not TappedHand.objects.exists()


# Sentences, sticks and slips


def test_the_hand_is_said_in_sentences_and_sticks_before_it_is_saved(evening: AtEvening) -> None:
    page = evening.phone.check(**TYPED)
    east, south, west, north = (evening.names[seat] for seat in (1, 2, 3, 4))
    assert page.context["said"] == [
        f"{east} pays {south} 120; {west} and {north} pay 60 each.",
        f"{west} pays {east} 24.",
        f"{north} pays {east} 32 and {west} 4.",
    ]
    assertContains(page, f"{east} gives {south} 1\xa0×\xa0100, 2\xa0×\xa010.")
    page = evening.phone.check(**TYPED, pays_for_all=3)
    assert page.context["said"] == [f"{west} pays {south} 240, for everyone."]


def test_an_impossible_total_has_the_nearest_ones_as_buttons(phone: Phone) -> None:
    form_data = phone.sheet(**TYPED | {"score_3": 65})
    page = phone.press(**form_data)
    assert page.status_code == 422
    assert [figure for _, figure in page.context["form"].guesses["score_3"]] == [56, 64, 66]
    assertContains(page, "Perhaps two digits were swapped (56).", status_code=422)
    second_page = phone.press(**form_data, put="score_3:56")
    assert second_page.context["hand"].row.scores[3] == 56


def test_a_slip_that_leads_to_two_totals_is_named_once(phone: Phone) -> None:
    page = phone.check(**TYPED | {"score_2": 18})
    error = " ".join(page.context["form"].errors["score_2"])
    assert error.count("a zero is missing") == 1
    assert "Perhaps a zero is missing (108 or 180)." in error


def test_a_figure_that_may_be_below_zero_is_typed_with_all_the_keys(evening: AtEvening) -> None:
    """The keys for digits alone have no minus on some phones."""
    phone = evening.phone
    tallies_page = phone.press(step="tell:tallies", **phone.sheet(winner=2)).content.decode()
    totals_page = phone.text()
    keys = ('id="id_count_1"', 'id="id_score_1"')
    modes = [
        page.split(field)[0].rpartition("inputmode=")[2].split('"')[1]
        for page, field in zip((tallies_page, totals_page), keys, strict=True)
    ]
    assert modes == ["text", "numeric"]


def test_a_hand_with_four_totals_takes_three_presses_beyond_its_fields(phone: Phone) -> None:
    """Winner and four fields are five taps; check, save and agree make eight, of twelve."""
    response = phone.save(phone.check(**TYPED))
    assertRedirects(response, f"{phone.address}?saved=1")
    assertContains(phone.look(), "All agree")


# What the club and the tournament choose


def test_the_secretary_chooses_how_hands_are_told(cast: Cast) -> None:
    secretary, address = Visitor(cast.secretary), reverse("club-rules", args=["riverside"])
    secretary.post(address, {"rules": "bmja", "record_by": "winner", "agreement": "two"})
    cast.club.refresh_from_db()
    assert (cast.club.record_by, cast.club.agreement) == ("winner", "two")
    sticks = {"rules": "safalra", "record_by": "tallies", "agreement": "all"}
    page = secretary.post(address, sticks)
    assertContains(page, "so you cannot count sticks", status_code=422)


def test_a_tournaments_running_tables_follow_its_agreement(cast: Cast) -> None:
    tournament, director = seated_tournament(cast.club), Visitor(cast.director)
    address = reverse("tournament-settings", args=["riverside", tournament.pk])
    form = director.get(address).context["form"]
    form_data = {field.html_name: field.value() for field in form if field.value() is not None}
    director.post(address, {**form_data, "record_by": "winner", "agreement": "scorer"})
    tournament.refresh_from_db()
    assert (tournament.record_by, tournament.agreement) == ("winner", "scorer")
    agreements = Table.objects.filter(round__tournament=tournament).values_list("game__agreement")
    assert set(agreements) == {("scorer",)}


def test_other_programs_tell_sticks_and_winners(cast: Cast, table: SessionTable) -> None:
    address = f"{game_at(table)}hands/"
    scorer = api_client(cast.scorer)
    tallies = {"1": 1936, "2": 2240, "3": 1920, "4": 1904}
    first = hand_payload(1, winner=2, tallies=tallies)
    response = send(scorer, address, first)
    assert (response.status_code, response.json()["entered_as"]) == (201, "tallies")
    assert response.json()["gains"] == {"1": -64, "2": 240, "3": -80, "4": -96}
    assert send(scorer, address, first).status_code == 200
    second = send(scorer, address, hand_payload(2, winner=3, only_winner=True))
    assert second.json()["entered_as"] == "winner"
    assert recount().differences == ()
