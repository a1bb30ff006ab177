"""What a table reports of a hand, in one of four ways, and what it is worth to everyone."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from scoring import (
    BadHand,
    Deal,
    Ending,
    Problem,
    RuleSet,
    Wind,
    check_totals,
    hand_from_json,
    possible_totals,
    reckoning_as_json,
    score,
)
from scoring.building.draft import copies_of
from scoring.detective import Guess, guess_total
from scoring.hands.hand import join_words
from scoring.hands.problems import Code, shorten
from scoring.hands.tiles import JOKER, TILE_NAMES, Tile
from scoring.scorebook.models import Recording
from scoring.scorebook.refusals import ProblemLike, Refusal, Refused, refuse
from scoring.table.settlement import (
    ScoresBehind,
    miscounted_seats,
    scores_behind,
    settlement_of,
    settlement_problems,
)
from scoring.totals import nearest

MAX_POINTS = 1_000_000
SEAT_FIELDS = ("winner", "discarder", "pays_for_all")
REPORTED_TILE_FIELDS = ("sets", "concealed", "bonus", "winning_tile", "facts")


@dataclass(frozen=True, slots=True)
class Report:
    """One hand as told: who went Mah-Jong (None: drawn), and a total or tiles for each seat.

    Or ``tallies``: the points in sticks that each seat has counted afterwards, beside what it
    ``had`` before; ``as_counted`` takes them also where no scores lead to them. Or nothing more
    than the winner (``only_winner``): the winds pass on, and nobody gains.
    """

    winner: int | None
    totals: Mapping[int, int | None] = field(default_factory=dict)
    tiles: Mapping[int, Mapping[str, Any]] = field(default_factory=dict)
    won_by: str | None = None
    discarder: int | None = None
    pays_for_all: int | None = None
    tallies: Mapping[int, int] = field(default_factory=dict)
    had: Mapping[int, int] = field(default_factory=dict)
    as_counted: bool = False
    only_winner: bool = False

    @property
    def recording(self) -> Recording:
        """In which way the hand was told."""
        if self.only_winner:
            return Recording.WINNER
        if self.tallies:
            return Recording.TALLIES
        return Recording.TILES if self.tiles else Recording.TOTALS

    def faults(self) -> list[ProblemLike]:
        """What makes this no report at all, whatever the deal: numbers and tiles of no shape."""
        faults: list[ProblemLike] = [
            *(
                Refusal("bad_seat", f"{shorten(seat)} is not the number of a seat.", name)
                for name in SEAT_FIELDS
                if (seat := getattr(self, name)) is not None and type(seat) is not int
            ),
            *(
                Refusal("bad_score", f"{shorten(total)} is not a score.", f"scores.{seat}")
                for seat, total in self.totals.items()
                if total is not None and (type(total) is not int or abs(total) > MAX_POINTS)
            ),
            *(
                Refusal("not_an_object", "These are not the tiles of a hand.", f"tiles.{seat}")
                for seat, hand in self.tiles.items()
                if not isinstance(hand, Mapping)
            ),
            *(
                Refusal("bad_score", f"{shorten(count)} is not a count.", f"tallies.{seat}")
                for seat, count in (*self.tallies.items(), *self.had.items())
                if type(count) is not int or abs(count) > MAX_POINTS
            ),
        ]
        has_scores = bool(self.tiles) or any(total is not None for total in self.totals.values())
        if sum([has_scores, bool(self.tallies), self.only_winner]) > 1:
            message = "Enter the hand in one way: scores or tiles, counted sticks, or winner only."
            path = "tallies" if self.tallies else "only_winner"
            faults.append(Refusal("told_twice", message, path))
        return faults or list(self.tiles_beyond_the_set())

    def tiles_beyond_the_set(self) -> Iterator[ProblemLike]:
        """Tiles of which the hands together have more than there are; too many in one hand it says.

        One flower in two hands, or the tile of a robbed kong with a kong that was kept whole.
        """
        held_tiles: Counter[Tile] = Counter()
        for seat, hand in sorted(self.tiles.items()):
            own_tiles = Counter(all_reported_tiles(hand))
            for tile in own_tiles.keys() & held_tiles.keys():
                most, together = copies_of(tile), own_tiles[tile] + held_tiles[tile]
                if tile != JOKER and own_tiles[tile] <= most < together:
                    limit_text = f"there {'is' if most == 1 else 'are'} only {most}"
                    total_text = f"Together the hands have {together} tiles “{TILE_NAMES[tile]}”"
                    yield Refusal(
                        Code.TOO_MANY_COPIES, f"{total_text}, but {limit_text}.", f"tiles.{seat}"
                    )
            held_tiles += own_tiles

    def as_json(self) -> dict[str, Any]:
        """The form that is stored and compared: only what was told, and of a draw only that."""
        stored_report: dict[str, Any] = {"winner": self.winner}
        if self.winner is None:
            return stored_report
        if self.totals:
            stored_report["totals"] = {
                str(seat): total for seat, total in sorted(self.totals.items())
            }
        if self.tiles:
            stored_report["tiles"] = {
                str(seat): reported_tiles(hand) for seat, hand in sorted(self.tiles.items())
            }
        for name in ("tallies", "had"):
            if counts := getattr(self, name):
                stored_report[name] = {str(seat): count for seat, count in sorted(counts.items())}
        for name in ("won_by", "discarder", "pays_for_all"):
            if (value := getattr(self, name)) is not None:
                stored_report[name] = value
        return stored_report | {
            name: True for name in ("as_counted", "only_winner") if getattr(self, name)
        }

    @classmethod
    def from_json(cls, stored_report: Mapping[str, Any]) -> "Report":
        """A stored report, read back."""
        return cls(
            winner=stored_report["winner"],
            totals={int(seat): total for seat, total in stored_report.get("totals", {}).items()},
            tiles={int(seat): hand for seat, hand in stored_report.get("tiles", {}).items()},
            won_by=stored_report.get("won_by"),
            discarder=stored_report.get("discarder"),
            pays_for_all=stored_report.get("pays_for_all"),
            tallies={int(seat): count for seat, count in stored_report.get("tallies", {}).items()},
            had={int(seat): count for seat, count in stored_report.get("had", {}).items()},
            as_counted=stored_report.get("as_counted", False),
            only_winner=stored_report.get("only_winner", False),
        )

    def ending(self, deal: Deal) -> Ending:
        """How the hand ended, by the winds of its deal."""
        winner, discarder, pays_for_all = (
            None if seat is None else deal.winds[seat]
            for seat in (self.winner, self.discarder, self.pays_for_all)
        )
        return Ending(winner, deal.winds[deal.dealer], self.won_by, discarder, pays_for_all)

    def matches(self, stored_report: Mapping[str, Any]) -> bool:
        """Whether a stored report tells the same; what each had before the table does not tell."""
        return _drop_key(self.as_json(), "had") == _drop_key(stored_report, "had")


def asks_who_discarded(rules: RuleSet) -> bool:
    """Whether a table must tell who discarded the last tile, as it decides who pays."""
    return rules.payments is not None and rules.payments.asks_for_discarder


def reported_tiles(hand: Mapping[str, Any]) -> dict[str, Any]:
    """What a table tells of a seat's tiles; all else the game knows."""
    return {name: hand[name] for name in REPORTED_TILE_FIELDS if name in hand}


