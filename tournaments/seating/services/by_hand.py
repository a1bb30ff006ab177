"""Rounds written by hand with names, and their errors in sentences."""

import csv
import hashlib
import json
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from operator import attrgetter

from django.db import transaction

from clubs.core.forms import ShownState
from clubs.language.words import whole_number
from clubs.members.lists import delimiter_of
from clubs.models.names import ORGANISER_READER, name_key, tidy_name
from clubs.seating import Round, SeatingRemark
from clubs.seating.history import costs_of_change
from clubs.seating.why import join_with_and, players_in_round
from scoring.scorebook.refusals import ProblemLike, Refusal, Refused, refuse
from tournaments.core import set_state, touch
from tournaments.models import (
    MOST_ROUNDS,
    MOST_TABLES,
    Entrant,
    EntrantState,
    OddNumber,
    Placement,
    RoundState,
    SeatingChange,
    Tournament,
    TournamentState,
)
from tournaments.rounds.couples import couples
from tournaments.rounds.selectors import numbers_text
from tournaments.rounds.services import (
    RoundSeating,
    TableSeating,
    call_house_players,
    keep_substitutes,
    round_seatings,
    sitter_of,
    unseated_round,
    write_seatings,
)
from tournaments.rounds.steps import SEATING_ACTS, last_step
from tournaments.seating.selectors import WINDS, rounds_title, seated_rounds
from tournaments.seating.services.seating import lock_for_seating, planned_round, store_change

WIND_NAMES = ("East", "South", "West", "North")
SITS_OUT = "out"
EXAMPLE_LINE = "1,1,Ann,Ben,Cy,Di"


@dataclass(frozen=True, slots=True)
class WrittenTable:
    """A table with four names as typed, East first; an empty name is an empty seat."""

    number: int
    names: tuple[str, ...]

    @property
    def is_empty(self) -> bool:
        return not any(map(tidy_name, self.names))


@dataclass(frozen=True, slots=True)
class WrittenRound:
    """A round as written.

    `resting_names` are names that sit out, `rests`: all unnamed players do too.
    """

    number: int
    tables: tuple[WrittenTable, ...]
    rests: bool = False
    resting_names: tuple[str, ...] = ()


def read_written(
    entrants: Sequence[Entrant],
    written_rounds: Sequence[WrittenRound],
    substituted_by_round: Mapping[int, Set[int]],
) -> list[RoundSeating]:
    """The rounds with entrants for names, without empty tables.

    ``substituted_by_round`` has by round the entrants who have a substitute: they need not play
    themselves. Raises ``Refused`` with every error: unknown names, empty seats, someone who sits
    twice or not at all.
    """
    by_key = {entrant.name_key: entrant for entrant in entrants}
    several = len(written_rounds) > 1
    problems: list[ProblemLike] = []
    for round_ in written_rounds:
        prefix = f"Round {round_.number}: " if several else ""
        problems += [
            Refusal(refusal.code, f"{prefix}{refusal.message}")
            for refusal in _problems(
                round_, by_key, substituted_by_round.get(round_.number, frozenset())
            )
        ]
    if problems:
        raise Refused(problems)
    return [
        _round_seating(round_, by_key)
        for round_ in sorted(written_rounds, key=attrgetter("number"))
    ]


def _problems(
    round_: WrittenRound, by_key: Mapping[str, Entrant], substituted_keys: Set[int]
) -> Iterator[Refusal]:
    tables = [table for table in round_.tables if not table.is_empty]
    if not tables:
        yield Refusal("no_table", "No one is seated at any table.")
        return
    seats: dict[str, list[str]] = defaultdict(list)
    for table in tables:
        for wind, name in zip(WIND_NAMES, table.names, strict=True):
            if tidy_name(name):
                seats[name_key(name)].append(f"at table {table.number} as {wind}")
            else:
                yield Refusal("empty_seat", f"Table {table.number} has no {wind}.")
    resting_keys = set(map(name_key, round_.resting_names))
    may_have_left = {by_key[key].pk for key in resting_keys & by_key.keys() - seats.keys()}
    yield from _name_problems(
        [*tables, WrittenTable(0, round_.resting_names)], by_key, substituted_keys | may_have_left
    )
    for key, current in seats.items():
        if len(current) > 1 and key in by_key:
            yield Refusal(
                "seated_twice",
                f"{by_key[key].name} has more than one seat: {join_with_and(current)}.",
            )
    placed_keys = seats.keys() | resting_keys
    missing = [
        entrant.name
        for key, entrant in by_key.items()
        if key not in placed_keys and _can_play(entrant)
    ]
    if missing and not round_.rests:
        verb = "has" if len(missing) == 1 else "have"
        yield Refusal("no_seat", f"{join_with_and(missing)} {verb} no seat.")


