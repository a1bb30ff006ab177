"""The scorer puts several hands of an evening right: looks first, does it, takes it back."""

from datetime import date
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.urls import reverse
from pytest_django import DjangoAssertNumQueries

from clubs.evenings.event import EveningTable
from clubs.evenings.selectors.evenings import rankings_of, result_of
from clubs.evenings.services import evenings
from clubs.models import Session, SessionTable
from clubs.table import services as at_table
from scoring.scorebook.models import Hand, Repair, RepairKind
from scoring.scorebook.refusals import Refused
from scoring.scorebook.repairs import Mistake
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.clubs.nights import DRAWN, SECOND_WINS, make_players, make_season, night, post
from tests.people import PASSWORD, Cast

FIRST_WINS = Report(winner=1, totals={1: 60, 2: 20, 3: 8, 4: 4})


@pytest.fixture
def session(cast: Cast) -> Session:
    """Two tables within a season: Ann, Ben, Cy, Di at the first, Ed, Flo, Gus, Hal at the other."""
    make_season(cast.club)
    players = make_players(cast.club, 8)
    return night(cast.club, date(2026, 11, 17), players[:4], players[4:])


@pytest.fixture
def table(session: Session) -> SessionTable:
    return session.tables.get(number=1)


@pytest.fixture
def scorer(client: Client, cast: Cast) -> Client:
    client.login(username=cast.scorer.email, password=PASSWORD)
    return client


def desk(table: SessionTable) -> str:
    return reverse("evening-table", args=["riverside", table.session_id, table.number])


def wizard(table: SessionTable) -> str:
    return reverse("evening-repair", args=["riverside", table.session_id, table.number])


def seats_mixed(table: SessionTable, *, first: int = 1) -> Mistake:
    """The first two players had each other's winds."""
    return Mistake(kind=RepairKind.SEATS, game_id=table.game_id, first=first, seats=(1, 2))


def put_right(table: SessionTable, mistake: Mistake) -> Repair:
    return at_table.repair_hands(
        table=EveningTable(table),
        mistake=mistake,
        words="what was done",
        reason="seen on paper",
        made_by="user 1",
    ).repair


SEATS_TOLD = {
    "kind": "seats",
    "seat": 1,
    "other_seat": 2,
    "first": 1,
    "last": "end",
    "right": "names",
}


def save(scorer: Client, table: SessionTable, told: dict[str, Any], **more: Any) -> Any:
    """Look at it, then do it with the mark that the page carries."""
    seen = scorer.post(wizard(table), {**told, "step": "see"})
    assert seen.status_code == 200
    carried = {**told, "mark": seen.context["mark"], "reason": "seen on paper", "step": "save"}
    return scorer.post(wizard(table), {**carried, **more})


def test_the_wizard_asks_what_happened(scorer: Client, table: SessionTable) -> None:
    post(table, FIRST_WINS)
    page = scorer.get(wizard(table)).content.decode()
    for words in ("sat in each other’s seats", "Another player went", "figures", "sheets"):
        assert words in page


def test_the_evening_leads_to_what_was_put_right(
    client: Client, cast: Cast, table: SessionTable
) -> None:
    there = reverse("evening-repairs", args=["riverside", table.session_id])
    evening = reverse("evening", args=["riverside", table.session_id])
    post(table, FIRST_WINS)
    client.login(username=cast.scorer.email, password=PASSWORD)
    assert there in client.get(evening).content.decode()
    client.login(username=cast.player.email, password=PASSWORD)
    assert there not in client.get(evening).content.decode()


def test_there_is_nothing_to_put_right_before_the_first_hand(
    scorer: Client, table: SessionTable
) -> None:
    assert "There is nothing to correct" in scorer.get(wizard(table)).content.decode()


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("seats", ["seat", "other_seat", "first", "last", "right"]),
        ("figures", ["seat", "other_seat", "first", "last"]),
        ("sheets", ["other", "first"]),
    ],
)
def test_each_kind_has_its_questions(
    scorer: Client, table: SessionTable, kind: str, fields: list[str]
) -> None:
    post(table, FIRST_WINS)
    page = scorer.get(wizard(table), {"kind": kind})
    assert list(page.context["form"].fields) == fields


