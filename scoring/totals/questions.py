"""What the rules ask of a hand, as flags that sets, bonus tiles and circumstances add up to.

A flag says that something is seen which some question needs, or that a question cannot be met any
more. Flags are joined with `|`, so hands that every question answers alike have the same flags."""

from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property, reduce
from itertools import combinations
from operator import or_
from typing import Final, NamedTuple

from scoring.hands.hand import Fact, Hand, WonBy
from scoring.hands.tiles import BONUS_TILES, PLAYING_TILES, Tile
from scoring.rules import marks
from scoring.rules.rule_set import RuleSet

Flags = int

_OF_TILES: Final = sum(marks.HOLDS.values()) | sum(marks.SET_OF.values())
_SUITS: Final = sum(marks.SUIT.values())
_SEEN_IN_SETS: Final = (
    marks.SUITED | marks.HONOUR | marks.TERMINAL | marks.WIND | marks.DRAGON | marks.CHOW
    | marks.PUNG | marks.KONG | marks.TWO_KONGS | marks.LOOSE | marks.EXPOSED
    | marks.EXPOSED_PUNG | marks.OPENED | sum(marks.LAST_TILE.values())
)  # fmt: skip
_OF_BONUS: Final = marks.OWN_FLOWER | marks.OWN_SEASON | marks.ALL_FLOWERS | marks.ALL_SEASONS
_FROM_SETS: Final = _OF_TILES | _SUITS | marks.ONE_SUIT | _SEEN_IN_SETS
_OUTSIDE: Final = ~_FROM_SETS | sum(marks.LAST_TILE.values())
_FIRST_FAILURE: Final = max(marks.LAST_TILE.values()).bit_length()


class Question(NamedTuple):
    """What one line of the rules asks: `marks & mask == want`."""

    mask: int
    want: int

    @property
    def not_wanted(self) -> int:
        """The marks that must not be there."""
        return self.mask & ~self.want


class Questions(dict[Flags, Flags]):
    """The questions of some lines; looked up as a dictionary, flags are settled.

    Settled flags leave out what no question that is still open needs, and say what fails because
    the tiles are of two suits.
    """

    def __init__(self, questions: Iterable[Question], *, one_suit: bool = False) -> None:
        super().__init__()
        self.each = tuple(questions)
        self._needs = tuple(question.want & _SEEN_IN_SETS for question in self.each)
        self._of_one_suit = tuple(bool(question.mask & marks.ONE_SUIT) for question in self.each)
        self._kept = tuple(map(_kept, self.each))
        self._ever_needed = reduce(or_, self._kept, _SUITS if one_suit else 0)
        self.one_suit = one_suit

    @cached_property
    def marks(self) -> int:
        """Every mark that is asked about."""
        return reduce(or_, (question.mask for question in self.each), 0)

    @cached_property
    def never(self) -> Flags:
        """The flags of a hand that the rules do not allow: its tiles are of two suits."""
        return 1 << _FIRST_FAILURE + len(self.each)

    @cached_property
    def all_failed(self) -> Flags:
        """That every question fails."""
        return self._all_but(0)

    @cached_property
    def of_sets_alone(self) -> Flags:
        """That every question fails which is about nothing but a hand's sets."""
        return self._all_but(_OUTSIDE)

    @cached_property
    def of_no_sets(self) -> Flags:
        """That every question fails which is about something else than a hand's sets."""
        return self._all_but(_FROM_SETS) & ~self.of_sets_alone

    def _all_but(self, marks_held: int) -> Flags:
        numbers = enumerate(self.each)
        return sum(
            self._failure(number) for number, question in numbers if not question.mask & marks_held
        )

    def _failure(self, number: int) -> Flags:
        return 1 << _FIRST_FAILURE + number

    def of_set(self, marks_held: int) -> Flags:
        """The flags of a set with these marks."""
        flags = marks_held & self._ever_needed
        for number, question in enumerate(self.each):
            if question.not_wanted & marks_held:
                flags |= self._failure(number)
        return flags

    def lacking(self, tile: Tile, marks_held: int) -> Flags:
        """What fails because all that there is of this tile has no more than these marks."""
        of_tile = marks.HOLDS[tile] | marks.SET_OF[tile]
        return self._failed(of_tile & ~marks_held)

    def of_bonus(self, marks_held: int) -> Flags:
        """What fails because the bonus tiles have these marks and no others."""
        return self._failed(_OF_BONUS & ~marks_held) | self._refused(_OF_BONUS & marks_held)

    def of_circumstances(self, marks_held: int) -> Flags:
        """What fails because winds, facts and the way of winning have these marks only."""
        known = _OUTSIDE & ~_OF_BONUS
        return self._failed(known & ~marks_held) | self._refused(known & marks_held)

    def _failed(self, absent: int) -> Flags:
        return sum(
            self._failure(number)
            for number, question in enumerate(self.each)
            if question.want & absent
        )

    def _refused(self, marks_held: int) -> Flags:
        return sum(
            self._failure(number)
            for number, question in enumerate(self.each)
            if question.not_wanted & marks_held
        )

    def __missing__(self, flags: Flags) -> Flags:
        several = (flags & _SUITS).bit_count() > 1
        settled, needed = flags, 0
        for number in range(len(self.each)):
            failure = self._failure(number)
            if several and self._of_one_suit[number]:
                settled |= failure
            if not settled & failure:
                needed |= self._kept[number]
        if self.one_suit:
            needed |= _SUITS
            settled |= self.never if several else 0
        settled &= needed | -1 << _FIRST_FAILURE
        self[flags] = settled
        return settled

    def met(self, flags: Flags) -> list[int]:
        """The numbers of the questions that hands with these flags meet."""
        return [
            number
            for number, need in enumerate(self._needs)
            if not flags & self._failure(number)
            and flags & need == need
            and (not self._of_one_suit[number] or flags & marks.SUITED)
        ]


