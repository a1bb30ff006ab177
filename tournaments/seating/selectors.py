"""A tournament's seating, its explanation, and seating a round by hand."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Annotated, Final

from django.db.models import Exists, OuterRef

from clubs.language.spreadsheets import Cell, csv_file
from clubs.models.names import (
    PUBLIC_READER,
    Reader,
    marked_as_withdrawn,
    name_key,
    show_names_in,
    surname_key,
)
from clubs.seating import PlannedTable, Round, SeatingRemark
from clubs.seating.why import meetings_of, times_in_words, wind_imbalance, winds_of
from clubs.seats.selectors import SeatingExplanation, explain_seating
from tournaments.core import first_few, names_of
from tournaments.models import (
    EntrantState,
    OddNumber,
    Placement,
    Round as TournamentRound,
    RoundState,
    Tournament,
)
from tournaments.results.selectors.standings import standings_of
from tournaments.rounds.couples import couples
from tournaments.rounds.selectors import RoundView

WINDS, TABLE_SIZE = ("E", "S", "W", "N"), 4
MOST_NAMES = 3
NOT_SEATED_MESSAGE: Final = "No round has been seated yet, so there is nothing to print."


@dataclass(frozen=True, slots=True)
class Sitting:
    """Where a player sits in a round. Without a table, they sit out.

    ``wind`` is a letter of ESWN.
    """

    round: int
    table: int | None = None
    wind: str = ""
    substitute: str = ""


@dataclass(frozen=True, slots=True)
class PlayerSeats:
    """One entrant's tables, round by round."""

    entrant_id: int
    name: str
    sittings: tuple[Sitting, ...]
    has_withdrawn: Annotated[bool, "they withdrew and still have a seat"] = False

    @property
    def marked_name(self) -> str:
        """The name, with a word for someone who has withdrawn: ``Ann Cox (withdrew)``."""
        return marked_as_withdrawn(self.name) if self.has_withdrawn else self.name


@dataclass(frozen=True, slots=True)
class Fairness:
    """One test of a good seating."""

    is_kept: bool
    sentence: str


def seats_by_player(rounds: Sequence[RoundView]) -> tuple[PlayerSeats, ...]:
    """Every seated entrant by surname, with a sitting for every round."""
    result: dict[tuple[str, int], dict[int, Sitting]] = {}
    withdrawn = set()
    for round_ in rounds:
        for table in round_.tables:
            for place in table.places:
                if place.has_withdrawn:
                    withdrawn.add(place.entrant_id)
                sitting = Sitting(round_.number, table.number, place.wind, place.substitute)
                result.setdefault((place.name, place.entrant_id), {})[round_.number] = sitting
    return tuple(
        PlayerSeats(
            entrant,
            name,
            tuple(
                result[name, entrant].get(round_.number, Sitting(round_.number))
                for round_ in rounds
            ),
            entrant in withdrawn,
        )
        for name, entrant in sorted(result, key=lambda person: (surname_key(person[0]), person[1]))
    )


def players_named(players: Sequence[PlayerSeats], name: str) -> tuple[PlayerSeats, ...]:
    """Those whose name contains the text, ignoring accents and case."""
    key = name_key(name)
    return tuple(player for player in players if key and key in name_key(player.name))


def fairness_report(rounds: Sequence[RoundView]) -> tuple[Fairness, ...]:
    """The criteria that the seating meets, computed from the current seats."""
    plan = []
    for round_ in rounds:
        tables = (
            PlannedTable(row.number, {place.wind: str(place.entrant_id) for place in row.places})
            for row in round_.tables
        )
        plan.append(Round(tuple(tables)))
    return (_meetings_fairness(plan), _winds_fairness(plan))


def unmet_criteria(rounds: Sequence[RoundView]) -> tuple[str, ...]:
    """The criteria that the seating does not meet, in sentences."""
    return tuple(
        criterion.sentence for criterion in fairness_report(rounds) if not criterion.is_kept
    )


