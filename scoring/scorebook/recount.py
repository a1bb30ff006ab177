"""Every stored hand played again through the engine, every total added up again."""

from dataclasses import dataclass

from django.db import transaction

from scoring import BadOutcome, Deal
from scoring.scorebook import ledger, selectors
from scoring.scorebook.editions import editions_that_differ, rule_set
from scoring.scorebook.models import Game, Hand
from scoring.scorebook.reckoning import reckon
from scoring.scorebook.refusals import Refused
from scoring.scorebook.reports import Report


@dataclass(frozen=True, slots=True)
class Recount:
    """How much was replayed, and a sentence for each thing that differs."""

    games: int
    hands: int
    differences: tuple[str, ...]


def recount(*, repair: bool = False) -> Recount:
    """Replay all games; with ``repair``, set the seats' totals to what ledger and hands say."""
    games = hands = 0
    differences = list(editions_that_differ())
    for game in Game.objects.order_by("pk").iterator():
        with transaction.atomic():
            current = list(game.hands.filter(is_current=True).order_by("number"))
            differences += _hands_differ(game, current)
            differences += _totals_differ(game, current, repair=repair)
        games += 1
        hands += len(current)
    return Recount(games, hands, tuple(differences))


def _hands_differ(game: Game, hands: list[Hand]) -> list[str]:
    try:
        told = selectors.progress_after(game, [selectors.outcome_of(hand) for hand in hands])
    except BadOutcome as bad:
        return [f"{game} cannot be played again: {bad}"]
    found = [_hand_differs(game, hand, deal) for hand, deal in zip(hands, told.deals, strict=False)]
    return [line for line in found if line]


def _hand_differs(game: Game, hand: Hand, deal: Deal) -> str:
    report = Report.from_json(hand.report)
    try:
        again = reckon(report, deal, rule_set(game.rules))
    except Refused as refused:
        return f"{hand}: the engine refuses it now: {refused}"
    stored = (
        hand.winner,
        hand.deal,
        hand.scores,
        hand.gains,
        [tuple(paid) for paid in hand.payments],
    )
    replayed = (
        report.winner,
        selectors.deal_as_json(deal),
        dict(again.scores),
        dict(again.gains),
        list(again.payments),
    )
    return "" if stored == replayed else f"{hand}: stored {stored}, replayed {replayed}"


def _totals_differ(game: Game, hands: list[Hand], *, repair: bool) -> list[str]:
    found = []
    for seat in game.seats.all():
        stored = {name: getattr(seat, name) for name in ledger.TOTALS}
        told = ledger.totals_of(seat)
        if stored != told:
            found.append(f"{seat}: stored {stored}, the ledger says {told}")
            if repair:
                ledger.retell(seat)
        gained = sum(hand.gains.get(seat.number, 0) for hand in hands)
        entered = ledger.points_of_hands(seat)
        if gained != entered:
            found.append(f"{seat}: the hands gave {gained}, the ledger says {entered}")
    return found
