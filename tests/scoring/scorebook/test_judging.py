"""Agreement, seat by seat: bound to what was shown, until the scorer decides."""

from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from scoring.scorebook import services
from scoring.scorebook.consent import Sitters, shown_digest
from scoring.scorebook.models import Agreement, AgreementPolicy, Decision, Game, Hand, HandState
from scoring.scorebook.refusals import Refused
from scoring.scorebook.selectors import game_mark, hand_row
from tests.scoring.scorebook.book import (
    DRAWN,
    SOUTH_WINS,
    WEST_WINS,
    agree,
    correct,
    decide,
    dispute,
    open_game,
    page_digest,
    play,
    refusals,
    say,
)

pytestmark = pytest.mark.django_db

REPORTED, AGREED, DISPUTED, DECIDED = HandState


def game_of(policy: AgreementPolicy, size: int = 4) -> Game:
    """A game in which so many must agree."""
    game = open_game(size)
    Game.objects.update(agreement=policy)
    game.refresh_from_db()
    return game


@pytest.fixture
def game() -> Game:
    return game_of(AgreementPolicy.ALL)


def test_all_agree_writes_down_those_who_had_not(hand: Hand) -> None:
    agree(hand, 3)
    assert agree(hand).state == AGREED
    assert list(hand.agreements.values_list("seat", flat=True)) == [3, 1, 2, 4]


def test_who_sits_out_is_not_asked() -> None:
    game = game_of(AgreementPolicy.ALL, 5)
    (hand,) = play(game, SOUTH_WINS)
    assert agree(hand).state == AGREED
    with pytest.raises(Refused, match="Seat 5 sat out hand 1, so the other players agree it"):
        agree(hand, 5)


@pytest.mark.parametrize(
    ("policy", "states"),
    [
        (AgreementPolicy.ALL, [REPORTED, REPORTED, REPORTED, AGREED]),
        (AgreementPolicy.TWO, [REPORTED, AGREED, AGREED, AGREED]),
        (AgreementPolicy.SCORER, [REPORTED] * 4),
        (AgreementPolicy.NONE, [AGREED] * 4),
    ],
)
def test_the_policy_says_how_many_must_agree(
    policy: AgreementPolicy, states: list[HandState]
) -> None:
    (hand,) = play(game_of(policy), SOUTH_WINS)
    assert [agree(hand, seat).state for seat in (1, 3, 2, 4)] == states


def test_where_nobody_is_asked_a_hand_is_agreed_as_it_is_saved() -> None:
    (hand,) = play(game_of(AgreementPolicy.NONE), SOUTH_WINS)
    assert (hand.state, dispute(hand).state, agree(hand, 1).state) == (AGREED, DISPUTED, AGREED)


def test_where_the_scorer_alone_looks_one_look_is_enough() -> None:
    (hand,) = play(game_of(AgreementPolicy.SCORER), SOUTH_WINS)
    assert decide(hand).state == AGREED
    assert dispute(hand).state == DISPUTED
    assert decide(hand, "looked at twice").state == DECIDED


def test_not_right_is_a_dispute_with_the_words_of_who_says_so(hand: Hand) -> None:
    assert dispute(hand, 3, "  My score was\n46 ").state == DISPUTED
    agreement = hand.agreements.get()
    assert (agreement.seat, agreement.agrees, agreement.note) == (3, False, "My score was 46")


def test_an_agreed_hand_can_be_disputed_and_agreed_again(hand: Hand) -> None:
    assert agree(hand).state == AGREED
    assert dispute(hand, 2).state == DISPUTED
    assert agree(hand, 1).state == DISPUTED
    assert agree(hand, 2).state == AGREED


def test_two_who_agree_do_not_overrule_who_says_not_right() -> None:
    (hand,) = play(game_of(AgreementPolicy.TWO), SOUTH_WINS)
    dispute(hand, 4)
    assert agree(hand, 1, 2).state == DISPUTED
    assert agree(hand, 4).state == AGREED


def test_saying_the_same_again_is_written_down_once(hand: Hand) -> None:
    for _ in range(2):
        agree(hand, 1)
        dispute(hand, 2, "East is wrong")
    assert Agreement.objects.count() == 2
    dispute(hand, 2, "and my score")
    assert Agreement.objects.count() == 3