def _name_problems(
    tables: Sequence[WrittenTable], by_key: Mapping[str, Entrant], substituted_keys: Set[int]
) -> Iterator[Refusal]:
    names_by_key = {name_key(name): tidy_name(name) for table in tables for name in table.names}
    for key, name in names_by_key.items():
        if not name:
            continue
        if key not in by_key:
            yield Refusal("unknown_player", f"No player called {name[:80]} is in this tournament.")
        elif by_key[key].state != EntrantState.ENTERED and by_key[key].pk not in substituted_keys:
            state = by_key[key].get_state_display()
            yield Refusal("does_not_play", f"{by_key[key].name} is {state}.")


def _round_seating(round_: WrittenRound, by_key: Mapping[str, Entrant]) -> RoundSeating:
    tables = tuple(
        TableSeating(table.number, tuple(sitter_of(by_key[name_key(name)]) for name in table.names))
        for table in sorted(round_.tables, key=attrgetter("number"))
        if not table.is_empty
    )
    seated_keys = {sitter.entrant for table in tables for sitter in table.seats}
    sitting_out = (
        entrant.pk
        for entrant in by_key.values()
        if entrant.pk not in seated_keys and _can_play(entrant)
    )
    return RoundSeating(round_.number, tables, tuple(sitting_out))


def _can_play(entrant: Entrant) -> bool:
    return entrant.state == EntrantState.ENTERED and not entrant.is_house


@dataclass(frozen=True, slots=True)
class WeighedPlan:
    """Valid rounds by hand, and their cost."""

    rounds: tuple[Round, ...]
    numbers: tuple[int, ...]
    remarks: tuple[SeatingRemark, ...]

    @property
    def numbered_rounds(self) -> tuple[tuple[int, Round], ...]:
        return tuple(zip(self.numbers, self.rounds, strict=True))


def round_digest(tournament: Tournament, number: int) -> str:
    """A digest of a round's seats, for noticing later changes."""
    rounds_json = [
        round_.as_json() for round_ in round_seatings(tournament.rounds.filter(number=number))
    ]
    return hashlib.sha256(json.dumps(rounds_json).encode()).hexdigest()[:16]


def weigh_plan(*, tournament: Tournament, written_rounds: Sequence[WrittenRound]) -> WeighedPlan:
    """The cost of the rounds; nothing is stored. Raises ``Refused`` with every error.

    Rounds that have begun and are unchanged in the list are skipped.
    """
    with transaction.atomic():
        seating_plan = seated_rounds(tournament, reader=ORGANISER_READER)
        rounds = _check_written(tournament, rounds_to_seat(tournament, written_rounds))
        entrants = list(tournament.entrants.all())
        names = {entrant.pk: entrant.name for entrant in entrants}
        old_rounds = dict(zip(seating_plan.numbers, seating_plan.rounds, strict=True))
        new_rounds = old_rounds | {
            round_.number: planned_round(round_, names.__getitem__) for round_ in rounds
        }
        numbers = sorted(new_rounds)
        player_names = {
            name
            for round_ in (*old_rounds.values(), *new_rounds.values())
            for name in players_in_round(round_)
        }
        changed_numbers = tuple(round_.number for round_ in rounds)
        remarks = costs_of_change(
            [old_rounds[number] for number in sorted(old_rounds)],
            [new_rounds[number] for number in numbers],
            changed_rounds=[numbers.index(number) + 1 for number in changed_numbers],
            players=sorted(player_names),
            teams={entrant.name: entrant.team for entrant in entrants if entrant.team},
            couples=[
                (first_entrant.name, second_entrant.name)
                for first_entrant, second_entrant in couples(entrants)
            ],
        )
        weighed_plan = WeighedPlan(
            tuple(new_rounds[number] for number in changed_numbers), changed_numbers, remarks
        )
        transaction.set_rollback(True)
    return weighed_plan


