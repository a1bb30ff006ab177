"""Rulings on a hand, which follow it: corrected, undone, entered again, decided, swapped."""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Final
from uuid import uuid4

import pytest
from django.test import Client
from pytest_django.asserts import assertContains

from clubs.table import services as at_table
from scoring.rules.rule_set import Consequence
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Hand, HandState, RepairKind
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.services import Mistake, RepairResult
from scoring.scorebook.verifying import recount
from scoring.table.settlement import scale
from tests.people import Cast
from tests.tournaments.cups import (
    DRAWN,
    case,
    correct,
    page_of,
    post,
    seated_cup,
    send_hand,
    tables,
)
from tournaments.models import Ruling, RulingKind, Table
from tournaments.results.selectors.results import rulings_at
from tournaments.rounds.rulings import NO_MAHJONG
from tournaments.table import services
from tournaments.table.event import RoundTable

pytestmark = pytest.mark.django_db

# East scores 4, South 52 and Mah-Jong, West 8, North 0: -104, +208, -36, -68.
SOUTH_WINS = Report(winner=2, totals={1: 4, 2: 52, 3: 8, 4: 0})
SOUTH_WINS_TWICE_AS_MUCH = replace(SOUTH_WINS, totals={1: 4, 2: 104, 3: 8, 4: 0})
# West scores 30 and Mah-Jong: East pays 60, South and North 30 each; nobody else has scored.
WEST_WINS = Report(winner=3, totals={1: 0, 2: 0, 3: 30, 4: 0})
EAST_WINS = Report(winner=1, totals={1: 30, 2: 0, 3: 0, 4: 0})
WEST_PAYS_FOR_ALL = replace(SOUTH_WINS, pays_for_all=3)
ON_EAST = "Letting off a cannon"


@pytest.fixture
def table(cast: Cast) -> Table:
    """The first of two tables; South has won its first hand. The second has a hand of West's."""
    first, second = tables(seated_cup(entrants=8, rounds=1, hands=4, club=cast.club))
    post(first, SOUTH_WINS)
    post(second, WEST_WINS)
    return first


def points(table: Table) -> list[int]:
    return list(table.game.seats.order_by("number").values_list("points", flat=True))


def hand_of(table: Table, number: int = 1) -> Hand:
    return table.game.hands.get(number=number, is_current=True)


def undo(table: Table) -> None:
    at_table.undo_last_hand(table=RoundTable(table), hand_id=hand_of(table).pk, taken_by="table 1")


def repair(table: Table, kind: RepairKind, **mistake_fields: object) -> RepairResult:
    mistake = Mistake(kind=kind, game_id=table.game_id, first=1, **mistake_fields)  # type: ignore[arg-type]
    return at_table.repair_hands(
        table=RoundTable(table),
        mistake=mistake,
        description="",
        reason="mixed up",
        made_by="user 1",
    )


def swap_sheets(table: Table) -> RepairResult:
    other_table = tables(table.round.tournament)[1]
    return repair(table, RepairKind.SHEETS, other_id=other_table.game_id)


def swap_and_swap_back(table: Table) -> None:
    undone = swap_sheets(table).repair
    at_table.undo_repair(table=RoundTable(table), repair=undone, undone_by="user 1")


def dispute_and_decide(table: Table) -> None:
    hand = hand_of(table)
    Hand.objects.filter(pk=hand.pk).update(state=HandState.DISPUTED)
    at_table.confirm_hand(
        table=RoundTable(table), hand_id=hand.pk, reason="as seen", made_by="user 1"
    )


def tell_from_paper(table: Table) -> None:
    telling = at_table.PaperAccount([SOUTH_WINS_TWICE_AS_MUCH.as_json()], [], [hand_of(table).pk])
    at_table.post_sheet(table=RoundTable(table), hands=[], sent_by="user 1", telling=telling)


