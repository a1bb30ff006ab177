"""A club's evenings as a secretary keeps them with pencil and paper.

The walks compare Tongbox with this. Nothing here calls Tongbox: winds, payments, agreement and who
may do what are written once more, as simply as the game allows. BMJA rules: East stays after
winning or a draw, pays and is paid double, losers settle among themselves, and a drawn hand is
followed by a goulash.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, fields, is_dataclass, replace
from datetime import date
from itertools import combinations
from typing import Any

WINDS = "ESWN"
SIZES = (3, 4, 5)
FORMER = "A former player"
ARRIVING, PLAYING, FINISHED, CANCELLED = "arriving", "playing", "closed", "cancelled"


class CannotBe(Exception):
    """The game or the evening does not allow it now."""


def only_if(condition: object, reason: str) -> None:
    """Raises ``CannotBe`` for this reason where it is not allowed."""
    if not condition:
        raise CannotBe(reason)


@dataclass(frozen=True)
class Winds:
    """How a table stands before a hand: ``ring`` is East, then who will be East next, and so on.

    Of five the last sits out. ``lost_deals`` counts the Easts of this wind round that have lost the
    deal.
    """

    ring: tuple[str, ...]
    prevailing: int = 0
    lost_deals: int = 0
    goulash: bool = False

    @property
    def east(self) -> str:
        return self.ring[0]

    @property
    def players(self) -> tuple[str, ...]:
        return self.ring[: len(WINDS)]

    @property
    def letters(self) -> dict[str, str]:
        """The wind of everyone who plays; of three nobody is North."""
        return dict(zip(self.ring, WINDS, strict=False))

    def winds_after(self, winner: str | None) -> "Winds":
        """The winds of the next hand; ``None``: it was drawn."""
        if winner is None:
            return replace(self, goulash=True)
        if winner == self.east:
            return replace(self, goulash=False)
        ring, lost_deals = (*self.ring[1:], self.east), self.lost_deals + 1
        if lost_deals == len(ring):
            return Winds(ring, (self.prevailing + 1) % len(WINDS))
        return Winds(ring, self.prevailing, lost_deals)

    def with_people(self, ring: tuple[str, ...]) -> "Winds":
        """The same table with other people; with more or fewer its wind round begins again."""
        lost_deals = self.lost_deals if len(ring) == len(self.ring) else 0
        return replace(self, ring=ring, lost_deals=lost_deals)


@dataclass
class Hand:
    """One hand: who won (None: nobody), what everyone scored, and what was said of it since."""

    winner: str | None
    scores: Mapping[str, int]
    answers: dict[str, bool] = field(default_factory=dict)
    is_decided: bool = False
    is_confirmed: bool = False  # decided as it was entered
    is_corrected: bool = False
    is_in_doubt: bool = False  # disputed, then written again because an earlier hand changed

    def fits(self, winds: Winds) -> bool:
        """Whether it can have been played so: who sits out has neither won nor scored."""
        if self.winner is None:
            return True
        return self.winner in winds.players and set(self.scores) == set(winds.players)

    def payments(self, winds: Winds) -> Iterator[tuple[str, str, int]]:
        """Who pays whom how much."""
        if self.winner is None:
            return
        for player, opponent in combinations(winds.players, 2):
            if self.winner in {player, opponent}:
                payee, payer = (player, opponent) if player == self.winner else (opponent, player)
                points = self.scores[self.winner]
            else:
                payer, payee = sorted((player, opponent), key=lambda person: self.scores[person])
                points = self.scores[payee] - self.scores[payer]
            if points:
                yield payer, payee, points * (2 if winds.east in {player, opponent} else 1)

    def gains(self, winds: Winds) -> dict[str, int]:
        """What everyone who played gained or gave."""
        gains = dict.fromkeys(winds.players, 0)
        for payer, payee, points in self.payments(winds):
            gains[payer] -= points
            gains[payee] += points
        return gains

    def state(self, winds: Winds) -> str:
        """How far it has come."""
        if self.is_decided:
            return "decided"
        if self.is_in_doubt or False in self.answers.values():
            return "disputed"
        is_agreed = all(self.answers.get(person) for person in winds.players)
        return "agreed" if is_agreed else "reported"

    def say(self, winds: Winds, names: Iterable[str], *, agrees: bool) -> None:
        """These agree to it, or report a problem with it."""
        only_if(not self.is_decided, "the scorer has decided")
        only_if(set(names) <= set(winds.players), "sat out")
        self.answers |= dict.fromkeys(names, agrees)

    def decide(self, winds: Winds) -> None:
        """The scorer lets it stand as it was entered."""
        if not self.is_confirmed:
            only_if(self.state(winds) in {"reported", "disputed"}, "is settled")
            self.is_decided = self.is_confirmed = True


@dataclass
class Sitting:
    """The hands that the same people play at one table, from these winds on.

    ``chairs``: whose chair each of them has of those who played before; ``None``: a new chair.
    """

    begins: Winds
    hands: list[Hand] = field(default_factory=list)
    chairs: Mapping[str, str | None] = field(default_factory=dict)

    def winds(self) -> list[Winds]:
        """The winds of each hand, and of the next."""
        winds = [self.begins]
        for hand in self.hands:
            winds.append(winds[-1].winds_after(hand.winner))
        return winds

    def hands_and_winds(self) -> list[tuple[Hand, Winds]]:
        return list(zip(self.hands, self.winds(), strict=False))

    @property
    def next(self) -> Winds:
        return self.winds()[-1]


@dataclass
class Table:
    """A table of an evening: a sitting ends when somebody joins, leaves or takes over a chair."""

    sittings: list[Sitting]
    is_over: bool = False

    @property
    def now(self) -> Sitting:
        return self.sittings[-1]

    @property
    def people(self) -> tuple[str, ...]:
        """Who sits there now."""
        return () if self.is_over else self.now.next.ring

    @property
    def hands(self) -> int:
        return sum(len(sitting.hands) for sitting in self.sittings)

    def states(self) -> set[str]:
        """The states of its hands since the last change of people."""
        return {hand.state(winds) for hand, winds in self.now.hands_and_winds()}

    @property
    def chairs(self) -> dict[str, str | None]:
        """The chair of everyone who sits there, East first: their own since the last hand."""
        if self.now.hands or len(self.sittings) == 1:
            return {name: name for name in self.people}
        return {name: self.now.chairs[name] for name in self.people}

    def go_on_with(self, chairs: Mapping[str, str | None]) -> None:
        """From the next hand on these people play."""
        ring = tuple(chairs)
        if self.now.hands:
            self.sittings.append(Sitting(self.now.next.with_people(ring), chairs=chairs))
        elif len(self.sittings) == 1:
            self.now.begins = Winds(ring)
        else:
            # Nobody has played since the last change: as if both had been one.
            former_winds = self.sittings[-2].next
            if len(ring) == len(former_winds.ring):
                free = iter([name for name in former_winds.ring if name not in chairs.values()])
                heirs = {chair or next(free): name for name, chair in chairs.items()}
                ring = tuple(heirs[name] for name in former_winds.ring)
            self.now.begins, self.now.chairs = former_winds.with_people(ring), chairs

    def undo_hand(self, sitting_index: int, place: int) -> None:
        """The table takes back its last hand, unless the scorer has ruled on it."""
        sitting = self.sittings[sitting_index]
        only_if(sitting is self.now and place == len(sitting.hands) - 1, "not the last")
        last = sitting.hands[-1]
        only_if(not (last.is_decided or last.is_corrected), "the scorer has decided")
        sitting.hands.pop()

    def correct(self, sitting_index: int, place: int, right: Hand) -> None:
        """The scorer replaces a hand; the later ones of the table are played again from it.

        ``sitting_index``: which sitting, ``place``: which of its hands, both from 0.
        """
        corrected_hands = [[*sitting.hands] for sitting in self.sittings]
        corrected_hands[sitting_index][place] = replace(right, is_decided=True, is_corrected=True)
        begins = self.sittings[sitting_index].begins
        sittings = [*self.sittings[:sitting_index]]
        for old, hands in zip(
            self.sittings[sitting_index:], corrected_hands[sitting_index:], strict=True
        ):
            if sittings and old is not self.sittings[sitting_index]:
                begins = _new_start(old.begins, self.sittings[len(sittings) - 1].next, sittings[-1])
            sitting = Sitting(begins, hands, old.chairs)
            _follow(sitting, old)
            sittings.append(sitting)
        self.sittings = sittings


@dataclass
class Result:
    """One person's evening."""

    points: int = 0
    hands: int = 0
    mahjongs: int = 0
    best: int = 0


