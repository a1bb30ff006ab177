"""What a table may type about one hand."""

from typing import Any
from uuid import UUID

import pytest
from django.http import QueryDict

from clubs.table.forms.hands import HandForm, as_data, keeping_tiles, places_of, points_of
from scoring import Wind, rule_set
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import HandRow, hand_row

WINDS = dict(zip((1, 2, 3, 4), Wind, strict=True))
NAMES = {1: "Margaret", 2: "Dilip", 3: "Zoë", 4: "Ngaio"}
HAD = {1: 2064, 2: 1936, 3: 2000, 4: 2000}
SENT = "submission_id=6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10&number=5"


def typed(text: str, rules: str = "bmja") -> HandForm:
    sent = QueryDict(f"{SENT}&{text}")
    return HandForm(places_of(WINDS, NAMES), sent, rules=rule_set(rules), had=HAD)


def test_four_totals_and_a_winner() -> None:
    form = typed("winner=2&score_1=20&score_2=60&score_3=8&score_4=4")
    assert form.is_valid()
    assert form.report == Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
    assert form.cleaned_data["submission_id"] == UUID("6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10")


def test_a_loser_left_empty_counts_as_nothing_and_is_named() -> None:
    form = typed("winner=2&score_1=20&score_2=60&score_3=&score_4=4")
    assert form.is_valid()
    assert form.report.totals == {1: 20, 2: 60, 3: 0, 4: 4}
    assert form.unscored == frozenset({3})


def test_the_winner_cannot_stay_empty() -> None:
    form = typed("winner=2&score_1=20")
    assert form.errors == {"score_2": ["Enter what Dilip scored for the Mah-Jong."]}


@pytest.mark.parametrize("text", ["winner=nobody", "drawn=yes", "drawn=yes&winner=2&score_1=x"])
def test_a_drawn_hand_has_no_scores(text: str) -> None:
    form = typed(text)
    assert form.is_valid()
    assert form.report == Report(winner=None)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("score_1=20", "Choose who went Mah-Jong, or choose “Nobody (drawn hand)”."),
        (
            "winner=1&winner=2&score_1=20",
            "Two players are marked. Choose the one who went Mah-Jong.",
        ),
        ("winner=7", "Choose one of the players of this hand."),
        ("winner=Dilip", "Choose one of the players of this hand."),
    ],
)
def test_a_winner_who_cannot_be(text: str, said: str) -> None:
    assert typed(text).errors["winner"] == [said]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("forty", "“forty” is not a number. Enter points as a number, for example 64."),
        ("6.5", "“6.5” is not a number. Enter points as a number, for example 64."),
        ("9" * 5000, "That is more than any hand can score. Check the number."),
    ],
)
def test_scores_are_whole_numbers(text: str, said: str) -> None:
    assert typed(f"winner=2&score_2=60&score_1={text}").errors["score_1"] == [said]


@pytest.mark.parametrize(("text", "points"), [("1,000", 1000), (" 1 000 ", 1000), ("", None)])
def test_points_are_read_as_people_write_them(text: str, points: int | None) -> None:
    assert points_of(text) == points


def test_one_player_may_pay_for_all() -> None:
    form = typed("winner=2&score_2=60&pays_for_all=4")
    assert form.is_valid()
    assert form.report == Report(winner=2, totals={1: 0, 2: 60, 3: 0, 4: 0}, pays_for_all=4)


def test_where_the_winner_alone_scores_one_score_and_where_the_last_tile_came_from() -> None:
    drawn = typed("winner=2&score=100&last_tile=wall", "tallies")
    claimed = typed("winner=2&score=100&last_tile=3", "tallies")
    assert (drawn.errors, claimed.errors) == ({}, {})
    assert drawn.report == Report(winner=2, totals={2: 100}, won_by="wall")
    assert claimed.report == Report(winner=2, totals={2: 100}, won_by="discard", discarder=3)
    assert [(place.name, score) for place, score in claimed.figures] == [("Dilip", "100")]
    assert claimed.said_of_the_last_tile == "Zoë discarded the last tile"


@pytest.mark.parametrize(
    ("text", "field", "said"),
    [
        (
            "score=100",
            "last_tile",
            "Choose who discarded the last tile, or say it was drawn from the wall.",
        ),
        (
            "score=100&last_tile=2",
            "last_tile",
            "Dilip went Mah-Jong with it, so someone else discarded it.",
        ),
        ("score=100&last_tile=7", "last_tile", "Choose one of the players of this hand."),
        ("last_tile=wall", "score", "Enter what Dilip scored for the Mah-Jong."),
    ],
)
def test_what_tallies_need_is_asked_for(text: str, field: str, said: str) -> None:
    assert typed(f"winner=2&{text}", "tallies").errors == {field: [said]}


def test_a_drawn_hand_has_no_last_tile() -> None:
    form = typed("drawn=yes", "tallies")
    assert form.is_valid()
    assert form.report == Report(winner=None)


