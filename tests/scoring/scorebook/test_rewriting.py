"""Several hands put right in one go, undone for a day, or told anew as their paper has them."""

from collections.abc import Callable
from datetime import timedelta
from functools import partial
from typing import Any

import pytest
from django.utils import timezone
from hypothesis import HealthCheck, given, settings, strategies as st
from hypothesis.extra.django import TestCase

from scoring import rule_set_keys
from scoring.scorebook import services
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Game, Hand, HandState, Repair, RepairKind
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import game_view, repairs_of
from scoring.scorebook.services import Mistake
from scoring.scorebook.services.rewriting import swap_seats
from tests.scoring.scorebook.book import (
    DRAWN,
    EAST_WINS,
    FIGURES,
    NORTH_WINS,
    SEATS,
    SHEETS,
    SOUTH_WINS,
    WEST_WINS,
    WINNER,
    correct,
    current,
    nothing_differs,
    open_game,
    open_tables,
    play,
    points,
    put_right,
    record,
    refusals,
    seats_mixed,
    sheets,
    standing,
    undo,
    winds,
)

pytestmark = pytest.mark.django_db


# Wrong seats


def test_players_who_sat_in_each_others_place_had_each_others_winds(game: Game) -> None:
    play(game, SOUTH_WINS, EAST_WINS, EAST_WINS)
    winds_before = winds(game)
    put_right(seats_mixed(game, 2, 3, 4))
    winds_after = winds(game)
    assert winds_after[0] == winds_before[0]
    assert (winds_after[1][2], winds_after[1][3]) == (winds_before[1][3], winds_before[1][2])
    assert [hand.winner for hand in current(game)] == [2, 1, 1]
    assert nothing_differs(game)


def test_east_who_was_south_is_paid_as_east(game: Game) -> None:
    """South's 60 was told of the second player; if that was East, everyone pays double."""
    play(game, SOUTH_WINS)
    assert points(game)[1] == 240
    put_right(seats_mixed(game, 1, 1, 2))
    assert (winds(game), points(game)[1]) == (["SEWN"], 360)


def test_where_the_winds_are_right_the_gains_move_to_the_other(game: Game) -> None:
    play(game, SOUTH_WINS, EAST_WINS)
    points_before = points(game)
    put_right(seats_mixed(game, 1, 1, 2, names_are_right=False))
    points_after = points(game)
    assert (points_after[0], points_after[1], points_after[2:]) == (
        points_before[1],
        points_before[0],
        points_before[2:],
    )
    assert [hand.winner for hand in current(game)] == [1, 2]
    assert nothing_differs(game)


def test_they_sat_so_up_to_a_hand_and_were_back_after_it(game: Game) -> None:
    play(game, EAST_WINS, EAST_WINS, EAST_WINS)
    put_right(seats_mixed(game, 2, 3, 4, last=2))
    assert winds(game) == ["ESWN", "ESNW", "ESWN"]
    game.refresh_from_db()
    assert game.exchanges == [[2, 3, 4], [3, 3, 4]]


def test_play_goes_on_in_the_places_that_they_have(game: Game) -> None:
    play(game, EAST_WINS, EAST_WINS)
    put_right(seats_mixed(game, 2, 3, 4))
    assert record(game, 3, EAST_WINS).hand.deal["winds"] == {"1": "E", "2": "S", "3": "N", "4": "W"}


def test_only_hands_from_the_first_on_are_replaced(game: Game) -> None:
    first_hand = play(game, EAST_WINS, EAST_WINS, EAST_WINS)[0]
    put_right(seats_mixed(game, 2, 3, 4))
    assert current(game)[0] == first_hand
    assert [hand.reason for hand in current(game)] == ["", *["Seen on the paper"] * 2]
    assert [hand.sent_by for hand in current(game)] == ["table 1", "user 7", "user 7"]


# Figures, a winner, sheets


def test_figures_entered_the_wrong_way_round_are_changed_about(game: Game) -> None:
    play(game, SOUTH_WINS, SOUTH_WINS, SOUTH_WINS)
    put_right(Mistake(kind=FIGURES, game_id=game.pk, first=1, last=2, seats=(1, 3)))
    assert [hand.scores[1] for hand in current(game)] == [8, 8, 20]
    assert [hand.scores[3] for hand in current(game)] == [20, 20, 8]
    assert nothing_differs(game)


def test_another_winner_moves_every_later_wind(game: Game) -> None:
    play(game, SOUTH_WINS, SOUTH_WINS, SOUTH_WINS, WEST_WINS, NORTH_WINS)
    put_right(Mistake(kind=WINNER, game_id=game.pk, first=3, report=NORTH_WINS))
    assert [hand.deal["dealer"] for hand in current(game)] == [1, 2, 2, 3, 3]
    assert [hand.winner for hand in current(game)] == [2, 2, 4, 3, 4]