def _meetings_fairness(plan: Sequence[Round]) -> Fairness:
    repeats = [times for times in meetings_of(plan).values() if times > 1]
    if not repeats:
        return Fairness(is_kept=True, sentence="No one meets anyone twice.")
    pairs = "1 pair meets" if len(repeats) == 1 else f"{len(repeats)} pairs meet"
    most = f", at most {max(repeats)} times" if max(repeats) > 2 else ""
    return Fairness(is_kept=False, sentence=f"{pairs} more than once{most}.")


def _winds_fairness(plan: Sequence[Round]) -> Fairness:
    uneven = sum(wind_imbalance(counts) > 0 for counts in winds_of(plan).values())
    if not uneven:
        often = "equally often, as far as the number of rounds allows."
        return Fairness(is_kept=True, sentence=f"Everyone starts in each wind {often}")
    players_text = "1 player starts" if uneven == 1 else f"{uneven} players start"
    return Fairness(
        is_kept=False, sentence=f"{players_text} in one wind more often than necessary."
    )


def meetings_between(rounds: Sequence[Round], pairs: Iterable[tuple[str, str]]) -> int:
    """How often these pairs share a table, all together."""
    meetings = meetings_of(rounds)
    return sum(meetings[frozenset(pair)] for pair in pairs)


@dataclass(frozen=True, slots=True)
class SeatedRounds:
    """The rounds that are seated, by names; teams and couples of the people who are in one.

    entry_numbers: those of the entry list, in the order of the names, house players last. house and
    withdrawn: how many of them are house players, and how many withdrew. traded: the trade-offs of
    rounds seated by standing, in sentences. shown: each full name as shown to the reader.
    """

    numbers: tuple[int, ...]
    rounds: tuple[Round, ...]
    names: tuple[str, ...]
    teams: Mapping[str, str]
    couples: tuple[tuple[str, str], ...]
    trades: tuple[str, ...]
    shown_names: Mapping[str, str]
    entry_numbers: tuple[int, ...]
    house: int
    withdrawn: int

    def with_shown_names(self, text: str) -> str:
        """A sentence stored with full names, as shown to the reader."""
        return show_names_in(text, self.shown_names)

    def explanation(self) -> SeatingExplanation:
        """The explanation of these rounds."""
        numbers = self.entry_numbers
        explanation = explain_seating(self.rounds, self.names, teams=self.teams, numbers=numbers)
        return replace(
            explanation,
            house=self.house,
            withdrawn=self.withdrawn,
            remarks=(
                *explanation.remarks,
                *self._of_couples(),
                *(SeatingRemark(self.with_shown_names(value)) for value in self.trades),
            ),
        )

    def _of_couples(self) -> Iterator[SeatingRemark]:
        if times := meetings_between(self.rounds, self.couples):
            yield SeatingRemark(f"Couples meet {times_in_words(times)}.", is_kept=False)


@dataclass(frozen=True, slots=True)
class DrawingRow:
    """Rounds drawn together; the request itself is loaded by its key."""

    pk: int
    first: Annotated[int, "round"]
    last: Annotated[int, "round"]
    made_at: datetime

    @property
    def which(self) -> str:
        """`Round 3`, `Rounds 1 to 5`."""
        return rounds_title(self.first, self.last)


def rounds_title(first: int, last: int) -> str:
    """`Round 3`, `Rounds 1 to 5`."""
    return f"Round {first}" if first == last else f"Rounds {first} to {last}"


def _resting_names(
    tournament: Tournament, entrant_names: Mapping[int, str]
) -> Mapping[int, list[str]]:
    """Who sits out, by round; none for a round in which everybody plays."""
    names: dict[int, list[str]] = defaultdict(list)
    resting = TournamentRound.sitting_out.through.objects.filter(round__tournament=tournament)
    for number, entrant in resting.values_list("round__number", "entrant"):
        names[number].append(entrant_names[entrant])
    return names


