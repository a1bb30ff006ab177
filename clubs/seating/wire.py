"""A request read from JSON, and a plan written as JSON (contract.md, "Seating's command line")."""

import json
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

from clubs.seating.planner import MOST_PLAYERS, check, player_limit
from clubs.seating.request import SEATS, BadRequest, Plan, Request, Round, SeatingProblem, Table

Item = TypeVar("Item")

FIELDS = (
    *("players", "rounds", "seed", "seconds", "table_sizes", "played", "absent"),
    *("apart", "together", "teams", "fixed_table"),
)

RESTS_ON = {  # fields that cannot be judged while another cannot be read
    "players": frozenset(FIELDS[5:]),
    "rounds": frozenset({"absent"}),
    "played": frozenset({"absent"}),
    "table_sizes": frozenset({"players", "absent", "fixed_table"}),
}


def request_from_json(text: bytes) -> Request:
    """The request that the text holds. Raises BadRequest with all that is wrong with it."""
    try:
        fields = json.loads(text)
    except (ValueError, RecursionError):
        sentence = "The input is not JSON; write one object."
        raise BadRequest([SeatingProblem("not_json", "", sentence)]) from None
    if not isinstance(fields, dict):
        sentence = 'The input is one object, such as {"players": 16, "rounds": 5}.'
        raise BadRequest([SeatingProblem("not_an_object", "", sentence)])
    reader = Reader(fields)
    request = _request(reader)
    # What is wrong with the fields that could be read, as far as they stand by themselves.
    left = {_field(problem) for problem in reader.problems}
    left = left.union(*(RESTS_ON.get(name, frozenset()) for name in left))
    if problems := [
        *reader.problems,
        *[problem for problem in check(request) if _field(problem) not in left],
    ]:
        raise BadRequest(problems)
    return request


def _field(problem: SeatingProblem) -> str:
    return problem.where.partition(".")[0]


def request_to_json(request: Request) -> dict[str, object]:
    """The object that `request_from_json` reads; what past evenings weighed is not part of it."""
    return {
        "players": list(request.players),
        "rounds": request.rounds,
        "seed": request.seed,
        "seconds": request.seconds,
        "table_sizes": list(request.table_sizes),
        "played": [_round_to_json(round_) for round_ in request.played],
        "absent": {str(number): sorted(away) for number, away in request.absent.items() if away},
        "apart": [list(pair) for pair in request.apart],
        "together": [list(pair) for pair in request.together],
        "teams": dict(request.teams),
        "fixed_table": dict(request.fixed_table),
    }


def plan_to_json(plan: Plan) -> dict[str, object]:
    """The answer's object: every round, those played first, and the report."""
    report = plan.report
    return {
        "rounds": [_round_to_json(round_) for round_ in plan.rounds],
        "report": {
            "repeated_meetings": report.repeated_meetings,
            "least_possible": report.least_possible,
            "most_meetings": report.most_meetings,
            "wind_imbalance": report.wind_imbalance,
            "table_revisits": report.table_revisits,
            "team_meetings": report.team_meetings,
            "broken": problems_to_json(report.broken),
            "seconds": report.seconds,
            "cut_short": report.cut_short,
        },
    }


def problems_to_json(problems: tuple[SeatingProblem, ...]) -> list[dict[str, str]]:
    """Problems in the form that the engine's command line uses too."""
    return [{"code": p.code, "where": p.where, "message": p.sentence} for p in problems]


def _round_to_json(round_: Round) -> dict[str, object]:
    tables = [{"table": table.number, "seats": dict(table.seats)} for table in round_.tables]
    return {"tables": tables, "sitting_out": list(round_.sitting_out)}


@dataclass(slots=True)
class Reader:
    """Reads fields one by one and remembers every one that is not what it must be."""

    fields: dict[str, object]
    problems: list[SeatingProblem] = field(default_factory=list)

    def __post_init__(self) -> None:
        for name in self.fields.keys() - set(FIELDS):
            sentence = f"There is no field {name}; the fields are {', '.join(FIELDS)}."
            self.problems.append(SeatingProblem("unknown_field", name, sentence))
        self.problems.sort(key=lambda problem: problem.where)

    def get(self, name: str, read: Callable[["Reader", object, str], Item], default: Item) -> Item:
        """The field as `read` understands it, or the default where it is left out."""
        return read(self, self.fields[name], name) if name in self.fields else default

    def need(self, name: str, read: Callable[["Reader", object, str], Item], default: Item) -> Item:
        """As `get`, for a field that may not be left out."""
        if name not in self.fields:
            sentence = f"The field {name} is missing."
            self.problems.append(SeatingProblem("missing_field", name, sentence))
        return self.get(name, read, default)

    def refuse(self, where: str, wanted: str) -> None:
        """Remember that the value at `where` is not `wanted`."""
        sentence = f"{where} must be {wanted}."
        self.problems.append(SeatingProblem("bad_value", where, sentence))


