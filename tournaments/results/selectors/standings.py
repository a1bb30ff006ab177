"""Standings: the results, their ranking, and the board."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from fractions import Fraction
from functools import cached_property
from math import floor
from typing import Annotated, Final, NamedTuple

from clubs.language.words import player_count_words
from clubs.models.names import (
    FULL_NAME,
    ORGANISER_READER,
    PUBLIC_READER,
    Person,
    Reader,
    by_surname,
    marked_as_withdrawn,
    name_key,
    shown_names,
)
from clubs.table.rankings import Ranking, ranked_row
from clubs.table.rows import points_text
from scoring.table.ranking import METRICS, Number, RankedRow, RankingRow, rank, table_points
from tournaments.models import (
    EarlierSitters,
    EntrantState,
    OddNumber,
    Placement,
    Round,
    RoundState,
    SittingOut,
    Tournament,
    TournamentState,
    substitute_at,
)
from tournaments.rounds.clock import is_reported_ended, tables_ended_early

ENTRANT_COLUMNS = (
    "pk", "name", "player__shown_as", "player", "from_club", "team", "state", "is_house"
)  # fmt: skip
SEAT_COLUMNS = (
    *("entrant", "table", "table__number", "table__stopped_at", "table__game__hands_planned"),
    *("round__number", "round__state", "seat__game", "seat__number", "seat__points", "seat__hands"),
    *("seat__mahjongs", "seat__best_hand", "substitute", "earlier_sitters"),
)

Sums = dict[str, Number]

# An entrant's sums; `done` are those of the tables that have finished.
SUM_FIELDS = (
    *("rounds", "table_points", "total", "mahjongs", "best_hand"),
    *("done", "done_total", "done_mahjongs", "without_hand", "sat_out", "mahjongs_credited"),
)

METRIC_KEYS = ("table_points", "total", "mahjongs", "best_hand")
FRACTION_SIGNS = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 6): "⅙",
    Fraction(5, 6): "⅚",
}

MISSED_ROUNDS_NOTE: Final = (
    " Someone who came late or left early scores nothing for the rounds they missed, "
    "and is ranked on what they played."
)


class EntrantData(NamedTuple):
    """An entrant, by the columns of ENTRANT_COLUMNS."""

    pk: int
    name: str
    shown_as: str | None
    player: int | None
    from_club: str
    team: str
    state: str
    is_house: bool

    @property
    def person(self) -> Person:
        """The entrant as a ``Person`` of a list."""
        return Person(self.pk, self.name, self.shown_as or FULL_NAME, self.player)


class SatOutRound(NamedTuple):
    """A closed round that someone sat out."""

    entrant: int
    round: int


class SeatResult(NamedTuple):
    """A seat and its result, by the columns of SEAT_COLUMNS; a large tournament has thousands."""

    entrant: int
    table: int
    table_number: int
    stopped_at: datetime | None
    hands_planned: int | None
    round: int
    round_state: str
    game: int
    seat: int
    points: int
    hands: int
    mahjongs: int
    best_hand: int
    substitute: Annotated[str, "who plays for the entrant now, or empty"]
    earlier_sitters: EarlierSitters

    def substitute_at(self, hand: int) -> str:
        """The substitute who played that hand; empty: the entrant did."""
        return substitute_at(hand, self.earlier_sitters, self.substitute)


@dataclass(frozen=True)
class TournamentData:
    """Entrants by key, house players too, every seat of every round, and who sat out."""

    entrants: Mapping[int, EntrantData]
    seats: tuple[SeatResult, ...]
    sat_out: tuple[SatOutRound, ...] = ()

    @cached_property
    def seated_entrants(self) -> frozenset[int]:
        """Everyone who has a seat in some round."""
        return frozenset(seat.entrant for seat in self.seats)

    @property
    def rounds(self) -> dict[int, str]:
        """The state of every round by its number, in order."""
        return dict(sorted({(seat.round, seat.round_state) for seat in self.seats}))

    def ranked_entrants(self) -> list[EntrantData]:
        """Who stands in the standings: the entered, and whoever withdrew after being seated."""
        return [
            entrant
            for entrant in self.entrants.values()
            if not entrant.is_house
            and (
                entrant.state == EntrantState.ENTERED
                or (entrant.state == EntrantState.WITHDRAWN and entrant.pk in self.seated_entrants)
            )
        ]

    def seats_through(self, number: int | None) -> tuple[SeatResult, ...]:
        """The seats of the rounds up to that one; None: of all."""
        if number is None:
            return self.seats
        return tuple(seat for seat in self.seats if seat.round <= number)

    def rounds_out(self, number: int | None) -> Counter[int]:
        """How many closed rounds each entrant sat out up to that one; None: of all."""
        return Counter(
            sat_out.entrant for sat_out in self.sat_out if number is None or sat_out.round <= number
        )

    @property
    def someone_sat_out(self) -> bool:
        """Whether someone in the standings has no seat in a closed round."""
        return self._someone_is_without(Counter(), None)

    def someone_missed(self, number: int | None) -> bool:
        """Whether someone had no seat in a closed round up to that one, and did not sit it out."""
        return self._someone_is_without(self.rounds_out(number), number)

    def _someone_is_without(self, excused_counts: Mapping[int, int], number: int | None) -> bool:
        """Whether someone in the standings has fewer seats than there are closed rounds."""
        closed_seats = [
            seat for seat in self.seats_through(number) if seat.round_state == RoundState.CLOSED
        ]
        closed_count = len({seat.round for seat in closed_seats})
        seats = Counter(seat.entrant for seat in closed_seats)
        return any(
            seats[entrant.pk] + excused_counts.get(entrant.pk, 0) < closed_count
            for entrant in self.ranked_entrants()
        )


def load_tournament_data(tournament: Tournament) -> TournamentData:
    """Two queries, however many play; a third if someone was without a seat."""
    entered = tournament.entrants.values_list(*ENTRANT_COLUMNS)
    placements = Placement.objects.filter(round__tournament=tournament).order_by()
    tournament_data = TournamentData(
        {entered.pk: entered for entered in map(EntrantData._make, entered)},
        tuple(map(SeatResult._make, placements.values_list(*SEAT_COLUMNS))),
    )
    if not tournament_data.someone_sat_out:
        return tournament_data
    sitting_out = Round.sitting_out.through.objects.filter(
        round__tournament=tournament, round__state=RoundState.CLOSED
    )
    rows = sitting_out.order_by().values_list("entrant", "round__number")
    return replace(tournament_data, sat_out=tuple(map(SatOutRound._make, rows)))


def names_in_play(people: Iterable[EntrantData], reader: Reader) -> dict[int, str]:
    """The names of one list by their keys, as shown to the reader."""
    return shown_names((entrant.person for entrant in people), reader)


def credit_rounds_out(sums: Sums, rounds: int, tournament: Tournament) -> None:
    """Add what the rounds that an entrant sat out count in this tournament.

    Points of gain are rounded to whole numbers, halves up; table points and Mah-Jongs are exact.
    """
    sums["sat_out"] = rounds
    if tournament.sitting_out_counts == SittingOut.FIXED:
        sums["table_points"] += rounds * Fraction(tournament.sitting_out_table_points)
        sums["total"] += rounds * tournament.sitting_out_points
    elif tournament.sitting_out_counts == SittingOut.AVERAGE and sums["done"]:
        share = Fraction(rounds, int(sums["done"]))
        sums["table_points"] += share * sums["table_points"]
        sums["total"] += floor(share * sums["done_total"] + Fraction(1, 2))
        sums["mahjongs_credited"] = share * sums["done_mahjongs"]
        sums["mahjongs"] += sums["mahjongs_credited"]


@dataclass(frozen=True, slots=True)
class StandingRow:
    """One entrant's place.

    ``decided_by`` names the metric that separates it from the row above. A round ``sat_out`` is
    credited in table points and total. ``is_member``: belongs to the host club; ``has_left``: has
    withdrawn.
    """

    place: int
    is_tied: bool
    entrant_id: int
    name: str
    from_club: str
    team: str
    rounds: int
    table_points: Annotated[Fraction, "an exact fraction, such as 7/3"]
    total: int
    mahjongs: Annotated[int, "won at the tables"]
    best_hand: int
    without_hand: Annotated[int, "rounds in which their table ended without a hand"]
    sat_out: Annotated[int, "closed rounds that they sat out"]
    mahjongs_credited: Annotated[
        Fraction, "extra table points for rounds sat out: an exact fraction"
    ]
    decided_by: str | None
    is_member: bool
    has_left: Annotated[bool, "they withdrew after they had been seated"]

    @property
    def marked_name(self) -> str:
        """The name, with a word for someone who has withdrawn: ``Ann Cox (withdrew)``."""
        return marked_as_withdrawn(self.name) if self.has_left else self.name

    @property
    def mahjongs_counted(self) -> Fraction:
        """The Mah-Jongs that rank: those won, and those credited for rounds sat out."""
        return self.mahjongs + self.mahjongs_credited


def standings_of(
    tournament: Tournament,
    *,
    last_round: int | None = None,
    reader: Reader = PUBLIC_READER,
    tournament_data: TournamentData | None = None,
) -> tuple[StandingRow, ...]:
    """All entrants ranked by the tournament's declared order; at most three queries.

    None if ``tournament_data`` is given. Gains, Mah-Jongs and best hand count as soon as they are
    recorded; table points once a table has played all its hands, or has stopped. With
    ``last_round`` nothing counts after that round. Credits for rounds sat out are added.
    """
    tournament_data = tournament_data or load_tournament_data(tournament)
    entrants = {entrant.pk: entrant for entrant in tournament_data.ranked_entrants()}
    names = names_in_play(entrants.values(), reader)
    sums = _sums(tournament_data.seats_through(last_round), tables_ended_early(tournament))
    for pk, rounds in tournament_data.rounds_out(last_round).items():
        credit_rounds_out(sums[pk], rounds, tournament)
    rows = [RankingRow(key=str(pk), name=names[pk], values=sums[pk]) for pk in entrants]
    return tuple(
        _standing_row(placed_row, entrants[int(placed_row.row.key)])
        for placed_row in rank(rows, metrics=tournament.ranks_by)
    )


def _sums(seats: Sequence[SeatResult], ended_tables: frozenset[int]) -> dict[int, Sums]:
    """What each entrant has; table points count where the seat has its share of them."""
    sums: dict[int, Sums] = defaultdict(lambda: dict.fromkeys(SUM_FIELDS, 0))
    for seat, share in table_points_by_seat(seats, ended_tables):
        entrant_sums = sums[seat.entrant]
        entrant_sums["rounds"] += int(seat.hands > 0)
        if share is not None:
            entrant_sums["table_points"] += share
            entrant_sums["done"] += 1
            entrant_sums["without_hand"] += int(seat.hands == 0)
            entrant_sums["done_total"] += seat.points
            entrant_sums["done_mahjongs"] += seat.mahjongs
        entrant_sums["total"] += seat.points
        entrant_sums["mahjongs"] += seat.mahjongs
        entrant_sums["best_hand"] = max(entrant_sums["best_hand"], seat.best_hand)
    return sums


def table_points_by_seat(
    seats: Sequence[SeatResult], ended_tables: frozenset[int]
) -> Iterator[tuple[SeatResult, Number | None]]:
    """Each seat with its table points, None while the table still plays."""
    tables: dict[int, list[SeatResult]] = defaultdict(list)
    for seat in seats:
        tables[seat.table].append(seat)
    for table, table_seats in tables.items():
        is_done = table in ended_tables or _is_done(table_seats)
        shares = table_points([seat.points for seat in table_seats])
        for seat, share in zip(table_seats, shares, strict=True):
            # Whole points as an int, which adds and compares ten times faster than a Fraction.
            yield seat, (share.numerator if share.denominator == 1 else share) if is_done else None


def _is_done(table_seats: Sequence[SeatResult]) -> bool:
    first_seat = table_seats[0]
    hands_planned = first_seat.hands_planned
    if is_reported_ended(round_state=first_seat.round_state, stopped_at=first_seat.stopped_at):
        return True
    return hands_planned is not None and all(seat.hands >= hands_planned for seat in table_seats)


def _standing_row(placed_row: RankedRow, entrant: EntrantData) -> StandingRow:
    values = placed_row.row.values
    return StandingRow(
        place=placed_row.place,
        is_tied=placed_row.is_tied,
        entrant_id=entrant.pk,
        name=placed_row.row.name,
        from_club=entrant.from_club,
        team=entrant.team,
        rounds=int(values["rounds"]),
        table_points=Fraction(values["table_points"]),
        total=int(values["total"]),
        mahjongs=int(values["mahjongs"] - values["mahjongs_credited"]),
        best_hand=int(values["best_hand"]),
        without_hand=int(values["without_hand"]),
        sat_out=int(values["sat_out"]),
        mahjongs_credited=Fraction(values["mahjongs_credited"]),
        decided_by=placed_row.decided_by,
        is_member=entrant.player is not None,
        has_left=entrant.state == EntrantState.WITHDRAWN,
    )


@dataclass(frozen=True, slots=True)
class TeamRow:
    """One team's place; its members are in the order of their places."""

    place: int
    is_tied: bool
    name: str
    members: tuple[str, ...]
    table_points: Fraction
    total: int
    mahjongs: Annotated[int, "won at the tables"]
    mahjongs_credited: Fraction
    best_hand: int
    decided_by: str | None

    @property
    def mahjongs_counted(self) -> Fraction:
        """The Mah-Jongs that rank: those won, and those credited for rounds sat out."""
        return self.mahjongs + self.mahjongs_credited


