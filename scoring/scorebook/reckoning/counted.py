"""A hand told in sticks counted afterwards: what each gained, and the scores behind it."""

from collections.abc import Iterator, Mapping

from scoring import Deal, Ending, RuleSet, Wind
from scoring.counted import Behind, miscounted, scores_behind
from scoring.naming import listed
from scoring.scorebook.reckoning.answer import Reckoned, settled_at, wind_of
from scoring.scorebook.reckoning.possible import totals_at
from scoring.scorebook.refusals import Finding, Refusal, Refused, refuse
from scoring.scorebook.reports import Report
from scoring.totals import nearest

NO_STICKS = "No one pays under these rules, so there are no sticks to count."


def reckon_counted(report: Report, deal: Deal, rules: RuleSet) -> Reckoned:
    """What each has now less what it had; the winner's score and the payments follow from that.

    Where no scores lead to the counts there are neither, and the report must say ``as_counted``.
    """
    if not rules.zero_sum:
        raise refuse("no_sticks", NO_STICKS, "tallies")
    if missing := list(_missing(report, deal)):
        raise Refused(missing)
    settled_at(dict.fromkeys(deal.winds, 0), report, deal, rules)
    gains = {seat: report.tallies[seat] - report.had[seat] for seat in deal.winds}
    counted = _Counted(report, deal, rules, gains)
    if off := sum(gains.values()):
        raise Refused(list(counted.astray(off)))
    behind = counted.behind()
    if behind is not None:
        nothing = dict.fromkeys(deal.winds, 0)
        _, payments = settled_at({**nothing, **behind}, report, deal, rules)
        return Reckoned({counted.winner: behind[counted.winner]}, gains, payments, {})
    if not report.as_counted:
        raise Refused([counted.unexplained()])
    return Reckoned({}, gains, (), {})


def _missing(report: Report, deal: Deal) -> Iterator[Finding]:
    for seat, wind in deal.winds.items():
        if seat not in report.tallies:
            yield Refusal("count_missing", f"Enter what {wind.label} has now.", f"tallies.{seat}")
        elif seat not in report.had:
            sentence = f"We do not know what {wind.label} had before."
            yield Refusal("count_missing", sentence, f"tallies.{seat}")


class _Counted:
    """The counts of one hand, by wind for the engine and by seat for the table."""

    def __init__(
        self, report: Report, deal: Deal, rules: RuleSet, gains: Mapping[int, int]
    ) -> None:
        self.report, self.deal, self.rules = report, deal, rules
        self.gains = {deal.winds[seat]: gain for seat, gain in gains.items()}
        self.winner = report.winner or 0
        self.ending = Ending(
            wind_of(report.winner, deal),
            deal.winds[deal.dealer],
            report.won_by,
            wind_of(report.discarder, deal),
            wind_of(report.pays_for_all, deal),
        )
        self.possible = totals_at(deal, rules, self.ending.winner)

    @property
    def behind_gains(self) -> Behind | None:
        """The scores behind the gains, whether hands have such scores or not."""
        return scores_behind(self.gains, self.ending, self.rules)

    def behind(self) -> dict[int, int] | None:
        """The lowest scores that lead to the counts, by seat; None where none do."""
        behind = self.behind_gains
        least = behind and behind.least(self.possible, self.deal.winds[self.winner])
        seat_of = {wind: seat for seat, wind in self.deal.winds.items()}
        return {seat_of[wind]: points for wind, points in least.items()} if least else None

    def astray(self, off: int) -> Iterator[Finding]:
        """So much is missing or too much, and whose count it perhaps is."""
        had, have = sum(self._had.values()), sum(self._had.values()) + off
        missing = "is missing" if off == -1 else "are missing"
        much = f"{abs(off):,} {'too much' if off > 0 else missing}"
        suspects = miscounted(self.gains, self.ending, self.rules, self.possible)
        sentence = f"The counts add up to {have:,}, but should add up to {had:,}: {much}."
        if not suspects:
            sentence += " Count the sticks again."
        yield Refusal("counts_astray", sentence, "tallies")
        for wind, seat in ((wind, seat) for seat, wind in self.deal.winds.items()):
            if wind in suspects:
                right = self.report.tallies[seat] - off
                words = f"If {wind.label} has {right:,}, everything fits. Count these again."
                yield Refusal("counts_astray", words, f"tallies.{seat}", (right,))

    @property
    def _had(self) -> dict[int, int]:
        return {seat: self.report.had[seat] for seat in self.deal.winds}

    def unexplained(self) -> Finding:
        """That no scores lead to the counts, and why as far as one can tell."""
        winner = self.deal.winds[self.winner]
        others = [wind.label for wind in self.deal.winds.values() if wind != winner]
        behind, gain = self.behind_gains, self.gains[winner]
        why = f"What {listed(others)} gave and got does not add up."
        if gain <= 0:
            why = f"{winner.label} went Mah-Jong but has not gained anything."
        elif behind is None or behind.mahjong not in self.possible[winner]:
            why = self._of_the_winner(winner, gain) or why
        sentence = (
            f"These counts do not match any scores. {why} "
            "Count again or, if the sticks are right, save the counts anyway."
        )
        return Refusal("unexplained", sentence, "as_counted")

    def _of_the_winner(self, winner: Wind, gain: int) -> str:
        """The gains nearest to the winner's that a Mah-Jong brings; empty where it is one."""
        one = settled_at(
            {**dict.fromkeys(self.deal.winds, 0), self.winner: 1},
            self.report,
            self.deal,
            self.rules,
        )[0][self.winner]
        if gain % one == 0 and gain // one in self.possible[winner]:
            return ""
        near = nearest(gain // one, self.possible[winner])
        if gain // one in self.possible[winner]:
            near = (gain // one, near[1])
        told = [f"{points:,} brings {points * one:,}" for points in near if points is not None]
        return f"{winner.label} has gained {gain:,}; a Mah-Jong of {listed(told)}."