def test_looking_shows_who_moves_and_changes_nothing(scorer: Client, table: SessionTable) -> None:
    post(table, SECOND_WINS, DRAWN)
    before = result_of(table.session)
    page = scorer.post(wizard(table), {**SEATS_TOLD, "step": "see"})
    evening, league = page.context["moved"]
    told = [(move.after.name, move.words, move.figures) for move in evening.moves]
    assert told == [
        ("Ben", "stays 1", (("+240", "+360"),)),
        ("Ann", "stays 6", (("−64", "−92"),)),
        ("Cy", "stays 7", (("−80", "−128"),)),
        ("Di", "stays 8", (("−96", "−140"),)),
    ]
    assert league.title.endswith("Autumn 2026")
    assert [hand.number for hand in page.context["changes"][0].hands] == [1, 2]
    assert (result_of(table.session), Repair.objects.count()) == (before, 0)
    assert Hand.objects.filter(is_current=False).count() == 0


def test_what_was_looked_at_is_done(scorer: Client, cast: Cast, table: SessionTable) -> None:
    post(table, SECOND_WINS)
    table.session.refresh_from_db()
    version = table.session.version
    answer = save(scorer, table, SEATS_TOLD)
    assert answer["Location"] == desk(table)
    made = Repair.objects.get()
    assert made.words == (
        "Ann and Ben sat in each other’s seats from hand 1 on: only the winds are swapped."
    )
    assert (made.reason, made.made_by) == ("seen on paper", f"user {cast.scorer.pk}")
    table.session.refresh_from_db()
    assert table.session.version == version + 1
    assert table.game.seats.get(number=2).points == 360
    assert recount().differences == ()


def test_the_table_reads_what_was_put_right_and_why(scorer: Client, table: SessionTable) -> None:
    post(table, SECOND_WINS)
    save(scorer, table, SEATS_TOLD)
    for address in (reverse("table", args=[table.link_key]), desk(table)):
        page = scorer.get(address).content.decode()
        assert "Ann and Ben sat in each other’s seats" in page
        assert "seen on paper" in page


def test_figures_are_put_right_by_the_form(scorer: Client, table: SessionTable) -> None:
    post(table, SECOND_WINS, SECOND_WINS)
    told = {"kind": "figures", "seat": 3, "other_seat": 4, "first": 2, "last": 2}
    save(scorer, table, told)
    hands = table.game.hands.filter(is_current=True).order_by("number")
    assert [(hand.score_3, hand.score_4) for hand in hands] == [(8, 4), (4, 8)]
    assert Repair.objects.get().words == "The scores of Cy and Di are swapped in hand 2."


def test_another_winner_is_chosen_for_a_hand(scorer: Client, table: SessionTable) -> None:
    post(table, SECOND_WINS, SECOND_WINS)
    listed = scorer.get(wizard(table), {"kind": "winner"})
    assert "?kind=winner&amp;hand=2" in listed.content.decode()
    form = scorer.get(wizard(table), {"kind": "winner", "hand": "1"}).context["form"]
    assert form["score_2"].value() == 60
    told: dict[str, Any] = {"kind": "winner", "hand": 1, "winner": 1, "score_1": 60, "score_2": 20}
    save(scorer, table, told)
    current = table.game.hands.filter(is_current=True).order_by("number")
    assert [(hand.winner, hand.deal["dealer"]) for hand in current] == [(1, 1), (2, 1)]
    assert Repair.objects.get().words == "Hand 1: Ann went Mah-Jong."


