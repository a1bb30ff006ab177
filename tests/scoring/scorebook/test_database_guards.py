"""What the database itself refuses, whatever the code above it does."""

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction

from scoring.scorebook.models import Game, Hand, Seat
from tests.scoring.scorebook.book import SOUTH_WINS, ledger, open_game, play

pytestmark = pytest.mark.django_db


@pytest.fixture
def hand() -> Hand:
    (played,) = play(open_game(), SOUTH_WINS)
    return played


def refused_by_the_database(hand: Hand, **changed: object) -> str:
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        Hand.objects.filter(pk=hand.pk).update(**changed)
    return str(error.value)


def test_gains_that_do_not_add_to_nothing_are_refused(hand: Hand) -> None:
    assert "gains_add_to_nothing" in refused_by_the_database(hand, gain_1=-63)


def test_gains_may_add_up_where_scores_accumulate(hand: Hand) -> None:
    assert Hand.objects.filter(pk=hand.pk).update(zero_sum=False, gain_1=20) == 1


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_a_score_over_the_limit_is_refused(hand: Hand, number: int) -> None:
    name = f"score_{number}"
    assert f"{name}_within_limit" in refused_by_the_database(hand, **{name: 1001})


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_a_score_below_nothing_is_refused(hand: Hand, number: int) -> None:
    name = f"score_{number}"
    assert f"{name}_within_limit" in refused_by_the_database(hand, **{name: -1})


def test_a_score_at_the_limit_is_kept(hand: Hand) -> None:
    assert Hand.objects.filter(pk=hand.pk).update(score_2=1000) == 1


def test_there_is_one_current_hand_of_a_number(hand: Hand) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Hand.objects.create(
            game=hand.game,
            number=1,
            report=hand.report,
            deal=hand.deal,
            zero_sum=True,
            sent_by="table 2",
            sent_at=hand.sent_at,
        )
    assert Hand.objects.get() == hand


def test_a_submission_is_stored_once(hand: Hand) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Hand.objects.create(
            game=hand.game,
            number=2,
            submission_id=hand.submission_id,
            report=hand.report,
            deal=hand.deal,
            zero_sum=True,
            sent_by="table 2",
            sent_at=hand.sent_at,
        )
    assert Hand.objects.get() == hand


@pytest.mark.parametrize("change", ["points = 1000", "reason = 'nothing happened'"])
def test_no_row_of_the_ledger_is_ever_changed(hand: Hand, change: str) -> None:
    before = ledger(hand.game)
    with (
        pytest.raises(DatabaseError, match="the ledger is never edited"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"UPDATE scorebook_ledgerentry SET {change}")  # noqa: S608 - from above
    assert ledger(hand.game) == before


@pytest.mark.parametrize("size", [0, 1, 6])
def test_a_game_has_two_to_five_seats(size: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.create(rules="bmja/2008", size=size)


def test_a_game_has_one_seat_of_a_number() -> None:
    game = open_game()
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(game=game, number=1)