def test_two_tables_sheets_change_tables(two: list[Game]) -> None:
    game, other_game = two
    play(game, EAST_WINS, SOUTH_WINS, DRAWN)
    play(other_game, EAST_WINS, WEST_WINS, NORTH_WINS, DRAWN)
    put_right(sheets(game, other_game, first=2))
    assert [hand.winner for hand in current(game)] == [1, 3, 4, None]
    assert [hand.winner for hand in current(other_game)] == [1, 2, None]
    right_one, right_other = open_game(), open_game()
    play(right_one, EAST_WINS, WEST_WINS, NORTH_WINS, DRAWN)
    play(right_other, EAST_WINS, SOUTH_WINS, DRAWN)
    assert (standing(game), standing(other_game)) == (standing(right_one), standing(right_other))
    assert nothing_differs(game)


def test_a_sheet_may_have_been_entered_at_the_wrong_table_altogether(two: list[Game]) -> None:
    game, other_game = two
    play(game, EAST_WINS, SOUTH_WINS)
    repair = put_right(sheets(other_game, game))
    assert (points(game), len(current(game)), len(current(other_game))) == ([0, 0, 0, 0], 0, 2)
    undo(repair)
    assert (points(other_game), len(current(game)), len(current(other_game))) == (
        [0, 0, 0, 0],
        2,
        0,
    )
    assert nothing_differs(game)


def test_a_table_cannot_get_more_hands_than_it_plays() -> None:
    game, other_game = open_tables(2, hands_planned=2)
    Game.objects.filter(pk=game.pk).update(hands_planned=1)
    play(game, EAST_WINS)
    play(other_game, EAST_WINS, SOUTH_WINS)
    field_messages = refusals(lambda: put_right(sheets(game, other_game)))
    assert field_messages == [
        (f"games.{game.pk}.hands.2", "Hand 2 would not fit: The game was over after 1 hand.")
    ]


def test_tables_of_other_rules_keep_their_sheets(game: Game) -> None:
    five = open_game(5)
    play(game, EAST_WINS)
    ((field, _),) = refusals(lambda: put_right(sheets(game, five)))
    assert field == "other"


# What is refused


@pytest.mark.parametrize(
    ("mistake_fields", "field"),
    [
        ({"kind": SEATS, "first": 3, "seats": (1, 2)}, "first"),
        ({"kind": SEATS, "first": 0, "seats": (1, 2)}, "first"),
        ({"kind": SEATS, "first": 2, "last": 1, "seats": (1, 2)}, "last"),
        ({"kind": SEATS, "first": 1, "last": 9, "seats": (1, 2)}, "last"),
        ({"kind": SEATS, "first": 1, "seats": (2, 2)}, "other_seat"),
        ({"kind": SEATS, "first": 1, "seats": (2, 5)}, "seat"),
        ({"kind": FIGURES, "first": 1}, "other_seat"),
        ({"kind": WINNER, "first": 1}, "winner"),
        ({"kind": SHEETS, "first": 1}, "other"),
    ],
)
def test_what_there_is_not_cannot_be_put_right(
    game: Game, mistake_fields: dict[str, Any], field: str
) -> None:
    play(game, EAST_WINS, SOUTH_WINS)
    assert [
        refused_field
        for refused_field, _ in refusals(
            lambda: put_right(Mistake(game_id=game.pk, **mistake_fields))
        )
    ] == [field]
    assert not Repair.objects.exists()


def test_a_repair_that_changes_nothing_is_refused(game: Game) -> None:
    play(game, DRAWN)
    mistake = Mistake(kind=FIGURES, game_id=game.pk, first=1, seats=(1, 2))
    assert refusals(lambda: put_right(mistake)) == [
        ("", "This would not change anything. Check the hands again.")
    ]


def test_a_winner_who_would_sit_out_is_named_with_the_hand() -> None:
    game = open_game(5)
    play(game, EAST_WINS, EAST_WINS)
    field_messages = refusals(lambda: put_right(seats_mixed(game, 2, 1, 5)))
    assert [(field, message.partition(":")[0]) for field, message in field_messages] == [
        (f"games.{game.pk}.hands.2", "Hand 2 would not fit")
    ]
    assert (len(game.hands.all()), game_view(game).totals[1]) == (2, points(game)[0])


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201])
def test_a_repair_says_why(game: Game, reason: str) -> None:
    play(game, EAST_WINS)
    field_messages = refusals(lambda: put_right(seats_mixed(game, 1, 1, 2), reason=reason))
    assert [field for field, _ in field_messages] == ["reason"]