def all_reported_tiles(hand: Mapping[str, Any]) -> Iterator[Tile]:
    """Every tile of a hand as it was told; what is no tile is left out."""
    sets = hand.get("sets")
    groups = [item.get("tiles") for item in sets or () if isinstance(item, Mapping)]
    for group in (*groups, hand.get("concealed"), hand.get("bonus")):
        if isinstance(group, list | tuple):
            yield from (
                Tile(code) for code in group if isinstance(code, str) and code in TILE_NAMES
            )


def _drop_key(stored_report: Mapping[str, Any], name: str) -> dict[str, Any]:
    return {key: value for key, value in stored_report.items() if key != name}


def totals_by_wind(
    deal: Deal, rules: RuleSet, winner: Wind | None
) -> Mapping[Wind, tuple[int, ...]]:
    """Every total that can be, by wind, if that one went Mah-Jong."""
    return {
        wind: possible_totals(
            rules,
            won=wind == winner,
            seat_wind=wind,
            prevailing_wind=deal.prevailing_wind,
            players=len(deal.winds),
            goulash=deal.goulash,
            dealer=seat == deal.dealer,
        )
        for seat, wind in deal.winds.items()
    }


@dataclass(frozen=True, slots=True)
class ReckonedHand:
    """Scores, gains and payments of a hand by seat number, with the engine's lines.

    A seat has no score where the winner alone scores, where sticks were counted (they tell the
    winner's at most) and where only the winner was told.
    """

    scores: Mapping[int, int]
    gains: Mapping[int, int]
    payments: tuple[tuple[int, int, int], ...]
    lines: Mapping[str, Any]


