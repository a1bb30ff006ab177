"""How the winds, the dealer and the goulash pass on, as each of the five books says."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from tests.scoring.oracle.hand import Fields

WINDS = "ESWN"
ROUND_THE_TABLE = {2: "EW", 3: "ESW", 4: "ESWN", 5: "ESWN"}
WITH_EMPTY_PLACES = {2: ["1", "empty", "2", "empty too"], 3: ["1", "2", "3", "empty"]}
GOAL = 100


@dataclass
class Table:
    """A game as it stands: who has which wind (East first), who deals, what prevails."""

    winds: dict[str, str]
    dealer: str = "1"
    waiting: str | None = None
    goulash: bool = False
    prevailing: int = 0
    easts_lost: int = 0
    hands_of_wind: int = 0
    points: Counter[str] = field(default_factory=Counter)

    @property
    def seats(self) -> int:
        """How many players there are."""
        return len(self.winds) + (self.waiting is not None)


@dataclass(frozen=True)
class Game:
    """The hands of a game, or what is wrong with its outcomes."""

    hands: list[Fields] = field(default_factory=list)
    finished: bool = False
    problem_codes: frozenset[str] = frozenset()


def play(key: str, fields: Fields) -> Game:
    """The hands of one line of the contract's `play`.

    `seats` are 4 and `dealer` is seat 1 unless given; `gains`, where given, are what each seat
    scored in each hand.
    """
    rounds = fields.get("rounds", 4)
    gains = fields.get("gains", [{} for _hand in fields["outcomes"]])
    table = set_up(key, fields.get("seats", 4))
    table.dealer = str(fields.get("dealer", "1"))
    if table.dealer not in (table.winds if key == "tallies" else {"1"}):
        return Game(problem_codes=frozenset({"bad_value"}))
    hands = [as_hand(key, table, 1)]
    for outcome, gain in zip(fields["outcomes"], gains, strict=True):
        if over(key, table, rounds):
            return Game(problem_codes=frozenset({"after_the_end"}))
        if outcome != "draw" and outcome not in hands[-1]["winds"]:
            return Game(problem_codes=frozenset({"bad_outcome"}))
        table.points.update(gain)
        PASS_ON[key](table, outcome)
        hands.append(as_hand(key, table, len(hands) + 1))
    finished = over(key, table, rounds)
    return Game(hands[:-1] if finished else hands, finished)


def set_up(key: str, seats: int) -> Table:
    """The first hand: seat 1 is East; a fifth player waits; Safalra's empty places have winds."""
    if key == "safalra" and seats < 4:
        return Table(dict(zip(WITH_EMPTY_PLACES[seats], WINDS, strict=True)))
    winds = "ENWS" if key == "baggaley" else ROUND_THE_TABLE[seats]
    table = Table({str(number): wind for number, wind in enumerate(winds, start=1)})
    table.waiting = "5" if seats == 5 else None
    return table


def over(key: str, table: Table, rounds: int | None) -> bool:
    """Whether so many winds, or rounds, have had their turn, or someone has won the race."""
    if key == "baggaley":
        return max(table.points.values(), default=0) >= GOAL
    return key != "safalra" and rounds is not None and table.prevailing >= rounds


def as_hand(key: str, table: Table, number: int) -> dict[str, Any]:
    """A hand as the contract writes it."""
    prevails = key in {"bmja", "tallies"}
    return {
        "number": number,
        "winds": {seat: wind for seat, wind in table.winds.items() if seat.isdigit()},
        "dealer": table.dealer,
        "prevailing_wind": WINDS[table.prevailing % 4] if prevails else None,
        "goulash": table.goulash,
    }


def east_of(table: Table) -> str:
    """The seat that is East: the first."""
    return next(iter(table.winds))


def bmja(table: Table, outcome: str) -> None:
    """As the English play, with a goulash after a drawn hand."""
    table.goulash = outcome == "draw"
    english(table, outcome)


def english(table: Table, outcome: str) -> None:
    """East stays on a win or a draw; a round, or a wind, ends when all have had and lost East."""
    if outcome in ("draw", east_of(table)):
        return
    rotate(table)
    table.easts_lost += 1
    if table.easts_lost == table.seats:
        table.easts_lost, table.prevailing = 0, table.prevailing + 1


def rotate(table: Table) -> None:
    """Every wind moves on by one place; who waited becomes the last wind and East waits."""
    in_order = list(table.winds.values())
    seats = list(table.winds)
    if table.waiting is not None:
        east = seats.pop(0)
        seats, table.waiting = [*seats, table.waiting], east
    else:
        seats = [*seats[1:], seats[0]]
    table.winds = dict(zip(seats, in_order, strict=True))
    table.dealer = seats[0]


def safalra(table: Table, outcome: str) -> None:
    """The winner becomes East, and the others follow in their order round the table."""
    if outcome != "draw":
        while table.winds[outcome] != "E":
            rotate(table)


def tallies(table: Table, outcome: str) -> None:
    """The winner deals; the wind changes when the dealer loses its fifth hand or a later one."""
    table.hands_of_wind += 1
    if outcome == "draw":
        return
    dealt = table.dealer
    if table.waiting is not None and outcome != east_of(table):
        rotate(table)
    table.dealer = outcome
    if outcome == dealt:
        return
    if table.hands_of_wind >= 5:
        table.hands_of_wind, table.prevailing = 0, table.prevailing + 1


PASS_ON: dict[str, Callable[[Table, str], None]] = {
    "bmja": bmja,
    "english": english,
    "tallies": tallies,
    "safalra": safalra,
    "baggaley": english,
}