def test_two_tables_sheets_change_tables(
    scorer: Client, session: Session, table: SessionTable
) -> None:
    other = session.tables.get(number=2)
    post(table, SECOND_WINS)
    post(other, FIRST_WINS, DRAWN)
    save(scorer, table, {"kind": "sheets", "other": other.game_id, "first": 1})
    assert (
        table.game.hands.filter(is_current=True).count(),
        other.game.seats.get(number=2).points,
    ) == (2, 240)
    assert Repair.objects.get().words == "All hands of table 1 and table 2 are swapped."
    assert recount().differences == ()


@pytest.mark.parametrize(
    ("told", "field"),
    [
        ({**SEATS_TOLD, "other_seat": 1}, "other_seat"),
        ({**SEATS_TOLD, "right": ""}, "right"),
        ({**SEATS_TOLD, "first": 9}, "first"),
        ({**SEATS_TOLD, "first": 2, "last": 1}, "last"),
        ({"kind": "figures"}, "seat"),
        ({"kind": "sheets", "other": "7", "first": 1}, "other"),
        ({"kind": "winner", "hand": 1, "winner": ""}, "winner"),
    ],
)
def test_what_is_missing_is_asked_for_at_its_field(
    scorer: Client, table: SessionTable, told: dict[str, Any], field: str
) -> None:
    post(table, SECOND_WINS, DRAWN)
    page = scorer.post(wizard(table), {**told, "step": "see"})
    assert (page.status_code, field in page.context["form"].errors) == (422, True)


@pytest.mark.parametrize("told", [{"kind": "nonsense"}, {"kind": "winner", "hand": "x"}, {}])
def test_an_unknown_kind_is_asked_for_again(
    scorer: Client, table: SessionTable, told: dict[str, str]
) -> None:
    post(table, DRAWN)
    assert scorer.post(wizard(table), told).status_code == 200
    assert scorer.get(wizard(table), told).status_code == 200


def test_a_hand_that_no_longer_fits_is_named_with_its_player(scorer: Client, cast: Cast) -> None:
    players = make_players(cast.club, 5)
    table = night(cast.club, date(2026, 11, 17), players).tables.get()
    post(table, FIRST_WINS)
    told = {**SEATS_TOLD, "other_seat": 5}
    page = scorer.post(wizard(table), {**told, "step": "see"})
    ((sentence,),) = page.context["form"].errors.values()
    assert page.status_code == 422
    assert sentence == (
        "Table 1, hand 1 would not fit: Ann would sit out and cannot have gone Mah-Jong."
    )


def test_without_a_reason_nothing_is_done_and_nothing_is_lost(
    scorer: Client, table: SessionTable
) -> None:
    post(table, SECOND_WINS)
    page = save(scorer, table, SEATS_TOLD, reason=" ")
    assert (page.status_code, Repair.objects.count()) == (422, 0)
    assert ("seat", "1") in page.context["carried"]
    assert "Enter a reason for the correction." in page.content.decode()


def test_a_hand_entered_meanwhile_is_looked_at_first(scorer: Client, table: SessionTable) -> None:
    post(table, SECOND_WINS)
    seen = scorer.post(wizard(table), {**SEATS_TOLD, "step": "see"}).context["mark"]
    at_table.post_hand(
        table=EveningTable(table), submission_id=uuid4(), number=2, report=DRAWN, sent_by="table 1"
    )
    told = {**SEATS_TOLD, "mark": seen, "reason": "paper", "step": "save"}
    page = scorer.post(wizard(table), told)
    assert (page.status_code, Repair.objects.count()) == (422, 0)
    assert "A hand was entered or changed while you were working" in page.content.decode()
    again = {**told, "mark": page.context["mark"]}
    assert scorer.post(wizard(table), again).status_code == 302


def test_what_was_said_can_be_changed(scorer: Client, table: SessionTable) -> None:
    post(table, SECOND_WINS)
    form = scorer.post(wizard(table), {**SEATS_TOLD, "step": "change"}).context["form"]
    assert [form[name].value() for name in ("seat", "other_seat")] == ["1", "2"]


