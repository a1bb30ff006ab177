"""Tiles tapped at the table: four phones, one set of tiles, nothing twice and nothing lost."""

from functools import partial

import pytest

from scoring.building import Draft, Steps, read_draft, write_draft
from scoring.scorebook.models import Game, TappedHand
from scoring.scorebook.refusals import Refused
from scoring.scorebook.services.games import (
    CHANGED_ELSEWHERE_MESSAGE,
    TapAnswer,
    forget_tapped_tiles,
    tap_tiles,
)
from tests.scoring.scorebook.book import (
    DRAWN,
    EAST_WINS_IN_TILES,
    SOUTH_WINS,
    open_game,
    play,
    record,
    take_back,
)
from tests.threads import at_once

pytestmark = pytest.mark.django_db

LOSER = Draft(won=False)


def tap(game: Game, seat: int, taps: str, sent_draft: Draft = LOSER, number: int = 1) -> TapAnswer:
    """What a phone sends that knows the hand as ``sent_draft``."""
    return tap_tiles(
        game_id=game.pk, number=number, seat=seat, sent_steps=Steps(sent_draft), taps=taps.split()
    )


def stored_tiles(game: Game) -> dict[int, str]:
    """The tiles of each seat as they are kept, without winds and without how it ended."""
    rows = game.tapped.values_list("seat", "draft")
    return {seat: text.split(".", 1)[1].rpartition(".")[0] for seat, text in rows}


def test_each_seat_has_a_hand_of_its_own_with_its_own_wind(game: Game) -> None:
    tap(game, 2, "B1 B1 B1")
    tap(game, 3, "F1 DR")
    assert list(game.tapped.values_list("seat", "draft")) == [
        (2, "SE.B111..lost"),
        (3, "WE.Dr.F1.lost"),
    ]


def test_the_same_taps_sent_again_tap_nothing_twice(game: Game) -> None:
    for _ in range(3):
        answer = tap(game, 2, "B1 B2")
    assert stored_tiles(game) == {2: "B12."}
    assert answer.result.refusals == ()


def test_taps_made_while_the_answer_was_lost_are_added_to_those_that_came(game: Game) -> None:
    tap(game, 2, "B1")
    answer = tap(game, 2, "B1 C1 B1 undo")
    assert stored_tiles(game) == {2: "B1C1."}
    assert write_draft(answer.result.steps.draft) == "SE.B1C1..lost"


def test_a_hand_that_another_phone_has_changed_is_left_as_it_is_and_said_to_be(game: Game) -> None:
    tap(game, 2, "B1")
    answer = tap(game, 2, "C9")
    assert answer.result.refusals == (CHANGED_ELSEWHERE_MESSAGE,)
    assert answer.result.steps.draft.tiles == ("B1",)
    assert stored_tiles(game) == {2: "B1."}


def test_tiles_of_the_others_are_used_up(game: Game) -> None:
    tap(game, 2, "pung:DR F1")
    answer = tap(game, 3, "DR DR F1")
    assert stored_tiles(game)[3] == "Dr."
    assert answer.result.refusals == (
        "None of the 4 tiles “red dragon” is left.",
        "There is only 1 tile “flower 1”, and it is already used.",
    )


def test_nothing_left_in_a_hand_is_no_hand(game: Game) -> None:
    hand = tap(game, 2, "B1 B2").result.steps.draft
    tap(game, 2, "clear", sent_draft=hand)
    assert not TappedHand.objects.exists()


def test_only_one_player_says_mah_jong(game: Game) -> None:
    tap(game, 1, "won:yes B1")
    answer = tap(game, 4, "C1 won:yes")
    assert answer.said_first == 1
    assert not answer.result.steps.draft.won
    assert write_draft(answer.other_drafts[1]) == "EE.B1..won"


