"""A hand is looked at, corrected or taken back: nothing is lost, and later hands follow."""

from functools import partial
from uuid import uuid4

import pytest

from scoring.scorebook import selectors, services
from scoring.scorebook.models import Game, Hand, HandState, LedgerEntry
from scoring.scorebook.refusals import AlreadyStands, Refused
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import agreements_of, game_view, undone_hands
from scoring.scorebook.verifying import recount
from tests.scoring.scorebook.book import (
    DRAWN,
    EAST_WINS,
    NORTH_WINS,
    SOUTH_WINS,
    WEST_WINS,
    agree,
    correct,
    decide,
    dispute,
    ledger,
    open_game,
    play,
    points,
    record,
    refusals,
    take_back,
)

pytestmark = pytest.mark.django_db


def test_the_old_hand_stays_and_the_new_one_says_who_and_why(hand: Hand) -> None:
    new = correct(hand, WEST_WINS, reason="West went out, not South")
    hand.refresh_from_db()
    assert (hand.is_current, hand.winner, hand.reason) == (False, 2, "")
    assert (new.is_current, new.winner, new.replaces) == (True, 3, hand)
    assert (new.sent_by, new.reason, new.state) == (
        "user 7",
        "West went out, not South",
        HandState.DECIDED,
    )


def test_the_ledger_takes_the_old_gains_back_and_adds_the_new(game: Game, hand: Hand) -> None:
    correct(hand, DRAWN)
    assert ledger(game) == [
        *(("hand", 1, -64), ("hand", 2, 240), ("hand", 3, -80), ("hand", 4, -96)),
        *(("reversal", 1, 64), ("reversal", 2, -240), ("reversal", 3, 80), ("reversal", 4, 96)),
        *(("hand", seat, 0) for seat in (1, 2, 3, 4)),
    ]
    assert points(game) == [0, 0, 0, 0]


def test_a_wrong_winner_at_hand_3_changes_east_of_every_later_hand(game: Game) -> None:
    hands = play(game, SOUTH_WINS, SOUTH_WINS, SOUTH_WINS, WEST_WINS, NORTH_WINS)
    assert [hand.deal["dealer"] for hand in hands] == [1, 2, 2, 2, 3]
    correct(hands[2], NORTH_WINS, reason="North went out, not South")
    current = Hand.objects.filter(is_current=True)
    assert [hand.deal["dealer"] for hand in current] == [1, 2, 2, 3, 3]
    assert [hand.winner for hand in current] == [2, 2, 4, 3, 4]
    assert [hand.reason for hand in current] == ["", "", *["North went out, not South"] * 2, ""]


def test_corrected_totals_are_those_of_a_game_played_right_from_the_start(game: Game) -> None:
    hands = play(game, SOUTH_WINS, SOUTH_WINS, SOUTH_WINS, WEST_WINS, NORTH_WINS)
    correct(hands[1], NORTH_WINS)
    right = open_game()
    play(right, SOUTH_WINS, NORTH_WINS, SOUTH_WINS, WEST_WINS, NORTH_WINS)
    columns = ("points", "hands", "mahjongs", "best_hand")
    assert list(game.seats.values_list(*columns)) == list(right.seats.values_list(*columns))
    assert recount().differences == ()


def test_play_goes_on_under_the_corrected_winds(game: Game, hand: Hand) -> None:
    correct(hand, EAST_WINS)
    assert record(game, 2, DRAWN).hand.deal["dealer"] == 1


def test_a_hand_that_was_corrected_meanwhile_is_not_corrected_again(hand: Hand) -> None:
    correct(hand, WEST_WINS)
    assert refusals(lambda: correct(hand, DRAWN)) == [
        ("", "Hand 1 has just been corrected by someone else.")
    ]


def test_a_correction_can_be_corrected(game: Game, hand: Hand) -> None:
    second_correction = correct(correct(hand, WEST_WINS), NORTH_WINS)
    assert (second_correction.winner, Hand.objects.count()) == (4, 3)
    assert points(game) == list(second_correction.gains.values())


@pytest.mark.parametrize("reason", ["", "   ", "x" * 201])
def test_a_correction_says_why(hand: Hand, reason: str) -> None:
    ((field, _),) = refusals(lambda: correct(hand, WEST_WINS, reason=reason))
    assert field == "reason"
    assert Hand.objects.count() == 1


def test_a_later_hand_that_no_longer_fits_is_named_and_nothing_is_changed() -> None:
    game = open_game(5)
    hands = play(game, SOUTH_WINS, Report(winner=5, totals={2: 20, 3: 8, 4: 4, 5: 60}))
    assert refusals(lambda: correct(hands[0], EAST_WINS)) == [
        (
            "hands.2",
            (
                "Hand 2, played later, would no longer fit: Seat 5, which sits out, is neither "
                "the number of a seat in play nor a drawn hand."
            ),
        )
    ]
    assert Hand.objects.filter(is_current=True).count() == 2
    assert points(game)[4] == 240