def _kept(question: Question) -> Flags:
    """What must be remembered of sets as long as the question is open."""
    kept = question.want & _SEEN_IN_SETS
    if kept & marks.TWO_KONGS:
        kept |= marks.KONG
    return kept | (_SUITS | marks.SUITED if question.mask & marks.ONE_SUIT else 0)


def two_kongs(first: Flags, other: Flags) -> Flags:
    """What both together have that neither has alone."""
    return marks.TWO_KONGS if first & other & marks.KONG else 0


_FACTS: Final = (Fact.ORIGINAL_CALL, Fact.TWOFOLD_FORTUNE, Fact.THIRTEENTH_WIN)
_WAYS: Final = (None, *WonBy)


class Circumstance(NamedTuple):
    """What fails for a hand without tiles that stands for all hands told and won like it."""

    flags: Flags
    hand: Hand


class Bonus(NamedTuple):
    """Flowers and seasons that come to the same, and what fails with them."""

    flags: Flags
    tiles: tuple[Tile, ...]
    points: int


def circumstances(hand: Hand, questions: Questions) -> list[Circumstance]:
    """Every way of being told and won that the questions tell apart; `hand` has the winds."""
    by_flags: dict[tuple[bool, Flags], Hand] = {}
    for way in _ways(hand, questions):
        marks_held = marks.of_circumstances(way)
        if Fact.ONLY_POSSIBLE_TILE in way.facts:
            marks_held |= marks.ONLY_TILE
        by_flags.setdefault((way.claimed, questions.of_circumstances(marks_held)), way)
    return [Circumstance(flags, way) for (_claimed, flags), way in by_flags.items()]


def _ways(hand: Hand, questions: Questions) -> Iterator[Hand]:
    mask = questions.marks
    last = [None, *(tile for tile in PLAYING_TILES if marks.LAST_TILE[tile] & mask)]
    facts = [fact for fact in _FACTS if marks.FACT[fact] & mask]
    tells = [frozenset(some) for n in range(len(facts) + 1) for some in combinations(facts, n)]
    if marks.ONLY_TILE & mask:
        only = (Fact.NOT_ONLY_POSSIBLE_TILE, Fact.ONLY_POSSIBLE_TILE)
        tells = [facts | {fact} for fact in only for facts in tells]
    for facts_of_way in tells:
        with_facts = replace(hand, facts=facts_of_way)
        if not hand.mahjong:
            yield with_facts
            continue
        for tile in last:
            yield from (replace(with_facts, won_by=way, winning_tile=tile) for way in _WAYS)


def bonus_tiles(hand: Hand, rules: RuleSet, questions: Questions) -> list[Bonus]:
    """Every choice of flowers and seasons that the questions, or their points, tell apart."""
    by_worth: dict[tuple[Flags, int], Bonus] = {}
    for many in range(len(BONUS_TILES) + 1 if rules.bonus_points else 1):
        for tiles in combinations(BONUS_TILES, many):
            marks_held = marks.of_circumstances(replace(hand, bonus=tiles))
            bonus = Bonus(questions.of_bonus(marks_held), tiles, _points(tiles, rules))
            by_worth.setdefault((bonus.flags, bonus.points), bonus)
    return list(by_worth.values())


def _points(tiles: tuple[Tile, ...], rules: RuleSet) -> int:
    each = rules.bonus_points.points if rules.bonus_points else 0
    if rules.adding is None:
        return each * len(tiles)
    whole = [bouquet for bouquet in rules.adding.bouquets if {*bouquet.tiles} <= {*tiles}]
    bound = sum(len(bouquet.tiles) for bouquet in whole)
    alone = len(tiles) - (0 if rules.choice[rules.adding.flowers_beside_a_bouquet] else bound)
    return each * alone + sum(bouquet.points for bouquet in whole)