@dataclass
class Night:
    """One evening: who is here, the tables by their numbers, and how far it has come."""

    held_on: date
    attendance: set[str] = field(default_factory=set)
    arrivals: set[str] = field(default_factory=set)
    tables: dict[int, Table] = field(default_factory=dict)
    state: str = ARRIVING
    state_before: str = ""

    def sittings(self) -> Iterator[Sitting]:
        for table in self.tables.values():
            yield from table.sittings

    @property
    def places(self) -> dict[str, int]:
        """The table of everyone who sits at one."""
        return {name: number for number, table in self.tables.items() for name in table.people}

    @property
    def queue(self) -> list[str]:
        return sorted(self.attendance - self.places.keys())

    @property
    def had_a_seat(self) -> set[str]:
        return {name for sitting in self.sittings() for name in sitting.begins.ring}

    @property
    def hands(self) -> int:
        return sum(table.hands for table in self.tables.values())

    def result(self) -> dict[str, Result]:
        """Everyone who had a seat, with what their hands came to."""
        results = {name: Result() for name in self.had_a_seat}
        for sitting in self.sittings():
            for hand, winds in sitting.hands_and_winds():
                for name, points in hand.gains(winds).items():
                    row = results[name]
                    row.points += points
                    row.hands += 1
                if hand.winner is not None:
                    row = results[hand.winner]
                    row.mahjongs += 1
                    row.best = max(row.best, hand.scores[hand.winner])
        return results

    def met_pairs(self) -> set[frozenset[str]]:
        """Who shared a table: over a hand, or at a table that stayed as it was drawn."""
        rings = [
            sitting.begins.ring
            for table in self.tables.values()
            for sitting in table.sittings
            if sitting.hands or len(table.sittings) == 1
        ]
        return {frozenset(pair) for ring in rings for pair in combinations(ring, 2)}

    # The door.

    def check_in(self, name: str) -> None:
        self._is_open()
        only_if(not name.startswith(FORMER), "was erased")
        self.attendance.add(name)
        self.arrivals.add(name)

    def check_out(self, name: str) -> None:
        self._is_open()
        only_if(name not in self.places, "is seated")
        self.attendance.discard(name)
        if name not in self.had_a_seat:
            self.arrivals.discard(name)

    # The tables.

    def seat(self, tables: Mapping[int, tuple[str, ...]]) -> None:
        """Everyone sits as was drawn: the ring of each table by its number."""
        self.may_seat()
        self.tables = {number: Table([Sitting(Winds(ring))]) for number, ring in tables.items()}
        self.state = PLAYING

    @property
    def can_be_seated(self) -> bool:
        """Whether the tables can be drawn, or cleared: until a hand is entered."""
        return self.state in {ARRIVING, PLAYING} and not self.hands

    def may_seat(self) -> None:
        only_if(self.can_be_seated, "hands are recorded, or all is over")

    def clear(self) -> None:
        self.may_seat()
        self.tables = {}
        self.state = ARRIVING

    def join(self, name: str, number: int) -> None:
        """Somebody who waits sits down too."""
        self._waits(name)
        table = self._playing(number)
        self._go_on(table, {**table.chairs, name: None})

    def take_over(self, leaver: str, newcomer: str, *, goes_home: bool) -> None:
        """A substitute takes the chair, and the game goes on."""
        self._waits(newcomer)
        table = self._table_of(leaver)
        chairs = table.chairs.items()
        self._go_on(
            table, {newcomer if person == leaver else person: chair for person, chair in chairs}
        )
        self._release(leaver, goes_home=goes_home)

    def leave(self, leaver: str, *, goes_home: bool) -> None:
        """The others play on without."""
        self._is_playing()
        table = self._table_of(leaver)
        self._go_on(
            table, {person: chair for person, chair in table.chairs.items() if person != leaver}
        )
        self._release(leaver, goes_home=goes_home)

    def end_table(self, leaver: str, *, goes_home: bool) -> None:
        """The table breaks up: its hands count, and the others wait."""
        self._is_playing()
        table = self._table_of(leaver)
        only_if("disputed" not in table.states(), "a hand is disputed")
        table.is_over = True
        self._release(leaver, goes_home=goes_home)

    def lay_another(self, names: tuple[str, ...]) -> int:
        """Some who wait make a table of their own, the first as East; returns its number."""
        self._is_playing()
        for name in names:
            self._waits(name)
        only_if(len(names) in SIZES, "bad size")
        number = max(self.tables, default=0) + 1
        self.tables[number] = Table([Sitting(Winds(names))])
        return number

    def undo_change(self, number: int) -> None:
        """The last change of a table's people never happened, if no hand was entered since."""
        self._is_playing()
        only_if(number in self.tables, "no such table")
        table = self.tables[number]
        if table.is_over:
            sittings, people = table.sittings, table.now.begins.ring
        else:
            only_if(len(table.sittings) > 1, "nothing to undo")
            only_if(not table.now.hands, "another hand was entered")
            sittings, people = table.sittings[:-1], table.sittings[-2].begins.ring
        people_elsewhere = {
            name for name, table_number in self.places.items() if table_number != number
        }
        only_if(not people_elsewhere & set(people), "sits elsewhere now")
        table.sittings, table.is_over = sittings, False
        self.attendance |= set(people)

    # The hands.

    def enter(self, number: int, hand: Hand, *, sent_by: str | None) -> None:
        """The table's next hand; who sends it agrees to it."""
        only_if(self.state == PLAYING and not self.tables[number].is_over, "finished")
        sitting = self.tables[number].now
        only_if(hand.fits(sitting.next), "does not fit")
        if sent_by in sitting.next.players:
            hand.answers[sent_by] = True
        sitting.hands.append(hand)

    def undo_hand(self, number: int, sitting_index: int, place: int) -> None:
        """The table takes back its last hand, unless the scorer has ruled on it."""
        table = self.tables[number]
        only_if(self.state == PLAYING and not table.is_over, "finished")
        table.undo_hand(sitting_index, place)

    def correct(self, number: int, sitting_index: int, place: int, right: Hand) -> None:
        """The scorer replaces a hand of that table."""
        self._is_open()
        self.tables[number].correct(sitting_index, place, right)

    def say(
        self, number: int, sitting_index: int, place: int, names: Iterable[str], *, agrees: bool
    ) -> None:
        """These agree to a hand, or report a problem with it."""
        self._is_open()
        hand, winds = self.tables[number].sittings[sitting_index].hands_and_winds()[place]
        hand.say(winds, names, agrees=agrees)

    def decide(self, number: int, sitting_index: int, place: int) -> None:
        """The scorer lets a hand stand as it was entered."""
        self._is_open()
        hand, winds = self.tables[number].sittings[sitting_index].hands_and_winds()[place]
        hand.decide(winds)

    # The end.

    def finish(self) -> None:
        only_if(self.state != CANCELLED, "cancelled")
        if self.state == FINISHED:
            return
        only_if(self.state == PLAYING, "nobody is seated")
        states = {
            hand.state(winds)
            for sitting in self.sittings()
            for hand, winds in sitting.hands_and_winds()
        }
        only_if("disputed" not in states, "a hand is disputed")
        self.state = FINISHED

    def reopen(self) -> None:
        only_if(self.state != CANCELLED, "cancelled")
        if self.state == FINISHED:
            self.state = PLAYING

    def cancel(self) -> None:
        """The evening counts nowhere, as long as it is not restored."""
        if self.state != CANCELLED:
            only_if(self.hands, "no hands: it is deleted instead")
            self.state, self.state_before = CANCELLED, self.state

    def restore(self) -> None:
        if self.state == CANCELLED:
            self.state = self.state_before

    # What all of it asks.

    def _is_open(self) -> None:
        only_if(self.state in {ARRIVING, PLAYING}, "finished or cancelled")

    def _is_playing(self) -> None:
        only_if(self.state == PLAYING, "not being played")

    def _waits(self, name: str) -> None:
        self._is_playing()
        only_if(name in self.queue, "does not wait")

    def _playing(self, number: int) -> Table:
        only_if(number in self.tables and not self.tables[number].is_over, "no such table")
        return self.tables[number]

    def _table_of(self, name: str) -> Table:
        only_if(name in self.places, "is not at a table")
        return self.tables[self.places[name]]

    def _go_on(self, table: Table, chairs: Mapping[str, str | None]) -> None:
        only_if(len(chairs) in SIZES, "bad size")
        only_if("disputed" not in table.states(), "a hand is disputed")
        table.go_on_with(chairs)

    def _release(self, name: str, *, goes_home: bool) -> None:
        if goes_home:
            self.attendance.discard(name)


