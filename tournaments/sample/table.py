"""A sample table plays: each hand goes in as a phone sends it."""

from collections.abc import Callable

from clubs.models import SessionTable
from scoring.scorebook import selectors, services
from scoring.scorebook.editions import rule_set
from tournaments.models import Table
from tournaments.sample.dealing import Dealer

Post = Callable[..., services.Recorded]


def play(table: SessionTable | Table, post: Post, dealer: Dealer, hands: int) -> None:
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
            services.agree_hand(hand_id=recorded.hand.pk)
