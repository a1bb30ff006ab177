"""A hand in plain sentences, as one says it at the table: who pays whom how much."""

from collections import defaultdict
from collections.abc import Iterator

from clubs.rows import HandView, Transfer
from clubs.tiledhands import tiled_hands
from scoring import Ending, RuleSet
from scoring.contradictions import ending_contradictions
from scoring.naming import listed
from scoring.scorebook.reports import Report


def said_of(hand: HandView) -> list[str]:
    """``Margaret pays Dilip 120; Zoë and Ngaio pay 60 each.`` Then the losers among themselves.

    Nothing where nobody pays.
    """
    winner = [paid for paid in hand.transfers if paid.payee == hand.winner_name]
    others = [paid for paid in hand.transfers if paid.payee != hand.winner_name]
    return [*_to_the_winner(hand, winner), *_among_the_others(others)]


def doubts_about(hand: HandView, rules: RuleSet) -> list[str]:
    """What cannot have happened as the end of the hand was told: ``The dealer makes the first …``.

    The tiles have their own notices.
    """
    report, winds = Report.from_json(hand.row.report), hand.row.winds
    winner, discarder, pays_for_all = (
        None if seat is None else winds[seat]
        for seat in (report.winner, report.discarder, report.pays_for_all)
    )
    ending = Ending(winner, winds[hand.row.dealer], report.won_by, discarder, pays_for_all)
    told_of_tiles = {notice for one in tiled_hands(hand) for notice in one.notices}
    sentences = [notice.sentence for notice in ending_contradictions(ending, rules)]
    return [sentence for sentence in sentences if sentence not in told_of_tiles]


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
        alone = ", for everyone" if hand.row.report.get("pays_for_all") else ""
        yield f"{'; '.join(parts)}{alone}."


def _among_the_others(paid: list[Transfer]) -> Iterator[str]:
    by_payer: dict[str, list[str]] = defaultdict(list)
    for payment in paid:
        by_payer[payment.payer].append(f"{payment.payee} {payment.points:,}")
    return (f"{payer} pays {listed(owed)}." for payer, owed in by_payer.items())