@transaction.atomic
def seat_by_hand(
    *, tournament: Tournament, written_round: WrittenRound, mark: str, made_by: str
) -> SeatingChange:
    """Seat one round that has not begun as written; can be undone.

    mark: `round_digest` of the round as shown; refused if it has been changed since.
    """
    tournament = lock_for_seating(tournament)
    number = written_round.number
    if mark != round_digest(tournament, number):
        change_message = f"The seats of round {number} have changed, or the round has started."
        raise refuse(
            "seating_changed",
            f"{last_step(tournament, SEATING_ACTS) or change_message} Your choices are still "
            "here: check them before you save again.",
        )
    rounds = _check_written(tournament, [written_round])
    return _write_rounds(tournament, rounds, f"Round {number} seated manually", made_by)


@transaction.atomic
def seat_as_written(
    *,
    tournament: Tournament,
    written_rounds: Sequence[WrittenRound],
    made_by: str,
    page_state: ShownState | None = None,
) -> SeatingChange:
    """Seat every round of a written plan, from the entries or later; can be undone.

    Rounds that have begun are not changed, and every round that is drawn in advance must be in it.
    """
    tournament = lock_for_seating(tournament, page_state)
    rounds = _check_written(tournament, rounds_to_seat(tournament, written_rounds))
    which = rounds_title(rounds[0].number, rounds[-1].number)
    return _write_rounds(tournament, rounds, f"{which} seated from an imported list", made_by)


def _write_rounds(
    tournament: Tournament, rounds: Sequence[RoundSeating], description: str, made_by: str
) -> SeatingChange:
    numbers = [round_.number for round_ in rounds]
    old_rounds = round_seatings(tournament.rounds.filter(number__in=numbers))
    new = sorted({*numbers} - {round_.number for round_ in old_rounds})
    write_seatings(tournament, keep_substitutes(tournament, rounds, old_rounds))
    if tournament.state == TournamentState.ENTERING:
        set_state(tournament, TournamentState.PLAYING)
    else:
        touch(tournament)
    return store_change(tournament, description, [*old_rounds, *map(unseated_round, new)], made_by)


def _check_written(
    tournament: Tournament, written_rounds: Sequence[WrittenRound]
) -> list[RoundSeating]:
    """The rounds ready to be written. Raises ``Refused`` with every error."""
    _check_numbers(tournament, [round_.number for round_ in written_rounds])
    substituted_by_round: dict[int, set[int]] = defaultdict(set)
    waiting = Placement.objects.filter(round__tournament=tournament).exclude(substitute="")
    for number, entrant in waiting.values_list("round__number", "entrant"):
        substituted_by_round[number].add(entrant)
    # Everyone who may be named, including house players who fill the last table.
    entrant_count = tournament.entrants.entered().count()
    if tournament.odd_number == OddNumber.HOUSE and entrant_count >= len(WINDS):
        call_house_players(tournament, -entrant_count % len(WINDS))
    return read_written(
        list(tournament.entrants.order_by("name_key")), written_rounds, substituted_by_round
    )


def rounds_to_seat(
    tournament: Tournament, written_rounds: Sequence[WrittenRound]
) -> Sequence[WrittenRound]:
    """The rounds of a list, without unchanged ones that have begun. Refused if none is left."""
    keys = dict(tournament.entrants.values_list("pk", "name_key"))
    started_seats = {
        round_.number: {
            (table.number, tuple(keys[sitter.entrant] for sitter in table.seats))
            for table in round_.tables
        }
        for round_ in round_seatings(tournament.rounds.exclude(state=RoundState.SEATED))
    }
    remaining_rounds = []
    for round_ in written_rounds:
        tables = [table for table in round_.tables if not table.is_empty]
        seats = {(table.number, tuple(map(name_key, table.names))) for table in tables}
        if started_seats.get(round_.number) != seats:
            remaining_rounds.append(round_)
    if not remaining_rounds:
        raise refuse(
            "round_begun", "Every round in the list has already started with this seating."
        )
    return remaining_rounds


