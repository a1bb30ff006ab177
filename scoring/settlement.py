"""Who pays whom after a hand, and what each seat gains by it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import combinations

from scoring.hands import WonBy
from scoring.policies import Payments, Role
from scoring.problems import BadScores, Code, Problem, shown
from scoring.rules import RuleSet
from scoring.tiles import Wind


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

    Raises BadScores with every problem. On a drawn hand (`winner` None) scores are not looked at
    and nobody pays. Source: rules.md 2.7 and 9a.8.
    """
    problems = [
        *_seat_problems(scores, winner, dealer, discarder, pays_for_all),
        *_ending_problems(won_by),
        *(score_problems(scores, rules) if winner is not None else ()),
    ]
    if problems:
        raise BadScores(problems)
    if winner is None:
        return Settlement((), dict.fromkeys(scores, 0))
    if rules.payments is None:
        return Settlement((), dict(scores))
    table = _Table(scores, winner, rules.payments, dealer)
    payments = tuple(table.payments(pays_for_all))
    return Settlement(payments, _gains(scores, payments))


@dataclass(frozen=True, slots=True)
class _Table:
    scores: Mapping[Wind, int]
    winner: Wind
    policy: Payments
    dealer: Wind

    def payments(self, pays_for_all: Wind | None) -> Iterator[Payment]:
        shares = {wind: self._share(wind) for wind in self.scores if wind != self.winner}
        if pays_for_all is not None:
            shares = {pays_for_all: sum(shares.values())}
        for payer, points in shares.items():
            if points:
                yield Payment(payer, self.winner, points)
        if self.policy.losers_settle and pays_for_all is None:
            yield from self._between_losers()

    def _share(self, payer: Wind) -> int:
        return self.scores[self.winner] * self._factor(payer, self.winner)

    def _between_losers(self) -> Iterator[Payment]:
        losers = [wind for wind in self.scores if wind != self.winner]
        for pair in combinations(losers, 2):
            payer, payee = sorted(pair, key=self.scores.__getitem__)
            difference = self.scores[payee] - self.scores[payer]
            if difference:
                yield Payment(payer, payee, difference * self._factor(payer, payee))

    def _factor(self, *pair: Wind) -> int:
        if len(self.scores) == 2 and not self.policy.multiplied_with_two:
            return 1
        special = self.dealer if self.policy.multiplied is Role.DEALER else Wind.E
        return self.policy.by if special in pair else 1


def _gains(scores: Mapping[Wind, int], payments: tuple[Payment, ...]) -> dict[Wind, int]:
    gain = dict.fromkeys(scores, 0)
    for payment in payments:
        gain[payment.payer] -= payment.points
        gain[payment.payee] += payment.points
    return gain


def _seat_problems(
    scores: Mapping[Wind, int],
    winner: Wind | None,
    dealer: Wind,
    discarder: Wind | None,
    pays_for_all: Wind | None,
) -> Iterator[Problem]:
    if winner is not None and not 2 <= len(scores) <= 4:
        params = {
            "found": f"A hand with {len(scores)} scores",
            "expected": "a table of two to four",
        }
        yield Problem(Code.BAD_SEAT, "scores", params)
    named = {"winner": winner, "discarder": discarder, "pays_for_all": pays_for_all}
    if winner is not None:
        named["dealer"] = dealer
    for where, wind in named.items():
        if wind is not None and wind not in scores:
            yield Problem(Code.BAD_SEAT, where, {"found": wind.label, "expected": "in play"})
        if wind is not None and wind == winner and where in {"discarder", "pays_for_all"}:
            params = {"found": f"{wind.label}, who went Mah-Jong,", "expected": "a payer"}
            yield Problem(Code.BAD_SEAT, where, params)


def _ending_problems(won_by: str | None) -> Iterator[Problem]:
    if won_by is not None and won_by not in tuple(WonBy):
        params = {"found": shown(won_by), "expected": f"one of {', '.join(WonBy)}"}
        yield Problem(Code.BAD_VALUE, "won_by", params)


def score_problems(scores: Mapping[Wind, int], rules: RuleSet) -> Iterator[Problem]:
    """What keeps each of these totals from being a score at all: its type, its sign, the limit."""
    for wind, points in scores.items():
        reason = _why_no_score(points, rules)
        if reason:
            params = {"found": shown(points), "reason": reason}
            yield Problem(Code.BAD_SCORE, f"scores.{wind}", params)


def _why_no_score(points: object, rules: RuleSet) -> str | None:
    if isinstance(points, bool) or not isinstance(points, int):
        return "is not a whole number of points"
    if points < 0:
        return "is less than nothing; a hand scores 0 or more"
    if rules.limit is not None and points > rules.limit:
        return f"is over the limit of {rules.limit}"
    return None
