"""Whose deal it is: winds, dealer, prevailing wind and goulash from hand to hand."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from scoring.policies import FourthWind, Passing, Succession
from scoring.problems import BadOutcome, Code, Problem, shown
from scoring.rules import RuleSet
from scoring.tiles import Wind

_EMPTY: Final = 0


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
    """The hands played and, unless finished, the next to play.

    `rounds` are the winds that have had their turn or, where none prevails, the times that
    everyone has been East. `winners` are the seats that have won a race to so many points.
    """

    deals: tuple[Deal, ...]
    finished: bool
    rounds: int
    winners: tuple[int, ...]


def deals(
    outcomes: Sequence[int | None],
    *,
    rules: RuleSet,
    seats: int = 4,
    wind_rounds: int | None = 4,
    hands: int | None = None,
    gains: Sequence[Mapping[int, int]] | None = None,
) -> Progress:
    """Play the winds on: each outcome is the seat that went Mah-Jong, or None for a drawn hand.

    Seats are numbered from 1 anticlockwise from the first East. The game ends after `wind_rounds`
    (None: never, nor where no wind prevails), after `hands`, or when somebody's `gains` (points
    by seat, for each outcome) reach what the rules play to; whichever comes first.
    Raises BadOutcome with every problem, ValueError where not each outcome has its gains.
    Source: rules.md 2.1, 2.8, 2.9, 3 to 6 and 9a.8.
    """
    problems = list(outcome_problems(outcomes, seats=seats, rules=rules))
    if problems:
        raise BadOutcome(problems)
    table = _Table(rules.passing, seats, wind_rounds, hands)
    gained = [{}] * len(outcomes) if gains is None else gains
    for place, (outcome, points) in enumerate(zip(outcomes, gained, strict=True)):
        problems.extend(table.play(place, outcome, points))
    if problems:
        raise BadOutcome(problems)
    upcoming = () if table.finished else (table.deal(),)
    return Progress((*table.played, *upcoming), table.finished, table.rounds, table.winners)


def outcome_problems(
    outcomes: Sequence[int | None], *, seats: int, rules: RuleSet
) -> Iterator[Problem]:
    """What keeps these from being the outcomes of any game of so many seats."""
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
    """A table as it is played on; `places` are in the order of the winds."""

    def __init__(
        self, passing: Passing, seats: int, wind_rounds: int | None, hands: int | None
    ) -> None:
        self.passing = passing
        self.seats = seats
        self.wind_rounds = wind_rounds if passing.prevailing else None
        self.hands = hands
        self.places = [*range(1, min(seats, 4) + 1)]
        if seats == 3 and passing.fourth_wind is FourthWind.EMPTY_PLACE:
            self.places.append(_EMPTY)
        self.waiting = [*range(5, seats + 1)]
        self.dealer = 1
        self.rounds = 0
        self.counted = 0
        self.goulash = False
        self.totals: Counter[int] = Counter()
        self.played: list[Deal] = []

    @property
    def finished(self) -> bool:
        rounds_over = self.wind_rounds is not None and self.rounds >= self.wind_rounds
        hands_over = self.hands is not None and len(self.played) >= self.hands
        return rounds_over or hands_over or bool(self.winners)

    @property
    def winners(self) -> tuple[int, ...]:
        most = max(self.totals.values(), default=0)
        if self.passing.first_to is None or most < self.passing.first_to:
            return ()
        return tuple(sorted(seat for seat, total in self.totals.items() if total == most))

    def deal(self) -> Deal:
        order = self.passing.order
        prevailing = order[self.rounds % len(order)]
        return Deal(
            number=len(self.played) + 1,
            winds=dict(sorted(self._winds())),
            dealer=self.dealer,
            prevailing_wind=prevailing if self.passing.prevailing else None,
            goulash=self.goulash,
            sits_out=self.waiting[0] if self.waiting else None,
        )

    def _winds(self) -> Iterator[tuple[int, Wind]]:
        winds = (Wind.E, Wind.W) if self.seats == 2 else self.passing.order
        for seat, wind in zip(self.places, winds, strict=False):
            if seat != _EMPTY:
                yield seat, wind

    def play(self, place: int, outcome: int | None, gains: Mapping[int, int]) -> Iterator[Problem]:
        where = f"outcomes.{place}"
        if self.finished:
            yield Problem(Code.AFTER_THE_END, where, {"played": len(self.played)})
            return
        if outcome is not None and outcome not in self.places:
            yield Problem(Code.BAD_OUTCOME, where, {"found": f"Seat {outcome}, which sits out,"})
            return
        self.played.append(self.deal())
        self.totals.update(gains)
        self.goulash = outcome is None and self.passing.goulash_after_a_draw
        self._count(lost=outcome not in {None, self.dealer})
        if outcome is not None:
            self._pass_on(outcome)

    def _count(self, *, lost: bool) -> None:
        """Count the hand towards the end of a round: every hand, or those that East lost."""
        if self.passing.succession is Succession.WINNER:
            return
        hands = self.passing.hands_of_a_wind
        self.counted += lost or hands is not None
        if lost and self.counted >= (hands or self.seats):
            self.rounds += 1
            self.counted = 0

    def _pass_on(self, winner: int) -> None:
        succession = self.passing.succession
        if winner != self.places[0] and (self.waiting or succession is Succession.NEXT_PLAYER):
            self.waiting.append(self.places.pop(0))
            self.places.append(self.waiting.pop(0))
        if succession is Succession.WINNER:
            east = self.places.index(winner)
            self.places = self.places[east:] + self.places[:east]
        self.dealer = winner if succession is Succession.WINNER_DEALS else self.places[0]