def met_before(nights: Iterable[Night], day: date) -> dict[frozenset[str], tuple[date, ...]]:
    """On which earlier evenings each pair shared a table; a cancelled evening never was."""
    days_by_pair: dict[frozenset[str], tuple[date, ...]] = {}
    for night in nights:
        if night.held_on < day and night.state != CANCELLED:
            for pair in night.met_pairs():
                days_by_pair[pair] = (*days_by_pair.get(pair, ()), night.held_on)
    return days_by_pair


def league_of(nights: Iterable[Night]) -> dict[str, tuple[int, int]]:
    """The points of everyone who has played, and on how many evenings."""
    league: dict[str, tuple[int, int]] = {}
    for night in nights:
        if night.state != CANCELLED:
            for name, row in night.result().items():
                if row.hands:
                    points, evenings = league.get(name, (0, 0))
                    league[name] = (points + row.points, evenings + 1)
    return league


def may_merge(nights: Iterable[Night], person: str, duplicate: str) -> None:
    """Two records are of one person, unless both were at the same evening."""
    only_if(person != duplicate, "the same")
    only_if(not (person + duplicate).count(FORMER), "was erased")
    for night in nights:
        only_if(not {person, duplicate} <= night.arrivals | night.had_a_seat, "both were there")


def rename(nights: Iterable[Night], names: Mapping[str, str]) -> None:
    """These people have other names on every evening; what they agreed to stays agreed."""
    for night in nights:
        fresh = rename_all(night, names)
        night.attendance, night.arrivals, night.tables = (
            fresh.attendance,
            fresh.arrivals,
            fresh.tables,
        )


