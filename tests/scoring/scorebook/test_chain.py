"""The book of an event: everything that is written becomes a link over the one before."""

from functools import partial
from uuid import uuid4

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from scoring.scorebook import ledger
from scoring.scorebook.ledger import UNSEALED_COLUMNS, sealed_fields, sha256_digest
from scoring.scorebook.models import Book, Game, Hand, Link, LinkKind, Repair, Seat
from scoring.scorebook.selectors import (
    hand_with_address,
    head_code,
    link_with_code,
    receipt_address,
    sealed_hands,
)
from scoring.scorebook.verifying import TABLE_PATHS, Discrepancy, rows_outside_books, verify_book
from tests.scoring.scorebook.book import (
    DRAWN,
    SOUTH_WINS,
    WEST_WINS,
    correct,
    open_tables,
    play,
    record,
)
from tests.threads import at_once

pytestmark = pytest.mark.django_db


def book_of(game: Game) -> Book:
    return Book.objects.get(games=game)


def kinds(game: Game) -> list[str]:
    return list(book_of(game).links.values_list("kind", flat=True))


def find_discrepancies(game: Game) -> tuple[Discrepancy, ...]:
    return verify_book(book_of(game).pk).findings


def test_a_hand_is_a_link_over_the_one_before(game: Game) -> None:
    play(game, SOUTH_WINS, DRAWN)
    first, second = book_of(game).links.all()
    assert (first.number, second.number) == (1, 2)
    assert f'"before":"{first.digest}"' in second.sealed
    assert (book_of(game).length, book_of(game).head) == (2, second.digest)
    assert second.digest == sha256_digest(second.sealed)


def test_all_tables_of_an_event_write_into_one_book() -> None:
    game, other_game = open_tables(2)
    record(game, 1, SOUTH_WINS)
    record(other_game, 1, WEST_WINS)
    record(game, 2, DRAWN)
    game_ids = [link.hand.game_id for link in book_of(game).links.all() if link.hand]
    assert game_ids == [game.pk, other_game.pk, game.pk]
    assert find_discrepancies(game) == ()


def test_a_correction_takes_back_and_records(game: Game, hand: Hand) -> None:
    correct(hand, DRAWN)
    assert kinds(game) == [LinkKind.HAND, LinkKind.TAKEN_BACK, LinkKind.HAND]
    assert find_discrepancies(game) == ()


def test_a_hand_sent_twice_is_sealed_once(game: Game) -> None:
    submission_id = uuid4()
    record(game, 1, SOUTH_WINS, submission_id=submission_id)
    record(game, 1, SOUTH_WINS, submission_id=submission_id)
    assert kinds(game) == [LinkKind.HAND]


def test_whatever_is_written_is_sealed_and_holds(sealed_game: Game) -> None:
    assert set(kinds(sealed_game)) == set(LinkKind.values) - {LinkKind.UNDONE}
    assert find_discrepancies(sealed_game) == ()
    assert list(rows_outside_books()) == []


def test_a_repair_that_is_taken_back_is_sealed_once_more(sealed_game: Game) -> None:
    repair = Repair.objects.get(games__game=sealed_game)
    repair.undone_at, repair.undone_by = timezone.now(), "user 8"
    repair.save()
    assert {finding.row for finding in find_discrepancies(sealed_game)} == {
        f"repair row {repair.pk}"
    }
    Game.objects.filter(pk=sealed_game.pk).update(exchanges=[])
    ledger.seal_repair(LinkKind.UNDONE, repair, [sealed_game])
    assert find_discrepancies(sealed_game) == ()


def test_every_column_is_sealed_or_told_by_what_is() -> None:
    for model in TABLE_PATHS:
        all_columns = {column.attname for column in model._meta.concrete_fields}
        sealed_columns = {column.attname for column in sealed_fields(model)}
        assert all_columns - sealed_columns == UNSEALED_COLUMNS.get(
            str(model._meta.model_name), set()
        )
    assert UNSEALED_COLUMNS["hand"] == {"is_current", "state"}
    assert UNSEALED_COLUMNS["seat"] == {"points", "hands", "mahjongs", "best_hand"}
    assert UNSEALED_COLUMNS["game"] == {
        *("closed_at", "agreement", "first_dealer"),
        *("continues_id", "opening"),
    }
    assert set(UNSEALED_COLUMNS) == {"hand", "seat", "game"}


