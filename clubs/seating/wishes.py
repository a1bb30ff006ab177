"""Seating preferences, and the possible tables for a number of players."""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, product

from clubs.language.words import count_words
from clubs.seating.request import table_sizes_for
from clubs.seating.why import SeatingRemark, join_with_and

APART, TOGETHER, HELPER, TABLE = "apart", "together", "helper", "table"
WISH_PRIORITY = (TABLE, APART, HELPER, TOGETHER)  # priorities if not all can be met
USUAL_TABLE_SIZE = 4
MAX_STEPS = 20_000
Names = Mapping[str, str]

WISH_SENTENCES = {
    APART: "Keep {one} and {other} apart.",
    TOGETHER: "Seat {one} and {other} together.",
    HELPER: "{one} is a beginner; {other} helps.",
    TABLE: "{one} always sits at table {table}.",
}
MET_SENTENCES = {
    APART: "{one} and {other} are kept apart.",
    TOGETHER: "{one} and {other} sit together.",
    HELPER: "{one} sits with a helper.",
    TABLE: "{one} sits at table {table}.",
}
UNMET_SENTENCES = {
    APART: "{one} and {other} sit at one table, although they should be kept apart.",
    TOGETHER: "{one} and {other} are not seated together, although they should be.",
    HELPER: "{one}, a beginner, sits without a helper.",
    TABLE: "{one} does not sit at table {table}, which is their fixed table.",
}
IMPOSSIBLE_SENTENCES = {
    APART: "We cannot keep {one} and {other} apart: {why}.",
    TOGETHER: "We cannot seat {one} and {other} together: {why}.",
    HELPER: "{one}, a beginner, cannot sit with a helper: {why}.",
    TABLE: "{one} cannot sit at table {table}: {why}.",
}

NUMBER_WORDS = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
PREFERRED_SIZES = (4, 5, 3)
MAX_SPLITS_OFFERED = 3
Split = tuple[int, ...]  # the sizes of the tables, preferred first


@dataclass(frozen=True, slots=True)
class SeatingWish:
    """A wish about two people, or about one and a table number.

    `other_player` of a beginner is the helper.
    """

    kind: str
    player: str
    other_player: str = ""
    table: int = 0

    @property
    def pair(self) -> frozenset[str]:
        return frozenset((self.player, self.other_player)) - {""}


@dataclass(frozen=True, slots=True)
class WishSelection:
    """The wishes in an evening's seating request, and those that cannot be met."""

    apart: tuple[tuple[str, str], ...]
    together: tuple[tuple[str, str], ...]
    fixed_table: Mapping[str, int]
    left_out: tuple[SeatingWish, ...]


def select_wishes(
    wishes: Sequence[SeatingWish],
    present_players: Collection[str],
    sizes: Sequence[int],
    meeting_counts: Mapping[frozenset[str], int] | None = None,
) -> WishSelection:
    """The wishes of those present that tables of these sizes can meet together.

    met: how often pairs sat together; of several helpers the one met least is chosen.
    """
    selected_wishes: list[SeatingWish] = []
    rejected_wishes: list[SeatingWish] = []
    for wish in sorted(
        wishes_of_present(wishes, present_players), key=lambda wish: WISH_PRIORITY.index(wish.kind)
    ):
        options = _wish_options(
            wish, wishes, present_players, meeting_counts or {}, selected_wishes
        )
        option = next(
            (option for option in options if can_meet_all([*selected_wishes, option], sizes)), None
        )
        if option is None:
            rejected_wishes.append(wish)
        else:
            selected_wishes.append(option)
    return WishSelection(
        apart=tuple(
            (wish.player, wish.other_player) for wish in selected_wishes if wish.kind == APART
        ),
        together=tuple(
            (wish.player, wish.other_player)
            for wish in selected_wishes
            if wish.kind in (TOGETHER, HELPER)
        ),
        fixed_table={wish.player: wish.table for wish in selected_wishes if wish.kind == TABLE},
        left_out=tuple(rejected_wishes),
    )


def wishes_of_present(
    wishes: Iterable[SeatingWish], present_players: Collection[str]
) -> Iterator[SeatingWish]:
    """The wishes of people who are present; one wish for a beginner with several helpers."""
    beginners: set[str] = set()
    for wish in wishes:
        if wish.kind == HELPER:
            if wish.player in present_players and wish.player not in beginners:
                beginners.add(wish.player)
                yield wish
        elif wish.pair <= set(present_players):
            yield wish


def _wish_options(
    wish: SeatingWish,
    wishes: Sequence[SeatingWish],
    present_players: Collection[str],
    meeting_counts: Mapping[frozenset[str], int],
    selected_wishes: Sequence[SeatingWish],
) -> list[SeatingWish]:
    """The ways to meet a wish: one, or any helper who is present, the freest first."""
    if wish.kind != HELPER:
        return [wish]
    busy = Counter(wish.other_player for wish in selected_wishes if wish.kind == HELPER)
    options = [
        replace(wish, other_player=name)
        for name in helpers_of(wish.player, wishes)
        if name in present_players
    ]
    return sorted(
        options, key=lambda option: (busy[option.other_player], meeting_counts.get(option.pair, 0))
    )