def settle_seats(
    scores: Mapping[int, int], report: Report, deal: Deal, rules: RuleSet
) -> tuple[dict[int, int], tuple[tuple[int, int, int], ...]]:
    """The gain of each seat, and every payment; raises ``Refused`` with all problems."""
    by_wind = {deal.winds[seat]: total for seat, total in scores.items()}
    ending = report.ending(deal)
    if problems := list(settlement_problems(by_wind, ending, rules)):
        raise Refused([refusal_at_seat(problem, deal) for problem in problems])
    settlement = settlement_of(by_wind, ending, rules)
    seat_of = {wind: seat for seat, wind in deal.winds.items()}
    gains = {seat_of[wind]: gain for wind, gain in settlement.gain.items()}
    payments = tuple(
        (seat_of[paid.payer], seat_of[paid.payee], paid.points) for paid in settlement.payments
    )
    return gains, payments


def refusal_at_seat(problem: Problem, deal: Deal) -> Refusal:
    """The problem at the seat's number, where the engine names the wind."""
    seat_at = {f"scores.{wind}": f"scores.{seat}" for seat, wind in deal.winds.items()}
    return Refusal(problem.code, problem.message, seat_at.get(problem.path, problem.path))


def reckon_counted(report: Report, deal: Deal, rules: RuleSet) -> ReckonedHand:
    """What each has now less what it had; the winner's score and the payments follow from that.

    Where no scores lead to the counts there are neither, and the report must say ``as_counted``.
    """
    if not rules.zero_sum:
        message = "No one pays under these rules, so there are no sticks to count."
        raise refuse("no_sticks", message, "tallies")
    if missing := list(_missing_counts(report, deal)):
        raise Refused(missing)
    settle_seats(dict.fromkeys(deal.winds, 0), report, deal, rules)
    gains = {seat: report.tallies[seat] - report.had[seat] for seat in deal.winds}
    counted_hand = _CountedHand(report, deal, rules, gains)
    if difference := sum(gains.values()):
        raise Refused(list(counted_hand.astray(difference)))
    lowest_scores = counted_hand.lowest_scores()
    if lowest_scores is not None:
        _, payments = settle_seats(
            {**dict.fromkeys(deal.winds, 0), **lowest_scores}, report, deal, rules
        )
        return ReckonedHand(
            {counted_hand.winner: lowest_scores[counted_hand.winner]}, gains, payments, {}
        )
    if not report.as_counted:
        raise Refused([counted_hand.mismatch_problem()])
    return ReckonedHand({}, gains, (), {})


def _missing_counts(report: Report, deal: Deal) -> Iterator[ProblemLike]:
    for seat, wind in deal.winds.items():
        if seat not in report.tallies:
            yield Refusal("count_missing", f"Enter what {wind.label} has now.", f"tallies.{seat}")
        elif seat not in report.had:
            message = f"We do not know what {wind.label} had before."
            yield Refusal("count_missing", message, f"tallies.{seat}")


