"""Tiles tapped at the table: kept seat by seat, so that no tile of the set is tapped twice."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.db import transaction

from scoring import Deal
from scoring.building import Bag, Draft, Played, Steps, play, seated, used_by, written
from scoring.hands.problems import shown
from scoring.scorebook import selectors
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Game, TappedHand
from scoring.scorebook.refusals import refuse
from scoring.scorebook.reports import Report
from scoring.scorebook.services.games import lock_game
from scoring.scorebook.tapped import (
    SAYS_MAHJONG,
    TAKES_MAHJONG_OVER,
    drafts_of,
    drafts_told,
    winner_of,
)

CHANGED_ELSEWHERE = (
    "This hand was changed on another phone. This is the current version: add anything that is "
    "missing."
)


@dataclass(frozen=True, slots=True)
class Tapped:
    """The hand after the taps, a sentence for each tap that could do nothing, the others' hands.

    ``said_first``: the seat that had said Mah-Jong already, where this one wanted to.
    """

    played: Played
    others: dict[int, Draft]
    said_first: int | None = None


@transaction.atomic
def tap_tiles(*, game_id: int, number: int, seat: int, sent: Steps, taps: Sequence[str]) -> Tapped:
    """Keep what a phone taps at one seat's hand, under the game's lock.

    ``sent`` is the hand as the phone knew it before the taps; the same taps again change nothing.
    A hand that another phone has changed is not touched, and said to be so. Raises ``Refused``
    when the hand of that number is not being played, or not by that seat.
    """
    game = lock_game(game_id)
    deal = _deal_being_played(game, number, seat)
    others = drafts_of(game, deal)
    stands = others.pop(seat, None)
    rules = rule_set(game.rules)
    sent = replace(sent, draft=seated(sent.draft, seat, deal, rules))
    resumed = _resumed(sent, taps, stands, Bag(rules, used_by(others.values())))
    if resumed is None:
        now = stands or seated(Draft(won=False), seat, deal, rules)
        return Tapped(Played(Steps(now), (CHANGED_ELSEWHERE,)), others)
    return _go_on(game, deal, seat, *resumed, others)


@transaction.atomic
def put_tiles_away(*, game_id: int, number: int, seat: int) -> None:
    """Forget what was tapped at one seat's hand: its score is typed instead."""
    game = lock_game(game_id)
    game.tapped.filter(number=number, seat=seat).delete()


def forget_tiles(game: Game, number: int) -> None:
    """The hand of that number is in the book; the caller has locked the game."""
    game.tapped.filter(number__lte=number).delete()


def tap_again(game: Game, report: Report) -> None:
    """The tiles of a hand that was just taken back, to be changed; the caller has locked the game.

    Tiles that were told elsewhere than by tapping may be of no shape that taps could have made.
    """
    told = selectors.progress(game)
    TappedHand.objects.bulk_create(
        TappedHand(game=game, number=told.deals[-1].number, seat=seat, draft=written(draft))
        for seat, draft in drafts_told(report, told.deals[-1], rule_set(game.rules)).items()
    )


def _deal_being_played(game: Game, number: int, seat: int) -> Deal:
    told = selectors.progress(game)
    if game.is_closed or told.finished:
        raise refuse("game_closed", "This game is finished, so you cannot add more hands.")
    deal = told.deals[-1]
    if number != deal.number:
        sentence = f"Hand {shown(number)} is not being played now: the next is {deal.number}."
        raise refuse("wrong_number", sentence, "number")
    if seat not in deal.winds:
        raise refuse("bad_seat", "This player sits out the hand and has no tiles.", "seat")
    return deal


def _resumed(
    sent: Steps, taps: Sequence[str], stands: Draft | None, bag: Bag
) -> tuple[Steps, Sequence[str]] | None:
    """The hand that stands and the taps still to do; a phone that asks again sends all of them.

    None where the hand that stands is on no way from what was sent.
    """
    steps = sent
    for done in range(len(taps) + 1):
        if _is_same(steps.draft, stands):
            return steps, taps[done:]
        steps = play(steps, [_plainly(taps[done])], bag).steps if done < len(taps) else steps
    return None


def _is_same(draft: Draft, stands: Draft | None) -> bool:
    return written(draft) == written(stands) if stands else not draft.held


def _plainly(tap: str) -> str:
    return SAYS_MAHJONG if tap == TAKES_MAHJONG_OVER else tap


def _go_on(
    game: Game,
    deal: Deal,
    seat: int,
    steps: Steps,
    taps: Sequence[str],
    others: dict[int, Draft],
) -> Tapped:
    rules = rule_set(game.rules)
    rival = winner_of(others)
    if rival and TAKES_MAHJONG_OVER in taps:
        others[rival] = replace(others[rival], won=False)
        _keep(game, deal, rival, others[rival])
        rival = None
    played = play(steps, map(_plainly, taps), Bag(rules, used_by(others.values())))
    draft = seated(played.steps.draft, seat, deal, rules)
    said_first = rival if draft.won else None
    if said_first:
        draft = replace(draft, won=False)
    _keep(game, deal, seat, draft)
    return Tapped(replace(played, steps=replace(played.steps, draft=draft)), others, said_first)


def _keep(game: Game, deal: Deal, seat: int, draft: Draft) -> None:
    """A hand without a tile that says nothing is as good as none."""
    at: dict[str, Any] = {"game": game, "number": deal.number, "seat": seat}
    if draft.held or draft.won:
        TappedHand.objects.update_or_create(**at, defaults={"draft": written(draft)})
    else:
        TappedHand.objects.filter(**at).delete()