def seated_rounds(tournament: Tournament, *, reader: Reader = PUBLIC_READER) -> SeatedRounds:
    """Everyone's seats in all rounds; four queries however many."""
    people = list(tournament.entrants.select_related("player"))
    entrant_names = names_of(people, reader)
    tables: dict[int, dict[int, dict[str, str]]] = defaultdict(lambda: defaultdict(dict))
    places = Placement.objects.filter(round__tournament=tournament).order_by("seat__number")
    for number, table, seat, entrant in places.values_list(
        "round__number", "table__number", "seat__number", "entrant"
    ):
        tables[number][table][WINDS[seat - 1]] = entrant_names[entrant]
    resting_names = _resting_names(tournament, entrant_names)
    rows = tuple(tournament.rounds.values_list("number", "traded"))
    numbers = tuple(number for number, _ in rows)
    trades = tuple(f"Round {number}: {line}" for number, lines in rows for line in lines)
    rounds = tuple(
        Round(
            tuple(
                PlannedTable(table_number, seats)
                for table_number, seats in sorted(tables[number].items())
            ),
            tuple(sorted(resting_names[number])),
        )
        for number in numbers
    )
    placed_names = {name for round_ in rounds for table in round_.tables for name in table.names}
    placed_names |= {name for names in resting_names.values() for name in names}
    people.sort(key=lambda entrant: (entrant.is_house, entrant.number))
    entrants_by_name = {
        entrant_names[entrant.pk]: entrant
        for entrant in people
        if entrant_names[entrant.pk] in placed_names
    }
    return SeatedRounds(
        numbers=numbers,
        rounds=rounds,
        names=tuple(entrants_by_name),
        teams={name: entrant.team for name, entrant in entrants_by_name.items() if entrant.team},
        couples=tuple(
            (entrant_names[first_entrant.pk], entrant_names[second_entrant.pk])
            for first_entrant, second_entrant in couples(entrants_by_name.values())
        ),
        trades=trades,
        shown_names={entrant.name: entrant_names[entrant.pk] for entrant in people},
        entry_numbers=tuple(entrant.number for entrant in entrants_by_name.values()),
        house=sum(entrant.is_house for entrant in entrants_by_name.values()),
        withdrawn=sum(
            entrant.state == EntrantState.WITHDRAWN for entrant in entrants_by_name.values()
        ),
    )


def drawings_of(tournament: Tournament) -> tuple[DrawingRow, ...]:
    """All drawings, oldest first; one query."""
    rows = tournament.drawings.values_list("pk", "first_round", "last_round", "made_at")
    return tuple(DrawingRow(*row) for row in rows)


@dataclass(frozen=True, slots=True)
class ChangeRow:
    """A change to the seating, and when it was made."""

    what: str
    made_at: datetime


def changes_by_hand(tournament: Tournament, seating_plan: SeatedRounds) -> tuple[ChangeRow, ...]:
    """The manual changes that were not undone, oldest first; one query."""
    rows = tournament.changes.filter(undone_at=None).order_by("pk").values_list("what", "made_at")
    return tuple(
        ChangeRow(seating_plan.with_shown_names(description), made_at)
        for description, made_at in rows
    )


@dataclass(frozen=True, slots=True)
class TableByHand:
    """A table with its current names, East first; empty for an empty seat."""

    number: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundByHand:
    """A round for manual seating."""

    number: int
    tables: tuple[TableByHand, ...]
    names: Annotated[tuple[str, ...], "the players to choose from, house players last"]
    rests: Annotated[bool, "whether anyone sits out"]
    others: Annotated[tuple[int, ...], "other rounds that can be seated by hand"]
    has_begun: Annotated[bool, "if so, it can no longer be seated"]
    is_early: Annotated[bool, "the earlier rounds are not seated yet"]