def _check_numbers(tournament: Tournament, numbers: Sequence[int]) -> None:
    states = dict(tournament.rounds.values_list("number", "state"))
    for number in numbers:
        if states.get(number, RoundState.SEATED) != RoundState.SEATED:
            raise refuse(
                "round_begun",
                f"Round {number} has started, so it cannot be reseated. You can still swap two "
                "players before their first hand, or add a substitute.",
            )
        if not 1 <= number <= tournament.rounds_planned:
            message = f"There is no round {number}. Rounds are 1 to {tournament.rounds_planned}."
            raise refuse("no_round", message)
    needed_numbers = range(1, max(tournament.drawn_rounds, *numbers) + 1)
    if missing := sorted(set(needed_numbers) - set(numbers) - states.keys()):
        are = "is" if len(missing) == 1 else "are"
        message = f"{numbers_text('Round', missing)} {are} missing. Seat all rounds at once."
        raise refuse("rounds_missing", message)


def read_plan(text: str, *, rests: bool) -> list[WrittenRound]:
    """The rounds of such a list; the first line may be a header.

    A line with ``out`` for a table names those who sit out. Raises ``Refused`` with a sentence for
    every line that cannot be read.
    """
    lines = text.lstrip("\ufeff").splitlines()
    if len(lines) > MOST_ROUNDS * MOST_TABLES + 1:
        raise refuse(
            "too_long", f"The list has {len(lines):,} lines, more than any tournament needs."
        )
    delimiter = delimiter_of(next((line for line in lines if line.strip()), ""))
    try:
        rows = list(csv.reader(lines, delimiter=delimiter))
    except csv.Error as error:
        raise refuse("bad_file", f"The list cannot be read: {error}.") from error
    return _read_rounds(rows, rests=rests)


def _read_rounds(rows: list[list[str]], *, rests: bool) -> list[WrittenRound]:
    tables: dict[int, dict[int, WrittenTable]] = defaultdict(dict)
    resting_names: dict[int, list[str]] = defaultdict(list)
    problems: list[ProblemLike] = []
    for line, cells in enumerate(rows, start=1):
        clean_cells = [cell.strip().removeprefix("'") for cell in cells]
        if not any(clean_cells) or (line == 1 and not clean_cells[0].isdecimal()):
            continue
        if clean_cells[1:2] == [SITS_OUT] and (
            number := whole_number(clean_cells[0], most=MOST_ROUNDS)
        ):
            resting_names[number] += filter(None, clean_cells[2:])
            continue
        try:
            number, table = _read_table(line, clean_cells)
        except Refused as refused:
            problems.extend(refused.problems)
            continue
        if table.number in tables[number]:
            message = f"Line {line}: round {number} already has a table {table.number}."
            problems.append(Refusal("table_twice", message))
        tables[number][table.number] = table
    if problems:
        raise Refused(problems)
    if not tables:
        raise refuse("no_table", f"The list has no tables. Enter lines like this: {EXAMPLE_LINE}")
    return [
        WrittenRound(number, tuple(round_tables.values()), rests, tuple(resting_names[number]))
        for number, round_tables in sorted(tables.items())
    ]


def _read_table(line: int, cells: list[str]) -> tuple[int, WrittenTable]:
    first, second = [*cells, ""][:2]
    number = whole_number(first, most=MOST_ROUNDS)
    table = whole_number(second, most=MOST_TABLES)
    if not number or not table:
        message = (
            f"Line {line} must start with the numbers of the round and the table: {EXAMPLE_LINE}"
        )
        raise refuse("bad_line", message)
    names = cells[2:]
    while len(names) > len(WIND_NAMES) and not names[-1]:
        names.pop()
    if len(names) != len(WIND_NAMES):
        message = f"Line {line} has {len(names)} names. A table needs four: {EXAMPLE_LINE}"
        raise refuse("bad_line", message)
    return number, WrittenTable(table, tuple(names))
