"""Who pays whom after a hand, for a penalty or for all, and what each seat gains by it."""

from collections.abc import Collection, Container, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Final

from scoring.hands.hand import CLAIMS, WonBy, quantity
from scoring.hands.problems import BadPenalty, BadScores, Code, Problem, shorten
from scoring.hands.tiles import Wind
from scoring.rules.declarations import Payments, Role
from scoring.rules.rule_set import Incident, Payee, RuleSet

_WAYS_TO_WIN: Final = tuple(WonBy)
Gains = Mapping[Wind, int]
PossibleTotals = Mapping[Wind, Collection[int]]
"""Every total that each seat can have scored, in points."""


@dataclass(frozen=True, slots=True)
class Payment:
    """So many points from one seat to another."""

    payer: Wind
    payee: Wind
    points: int


@dataclass(frozen=True, slots=True)
class Settlement:
    """The payments of one hand, and each seat's net of them."""

    payments: tuple[Payment, ...]
    gain: Mapping[Wind, int]

    def as_json(self) -> dict[str, object]:
        """The printed form: payments from and to, gains by wind."""
        return {
            "payments": [
                {"from": paid.payer.value, "to": paid.payee.value, "points": paid.points}
                for paid in self.payments
            ],
            "gain": {wind.value: points for wind, points in self.gain.items()},
        }


@dataclass(frozen=True, slots=True)
class Ending:
    """How a hand ended: who went Mah-Jong (None: drawn), who dealt, and who answers for it."""

    winner: Wind | None
    dealer: Wind = Wind.E
    won_by: str | None = None
    discarder: Wind | None = None
    pays_for_all: Wind | None = None


def settle(
    scores: Mapping[Wind, int],
    *,
    winner: Wind | None,
    rules: RuleSet,
    dealer: Wind = Wind.E,
    won_by: str | None = None,
    discarder: Wind | None = None,
    pays_for_all: Wind | None = None,
) -> Settlement:
    """Settle one hand between the seats named in `scores` (points after the limit).

    Where nobody pays under the rules, each seat gains its own score. `won_by` and the discarder
    of a claimed tile are needed where what is paid depends on them. On a drawn hand (`winner` None)
    scores are not looked at and nobody gains. Raises BadScores with every problem.
    Source: notes 7, 13, 23 and 32 of docs/rules/notes.md.
    """
    ending = Ending(winner, dealer, won_by, discarder, pays_for_all)
    if problems := list(settlement_problems(scores, ending, rules)):
        raise BadScores(problems)
    return settlement_of(scores, ending, rules)


def settlement_of(scores: Mapping[Wind, int], ending: Ending, rules: RuleSet) -> Settlement:
    """The settlement of a hand in which `settlement_problems` finds nothing."""
    if ending.winner is None:
        return Settlement((), dict.fromkeys(scores, 0))
    if rules.payments is None:
        return Settlement((), dict(scores))
    payments = tuple(_Table(scores, ending.winner, ending, rules.payments).payments())
    gain = dict.fromkeys(scores, 0)
    for payment in payments:
        gain[payment.payer] -= payment.points
        gain[payment.payee] += payment.points
    return Settlement(payments, gain)