def rename_all(value: Any, names: Mapping[str, str]) -> Any:
    """The same with these names instead, wherever they stand in it."""
    if isinstance(value, str):
        return names.get(value, value)
    if isinstance(value, Mapping):
        return {rename_all(key, names): rename_all(item, names) for key, item in value.items()}
    if isinstance(value, list | tuple | set | frozenset):
        return type(value)(rename_all(item, names) for item in value)
    if is_dataclass(value) and not isinstance(value, type):
        parts = {part.name: getattr(value, part.name) for part in fields(value)}
        return type(value)(**rename_all(parts, names))
    return value


def _new_start(begins: Winds, former_winds: Winds, sitting: Sitting) -> Winds:
    """Where a sitting begins now that the one before it ends otherwise.

    Its people sit in each other's turn as they did: each has followed somebody of the one before,
    or is new; with more or fewer people the first of them deals, whoever that is.
    """
    next_winds = sitting.next
    if len(begins.ring) != len(next_winds.ring):
        return replace(begins, prevailing=next_winds.prevailing, goulash=next_winds.goulash)
    heirs = dict(zip(former_winds.ring, begins.ring, strict=True))
    return replace(next_winds, ring=tuple(heirs[person] for person in next_winds.ring))


def _follow(sitting: Sitting, old: Sitting) -> None:
    """What becomes of the later hands: who dealt or prevailed otherwise, the scorer has ruled."""
    old_winds = old.winds()
    for place, (hand, winds) in enumerate(sitting.hands_and_winds()):
        only_if(hand.fits(winds), "a later hand would not fit")
        if hand is not old.hands[place] or _same_deal(winds, old_winds[place]):
            continue
        is_in_doubt = hand.state(old_winds[place]) == "disputed"
        sitting.hands[place] = replace(
            hand,
            answers={},
            is_decided=not is_in_doubt,
            is_confirmed=False,
            is_corrected=True,
            is_in_doubt=is_in_doubt,
        )


def _same_deal(winds: Winds, other_winds: Winds) -> bool:
    return replace(winds, lost_deals=0) == replace(other_winds, lost_deals=0)
