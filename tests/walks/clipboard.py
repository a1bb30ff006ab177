"""A tournament as its director keeps it on a clipboard: entries, rounds, hands and rulings.

The walks compare Tongbox with this, and nothing here calls Tongbox. BMJA rules; house players make
up the fours. Who is drawn where, Tongbox tells; who may do what, and what it comes to, is here.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import combinations

from tests.walks.notebook import Hand, Sitting, Table, Winds, only_if, rename_all

ENTERED, WITHDRAWN = "entered", "withdrawn"
SEATED, PLAYING, CLOSED = "seated", "playing", "closed"
ENTERING, FINISHED = "entering", "finished"
PLACE_POINTS = (4, 2, 1, 0)
HALF_LIMIT, MISNAMED = 500, 50
FALSE_MAHJONG, TOO_MANY, MISNAMED_DISCARD = (
    *("false_mahjong_exposed", "too_many_tiles", "misnamed_discard"),
)
PAYS_FOR_ALL = ("cannon", "pays_for_all")
ADJUSTMENT = "adjustment"


@dataclass(frozen=True)
class Ruling:
    """What the director has ruled on somebody; ``number`` is the hand it is about, from 1."""

    kind: str
    player: str
    number: int | None = None
    points: int = 0
    claimant: str = ""

    def moves(self, sitting: Sitting) -> dict[str, int]:
        """The points it moves while the hands stand as they do."""
        if self.kind == ADJUSTMENT:
            return {self.player: self.points}
        if self.kind == FALSE_MAHJONG:
            other_players = [name for name in sitting.begins.ring if name != self.player]
            return {
                self.player: -HALF_LIMIT * len(other_players),
                **dict.fromkeys(other_players, HALF_LIMIT),
            }
        if self.kind == MISNAMED_DISCARD:
            return {self.player: -MISNAMED, self.claimant: MISNAMED}
        if self.kind in PAYS_FOR_ALL and (hand_and_winds := self._hand(sitting)):
            return self._charge(*hand_and_winds)
        return {}

    def _hand(self, sitting: Sitting) -> tuple[Hand, Winds] | None:
        hands_and_winds = sitting.hands_and_winds()
        place = (self.number or 0) - 1
        return hands_and_winds[place] if 0 <= place < len(hands_and_winds) else None

    def _charge(self, hand: Hand, winds: Winds) -> dict[str, int]:
        """One pays the winner what all would have paid, and the losers settle nothing."""
        if hand.winner is None or hand.winner == self.player:
            return {}
        gains = hand.gains(winds)
        won = gains[hand.winner]
        owed = dict.fromkeys(gains, 0) | {hand.winner: won, self.player: -won}
        point_changes = {name: owed[name] - gain for name, gain in gains.items()}
        return {name: points for name, points in point_changes.items() if points}

    def fits(self, sitting: Sitting, *, hands: int) -> bool:
        """Whether it can be made now, as far as its hand goes, of so many hands a round."""
        hand = self._hand(sitting)
        if self.kind in PAYS_FOR_ALL:
            return hand is not None and hand[0].winner not in {None, self.player}
        if self.number is not None and not 1 <= self.number <= min(hands, len(sitting.hands) + 1):
            return False
        if hand is None or hand[0].winner is None:
            return True
        if self.kind == TOO_MANY:
            return hand[0].winner != self.player and not hand[0].scores[self.player]
        return self.kind != FALSE_MAHJONG


@dataclass
class RoundTable:
    """One table of a round: its hands, the rulings that stand, and whether it was stopped."""

    table: Table
    rulings: list[Ruling] = field(default_factory=list)
    is_stopped: bool = False

    @property
    def sitting(self) -> Sitting:
        return self.table.now

    @property
    def people(self) -> tuple[str, ...]:
        """Who sits there, the first East of the round first."""
        return self.sitting.begins.ring

    @property
    def hands(self) -> int:
        return len(self.sitting.hands)

    @property
    def is_fixed(self) -> bool:
        """Whether something counts there, so that its seats can no longer change."""
        return bool(self.hands or self.rulings)

    def ruling_points(self) -> Counter[str]:
        """What the rulings come to for each."""
        totals = Counter(dict.fromkeys(self.people, 0))
        for ruling in self.rulings:
            totals.update(ruling.moves(self.sitting))
        return totals

    def points(self) -> dict[str, int]:
        """What everyone has at this table, by hands and rulings."""
        points = self.ruling_points()
        for hand, winds in self.sitting.hands_and_winds():
            points.update(hand.gains(winds))
        return dict(points)

    def seat(self, people: tuple[str, ...]) -> None:
        """Others sit down at a table at which nothing counts."""
        self.table = Table([Sitting(Winds(people))])


@dataclass
class Round:
    """One round: its tables by number, and who sits it out."""

    tables: dict[int, RoundTable]
    bench: set[str] = field(default_factory=set)
    state: str = SEATED

    @property
    def players(self) -> list[str]:
        return [name for table in self.tables.values() for name in table.people]

    @property
    def everyone(self) -> list[str]:
        return [*self.players, *self.bench]

    def replace(self, heirs: Mapping[str, str]) -> None:
        """These people have others in their places; tables at which somebody changes."""
        for table in self.tables.values():
            if heirs.keys() & {*table.people}:
                table.seat(tuple(heirs.get(name, name) for name in table.people))


@dataclass
class Row:
    """What somebody has in the standings."""

    rounds: int = 0
    table_points: Fraction = Fraction(0)
    total: int = 0
    mahjongs: int = 0
    best: int = 0

    @property
    def rank(self) -> tuple[Fraction, int, int, int]:
        return self.table_points, self.total, self.mahjongs, self.best


Drawing = Mapping[int, Mapping[int, tuple[str, ...]]]
"""Who sits at each table, by the numbers of round and table."""


@dataclass
class Clipboard:
    """One tournament of so many rounds of so many hands."""

    rounds_planned: int
    hands_planned: int
    entrants: dict[str, str] = field(default_factory=dict)
    teams: dict[str, str] = field(default_factory=dict)
    couples: dict[str, str] = field(default_factory=dict)
    houses: list[str] = field(default_factory=list)
    rounds: dict[int, Round] = field(default_factory=dict)
    state: str = ENTERING

    @property
    def players(self) -> list[str]:
        return [name for name, state in self.entrants.items() if state == ENTERED]

    @property
    def fillers(self) -> list[str]:
        """The house players that the tables need, those of earlier rounds first."""
        names = [*self.houses]
        needed_count = -len(self.players) % len(PLACE_POINTS)
        while len(names) < needed_count:
            names.append("House player" + (f" {len(names) + 1}" if names else ""))
        return names[:needed_count]

    def in_state(self, state: str) -> Iterator[Round]:
        return (round_ for _, round_ in sorted(self.rounds.items()) if round_.state == state)

    def has_place(self, name: str) -> bool:
        rounds = self.rounds.values()
        return any(name in round_.everyone for round_ in rounds)

    def standings(self) -> dict[str, Row]:
        """Everyone who is entered, or withdrew after they had a seat."""
        rows = {
            name: Row()
            for name, state in self.entrants.items()
            if state == ENTERED or any(name in round_.players for round_ in self.rounds.values())
        }
        everyone = rows | {name: Row() for name in self.houses}
        for round_ in self.rounds.values():
            for table in round_.tables.values():
                self._count(everyone, table, is_over=round_.state == CLOSED)
        return rows

    def _count(self, rows: Mapping[str, Row], table: RoundTable, *, is_over: bool) -> None:
        points = table.points()
        sorted_points = sorted(points.values(), reverse=True)
        is_done = is_over or table.is_stopped or table.hands >= self.hands_planned
        for name, total in points.items():
            row = rows[name]
            row.rounds += table.hands > 0
            row.total += total
            if is_done:
                shared_points = [
                    PLACE_POINTS[place]
                    for place, other_total in enumerate(sorted_points)
                    if other_total == total
                ]
                row.table_points += Fraction(sum(shared_points), len(shared_points))
        for hand in table.sitting.hands:
            if hand.winner is not None:
                row = rows[hand.winner]
                row.mahjongs += 1
                row.best = max(row.best, hand.scores[hand.winner])

    # The entries.

    def enter(self, name: str) -> None:
        self._is_open()
        only_if(name not in self.entrants, "is on the list")
        self.entrants[name] = ENTERED

    def withdraw(self, name: str) -> None:
        """Somebody leaves; the list keeps whoever has a place in a round."""
        self._is_open()
        only_if(name in self.entrants, "is not on the list, or belongs to the house")
        if self.has_place(name):
            self.entrants[name] = WITHDRAWN
        else:
            for register in (self.entrants, self.teams, self.couples):
                register.pop(name, None)

    def readmit(self, name: str) -> None:
        self._is_open()
        only_if(name in self.entrants, "is not on the list")
        self.entrants[name] = ENTERED

    def correct_entry(self, name: str, right: str, team: str, couple: str) -> None:
        """Somebody has another name, team or partner, whatever has been played."""
        only_if(name in self.entrants, "is not on the list, or belongs to the house")
        other_names = {
            other_name.casefold()
            for other_name in (*self.entrants, *self.houses)
            if other_name != name
        }
        only_if(right.casefold() not in other_names, "has the name")
        self.rename(name, right)
        self.teams[right], self.couples[right] = team.casefold(), couple.casefold()

    def rename(self, name: str, right: str) -> None:
        fresh = rename_all(self, {name: right})
        self.entrants, self.rounds = fresh.entrants, fresh.rounds
        self.teams, self.couples = fresh.teams, fresh.couples

    def pairs_apart(self) -> list[tuple[str, str]]:
        """Those of the entered who should not meet; nothing where they may not all be parted.

        Nobody is in two such pairs, and the house has one player at most: then all can be parted.
        """
        pairs = [
            pair
            for pair in combinations(self.players, 2)
            for groups in (self.teams, self.couples)
            if groups.get(pair[0]) and groups.get(pair[0]) == groups.get(pair[1])
        ]
        often = Counter(name for pair in {*pairs} for name in pair)
        return [] if len(self.fillers) > 1 or max(often.values(), default=0) > 1 else pairs

    # The seating.

    def may_seat(self) -> None:
        self.may_clear()
        only_if(len(self.players) >= len(PLACE_POINTS), "too few")

    def may_clear(self) -> None:
        self._is_open()
        tables = [table for round_ in self.rounds.values() for table in round_.tables.values()]
        only_if(not any(table.is_fixed for table in tables), "something counts")

    def may_reseat(self) -> None:
        only_if(self.state == PLAYING, "not being played")
        only_if(any(self.in_state(SEATED)), "every round has begun")
        only_if(len(self.players) >= len(PLACE_POINTS), "too few")

    def draw(self, drawing: Drawing) -> None:
        """These rounds are seated as was drawn: everyone who plays has one seat in each."""
        players = sorted([*self.players, *self.fillers])
        self.houses = [*self.houses, *(set(self.fillers) - {*self.houses})]
        self.houses.sort()
        for number, tables in drawing.items():
            self.rounds[number] = Round(
                {
                    table_number: RoundTable(Table([Sitting(Winds(ring))]))
                    for table_number, ring in tables.items()
                }
            )
            assert sorted(self.rounds[number].players) == players
        self.state = PLAYING

    def clear(self) -> None:
        self.may_clear()
        self.rounds, self.houses, self.state = {}, [], ENTERING

    def swap(self, number: int, name: str, other_name: str) -> None:
        """Two exchange their places in a round; whoever has none gets one."""
        self._is_open()
        only_if(number in self.rounds and self.rounds[number].state != CLOSED, "closed")
        round_, pair = self.rounds[number], {name, other_name}
        only_if(len(pair) > 1 and pair <= {*self.players, *self.houses}, "does not play")
        tables = [table for table in round_.tables.values() if pair & {*table.people}]
        only_if(tables, "has no seat")
        only_if(not any(table.is_fixed for table in tables), "something counts")
        round_.replace({name: other_name, other_name: name})
        round_.bench = (round_.bench - pair) | (pair - {*round_.players})

    def take_over(self, leaver: str, newcomer: str) -> None:
        """Somebody, or with no name a house player, has the leaver's places from now on."""
        self._is_open()
        only_if(leaver not in self.players, "still plays")
        if not newcomer:
            only_if(len(self.players) >= len(PLACE_POINTS), "too few")
        if not newcomer:
            busy = {name for round_ in self._open_rounds() for name in round_.everyone}
            newcomer = next((name for name in self.fillers if name not in busy), "")
        only_if(newcomer in {*self.players, *self.fillers, *self.houses}, "does not play")
        rounds = [round_ for round_, people in self._changing() if leaver in people]
        only_if(rounds, "has no place")
        only_if(not any(newcomer in round_.everyone for round_ in rounds), "has a place")
        if newcomer in self.fillers and newcomer not in self.houses:
            self.houses = self.fillers[: self.fillers.index(newcomer) + 1]
        for round_ in rounds:
            for table in round_.tables.values():
                if leaver in table.people and not table.is_fixed:
                    table.seat(
                        tuple(newcomer if person == leaver else person for person in table.people)
                    )
            if leaver in round_.bench:
                round_.bench = (round_.bench - {leaver}) | {newcomer}

    def _open_rounds(self) -> Iterator[Round]:
        return (round_ for round_ in self.rounds.values() if round_.state != CLOSED)

    def _changing(self) -> Iterator[tuple[Round, set[str]]]:
        """The rounds that can still change, with those whose places can."""
        for round_ in self._open_rounds():
            free = [table for table in round_.tables.values() if not table.is_fixed]
            if free:
                yield round_, {name for table in free for name in table.people} | round_.bench

    # The rounds.

    def start(self) -> None:
        only_if(not any(self.in_state(PLAYING)), "a round is being played")
        round_ = next(self.in_state(SEATED), None)
        only_if(round_, "no round waits")
        round_.state = PLAYING  # type: ignore[union-attr]

    def unstart(self) -> None:
        round_ = self._current()
        only_if(not any(table.is_fixed for table in round_.tables.values()), "something counts")
        round_.state = SEATED
        for table in round_.tables.values():
            table.is_stopped = False

    def close(self) -> None:
        round_ = self._current()
        for table in round_.tables.values():
            only_if(table.is_stopped or table.hands >= self.hands_planned, "a table still plays")
            only_if("disputed" not in table.table.states(), "a hand is disputed")
        round_.state = CLOSED

    def reopen(self) -> None:
        self._is_open()
        only_if(not any(self.in_state(PLAYING)), "a round is being played")
        closed_rounds = [*self.in_state(CLOSED)]
        only_if(closed_rounds, "none is closed")
        closed_rounds[-1].state = PLAYING

    def finish(self) -> None:
        if self.state != FINISHED:
            only_if(self.state == PLAYING, "nobody is seated")
            states = [round_.state for round_ in self.rounds.values()]
            only_if(states == [CLOSED] * self.rounds_planned, "a round is not closed")
            self.state = FINISHED

    def resume(self) -> None:
        only_if(self.state == FINISHED, "still open")
        self.state = PLAYING

    # The tables.

    def stop(self, number: int, table_number: int) -> None:
        self._playing(number, table_number).is_stopped = True

    def play_on(self, number: int, table_number: int) -> None:
        self._playing(number, table_number).is_stopped = False

    def play(self, number: int, table_number: int, hand: Hand) -> None:
        """The next hand of a table, which an official enters."""
        table = self._playing(number, table_number)
        only_if(table.hands < self.hands_planned, "all are played")
        table.sitting.hands.append(hand)

    def undo_hand(self, number: int, table_number: int, place: int) -> None:
        table = self._playing(number, table_number)
        only_if(not table.is_stopped, "it could not be entered again")
        table.table.undo_hand(0, place)

    def correct(self, number: int, table_number: int, place: int, right: Hand) -> None:
        self._is_open()
        self.rounds[number].tables[table_number].table.correct(0, place, right)

    def say(self, number: int, table_number: int, place: int, name: str, agrees: bool) -> None:
        """Somebody reports a problem with a hand, or agrees to it."""
        self._is_open()
        hand, winds = self.rounds[number].tables[table_number].sitting.hands_and_winds()[place]
        hand.say(winds, [name], agrees=agrees)

    def decide(self, number: int, table_number: int, place: int) -> None:
        self._is_open()
        hand, winds = self.rounds[number].tables[table_number].sitting.hands_and_winds()[place]
        hand.decide(winds)

    def rule(self, number: int, table_number: int, ruling: Ruling) -> None:
        self._is_open()
        table = self.rounds[number].tables[table_number]
        only_if(ruling.fits(table.sitting, hands=self.hands_planned), "its hand contradicts it")
        only_if(ruling.claimant != ruling.player, "nobody pays themselves")
        for other_ruling in table.rulings:
            if ruling.kind in PAYS_FOR_ALL and other_ruling.kind in PAYS_FOR_ALL:
                only_if(other_ruling.number != ruling.number, "somebody pays for all already")
            elif ruling.kind != ADJUSTMENT:
                other_key = (other_ruling.kind, other_ruling.player, other_ruling.number)
                only_if(other_key != (ruling.kind, ruling.player, ruling.number), "ruled already")
        table.rulings.append(ruling)

    def cancel(self, number: int, table_number: int, place: int) -> None:
        """A ruling never was; which of those that stand, from 0."""
        self._is_open()
        del self.rounds[number].tables[table_number].rulings[place]

    def _is_open(self) -> None:
        only_if(self.state != FINISHED, "finished")

    def _current(self) -> Round:
        playing = next(self.in_state(PLAYING), None)
        only_if(playing, "no round is being played")
        assert playing
        return playing

    def _playing(self, number: int, table_number: int) -> RoundTable:
        only_if(self.rounds[number].state == PLAYING, "not being played")
        return self.rounds[number].tables[table_number]