def team_standings(rows: Sequence[StandingRow], *, ranks_by: Sequence[str]) -> tuple[TeamRow, ...]:
    """The teams of these standings, ranked like their members; one player alone is no team.

    Table points, gains and Mah-Jongs of all members are added up; the best hand is any member's
    best.
    """
    teams: dict[str, list[StandingRow]] = defaultdict(list)
    for row in rows:
        if row.team:
            teams[row.team].append(row)
    ranking_rows = [
        RankingRow(
            key=name,
            name=name,
            values={
                "table_points": sum((row.table_points for row in members), Fraction(0)),
                "total": sum(row.total for row in members),
                "mahjongs": sum((row.mahjongs_counted for row in members), Fraction(0)),
                "best_hand": max(row.best_hand for row in members),
            },
        )
        for name, members in teams.items()
        if len(members) > 1
    ]
    return tuple(
        _team_row(placed_row, teams[placed_row.row.key])
        for placed_row in rank(ranking_rows, metrics=ranks_by)
    )


def _team_row(placed_row: RankedRow, members: Sequence[StandingRow]) -> TeamRow:
    values = placed_row.row.values
    return TeamRow(
        place=placed_row.place,
        is_tied=placed_row.is_tied,
        name=placed_row.row.name,
        members=tuple(row.name for row in members),
        table_points=Fraction(values["table_points"]),
        total=int(values["total"]),
        mahjongs=sum(row.mahjongs for row in members),
        mahjongs_credited=sum((row.mahjongs_credited for row in members), Fraction(0)),
        best_hand=int(values["best_hand"]),
        decided_by=placed_row.decided_by,
    )


