"""What a table sends in about one hand, and what the engine makes of it, seat by seat."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring import (
    BadHand,
    Deal,
    RuleSet,
    Wind,
    check_totals,
    hand_from_json,
    reckoning_as_json,
    score,
    settle,
)
from scoring.scorebook.refusals import Finding, Refusal, Refused


@dataclass(frozen=True, slots=True)
class Report:
    """One hand as told: who went Mah-Jong (None: drawn), and a total or tiles for each seat."""

    winner: int | None
    totals: Mapping[int, int | None] = field(default_factory=dict)
    tiles: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    won_by: str | None = None
    discarder: int | None = None
    pays_for_all: int | None = None

    def as_json(self) -> dict[str, Any]:
        """The form that is stored and compared: only what was told."""
        told: dict[str, Any] = {"winner": self.winner}
        if self.totals:
            told["totals"] = {str(seat): total for seat, total in sorted(self.totals.items())}
        if self.tiles:
            told["tiles"] = {str(seat): dict(hand) for seat, hand in sorted(self.tiles.items())}
        for name in ("won_by", "discarder", "pays_for_all"):
            if (value := getattr(self, name)) is not None:
                told[name] = value
        return told

    @classmethod
    def from_json(cls, told: Mapping[str, Any]) -> "Report":
        """A stored report, read back."""
        return cls(
            winner=told["winner"],
            totals={int(seat): total for seat, total in told.get("totals", {}).items()},
            tiles={int(seat): hand for seat, hand in told.get("tiles", {}).items()},
            won_by=told.get("won_by"),
            discarder=told.get("discarder"),
            pays_for_all=told.get("pays_for_all"),
        )


@dataclass(frozen=True, slots=True)
class Reckoned:
    """Scores, gains and payments of a hand by seat number, with the engine's lines."""

    scores: Mapping[int, int]
    gains: Mapping[int, int]
    payments: tuple[tuple[int, int, int], ...]
    lines: Mapping[str, Any]


def reckon(report: Report, deal: Deal, rules: RuleSet) -> Reckoned:
    """Score and settle a report under its deal; raises ``Refused`` with all problems."""
    if problems := _misplaced(report, deal):
        raise Refused(problems)
    if report.winner is None:
        return Reckoned({}, dict.fromkeys(deal.winds, 0), (), {})
    scores, lines = _scores(report, deal, rules)
    winds = deal.winds
    seat_of = {wind: seat for seat, wind in winds.items()}
    settlement = settle(
        {winds[seat]: total for seat, total in scores.items()},
        winner=winds[report.winner],
        rules=rules,
        dealer=winds[deal.dealer],
        won_by=report.won_by,
        discarder=_wind(report.discarder, deal),
        pays_for_all=_wind(report.pays_for_all, deal),
    )
    return Reckoned(
        scores=scores,
        gains={seat_of[wind]: gain for wind, gain in settlement.gain.items()},
        payments=tuple(
            (seat_of[paid.payer], seat_of[paid.payee], paid.points) for paid in settlement.payments
        ),
        lines=lines,
    )


def _wind(seat: int | None, deal: Deal) -> Wind | None:
    return None if seat is None else deal.winds[seat]


def _misplaced(report: Report, deal: Deal) -> list[Finding]:
    """Seats named in the report that are not playing this hand."""
    named = {
        "winner": report.winner,
        "discarder": report.discarder,
        "pays_for_all": report.pays_for_all,
    }
    found: list[Finding] = [
        Refusal("bad_seat", f"Seat {seat} is not playing this hand.", where)
        for where, seat in named.items()
        if seat is not None and seat not in deal.winds
    ]
    return found + [
        Refusal("bad_seat", f"Seat {seat} sits this hand out and has no score.", f"scores.{seat}")
        for seat in sorted({*report.totals, *report.tiles} - set(deal.winds))
    ]


def _scores(report: Report, deal: Deal, rules: RuleSet) -> tuple[dict[int, int], dict[str, Any]]:
    told: dict[int, int | None] = {seat: report.totals.get(seat) for seat in deal.winds}
    lines: dict[str, Any] = {}
    problems: list[Finding] = []
    for seat, tiles in report.tiles.items():
        try:
            reckoning = score(hand_from_json(_placed(tiles, seat, report, deal), rules), rules)
        except BadHand as bad:
            problems += [
                Refusal(problem.code, problem.sentence, f"tiles.{seat}.{problem.where}")
                for problem in bad.problems
            ]
            told.pop(seat)
            continue
        told[seat] = reckoning.total
        lines[str(seat)] = reckoning_as_json(reckoning)
    problems += _bad_totals(told, report, deal, rules)
    if problems:
        raise Refused(problems)
    return {seat: total for seat, total in told.items() if total is not None}, lines


def _placed(tiles: Mapping[str, Any], seat: int, report: Report, deal: Deal) -> dict[str, Any]:
    """The tiles with all that the game knows already: winds, dealer, who won and how."""
    won = seat == report.winner
    return {
        **tiles,
        "seat_wind": deal.winds[seat],
        "prevailing_wind": deal.prevailing_wind,
        "dealer": seat == deal.dealer,
        "mahjong": won,
        "won_by": report.won_by if won else None,
        "players": len(deal.winds),
        "goulash": deal.goulash,
    }


def _bad_totals(
    told: Mapping[int, int | None], report: Report, deal: Deal, rules: RuleSet
) -> list[Finding]:
    winds = deal.winds
    seat_at = {f"scores.{wind}": seat for seat, wind in winds.items()}
    winner = None if report.winner is None else winds[report.winner]
    return [
        Refusal(
            problem.code,
            problem.sentence,
            f"scores.{seat_at[problem.where]}" if problem.where in seat_at else problem.where,
        )
        for problem in check_totals(
            {winds[seat]: total for seat, total in told.items()}, winner=winner, rules=rules
        )
    ]
