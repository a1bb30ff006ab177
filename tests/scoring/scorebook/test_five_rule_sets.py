"""The score book under each rule set: who scores, who pays, who plays next, when it is over."""

from functools import partial

import pytest

from scoring import Deal, Wind
from scoring.scorebook import selectors
from scoring.scorebook.models import Game
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import recount
from tests.scoring.scorebook.book import DRAWN, codes, correct, open_game, play, points, record

pytestmark = pytest.mark.django_db


def make_report(winner: int, *totals: int) -> Report:
    return Report(winner=winner, totals=dict(enumerate(totals, start=1)))


def next_deal(game: Game) -> Deal:
    upcoming = selectors.game_view(game).next_deal
    assert upcoming is not None
    return upcoming


@pytest.mark.parametrize("rules", ["safalra", "baggaley"])
def test_where_nobody_pays_everybody_gains_what_he_scored(rules: str) -> None:
    game = open_game(rules=rules)
    (hand, _) = play(game, make_report(2, 4, 30, 0, 8), DRAWN)
    assert hand.gains == {1: 4, 2: 30, 3: 0, 4: 8}
    assert hand.payments == []
    assert points(game) == [4, 30, 0, 8]
    assert recount().differences == ()


def test_a_baggaley_game_ends_when_somebody_has_100() -> None:
    game = open_game(rules="baggaley")
    play(game, make_report(1, 60, 4, 0, 0), make_report(1, 36, 8, 2, 0))
    assert selectors.game_view(game).next_deal is not None
    record(game, 3, make_report(2, 4, 28, 0, 0))
    view = selectors.game_view(game)
    assert (view.next_deal, view.totals) == (None, {1: 100, 2: 40, 3: 2, 4: 0})
    assert codes(partial(record, game, 4, DRAWN)) == [("after_the_end", "")]


def test_of_several_over_100_the_highest_wins_and_equals_share() -> None:
    game = open_game(rules="baggaley")
    play(game, make_report(1, 60, 20, 70, 70), make_report(1, 40, 4, 34, 34))
    assert selectors.progress(game).winners == (3, 4)


def test_a_correction_can_bring_the_end_of_a_race_forward_or_put_it_off() -> None:
    game = open_game(rules="baggaley")
    first, _ = play(game, make_report(1, 40, 0, 0, 0), make_report(1, 40, 0, 0, 0))
    deciding_hand = correct(first, make_report(1, 60, 0, 0, 0))
    assert selectors.progress(game).is_finished
    correct(deciding_hand, make_report(1, 50, 0, 0, 0))
    assert not selectors.progress(game).is_finished
    assert recount().differences == ()


def test_a_correction_that_ends_the_race_before_a_later_hand_is_refused() -> None:
    game = open_game(rules="baggaley")
    first, _ = play(game, make_report(1, 40, 0, 0, 0), make_report(1, 40, 0, 0, 0))
    report = make_report(1, 100, 0, 0, 0)
    assert codes(partial(correct, first, report)) == [("after_the_end", "hands.2")]
    assert points(game) == [80, 0, 0, 0]


def test_baggaleys_winds_pass_to_north() -> None:
    game = open_game(rules="baggaley")
    assert selectors.starting_winds(game) == {1: Wind.E, 2: Wind.N, 3: Wind.W, 4: Wind.S}
    (hand,) = play(game, make_report(3, 0, 0, 28, 0))
    assert hand.deal["prevailing_wind"] is None
    upcoming = next_deal(game)
    assert upcoming.winds == {1: Wind.S, 2: Wind.E, 3: Wind.N, 4: Wind.W}


def test_safalras_winner_becomes_east() -> None:
    game = open_game(rules="safalra")
    play(game, make_report(3, 0, 0, 20, 0), DRAWN)
    upcoming = next_deal(game)
    assert (upcoming.dealer, upcoming.winds[3], upcoming.goulash) == (3, Wind.E, False)


def test_with_tallies_the_winner_deals_and_the_winds_stay() -> None:
    game = open_game(rules="tallies")
    play(game, Report(winner=3, totals={3: 100}, won_by="wall"))
    upcoming = next_deal(game)
    assert (upcoming.dealer, upcoming.winds[1], upcoming.prevailing_wind) == (3, Wind.E, Wind.E)


@pytest.mark.parametrize(
    ("winner", "won_by", "discarder", "gains"),
    [
        (1, "wall", None, [600, -200, -200, -200]),
        (1, "discard", 2, [400, -400, 0, 0]),
        (2, "loose_tile", None, [-200, 400, -100, -100]),
        (2, "discard", 3, [0, 200, -200, 0]),
        (2, "discard", 1, [-400, 400, 0, 0]),
    ],
)
def test_with_tallies_the_dealer_pays_double_and_the_discarder_alone(
    winner: int, won_by: str, discarder: int | None, gains: list[int]
) -> None:
    game = open_game(rules="tallies")
    play(game, Report(winner, {winner: 100}, won_by=won_by, discarder=discarder))
    assert points(game) == gains
    assert recount().differences == ()


def test_with_tallies_the_winner_alone_has_a_score() -> None:
    game = open_game(rules="tallies")
    totals = {1: 0, 2: 100, 3: 0, 4: 0}
    (hand,) = play(game, Report(winner=2, totals=totals, won_by="wall"))
    assert hand.scores == {2: 100}
    assert [seat.best_hand for seat in game.seats.all()] == [0, 100, 0, 0]


@pytest.mark.parametrize(
    ("report", "problem"),
    [
        (Report(winner=2, totals={2: 100}), ("won_by_missing", "won_by")),
        (Report(winner=2, totals={2: 100}, won_by="discard"), ("discarder_missing", "discarder")),
        (Report(winner=2, totals={}, won_by="wall"), ("bad_score", "scores.2")),
        (Report(winner=2, totals={2: 100, 3: 8}, won_by="wall"), ("bad_score", "scores.3")),
    ],
)
def test_with_tallies_it_must_be_said_how_the_hand_was_won(
    report: Report, problem: tuple[str, str]
) -> None:
    assert codes(partial(record, open_game(rules="tallies"), 1, report)) == [problem]


def test_english_banker_pays_double_and_nothing_prevails() -> None:
    game = open_game(rules="english")
    (hand,) = play(game, make_report(2, 120, 480, 32, 64))
    assert hand.gains == {1: -672, 2: 1920, 3: -688, 4: -560}
    assert hand.deal["prevailing_wind"] is None
    record(game, 2, DRAWN)
    upcoming = next_deal(game)
    assert (upcoming.goulash, upcoming.winds[2]) == (False, Wind.E)


@pytest.mark.parametrize("rules", ["safalra", "tallies", "baggaley", "english"])
def test_a_drawn_hand_is_followed_by_no_goulash(rules: str) -> None:
    game = open_game(rules=rules)
    play(game, DRAWN)
    upcoming = next_deal(game)
    assert (upcoming.goulash, upcoming.dealer, points(game)) == (False, 1, [0, 0, 0, 0])
