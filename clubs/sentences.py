"""A hand in plain sentences, as one says it at the table: who pays whom how much."""

from collections import defaultdict
from collections.abc import Iterator

from clubs.rows import HandView, Transfer
from scoring.naming import listed


def said_of(hand: HandView) -> list[str]:
    """``Margaret pays Dilip 120; Zoë and Ngaio pay 60 each.`` Then the losers among themselves.

    Nothing where nobody pays.
    """
    winner = [paid for paid in hand.transfers if paid.payee == hand.winner_name]
    others = [paid for paid in hand.transfers if paid.payee != hand.winner_name]
    return [*_to_the_winner(hand, winner), *_among_the_others(others)]


def _to_the_winner(hand: HandView, paid: list[Transfer]) -> Iterator[str]:
    alike: dict[int, list[str]] = defaultdict(list)
    for payment in sorted(paid, key=lambda payment: -payment.points):
        alike[payment.points].append(payment.payer)
    parts: list[str] = []
    for points, payers in alike.items():
        verb, each = ("pay", " each") if len(payers) > 1 else ("pays", "")
        payee = "" if parts else f" {hand.winner_name}"
        parts.append(f"{listed(payers)} {verb}{payee} {points:,}{each}")
    if parts:
        alone = ", for everybody" if hand.row.report.get("pays_for_all") else ""
        yield f"{'; '.join(parts)}{alone}."


def _among_the_others(paid: list[Transfer]) -> Iterator[str]:
    by_payer: dict[str, list[str]] = defaultdict(list)
    for payment in paid:
        by_payer[payment.payer].append(f"{payment.payee} {payment.points:,}")
    return (f"{payer} pays {listed(owed)}." for payer, owed in by_payer.items())