def test_a_chow_in_what_becomes_a_goulash_is_named_with_its_hand(game: Game) -> None:
    chow = {
        "sets": [{"tiles": ["B2", "B3", "B4"], "exposed": True}],
        "concealed": ["C5", "C5", "C5", "O3", "O3", "O3", "O7", "O7", "O7", "B6", "B6"],
    }
    report = Report(winner=1, won_by="wall", tiles={1: chow}, totals={2: 8, 3: 0, 4: 0})
    hands = play(game, SOUTH_WINS, report)
    message = "Chows in this hand: 1; the rules allow 0 here."
    assert refusals(lambda: correct(hands[0], DRAWN)) == [
        ("hands.2", f"Hand 2, played later, would no longer fit: {message}")
    ]


def test_what_is_wrong_is_refused_at_the_field(hand: Hand) -> None:
    wrong = {
        "winner": Report(winner=5, totals=WEST_WINS.totals),
        "scores.3": Report(winner=2, totals={**SOUTH_WINS.totals, 3: 37}),
    }
    for field, report in wrong.items():
        assert [refused_field for refused_field, _ in refusals(partial(correct, hand, report))] == [
            field
        ]


def test_a_later_dispute_outlives_the_replay(game: Game) -> None:
    hands = play(game, SOUTH_WINS, WEST_WINS)
    dispute(hands[1])
    correct(hands[0], EAST_WINS)
    states = Hand.objects.filter(is_current=True).values_list("state", flat=True)
    assert list(states) == [HandState.DECIDED, HandState.DISPUTED]


def test_the_same_submission_stays_one_hand_through_corrections(game: Game) -> None:
    submission_id = uuid4()
    hand = record(game, 1, SOUTH_WINS, submission_id=submission_id).hand
    new = correct(hand, WEST_WINS)
    assert new.submission_id != submission_id
    repeat = record(game, 1, SOUTH_WINS, submission_id=submission_id)
    assert (repeat.hand, repeat.is_new) == (hand, False)


def test_the_hand_stays_and_its_gains_go_back(game: Game) -> None:
    hands = play(game, SOUTH_WINS, WEST_WINS)
    take_back(hands[1])
    assert points(game) == [-64, 240, -80, -96]
    assert [kind for kind, *_ in ledger(game)] == ["hand"] * 8 + ["reversal"] * 4
    (undone_hand,) = undone_hands(game_view(game).taken_back)
    assert (undone_hand.hand.pk, undone_hand.hand.number, undone_hand.taken_by) == (
        hands[1].pk,
        2,
        "table 1 seat 3",
    )
    assert [row.number for row in game_view(game).hands] == [1]
    assert recount().differences == ()


def test_every_total_of_a_seat_is_told_anew(game: Game) -> None:
    hands = play(game, SOUTH_WINS, SOUTH_WINS)
    take_back(hands[1])
    reference_game = open_game()
    play(reference_game, SOUTH_WINS)
    columns = ("points", "hands", "mahjongs", "best_hand")
    assert list(game.seats.values_list(*columns)) == list(
        reference_game.seats.values_list(*columns)
    )


def test_the_number_is_free_again(game: Game) -> None:
    hands = play(game, SOUTH_WINS, WEST_WINS)
    take_back(hands[1])
    recorded_hand = record(game, 2, SOUTH_WINS)
    assert (recorded_hand.is_new, recorded_hand.hand.deal) == (True, hands[1].deal)
    assert recount().differences == ()


def test_a_retry_does_not_bring_it_back(game: Game) -> None:
    submission_id = uuid4()
    hand = record(game, 1, SOUTH_WINS, submission_id=submission_id).hand
    take_back(hand)
    repeat = record(game, 1, SOUTH_WINS, submission_id=submission_id)
    assert (repeat.is_new, repeat.hand, repeat.hand.is_current) == (False, hand, False)
    assert points(game) == [0, 0, 0, 0]


def test_a_double_tap_takes_back_one_hand(game: Game) -> None:
    hands = play(game, SOUTH_WINS, WEST_WINS)
    assert take_back(hands[1]) == take_back(hands[1])
    assert len(ledger(game)) == 12


def test_only_the_last_hand_is_taken_back(game: Game) -> None:
    hands = play(game, SOUTH_WINS, WEST_WINS)
    with pytest.raises(Refused, match="Hand 2 has been recorded since, so hand 1 can no longer"):
        take_back(hands[0])
    take_back(hands[1])
    take_back(hands[0])
    assert points(game) == [0, 0, 0, 0]


@pytest.mark.parametrize("say", [agree, dispute])
def test_an_agreed_or_disputed_hand_can_be_taken_back(hand: Hand, say: object) -> None:
    assert callable(say)
    say(hand)
    assert not take_back(hand).is_current