@dataclass(frozen=True, slots=True)
class _Table:
    scores: Mapping[Wind, int]
    winner: Wind
    ending: Ending
    policy: Payments

    def payments(self) -> Iterator[Payment]:
        losers = [wind for wind in self.scores if wind != self.winner]
        shares = self._shares(losers)
        liable = self.ending.pays_for_all
        if liable is not None:
            shares = {liable: sum(shares.values())}
        for payer, points in shares.items():
            if points:
                yield Payment(payer, self.winner, points)
        if self.policy.losers_settle and liable is None:
            for pair in combinations(losers, 2):
                payer, payee = sorted(pair, key=self.scores.__getitem__)
                if difference := self.scores[payee] - self.scores[payer]:
                    yield Payment(payer, payee, difference * self._factor(payer, payee))

    def _shares(self, losers: list[Wind]) -> dict[Wind, int]:
        """What each of them owes the winner."""
        score, policy, discarder = self.scores[self.winner], self.policy, self.ending.discarder
        shares = {payer: score * self._factor(payer, self.winner) for payer in losers}
        if self.ending.won_by not in CLAIMS:
            return {payer: points * policy.unclaimed for payer, points in shares.items()}
        discarders = [payer for payer in losers if payer == discarder]
        if policy.discarder_alone:
            return {payer: shares[payer] * policy.discarder_alone for payer in discarders}
        if policy.discarder is None:
            return shares
        if policy.discarder.for_all:
            return {payer: sum(shares.values()) for payer in discarders}
        return shares | {payer: shares[payer] * policy.discarder.times for payer in discarders}

    def _factor(self, *pair: Wind) -> int:
        if len(self.scores) == 2 and not self.policy.multiplied_with_two:
            return 1
        special = self.ending.dealer if self.policy.multiplied is Role.DEALER else Wind.E
        return self.policy.by if special in pair else 1


def settlement_problems(
    scores: Mapping[Wind, int], ending: Ending, rules: RuleSet, unread: Container[str] = ()
) -> Iterator[Problem]:
    """Everything that keeps the hand from being settled.

    `unread` names what was told but could not be read (`scores`: the wind of one of them), with
    which nothing else is compared.
    """
    if "scores" not in unread:
        yield from _seat_problems(scores, ending, unread)
    payers = {"discarder": ending.discarder, "pays_for_all": ending.pays_for_all}
    for field_name, wind in payers.items():
        if wind is not None and wind == ending.winner:
            params = {"found": f"{wind.label}, who went Mah-Jong,", "expected": "a payer"}
            yield Problem(Code.BAD_SEAT, field_name, params)
    yield from _ending_problems(ending, rules, unread)
    if ending.winner is not None or "winner" in unread:
        yield from score_problems(scores, rules)


def _seat_problems(
    scores: Mapping[Wind, int], ending: Ending, unread: Container[str]
) -> Iterator[Problem]:
    if not 2 <= len(scores) <= 4:
        count_text = f"A hand with {quantity(len(scores), 'score')}"
        params = {"found": count_text, "expected": "a table of two to four"}
        yield Problem(Code.BAD_SEAT, "scores", params)
    elif Wind.E not in {*scores, ending.dealer}:
        params = {"found": "A table without East", "expected": "possible"}
        yield Problem(Code.BAD_SEAT, "scores", params)
    for field_name in ("dealer", "winner", "discarder", "pays_for_all"):
        wind: Wind | None = getattr(ending, field_name)
        if wind is not None and wind not in scores and field_name not in unread:
            yield Problem(Code.BAD_SEAT, field_name, {"found": wind.label, "expected": "in play"})


def _ending_problems(ending: Ending, rules: RuleSet, unread: Container[str]) -> Iterator[Problem]:
    won_by = ending.won_by
    if won_by is not None and won_by not in _WAYS_TO_WIN:
        params = {"found": shorten(won_by), "expected": f"one of {', '.join(_WAYS_TO_WIN)}"}
        yield Problem(Code.BAD_VALUE, "won_by", params)
    if rules.payments is None or not rules.payments.asks_for_discarder or ending.winner is None:
        return
    if won_by is None and "won_by" not in unread:
        yield Problem(Code.WON_BY_MISSING, "won_by")
    if won_by in CLAIMS and ending.discarder is None and "discarder" not in unread:
        yield Problem(Code.DISCARDER_MISSING, "discarder")