def undo_and_enter(report: Report) -> Callable[[Table], None]:
    def change(table: Table) -> None:
        undo(table)
        send_hand(table, 1, report)

    return change


@dataclass(frozen=True)
class Way:
    """How a hand changes, and the gains of East, South, West and North if East pays for all."""

    change: Callable[[Table], object]
    charged_gains: tuple[int, int, int, int]
    plain: tuple[int, int, int, int]


WAYS: Final = {
    "nothing happens": Way(lambda _table: None, (-208, 208, 0, 0), (-104, 208, -36, -68)),
    "corrected": Way(
        lambda table: correct(table, SOUTH_WINS_TWICE_AS_MUCH),
        (-416, 416, 0, 0),
        (-208, 416, -88, -120),
    ),
    "corrected to another winner": Way(
        lambda table: correct(table, WEST_WINS), (-120, 0, 120, 0), (-60, -30, 120, -30)
    ),
    "corrected to the payer’s own Mah-Jong": Way(
        lambda table: correct(table, EAST_WINS), (180, -60, -60, -60), (180, -60, -60, -60)
    ),
    "corrected to nobody": Way(lambda table: correct(table, DRAWN), (0, 0, 0, 0), (0, 0, 0, 0)),
    "corrected so that the hand says who pays": Way(
        lambda table: correct(table, WEST_PAYS_FOR_ALL), (0, 208, -208, 0), (0, 208, -208, 0)
    ),
    "corrected and put back": Way(
        lambda table: (correct(table, DRAWN), correct(table, SOUTH_WINS)),
        (-208, 208, 0, 0),
        (-104, 208, -36, -68),
    ),
    "undone": Way(undo, (0, 0, 0, 0), (0, 0, 0, 0)),
    "undone and entered again": Way(
        undo_and_enter(SOUTH_WINS_TWICE_AS_MUCH), (-416, 416, 0, 0), (-208, 416, -88, -120)
    ),
    "decided": Way(dispute_and_decide, (-208, 208, 0, 0), (-104, 208, -36, -68)),
    "scores swapped": Way(
        lambda table: repair(table, RepairKind.FIGURES, seats=(2, 3), last=1),
        (-208, 0, 208, 0),
        (-104, -36, 208, -68),
    ),
    "another winner by a repair": Way(
        lambda table: repair(table, RepairKind.WINNER, report=WEST_WINS),
        (-120, 0, 120, 0),
        (-60, -30, 120, -30),
    ),
    "sheets swapped": Way(swap_sheets, (-120, 0, 120, 0), (-60, -30, 120, -30)),
    "sheets swapped and back": Way(swap_and_swap_back, (-208, 208, 0, 0), (-104, 208, -36, -68)),
    "as on paper": Way(tell_from_paper, (-416, 416, 0, 0), (-208, 416, -88, -120)),
}
PAY_FOR_ALL: Final = ("pays_for_all", "cannon", "misnamed_for_mahjong")


def plus(gains: tuple[int, ...], ruling_points: Mapping[str, int]) -> list[int]:
    return [gain + ruling_points.get(str(seat), 0) for seat, gain in enumerate(gains, start=1)]


@pytest.mark.parametrize("kind", PAY_FOR_ALL)
@pytest.mark.parametrize("hand_change", WAYS.values(), ids=WAYS)
def test_whoever_pays_for_all_pays_for_the_hand_as_it_stands(
    table: Table, hand_change: Way, kind: str
) -> None:
    ruling = services.make_ruling(case=case(table, 1), what=kind, number=1)
    hand_change.change(table)
    assert points(table) == list(hand_change.charged_gains)
    ruling.refresh_from_db()
    assert plus(hand_change.plain, ruling.points) == list(hand_change.charged_gains)
    assert recount().differences == ()


