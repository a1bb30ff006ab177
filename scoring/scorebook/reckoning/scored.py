"""A hand told in totals and tiles: scored, checked, settled."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from scoring import (
    BadHand,
    Deal,
    Problem,
    RuleSet,
    check_totals,
    hand_from_json,
    reckoning_as_json,
    score,
)
from scoring.detective import guess_total
from scoring.problems import Code
from scoring.scorebook.reckoning.answer import Reckoned, at_seat, settled_at, wind_of
from scoring.scorebook.reckoning.possible import totals_at
from scoring.scorebook.refusals import Finding, Refusal, Refused
from scoring.scorebook.reports import MOST_POINTS, Report, told_tiles


def reckon_scored(report: Report, deal: Deal, rules: RuleSet) -> Reckoned:
    """From totals and tiles to scores, from scores to gains."""
    scores, lines = _scores(report, deal, rules)
    gains, payments = settled_at(scores, report, deal, rules)
    if not rules.losers_score:
        scores = {seat: total for seat, total in scores.items() if seat == report.winner}
    return Reckoned(scores, gains, payments, lines)


def _scores(report: Report, deal: Deal, rules: RuleSet) -> tuple[dict[int, int], dict[str, Any]]:
    told = {seat: report.totals.get(seat, _untold(seat, report, rules)) for seat in deal.winds}
    lines: dict[str, Any] = {}
    problems: list[Finding] = []
    for seat, tiles in report.tiles.items():
        try:
            reckoning = score(hand_from_json(placed(tiles, seat, report, deal), rules), rules)
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
    sentence = f"This hand scores {total:,} points. At most {MOST_POINTS:,} can be recorded."
    return [Refusal("bad_score", sentence, f"tiles.{seat}")]


def _untold(seat: int, report: Report, rules: RuleSet) -> int | None:
    """The score of a seat that nothing was told of: nothing where only the winner scores."""
    return None if rules.losers_score or seat == report.winner else 0


def placed(tiles: Mapping[str, Any], seat: int, report: Report, deal: Deal) -> dict[str, Any]:
    """The tiles with all that the game knows already: winds, dealer, who won and how."""
    won = seat == report.winner
    return {
        **told_tiles(tiles),
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
    """What is wrong with totals that someone typed; what the engine scored needs no check."""
    scores = {deal.winds[seat]: total for seat, total in told.items()}
    problems = check_totals(
        scores,
        winner=wind_of(report.winner, deal),
        rules=rules,
        prevailing_wind=deal.prevailing_wind,
        goulash=deal.goulash,
        dealer=deal.winds[deal.dealer],
    )
    at_seats = [(problem, at_seat(problem, deal)) for problem in problems]
    scored = {f"scores.{seat}" for seat in report.tiles}
    return [
        _with_guesses(problem, found, told, report, deal, rules)
        for problem, found in at_seats
        if found.where not in scored
    ]


def _with_guesses(
    problem: Problem,
    found: Refusal,
    told: Mapping[int, int | None],
    report: Report,
    deal: Deal,
    rules: RuleSet,
) -> Refusal:
    """An impossible total with those that were perhaps meant."""
    place, _, seat = found.where.partition(".")
    total = told.get(int(seat)) if place == "scores" else None
    if problem.code is not Code.BAD_SCORE or total is None:
        return found
    winner = wind_of(report.winner, deal)
    guesses = guess_total(total, totals_at(deal, rules, winner)[deal.winds[int(seat)]])
    words = " or ".join(guess.words for guess in guesses if guess.words)
    sentence = f"{found.sentence} Perhaps {words}." if words else found.sentence
    return replace(found, sentence=sentence, instead=tuple(guess.points for guess in guesses))
