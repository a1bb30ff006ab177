"""What the engine makes of a report, seat by seat, and the engine's words at the seats."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from scoring import BadScores, Deal, Problem, RuleSet, Settlement, Wind, settle
from scoring.scorebook.refusals import Refusal, Refused
from scoring.scorebook.reports import Report


@dataclass(frozen=True, slots=True)
class Reckoned:
    """Scores, gains and payments of a hand by seat number, with the engine's lines.

    A seat has no score where the winner alone scores, where sticks were counted (they tell the
    winner's at most) and where only the winner was told.
    """

    scores: Mapping[int, int]
    gains: Mapping[int, int]
    payments: tuple[tuple[int, int, int], ...]
    lines: Mapping[str, Any]


def settled_at(
    scores: Mapping[int, int], report: Report, deal: Deal, rules: RuleSet
) -> tuple[dict[int, int], tuple[tuple[int, int, int], ...]]:
    """The gain of each seat, and every payment; raises ``Refused`` with all problems."""
    settlement = _settled(scores, report, deal, rules)
    seat_of = {wind: seat for seat, wind in deal.winds.items()}
    gains = {seat_of[wind]: gain for wind, gain in settlement.gain.items()}
    payments = tuple(
        (seat_of[paid.payer], seat_of[paid.payee], paid.points) for paid in settlement.payments
    )
    return gains, payments


def _settled(scores: Mapping[int, int], report: Report, deal: Deal, rules: RuleSet) -> Settlement:
    winds = deal.winds
    try:
        return settle(
            {winds[seat]: total for seat, total in scores.items()},
            winner=wind_of(report.winner, deal),
            rules=rules,
            dealer=winds[deal.dealer],
            won_by=report.won_by,
            discarder=wind_of(report.discarder, deal),
            pays_for_all=wind_of(report.pays_for_all, deal),
        )
    except BadScores as bad:
        raise Refused([at_seat(problem, deal) for problem in bad.problems]) from bad


def wind_of(seat: int | None, deal: Deal) -> Wind | None:
    """The wind of a seat at the deal; none of none."""
    return None if seat is None else deal.winds[seat]


def at_seat(problem: Problem, deal: Deal) -> Refusal:
    """The problem at the seat's number, where the engine names the wind."""
    seat_at = {f"scores.{wind}": f"scores.{seat}" for seat, wind in deal.winds.items()}
    return Refusal(problem.code, problem.sentence, seat_at.get(problem.where, problem.where))
