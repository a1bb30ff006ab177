"""Whose deal it is: winds, dealer, prevailing wind and goulash from hand to hand."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from scoring.problems import BadOutcome, Code, Problem, shown
from scoring.rules import RuleSet
from scoring.tiles import Wind


@dataclass(frozen=True, slots=True)
class Deal:
    """One hand to be played: the wind of each seat in play and what prevails."""

    number: int
    winds: Mapping[int, Wind]
    dealer: int
    prevailing_wind: Wind | None
    goulash: bool
    sits_out: int | None

    def as_json(self) -> dict[str, object]:
        """The printed form of `play`; seats are text."""
        return {
            "number": self.number,
            "winds": {str(seat): wind.value for seat, wind in self.winds.items()},
            "dealer": str(self.dealer),
            "prevailing_wind": self.prevailing_wind,
            "goulash": self.goulash,
        }


@dataclass(frozen=True, slots=True)
class Progress:
    """The hands played and, unless finished, the next to play."""

    deals: tuple[Deal, ...]
    finished: bool


def deals(
    outcomes: Sequence[int | None],
    *,
    rules: RuleSet,
    seats: int = 4,
    wind_rounds: int | None = 4,
    hands: int | None = None,
) -> Progress:
    """Play the winds on: each outcome is the seat that went Mah-Jong, or None for a drawn hand.

    Seats are numbered from 1 anticlockwise from the first East. The game ends after `wind_rounds`
    (None: never) or after `hands`, whichever comes first. Raises BadOutcome with every problem.
    Source: rules.md 2.1, 2.8, 2.9.
    """
    problems = list(_shape_problems(outcomes, seats=seats, rules=rules))
    if problems:
        raise BadOutcome(problems)
    table = _Table(rules, seats, wind_rounds, hands)
    for place, outcome in enumerate(outcomes):
        problems.extend(table.play(place, outcome))
    if problems:
        raise BadOutcome(problems)
    upcoming = () if table.finished else (table.deal(),)
    return Progress((*table.played, *upcoming), table.finished)


def _shape_problems(
    outcomes: Sequence[int | None], *, seats: int, rules: RuleSet
) -> Iterator[Problem]:
    if seats not in rules.seats:
        expected = f"one of {', '.join(map(str, rules.seats))}"
        params = {"found": f"A table of {shown(seats)}", "expected": expected}
        yield Problem(Code.BAD_VALUE, "seats", params)
        return
    for place, outcome in enumerate(outcomes):
        if outcome is not None and outcome not in range(1, seats + 1):
            params = {"found": shown(outcome)}
            yield Problem(Code.BAD_OUTCOME, f"outcomes.{place}", params)


class _Table:
    """A table as it is played on; `circle` holds the seats in play from East onwards."""

    def __init__(
        self, rules: RuleSet, seats: int, wind_rounds: int | None, hands: int | None
    ) -> None:
        self.passing = rules.passing
        self.seats = seats
        self.wind_rounds = wind_rounds
        self.hands = hands
        self.circle = list(range(1, min(seats, 4) + 1))
        self.waiting = list(range(5, seats + 1))
        self.passed = 0
        self.goulash = False
        self.played: list[Deal] = []

    @property
    def finished(self) -> bool:
        rounds_over = self.wind_rounds is not None and self.passed >= self.wind_rounds * self.seats
        return rounds_over or (self.hands is not None and len(self.played) >= self.hands)

    def deal(self) -> Deal:
        winds = zip(self.circle, self._winds(), strict=True)
        order = self.passing.order
        prevailing = order[self.passed // self.seats % len(order)]
        return Deal(
            number=len(self.played) + 1,
            winds=dict(sorted(winds)),
            dealer=self.circle[0],
            prevailing_wind=prevailing if self.passing.prevailing else None,
            goulash=self.goulash,
            sits_out=self.waiting[0] if self.waiting else None,
        )

    def _winds(self) -> tuple[Wind, ...]:
        return (Wind.E, Wind.W) if self.seats == 2 else self.passing.order[: len(self.circle)]

    def play(self, place: int, outcome: int | None) -> Iterator[Problem]:
        where = f"outcomes.{place}"
        if self.finished:
            yield Problem(Code.AFTER_THE_END, where, {"played": len(self.played)})
            return
        if outcome is not None and outcome not in self.circle:
            yield Problem(Code.BAD_OUTCOME, where, {"found": f"Seat {outcome}, which sits out,"})
            return
        self.played.append(self.deal())
        self.goulash = outcome is None and self.passing.goulash_after_a_draw
        if outcome not in {None, self.circle[0]}:
            self._pass_east_on()

    def _pass_east_on(self) -> None:
        self.waiting.append(self.circle.pop(0))
        self.circle.append(self.waiting.pop(0))
        self.passed += 1
