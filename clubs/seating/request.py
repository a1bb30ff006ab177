"""A request to the seating, its errors, its plan, and both as JSON (contract.md)."""

import json
import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from functools import lru_cache
from itertools import product
from typing import Any, TypeVar

from clubs.language.words import whole_number

WINDS = ("E", "S", "W", "N")
FIFTH = "fifth"
SEATS = (*WINDS, FIFTH)
SIZES_ALLOWED = (3, 4, 5)
MAX_PLAYERS = 2000
MAX_ROUNDS = 200
FieldValue = TypeVar("FieldValue")

FIELD_DEPENDENCIES = {  # fields that cannot be checked while another is unreadable
    "players": {"played", "absent", "apart", "together", "teams", "fixed_table"},
    "rounds": {"absent"},
    "played": {"absent"},
    "table_sizes": {"players", "absent", "fixed_table"},
}


@dataclass(frozen=True, slots=True)
class SeatingProblem:
    """One thing wrong: `path` is the path of the field, `message` is plain English."""

    code: str
    path: str
    message: str


@dataclass(frozen=True, slots=True)
class PlannedTable:
    """A numbered table; `seats` maps E, S, W, N and, of five, "fifth" to a name."""

    number: int
    seats: Mapping[str, str]

    @property
    def names(self) -> tuple[str, ...]:
        """The players, East first."""
        return tuple(self.seats.values())


@dataclass(frozen=True, slots=True)
class Round:
    """Tables in numerical order, and the players without a seat."""

    tables: tuple[PlannedTable, ...]
    sitting_out: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Report:
    """What the plan achieves, counted from its rounds (contract.md).

    repeated_meetings: over all pairs, meetings beyond the first. least_possible: a lower bound of
    that number. wind_imbalance: over all players, most frequent wind minus rarest, beyond what is
    unavoidable. table_revisits: over all players and tables, visits beyond the first. broken: the
    unmet wishes, by name. traded: the trade-offs of a seating by standing, in sentences. cut_short:
    the bound on seconds ended the search; with more it might find better.
    """

    repeated_meetings: int
    least_possible: int
    most_meetings: int
    wind_imbalance: int
    table_revisits: int
    team_meetings: int
    broken: tuple[SeatingProblem, ...]
    seconds: float
    cut_short: bool
    trades: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Plan:
    """The rounds, those already played first and unchanged, and a report on all of them."""

    rounds: tuple[Round, ...]
    report: Report
    played_count: int = 0

    @property
    def new_rounds(self) -> tuple[Round, ...]:
        """The rounds added to those already played."""
        return self.rounds[self.played_count :]