def test_what_is_done_is_what_was_looked_at(game: Game) -> None:
    play(game, EAST_WINS)
    mistake = seats_mixed(game, 1, 3, 4)
    mark = services.repair_games(mistake=mistake, description="", reason="x", made_by="user 7").mark
    undo(Repair.objects.get())
    ((_, message),) = refusals(lambda: put_right(mistake, mark=mark))
    assert message.startswith(
        "A hand was entered or changed while you were working, so nothing has been saved"
    )


def test_a_dispute_about_the_figures_outlives_the_change_of_winds(game: Game) -> None:
    hands = play(game, EAST_WINS, EAST_WINS)
    Hand.objects.filter(pk=hands[1].pk).update(state=HandState.DISPUTED)
    put_right(seats_mixed(game, 1, 3, 4))
    assert [hand.state for hand in current(game)] == [HandState.DECIDED, HandState.DISPUTED]


def test_a_repair_taken_back_leaves_everything_as_it_was(game: Game) -> None:
    play(game, SOUTH_WINS, EAST_WINS, EAST_WINS)
    state_before = standing(game)
    undo(put_right(seats_mixed(game, 2, 3, 4)))
    game.refresh_from_db()
    assert (standing(game), game.exchanges) == (state_before, [])
    assert current(game)[2].reason == "Undone: Seen on the paper"
    assert nothing_differs(game)


def test_hands_played_after_a_repair_stay_when_it_is_taken_back(two: list[Game]) -> None:
    game, other_game = two
    play(game, EAST_WINS)
    play(other_game, SOUTH_WINS, WEST_WINS)
    repair = put_right(sheets(game, other_game))
    record(game, 3, NORTH_WINS)
    record(other_game, 2, DRAWN)
    undo(repair)
    assert [hand.winner for hand in current(game)] == [1, 4]
    assert [hand.winner for hand in current(other_game)] == [2, 3, None]
    assert nothing_differs(game)


def test_what_was_disputed_before_is_disputed_again(game: Game, hand: Hand) -> None:
    Hand.objects.filter(pk=hand.pk).update(state=HandState.DISPUTED)
    undo(put_right(Mistake(kind=WINNER, game_id=game.pk, first=1, report=WEST_WINS)))
    assert current(game)[0].state == HandState.DISPUTED


def test_a_repair_is_taken_back_once(game: Game) -> None:
    play(game, EAST_WINS)
    repair = put_right(seats_mixed(game, 1, 3, 4))
    undo(repair)
    assert refusals(lambda: undo(repair)) == [("", "This correction has already been undone.")]


def test_a_repair_can_be_taken_back_for_a_day(game: Game) -> None:
    play(game, EAST_WINS)
    repair = put_right(seats_mixed(game, 1, 3, 4))
    (row,) = repairs_of([game.pk])
    assert row.can_be_undone(repair.made_at + timedelta(hours=24))
    assert not row.can_be_undone(repair.made_at + timedelta(hours=24, seconds=1))
    Repair.objects.filter(pk=repair.pk).update(made_at=timezone.now() - timedelta(hours=25))
    ((_, message),) = refusals(lambda: undo(repair))
    assert "more than a day old" in message


def test_a_repair_stays_once_a_hand_of_it_was_corrected(game: Game) -> None:
    play(game, EAST_WINS, EAST_WINS)
    repair = put_right(seats_mixed(game, 1, 3, 4))
    correct(current(game)[1], DRAWN, reason="drawn")
    ((_, message),) = refusals(lambda: undo(repair))
    assert message.startswith("Hand 2 has been changed since")


def test_the_later_repair_is_taken_back_first(game: Game) -> None:
    play(game, EAST_WINS, EAST_WINS, EAST_WINS)
    first = put_right(seats_mixed(game, 1, 3, 4, last=1))
    second = put_right(seats_mixed(game, 3, 2, 3))
    ((_, message),) = refusals(lambda: undo(first))
    assert message.startswith("The seats have been corrected again since")
    undo(second)
    undo(first)
    assert winds(game) == ["ESWN"] * 3


# Laws

TOTALS = st.sampled_from([0, 4, 8, 20, 32])
KEYS = rule_set_keys()


@st.composite
def games(draw: st.DrawFn) -> tuple[str, list[Report]]:
    """A rule set and a few hands for four players: a winner with 40, or nobody."""
    key = draw(st.sampled_from(KEYS))
    rules = rule_set(key)
    hands = []
    for winner in draw(st.lists(st.sampled_from([1, 2, 3, 4, None]), min_size=1, max_size=5)):
        if winner is None:
            hands.append(DRAWN)
            continue
        losers = [seat for seat in (1, 2, 3, 4) if seat != winner]
        loser_totals = {seat: draw(TOTALS) for seat in losers} if rules.losers_score else {}
        discarder = draw(st.sampled_from(losers))
        hands.append(
            Report(
                winner=winner,
                totals={winner: 40, **loser_totals},
                won_by="discard",
                discarder=discarder,
            )
        )
    return key, hands