def helpers_of(beginner: str, wishes: Iterable[SeatingWish]) -> list[str]:
    return [wish.other_player for wish in wishes if wish.kind == HELPER and wish.player == beginner]


def judge_wishes(
    wishes: Sequence[SeatingWish], tables: Mapping[int, Collection[str]]
) -> tuple[tuple[SeatingWish, bool], ...]:
    """Each wish of those at these tables, by number, and whether it is not met."""
    table_of = {name: number for number, names in tables.items() for name in names}
    outcomes = []
    for wish in wishes_of_present(wishes, table_of):
        own_table = table_of[wish.player]
        if wish.kind == TABLE:
            is_broken = own_table != wish.table
        elif wish.kind == HELPER:
            is_broken = all(
                table_of.get(name) != own_table for name in helpers_of(wish.player, wishes)
            )
        else:
            is_broken = (table_of[wish.other_player] == own_table) == (wish.kind == APART)
        outcomes.append((wish, is_broken))
    return tuple(outcomes)


def contradiction(
    wishes: Sequence[SeatingWish], new: SeatingWish
) -> tuple[SeatingWish, ...] | None:
    """The wishes that contradict the new one; None if there are none.

    Empty if so many people together do not fit one table of four.
    """
    firm = [wish for wish in (*wishes, new) if wish.kind != HELPER or wish == new]
    firm += [wish for wish in wishes if wish.kind == HELPER and wish.pair == new.pair]
    groups = _Groups.from_wishes(firm)
    if all(map(groups.may_be, firm)):
        return () if len(groups.crowd(new.player)) > USUAL_TABLE_SIZE else None
    group = set(groups.crowd(new.player))
    return tuple(
        wish
        for wish in firm
        if wish != new and (wish.pair <= group if wish.kind == APART else wish.player in group)
    )


def can_meet_all(wishes: Sequence[SeatingWish], sizes: Sequence[int]) -> bool:
    """Whether such tables can meet all these wishes at once; assumed after too many steps."""
    groups = _Groups.from_wishes(wishes)
    if any(wish.kind == TABLE and wish.table > len(sizes) for wish in wishes):
        return False
    return all(map(groups.may_be, wishes)) and _Places(groups, wishes, list(sizes)).can_be_placed()


@dataclass(slots=True)
class _Groups:
    """People who must sit at one table; each group is represented by one member, its leader."""

    leader: dict[str, str] = field(default_factory=dict)
    table: dict[str, int] = field(default_factory=dict)

    @classmethod
    def from_wishes(cls, wishes: Sequence[SeatingWish]) -> "_Groups":
        """The groups that the wishes form, also by table number."""
        groups = cls({name: name for wish in wishes for name in wish.pair})
        seats: dict[int, str] = {}
        for wish in wishes:
            if wish.kind == TABLE:
                groups.join(wish.player, seats.setdefault(wish.table, wish.player))
            elif wish.kind != APART:
                groups.join(wish.player, wish.other_player)
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

    def may_be(self, wish: SeatingWish) -> bool:
        """Whether a wish is possible: nobody kept apart in a group, no group at two tables."""
        if wish.kind == APART:
            return self.root(wish.player) != self.root(wish.other_player)
        return wish.kind != TABLE or self.table[self.root(wish.player)] == wish.table


class _Places:
    """Places groups at tables one after another, with backtracking."""

    def __init__(self, groups: _Groups, wishes: Sequence[SeatingWish], room: list[int]) -> None:
        self.groups, self.room = groups, room
        self.size = Counter(groups.root(name) for name in groups.leader)
        self.order = [name for name, _ in self.size.most_common()]
        self.foes: dict[str, set[str]] = {name: set() for name in self.order}
        for wish in wishes:
            if wish.kind == APART:
                two = groups.root(wish.player), groups.root(wish.other_player)
                self.foes[two[0]].add(two[1])
                self.foes[two[1]].add(two[0])
        # Two numbers are two tables.
        for first_group, second_group in combinations(groups.table, 2):
            self.foes[first_group].add(second_group)
            self.foes[second_group].add(first_group)
        self.placements: dict[str, int] = {}
        self.steps = 0

    def can_be_placed(self) -> bool:
        """Whether everyone from here on can be placed."""
        if len(self.placements) == len(self.order) or self.steps > MAX_STEPS:
            return True
        name = self.order[len(self.placements)]
        tried_states: set[tuple[int, frozenset[str]]] = set()
        for place, room in enumerate(self.room):
            company = frozenset(mate for mate, number in self.placements.items() if number == place)
            if (
                room < self.size[name]
                or company & self.foes[name]
                or (room, company) in tried_states
            ):
                continue
            tried_states.add((room, company))
            self.steps += 1
            self.placements[name], self.room[place] = place, room - self.size[name]
            if self.can_be_placed():
                return True
            del self.placements[name]
            self.room[place] = room
        return False