@dataclass(frozen=True, slots=True)
class Request:
    """Rounds to seat for named players (contract.md, "Seating's command line").

    rounds: new rounds, after those of `played`, which stay as they are.
    seconds: bound on the search, counted in looks, so that every machine answers alike;
        the answer does not depend on it unless it cuts.
    table_sizes: sizes allowed (3, 4, 5), most liked first.
    split: the sizes of the tables where exactly so many are there; empty: as `table_sizes` gives.
    absent: round number (from 1, played rounds included) to the names not there.
    met: how often a pair sat together before these rounds, weighted as given;
        pairs with someone who is not among `players` are passed over.
    turns: how often each player sat at tables of three (3) or five (5) before these rounds, or
        sat out (0): whoever did so most is last to do it again. Turns weigh more than company.
    """

    players: tuple[str, ...]
    rounds: int
    seed: int = 0
    seconds: float = 10
    table_sizes: tuple[int, ...] = (4,)
    split: tuple[int, ...] = ()
    played: tuple[Round, ...] = ()
    absent: Mapping[int, Collection[str]] = field(default_factory=dict)
    apart: tuple[tuple[str, str], ...] = ()
    together: tuple[tuple[str, str], ...] = ()
    teams: Mapping[str, str] = field(default_factory=dict)
    fixed_table: Mapping[str, int] = field(default_factory=dict)
    past_meetings: Mapping[frozenset[str], int] = field(default_factory=dict)
    turns: Mapping[int, Mapping[str, int]] = field(default_factory=dict)

    def roster(self, number: int) -> list[str]:
        """The players present in round `number` (from 1), in the given order."""
        absentees = self.absent.get(number, ())
        return [name for name in self.players if name not in absentees]

    def with_new_names(self, new_names: Mapping[str, str]) -> "Request":
        """The same request with the players renamed; the plan is the same too."""
        played_rounds = (
            Round(
                tuple(
                    PlannedTable(
                        table.number, {seat: new_names[name] for seat, name in table.seats.items()}
                    )
                    for table in round_.tables
                ),
                tuple(new_names[name] for name in round_.sitting_out),
            )
            for round_ in self.played
        )
        return replace(
            self,
            players=tuple(new_names[name] for name in self.players),
            played=tuple(played_rounds),
            absent={
                number: [new_names[name] for name in absentees]
                for number, absentees in self.absent.items()
            },
            apart=tuple((new_names[first], new_names[second]) for first, second in self.apart),
            together=tuple(
                (new_names[first], new_names[second]) for first, second in self.together
            ),
            teams={new_names[name]: team for name, team in self.teams.items()},
            fixed_table={new_names[name]: table for name, table in self.fixed_table.items()},
            past_meetings={
                frozenset(new_names[name] for name in pair): n
                for pair, n in self.past_meetings.items()
            },
            turns={
                size: {new_names[name]: times for name, times in turn_counts.items()}
                for size, turn_counts in self.turns.items()
            },
        )


class BadRequest(ValueError):
    """The request is impossible; `problems` has everything that is wrong with it."""

    def __init__(self, problems: list[SeatingProblem]) -> None:
        super().__init__(" ".join(problem.message for problem in problems))
        self.problems = problems


def table_sizes_for(n: int, preferred_sizes: tuple[int, ...] = (4, 5, 3)) -> list[int]:
    """Sizes of the tables for `n` players, preferred size first.

    As few as possible are left without a seat; then the least preferred size is used as seldom as
    possible, then the next: 13 gives [4, 4, 5], 6 gives [3, 3]. Raises BadRequest if `n` players do
    not fill one table.
    """
    counts = _counts_for(n, tuple(preferred_sizes)) if n > 0 else ()
    if not any(counts):
        raise BadRequest([_too_few_players(n, preferred_sizes, "players")])
    return [size for size, count in zip(preferred_sizes, counts, strict=True) for _ in range(count)]


def _too_few_players(n: int, preferred_sizes: tuple[int, ...], path: str) -> SeatingProblem:
    """The problem of too few players for a table."""
    message = f"A table needs at least {min(preferred_sizes)} players; there are only {n}."
    return SeatingProblem("too_few_players", path, message)