def score_problems(scores: Mapping[Wind, int], rules: RuleSet) -> Iterator[Problem]:
    """What keeps each of these totals from being a score at all: its type, its sign, the limit."""
    for wind, points in scores.items():
        if isinstance(points, bool) or not isinstance(points, int):
            reason = "is not a whole number of points"
        elif points < 0:
            reason = "is below zero; a hand scores 0 or more"
        elif rules.highest is not None and points > rules.highest:
            reason = f"is over the limit of {rules.highest}"
        else:
            reason = None
        if reason:
            params = {"found": shorten(points), "reason": reason}
            yield Problem(Code.BAD_SCORE, f"scores.{wind}", params)


def scale(rules: RuleSet) -> Mapping[str, Incident]:
    """The incidents on the page, by key, as the open points are played; most rules state none."""
    return {line.key: line.resolve(rules.choice) for line in rules.penalties}


def penalty(
    incident: str,
    *,
    offender: Wind,
    seats: Collection[Wind],
    rules: RuleSet,
    claimant: Wind | None = None,
) -> tuple[Payment, ...]:
    """What the offender pays to whom of the seats in play; nothing where only the hand suffers.

    `claimant` is needed where he is paid. What does not divide is rounded down. Raises BadPenalty
    with every problem, ValueError for a share of the limit where there is none.
    Source: note 9 of docs/rules/notes.md.
    """
    if problems := [*_penalty_problems(incident, offender, claimant, seats, rules)]:
        raise BadPenalty(problems)
    fine = scale(rules)[incident].fine
    if fine is None:
        return ()
    paid = [seat for seat in seats if seat != offender]
    if fine.payee is Payee.CLAIMANT:
        paid = [seat for seat in paid if seat == claimant]
    points = fine.points(rules.limit)
    if fine.payee is Payee.ALL_OTHERS:
        points //= len(paid)
    return tuple(Payment(offender, payee, points) for payee in paid)


def _penalty_problems(
    incident: str, offender: Wind, claimant: Wind | None, seats: Collection[Wind], rules: RuleSet
) -> Iterator[Problem]:
    penalty_scale = scale(rules)
    if incident not in penalty_scale:
        missing_text = f"left out: {rules.name} name no penalties"
        expected = f"one of {', '.join(penalty_scale)}" if penalty_scale else missing_text
        yield Problem(
            Code.BAD_VALUE, "incident", {"found": shorten(incident), "expected": expected}
        )
    fine = penalty_scale[incident].fine if incident in penalty_scale else None
    if offender not in seats:
        yield Problem(Code.BAD_SEAT, "offender", {"found": offender.label, "expected": "in play"})
    if fine is None or fine.payee is not Payee.CLAIMANT:
        return
    if claimant is None:
        yield Problem(Code.MISSING_FIELD, "claimant", {"field": "claimant"})
    elif claimant not in seats or claimant == offender:
        expected = "another player in play"
        yield Problem(Code.BAD_SEAT, "claimant", {"found": claimant.label, "expected": expected})


def pay_for_all(settlement: Settlement, *, winner: Wind, liable: Wind) -> tuple[Payment, ...]:
    """What makes a settled hand one for which one player alone pays, as transfers of their own.

    He makes good what each other loser has lost and is given what they have gained, so that
    together everyone stands as if `settle` had been told `pays_for_all`.
    """
    other_gains = {
        seat: gain for seat, gain in settlement.gain.items() if seat not in {winner, liable}
    }
    return tuple(
        Payment(liable, seat, -gain) if gain < 0 else Payment(seat, liable, gain)
        for seat, gain in other_gains.items()
        if gain
    )


@dataclass(frozen=True, slots=True)
class ScoresBehind:
    """The scores behind a hand's gains, as far as gains can tell them; in points.

    `mahjong` is the winner's. `points_above` is by how much each other hand beats the lowest of
    them: the losers settle differences, so nothing says how high the lowest is. Where they do not
    settle it is empty.
    """

    mahjong: int
    points_above: Mapping[Wind, int]

    def least(self, possible: PossibleTotals, winner: Wind) -> dict[Wind, int] | None:
        """The lowest scores that can be, None where no hands score so."""
        if self.mahjong not in possible[winner]:
            return None
        if not self.points_above:
            return {winner: self.mahjong}
        lowest = min(self.points_above, key=self.points_above.__getitem__)
        for level in sorted(possible[lowest]):
            scores = {wind: level + difference for wind, difference in self.points_above.items()}
            if all(points in possible[wind] for wind, points in scores.items()):
                return {winner: self.mahjong, **scores}
        return None


