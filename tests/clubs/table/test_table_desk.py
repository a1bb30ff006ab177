"""The organisers' page of a club table: enter, correct, uphold, and what stood before."""

from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse

from clubs.evenings.event import EveningTable
from clubs.models import SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.reports import Report
from tests.clubs.tables import seated_evening, sheet
from tests.people import PASSWORD, Cast
from tests.scoring.scorebook.book import dispute

SOUTH_WINS = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
WEST_WON: dict[str, str | int] = {
    "winner": 3, "score_1": 20, "score_2": 28, "score_3": 60, "score_4": 4
}  # fmt: skip


@pytest.fixture
def table(cast: Cast) -> SessionTable:
    return seated_evening(cast.club).tables.get()


@pytest.fixture
def desk(table: SessionTable) -> str:
    return reverse("evening-table", args=["riverside", table.session_id, table.number])


@pytest.fixture
def scorer(client: Client, cast: Cast) -> Client:
    client.login(username=cast.scorer.email, password=PASSWORD)
    return client


def post(table: SessionTable, number: int, report: Report) -> Hand:
    return at_table.post_hand(
        table=EveningTable(table),
        submission_id=uuid4(),
        number=number,
        report=report,
        sent_by="table 1",
    ).hand


def address_of(table: SessionTable, hand: Hand) -> str:
    return reverse("evening-hand", args=["riverside", table.session_id, table.number, hand.pk])


@pytest.mark.parametrize(
    ("who", "may_enter", "may_correct"),
    [
        ("secretary", 200, 200),
        ("director", 200, 403),
        ("scorer", 200, 200),
        ("player", 403, 403),
        ("member of another club", 403, 403),
        ("nobody", 302, 302),
    ],
)
def test_who_may_enter_and_who_may_correct(
    client: Client,
    cast: Cast,
    table: SessionTable,
    desk: str,
    who: str,
    may_enter: int,
    may_correct: int,
) -> None:
    hand = post(table, 1, SOUTH_WINS)
    if user := cast.everybody()[who]:
        client.login(username=user.email, password=PASSWORD)
    answers = client.get(desk).status_code, client.get(address_of(table, hand)).status_code
    assert answers == (may_enter, may_correct)


def test_a_director_sees_no_button_to_correct(
    client: Client, cast: Cast, table: SessionTable, desk: str
) -> None:
    post(table, 1, SOUTH_WINS)
    client.login(username=cast.director.email, password=PASSWORD)
    assert "Correct" not in client.get(desk).content.decode()


def test_a_scorer_enters_a_hand(scorer: Client, cast: Cast, desk: str) -> None:
    answer = scorer.post(desk, sheet(scorer.get(desk), step="save", **WEST_WON))
    hand = Hand.objects.get()
    assert (answer["Location"], hand.winner) == (f"{desk}?saved=1", 3)
    assert hand.sent_by == f"user {cast.scorer.pk}"


def test_a_correction_starts_from_what_stands(scorer: Client, table: SessionTable) -> None:
    hand = post(table, 1, Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4}, pays_for_all=4))
    form = scorer.get(address_of(table, hand)).context["form"]
    names = ("winner", "score_1", "score_2", "score_3", "score_4", "pays_for_all")
    assert [form[name].value() for name in names] == [2, 20, 60, 8, 4, 4]


def test_the_scorer_sees_which_hands_a_correction_moves(
    scorer: Client, table: SessionTable
) -> None:
    first = post(table, 1, SOUTH_WINS)
    post(table, 2, Report(winner=None))
    east_won = {"winner": 1, "score_1": 60, "score_2": 20, "reason": "East won it"}
    page = scorer.post(address_of(table, first), east_won)
    assert [(old.row.number, new.row.dealer) for old, new in page.context["moved"]] == [
        (1, 1), (2, 1)
    ]  # fmt: skip
    assert Hand.objects.filter(is_current=False).count() == 0