class _CountedHand:
    """The counts of one hand, by wind for the engine and by seat for the table."""

    def __init__(
        self, report: Report, deal: Deal, rules: RuleSet, gains: Mapping[int, int]
    ) -> None:
        self.report, self.deal, self.rules = report, deal, rules
        self.gains = {deal.winds[seat]: gain for seat, gain in gains.items()}
        self.winner = report.winner or 0
        self.ending = report.ending(deal)
        self.possible = totals_by_wind(deal, rules, self.ending.winner)

    @property
    def behind_gains(self) -> ScoresBehind | None:
        """The scores behind the gains, whether hands have such scores or not."""
        return scores_behind(self.gains, self.ending, self.rules)

    def lowest_scores(self) -> dict[int, int] | None:
        """The lowest scores that lead to the counts, by seat; None where none do."""
        behind_scores = self.behind_gains
        least = behind_scores and behind_scores.least(self.possible, self.deal.winds[self.winner])
        seat_of = {wind: seat for seat, wind in self.deal.winds.items()}
        return {seat_of[wind]: points for wind, points in least.items()} if least else None

    def astray(self, difference: int) -> Iterator[ProblemLike]:
        """So much is missing or too much, and whose count it perhaps is."""
        total_before = sum(self.report.had[seat] for seat in self.deal.winds)
        missing = "is missing" if difference == -1 else "are missing"
        difference_text = f"{abs(difference):,} {'too much' if difference > 0 else missing}"
        suspects = miscounted_seats(self.gains, self.ending, self.rules, self.possible)
        message = (
            f"The counts add up to {total_before + difference:,}, but should add up to "
            f"{total_before:,}: {difference_text}."
        )
        if not suspects:
            message += " Count the sticks again."
        yield Refusal("counts_astray", message, "tallies")
        for seat, wind in self.deal.winds.items():
            if wind in suspects:
                right = self.report.tallies[seat] - difference
                seat_message = f"If {wind.label} has {right:,}, everything fits. Count these again."
                yield Refusal("counts_astray", seat_message, f"tallies.{seat}", (right,))

    def mismatch_problem(self) -> ProblemLike:
        """That no scores lead to the counts, and why as far as one can tell."""
        winner = self.deal.winds[self.winner]
        other_labels = [wind.label for wind in self.deal.winds.values() if wind != winner]
        behind_scores, gain = self.behind_gains, self.gains[winner]
        reason = f"What {join_words(other_labels)} paid and received does not add up."
        if gain <= 0:
            reason = f"{winner.label} went Mah-Jong but has not gained anything."
        elif behind_scores is None or behind_scores.mahjong not in self.possible[winner]:
            reason = self._of_the_winner(winner, gain) or reason
        message = (
            f"These counts do not match any scores. {reason} "
            "Count again or, if the sticks are right, save the counts anyway."
        )
        return Refusal("unexplained", message, "as_counted")

    def _of_the_winner(self, winner: Wind, gain: int) -> str:
        """The gains nearest to the winner's that a Mah-Jong brings; empty where it is one."""
        one_point = {**dict.fromkeys(self.deal.winds, 0), self.winner: 1}
        gains, _ = settle_seats(one_point, self.report, self.deal, self.rules)
        share = gains[self.winner]
        if gain % share == 0 and gain // share in self.possible[winner]:
            return ""
        near_totals = nearest(gain // share, self.possible[winner])
        if gain // share in self.possible[winner]:
            near_totals = (gain // share, near_totals[1])
        gain_texts = [
            f"{points:,} brings {points * share:,}" for points in near_totals if points is not None
        ]
        return f"{winner.label} has gained {gain:,}; a Mah-Jong of {join_words(gain_texts)}."


def reckon_scored(report: Report, deal: Deal, rules: RuleSet) -> ReckonedHand:
    """From totals and tiles to scores, from scores to gains."""
    # A seat without a report has 0 where only the winner scores.
    totals = {
        seat: report.totals.get(seat, None if rules.losers_score or seat == report.winner else 0)
        for seat in deal.winds
    }
    lines: dict[str, Any] = {}
    problems: list[ProblemLike] = []
    for seat, tiles in report.tiles.items():
        try:
            reckoning = score(
                hand_from_json(tiles_as_hand(tiles, seat, report, deal), rules), rules
            )
        except BadHand as bad:
            for problem in bad.problems:
                # How the hand was won is reported once for the table, not with a seat's tiles.
                at_table = problem.path == "won_by"
                path = "won_by" if at_table else f"tiles.{seat}.{problem.path}"
                problems.append(Refusal(problem.code, problem.message, path))
            totals[seat] = 0
            continue
        totals[seat] = total = reckoning.total
        if total > MAX_POINTS:
            most = f"At most {MAX_POINTS:,} can be recorded."
            message = f"This hand scores {total:,} points. {most}"
            problems.append(Refusal("bad_score", message, f"tiles.{seat}"))
        lines[str(seat)] = reckoning_as_json(reckoning)
    problems += _bad_totals(totals, report, deal, rules)
    if problems:
        raise Refused(problems)
    scores = {seat: points for seat, points in totals.items() if points is not None}
    gains, payments = settle_seats(scores, report, deal, rules)
    if not rules.losers_score:
        scores = {seat: total for seat, total in scores.items() if seat == report.winner}
    return ReckonedHand(scores, gains, payments, lines)


def tiles_as_hand(
    tiles: Mapping[str, Any], seat: int, report: Report, deal: Deal
) -> dict[str, Any]:
    """The tiles with all that the game knows already: winds, dealer, who won and how."""
    won = seat == report.winner
    return {
        **reported_tiles(tiles),
        "seat_wind": deal.winds[seat],
        "prevailing_wind": deal.prevailing_wind,
        "dealer": seat == deal.dealer,
        "mahjong": won,
        "won_by": report.won_by if won else None,
        "players": len(deal.winds),
        "goulash": deal.goulash,
    }


def _bad_totals(
    totals: Mapping[int, int | None], report: Report, deal: Deal, rules: RuleSet
) -> Iterator[Refusal]:
    """What is wrong with totals that were typed, with those perhaps meant; tiles need no check."""
    winner = report.ending(deal).winner
    problems = check_totals(
        {deal.winds[seat]: total for seat, total in totals.items()},
        winner=winner,
        rules=rules,
        prevailing_wind=deal.prevailing_wind,
        goulash=deal.goulash,
        dealer=deal.winds[deal.dealer],
    )
    for problem in problems:
        refusal = refusal_at_seat(problem, deal)
        place, _, seat = refusal.path.partition(".")
        if place == "scores" and int(seat) in report.tiles:
            continue
        total = totals.get(int(seat)) if place == "scores" else None
        if problem.code is Code.BAD_SCORE and total is not None:
            guesses = guess_total(total, totals_by_wind(deal, rules, winner)[deal.winds[int(seat)]])
            guess_text = " or ".join(_guess_phrases(guesses))
            message = f"{refusal.message} Perhaps {guess_text}." if guess_text else refusal.message
            points = tuple(guess.points for guess in guesses)
            refusal = replace(refusal, message=message, suggestions=points)
        yield refusal


def _guess_phrases(guesses: Sequence[Guess]) -> Iterator[str]:
    """The slips that explain a total, each once: `a zero is missing (108 or 180)`."""
    totals_by_slip: dict[str, list[str]] = defaultdict(list)
    for guess in guesses:
        if guess.explanation:
            slip, _, total = guess.explanation.partition(" (")
            totals_by_slip[slip].append(total.removesuffix(")"))
    for slip, totals in totals_by_slip.items():
        yield f"{slip} ({' or '.join(totals)})" if any(totals) else slip


def reckon(report: Report, deal: Deal, rules: RuleSet) -> ReckonedHand:
    """Score and settle a report under its deal; raises ``Refused`` with all problems.

    Where only the winner was told nobody scores or gains; counted sticks are reckoned back.
    """
    problems = _absent_seat_refusals(report, deal)
    if report.winner is None:
        message = "No one scores on a drawn hand. Choose who went Mah-Jong, or leave this empty."
        scored_paths = [f"scores.{seat}" for seat, total in report.totals.items() if total]
        scored_paths += [f"tiles.{seat}" for seat in report.tiles]
        problems += [Refusal("drawn_hand", message, path) for path in scored_paths]
        problems += [
            Refusal("drawn_hand", "No one pays for a drawn hand.", f"tallies.{seat}")
            for seat, count in report.tallies.items()
            if count != report.had.get(seat)
        ]
    if problems:
        raise Refused(problems)
    if report.winner is None or report.only_winner:
        return ReckonedHand({}, dict.fromkeys(deal.winds, 0), (), {})
    if report.tallies:
        return reckon_counted(report, deal, rules)
    return reckon_scored(report, deal, rules)


def _absent_seat_refusals(report: Report, deal: Deal) -> list[ProblemLike]:
    """Seats named in the report that are not playing this hand."""
    refusals: list[ProblemLike] = [
        Refusal("bad_seat", f"Seat {seat} is not playing this hand.", name)
        for name in SEAT_FIELDS
        if (seat := getattr(report, name)) is not None and seat not in deal.winds
    ]
    refusals += [
        Refusal("bad_seat", f"Seat {seat} sits out this hand and has no score.", f"scores.{seat}")
        for seat in sorted({*report.totals, *report.tiles} - set(deal.winds))
    ]
    return refusals + [
        Refusal("bad_seat", f"Seat {seat} sits out this hand. Leave it empty.", f"tallies.{seat}")
        for seat in sorted(set(report.tallies) - set(deal.winds))
    ]
