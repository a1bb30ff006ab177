"""The recount plays every hand again: it finds what was tampered with and changes nothing."""

from io import StringIO

import pytest
from django.core.management import CommandError, call_command

from scoring.scorebook import services
from scoring.scorebook.models import EntryKind, Hand, LedgerEntry, Seat
from scoring.scorebook.reports import Report
from scoring.scorebook.verifying import Recount, recount
from tests.scoring.scorebook.book import (
    DRAWN,
    EAST_WINS_IN_TILES,
    SOUTH_WINS,
    WEST_WINS,
    open_game,
    play,
)

pytestmark = pytest.mark.django_db


@pytest.fixture
def hands() -> list[Hand]:
    """Two games, one of five players, with a correction and an adjustment."""
    five = play(open_game(5), SOUTH_WINS, Report(winner=5, totals={2: 20, 3: 8, 4: 4, 5: 60}))
    four = play(open_game(), EAST_WINS_IN_TILES, DRAWN, SOUTH_WINS)
    services.correct_hand(
        hand_id=four[2].pk, report=WEST_WINS, corrected_by="user 7", reason="a slip"
    )
    services.adjust(
        seat=four[0].game.seats.all()[0], points=-50, written_by="user 7", reason="late"
    )
    return [*five, *four]


def everything() -> list[object]:
    return [*Hand.objects.values(), *Seat.objects.values(), *LedgerEntry.objects.values()]


def test_a_recount_of_an_honest_book_finds_nothing_and_changes_nothing(hands: list[Hand]) -> None:
    before = everything()
    assert recount() == Recount(games=2, hands=5, differences=())
    assert everything() == before


def test_a_tampered_total_is_found_and_left(hands: list[Hand]) -> None:
    seat = Seat.objects.filter(game=hands[0].game)[0]
    Seat.objects.filter(pk=seat.pk).update(points=seat.points + 1000)
    before = everything()
    (difference,) = recount().differences
    assert difference.startswith(f"seat 1 of game {seat.game_id}: stored {{'points': 936,")
    assert everything() == before


def test_a_tampered_total_can_be_repaired(hands: list[Hand]) -> None:
    honest = everything()
    Seat.objects.filter(game=hands[0].game).update(points=7, best_hand=1)
    assert len(recount(repair=True).differences) == 5
    assert everything() == honest
    assert recount().differences == ()


def test_a_tampered_score_is_found(hands: list[Hand]) -> None:
    Hand.objects.filter(pk=hands[0].pk).update(score_3=12)
    (difference,) = [line for line in recount().differences if line.startswith("hand")]
    assert difference.startswith(f"hand 1 of game {hands[0].game_id}: stored ")


def test_a_tampered_report_is_found(hands: list[Hand]) -> None:
    report = {"winner": 2, "totals": {"1": 20, "2": 37, "3": 8, "4": 4}}
    Hand.objects.filter(pk=hands[0].pk).update(report=report)
    (difference,) = recount().differences
    assert difference.startswith(
        f"hand 1 of game {hands[0].game_id}: the engine refuses it now: 37 "
    )


def test_a_hand_won_by_somebody_who_sat_out_is_found(hands: list[Hand]) -> None:
    Hand.objects.filter(pk=hands[0].pk).update(winner=5)
    (difference,) = [line for line in recount().differences if "played again" in line]
    assert difference.startswith(f"game {hands[0].game_id} (bmja/2008) cannot be played again: ")


def test_an_entry_that_no_hand_explains_is_found(hands: list[Hand]) -> None:
    seat = Seat.objects.filter(game=hands[0].game)[0]
    LedgerEntry.objects.create(
        seat=seat, kind=EntryKind.HAND, points=500, written_by="?", written_at=hands[0].sent_at
    )
    Seat.objects.filter(pk=seat.pk).update(points=seat.points + 500)
    assert recount().differences == (
        f"seat 1 of game {seat.game_id}: the hands gave -64, the ledger says 436",
    )


def test_the_command_says_how_much_it_played_again(hands: list[Hand]) -> None:
    out = StringIO()
    call_command("recount", stdout=out)
    assert out.getvalue() == "2 games, 5 hands, 0 differences\n"


def test_the_command_fails_when_something_differs(hands: list[Hand]) -> None:
    Seat.objects.filter(game=hands[0].game, number=1).update(points=0)
    out, err = StringIO(), StringIO()
    with pytest.raises(CommandError, match="The recount differs from what is stored"):
        call_command("recount", stdout=out, stderr=err)
    assert out.getvalue() == "2 games, 5 hands, 1 differences\n"
    assert len(err.getvalue().splitlines()) == 1
