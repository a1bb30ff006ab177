"""At a club table: the phone page behind the printed card, and the organisers' page."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.messages import get_messages
from django.test import Client
from django.urls import reverse

from clubs.evenings.event import EveningTable
from clubs.evenings.services import evenings
from clubs.models import SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Hand, HandState, LedgerEntry
from scoring.scorebook.reports import Report
from tests.clubs.tables import seated_evening, sheet
from tests.people import Cast

SOUTH_WINS: dict[str, str | int] = {
    "winner": 2,
    "score_1": 20,
    "score_2": 60,
    "score_3": 8,
    "score_4": 4,
}


def names(table: SessionTable) -> dict[int, str]:
    places = table.places.select_related("player", "seat")
    return {place.seat.number: place.player.name for place in places}


def enter(client: Client, phone: str, **typed: str | int) -> Hand:
    """Enter a hand and save it, as the table does."""
    answer = client.post(phone, sheet(client.get(phone), step="save", **typed))
    hand = Hand.objects.latest("pk")
    assert (answer.status_code, answer["Location"]) == (302, f"{phone}?saved={hand.number}")
    return hand


def test_the_page_names_the_seats_with_winds_and_what_prevails(
    client: Client, table: SessionTable, phone: str
) -> None:
    page = client.get(phone)
    seats = [(chair.wind, chair.name) for chair in page.context["square"]]
    assert seats == list(zip("ESWN", [names(table)[seat] for seat in (1, 2, 3, 4)], strict=True))
    assert page.context["deal"].prevailing_wind == "E"


def test_a_hand_is_shown_before_it_is_saved(
    client: Client, table: SessionTable, phone: str
) -> None:
    page = client.post(phone, sheet(client.get(phone), **SOUTH_WINS))
    called = names(table)
    told = [(paid.payer, paid.payee, paid.points) for paid in page.context["hand"].transfers]
    assert told == [
        (called[payer], called[payee], points)
        for payer, payee, points in [
            (1, 2, 120), (3, 2, 60), (4, 2, 60), (3, 1, 24), (4, 1, 32), (4, 3, 4)
        ]
    ]  # fmt: skip
    assert [line.gain for line in page.context["hand"].lines] == [-64, 240, -80, -96]
    assert Hand.objects.count() == 0


def test_an_empty_score_is_said_to_be_nothing(client: Client, phone: str) -> None:
    page = client.post(phone, sheet(client.get(phone), winner=2, score_2=60, score_1=20))
    assert page.content.decode().count("no score: 0") == 2


def test_what_the_preview_carries_is_saved(client: Client, phone: str) -> None:
    page = client.post(phone, sheet(client.get(phone), **SOUTH_WINS))
    client.post(phone, {**page.context["form"].typed, "step": "save"})
    hand = Hand.objects.get()
    assert (hand.winner, hand.scores) == (2, {1: 20, 2: 60, 3: 8, 4: 4})
    assert hand.sent_by == f"table {hand.game.session_table.pk}"


def test_change_brings_the_typed_hand_back(client: Client, phone: str) -> None:
    typed = sheet(client.get(phone), step="change", winner=2, score_1="2O", score_2="60")
    form = client.post(phone, typed).context["form"]
    assert [form[name].value() for name in ("winner", "score_1", "score_2")] == ["2", "2O", "60"]
    assert form["submission_id"].value() == typed["submission_id"]


def test_a_drawn_hand_is_two_presses_and_a_goulash_follows(client: Client, phone: str) -> None:
    page = client.post(phone, sheet(client.get(phone), drawn="yes"))
    client.post(phone, {**page.context["form"].typed, "step": "save"})
    assert Hand.objects.get().winner is None
    assert client.get(phone).context["deal"].goulash is True


def test_east_passes_and_the_totals_run(client: Client, table: SessionTable, phone: str) -> None:
    enter(client, phone, **SOUTH_WINS)
    square = client.get(phone).context["square"]
    assert [(chair.wind, chair.note) for chair in square] == [
        ("E", "+240"), ("S", "−80"), ("W", "−96"), ("N", "−64")
    ]  # fmt: skip
    assert [chair.position for chair in square] == [2, 3, 4, 1]
    assert [chair.dealer for chair in square] == [True, False, False, False]


@pytest.mark.parametrize(
    ("typed", "field"),
    [
        ({"winner": 2, "score_2": 60, "score_1": 37}, "score_1"),
        ({"winner": 2, "score_2": 60, "score_1": 1002}, "score_1"),
        ({"winner": 2, "score_2": 60, "score_1": -4}, "score_1"),
        ({"winner": 2, "score_2": 60, "score_1": "forty"}, "score_1"),
        ({"winner": 2, "score_2": "9" * 400}, "score_2"),
        ({"winner": 2, "score_1": 20}, "score_2"),
        ({"score_1": 20}, "winner"),
        ({"winner": 5, "score_1": 20}, "winner"),
        ({"winner": 2, "score_2": 60, "pays_for_all": 2}, "pays_for_all"),
    ],
)
def test_what_cannot_be_is_said_at_its_field(
    client: Client, phone: str, typed: dict[str, str | int], field: str
) -> None:
    page = client.post(phone, sheet(client.get(phone), step="save", **typed))
    assert page.status_code == 422
    assert set(page.context["form"].errors) == {field}
    assert Hand.objects.count() == 0
    sent = {name: page.context["form"][name].value() for name in typed}
    assert sent == {name: str(value) for name, value in typed.items()}


def test_everything_wrong_is_said_at_once(client: Client, phone: str) -> None:
    typed: dict[str, str | int] = {"winner": 2, "score_1": 37, "score_2": 4000, "score_3": "forty"}
    page = client.post(phone, sheet(client.get(phone), **typed))
    assert set(page.context["form"].errors) == {"score_1", "score_2", "score_3"}


def test_two_winners_are_refused(client: Client, phone: str) -> None:
    typed = {**sheet(client.get(phone), score_1=20), "winner": ["1", "2"]}
    page = client.post(phone, typed)
    said = ["Two players are marked. Choose the one who went Mah-Jong."]
    assert (page.status_code, page.context["form"].errors) == (422, {"winner": said})


def test_the_same_form_twice_is_one_hand(client: Client, phone: str) -> None:
    typed = sheet(client.get(phone), step="save", **SOUTH_WINS)
    for _ in range(2):
        assert client.post(phone, typed).status_code == 302
    assert (Hand.objects.count(), LedgerEntry.objects.count()) == (1, 4)


def test_the_same_form_with_other_figures_shows_both(client: Client, phone: str) -> None:
    typed = sheet(client.get(phone), step="save", **SOUTH_WINS)
    client.post(phone, typed)
    page = client.post(phone, {**typed, "score_1": "24"})
    assert (page.status_code, page.context["form"].report.totals[1]) == (409, 24)
    assert Hand.objects.get().scores[1] == 20


def test_two_phones_with_the_same_figures_are_one_hand(client: Client, phone: str) -> None:
    first, second = (sheet(client.get(phone), step="save", **SOUTH_WINS) for _ in range(2))
    client.post(phone, first)
    answer = client.post(phone, second)
    assert [str(said) for said in get_messages(answer.wsgi_request)][-1] == (
        "Hand 1 was already recorded with the same scores."
    )
    assert Hand.objects.count() == 1


@pytest.mark.parametrize("step", ["check", "save"])
def test_two_phones_with_different_figures_see_what_stands(
    client: Client, phone: str, step: str
) -> None:
    late = sheet(client.get(phone), step=step, winner=3, score_3=84, score_1=12)
    enter(client, phone, **SOUTH_WINS)
    page = client.post(phone, late)
    assert page.status_code == 409
    assert page.context["hand"].row.scores == {1: 20, 2: 60, 3: 8, 4: 4}
    assert page.context["form"].report == Report(winner=3, totals={1: 12, 2: 0, 3: 84, 4: 0})
    assert Hand.objects.count() == 1


def test_the_newest_hand_is_said_to_be_saved_however_often_it_is_asked(
    client: Client, table: SessionTable, phone: str
) -> None:
    first = "Hand 1 saved."
    assert first not in client.get(f"{phone}?saved=1").content.decode()
    enter(client, phone, **SOUTH_WINS)
    for _ in range(2):
        assert first in client.get(f"{phone}?saved=1").content.decode()
    assert first not in client.get(phone).content.decode()
    enter(client, phone, **SOUTH_WINS)
    assert first not in client.get(f"{phone}?saved=1").content.decode()


@pytest.mark.parametrize("verdict", [HandState.AGREED, HandState.DISPUTED])
def test_the_table_agrees_or_does_not(
    client: Client, table: SessionTable, phone: str, verdict: HandState
) -> None:
    hand = enter(client, phone, **SOUTH_WINS)
    door = "table-agree" if verdict == HandState.AGREED else "table-dispute"
    shown = client.get(phone).context["page"].reviews[hand.pk].shown
    told = {"shown": shown, "seat": "" if verdict == HandState.AGREED else "3"}
    answer = client.post(reverse(door, args=[table.link_key, hand.pk]), told)
    assert (answer.status_code, answer["Location"]) == (302, phone)
    hand.refresh_from_db()
    assert hand.state == verdict


def test_a_hand_of_another_game_cannot_be_agreed(client: Client, table: SessionTable) -> None:
    address = reverse("table-agree", args=[table.link_key, 999_999])
    assert client.post(address).status_code == 404


def test_a_link_only_looks_when_it_is_opened(client: Client, table: SessionTable) -> None:
    assert client.get(reverse("table-agree", args=[table.link_key, 1])).status_code == 405


def test_a_card_that_opens_nothing_says_what_to_do(client: Client, db: None) -> None:
    page = client.get(reverse("table", args=["no-such-key"]))
    assert page.status_code == 404
    assert "Ask the organiser for your table’s new card" in page.content.decode()


def test_five_play_in_turn(client: Client, cast: Cast) -> None:
    table = seated_evening(cast.club, players=5).tables.get()
    page = client.get(reverse("table", args=[table.link_key]))
    assert [chair.key for chair in page.context["square"] if not chair.plays] == ["5"]
    assert "sits out this hand" in page.content.decode()
    assert [place.number for place in page.context["form"].places] == [1, 2, 3, 4]


def test_a_finished_evening_takes_no_hand_and_loses_nothing(
    client: Client, table: SessionTable, phone: str
) -> None:
    enter(client, phone, **SOUTH_WINS)
    typed = sheet(client.get(phone), step="save", winner=1, score_1=64)
    evenings.close_session(session=table.session)
    assert client.get(phone).context["form"] is None
    page = client.post(phone, typed)
    assert page.status_code == 422
    assert page.context["form"]["score_1"].value() == "64"
    said = ["This game is finished, so you cannot add more hands."]
    assert page.context["form"].errors == {"__all__": said}


def test_other_phones_hear_of_a_hand_once(client: Client, phone: str) -> None:
    mark = client.get(phone).context["page"].mark
    assert client.get(phone, {"v": mark}).status_code == 204
    enter(client, phone, **SOUTH_WINS)
    news = client.get(phone, {"v": mark}).content.decode()
    assert "Hand 1 was entered by someone else." in news


def test_asking_for_news_is_cheap(
    client: Client, table: SessionTable, phone: str, django_assert_num_queries: Any
) -> None:
    mark = client.get(phone).context["page"].mark
    with django_assert_num_queries(2):
        client.get(phone, {"v": mark})


@pytest.mark.parametrize("hands", [1, 3])
def test_the_page_asks_the_same_however_many_hands(
    client: Client, table: SessionTable, phone: str, hands: int, django_assert_num_queries: Any
) -> None:
    for number in range(1, hands + 1):
        at_table.post_hand(
            table=EveningTable(table),
            submission_id=uuid4(),
            number=number,
            report=Report(winner=None),
            sent_by="table 1",
        )
    with django_assert_num_queries(8):
        client.get(phone)


def test_the_standings_follow(client: Client, table: SessionTable, phone: str) -> None:
    address = reverse("table-standings", args=[table.link_key])
    version = client.get(address).context["version"]
    assert client.get(address, {"v": version}).status_code == 204
    enter(client, phone, **SOUTH_WINS)
    rows = client.get(address, {"v": version}).context["rows"]
    assert [row.points for row in rows] == [240, -64, -80, -96]