@lru_cache(maxsize=256)
def _counts_for(n: int, preferred_sizes: tuple[int, ...]) -> tuple[int, ...]:
    """How many tables of each size, for each number of the less preferred sizes."""
    first, *other_sizes = preferred_sizes
    options = []
    # More than `first` tables of one size can always be replaced by preferred ones.
    for counts in product(range(first + 1), repeat=len(other_sizes)):
        remainder = n - sum(size * count for size, count in zip(other_sizes, counts, strict=True))
        if remainder >= 0:
            options.append((remainder % first, (remainder // first, *counts)[::-1]))
    return min(options)[1][::-1]


def check_request(request: Request) -> list[SeatingProblem]:
    """Everything impossible in `request`; an empty list means that `plan` will succeed."""
    players = frozenset(request.players)
    problems = list(_bad_values(request))
    for kind, pairs in (("apart", request.apart), ("together", request.together)):
        for index, pair in enumerate(pairs):
            path = f"{kind}.{index}"
            problems += _unknown_players(players, dict.fromkeys(pair), path)
            if pair[0] == pair[1]:
                message = f"{pair[0]} is paired with themselves; a pair is two players."
                problems.append(SeatingProblem("pair_of_one", path, message))
    for kind, names in (("teams", request.teams), ("fixed_table", request.fixed_table)):
        problems += [
            wrong for n in names for wrong in _unknown_players(players, [n], f"{kind}.{n}")
        ]
    problems += _bad_rounds(request.played, players)
    last = len(request.played) + request.rounds
    for number, absentees in request.absent.items():
        path = f"absent.{number}"
        if not 1 <= number <= last:
            message = f"There is no round {number}; the rounds are 1 to {last}."
            problems.append(SeatingProblem("unknown_round", path, message))
        problems += _unknown_players(players, absentees, path)
    return problems or list(_bad_numbers(request))


def check_bands(bands: Sequence[int]) -> list[SeatingProblem]:
    """Everything impossible in the bands of a seating by standing."""
    message = "A group needs at least 1 table, not"
    return [
        SeatingProblem("bad_band", f"bands.{index}", f"{message} {tables}.")
        for index, tables in enumerate(bands)
        if tables < 1
    ]


def _bad_values(request: Request) -> Iterator[SeatingProblem]:
    if not 0 <= request.rounds <= MAX_ROUNDS:
        message = f"The number of rounds is from 0 to {MAX_ROUNDS}, not {request.rounds}."
        yield SeatingProblem("bad_rounds", "rounds", message)
    if not (math.isfinite(request.seconds) and request.seconds >= 0):
        message = f"The seconds to search are 0 or more, not {request.seconds}."
        yield SeatingProblem("bad_seconds", "seconds", message)
    sizes = request.table_sizes
    if not sizes or len(set(sizes)) < len(sizes) or not set(sizes) <= set(SIZES_ALLOWED):
        sizes_text = ", ".join(map(str, sizes)) or "none"
        message = f"Table sizes are 3, 4 and 5, each named once; these were named: {sizes_text}."
        yield SeatingProblem("bad_table_sizes", "table_sizes", message)
    if len(request.players) > MAX_PLAYERS:
        yield _too_many_players(len(request.players))
    for name, times in Counter(request.players).items():
        if not name.strip():
            yield SeatingProblem("blank_name", "players", "A player has no name.")
        elif times > 1:
            message = f"{times} players are called {name}; give each a different name."
            yield SeatingProblem("same_name", "players", message)


def _too_many_players(count: int) -> SeatingProblem:
    message = f"You can seat up to {MAX_PLAYERS} players, not {count}."
    return SeatingProblem("too_many_players", "players", message)


def _unknown_players(
    players: frozenset[str], names: Iterable[str], path: str
) -> list[SeatingProblem]:
    return [
        SeatingProblem("unknown_player", path, f"{name} is not among the players.")
        for name in names
        if name not in players
    ]


def _bad_rounds(rounds: tuple[Round, ...], players: frozenset[str]) -> Iterator[SeatingProblem]:
    """Table numbers are unique, tables have three seats or more, nobody sits twice."""
    for index, round_ in enumerate(rounds):
        path, title = f"played.{index}", f"round {index + 1}"
        names = [*(name for table in round_.tables for name in table.names), *round_.sitting_out]
        yield from _unknown_players(players, dict.fromkeys(names), path)
        for name in _duplicates(names):
            message = f"{name} has more than one place in {title}."
            yield SeatingProblem("seated_twice", path, message)
        for table in round_.tables:
            if not 1 <= table.number <= MAX_PLAYERS:
                message = f"Round {index + 1} has a table {table.number}"
                tables = f"tables are 1 to {MAX_PLAYERS}"
                yield SeatingProblem("bad_table", path, f"{message}; {tables}.")
            if len(table.seats) < min(SIZES_ALLOWED) or not table.seats.keys() <= set(SEATS):
                seats = ", ".join(table.seats) or "no seats"
                message = f"Table {table.number} of {title} has {seats}; it needs three or more"
                yield SeatingProblem("bad_seats", path, f"{message} of {', '.join(SEATS)}.")
        for number in _duplicates(str(table.number) for table in round_.tables):
            message = f"Round {index + 1} has more than one table {number}."
            yield SeatingProblem("table_twice", path, message)


def _duplicates(names: Iterable[str]) -> list[str]:
    return [name for name, times in Counter(names).items() if times > 1]


def _bad_numbers(request: Request) -> Iterator[SeatingProblem]:
    """Too few players for a table, and fixed tables that do not exist."""
    if len(request.players) < min(request.table_sizes):
        yield _too_few_players(len(request.players), request.table_sizes, "players")
        return
    first = len(request.played) + 1
    for number in range(first, first + request.rounds):
        roster_size = len(request.roster(number))
        if roster_size < min(request.table_sizes):
            yield _too_few_players(roster_size, request.table_sizes, f"absent.{number}")
    tables = len(request.split or table_sizes_for(len(request.players), request.table_sizes))
    for name, number in request.fixed_table.items():
        if not 1 <= number <= tables:
            message = f"{name} cannot always sit at table {number}; the tables are 1 to {tables}."
            yield SeatingProblem("unknown_table", f"fixed_table.{name}", message)


def request_to_json(request: Request) -> dict[str, object]:
    """The JSON object that `request_from_json` reads, without the weights of past evenings."""
    return {
        "players": list(request.players),
        "rounds": request.rounds,
        "seed": request.seed,
        "seconds": request.seconds,
        "table_sizes": list(request.table_sizes),
        "played": [_round_to_json(round_) for round_ in request.played],
        "absent": {
            str(number): sorted(absentees)
            for number, absentees in request.absent.items()
            if absentees
        },
        "apart": [list(pair) for pair in request.apart],
        "together": [list(pair) for pair in request.together],
        "teams": dict(request.teams),
        "fixed_table": dict(request.fixed_table),
    }


def plan_to_json(plan: Plan) -> dict[str, object]:
    """The response object: every round, those played first, and the report."""
    report = asdict(plan.report) | {"broken": problems_to_json(plan.report.broken)}
    del report["trades"]
    return {"rounds": [_round_to_json(round_) for round_ in plan.rounds], "report": report}


def problems_to_json(problems: Iterable[SeatingProblem]) -> list[dict[str, str]]:
    """Problems in the format of the engine's command line."""
    return [{"code": p.code, "where": p.path, "message": p.message} for p in problems]


def _round_to_json(round_: Round) -> dict[str, object]:
    tables = [{"table": table.number, "seats": dict(table.seats)} for table in round_.tables]
    return {"tables": tables, "sitting_out": list(round_.sitting_out)}


Problems = list[SeatingProblem]
FieldReader = Callable[[Problems, object, str], FieldValue]


def _add_problem(problems: Problems, path: str, requirement: str) -> None:
    """Record that the value at `path` is not `requirement`."""
    problems.append(SeatingProblem("bad_value", path, f"{path} must be {requirement}."))


def _typed_reader(kind: type[FieldValue], requirement: str) -> FieldReader[FieldValue]:
    """Reads a value of one kind; any other is refused, True and False as numbers too."""

    def read(problems: Problems, value: object, path: str) -> FieldValue:
        if isinstance(value, kind) and not isinstance(value, bool):
            return value
        _add_problem(problems, path, requirement)
        return kind()

    return read


_read_integer = _typed_reader(int, "a whole number")
_read_text = _typed_reader(str, "a name, written as text")
_read_list: FieldReader[list[object]] = _typed_reader(list, "a list")
_read_object: FieldReader[dict[str, object]] = _typed_reader(dict, "an object")


def _read_players(problems: Problems, value: object, path: str) -> tuple[str, ...]:
    if isinstance(value, list):
        return _tuple_reader(_read_text)(problems, value, path)
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        if value > MAX_PLAYERS:
            problems.append(_too_many_players(value))
            return ()
        return tuple(str(number) for number in range(1, value + 1))
    _add_problem(problems, path, "a number of players, 0 or more, or a list of names")
    return ()


def _read_seconds(problems: Problems, value: object, path: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < 1e9 else math.inf
    _add_problem(problems, path, "a number of seconds")
    return 0.0


def _tuple_reader(read_item: FieldReader[FieldValue]) -> FieldReader[tuple[FieldValue, ...]]:
    return lambda problems, value, path: tuple(
        read_item(problems, item, f"{path}.{i}")
        for i, item in enumerate(_read_list(problems, value, path))
    )


def _dict_reader(read_item: FieldReader[FieldValue]) -> FieldReader[dict[str, FieldValue]]:
    return lambda problems, value, path: {
        name: read_item(problems, item, f"{path}.{name}")
        for name, item in _read_object(problems, value, path).items()
    }


def _read_pair(problems: Problems, value: object, path: str) -> tuple[str, str]:
    if isinstance(value, list) and len(value) == 2:
        return _read_text(problems, value[0], path), _read_text(problems, value[1], path)
    _add_problem(problems, path, "a pair of names")
    return "", ""


def _read_absent(problems: Problems, value: object, path: str) -> dict[int, tuple[str, ...]]:
    absent: dict[int, tuple[str, ...]] = {}
    for key, names in _read_object(problems, value, path).items():
        place = f"{path}.{key}"
        if (number := whole_number(key, most=MAX_ROUNDS)) is not None:
            absent[number] = tuple(
                _read_text(problems, name, place) for name in _read_list(problems, names, place)
            )
        else:
            _add_problem(problems, place, 'named by the number of a round, such as "3"')
    return absent


def _read_round(problems: Problems, value: object, path: str) -> Round:
    item = _read_object(problems, value, path)
    tables = _read_list(problems, item.get("tables"), f"{path}.tables")
    sitting_out = _read_list(problems, item.get("sitting_out", []), f"{path}.sitting_out")
    return Round(
        _tuple_reader(_read_table)(problems, tables, f"{path}.tables"),
        _tuple_reader(_read_text)(problems, sitting_out, f"{path}.sitting_out"),
    )


def _read_table(problems: Problems, value: object, path: str) -> PlannedTable:
    table = _read_object(problems, value, path)
    seats = _dict_reader(_read_text)(problems, table.get("seats"), f"{path}.seats")
    if not seats.keys() <= set(SEATS):
        _add_problem(problems, f"{path}.seats", f"seats among {', '.join(SEATS)}")
    return PlannedTable(_read_integer(problems, table.get("table"), f"{path}.table"), seats)


READERS: Mapping[str, FieldReader[Any]] = {
    "players": _read_players,
    "rounds": _read_integer,
    "seed": _read_integer,
    "seconds": _read_seconds,
    "table_sizes": _tuple_reader(_read_integer),
    "played": _tuple_reader(_read_round),
    "absent": _read_absent,
    "apart": _tuple_reader(_read_pair),
    "together": _tuple_reader(_read_pair),
    "teams": _dict_reader(_read_text),
    "fixed_table": _dict_reader(_read_integer),
}


def request_from_json(text: bytes) -> Request:
    """Parse a request. Raises BadRequest with every problem."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        message = "The input is not JSON; write one object."
        raise BadRequest([SeatingProblem("not_json", "", message)]) from None
    if not isinstance(fields, dict):
        message = 'The input is one object, such as {"players": 16, "rounds": 5}.'
        raise BadRequest([SeatingProblem("not_an_object", "", message)])
    names = ", ".join(READERS)
    problems = [
        SeatingProblem("unknown_field", name, f"Unknown field {name}. You can use {names}.")
        for name in sorted(fields.keys() - READERS.keys())
    ]
    values: dict[str, Any] = {"players": (), "rounds": 0}
    for name, read_field in READERS.items():
        if name in fields:
            values[name] = read_field(problems, fields[name], name)
        elif name in values:
            problems.append(SeatingProblem("missing_field", name, f"The field {name} is missing."))
    request = Request(**values)
    # Problems of the readable fields that depend on no unreadable one.
    problem_fields = {_field_name(problem) for problem in problems}
    problem_fields = problem_fields.union(
        *(FIELD_DEPENDENCIES.get(name, set()) for name in problem_fields)
    )
    problems += [
        problem for problem in check_request(request) if _field_name(problem) not in problem_fields
    ]
    if problems:
        raise BadRequest(problems)
    return request


def _field_name(problem: SeatingProblem) -> str:
    return problem.path.partition(".")[0]
