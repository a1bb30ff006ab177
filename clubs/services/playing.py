"""A pretend table plays: each hand goes in as a phone sends it."""

from collections.abc import Callable, Collection
from typing import Protocol

from clubs.dealing import Dealer
from scoring import Deal
from scoring.scorebook import selectors, services
from scoring.scorebook.consent import Names, shown_digest
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Game, Hand, Recording
from scoring.scorebook.reports import Report
from scoring.sticks import EACH

Post = Callable[..., services.Recorded]


class Laid(Protocol):
    """A table of any event."""

    pk: int
    game: Game


def play(
    table: Laid,
    post: Post,
    dealer: Dealer,
    hands: int,
    *,
    names: Names,
    way: Recording | None = None,
) -> int:
    """Deal and report so many hands, fewer where the game ends; returns how many.

    All but the last are agreed at the table. ``way``: how they are told; None: as it comes.
    """
    rules = rule_set(table.game.rules)
    for played in range(1, hands + 1):
        told = selectors.progress(table.game)
        if told.finished:
            return played - 1
        deal = told.deals[-1]
        recorded = post(
            table=table,
            submission_id=dealer.submission_id(),
            number=deal.number,
            report=dealer.report(deal, rules) if way is None else _told(table, dealer, deal, way),
            sent_by=f"table {table.pk}",
        )
        if played < hands:
            tell(recorded.hand, names, agrees=True)
    return hands


def _told(table: Laid, dealer: Dealer, deal: Deal, way: Recording) -> Report:
    """One hand told in this way; each seat's sticks are what it had and what it gained."""
    if way is not Recording.TALLIES:
        return dealer.report_in(way, deal, rule_set(table.game.rules))
    had = selectors.held_before(selectors.game_view(table.game), deal.number, start=EACH)
    return dealer.report_in(way, deal, rule_set(table.game.rules), had=had)


def tell(
    hand: Hand, names: Names, *, agrees: bool, seats: Collection[int] | None = None, note: str = ""
) -> None:
    """These seats (None: all that played) say what they think of the hand, on the table's phone."""
    services.say(
        game_id=hand.game_id,
        hand_id=hand.pk,
        seats=seats,
        agrees=agrees,
        shown=shown_digest(selectors.hand_row(hand), names=names, rules=hand.game.rules),
        names=names,
        said_by=hand.sent_by,
        note=note,
    )
