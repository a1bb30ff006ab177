"""Hands told by sticks that were counted, or by their winner alone: kept, settled, recounted."""

from dataclasses import replace

import pytest

from scoring.scorebook import services
from scoring.scorebook.models import Game, Hand
from scoring.scorebook.refusals import AlreadyStands, Finding, Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.scoring.scorebook.book import EAST_WINS, SOUTH_WINS, open_game, play, points, record

pytestmark = pytest.mark.django_db

STICKS = {1: 2000, 2: 2000, 3: 2000, 4: 2000}
COUNTED = Report(winner=2, tallies={1: 1936, 2: 2240, 3: 1920, 4: 1904}, had=STICKS)
UNEXPLAINED = Report(winner=2, tallies={1: 1936, 2: 2242, 3: 1920, 4: 1902}, had=STICKS)
ONLY_SOUTH = Report(winner=2, only_winner=True)


def counted(**tallies: int) -> Report:
    """The same hand with other counts: ``seat_4=1894``."""
    changed = {int(name.removeprefix("seat_")): count for name, count in tallies.items()}
    return replace(COUNTED, tallies={**COUNTED.tallies, **changed})


def problems(report: Report, game: Game | None = None) -> list[Finding]:
    with pytest.raises(Refused) as refused:
        record(game or open_game(), 1, report)
    assert Hand.objects.count() == 0
    return list(refused.value.problems)


def test_counted_sticks_settle_the_hand_as_its_scores_would() -> None:
    by_scores = record(open_game(), 1, SOUTH_WINS).hand
    hand = record(open_game(), 1, COUNTED).hand
    assert (hand.gains, hand.payments) == (by_scores.gains, by_scores.payments)
    assert hand.scores == {2: 60}
    assert points(hand.game) == [-64, 240, -80, -96]
    assert hand.game.seats.get(number=2).best_hand == 60


def test_ten_too_few_are_said_with_whose_count_it_perhaps_is() -> None:
    total, suspect = problems(counted(seat_4=1894))
    assert (
        total.sentence == "The counts add up to 7,990, but should add up to 8,000: 10 are missing."
    )
    assert (suspect.where, suspect.instead) == ("tallies.4", (1904,))  # type: ignore[attr-defined]
    assert suspect.sentence == "If North has 1,904, everything fits. Count these again."


def test_too_many_sticks_that_fit_nobody_are_to_be_counted_again() -> None:
    (total,) = problems(counted(seat_1=1937, seat_4=1905, seat_3=1921))
    assert total.sentence.endswith("3 too much. Count the sticks again.")


def test_counts_that_no_scores_lead_to_are_not_taken_at_once() -> None:
    (found,) = problems(UNEXPLAINED)
    assert found.where == "as_counted"
    assert found.sentence == (
        "These counts do not match any scores. South has gained 242; a Mah-Jong of 60 brings 240 "
        "and "
        "62 brings 248. Count again or, if the sticks are right, save the counts anyway."
    )


def test_the_sticks_can_have_the_last_word() -> None:
    hand = record(open_game(), 1, replace(UNEXPLAINED, as_counted=True)).hand
    assert (hand.gains, hand.scores, hand.payments) == ({1: -64, 2: 242, 3: -80, 4: -98}, {}, [])


def test_a_winner_who_has_no_more_than_before_is_asked_about() -> None:
    (found,) = problems(Report(winner=2, tallies=STICKS, had=STICKS))
    assert "South went Mah-Jong but has not gained anything." in found.sentence


def test_everybody_who_played_is_counted() -> None:
    three = {seat: count for seat, count in COUNTED.tallies.items() if seat != 3}
    (found,) = problems(replace(COUNTED, tallies=three))
    assert (found.where, found.sentence) == ("tallies.3", "Enter what West has now.")


