"""A pretend table plays: each hand goes in as a phone sends it."""

from collections.abc import Callable, Collection
from typing import Protocol

from clubs.dealing import Dealer
from scoring.scorebook import selectors, services
from scoring.scorebook.consent import Names, shown_digest
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Game, Hand

Post = Callable[..., services.Recorded]


class Laid(Protocol):
    """A table of any event."""

    pk: int
    game: Game


def play(table: Laid, post: Post, dealer: Dealer, hands: int, *, names: Names) -> None:
    """Deal and report so many hands; all but the last are agreed at the table."""
    rules = rule_set(table.game.rules)
    for played in range(1, hands + 1):
        deal = selectors.progress(table.game).deals[-1]
        recorded = post(
            table=table,
            submission_id=dealer.submission_id(),
            number=deal.number,
            report=dealer.report(deal, rules),
            sent_by=f"table {table.pk}",
        )
        if played < hands:
            tell(recorded.hand, names, agrees=True)


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