@pytest.mark.parametrize("hand_change", WAYS.values(), ids=WAYS)
def test_a_cancelled_ruling_leaves_the_hand_as_it_stands(table: Table, hand_change: Way) -> None:
    ruling = services.make_ruling(case=case(table, 1), what="cannon", number=1)
    hand_change.change(table)
    cancel(ruling)
    assert points(table) == list(hand_change.plain)
    correct_to_draw = Hand.objects.filter(game=table.game, number=1, is_current=True)
    if correct_to_draw.exists():
        correct(table, DRAWN)
    assert points(table) == [0, 0, 0, 0]


def cancel(ruling: Ruling) -> None:
    ruling.refresh_from_db()
    services.cancel_ruling(
        ruling=ruling, reason="wrong table", ruled_by="user 1", submission_id=uuid4()
    )


# The mistake, on South who has won hand 1 of `table`; with its fine, and what has to be corrected.
FIXED: Final = {
    key: incident for key, incident in scale(rule_set("bmja")).items() if not incident.pays_for_all
}


@pytest.mark.parametrize("hand_change", WAYS.values(), ids=WAYS)
def test_a_fine_stays_the_same_however_its_hand_changes(table: Table, hand_change: Way) -> None:
    fines: Counter[str] = Counter()
    for key in FIXED:
        claimant = {"claimant": 3} if key == "misnamed_discard" else {}
        ruling = services.make_ruling(case=case(table, 1), what=key, number=2, **claimant)
        fines.update(ruling.points)
    services.make_ruling(case=case(table, 4), what="adjustment", points=-70)
    fines.update({"4": -70})
    hand_change.change(table)
    assert points(table) == plus(hand_change.plain, fines)


@pytest.mark.parametrize(
    "key", [key for key, incident in FIXED.items() if incident.consequence in NO_MAHJONG]
)
def test_a_mistake_that_rules_out_mah_jong_is_refused_while_the_hand_counts(
    table: Table, key: str
) -> None:
    with pytest.raises(Refused, match="Hand 1 is saved and still counts"):
        services.make_ruling(case=case(table, 2), what=key, number=1)
    assert not Ruling.objects.exists()
    correct(table, DRAWN)
    services.make_ruling(case=case(table, 2), what=key, number=1)
    assert [row.note for row in rulings_at(table)] == [""]
    correct(table, SOUTH_WINS)
    (row,) = rulings_at(table)
    assert row.note.startswith("Hand 1 is saved and still counts")


def test_a_void_hand_counts_for_whoever_it_was_until_it_is_undone(table: Table) -> None:
    with pytest.raises(Refused, match="correct it to “Nobody”, or let the table undo it"):
        services.make_ruling(case=case(table, 3), what="false_mahjong_exposed", number=1)
    undo(table)
    services.make_ruling(case=case(table, 3), what="false_mahjong_exposed", number=1)
    assert points(table) == [500, 500, -1500, 500]
    send_hand(table, 1, SOUTH_WINS)
    (row,) = rulings_at(table)
    assert row.note.startswith("Hand 1 is saved and still counts")


def test_too_many_tiles_score_nothing(table: Table) -> None:
    with pytest.raises(Refused, match="still counts 8 for this player, who scores nothing"):
        services.make_ruling(case=case(table, 3), what="too_many_tiles", number=1)
    services.make_ruling(case=case(table, 4), what="too_many_tiles", number=1)


@pytest.mark.parametrize("kind", PAY_FOR_ALL)
@pytest.mark.parametrize("seat", [1, 4])
def test_only_one_ruling_says_who_pays_for_all(table: Table, kind: str, seat: int) -> None:
    ruling = services.make_ruling(case=case(table, 1), what="cannon", number=1)
    with pytest.raises(Refused, match="By a ruling, one player already pays for everyone"):
        services.make_ruling(case=case(table, seat), what=kind, number=1)
    assert points(table) == [-208, 208, 0, 0]
    cancel(ruling)
    services.make_ruling(case=case(table, 4), what=kind, number=1)
    assert points(table) == [0, 208, 0, -208]


