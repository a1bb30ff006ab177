"""An evening under each of the five rule sets, through the doors that the players use."""

from datetime import date
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse

from clubs.evenings.selectors.evenings import tables_of
from clubs.evenings.services import evenings
from clubs.models import Club, SessionTable
from scoring import rule_set, rule_set_keys
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.verifying import recount
from tests.api import faults, send, told
from tests.clubs.tables import seated_evening, sheet
from tests.people import Cast

pytestmark = pytest.mark.django_db

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
def club(cast: Cast, rules: str) -> Club:
    cast.club.rules = rules
    cast.club.save()
    return cast.club


@pytest.fixture
def table(club: Club) -> SessionTable:
    return seated_evening(club).tables.get()


def enter(client: Client, phone: str, **typed: Any) -> Hand:
    """Type a hand, look at who pays whom, save it, and let the table agree."""
    looked_at = client.post(phone, sheet(client.get(phone), **typed))
    client.post(phone, {**looked_at.context["form"].typed, "step": "save"})
    hand = Hand.objects.latest("pk")
    key = phone.rstrip("/").rpartition("/")[2]
    shown = client.get(phone).context["page"].reviews[hand.pk].shown
    client.post(reverse("table-agree", args=[key, hand.pk]), {"shown": shown})
    hand.refresh_from_db()
    assert hand.state == HandState.AGREED
    return hand


def said_on(client: Client, address: str) -> str:
    answer = client.get(address)
    assert answer.status_code == 200
    return " ".join(answer.content.decode().split())


@pytest.mark.parametrize("rules", rule_set_keys())
def test_an_evening_is_played_to_its_end_and_no_page_says_none(
    client: Client, cast: Cast, table: SessionTable, phone: str, rules: str
) -> None:
    hand = enter(client, phone, **SECOND_WINS[rules])
    assert hand.gains == GAINS[rules]
    assert enter(client, phone, drawn="yes").gains == dict.fromkeys((1, 2, 3, 4), 0)
    client.force_login(cast.secretary)
    evening = ["riverside", table.session_id]
    for address in (
        phone,
        reverse("table-standings", args=[table.link_key]),
        reverse("evening-table", args=[*evening, table.number]),
        reverse("evening-hand", args=[*evening, table.number, hand.pk]),
        reverse("evening", args=evening),
        reverse("result", args=evening),
        reverse("wall", args=[table.session.wall_key]),
    ):
        assert "None" not in said_on(client, address)
    evenings.close_session(session=table.session)
    result = client.get(reverse("result", args=evening)).context["rows"]
    assert [row.points for row in result] == sorted(GAINS[rules].values(), reverse=True)
    assert recount().differences == ()


@pytest.mark.parametrize("rules", rule_set_keys())
def test_the_scorer_corrects_a_hand(
    client: Client, cast: Cast, table: SessionTable, phone: str, rules: str
) -> None:
    hand = enter(client, phone, **SECOND_WINS[rules])
    client.force_login(cast.scorer)
    where = ["riverside", table.session_id, table.number, hand.pk]
    address = reverse("evening-hand", args=where)
    shown = client.get(address).context["form"]
    carried = {name: shown[name].value() or "" for name in shown.fields if name != "reason"}
    changed = {**carried, "winner": 4, "score_4": 60, "score": 100, "reason": "North won"}
    assert client.post(address, {**changed, "step": "save"}).status_code == 302
    assert Hand.objects.latest("pk").winner == 4
    assert recount().differences == ()


@pytest.mark.parametrize("rules", ["safalra", "baggaley", "english"])
def test_no_wind_prevails_where_the_rules_have_none(client: Client, phone: str, rules: str) -> None:
    assert "prevails" not in said_on(client, phone)


@pytest.mark.parametrize("rules", ["safalra", "baggaley"])
def test_scores_that_add_up_have_no_sign_and_nobody_pays(
    client: Client, phone: str, rules: str
) -> None:
    looked_at = client.post(phone, sheet(client.get(phone), **FOUR_SCORES)).content.decode()
    assert "No one pays: each player adds their own score." in looked_at
    assert "Gain" not in looked_at
    enter(client, phone, **FOUR_SCORES)
    assert "+60" not in said_on(client, phone)


@pytest.mark.parametrize("rules", ["tallies"])
def test_with_tallies_the_dealer_is_marked_and_the_winds_stay(
    client: Client, phone: str, rules: str
) -> None:
    late = sheet(client.get(phone), step="save", winner=2, score=200, last_tile="wall")
    enter(client, phone, **ONE_SCORE)
    square = client.get(phone).context["square"]
    assert "".join(chair.wind for chair in square) == "ESWN"
    assert [chair.dealer for chair in square] == [False, True, False, False]
    stands = client.post(phone, late)  # a different report is shown beside what stands
    assert stands.status_code == 409
    assert "The winner drew the last tile." in stands.content.decode()


@pytest.mark.parametrize("rules", ["tallies"])
def test_with_tallies_it_is_asked_who_discarded(
    client: Client, table: SessionTable, phone: str, rules: str
) -> None:
    page = client.post(phone, sheet(client.get(phone), winner=2, score=100))
    said = ["Choose who discarded the last tile, or say it was drawn from the wall."]
    assert (page.status_code, page.context["form"].errors) == (422, {"last_tile": said})
    programs_phone = f"/api/v1/t/{table.link_key}/"
    hand: dict[str, Any] = {"winner": 2, "scores": {"2": 100}, "won_by": "discard"}
    unsaid = send(client, programs_phone, told(**hand))
    assert faults(unsaid) == [("discarder_missing", "discarder")]
    kept = send(client, programs_phone, told(**hand, discarder=3))
    assert (kept.status_code, kept.json()["scores"]) == (201, {"2": 100})
    assert kept.json()["gains"] == {"1": 0, "2": 200, "3": -200, "4": 0}


@pytest.mark.parametrize("rules", ["baggaley"])
def test_the_table_says_who_was_first_to_100(client: Client, phone: str, rules: str) -> None:
    assert "First to 100" in said_on(client, phone)
    enter(client, phone, **FOUR_SCORES)
    enter(client, phone, winner=2, score_2=40)
    page = client.get(phone)
    assert page.context["form"] is None
    winner = page.context["table"].names[2]
    assert f"{winner} has won: first to 100" in page.content.decode()


@pytest.mark.parametrize("rules", ["baggaley"])
def test_baggaleys_tables_are_of_four_and_start_with_north_after_east(club: Club) -> None:
    session = seated_evening(club, players=5, held_on=date(2026, 11, 10))
    places = tables_of(session)[0].places
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
    answer = {rule["key"]: rule for rule in client.get("/api/v1/rules/").json()}
    keys = ("losers_score", "players_pay", "asks_who_discarded")
    assert tuple(answer[rule_set(rules).key][name] for name in keys) == expected