def test_the_scorer_lets_a_disputed_hand_stand_and_says_why(hand: Hand) -> None:
    dispute(hand)
    assert decide(hand).state == decide(hand).state == DECIDED
    decision = Decision.objects.get()
    assert (decision.reason, decision.made_by) == ("as on the paper sheet", "user 7")


@pytest.mark.parametrize("reason", ["", "  ", "x" * 201])
def test_a_decision_says_why(hand: Hand, reason: str) -> None:
    assert [field for field, _ in refusals(partial(decide, hand, reason))] == ["reason"]


def test_what_the_scorer_has_decided_is_disputed_no_more(hand: Hand) -> None:
    decide(hand)
    for speak in (agree, dispute):
        with pytest.raises(Refused, match=r"Hand 1 has been settled .* decided by the scorer"):
            speak(hand)


def test_what_all_have_agreed_needs_no_decision(hand: Hand) -> None:
    agree(hand)
    with pytest.raises(Refused, match="it is agreed"):
        decide(hand)


def test_a_corrected_hand_is_agreed_to_no_more(hand: Hand) -> None:
    correct(hand, WEST_WINS)
    for speak in (agree, dispute, decide):
        with pytest.raises(Refused, match="Hand 1 has been corrected since"):
            speak(hand)
    assert not Agreement.objects.exists()


def test_a_note_fits_its_line(hand: Hand) -> None:
    with pytest.raises(Refused, match="Use 200 characters or fewer"):
        dispute(hand, 1, "x" * 201)


def test_a_hand_of_another_game_is_not_found(game: Game) -> None:
    (hand,) = play(open_game(), SOUTH_WINS)
    with pytest.raises(Hand.DoesNotExist):
        services.record_agreement(
            game_id=game.pk,
            hand_id=hand.pk,
            seats=None,
            agrees=True,
            seen_digest="",
            sitters=Sitters({}),
            said_by="table 1",
        )


def test_nobody_agrees_to_what_they_were_not_shown(hand: Hand) -> None:
    with pytest.raises(Refused, match="Hand 1 has changed since you opened this page"):
        say(hand, substitutes={1: "Ann"}, digest=page_digest(hand))
    assert not Agreement.objects.exists()


def test_an_agreement_lapses_when_somebody_else_played_the_hand(hand: Hand) -> None:
    say(hand, 1, 2, 3)
    assert say(hand, 4, substitutes={1: "Abe"}).state == REPORTED
    assert say(hand, substitutes={1: "Abe"}).state == AGREED


def test_an_objection_outlives_a_change_of_people(hand: Hand) -> None:
    dispute(hand, 3)
    assert say(hand, 1, 2, 4, substitutes={1: "Abe"}).state == DISPUTED


def test_the_digest_covers_all_that_is_shown_and_nothing_that_is_told_later(game: Game) -> None:
    hands = play(game, SOUTH_WINS, DRAWN)
    row = hand_row(hands[0])

    def digest(**changed_fields: Any) -> str:
        return shown_digest(
            replace(row, **changed_fields), substitutes={1: "Ann"}, rules="bmja/2008"
        )

    seen_digest = digest()
    later_fields: dict[str, Any] = {"pk": 9, "state": AGREED, "sent_by": "user 1", "reason": "why"}
    assert {digest(**{name: value}) for name, value in later_fields.items()} == {seen_digest}
    other_fields: dict[str, Any] = {"number": 2, "winner": 3, "scores": {1: 4}, "gains": {1: 4}}
    assert (
        len({seen_digest, *(digest(**{name: value}) for name, value in other_fields.items())}) == 5
    )
    assert shown_digest(row, substitutes={1: "Ann"}, rules="bmja/2009") != seen_digest


def test_other_phones_hear_of_every_word(game: Game, hand: Hand) -> None:
    marks = [game_mark(game)]
    for seat in (1, 2):
        agree(hand, seat)
        marks.append(game_mark(game))
    assert len(set(marks)) == 3
    assert {mark.rpartition("-")[0] for mark in marks} == {marks[0].rpartition("-")[0]}