@dataclass(frozen=True, slots=True)
class StandingLine:
    """One entrant's row; ``figures`` in the order of the board's columns.

    ``parted_by`` says what separates the entrant from the row above if the first metric does not;
    else it is empty.
    """

    row: StandingRow
    figures: tuple[str, ...]
    parted_by: str

    @property
    def place(self) -> str:
        """``3``, or ``3=`` if the place is shared."""
        return place_of(self.row)


@dataclass(frozen=True, slots=True)
class TeamLine:
    """One team's place."""

    row: TeamRow
    figures: tuple[str, ...]
    parted_by: str

    @property
    def place(self) -> str:
        """``1``, or ``1=`` if the place is shared."""
        return place_of(self.row)


@dataclass(frozen=True, slots=True)
class Board:
    """The standings as they are shown."""

    columns: Annotated[tuple[str, ...], "what is shown"]
    lines: tuple[StandingLine, ...]
    teams: tuple[TeamLine, ...]
    rule: Annotated[str, "how it is ranked"]
    standing: Annotated[str, "how final it is"]
    is_final: bool
    last_round: Annotated[int | None, "the last round that counts, if later ones are not included"]
    after: Annotated[tuple[int, ...], "rounds you can ask for in through"]
    sitting_out: Annotated[str, "what a round sat out counts for, or empty"]
    without_hand: Annotated[str, "what a table that ended without a hand counts for, or empty"]

    def lines_named(self, name: str) -> tuple[StandingLine, ...]:
        """The lines whose name contains the text, ignoring accents and case."""
        key = name_key(name)
        return tuple(line for line in self.lines if key and key in name_key(line.row.name))

    @property
    def names(self) -> list[str]:
        """The names to look for, by surname."""
        return [row.name for row in by_surname(line.row for line in self.lines)]

    @property
    def is_begun(self) -> bool:
        """Whether anyone has played a hand."""
        return any(line.row.rounds for line in self.lines)

    @property
    def players(self) -> Annotated[str, "how many play, and how many withdrew"]:
        """``30 players, 1 withdrew``: those who play, and apart from them those who withdrew."""
        withdrawn = sum(line.row.has_left for line in self.lines)
        return player_count_words(len(self.lines) - withdrawn, withdrawn)


