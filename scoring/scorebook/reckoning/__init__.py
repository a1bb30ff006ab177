"""From what a table tells of a hand to what it is worth to everyone."""

from scoring import Deal, RuleSet
from scoring.scorebook.reckoning.answer import Reckoned, reckon_counted, reckon_scored
from scoring.scorebook.refusals import Finding, Refusal, Refused
from scoring.scorebook.reports import Report

__all__ = ["Reckoned", "reckon"]


def reckon(report: Report, deal: Deal, rules: RuleSet) -> Reckoned:
    """Score and settle a report under its deal; raises ``Refused`` with all problems.

    Where only the winner was told nobody scores or gains; counted sticks are reckoned back.
    """
    if problems := [*_misplaced(report, deal), *_told_of_a_draw(report)]:
        raise Refused(problems)
    if report.winner is None or report.only_winner:
        return Reckoned({}, dict.fromkeys(deal.winds, 0), (), {})
    if report.tallies:
        return reckon_counted(report, deal, rules)
    return reckon_scored(report, deal, rules)


def _misplaced(report: Report, deal: Deal) -> list[Finding]:
    """Seats named in the report that are not playing this hand."""
    named = {
        "winner": report.winner,
        "discarder": report.discarder,
        "pays_for_all": report.pays_for_all,
    }
    refusals: list[Finding] = [
        Refusal("bad_seat", f"Seat {seat} is not playing this hand.", where)
        for where, seat in named.items()
        if seat is not None and seat not in deal.winds
    ]
    refusals += [
        Refusal("bad_seat", f"Seat {seat} sits out this hand and has no score.", f"scores.{seat}")
        for seat in sorted({*report.totals, *report.tiles} - set(deal.winds))
    ]
    return refusals + [
        Refusal("bad_seat", f"Seat {seat} sits out this hand. Leave it empty.", f"tallies.{seat}")
        for seat in sorted(set(report.tallies) - set(deal.winds))
    ]


def _told_of_a_draw(report: Report) -> list[Finding]:
    """Scores and tiles in a hand that nobody won."""
    if report.winner is not None:
        return []
    sentence = "No one scores on a drawn hand. Choose who went Mah-Jong, or leave this empty."
    return [
        *(
            Refusal("drawn_hand", sentence, f"scores.{seat}")
            for seat, total in report.totals.items()
            if total
        ),
        *(Refusal("drawn_hand", sentence, f"tiles.{seat}") for seat in report.tiles),
        *(
            Refusal("drawn_hand", "No one pays for a drawn hand.", f"tallies.{seat}")
            for seat, count in report.tallies.items()
            if count != report.had.get(seat)
        ),
    ]
