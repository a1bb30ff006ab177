"""What a table sends in about one hand, and what the engine makes of it, seat by seat."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from scoring import (
    BadHand,
    BadScores,
    Deal,
    Problem,
    RuleSet,
    Settlement,
    Wind,
    check_totals,
    hand_from_json,
    reckoning_as_json,
    score,
    settle,
)
from scoring.problems import shown
from scoring.scorebook.refusals import Finding, Refusal, Refused

MOST_POINTS = 1_000_000
TOLD_OF_TILES = ("sets", "concealed", "bonus", "winning_tile", "facts")


@dataclass(frozen=True, slots=True)
class Report:
    """One hand as told: who went Mah-Jong (None: drawn), and a total or tiles for each seat."""

    winner: int | None
    totals: Mapping[int, int | None] = field(default_factory=dict)
    tiles: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    won_by: str | None = None
    discarder: int | None = None
    pays_for_all: int | None = None

    def faults(self) -> list[Finding]:
        """What makes this no report at all, whatever the deal: numbers and tiles of no shape."""
        seats = {name: getattr(self, name) for name in ("winner", "discarder", "pays_for_all")}
        return [
            *(
                Refusal("bad_seat", f"{shown(seat)} is not the number of a seat.", name)
                for name, seat in seats.items()
                if seat is not None and type(seat) is not int
            ),
            *(
                Refusal("bad_score", f"{shown(total)} is not a score.", f"scores.{seat}")
                for seat, total in self.totals.items()
                if total is not None and (type(total) is not int or abs(total) > MOST_POINTS)
            ),
            *(
                Refusal("not_an_object", "These are not the tiles of a hand.", f"tiles.{seat}")
                for seat, hand in self.tiles.items()
                if not isinstance(hand, Mapping)
            ),
        ]

    def as_json(self) -> dict[str, Any]:
        """The form that is stored and compared: only what was told, and of a draw only that."""
        told: dict[str, Any] = {"winner": self.winner}
        if self.winner is None:
            return told
        if self.totals:
            told["totals"] = {str(seat): total for seat, total in sorted(self.totals.items())}
        if self.tiles:
            told["tiles"] = {str(seat): _told(hand) for seat, hand in sorted(self.tiles.items())}
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


def asks_who_discarded(rules: RuleSet) -> bool:
    """Whether a table must tell who discarded the last tile, because he pays for it alone."""
    return rules.payments is not None and rules.payments.discarder_alone is not None


def _told(hand: Mapping[str, Any]) -> dict[str, Any]:
    return {name: hand[name] for name in TOLD_OF_TILES if name in hand}


@dataclass(frozen=True, slots=True)
class Reckoned:
    """Scores, gains and payments of a hand by seat number, with the engine's lines.

    Where the winner alone scores, nobody else has a score.
    """

    scores: Mapping[int, int]
    gains: Mapping[int, int]
    payments: tuple[tuple[int, int, int], ...]
    lines: Mapping[str, Any]


def reckon(report: Report, deal: Deal, rules: RuleSet) -> Reckoned:
    """Score and settle a report under its deal; raises ``Refused`` with all problems."""
    if problems := [*_misplaced(report, deal), *_told_of_a_draw(report)]:
        raise Refused(problems)
    if report.winner is None:
        return Reckoned({}, dict.fromkeys(deal.winds, 0), (), {})
    scores, lines = _scores(report, deal, rules)
    settlement = _settled(scores, report, deal, rules)
    seat_of = {wind: seat for seat, wind in deal.winds.items()}
    return Reckoned(
        scores=scores if rules.losers_score else {report.winner: scores[report.winner]},
        gains={seat_of[wind]: gain for wind, gain in settlement.gain.items()},
        payments=tuple(
            (seat_of[paid.payer], seat_of[paid.payee], paid.points) for paid in settlement.payments
        ),
        lines=lines,
    )


def _settled(scores: Mapping[int, int], report: Report, deal: Deal, rules: RuleSet) -> Settlement:
    winds = deal.winds
    try:
        return settle(
            {winds[seat]: total for seat, total in scores.items()},
            winner=_wind(report.winner, deal),
            rules=rules,
            dealer=winds[deal.dealer],
            won_by=report.won_by,
            discarder=_wind(report.discarder, deal),
            pays_for_all=_wind(report.pays_for_all, deal),
        )
    except BadScores as bad:
        raise Refused([_at_seat(problem, deal) for problem in bad.problems]) from bad


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


def _told_of_a_draw(report: Report) -> list[Finding]:
    """Scores and tiles in a hand that nobody won."""
    if report.winner is not None:
        return []
    sentence = "Nobody scores in a drawn hand. Say who went Mah-Jong, or leave this empty."
    return [
        *(
            Refusal("drawn_hand", sentence, f"scores.{seat}")
            for seat, total in report.totals.items()
            if total
        ),
        *(Refusal("drawn_hand", sentence, f"tiles.{seat}") for seat in report.tiles),
    ]


def _scores(report: Report, deal: Deal, rules: RuleSet) -> tuple[dict[int, int], dict[str, Any]]:
    told = {seat: report.totals.get(seat, _untold(seat, report, rules)) for seat in deal.winds}
    lines: dict[str, Any] = {}
    problems: list[Finding] = []
    for seat, tiles in report.tiles.items():
        try:
            reckoning = score(hand_from_json(_placed(tiles, seat, report, deal), rules), rules)
        except BadHand as bad:
            problems += [_in_tiles(problem, seat) for problem in bad.problems]
            told[seat] = 0
            continue
        told[seat] = reckoning.total
        problems += _beyond_the_book(reckoning.total, seat)
        lines[str(seat)] = reckoning_as_json(reckoning)
    problems += _bad_totals(told, report, deal, rules)
    if problems:
        raise Refused(problems)
    return {seat: total for seat, total in told.items() if total is not None}, lines


def _beyond_the_book(total: int, seat: int) -> list[Finding]:
    """Rules without a limit may score more than a row of the book can hold."""
    if total <= MOST_POINTS:
        return []
    sentence = f"This hand scores {total:,} points; the book can hold {MOST_POINTS:,} at most."
    return [Refusal("bad_score", sentence, f"tiles.{seat}")]


def _untold(seat: int, report: Report, rules: RuleSet) -> int | None:
    """The score of a seat that nothing was told of: nothing where only the winner scores."""
    return None if rules.losers_score or seat == report.winner else 0


def _placed(tiles: Mapping[str, Any], seat: int, report: Report, deal: Deal) -> dict[str, Any]:
    """The tiles with all that the game knows already: winds, dealer, who won and how."""
    won = seat == report.winner
    return {
        **_told(tiles),
        "seat_wind": deal.winds[seat],
        "prevailing_wind": deal.prevailing_wind,
        "dealer": seat == deal.dealer,
        "mahjong": won,
        "won_by": report.won_by if won else None,
        "players": len(deal.winds),
        "goulash": deal.goulash,
    }


def _in_tiles(problem: Problem, seat: int) -> Refusal:
    """How the hand was won is told once for the table; all else belongs to the seat's tiles."""
    where = "won_by" if problem.where == "won_by" else f"tiles.{seat}.{problem.where}"
    return Refusal(problem.code, problem.sentence, where)


def _bad_totals(
    told: Mapping[int, int | None], report: Report, deal: Deal, rules: RuleSet
) -> list[Finding]:
    """What is wrong with totals that somebody typed; what the engine scored needs no check."""
    scores = {deal.winds[seat]: total for seat, total in told.items()}
    problems = check_totals(
        scores,
        winner=_wind(report.winner, deal),
        rules=rules,
        prevailing_wind=deal.prevailing_wind,
        goulash=deal.goulash,
        dealer=deal.winds[deal.dealer],
    )
    scored = {f"scores.{seat}" for seat in report.tiles}
    found = [_at_seat(problem, deal) for problem in problems]
    return [problem for problem in found if problem.where not in scored]


def _at_seat(problem: Problem, deal: Deal) -> Refusal:
    """The problem at the seat's number, where the engine names the wind."""
    seat_at = {f"scores.{wind}": f"scores.{seat}" for seat, wind in deal.winds.items()}
    return Refusal(problem.code, problem.sentence, seat_at.get(problem.where, problem.where))