def place_of(row: StandingRow | TeamRow) -> str:
    """``3``, or ``3=`` if the place is shared."""
    return f"{row.place}{'=' if row.is_tied else ''}"


def mixed_number(number: Fraction) -> str:
    """A non-negative number as a mixed number: ``2⅓``, ``½``, ``7``, ``1 5/12``."""
    whole_part, part = divmod(number, 1)
    if not part:
        return str(whole_part)
    if part in FRACTION_SIGNS:
        return f"{whole_part or ''}{FRACTION_SIGNS[part]}"
    return f"{whole_part or ''} {part}".strip()


NO_HAND_POINTS: Final = mixed_number(table_points([0] * 4)[0])
"""The table points of each player at a table without a hand: all four are level."""


def board_of(
    tournament: Tournament,
    *,
    last_round: int | None = None,
    reader: Reader = PUBLIC_READER,
    tournament_data: TournamentData | None = None,
) -> Board:
    """The board of a tournament, or as it was after a round; queries as ``standings_of``."""
    tournament_data = tournament_data or load_tournament_data(tournament)
    figures = _FigureFormat(columns_of(tournament), tournament.pays)
    started_rounds = {
        number: value
        for number, value in tournament_data.rounds.items()
        if value != RoundState.SEATED
    }
    is_cut = last_round is not None and max(started_rounds, default=0) > last_round
    cutoff_round = last_round if is_cut else None
    rows = standings_of(
        tournament, last_round=cutoff_round, reader=reader, tournament_data=tournament_data
    )
    teams = team_standings(rows, ranks_by=tournament.ranks_by)
    is_final = tournament.state == TournamentState.FINISHED and cutoff_round is None
    sitting_out, without_hand = _sitting_out_note(tournament, rows), _no_hand_note(rows)
    return Board(
        columns=tuple(METRICS[key][:1].upper() + METRICS[key][1:] for key in figures.keys),
        lines=tuple(
            StandingLine(row, *figures.cells(row, row_above))
            for row_above, row in zip((None, *rows), rows, strict=False)
        ),
        teams=tuple(
            TeamLine(row, *figures.cells(row, row_above))
            for row_above, row in zip((None, *teams), teams, strict=False)
        ),
        rule=f"{ranking_rule(tournament.ranks_by)}{sitting_out}{without_hand}"
        f"{MISSED_ROUNDS_NOTE if tournament_data.someone_missed(cutoff_round) else ''}",
        sitting_out=sitting_out.strip(),
        without_hand=without_hand.strip(),
        standing="final" if is_final else _board_standing(started_rounds, cutoff_round),
        is_final=is_final,
        last_round=cutoff_round,
        after=tuple(
            number for number, state in started_rounds.items() if state == RoundState.CLOSED
        ),
    )


