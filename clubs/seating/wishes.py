"""Seating preferences, and the possible tables for a number of players."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product

from clubs.language.words import counted
from clubs.seating.request import table_sizes_for
from clubs.seating.why import Said, listed

APART, TOGETHER, HELPER, TABLE = "apart", "together", "helper", "table"
FIRST = (TABLE, APART, HELPER, TOGETHER)  # priorities if not all can be met
A_TABLE = 4
MOST_STEPS = 20_000


@dataclass(frozen=True, slots=True)
class Wanted:
    """A wish about two people (`other` is a beginner's helper), or about one and a table number."""

    kind: str
    player: str
    other: str = ""
    table: int = 0

    @property
    def pair(self) -> frozenset[str]:
        return frozenset((self.player, self.other)) - {""}


@dataclass(frozen=True, slots=True)
class Heeded:
    """The wishes in an evening's seating request, and those that cannot be met."""

    apart: tuple[tuple[str, str], ...]
    together: tuple[tuple[str, str], ...]
    fixed_table: Mapping[str, int]
    left_out: tuple[Wanted, ...]


def heeded(
    wishes: Sequence[Wanted],
    here: Collection[str],
    sizes: Sequence[int],
    met: Mapping[frozenset[str], int] | None = None,
) -> Heeded:
    """The wishes of those present that tables of these sizes can meet together.

    met: how often pairs sat together; of several helpers the one met least is chosen.
    """
    kept: list[Wanted] = []
    left: list[Wanted] = []
    for wish in sorted(of_those(wishes, here), key=lambda wish: FIRST.index(wish.kind)):
        ways = _ways(wish, wishes, here, met or {}, kept)
        way = next((way for way in ways if fits([*kept, way], sizes)), None)
        if way is None:
            left.append(wish)
        else:
            kept.append(way)
    return Heeded(
        apart=tuple((wish.player, wish.other) for wish in kept if wish.kind == APART),
        together=tuple(
            (wish.player, wish.other) for wish in kept if wish.kind in (TOGETHER, HELPER)
        ),
        fixed_table={wish.player: wish.table for wish in kept if wish.kind == TABLE},
        left_out=tuple(left),
    )


def of_those(wishes: Iterable[Wanted], here: Collection[str]) -> Iterator[Wanted]:
    """The wishes of people who are present; one wish for a beginner with several helpers."""
    beginners: set[str] = set()
    for wish in wishes:
        if wish.kind == HELPER:
            if wish.player in here and wish.player not in beginners:
                beginners.add(wish.player)
                yield wish
        elif wish.pair <= set(here):
            yield wish


def _ways(
    wish: Wanted,
    wishes: Sequence[Wanted],
    here: Collection[str],
    met: Mapping[frozenset[str], int],
    kept: Sequence[Wanted],
) -> list[Wanted]:
    """The ways to meet a wish: one, or any helper who is present, the freest first."""
    if wish.kind != HELPER:
        return [wish]
    busy = Counter(wish.other for wish in kept if wish.kind == HELPER)
    ways = [replace(wish, other=name) for name in helpers_of(wish.player, wishes) if name in here]
    return sorted(ways, key=lambda way: (busy[way.other], met.get(way.pair, 0)))


def helpers_of(beginner: str, wishes: Iterable[Wanted]) -> list[str]:
    return [wish.other for wish in wishes if wish.kind == HELPER and wish.player == beginner]


def unkept(
    wishes: Sequence[Wanted], tables: Mapping[int, Collection[str]]
) -> tuple[tuple[Wanted, bool], ...]:
    """Each wish of those at these tables, by number, and whether it is not met."""
    at = {name: number for number, names in tables.items() for name in names}
    outcomes = []
    for wish in of_those(wishes, at):
        here = at[wish.player]
        if wish.kind == TABLE:
            is_broken = here != wish.table
        elif wish.kind == HELPER:
            is_broken = all(at.get(name) != here for name in helpers_of(wish.player, wishes))
        else:
            is_broken = (at[wish.other] == here) == (wish.kind == APART)
        outcomes.append((wish, is_broken))
    return tuple(outcomes)


def contradiction(wishes: Sequence[Wanted], new: Wanted) -> tuple[Wanted, ...] | None:
    """The wishes that contradict the new one; None if there are none.

    Empty if so many people together do not fit one table of four.
    """
    firm = [wish for wish in (*wishes, new) if wish.kind != HELPER or wish == new]
    firm += [wish for wish in wishes if wish.kind == HELPER and wish.pair == new.pair]
    groups = _Groups.of(firm)
    if all(map(groups.may_be, firm)):
        return () if len(groups.crowd(new.player)) > A_TABLE else None
    group = set(groups.crowd(new.player))
    return tuple(
        wish
        for wish in firm
        if wish != new and (wish.pair <= group if wish.kind == APART else wish.player in group)
    )


def fits(wishes: Sequence[Wanted], sizes: Sequence[int]) -> bool:
    """Whether such tables can meet all these wishes at once; assumed after too many steps."""
    groups = _Groups.of(wishes)
    if any(wish.kind == TABLE and wish.table > len(sizes) for wish in wishes):
        return False
    return all(map(groups.may_be, wishes)) and _Places(groups, wishes, list(sizes)).can_be_placed()


@dataclass(slots=True)
class _Groups:
    """People who must sit at one table; each group is represented by one member, its leader."""

    leader: dict[str, str] = field(default_factory=dict)
    table: dict[str, int] = field(default_factory=dict)

    @classmethod
    def of(cls, wishes: Sequence[Wanted]) -> "_Groups":
        """The groups that the wishes form, also by table number."""
        groups = cls({name: name for wish in wishes for name in wish.pair})
        seats: dict[int, str] = {}
        for wish in wishes:
            if wish.kind == TABLE:
                groups.join(wish.player, seats.setdefault(wish.table, wish.player))
            elif wish.kind != APART:
                groups.join(wish.player, wish.other)
        for wish in wishes:
            if wish.kind == TABLE:
                groups.table.setdefault(groups.root(wish.player), wish.table)
        return groups

    def join(self, first: str, second: str) -> None:
        self.leader[self.root(first)] = self.root(second)

    def root(self, name: str) -> str:
        """The leader of someone's group."""
        while self.leader[name] != name:
            name = self.leader[name]
        return name

    def crowd(self, name: str) -> list[str]:
        return [word for word in self.leader if self.root(word) == self.root(name)]

    def may_be(self, wish: Wanted) -> bool:
        """Whether a wish is possible: nobody kept apart in a group, no group at two tables."""
        if wish.kind == APART:
            return self.root(wish.player) != self.root(wish.other)
        return wish.kind != TABLE or self.table[self.root(wish.player)] == wish.table


class _Places:
    """Places groups at tables one after another, with backtracking."""

    def __init__(self, groups: _Groups, wishes: Sequence[Wanted], room: list[int]) -> None:
        self.groups, self.room = groups, room
        self.size = Counter(groups.root(name) for name in groups.leader)
        self.order = [name for name, _ in self.size.most_common()]
        self.foes: dict[str, set[str]] = {name: set() for name in self.order}
        for wish in wishes:
            if wish.kind == APART:
                two = groups.root(wish.player), groups.root(wish.other)
                self.foes[two[0]].add(two[1])
                self.foes[two[1]].add(two[0])
        for here, there in combinations(groups.table, 2):  # two numbers are two tables
            self.foes[here].add(there)
            self.foes[there].add(here)
        self.at: dict[str, int] = {}
        self.steps = 0

    def can_be_placed(self) -> bool:
        """Whether everyone from here on can be placed."""
        if len(self.at) == len(self.order) or self.steps > MOST_STEPS:
            return True
        name = self.order[len(self.at)]
        tried: set[tuple[int, frozenset[str]]] = set()
        for place, room in enumerate(self.room):
            company = frozenset(other for other, number in self.at.items() if number == place)
            if room < self.size[name] or company & self.foes[name] or (room, company) in tried:
                continue
            tried.add((room, company))
            self.steps += 1
            self.at[name], self.room[place] = place, room - self.size[name]
            if self.can_be_placed():
                return True
            del self.at[name]
            self.room[place] = room
        return False


Names = Mapping[str, str]

ASKED = {
    APART: "Keep {one} and {other} apart.",
    TOGETHER: "Seat {one} and {other} together.",
    HELPER: "{one} is a beginner; {other} helps.",
    TABLE: "{one} always sits at table {table}.",
}
KEPT = {
    APART: "{one} and {other} are kept apart.",
    TOGETHER: "{one} and {other} sit together.",
    HELPER: "{one} sits with a helper.",
    TABLE: "{one} sits at table {table}.",
}
NOT_KEPT = {
    APART: "{one} and {other} sit at one table, although they should be kept apart.",
    TOGETHER: "{one} and {other} are not seated together, although they should be.",
    HELPER: "{one}, a beginner, sits without a helper.",
    TABLE: "{one} does not sit at table {table}, which is their fixed table.",
}
IMPOSSIBLE = {
    APART: "We cannot keep {one} and {other} apart: {why}.",
    TOGETHER: "We cannot seat {one} and {other} together: {why}.",
    HELPER: "{one}, a beginner, cannot sit with a helper: {why}.",
    TABLE: "{one} cannot sit at table {table}: {why}.",
}


def wish_sentence(wish: Wanted, names: Names) -> str:
    """The wish in the secretary's words."""
    return _filled(ASKED[wish.kind], wish, names)


def wish_outcomes(
    wishes: Sequence[Wanted], tables: Mapping[int, Collection[str]], names: Names
) -> list[Said]:
    """Each wish of those at these tables, unmet ones first."""
    outcomes = [
        Said(_filled((NOT_KEPT if is_broken else KEPT)[wish.kind], wish, names), not is_broken)
        for wish, is_broken in unkept(wishes, tables)
    ]
    return sorted(outcomes, key=lambda item: item.is_kept is True)


def impossible(
    wish: Wanted, wishes: Sequence[Wanted], here: Collection[str], tables: int, names: Names
) -> str:
    """Why a wish is left out on an evening with so many tables."""
    if wish.kind == HELPER and not set(helpers_of(wish.player, wishes)) & set(here):
        why = "none of their helpers has checked in"
    elif (wish.kind == TABLE and wish.table > tables) or (wish.kind == APART and tables == 1):
        why = f"there {'is' if tables == 1 else 'are'} only {counted(tables, 'table')}"
    else:
        why = "it conflicts with other preferences or with the table sizes"
    return _filled(IMPOSSIBLE[wish.kind], wish, names, why)


def _filled(sentence: str, wish: Wanted, names: Names, why: str = "") -> str:
    other = names.get(wish.other, "")
    return sentence.format(one=names[wish.player], other=other, table=wish.table, why=why)


NUMBERS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
LIKED = (4, 5, 3)
MOST_OFFERED = 3

Split = tuple[int, ...]  # the sizes of the tables, preferred first


@dataclass(frozen=True, slots=True)
class Advice:
    """The ways to seat those present with nobody left out, best first."""

    here: int
    splits: tuple[Split, ...]
    more: Split
    fewer: Split

    @property
    def sentence(self) -> str:
        """``14 checked in: one four and two fives, or two fours and two threes.``"""
        if not self.splits:
            return (
                f"{self.here} checked in: that number cannot be seated without leaving someone out."
            )
        return f"{self.here} checked in: {', or '.join(in_words(split) for split in self.splits)}."

    @property
    def neighbours(self) -> str:
        """``With one more: three fours. With one fewer: …``; empty if neither helps."""
        sentences = [
            f"With one {who}: {in_words(split)}."
            for who, split in (("more", self.more), ("fewer", self.fewer))
            if split
        ]
        return " ".join(sentences)


def advise(here: int, allowed: Collection[int]) -> Advice:
    """The ways to seat so many at tables of the allowed sizes (of 3, 4 and 5)."""
    more, fewer = (splits_of(here + change, allowed)[:1] for change in (1, -1))
    splits = splits_of(here, allowed)[:MOST_OFFERED]
    return Advice(here, splits, *(split[0] if split else () for split in (more, fewer)))


def splits_of(players: int, allowed: Collection[int]) -> tuple[Split, ...]:
    """Every split of exactly so many players, the seating's usual one first."""
    sizes = liked(allowed)
    ways = [
        counts
        for counts in product(*(range(players // size + 1) for size in sizes))
        if players and sum(map(int.__mul__, sizes, counts)) == players
    ]
    return tuple(
        tuple(size for size, count in zip(sizes, counts, strict=True) for _ in range(count))
        for counts in sorted(ways, key=lambda way: way[::-1])
    )


def usual_split(players: int, allowed: Collection[int]) -> Split:
    """The seating's usual tables. Raises BadRequest for too few players."""
    return tuple(table_sizes_for(players, liked(allowed)))


def liked(allowed: Collection[int]) -> tuple[int, ...]:
    """The table sizes of a club night, preferred first."""
    return tuple(size for size in LIKED if size in allowed)


def in_words(split: Iterable[int]) -> str:
    """``two fours and one three``."""
    counts = Counter(split)
    parts = []
    for size in LIKED:
        if count := counts[size]:
            number = NUMBERS[count] if count < len(NUMBERS) else str(count)
            parts.append(f"{number} {NUMBERS[size]}{'' if count == 1 else 's'}")
    return listed(parts)