def test_a_corrected_hand_stays_in_the_book(
    scorer: Client, cast: Cast, table: SessionTable, desk: str
) -> None:
    hand = post(table, 1, SOUTH_WINS)
    told = {**WEST_WON, "reason": "West won it", "step": "save"}
    assert scorer.post(address_of(table, hand), told)["Location"] == desk
    stands = Hand.objects.get(is_current=True)
    assert (stands.winner, stands.reason, stands.state) == (3, "West won it", HandState.DECIDED)
    assert stands.sent_by == f"user {cast.scorer.pk}"
    (row,) = scorer.get(desk).context["page"].book
    assert [(old.hand.row.pk, old.words) for old in row.past] == [(hand.pk, "corrected")]


def test_a_correction_needs_a_reason_and_keeps_what_was_typed(
    scorer: Client, table: SessionTable
) -> None:
    hand = post(table, 1, SOUTH_WINS)
    page = scorer.post(address_of(table, hand), {**WEST_WON, "step": "save"})
    said = ["Enter a reason for the change."]
    assert (page.status_code, page.context["form"].errors) == (422, {"reason": said})
    assert page.context["form"]["score_3"].value() == "60"


def test_a_correction_is_held_to_the_rules(scorer: Client, table: SessionTable) -> None:
    hand = post(table, 1, SOUTH_WINS)
    page = scorer.post(address_of(table, hand), {**WEST_WON, "score_1": 37, "reason": "slip"})
    assert set(page.context["form"].errors) == {"score_1"}


def test_the_scorer_lets_a_disputed_hand_stand(
    scorer: Client, table: SessionTable, desk: str
) -> None:
    hand = post(table, 1, SOUTH_WINS)
    dispute(hand)
    told = {"step": "uphold", "reason": "the paper sheet says so"}
    assert scorer.post(address_of(table, hand), told)["Location"] == desk
    hand.refresh_from_db()
    decision = hand.decisions.get()
    assert (hand.state, decision.reason) == (HandState.DECIDED, "the paper sheet says so")


def test_letting_a_hand_stand_needs_a_reason(scorer: Client, table: SessionTable) -> None:
    hand = post(table, 1, SOUTH_WINS)
    dispute(hand)
    answer = scorer.post(address_of(table, hand), {"step": "uphold", "reason": " "}, follow=True)
    assert answer.redirect_chain == [(address_of(table, hand), 302)]
    assert "Enter a reason" in answer.content.decode()
    hand.refresh_from_db()
    assert hand.state == HandState.DISPUTED


def test_a_hand_that_was_corrected_meanwhile_leads_back(
    scorer: Client, table: SessionTable, desk: str
) -> None:
    hand = post(table, 1, SOUTH_WINS)
    at_table.correct_hand(
        table=EveningTable(table),
        hand_id=hand.pk,
        report=Report(winner=None),
        corrected_by="user 1",
        reason="it was drawn",
    )
    answer = scorer.get(address_of(table, hand), follow=True)
    assert answer.redirect_chain == [(desk, 302)]
    assert "That hand has just been corrected." in answer.content.decode()


def test_a_table_that_is_not_there(scorer: Client, table: SessionTable) -> None:
    address = reverse("evening-table", args=["riverside", table.session_id, 9])
    assert scorer.get(address).status_code == 404


def test_another_clubs_table_is_not_there(scorer: Client, cast: Cast) -> None:
    elsewhere = seated_evening(cast.stranger.memberships.get().club)
    address = reverse("evening-table", args=["riverside", elsewhere.pk, 1])
    assert scorer.get(address).status_code == 404


def test_only_where_a_hand_is_entered_the_page_asks_for_tiles(
    client: Client, cast: Cast, table: SessionTable, desk: str
) -> None:
    hand = post(table, 1, SOUTH_WINS)
    client.login(username=cast.secretary.email, password=PASSWORD)
    asks = [b"/tiles/?v=" in client.get(at).content for at in (desk, address_of(table, hand))]
    assert asks == [True, False]