def columns_of(tournament: Tournament) -> tuple[str, ...]:
    """The keys of the metrics to show: the ranking ones in order, then the others."""
    ranking: list[str] = tournament.ranks_by
    return (*ranking, *(key for key in METRIC_KEYS if key not in ranking))


def tie_breaks_of(tournament: Tournament) -> dict[str, str]:
    """The metrics that part those who are level in the first, each in words."""
    return {key: METRICS[key] for key in columns_of(tournament)[1:]}


def ranking_rule(ranks_by: Sequence[str]) -> str:
    """``Ranked by table points, then total gain. Whoever is level in all of these shares …``."""
    order = ", then ".join(METRICS[key] for key in ranks_by)
    all_of = "all of these" if len(ranks_by) > 1 else "this"
    return f"Ranked by {order}. Players tied on {all_of} share the place."


def _sitting_out_note(tournament: Tournament, rows: Sequence[StandingRow]) -> str:
    """`` A round sat out counts …``; empty if nobody sits out."""
    if tournament.odd_number != OddNumber.SIT_OUT and not any(row.sat_out for row in rows):
        return ""
    if tournament.sitting_out_counts == SittingOut.NOTHING:
        return " A round sat out scores nothing."
    if tournament.sitting_out_counts == SittingOut.FIXED:
        table_points = mixed_number(Fraction(tournament.sitting_out_table_points))
        points = points_text(tournament.sitting_out_points, pays=tournament.pays)
        return f" A round sat out counts {table_points} table points and {points} points of gain."
    return " A round sat out counts as the average of the player’s own rounds."


