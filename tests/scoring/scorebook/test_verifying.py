"""Whatever is changed behind the books' backs is found or refused by the database itself."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from hypothesis import HealthCheck, given, settings, strategies as st

from scoring.scorebook.models import (
    Agreement,
    Book,
    Decision,
    EntryKind,
    Game,
    Hand,
    LedgerEntry,
    Link,
    Repair,
    RepairedGame,
    Seat,
)
from scoring.scorebook.verifying import verify_book
from tests.scoring.scorebook.book import ledger, open_game
from tests.scoring.scorebook.tampering import (
    COLUMNS,
    a_row_with,
    all_discrepancies,
    another,
    behind_the_book,
    row_name,
    take_away,
    write_value,
)

pytestmark = pytest.mark.django_db


def rows_found() -> set[str]:
    return {finding.row for finding in all_discrepancies()}


@pytest.mark.sampled(law="long plays")
def test_every_column_changed_behind_the_book_is_named(sealed_game: Game) -> None:
    for model, column in COLUMNS:
        row = a_row_with(model, column)
        with behind_the_book():
            write_value(row, column, another(column, getattr(row, column.attname), offset=40))
            assert row_name(row) in rows_found(), column
    assert all_discrepancies() == []


@pytest.mark.sampled(law="long plays")
@given(st.data())
@settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_other_value_in_any_row_is_named(sealed_game: Game, data: st.DataObject) -> None:
    model, column = data.draw(st.sampled_from([pair for pair in COLUMNS if may_be_any(pair[1])]))
    row = data.draw(st.sampled_from(list(sealed_rows(model, column))))
    value = another(column, getattr(row, column.attname), offset=data.draw(st.integers(100, 9999)))
    with behind_the_book():
        write_value(row, column, value)
        assert row_name(row) in rows_found()


def may_be_any(column: Any) -> bool:
    """Pointers have few other rows to point to: the literal test above knows them."""
    return not column.remote_field


def sealed_rows(model: Any, column: Any) -> Any:
    """Its rows; games and seats only where a hand was played or something was put right.

    Before its first hand a game may name another first dealer.
    """
    lookups: dict[str, dict[str, Any]] = {
        "Seat": {"game__size": 4},
        "first_dealer": {"hands__isnull": False},
    }
    lookup = lookups.get(column.name, lookups.get(model.__name__, {}))
    return model.objects.filter(**lookup).order_by("pk").distinct()


@pytest.mark.parametrize(
    "model", [Hand, LedgerEntry, Agreement, Decision, Repair, RepairedGame, Link]
)
def test_a_row_taken_away_is_named(sealed_game: Game, model: Any) -> None:
    for row in model.objects.order_by("pk"):
        with behind_the_book():
            take_away(row)
            found_rows = rows_found()
            assert found_rows
            assert model is Link or row_name(row) in found_rows


@pytest.mark.parametrize("model", [Hand, LedgerEntry, Agreement, Decision, Repair, RepairedGame])
def test_a_row_added_is_named(sealed_game: Game, model: Any) -> None:
    first = model.objects.earliest("pk")
    row_values = {
        column.attname: getattr(first, column.attname) for column in first._meta.concrete_fields
    }
    fresh: dict[str, Any] = {
        "Hand": {"submission_id": uuid4(), "number": 40},
        "RepairedGame": {"game_id": sealed_game.pk},
    }
    with behind_the_book():
        row = model.objects.create(**row_values | {"id": None} | fresh.get(model.__name__, {}))
        assert row_name(row) in rows_found()


def test_a_tail_that_was_cut_off_leaves_its_rows_behind(sealed_game: Game) -> None:
    with behind_the_book():
        last = Link.objects.filter(book=sealed_game.book_id).latest("number")
        take_away(last)
        previous_link = Link.objects.get(book=sealed_game.book_id, number=last.number - 1)
        Book.objects.filter(games=sealed_game).update(
            length=previous_link.number, head=previous_link.digest
        )
        assert f"repaired game row {RepairedGame.objects.latest('pk').pk}" in rows_found()


def test_links_that_changed_places_are_named(sealed_game: Game) -> None:
    first, second = Link.objects.filter(book=sealed_game.book_id)[:2]
    number = Link._meta.get_field("number")
    with behind_the_book():
        write_value(first, number, 900)
        write_value(second, number, 1)
        write_value(first, number, 2)
        assert {row_name(first), row_name(second)} <= rows_found()


def test_an_entry_that_was_slipped_in_changes_a_total(sealed_game: Game) -> None:
    seat = sealed_game.seats.get(number=3)
    with behind_the_book():
        entry = LedgerEntry.objects.filter(seat=seat).earliest("pk")
        entry.pk, entry.kind, entry.points, entry._state.adding = (
            None,
            EntryKind.ADJUSTMENT,
            500,
            True,
        )
        entry.hand = None
        entry.save()
        texts_by_row = {finding.row: finding.text for finding in all_discrepancies()}
        assert texts_by_row == {row_name(entry): "was never sealed: it was added outside Tongbox"}


def test_a_finding_says_where_and_what(sealed_game: Game) -> None:
    hand = Hand.objects.filter(game=sealed_game, number=1).earliest("pk")
    with behind_the_book():
        write_value(hand, Hand._meta.get_field("score_2"), 64)
        (finding,) = verify_book(sealed_game.book_id or 0).findings
        assert (finding.game, finding.hand) == (sealed_game.pk, 1)
        assert finding.row == f"hand row {hand.pk}"
        assert finding.text == "score_2 is 64, but 60 was sealed as link 1"


def test_a_long_value_is_not_spelled_out(sealed_game: Game) -> None:
    hand = Hand.objects.filter(game=sealed_game, number=2).earliest("pk")
    with behind_the_book():
        write_value(hand, Hand._meta.get_field("report"), {})
        (finding,) = verify_book(sealed_game.book_id or 0).findings
        assert finding.text == "report differs from what was sealed as link 2"


def refused_by_the_database(hand: Hand, **changed_fields: object) -> str:
    with pytest.raises(IntegrityError) as error, transaction.atomic():
        Hand.objects.filter(pk=hand.pk).update(**changed_fields)
    return str(error.value)


def test_gains_that_do_not_add_to_nothing_are_refused(hand: Hand) -> None:
    assert "gains_add_to_nothing" in refused_by_the_database(hand, gain_1=-63)


def test_gains_may_add_up_where_scores_accumulate(hand: Hand) -> None:
    assert Hand.objects.filter(pk=hand.pk).update(zero_sum=False, gain_1=20) == 1


@pytest.mark.parametrize("number", [1, 2, 3, 4, 5])
def test_a_score_over_the_limit_or_below_nothing_is_refused(hand: Hand, number: int) -> None:
    name = f"score_{number}"
    for score in (1001, -1):
        assert f"{name}_within_limit" in refused_by_the_database(hand, **{name: score})


def test_a_score_at_the_limit_is_kept(hand: Hand) -> None:
    assert Hand.objects.filter(pk=hand.pk).update(score_2=1000) == 1


@pytest.mark.parametrize("field_name", ["number", "submission_id"])
def test_a_number_has_one_current_hand_and_a_submission_is_stored_once(
    hand: Hand, field_name: str
) -> None:
    other_fields = {"number": 2, "submission_id": uuid4()} | {field_name: getattr(hand, field_name)}
    shared_fields = {name: getattr(hand, name) for name in ("game", "report", "deal", "sent_at")}
    with pytest.raises(IntegrityError), transaction.atomic():
        Hand.objects.create(**shared_fields, **other_fields, zero_sum=True, sent_by="table 2")
    assert Hand.objects.get() == hand


@pytest.mark.parametrize("change", ["points = 1000", "reason = 'nothing happened'"])
def test_no_row_of_the_ledger_is_ever_changed(hand: Hand, change: str) -> None:
    entries_before = ledger(hand.game)
    with (
        pytest.raises(DatabaseError, match="the ledger is never edited"),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute(f"UPDATE scorebook_ledgerentry SET {change}")  # noqa: S608 - from above
    assert ledger(hand.game) == entries_before


@pytest.mark.parametrize("size", [0, 1, 6])
def test_a_game_has_two_to_five_seats(size: int) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        Game.objects.create(rules="bmja/2008", size=size)


def test_a_game_has_one_seat_of_a_number() -> None:
    game = open_game()
    with pytest.raises(IntegrityError), transaction.atomic():
        Seat.objects.create(game=game, number=1)
