"""A game told anew as its paper sheet has it: hands come in, go, and are corrected."""

import pytest

from scoring.scorebook import services
from scoring.scorebook.models import Game, Hand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report
from tests.scoring.scorebook.book import (
    DRAWN,
    EAST_WINS,
    SOUTH_WINS,
    WEST_WINS,
    open_game,
    play,
    points,
)
from tests.scoring.scorebook.mending import current, nothing_differs, winds

pytestmark = pytest.mark.django_db


def tell(game: Game, *reports: Report, seen: list[int] | None = None) -> None:
    standing = [hand.pk for hand in current(game)]
    services.tell_anew(
        game_id=game.pk,
        reports=reports,
        seen=standing if seen is None else seen,
        written_by="user 1",
        reason="As on the paper score sheet",
    )


def test_a_hand_that_was_forgotten_comes_in_and_later_ones_are_played_again(game: Game) -> None:
    play(game, SOUTH_WINS, EAST_WINS)
    other = open_game()
    play(other, SOUTH_WINS, WEST_WINS, EAST_WINS)
    tell(game, SOUTH_WINS, WEST_WINS, EAST_WINS)
    assert (winds(game), points(game)) == (winds(other), points(other))
    assert [hand.reason for hand in current(game)] == ["", *["As on the paper score sheet"] * 2]
    assert nothing_differs(game)


def test_a_hand_that_was_entered_twice_goes_and_stays_in_the_book(game: Game) -> None:
    first, twice, _ = play(game, SOUTH_WINS, SOUTH_WINS, DRAWN)
    tell(game, SOUTH_WINS, DRAWN)
    assert [hand.winner for hand in current(game)] == [2, None]
    assert current(game)[0].pk == first.pk
    assert not Hand.objects.get(pk=twice.pk).is_current
    assert nothing_differs(game)


def test_hands_that_are_told_as_before_stay_as_they_are(game: Game) -> None:
    before = [hand.pk for hand in play(game, SOUTH_WINS, DRAWN)]
    tell(game, SOUTH_WINS, DRAWN)
    assert [hand.pk for hand in current(game)] == before


def test_where_a_hand_was_entered_meanwhile_nothing_is_done(game: Game) -> None:
    play(game, SOUTH_WINS, DRAWN)
    with pytest.raises(Refused, match="entered or changed while you were working"):
        tell(game, WEST_WINS, DRAWN, seen=[])
    assert [hand.winner for hand in current(game)] == [2, None]


def test_a_hand_that_cannot_be_is_named(game: Game) -> None:
    play(game, SOUTH_WINS, DRAWN)
    wrong = Report(winner=3, totals={1: 20, 2: 8, 3: 37, 4: 4})
    with pytest.raises(Refused, match="Hand 2 would not fit: 37 cannot be scored"):
        tell(game, SOUTH_WINS, wrong, DRAWN)
    with pytest.raises(Refused, match="not the number of a seat"):
        tell(game, Report(winner="x"))  # type: ignore[arg-type]
    assert nothing_differs(game)