@pytest.mark.parametrize(
    ("rules", "asked"),
    [
        ("bmja", {"pays_for_all", "score_1", "score_2", "score_3", "score_4"}),
        ("english", {"pays_for_all", "score_1", "score_2", "score_3", "score_4"}),
        ("tallies", {"pays_for_all", "last_tile", "score"}),
        ("safalra", {"score_1", "score_2", "score_3", "score_4"}),
        ("baggaley", {"score_1", "score_2", "score_3", "score_4"}),
    ],
)
def test_a_form_asks_what_its_rules_need_and_no_more(rules: str, asked: set[str]) -> None:
    form = typed("", rules)
    told = {name for name in form.fields if not name.startswith("tiles_")}
    assert told == {"submission_id", "number", "way", "winner", *asked}


def test_a_form_that_lost_its_number_says_so() -> None:
    form = HandForm(places_of(WINDS, NAMES), QueryDict("winner=nobody"), rules=rule_set("bmja"))
    said = (
        "Something is missing from this form. Open the table’s page again and enter the hand again."
    )
    assert form.errors == {"submission_id": [said], "number": [said]}


def told(report: dict[str, Any], **scores: int) -> HandRow:
    winds = {str(seat): str(wind) for seat, wind in WINDS.items()}
    deal = {"winds": winds, "dealer": 1, "prevailing_wind": "E", "goulash": False}
    hand = Hand(number=1, winner=2, report=report, deal=deal, state=HandState.REPORTED, **scores)
    return hand_row(hand)


TILES = {"1": {"concealed": ["B1", "B1"]}, "2": {"concealed": ["DR", "DR"]}}


def test_tiles_stay_where_neither_total_nor_winner_changed() -> None:
    row = told(
        {"winner": 2, "tiles": TILES, "won_by": "wall"},
        score_1=20,
        score_2=60,
        score_3=0,
        score_4=0,
    )
    told_now = Report(winner=2, totals={1: 20, 2: 64, 3: 0, 4: 0})
    assert keeping_tiles(told_now, row) == Report(
        winner=2, totals={2: 64, 3: 0, 4: 0}, tiles={1: TILES["1"]}, won_by="wall"
    )


def test_tiles_go_when_somebody_else_won() -> None:
    row = told({"winner": 2, "tiles": TILES}, score_1=20, score_2=60, score_3=0, score_4=0)
    told_now = Report(winner=1, totals={1: 20, 2: 60, 3: 0, 4: 0})
    assert keeping_tiles(told_now, row) == told_now


CLAIMED_TILES = {"2": {"concealed": ["DR", "DR"], "winning_tile": "DR"}}


def won_from_zoe(won_by: str) -> HandRow:
    report = {"winner": 2, "tiles": CLAIMED_TILES, "won_by": won_by, "discarder": 3}
    return told(report, score_2=100)


def test_how_a_hand_was_won_stays_as_finely_as_it_was_told() -> None:
    row = won_from_zoe("last_discard")
    assert as_data(row)["last_tile"] == "3"
    told_now = Report(winner=2, totals={2: 100}, won_by="discard", discarder=3)
    assert keeping_tiles(told_now, row) == Report(
        winner=2, tiles={2: CLAIMED_TILES["2"]}, won_by="last_discard", discarder=3
    )


def test_the_winners_tiles_go_when_the_hand_was_won_otherwise() -> None:
    told_now = Report(winner=2, totals={2: 100}, won_by="wall")
    assert keeping_tiles(told_now, won_from_zoe("robbed_kong")) == told_now


def test_sticks_are_told_beside_what_everybody_had() -> None:
    form = typed("way=tallies&winner=2&count_1=2,000&count_2=2176&count_3=1920&count_4=1904")
    assert form.is_valid()
    assert form.report == Report(winner=2, tallies={1: 2000, 2: 2176, 3: 1920, 4: 1904}, had=HAD)


def test_everybody_has_to_count() -> None:
    form = typed("way=tallies&winner=2&count_1=2000&count_2=2176&count_4=0")
    name = next(place.name for place in form.places if place.number == 3)
    assert form.errors == {"count_3": [f"Enter what {name} has now, even if it is 0."]}


def test_only_the_winner_is_told_without_a_figure() -> None:
    form = typed("way=winner&winner=2")
    assert form.is_valid()
    assert form.report == Report(winner=2, only_winner=True)


@pytest.mark.parametrize("rules", ["bmja", "english", "tallies"])
def test_sticks_are_counted_where_players_pay(rules: str) -> None:
    assert [way.key for way in typed("", rules).ways] == ["totals", "tiles", "tallies", "winner"]


@pytest.mark.parametrize("rules", ["safalra", "baggaley"])
def test_where_nobody_pays_no_sticks_are_counted(rules: str) -> None:
    form = typed("way=tallies&winner=2&score_2=60", rules)
    assert [way.key for way in form.ways] == ["totals", "tiles", "winner"]
    assert form.told_by == "totals"


def test_figures_of_another_way_are_kept_for_the_way_back() -> None:
    form = typed("way=tallies&winner=2&score_2=60&score_3=&count_1=2000")
    assert form.kept == {"score_2": "60"}