def test_sealing_a_hand_costs_three_statements(
    game: Game, hand: Hand, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    seats, entries = list(game.seats.all()), list(hand.entries.all())
    with django_assert_num_queries(3):
        ledger.seal_hand(hand, seats, entries)


def test_several_words_of_the_table_cost_what_one_does(
    sealed_game: Game, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    agreement = sealed_game.hands.earliest("pk").agreements.get()
    hand = agreement.hand
    other_agreements = [
        type(agreement)(**vars_of(agreement) | {"id": None, "seat": seat}) for seat in (2, 3, 4)
    ]
    other_agreements = type(agreement).objects.bulk_create(other_agreements)
    with django_assert_num_queries(3):
        ledger.seal_agreements(hand, other_agreements)
    assert kinds(sealed_game)[-3:] == [LinkKind.SAID] * 3
    with django_assert_num_queries(0):
        ledger.seal_agreements(hand, [])


def vars_of(row: object) -> dict[str, object]:
    return {name: value for name, value in vars(row).items() if not name.startswith("_")}


def test_the_head_is_a_code_that_can_be_read_aloud(game: Game) -> None:
    assert head_code(book_of(game)) == ""
    play(game, SOUTH_WINS, DRAWN)
    code = head_code(book_of(game))
    assert [len(word) for word in code.split(" ")] == [4, 4, 4, 4]
    assert code.replace(" ", "").lower() == book_of(game).head[:16]


@pytest.mark.parametrize("text", ["{0}", "  {0} ", "{1}", "{2}"])
def test_a_printed_code_is_found_however_it_is_typed(game: Game, text: str) -> None:
    play(game, SOUTH_WINS, DRAWN)
    code = head_code(book_of(game))
    text = text.format(code, code.lower(), code.replace(" ", "-"))
    link = link_with_code(text)
    assert link is not None
    assert (link.book_id, link.number) == (game.book_id, 2)


@pytest.mark.parametrize("text", ["", "3F9A", "no such code at all", "0000 0000 0000 0000"])
def test_what_is_no_code_finds_nothing(hand: Hand, text: str) -> None:
    assert link_with_code(text) is None


def test_a_receipt_is_found_by_more_than_what_is_printed(game: Game, hand: Hand) -> None:
    assert hand_with_address(receipt_address(hand)) == hand
    assert hand_with_address(receipt_address(hand)[:20]) is None
    assert hand_with_address("g" * 32) is None
    assert sealed_hands([hand.pk])[hand.pk].code == head_code(book_of(game))


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_tables_that_write_at_the_same_moment_make_one_chain() -> None:
    games = open_tables(6)
    at_once([partial(play, game, SOUTH_WINS, DRAWN, WEST_WINS) for game in games])
    links = Link.objects.filter(book=book_of(games[0]))
    assert list(links.values_list("number", flat=True)) == list(range(1, 19))
    assert find_discrepancies(games[0]) == ()


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_a_book_can_be_read_while_tables_write() -> None:
    games = open_tables(3)
    play(games[0], SOUTH_WINS)
    writers = [partial(play, game, SOUTH_WINS, DRAWN, WEST_WINS) for game in games[1:]]
    readers = [partial(verify_book, book_of(games[0]).pk) for _ in range(3)]
    answers = at_once([*writers, *readers])
    assert [verification.findings for verification in answers[2:]] == [()] * 3  # type: ignore[attr-defined]


def test_totals_are_told_by_what_was_sealed(sealed_game: Game) -> None:
    Seat.objects.filter(game=sealed_game, number=1).update(points=1000, best_hand=7)
    assert [finding.text.split(" ")[0] for finding in find_discrepancies(sealed_game)] == [
        "points",
        "best_hand",
    ]