def _no_hand_note(rows: Sequence[StandingRow]) -> str:
    """`` At a table that ended without a hand …``; empty if there was none."""
    if not any(row.without_hand for row in rows):
        return ""
    return f" At a table that ended without a hand, each player gets {NO_HAND_POINTS} table points."


@dataclass(frozen=True, slots=True)
class _FigureFormat:
    """Formats rows: the metrics in order, a total with its sign if players pay."""

    keys: tuple[str, ...]
    pays: bool

    def cells(
        self, row: StandingRow | TeamRow, row_above: StandingRow | TeamRow | None
    ) -> tuple[tuple[str, ...], str]:
        """The row's figures in column order, and what separates it from the row above."""
        return tuple(self.figure(row, key) for key in self.keys), self._tie_break_text(
            row, row_above
        )

    def figure(self, row: StandingRow | TeamRow, key: str) -> str:
        """One figure, typographic: ``2⅓`` table points, ``+1,096`` gain, ``3``."""
        if key == "table_points":
            return mixed_number(row.table_points)
        if key == "mahjongs":
            return mixed_number(row.mahjongs_counted)
        value: int = getattr(row, key)
        return points_text(value, pays=self.pays and key == "total")

    def _tie_break_text(
        self, row: StandingRow | TeamRow, row_above: StandingRow | TeamRow | None
    ) -> str:
        """``total gain: −80 against −64``, if the first metric is level with the row above."""
        if row_above is not None and row.decided_by not in {None, self.keys[0]}:
            key = str(row.decided_by)
            return f"{METRICS[key]}: {self.figure(row, key)} against {self.figure(row_above, key)}"
        if row.is_tied and row.decided_by is None:
            return "none: place shared"
        return ""


def _board_standing(started_rounds: Mapping[int, str], last_round: int | None) -> str:
    if last_round is not None:
        return f"after round {last_round}"
    if not started_rounds:
        return "provisional: nothing played yet"
    last = max(started_rounds)
    if started_rounds[last] == RoundState.PLAYING:
        return f"provisional: round {last} is being played"
    return f"provisional: after round {last}"


def rankings_of(tournament: Tournament) -> tuple[Ranking, ...]:
    """For the scorer, in full names: standings with table points and totals; three queries."""
    rows = tuple(
        ranked_row(
            row.entrant_id,
            row.name,
            row.place,
            mixed_number(row.table_points),
            points_text(row.total, pays=tournament.pays),
            is_tied=row.is_tied,
        )
        for row in standings_of(tournament, reader=ORGANISER_READER)
    )
    return (Ranking("The standings", ("Table points", "Total"), rows),)