def scores_behind(gains: Gains, ending: Ending, rules: RuleSet) -> ScoresBehind | None:
    """The scores that settle to just these gains in points; None where none do.

    Whether hands score so is not looked at. Raises ValueError for an ending without a winner.
    """
    winner = _require_winner(ending)
    shares = _gains_of({winner: 1}, gains, ending, rules)[winner]
    mahjong, remainder = divmod(gains[winner], shares) if shares else (0, 1)
    if remainder or mahjong < 0:
        return None
    loser_scores = _scores_above(gains, {winner: mahjong}, ending, rules)
    if loser_scores is None:
        return None
    settled_gains = _gains_of({winner: mahjong, **loser_scores}, gains, ending, rules)
    return ScoresBehind(mahjong, loser_scores) if settled_gains == dict(gains) else None


def miscounted_seats(
    gains: Gains, ending: Ending, rules: RuleSet, possible: PossibleTotals
) -> tuple[Wind, ...]:
    """The seats of which one may have counted wrongly, where the gains do not add to nothing.

    If that seat alone is put right, some hands score so.
    """
    difference = sum(gains.values())
    return tuple(
        wind
        for wind in gains
        if is_explained({**gains, wind: gains[wind] - difference}, ending, rules, possible)
    )


def is_explained(gains: Gains, ending: Ending, rules: RuleSet, possible: PossibleTotals) -> bool:
    """Whether some hands score so that the gains are these."""
    behind_scores = scores_behind(gains, ending, rules)
    return (
        behind_scores is not None
        and behind_scores.least(possible, _require_winner(ending)) is not None
    )


def _require_winner(ending: Ending) -> Wind:
    if ending.winner is None:
        raise ValueError("No one gains on a drawn hand.")
    return ending.winner


def _gains_of(
    scores: Mapping[Wind, int], seats: Collection[Wind], ending: Ending, rules: RuleSet
) -> dict[Wind, int]:
    """What each seat gains where these score and the others nothing."""
    zero_scores = dict.fromkeys(seats, 0)
    return dict(settlement_of({**zero_scores, **scores}, ending, rules).gain)


def _scores_above(
    gains: Gains, won: Gains, ending: Ending, rules: RuleSet
) -> dict[Wind, int] | None:
    """The losers' scores above the lowest of them; empty where they do not settle."""
    paid = _gains_of(won, gains, ending, rules)
    first, *other_winds = (wind for wind in gains if wind != ending.winner)
    units = {wind: _gains_of({wind: 1}, gains, ending, rules) for wind in (first, *other_winds)}
    if not any(units[first].values()):
        return {}
    # The unknowns of as many equations, each its factors and its sum.
    equations = [
        [
            *(Fraction(units[other_wind][wind]) for other_wind in other_winds),
            Fraction(gains[wind] - paid[wind]),
        ]
        for wind in other_winds
    ]
    for place in range(len(equations)):
        pivot_row = [value / equations[place][place] for value in equations[place]]
        for index, row in enumerate(equations):
            reduced_row = [
                value - row[place] * factor for value, factor in zip(row, pivot_row, strict=True)
            ]
            equations[index] = pivot_row if index == place else reduced_row
    levels = [Fraction(0), *[row[-1] for row in equations]]
    loser_scores = [points - min(levels) for points in levels]
    if any(points.denominator > 1 for points in loser_scores):
        return None
    return dict(zip((first, *other_winds), map(int, loser_scores), strict=True))