def test_the_second_to_say_mah_jong_may_take_it_over(game: Game) -> None:
    tap(game, 1, "won:yes B1")
    answer = tap(game, 4, "C1 won:over")
    assert answer.said_first is None
    drafts = dict(game.tapped.values_list("seat", "draft"))
    assert drafts == {1: "EE.B1..lost", 4: "NE.C1..won"}


def test_the_deal_cannot_be_tapped(game: Game) -> None:
    answer = tap(game, 2, "seat:N prevailing:W players:3 goulash:yes B1")
    assert write_draft(answer.result.steps.draft) == "SE.B1..lost"


def test_tiles_go_away_with_the_hand_that_is_recorded(game: Game) -> None:
    tap(game, 2, "B1")
    record(game, 1, SOUTH_WINS)
    assert not TappedHand.objects.exists()
    with pytest.raises(Refused, match=r"Hand 1 is not the current hand: the next one is 2\."):
        tap(game, 2, "B1 B2")


def test_tiles_can_be_put_away(game: Game) -> None:
    tap(game, 2, "B1")
    tap(game, 3, "B1")
    forget_tapped_tiles(game_id=game.pk, number=1, seat=2)
    assert stored_tiles(game) == {3: "B1."}


def test_who_sits_out_has_no_tiles() -> None:
    game = open_game(5)
    with pytest.raises(Refused, match="sits out"):
        tap(game, 5, "B1")


def test_no_tiles_are_tapped_after_the_end() -> None:
    game = open_game(hands_planned=1)
    play(game, DRAWN)
    with pytest.raises(Refused, match="finished"):
        tap(game, 2, "B1", number=2)


def test_after_a_drawn_hand_the_goulash_needs_no_telling(game: Game) -> None:
    play(game, DRAWN)
    hand = tap(game, 2, "B1", number=2).result.steps.draft
    answer = tap(game, 2, "clear pair:B2 JK", sent_draft=hand, number=2)
    assert write_draft(answer.result.steps.draft) == "SEg.B22Jk..lost"


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_of_two_phones_that_take_the_last_tile_one_has_it_and_the_other_is_told() -> None:
    for _ in range(5):
        game = open_game()
        tap(game, 1, "pung:DR")
        answers = at_once([partial(tap, game, seat, "C1 DR C2") for seat in (2, 3, 4)])
        tap_answers = [answer for answer in answers if isinstance(answer, TapAnswer)]
        refusal_messages = sorted(answer.result.refusals for answer in tap_answers)
        used_up = ("None of the 4 tiles “red dragon” is left.",)
        assert refusal_messages == [(), used_up, used_up]
        tiles = sorted(
            read_draft(text).tiles for text in game.tapped.values_list("draft", flat=True)
        )
        assert tiles == [("C1", "C2"), ("C1", "C2"), ("C1", "DR", "C2"), ("DR", "DR", "DR")]


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_of_four_that_say_mah_jong_at_once_one_has_it() -> None:
    game = open_game()
    answers = at_once([partial(tap, game, seat, "won:yes") for seat in (1, 2, 3, 4)])
    first = [answer.said_first for answer in answers if isinstance(answer, TapAnswer)]
    (winner,) = [row.seat for row in game.tapped.all() if read_draft(row.draft).won]
    assert sorted(first, key=bool) == [None, winner, winner, winner]


@pytest.mark.django_db(transaction=True)
@pytest.mark.services
def test_the_same_taps_from_four_threads_are_tapped_once() -> None:
    game = open_game()
    at_once([partial(tap, game, 2, "B1 B1 C3")] * 4)
    assert stored_tiles(game) == {2: "B11C3."}


def test_a_hand_that_is_taken_back_lies_there_as_it_was_tapped(game: Game) -> None:
    hand = record(game, 1, EAST_WINS_IN_TILES).hand
    take_back(hand)
    assert stored_tiles(game) == {1: "O333777B66-B222-C555.", 2: "B13.", 4: "C111.F4"}
    assert game.tapped.get(seat=1).draft.endswith(".won-discard-B6")