def round_by_hand(tournament: Tournament, number: int) -> RoundByHand | None:
    """The round of that number; None if the tournament has none. Three queries."""
    if not 1 <= number <= tournament.rounds_planned:
        return None
    resting = TournamentRound.sitting_out.through.objects.filter(round_id=OuterRef("pk"))
    rounds = list(tournament.rounds.values_list("number", "state", Exists(resting)))
    states = {row_number: state for row_number, state, _ in rounds}
    names_by_table: dict[int, list[str]] = {}
    places = Placement.objects.filter(round__tournament=tournament, round__number=number)
    for table, name in places.values_list("table__number", "entrant__name"):
        names_by_table.setdefault(table, []).append(name)
    people = tournament.entrants.filter(state=EntrantState.ENTERED)
    entrant_rows = sorted(
        people.values_list("name", "is_house"), key=lambda row: (row[1], surname_key(row[0]))
    )
    players = sum(not is_house for _, is_house in entrant_rows)
    house_count = 0 if tournament.odd_number == OddNumber.SIT_OUT else -players % TABLE_SIZE
    table_count = (players + house_count) // TABLE_SIZE
    numbers = sorted({*names_by_table, *range(1, max(table_count, len(names_by_table)) + 1)})
    former_names = {name for names in names_by_table.values() for name in names} - {
        name for name, _ in entrant_rows
    }
    open_rounds = _open_round_numbers(tournament, states)
    return RoundByHand(
        number=number,
        tables=tuple(
            TableByHand(row_number, tuple(names_by_table.get(row_number, [""] * TABLE_SIZE)))
            for row_number in numbers
        ),
        names=(*(name for name, _ in entrant_rows), *sorted(former_names)),
        rests=any(rests for row_number, _, rests in rounds if row_number == number),
        others=tuple(open_round for open_round in open_rounds if open_round != number),
        has_begun=states.get(number, RoundState.SEATED) != RoundState.SEATED,
        is_early=number not in states and number not in open_rounds,
    )


def _open_round_numbers(tournament: Tournament, states: dict[int, str]) -> list[int]:
    """Rounds seated but not begun, and the next one if it is seated after the others."""
    result = [number for number, state in sorted(states.items()) if state == RoundState.SEATED]
    following = max(states, default=0) + 1
    if tournament.drawn_rounds < following <= tournament.rounds_planned and states:
        result.append(following)
    return result


def moved_since(
    tournament: Tournament, round_: TournamentRound | None, *, reader: Reader = PUBLIC_READER
) -> str:
    """Who has moved in the standings since the round was seated; empty if nobody has.

    ``Ann Abbott, Ben Brown and 2 more stand elsewhere now.`` Two queries for a round that was
    seated by standing and has not started, none for any other.
    """
    if round_ is None or round_.state != RoundState.SEATED or not round_.seated_in_order:
        return ""
    rows = standings_of(tournament, last_round=round_.number - 1, reader=reader)
    old_positions = {key: position for position, key in enumerate(round_.seated_in_order)}
    now = [row for row in rows if row.entrant_id in old_positions]
    positions = sorted(old_positions[row.entrant_id] for row in now)
    mover_names = [
        row.name
        for row, position in zip(now, positions, strict=True)
        if old_positions[row.entrant_id] != position
    ]
    if not mover_names:
        return ""
    verb = "have" if len(mover_names) > 1 else "has"
    return f"{first_few(mover_names, MOST_NAMES)} {verb} moved in the standings."


def seating_csv(seating_plan: SeatedRounds) -> bytes:
    """Every round's tables, one line each, in the import format; then who sits out."""
    rows: list[list[Cell]] = [["Round", "Table", "East", "South", "West", "North"]]
    for number, round_ in zip(seating_plan.numbers, seating_plan.rounds, strict=True):
        rows += [[number, table.number, *table.names] for table in round_.tables]
        if round_.sitting_out:
            rows.append([number, "out", *round_.sitting_out])
    return csv_file(rows)