def test_the_table_does_not_undo_what_the_scorer_decided(hand: Hand) -> None:
    decide(hand)
    with pytest.raises(Refused, match="The scorer has decided hand 1"):
        take_back(hand)


def test_nor_what_the_scorer_corrected(hand: Hand) -> None:
    new = correct(hand, WEST_WINS)
    with pytest.raises(Refused, match="The scorer has decided hand 1"):
        take_back(new)
    with pytest.raises(Refused, match="Hand 1 has been corrected since"):
        take_back(hand)


def test_a_finished_game_keeps_its_hands(game: Game, hand: Hand) -> None:
    services.close_games(Game.objects.all())
    with pytest.raises(Refused, match="This game is finished, so its hands cannot be undone"):
        take_back(hand)


def test_the_last_hand_of_a_game_opens_it_again() -> None:
    game = open_game(hands_planned=1)
    (hand,) = play(game, SOUTH_WINS)
    assert game_view(game).is_over
    take_back(hand)
    assert not game_view(game).is_over
    assert record(game, 1, DRAWN).is_new


def test_a_hand_taken_back_is_no_correction(game: Game, hand: Hand) -> None:
    take_back(hand)
    record(game, 1, WEST_WINS)
    assert game_view(game).corrected_hands == ()
    assert [row.corrections for row in game_view(game).hands] == [0]


def test_nothing_more_is_said_of_it(hand: Hand) -> None:
    take_back(hand)
    for say in (agree, dispute, decide):
        with pytest.raises(Refused, match="Hand 1 has been undone since"):
            say(hand)


def test_a_hand_of_another_game_is_not_found(game: Game) -> None:
    (hand,) = play(open_game(), SOUTH_WINS)
    with pytest.raises(Hand.DoesNotExist):
        services.undo_hand(game_id=game.pk, hand_id=hand.pk, taken_by="table 1")


def preview(game: Game, report: Report) -> services.RecordedHand:
    return services.preview_hand(game_id=game.pk, submission_id=uuid4(), number=1, report=report)


def test_a_preview_shows_the_gains_and_stores_nothing(game: Game) -> None:
    previewed_hand = preview(game, SOUTH_WINS)
    assert (previewed_hand.is_new, previewed_hand.hand.gains) == (
        True,
        {1: -64, 2: 240, 3: -80, 4: -96},
    )
    assert (Hand.objects.count(), LedgerEntry.objects.count()) == (0, 0)


def test_a_preview_of_a_hand_that_stands_is_that_hand(game: Game, hand: Hand) -> None:
    previewed_hand = preview(game, SOUTH_WINS)
    assert (previewed_hand.is_new, previewed_hand.hand) == (False, hand)
    with pytest.raises(AlreadyStands) as refusal:
        preview(game, WEST_WINS)
    assert refusal.value.hand == hand


def test_a_new_winner_moves_the_winds_of_every_later_hand(game: Game) -> None:
    hands = play(game, SOUTH_WINS, DRAWN, SOUTH_WINS)
    replacements = services.preview_correction(hand_id=hands[0].pk, report=EAST_WINS)
    assert [replacement.old for replacement in replacements] == hands
    assert [replacement.new.deal["dealer"] for replacement in replacements] == [1, 1, 1]
    assert Hand.objects.filter(is_current=True).count() == Hand.objects.count() == 3


def test_new_figures_move_no_other_hand(game: Game) -> None:
    hands = play(game, SOUTH_WINS, DRAWN)
    figures = Report(winner=2, totals={1: 24, 2: 60, 3: 8, 4: 4})
    replacements = services.preview_correction(hand_id=hands[0].pk, report=figures)
    assert [replacement.old for replacement in replacements] == [hands[0]]


def test_what_stood_before_a_correction_can_be_read(game: Game, hand: Hand) -> None:
    correct(hand, WEST_WINS)
    assert [row.pk for row in game_view(game).corrected_hands] == [hand.pk]


def mark_now(game: Game) -> str:
    """The mark that the book has, which is that of what a page shows."""
    agreement_counts = {hand: len(agreements) for hand, agreements in agreements_of(game).items()}
    shown_mark = selectors.view_mark(game_view(game), agreement_counts)
    now = selectors.game_mark(game)
    assert shown_mark == now
    return now


def test_the_mark_changes_with_hands_agreement_correction_and_the_end(game: Game) -> None:
    marks = [mark_now(game)]
    hand = record(game, 1, SOUTH_WINS).hand
    marks.append(mark_now(game))
    agree(hand)
    marks.append(mark_now(game))
    correct(hand, WEST_WINS, reason="slip")
    marks.append(mark_now(game))
    services.close_games(Game.objects.filter(pk=game.pk))
    game.refresh_from_db()
    marks.append(mark_now(game))
    assert [mark.split("-")[0] for mark in marks] == ["0", "1", "1", "1", "1"]
    assert len(set(marks)) == 5
