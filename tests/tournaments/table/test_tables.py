"""At a tournament's table: the phone page behind the printed card, and the organisers' page."""

import pytest
from django.test import Client
from django.urls import reverse

from scoring.scorebook.models import Hand, HandState
from tests.clubs.tables import sheet
from tests.people import PASSWORD, Cast
from tests.tournaments.cups import seated_tournament
from tournaments.models import Table, Tournament
from tournaments.steps import services

SOUTH_WINS: dict[str, str | int] = {
    "winner": 2, "score_1": 20, "score_2": 60, "score_3": 8, "score_4": 4
}  # fmt: skip


@pytest.fixture
def tournament(cast: Cast) -> Tournament:
    return seated_tournament(cast.club)


def card(tournament: Tournament, played: int) -> str:
    table = Table.objects.get(round__tournament=tournament, round__number=played)
    return reverse("round-table", args=[table.link_key])


def enter(client: Client, phone: str, **typed: str | int) -> Hand:
    answer = client.post(phone, sheet(client.get(phone), step="save", **typed))
    hand = Hand.objects.latest("pk")
    assert (answer.status_code, answer["Location"]) == (302, f"{phone}?saved={hand.number}")
    return hand


def test_a_hand_is_shown_saved_and_agreed(client: Client, tournament: Tournament) -> None:
    phone = card(tournament, 1)
    page = client.post(phone, sheet(client.get(phone), **SOUTH_WINS))
    assert [line.gain for line in page.context["hand"].lines] == [-64, 240, -80, -96]
    hand = enter(client, phone, **SOUTH_WINS)
    shown = client.get(phone).context["page"].reviews[hand.pk].shown
    client.post(f"{phone}hands/{hand.pk}/agree/", {"shown": shown})
    hand.refresh_from_db()
    assert (hand.state, hand.sent_by) == (
        HandState.AGREED,
        f"round table {hand.game.tournament_table.pk}",
    )


def test_all_hands_played_ends_the_round_at_the_table(
    client: Client, tournament: Tournament
) -> None:
    phone = card(tournament, 1)
    enter(client, phone, **SOUTH_WINS)
    page = client.get(phone)
    assert page.context["form"] is None
    assert [seat.points for seat in page.context["page"].final] == [240, -64, -80, -96]


def test_a_card_of_a_round_to_come_says_so(client: Client, tournament: Tournament) -> None:
    page = client.get(card(tournament, 2))
    assert page.context["form"] is None
    assert "Round 2 has not been started yet." in page.content.decode()


def test_a_card_of_a_round_that_is_closed_says_which_is_played(
    client: Client, tournament: Tournament
) -> None:
    phone = card(tournament, 1)
    typed = sheet(client.get(phone), step="save", winner=3, score_3=84)
    enter(client, phone, **SOUTH_WINS)
    services.close_round(tournament=tournament)
    services.start_round(tournament=tournament)
    said = "This card is for round 1, which is closed. Round 2 is being played"
    assert said in client.get(phone).content.decode()
    assert client.post(phone, typed).status_code == 422
    assert Hand.objects.count() == 1


def test_a_hand_for_a_round_that_is_not_open_is_refused_and_kept(
    client: Client, tournament: Tournament
) -> None:
    typed = {**sheet(client.get(card(tournament, 1)), step="save"), "winner": "1", "score_1": "64"}
    page = client.post(card(tournament, 2), typed)
    assert page.status_code == 422
    assert page.context["form"]["score_1"].value() == "64"
    said = "Round 2 has not been started yet. The director will start it."
    assert page.context["form"].errors == {"__all__": [said]}


def test_a_card_that_opens_nothing_says_what_to_do(client: Client, db: None) -> None:
    page = client.get(reverse("round-table", args=["no-such-key"]))
    assert page.status_code == 404
    assert "Ask the organiser for your table’s new card" in page.content.decode()


@pytest.mark.parametrize(
    ("who", "status"),
    [
        ("secretary", 200),
        ("director", 200),
        ("scorer", 200),
        ("player", 403),
        ("member of another club", 403),
        ("nobody", 302),
    ],
)
def test_who_may_enter_and_correct(
    client: Client, cast: Cast, tournament: Tournament, who: str, status: int
) -> None:
    hand = enter(client, card(tournament, 1), **SOUTH_WINS)
    if user := cast.everybody()[who]:
        client.login(username=user.email, password=PASSWORD)
    desk = reverse("tournament-table", args=["riverside", tournament.pk, 1, 1])
    correct = reverse("tournament-hand", args=["riverside", tournament.pk, 1, 1, hand.pk])
    assert [client.get(desk).status_code, client.get(correct).status_code] == [status, status]


def test_a_scorer_corrects_a_hand_of_a_closed_round(
    client: Client, cast: Cast, tournament: Tournament
) -> None:
    hand = enter(client, card(tournament, 1), **SOUTH_WINS)
    services.close_round(tournament=tournament)
    client.login(username=cast.scorer.email, password=PASSWORD)
    correct = reverse("tournament-hand", args=["riverside", tournament.pk, 1, 1, hand.pk])
    client.post(correct, {**SOUTH_WINS, "score_1": 24, "reason": "misread", "step": "save"})
    stands = Hand.objects.get(is_current=True)
    assert (stands.scores[1], stands.reason) == (24, "misread")


def test_a_finished_tournament_offers_no_correction(
    client: Client, cast: Cast, tournament: Tournament
) -> None:
    for played in (1, 2):
        enter(client, card(tournament, played), **SOUTH_WINS)
        services.close_round(tournament=tournament)
        if played == 1:
            services.start_round(tournament=tournament)
    services.finish_tournament(tournament=tournament)
    client.login(username=cast.scorer.email, password=PASSWORD)
    page = client.get(reverse("tournament-table", args=["riverside", tournament.pk, 1, 1]))
    assert "/correct/" not in page.content.decode()


def test_tiles_tapped_on_four_phones_are_one_hand_of_the_round(
    client: Client, tournament: Tournament
) -> None:
    phone = card(tournament, 1)
    for seat, taps in ((2, ["won:yes", "B1", "B1", "B1"]), (3, ["F1"])):
        sent = {"number": 1, "hand": "EE...lost", "was": "", "tap": taps}
        assert client.post(f"{phone}tiles/{seat}/", sent).status_code == 302
    page = client.get(phone)
    assert {seat: hand.text for seat, hand in page.context["tapped"].items()} == {
        2: "SE.B111..won",
        3: "WE..F1.lost",
    }
    answer = client.post(phone, sheet(page, score_2=60, score_1=20, step="type:2"))
    assert answer.context["hand"].row.scores == {1: 20, 2: 60, 3: 4, 4: 0}
    client.post(phone, {**answer.context["form"].typed, "step": "save"})
    assert set(Hand.objects.get().lines) == {"3"}


def test_no_tiles_are_tapped_before_the_round(client: Client, tournament: Tournament) -> None:
    answer = client.get(f"{card(tournament, 2)}tiles/2/", follow=True)
    assert answer.redirect_chain == [(card(tournament, 2), 302)]