def outcome(act: Callable[[], object]) -> object:
    """What it gave, or that it was refused."""
    try:
        return act()
    except Refused:
        return None


class RepairsCanBeTakenBack(TestCase):
    """Random games of random rule sets, a random repair: undone, everything is as before."""

    @settings(deadline=None, max_examples=15, suppress_health_check=list(HealthCheck))
    @given(
        key_and_hands=games(),
        kind=st.sampled_from([SEATS, FIGURES]),
        first=st.integers(1, 5),
        extra_hands=st.none() | st.integers(0, 3),
        pair=st.sampled_from([(1, 2), (1, 3), (2, 3), (3, 4), (1, 4)]),
        names_are_right=st.booleans(),
    )
    def test_undone_is_as_before(
        self,
        key_and_hands: tuple[str, list[Report]],
        kind: RepairKind,
        first: int,
        extra_hands: int | None,
        pair: tuple[int, int],
        names_are_right: bool,
    ) -> None:
        key, hands = key_and_hands
        game = open_game(rules=key)
        for number, report in enumerate(hands, start=1):
            outcome(partial(record, game, number, report))
        state_before = standing(game)
        mistake = Mistake(
            kind=kind,
            game_id=game.pk,
            first=first,
            last=None if extra_hands is None else first + extra_hands,
            seats=pair,
            names_are_right=names_are_right,
        )
        repair_result = outcome(lambda: put_right(mistake))
        assert nothing_differs(game)
        if isinstance(repair_result, Repair):
            undo(repair_result)
        game.refresh_from_db()
        assert (standing(game), game.exchanges) == (state_before, [])
        assert nothing_differs(game)


@given(winner=st.sampled_from([1, 2, 3, 4]), pair=st.sampled_from([(1, 2), (1, 3), (2, 4)]))
def test_a_report_changed_about_twice_is_the_same(winner: int, pair: tuple[int, int]) -> None:
    report = Report(
        winner=winner,
        totals={1: 10, 2: 20, 3: 30, 4: 40},
        tiles={2: {"concealed": []}},
        discarder=2,
        pays_for_all=1,
    )
    assert swap_seats(swap_seats(report, *pair), *pair) == report


def tell(game: Game, *reports: Report, seen_keys: list[int] | None = None) -> None:
    standing = [hand.pk for hand in current(game)]
    services.rewrite_from_reports(
        game_id=game.pk,
        reports=reports,
        seen_keys=standing if seen_keys is None else seen_keys,
        written_by="user 1",
        reason="As on the paper score sheet",
    )


def test_a_hand_that_was_forgotten_comes_in_and_later_ones_are_played_again(game: Game) -> None:
    play(game, SOUTH_WINS, EAST_WINS)
    other_game = open_game()
    play(other_game, SOUTH_WINS, WEST_WINS, EAST_WINS)
    tell(game, SOUTH_WINS, WEST_WINS, EAST_WINS)
    assert (winds(game), points(game)) == (winds(other_game), points(other_game))
    assert [hand.reason for hand in current(game)] == ["", *["As on the paper score sheet"] * 2]
    assert nothing_differs(game)


def test_a_hand_that_was_entered_twice_goes_and_stays_in_the_book(game: Game) -> None:
    first, repeated_hand, _ = play(game, SOUTH_WINS, SOUTH_WINS, DRAWN)
    tell(game, SOUTH_WINS, DRAWN)
    assert [hand.winner for hand in current(game)] == [2, None]
    assert current(game)[0].pk == first.pk
    assert not Hand.objects.get(pk=repeated_hand.pk).is_current
    assert nothing_differs(game)


def test_hands_that_are_told_as_before_stay_as_they_are(game: Game) -> None:
    keys_before = [hand.pk for hand in play(game, SOUTH_WINS, DRAWN)]
    tell(game, SOUTH_WINS, DRAWN)
    assert [hand.pk for hand in current(game)] == keys_before


def test_where_a_hand_was_entered_meanwhile_nothing_is_done(game: Game) -> None:
    play(game, SOUTH_WINS, DRAWN)
    with pytest.raises(Refused, match="entered or changed while you were working"):
        tell(game, WEST_WINS, DRAWN, seen_keys=[])
    assert [hand.winner for hand in current(game)] == [2, None]


def test_a_hand_that_cannot_be_is_named(game: Game) -> None:
    play(game, SOUTH_WINS, DRAWN)
    wrong = Report(winner=3, totals={1: 20, 2: 8, 3: 37, 4: 4})
    with pytest.raises(Refused, match="Hand 2 would not fit: 37 cannot be scored"):
        tell(game, SOUTH_WINS, wrong, DRAWN)
    with pytest.raises(Refused, match="not the number of a seat"):
        tell(game, Report(winner="x"))  # type: ignore[arg-type]
    assert nothing_differs(game)
