"""A hand of the book as a form shows it, and the tiles that a correction leaves as they were."""

from dataclasses import replace
from typing import Any

from clubs.forms.hands.places import FROM_THE_WALL, NOBODY
from scoring.hands import CLAIMS
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import HandRow


def told_of(row: HandRow) -> dict[str, Any]:
    """A recorded hand as a form shows it."""
    report = Report.from_json(row.report)
    scores = {f"score_{seat}": score for seat, score in row.scores.items()}
    counts = {f"count_{seat}": count for seat, count in report.tallies.items()}
    return {
        "way": report.way,
        "winner": row.winner or NOBODY,
        "pays_for_all": row.report.get("pays_for_all") or "",
        "last_tile": _last_tile(report),
        "as_counted": report.as_counted,
        "score": row.scores.get(row.winner or 0),
        **scores,
        **counts,
    }


def _last_tile(report: Report) -> str:
    """What the form has for it: empty where nothing was told."""
    if report.won_by in CLAIMS:
        return str(report.discarder or "")
    return FROM_THE_WALL if report.won_by else ""


def keeping_tiles(report: Report, row: HandRow) -> Report:
    """The report with the tiles that were told before, where neither total nor winner changed.

    How the hand was won stays as it was told, unless the form says otherwise: then the winner's
    tiles go as well, because they were scored for that.
    """
    before = Report.from_json(row.report)
    if not report.totals or report.winner != before.winner:
        return report
    won_alike = report.won_by is None or _last_tile(report) == _last_tile(before)
    tiles = {
        seat: hand
        for seat, hand in before.tiles.items()
        if report.totals.get(seat) == row.scores.get(seat) and (won_alike or seat != report.winner)
    }
    totals = {seat: total for seat, total in report.totals.items() if seat not in tiles}
    how = before if won_alike else report
    return replace(report, totals=totals, tiles=tiles, won_by=how.won_by, discarder=how.discarder)