def wish_sentence(wish: SeatingWish, names: Names) -> str:
    """The wish in the secretary's words."""
    return _fill_sentence(WISH_SENTENCES[wish.kind], wish, names)


def wish_outcomes(
    wishes: Sequence[SeatingWish], tables: Mapping[int, Collection[str]], names: Names
) -> list[SeatingRemark]:
    """Each wish of those at these tables, unmet ones first."""
    outcomes = [
        SeatingRemark(
            _fill_sentence(
                (UNMET_SENTENCES if is_broken else MET_SENTENCES)[wish.kind], wish, names
            ),
            not is_broken,
        )
        for wish, is_broken in judge_wishes(wishes, tables)
    ]
    return sorted(outcomes, key=lambda item: item.is_kept is True)


def impossible_sentence(
    wish: SeatingWish,
    wishes: Sequence[SeatingWish],
    present_players: Collection[str],
    tables: int,
    names: Names,
) -> str:
    """Why a wish is left out on an evening with so many tables."""
    if wish.kind == HELPER and not set(helpers_of(wish.player, wishes)) & set(present_players):
        reason = "none of their helpers has checked in"
    elif (wish.kind == TABLE and wish.table > tables) or (wish.kind == APART and tables == 1):
        reason = f"there {'is' if tables == 1 else 'are'} only {count_words(tables, 'table')}"
    else:
        reason = "it conflicts with other preferences or with the table sizes"
    return _fill_sentence(IMPOSSIBLE_SENTENCES[wish.kind], wish, names, reason)


def _fill_sentence(template: str, wish: SeatingWish, names: Names, reason: str = "") -> str:
    other_name = names.get(wish.other_player, "")
    return template.format(one=names[wish.player], other=other_name, table=wish.table, why=reason)


@dataclass(frozen=True, slots=True)
class Advice:
    """The ways to seat those present with nobody left out, best first."""

    present_count: int
    splits: tuple[Split, ...]
    more: Split
    fewer: Split

    @property
    def sentence(self) -> str:
        """``14 checked in: one four and two fives, or two fours and two threes.``"""
        if not self.splits:
            return (
                f"{self.present_count} checked in: that number cannot be seated without leaving "
                "someone out."
            )
        splits = ", or ".join(split_in_words(split) for split in self.splits)
        return f"{self.present_count} checked in: {splits}."

    @property
    def neighbours(self) -> str:
        """``With one more: three fours. With one fewer: …``; empty if neither helps."""
        sentences = [
            f"With one {comparison}: {split_in_words(split)}."
            for comparison, split in (("more", self.more), ("fewer", self.fewer))
            if split
        ]
        return " ".join(sentences)


def advise(players: int, table_sizes: Collection[int]) -> Advice:
    """The ways to seat so many at tables of the allowed sizes (of 3, 4 and 5)."""
    more_splits, fewer = (splits_of(players + change, table_sizes)[:1] for change in (1, -1))
    splits = splits_of(players, table_sizes)[:MAX_SPLITS_OFFERED]
    return Advice(players, splits, *(split[0] if split else () for split in (more_splits, fewer)))


def splits_of(players: int, table_sizes: Collection[int]) -> tuple[Split, ...]:
    """Every split of exactly so many players, the seating's usual one first."""
    sizes = preferred_sizes(table_sizes)
    options = [
        counts
        for counts in product(*(range(players // size + 1) for size in sizes))
        if players and sum(map(int.__mul__, sizes, counts)) == players
    ]
    return tuple(
        tuple(size for size, count in zip(sizes, counts, strict=True) for _ in range(count))
        for counts in sorted(options, key=lambda option: option[::-1])
    )


def usual_split(players: int, table_sizes: Collection[int]) -> Split:
    """The seating's usual tables. Raises BadRequest for too few players."""
    return tuple(table_sizes_for(players, preferred_sizes(table_sizes)))


def preferred_sizes(table_sizes: Collection[int]) -> tuple[int, ...]:
    """The table sizes of a club night, preferred first."""
    return tuple(size for size in PREFERRED_SIZES if size in table_sizes)


def split_in_words(split: Iterable[int]) -> str:
    """``two fours and one three``."""
    counts = Counter(split)
    parts = []
    for size in PREFERRED_SIZES:
        if count := counts[size]:
            number = NUMBER_WORDS[count] if count < len(NUMBER_WORDS) else str(count)
            parts.append(f"{number} {NUMBER_WORDS[size]}{'' if count == 1 else 's'}")
    return join_with_and(parts)