def test_a_repair_is_taken_back(scorer: Client, table: SessionTable) -> None:
    post(table, SECOND_WINS)
    made = put_right(table, seats_mixed(table))
    back = reverse("evening-repair-back", args=["riverside", table.session_id, 1, made.pk])
    assert back in scorer.get(desk(table)).content.decode()
    page = scorer.get(back)
    assert page.context["moved"][0].moves[0].after.figures == ("+240",)
    assert table.game.seats.get(number=2).points == 360
    assert scorer.post(back)["Location"] == desk(table)
    assert table.game.seats.get(number=2).points == 240
    listed = scorer.get(reverse("evening-repairs", args=["riverside", table.session_id]))
    assert "undone" in listed.content.decode()
    assert (
        "This correction has already been undone" in scorer.get(back, follow=True).content.decode()
    )
    assert recount().differences == ()


def test_another_tables_repair_is_not_found(
    scorer: Client, session: Session, table: SessionTable
) -> None:
    post(table, SECOND_WINS)
    made = put_right(table, seats_mixed(table))
    back = reverse("evening-repair-back", args=["riverside", session.pk, 2, made.pk])
    assert scorer.get(back).status_code == 404


def test_a_finished_evening_is_not_repaired(scorer: Client, table: SessionTable) -> None:
    post(table, SECOND_WINS)
    evenings.close_session(session=table.session)
    assert scorer.get(wizard(table))["Location"] == desk(table)
    with pytest.raises(Refused, match="This evening is finished"):
        put_right(table, seats_mixed(table))


def test_another_evenings_table_keeps_its_sheet(cast: Cast, table: SessionTable) -> None:
    elsewhere = night(
        cast.club,
        date(2026, 11, 24),
        [place.player for place in table.places.order_by("seat__number")],
    ).tables.get()
    post(table, SECOND_WINS)
    mistake = Mistake(
        kind=RepairKind.SHEETS, game_id=table.game_id, other_id=elsewhere.game_id, first=1
    )
    with pytest.raises(Refused, match="Choose a table of this evening"):
        put_right(table, mistake)


@pytest.mark.parametrize(
    ("who", "may"),
    [
        ("secretary", 200),
        ("director", 403),
        ("scorer", 200),
        ("player", 403),
        ("member of another club", 403),
        ("nobody", 302),
    ],
)
def test_who_may_put_hands_right(
    client: Client, cast: Cast, table: SessionTable, who: str, may: int
) -> None:
    post(table, SECOND_WINS)
    made = put_right(table, seats_mixed(table))
    if user := cast.everybody()[who]:
        client.login(username=user.email, password=PASSWORD)
    back = reverse("evening-repair-back", args=["riverside", table.session_id, 1, made.pk])
    listed = reverse("evening-repairs", args=["riverside", table.session_id])
    assert [client.get(at).status_code for at in (wizard(table), back, listed)] == [may] * 3


@pytest.mark.parametrize("count", [1, 3])
def test_the_list_of_repairs_costs_the_same_however_long(
    scorer: Client,
    table: SessionTable,
    count: int,
    django_assert_num_queries: DjangoAssertNumQueries,
) -> None:
    post(table, SECOND_WINS)
    for _ in range(count):
        put_right(table, seats_mixed(table))
    address = reverse("evening-repairs", args=["riverside", table.session_id])
    with django_assert_num_queries(5):
        scorer.get(address)


def test_the_league_moves_with_the_evening(session: Session, table: SessionTable) -> None:
    post(table, SECOND_WINS)
    before = {row.name: row.figures for row in rankings_of(session)[1].rows}
    put_right(table, seats_mixed(table))
    after = {row.name: row.figures for row in rankings_of(session)[1].rows}
    assert (before["Ben"], after["Ben"]) == (("+240",), ("+360",))