def test_who_sits_out_keeps_what_they_have() -> None:
    told = replace(COUNTED, tallies={**COUNTED.tallies, 5: 2000}, had={**STICKS, 5: 2000})
    (found,) = problems(told, open_game(5))
    assert (found.where, found.code) == ("tallies.5", "bad_seat")


@pytest.mark.parametrize("rules", ["safalra", "baggaley"])
def test_where_nobody_pays_there_are_no_sticks(rules: str) -> None:
    game = services.open_game(rules=rules, size=4)
    assert [found.code for found in problems(COUNTED, game)] == ["no_sticks"]


def test_under_rules_where_the_discarder_pays_alone_sticks_tell_the_same() -> None:
    game = services.open_game(rules="tallies", size=4)
    report = Report(
        winner=2,
        won_by="discard",
        discarder=3,
        tallies={1: 2000, 2: 2160, 3: 1840, 4: 2000},
        had=STICKS,
    )
    hand = record(game, 1, report).hand
    assert (hand.scores, hand.payments) == ({2: 80}, [[3, 2, 160]])


def test_only_the_winner_passes_the_winds_and_moves_no_points() -> None:
    hand = record(open_game(), 1, ONLY_SOUTH).hand
    assert (hand.scores, hand.payments, set(hand.gains.values())) == ({}, [], {0})
    seat = hand.game.seats.get(number=2)
    assert (seat.mahjongs, seat.points, seat.best_hand) == (1, 0, 0)
    after = record(hand.game, 2, EAST_WINS).hand
    assert after.deal["winds"] == {"1": "N", "2": "E", "3": "S", "4": "W"}


@pytest.mark.parametrize("rules", ["bmja", "safalra", "tallies", "baggaley", "english"])
def test_only_the_winner_can_be_told_under_every_rule_set(rules: str) -> None:
    game = services.open_game(rules=rules, size=4)
    record(game, 1, ONLY_SOUTH)
    assert points(game) == [0, 0, 0, 0]
    assert recount().differences == ()


@pytest.mark.parametrize(
    ("report", "where"),
    [
        (replace(COUNTED, totals={2: 60}), "tallies"),
        (replace(ONLY_SOUTH, totals={2: 60}), "only_winner"),
        (replace(COUNTED, only_winner=True), "tallies"),
    ],
)
def test_a_hand_is_told_in_one_way(report: Report, where: str) -> None:
    assert [(found.where, found.code) for found in problems(report)] == [(where, "told_twice")]


@pytest.mark.parametrize("count", ["1936", True, 10**9, None])
def test_a_count_of_no_shape_is_refused(count: object) -> None:
    report = replace(COUNTED, tallies={**COUNTED.tallies, 1: count})  # type: ignore[dict-item]
    assert [(found.where, found.code) for found in problems(report)] == [("tallies.1", "bad_score")]


def test_nobody_pays_for_a_drawn_hand() -> None:
    found = problems(replace(COUNTED, winner=None))
    assert {one.sentence for one in found} == {"No one pays for a drawn hand."}


def test_a_game_told_in_every_way_is_recounted_and_corrected() -> None:
    game = open_game()
    hands = play(game, COUNTED, SOUTH_WINS, ONLY_SOUTH, replace(UNEXPLAINED, as_counted=True))
    assert recount().differences == ()
    services.correct_hand(
        hand_id=hands[0].pk, report=ONLY_SOUTH, corrected_by="user 7", reason="miscounted"
    )
    assert recount().differences == ()
    assert points(game) == [
        sum(hand.gains[seat] for hand in game.hands.filter(is_current=True)) for seat in range(1, 5)
    ]


def test_the_same_counts_again_are_the_same_hand_and_others_are_not() -> None:
    game = open_game()
    first = record(game, 1, COUNTED).hand
    again = record(game, 1, replace(COUNTED, had=dict.fromkeys(STICKS, 1990)))
    assert (again.hand, again.is_new) == (first, False)
    with pytest.raises(AlreadyStands):
        record(game, 1, counted(seat_1=1934, seat_4=1906))