def _request(reader: Reader) -> Request:
    return Request(
        players=reader.need("players", _players, ()),
        rounds=reader.need("rounds", _whole, 0),
        seed=reader.get("seed", _whole, 0),
        seconds=reader.get("seconds", _seconds, 10.0),
        table_sizes=reader.get("table_sizes", _sizes, (4,)),
        played=reader.get("played", _rounds, ()),
        absent=reader.get("absent", _absent, {}),
        apart=reader.get("apart", _pairs, ()),
        together=reader.get("together", _pairs, ()),
        teams=reader.get("teams", _teams, {}),
        fixed_table=reader.get("fixed_table", _fixed_tables, {}),
    )


def _players(reader: Reader, value: object, where: str) -> tuple[str, ...]:
    if isinstance(value, list):
        return tuple(_text(reader, name, f"{where}.{i}") for i, name in enumerate(value))
    if isinstance(value, int) and not isinstance(value, bool) and value >= 0:
        if value > MOST_PLAYERS:
            reader.problems.append(player_limit(value))
            return ()
        return tuple(str(number) for number in range(1, value + 1))
    reader.refuse(where, "a number of players, 0 or more, or a list of names")
    return ()


def _whole(reader: Reader, value: object, where: str) -> int:
    if isinstance(value, int) and not isinstance(value, bool):
        return value
    reader.refuse(where, "a whole number")
    return 0


def _seconds(reader: Reader, value: object, where: str) -> float:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return float(value) if abs(value) < 1e9 else math.inf
    reader.refuse(where, "a number of seconds")
    return 0.0


def _text(reader: Reader, value: object, where: str) -> str:
    if isinstance(value, str):
        return value
    reader.refuse(where, "a name, written as text")
    return ""


def _list(reader: Reader, value: object, where: str) -> list[object]:
    if isinstance(value, list):
        return value
    reader.refuse(where, "a list")
    return []


def _object(reader: Reader, value: object, where: str) -> dict[str, object]:
    if isinstance(value, dict):
        return value
    reader.refuse(where, "an object")
    return {}


def _sizes(reader: Reader, value: object, where: str) -> tuple[int, ...]:
    sizes = _list(reader, value, where)
    return tuple(_whole(reader, size, f"{where}.{i}") for i, size in enumerate(sizes))


def _pairs(reader: Reader, value: object, where: str) -> tuple[tuple[str, str], ...]:
    pairs = []
    for index, pair in enumerate(_list(reader, value, where)):
        place = f"{where}.{index}"
        if isinstance(pair, list) and len(pair) == 2:
            pairs.append((_text(reader, pair[0], place), _text(reader, pair[1], place)))
        else:
            reader.refuse(place, "a pair of names")
    return tuple(pairs)


def _teams(reader: Reader, value: object, where: str) -> dict[str, str]:
    teams = _object(reader, value, where)
    return {name: _text(reader, team, f"{where}.{name}") for name, team in teams.items()}


def _fixed_tables(reader: Reader, value: object, where: str) -> dict[str, int]:
    tables = _object(reader, value, where)
    return {name: _whole(reader, table, f"{where}.{name}") for name, table in tables.items()}


def _absent(reader: Reader, value: object, where: str) -> dict[int, tuple[str, ...]]:
    absent: dict[int, tuple[str, ...]] = {}
    for key, names in _object(reader, value, where).items():
        place = f"{where}.{key}"
        if key.isascii() and key.isdigit() and len(key) < 6:
            absent[int(key)] = tuple(
                _text(reader, name, place) for name in _list(reader, names, place)
            )
        else:
            reader.refuse(place, 'named by the number of a round, such as "3"')
    return absent


def _rounds(reader: Reader, value: object, where: str) -> tuple[Round, ...]:
    rounds = _list(reader, value, where)
    return tuple(_round(reader, item, f"{where}.{i}") for i, item in enumerate(rounds))


def _round(reader: Reader, value: object, where: str) -> Round:
    item = _object(reader, value, where)
    tables = _list(reader, item.get("tables"), f"{where}.tables")
    out = _list(reader, item.get("sitting_out", []), f"{where}.sitting_out")
    return Round(
        tuple(_table(reader, table, f"{where}.tables.{i}") for i, table in enumerate(tables)),
        tuple(_text(reader, name, f"{where}.sitting_out.{i}") for i, name in enumerate(out)),
    )


def _table(reader: Reader, value: object, where: str) -> Table:
    table = _object(reader, value, where)
    seats = _object(reader, table.get("seats"), f"{where}.seats")
    named = {seat: _text(reader, name, f"{where}.seats.{seat}") for seat, name in seats.items()}
    if not named.keys() <= set(SEATS):
        reader.refuse(f"{where}.seats", f"seats among {', '.join(SEATS)}")
    return Table(_whole(reader, table.get("table"), f"{where}.table"), named)
