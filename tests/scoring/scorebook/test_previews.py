"""What a table is shown before anything is stored."""

from uuid import uuid4

import pytest

from scoring.scorebook import selectors, services
from scoring.scorebook.models import Game, Hand, LedgerEntry
from scoring.scorebook.refusals import AlreadyStands
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import agreements_of
from tests.scoring.scorebook import book
from tests.scoring.scorebook.book import agree

SOUTH_WINS = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
WEST_WINS = Report(winner=3, totals={1: 20, 2: 60, 3: 28, 4: 4})
DRAWN = Report(winner=None)

pytestmark = pytest.mark.django_db


@pytest.fixture
def game(db: None) -> Game:
    return services.open_game(rules="bmja", size=4)


def record(game: Game, number: int, report: Report) -> Hand:
    return book.record(game, number, report).hand


def test_a_preview_shows_the_gains_and_stores_nothing(game: Game) -> None:
    told = services.preview_hand(
        game_id=game.pk, submission_id=uuid4(), number=1, report=SOUTH_WINS
    )
    assert (told.is_new, told.hand.gains) == (True, {1: -64, 2: 240, 3: -80, 4: -96})
    assert (Hand.objects.count(), LedgerEntry.objects.count()) == (0, 0)


def test_a_preview_of_a_hand_that_stands_is_that_hand(game: Game) -> None:
    stands = record(game, 1, SOUTH_WINS)
    told = services.preview_hand(
        game_id=game.pk, submission_id=uuid4(), number=1, report=SOUTH_WINS
    )
    assert (told.is_new, told.hand) == (False, stands)


def test_a_preview_tells_that_another_report_stands(game: Game) -> None:
    stands = record(game, 1, SOUTH_WINS)
    with pytest.raises(AlreadyStands) as refused:
        services.preview_hand(game_id=game.pk, submission_id=uuid4(), number=1, report=WEST_WINS)
    assert refused.value.hand == stands


def test_a_new_winner_moves_the_winds_of_every_later_hand(game: Game) -> None:
    hands = [record(game, 1, SOUTH_WINS), record(game, 2, DRAWN), record(game, 3, SOUTH_WINS)]
    east_wins = Report(winner=1, totals={1: 60, 2: 20, 3: 8, 4: 4})
    replacements = services.preview_correction(hand_id=hands[0].pk, report=east_wins)
    assert [found.old for found in replacements] == hands
    assert [found.new.deal["dealer"] for found in replacements] == [1, 1, 1]
    assert Hand.objects.filter(is_current=True).count() == Hand.objects.count() == 3


def test_new_figures_move_no_other_hand(game: Game) -> None:
    hands = [record(game, 1, SOUTH_WINS), record(game, 2, DRAWN)]
    figures = Report(winner=2, totals={1: 24, 2: 60, 3: 8, 4: 4})
    replacements = services.preview_correction(hand_id=hands[0].pk, report=figures)
    assert [found.old for found in replacements] == [hands[0]]


def test_what_stood_before_a_correction_can_be_read(game: Game) -> None:
    old = record(game, 1, SOUTH_WINS)
    services.correct_hand(
        hand_id=old.pk, report=WEST_WINS, corrected_by="user 1", reason="West won it"
    )
    assert [row.pk for row in selectors.game_view(game).corrected] == [old.pk]


def mark_now(game: Game) -> str:
    """The mark that the book has, which is that of what a page shows."""
    words = {hand: len(said) for hand, said in agreements_of(game).items()}
    shown, now = selectors.mark_shown(selectors.game_view(game), words), selectors.mark_of(game)
    assert shown == now
    return now


def test_the_mark_changes_with_hands_agreement_correction_and_the_end(game: Game) -> None:
    marks = [mark_now(game)]
    hand = record(game, 1, SOUTH_WINS)
    marks.append(mark_now(game))
    agree(hand)
    marks.append(mark_now(game))
    services.correct_hand(hand_id=hand.pk, report=WEST_WINS, corrected_by="user 1", reason="slip")
    marks.append(mark_now(game))
    services.close_games(Game.objects.filter(pk=game.pk))
    game.refresh_from_db()
    marks.append(mark_now(game))
    assert [mark.split("-")[0] for mark in marks] == ["0", "1", "1", "1", "1"]
    assert len(set(marks)) == 5