def test_the_hand_itself_says_who_pays(table: Table) -> None:
    correct(table, WEST_PAYS_FOR_ALL)
    with pytest.raises(Refused, match="In hand 1 one player already pays for everyone"):
        services.make_ruling(case=case(table, 1), what="cannon", number=1)


def test_the_same_penalty_is_given_once_for_a_hand(table: Table) -> None:
    for number in (None, 1, 2):
        services.make_ruling(
            case=case(table, 3), what="misnamed_discard", claimant=4, number=number
        )
        with pytest.raises(Refused, match="already has this ruling"):
            services.make_ruling(
                case=case(table, 3), what="misnamed_discard", claimant=4, number=number
            )
    services.make_ruling(case=case(table, 4), what="misnamed_discard", claimant=3)
    with pytest.raises(Refused, match="Hand 7 has not been dealt at this table"):
        services.make_ruling(case=case(table, 4), what="too_few_tiles", number=7)


def test_a_ruling_sent_twice_counts_once_also_after_its_hand_changed(table: Table) -> None:
    ruling_case = case(table, 1)
    first = services.make_ruling(case=ruling_case, what="cannon", number=1)
    undo(table)
    assert services.make_ruling(case=ruling_case, what="cannon", number=1) == first
    assert points(table) == [0, 0, 0, 0]


def correction_page(table: Table) -> str:
    cup, hand = table.round.tournament, hand_of(table)
    return page_of(cup, f"rounds/1/tables/{table.number}/hands/{hand.pk}/correct/")


def test_the_correction_page_names_the_ruling_and_its_new_payments(
    director: Client, table: Table
) -> None:
    services.make_ruling(case=case(table, 1), what="cannon", number=1)
    form_data = {
        "winner": "2", "score_1": "4", "score_2": "104", "score_3": "8", "score_4": "0",
        "reason": "miscounted", "step": "check",
    }  # fmt: skip
    answer = director.post(correction_page(table), form_data)
    assertContains(answer, "Letting off a cannon")
    names = {seat: table.placements.get(seat__number=seat).entrant.name for seat in (1, 2, 3, 4)}
    now = f"Now: {names[1]} −104, {names[3]} +36, {names[4]} +68"
    new_payments = f"{names[1]} −208, {names[3]} +88, {names[4]} +120"
    assertContains(answer, now)
    assertContains(answer, new_payments)
    assert points(table) == [-208, 208, 0, 0]
    director.post(correction_page(table), {**form_data, "step": "save"})
    assert points(table) == [-416, 416, 0, 0]


def test_undoing_a_hand_says_what_becomes_of_its_ruling(director: Client, table: Table) -> None:
    services.make_ruling(case=case(table, 1), what="cannon", number=1)
    page = director.get(f"/r/{table.link_key}/hands/{hand_of(table).pk}/undo/")
    assertContains(page, "After this: <strong>no points</strong>")
    assertContains(page, "So this ruling moves no points now.")


def test_a_repair_previews_totals_with_their_rulings(director: Client, table: Table) -> None:
    services.make_ruling(case=case(table, 1), what="cannon", number=1)
    address = page_of(table.round.tournament, "rounds/1/tables/1/corrections/new/")
    form_data = {"kind": "figures", "seat": "2", "other_seat": "3", "first": "1", "last": "1"}
    page = director.post(address, {**form_data, "step": "look"})
    assertContains(page, "Letting off a cannon")
    assertContains(page, '<td class="num total">+208</td>')
    assertContains(page, '<td class="num total">−208</td>')


def test_every_consequence_and_kind_of_ruling_is_tried_here() -> None:
    assert {*Consequence} == {*NO_MAHJONG, Consequence.NONE, Consequence.PAYS_FOR_ALL}
    kinds = {RulingKind.PENALTY, RulingKind.PAYS_FOR_ALL, RulingKind.ADJUSTMENT}
    assert {*RulingKind} == kinds
