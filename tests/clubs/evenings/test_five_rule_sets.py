"""An evening under each of the five rule sets, through the doors that the players use."""

import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.evenings.selectors.evenings import tables_of
from scoring import rule_set, rule_set_keys
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.verifying import recount
from tests.api import faults, game_at, hand_payload, link_client, send
from tests.clubs.nights import page_of
from tests.clubs.table.phones import AtEvening, Phone, playing
from tests.people import Cast

pytestmark = pytest.mark.django_db

TEMPLATE = re.compile(r"<template.*?</template>", re.DOTALL)  # what only scripts show

FOUR_SCORES = {"winner": 2, "score_1": 20, "score_2": 60, "score_3": 8, "score_4": 4}
ONE_SCORE = {"winner": 2, "score": 100, "last_tile": 3}
SECOND_WINS: dict[str, dict[str, Any]] = dict.fromkeys(rule_set_keys(), FOUR_SCORES) | {
    "tallies": ONE_SCORE
}
GAINS = {
    "bmja": {1: -64, 2: 240, 3: -80, 4: -96},
    "english": {1: -64, 2: 240, 3: -80, 4: -96},
    "tallies": {1: 0, 2: 200, 3: -200, 4: 0},
    "safalra": {1: 20, 2: 60, 3: 8, 4: 4},
    "baggaley": {1: 20, 2: 60, 3: 8, 4: 4},
}


@pytest.fixture
def evening(cast: Cast, rules: str) -> AtEvening:
    return AtEvening.create(playing(rules, cast))


@pytest.fixture
def phone(evening: AtEvening) -> Phone:
    return evening.phone


def enter(phone: Phone, **inputs: Any) -> Hand:
    """Type a hand, look at who pays whom, save it, and let the table agree."""
    phone.save(phone.check(**inputs))
    hand = Hand.objects.latest("pk")
    phone.agree(hand)
    hand.refresh_from_db()
    assert hand.state == HandState.AGREED
    return hand


def said_on(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize("rules", rule_set_keys())
def test_an_evening_is_played_to_its_end_and_no_page_says_none(
    cast: Cast, evening: AtEvening, phone: Phone, rules: str
) -> None:
    hand = enter(phone, **SECOND_WINS[rules])
    assert hand.gains == GAINS[rules]
    assert enter(phone, drawn="yes").gains == dict.fromkeys((1, 2, 3, 4), 0)
    desk, session = evening.desk(cast.secretary), evening.row.session
    for address in (
        phone.address,
        f"{phone.address}standings/",
        desk.address,
        evening.desk_url("hand", hand.pk),
        page_of("evening", session),
        page_of("result", session),
        reverse("wall", args=[session.wall_key]),
    ):
        assert "None" not in said_on(desk.client, address)
    evening.finish()
    result = desk.client.get(page_of("result", session)).context["rows"]
    assert [row.points for row in result] == sorted(GAINS[rules].values(), reverse=True)
    assert recount().differences == ()


@pytest.mark.parametrize("rules", rule_set_keys())
def test_the_scorer_corrects_a_hand(
    cast: Cast, evening: AtEvening, phone: Phone, rules: str
) -> None:
    hand = enter(phone, **SECOND_WINS[rules])
    page = Phone(evening.desk_url("hand", hand.pk), cast.scorer)
    form = page.look().context["form"]
    form_data = {name: form[name].value() or "" for name in form.fields if name != "reason"}
    changed_data = {**form_data, "winner": 4, "score_4": 60, "score": 100, "reason": "North won"}
    assert page.press(**changed_data, step="save").status_code == 302
    assert Hand.objects.latest("pk").winner == 4
    assert recount().differences == ()


@pytest.mark.parametrize("rules", ["safalra", "baggaley", "english"])
def test_no_wind_prevails_where_the_rules_have_none(phone: Phone, rules: str) -> None:
    assert "prevails" not in phone.text()


@pytest.mark.parametrize("rules", ["safalra", "baggaley"])
def test_scores_that_add_up_have_no_sign_and_nobody_pays(phone: Phone, rules: str) -> None:
    looked_at = phone.check(**FOUR_SCORES).content.decode()
    assert "No one pays: each player adds their own score." in looked_at
    assert "Gain" not in TEMPLATE.sub("", looked_at)
    enter(phone, **FOUR_SCORES)
    assert "+60" not in phone.text()


@pytest.mark.parametrize("rules", ["tallies"])
def test_with_tallies_the_dealer_is_marked_and_the_winds_stay(phone: Phone, rules: str) -> None:
    late_data = phone.sheet(step="save", winner=2, score=200, last_tile="wall")
    enter(phone, **ONE_SCORE)
    square = phone.look().context["square"]
    assert "".join(chair.wind for chair in square) == "ESWN"
    assert [chair.dealer for chair in square] == [False, True, False, False]
    stands = phone.press(**late_data)  # a different report is shown beside what stands
    assert stands.status_code == 409
    assert "The winner drew the last tile." in stands.content.decode()


@pytest.mark.parametrize("rules", ["tallies"])
def test_with_tallies_it_is_asked_who_discarded(
    evening: AtEvening, phone: Phone, rules: str
) -> None:
    page = phone.check(winner=2, score=100)
    errors = ["Choose who discarded the last tile, or say it was drawn from the wall."]
    assert (page.status_code, page.context["form"].errors) == (422, {"last_tile": errors})
    program, address = link_client(evening.row.link_key), f"{game_at(evening.row)}hands/"
    hand: dict[str, Any] = {"winner": 2, "scores": {"2": 100}, "won_by": "discard"}
    unsaid = send(program, address, hand_payload(**hand))
    assert faults(unsaid) == [("discarder_missing", "discarder")]
    response = send(program, address, hand_payload(**hand, discarder=3))
    assert (response.status_code, response.json()["scores"]) == (201, {"2": 100})
    assert response.json()["gains"] == {"1": 0, "2": 200, "3": -200, "4": 0}


@pytest.mark.parametrize("rules", ["baggaley"])
def test_the_table_says_who_was_first_to_100(phone: Phone, rules: str) -> None:
    assert "First to 100" in phone.text()
    enter(phone, **FOUR_SCORES)
    enter(phone, winner=2, score_2=40)
    page = phone.look()
    assert page.context["form"] is None
    winner = page.context["table"].names[2]
    assert f"{winner} has won: first to 100" in page.content.decode()


def test_baggaleys_tables_are_of_four_and_start_with_north_after_east(cast: Cast) -> None:
    evening = AtEvening.create(playing("baggaley", cast), players=5)
    places = tables_of(evening.row.session)[0].places
    assert [place.wind for place in places] == ["E", "N", "W", "S"]


@pytest.mark.parametrize(
    ("rules", "expected"),
    [
        ("bmja", (True, True, False)),
        ("safalra", (True, False, False)),
        ("tallies", (False, True, True)),
        ("baggaley", (True, False, False)),
        ("english", (True, True, False)),
    ],
)
def test_a_program_reads_what_a_hand_must_tell(
    client: Client, db: None, rules: str, expected: tuple[bool, bool, bool]
) -> None:
    answer = {rule["key"]: rule for rule in client.get("/api/v1/rules/").json()["results"]}
    keys = ("losers_score", "players_pay", "asks_who_discarded")
    assert tuple(answer[rule_set(rules).key][name] for name in keys) == expected
