"""What the lines of the rules that a hand meets come to."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import product
from operator import or_
from typing import Final, NamedTuple

from scoring.hands.hand import JOKERS_FROM, Hand, Kind, TileSet, set_of
from scoring.hands.tiles import PLAYING_TILES, Tile
from scoring.rules import marks
from scoring.rules.conditions import ConditionMask, MarkQuestion
from scoring.rules.declarations import Reach
from scoring.rules.rule_set import RuleSet
from scoring.totals.holdings import (
    CHOW_STANDS_IN_HAND,
    CHOW_STANDS_ON_TABLE,
    CLAIMED_CHOW_STANDS,
    CLAIMED_STANDS,
    STANDS_IN_HAND,
    STANDS_ON_TABLE,
    Bonus,
    Circumstance,
    Flags,
    Holdings,
    Piece,
    Piles,
    PointSet,
    Questions,
    Stand,
    TableEntry,
    bonus_tiles,
    circumstances,
    pack_shape,
    pack_shapes,
    repeat_stands,
)

Doubles = int
EntryList = list[tuple[TableEntry, PointSet]]
CluesByBonus = dict[int, tuple[Circumstance, Bonus]]  # by the bonus tiles' points
_MAX_CLUES: Final = 24
PlacedPieces = Sequence[tuple[Piece, int]]
_MAX_JOKERS: Final = 4
_MAX_COUNTED_SETS: Final = 4
_WHOLE_HAND_FIELDS: Final = ("sets", "pairs", "singles", "claimed", "again")


class TotalsVerdict(NamedTuple):
    """What holds for a hand as a whole.

    `points` and `doubles` are those of the ordinary score; `value` is a special hand's, None where
    there is none. `own_doubles` are those of a hand whose own points are doubled, None where it is
    not one; it adds `own_points` to the points. `through_doubles` are the doubles that multiply
    such a hand too, `bonus_doubles` those of the bonus tiles that are counted apart.
    """

    points: int = 0
    doubles: int = 0
    value: int | None = None
    own_points: int = 0
    own_doubles: int | None = None
    through_doubles: int = 0
    bonus_doubles: int = 0

    def combined_with(self, other_verdict: "TotalsVerdict") -> "TotalsVerdict":
        """Both together; of two special hands the one that is worth more."""
        return TotalsVerdict(
            self.points + other_verdict.points,
            self.doubles + other_verdict.doubles,
            _max_or_none(self.value, other_verdict.value),
            self.own_points + other_verdict.own_points,
            _max_or_none(self.own_doubles, other_verdict.own_doubles),
            self.through_doubles + other_verdict.through_doubles,
            self.bonus_doubles + other_verdict.bonus_doubles,
        )


def _max_or_none(first: int | None, other_number: int | None) -> int | None:
    return (
        other_number
        if first is None or (other_number is not None and other_number > first)
        else first
    )


class SettledPart(NamedTuple):
    """What is settled by one part of a hand, and the flags that still matter beside the other."""

    verdict: TotalsVerdict
    flags: Flags


class Worths(dict[Flags, TotalsVerdict]):
    """The lines for one player, a winner or not; looked up by flags, what they come to."""

    def __init__(
        self, rules: RuleSet, *, won: bool, fishing: bool = False, only_special: bool = False
    ) -> None:
        super().__init__()
        is_one_suit = won and rules.one_suit is not None and not only_special
        lines = [*_ordinary_lines(rules, won=won), *_special_lines(rules, won=won)]
        lines += _doubled_lines(rules, won=won) if won or fishing else []
        self.questions = Questions((question for question, _verdict in lines), one_suit=is_one_suit)
        self._limit = None if rules.limits else rules.limit
        self._verdicts = [verdict for _question, verdict in lines]

    def of_sets(self, flags: Flags) -> SettledPart:
        """What sets with these flags settle whatever is true beside them."""
        return self._part(flags, self.questions.of_sets_alone)

    def beside_sets(self, flags: Flags) -> SettledPart:
        """What bonus tiles and circumstances with these flags settle whatever the sets."""
        return self._part(flags, self.questions.of_no_sets)

    def _part(self, flags: Flags, alone: Flags) -> SettledPart:
        failed_flags = self.questions.all_failed
        verdict = self[flags | failed_flags & ~alone]
        if self._limit is not None and (verdict.value or 0) >= self._limit:
            return SettledPart(TotalsVerdict(value=self._limit), failed_flags)
        return SettledPart(verdict, self.questions[flags | alone])

    def __missing__(self, flags: Flags) -> TotalsVerdict:
        verdict = TotalsVerdict()
        for number in self.questions.met_numbers(flags):
            verdict = verdict.combined_with(self._verdicts[number])
        self[flags] = verdict
        return verdict


_VerdictLines = Iterator[tuple[MarkQuestion, TotalsVerdict]]


def _ordinary_lines(rules: RuleSet, *, won: bool) -> _VerdictLines:
    book = rules.book
    through_lines = {*book.doubles_reaching(Reach.EVERYTHING, won=won)}
    bonus_doubles = {*book.doubles_reaching(Reach.BONUS_TILES, won=won)}
    for line in book.points if won else book.points_standing:
        yield line, TotalsVerdict(points=line.amount)
    for line in book.doubles_won if won else book.doubles_standing:
        reaching = line.amount if line in through_lines else 0
        beside_it = line.amount if line in bonus_doubles else 0
        yield (
            line,
            TotalsVerdict(doubles=line.amount, through_doubles=reaching, bonus_doubles=beside_it),
        )


def _special_lines(rules: RuleSet, *, won: bool) -> _VerdictLines:
    """What special hands are worth; under rules that only add up, a winner's, as more points."""
    if not won and not rules.adding:
        for standing in rules.book.standing_forms:
            yield standing, TotalsVerdict(value=standing.value.points(rules.limit))
    if won and rules.adding and rules.book.last_tile:
        yield rules.book.last_tile, TotalsVerdict()
    for form in rules.book.set_forms if won else ():
        value = form.special.value.points(rules.limit)
        yield form, TotalsVerdict(points=value) if rules.adding else TotalsVerdict(value=value)


def _doubled_lines(rules: RuleSet, *, won: bool) -> _VerdictLines:
    for form in rules.book.doubled_forms:
        if won or not form.special.winner_only:
            yield form, TotalsVerdict(own_doubles=form.special.doubles)
            for line in form.points if won else ():
                joint_mask = ConditionMask(form.mask | line.mask, form.want | line.want)
                yield joint_mask, TotalsVerdict(own_points=line.amount)


class Clue(NamedTuple):
    """A hand that scores a total, unless another way to lay it out scores more."""

    entry: TableEntry
    points: int
    circumstance: Circumstance
    bonus: Bonus


class AlikeHands(NamedTuple):
    """Hands whose sets settle the same and have the same doubles, and all their points."""

    doubles: Doubles
    points: PointSet
    hands: EntryList


class OutsideVerdict(NamedTuple):
    """What is weighed with the sets: the whole verdict, the bonus tiles' points, and both."""

    verdict: TotalsVerdict
    bonus: int
    clue: tuple[Circumstance, Bonus]


class Weighing:
    """The totals found so far, each with some clues to a hand that scores it."""

    def __init__(
        self, rules: RuleSet, worths: Worths, player: Hand, *, only_special: bool = False
    ) -> None:
        self.clues_by_total: defaultdict[int, list[Clue]] = defaultdict(list)
        self._rules = rules
        self._worths = worths
        self._only_special = only_special
        self._won = player.mahjong
        self._least = rules.minimum_for(player.players) if player.mahjong else None
        self._limit = rules.limit_of(won=player.mahjong, special=False)
        self._seen_points: defaultdict[Doubles, PointSet] = defaultdict(int)
        self.circumstances = circumstances(player, worths.questions)
        self._bonus = bonus_tiles(player, rules, worths.questions)

    def weigh(self, hands: EntryList, hand_circumstances: Sequence[Circumstance]) -> None:
        """Every one of these hands, won in each of these ways with each of the bonus tiles."""
        # What circumstances and bonus tiles settle, and those that do.
        clues_by_part: dict[SettledPart, CluesByBonus] = {}
        for circumstance, tiles in product(hand_circumstances, self._bonus):
            settled_part = self._worths.beside_sets(circumstance.flags | tiles.flags)
            clues_by_part.setdefault(settled_part, {}).setdefault(
                tiles.points, (circumstance, tiles)
            )
        for part, alike_hands in self._group_alike(hands).items():
            # The different verdicts and bonus points that these sets may be weighed with.
            by_verdict: dict[tuple[TotalsVerdict, int], OutsideVerdict] = {}
            for outside_part, clues in clues_by_part.items():
                joint_verdict = self._worths[part.flags | outside_part.flags]
                verdict = part.verdict.combined_with(outside_part.verdict).combined_with(
                    joint_verdict
                )
                for points, clue in clues.items():
                    if (verdict, points) not in by_verdict:
                        by_verdict[verdict, points] = OutsideVerdict(verdict, points, clue)
            for outside, sets in product(by_verdict.values(), alike_hands):
                self._weigh(sets, outside)

    def _group_alike(self, hands: EntryList) -> dict[SettledPart, list[AlikeHands]]:
        """The hands by what their sets settle."""
        by_part: dict[SettledPart, dict[Doubles, EntryList]] = {}
        for entry, points in hands:
            flags = entry.flags | self._worths.questions.count_flags(entry.shape)
            part = by_part.setdefault(self._worths.of_sets(flags), {})
            part.setdefault(entry.doubles, []).append((entry, points))
        return {
            part: [
                AlikeHands(doubles, reduce(or_, (points for _entry, points in some)), some)
                for doubles, some in by_doubles.items()
            ]
            for part, by_doubles in by_part.items()
        }

    def _weigh(self, sets: AlikeHands, outside: OutsideVerdict) -> None:
        if outside.verdict.own_doubles is not None:
            for points in points_in(sets.points):
                best = self._best(points, sets.doubles, outside)
                if best is not None:
                    self._add(best, sets, points, outside.clue)
            return
        outside_points = outside.verdict.points + outside.bonus
        doubles = sets.doubles + outside.verdict.doubles
        ordinary = sets.points << outside_points
        low = self._too_low(ordinary, doubles)
        value = self._fixed(outside)
        if value is not None:
            # Where an ordinary hand has a lower limit, it never beats such a special hand.
            is_highest = self._limit is not None and value >= self._limit
            low |= ordinary if is_highest else _cap_points(value >> doubles, ordinary)
            if low:
                total = self._cap_total(value, special=True)
                self._add(total, sets, _lowest_points(low) - outside_points, outside.clue)
        if fresh := ordinary & ~low & ~self._seen_points[doubles]:
            self._seen_points[doubles] |= fresh
            for points in points_in(fresh):
                total = self._cap_total(points << doubles, special=False)
                self._add(total, sets, points - outside_points, outside.clue)

    def _too_low(self, ordinary: PointSet, doubles: Doubles) -> PointSet:
        """Those of the points that are not enough for a Mah-Jong with so many doubles."""
        if self._only_special:
            return ordinary
        least = self._least
        if least is None or (least.doubles is not None and doubles >= least.doubles):
            return 0
        return (
            ordinary if least.points is None else _cap_points(least.points - 1 >> doubles, ordinary)
        )

    def _fixed(self, outside: OutsideVerdict) -> int | None:
        """A special hand's value with its bonus tiles; None where that is none or not enough."""
        if outside.verdict.value is None:
            return None
        value = outside.verdict.value + self._bonus_beside(outside)
        return value if self._is_enough(0, value, special=True) else None

    def _is_enough(self, doubles: int, points: int, *, special: bool) -> bool:
        return self._least is None or self._least.is_reached(doubles, points, special=special)

    def _bonus_beside(self, outside: OutsideVerdict) -> int:
        """What bonus tiles beside a special hand score."""
        is_bonus_added = self._rules.bonus_tiles_beside
        return outside.bonus << outside.verdict.bonus_doubles if is_bonus_added else 0

    def _best(self, points: int, doubles: Doubles, outside: OutsideVerdict) -> int | None:
        """What sets whose own points may be doubled score after the limit; None: no Mah-Jong."""
        verdict = outside.verdict
        own_doubles = (verdict.own_doubles or 0) + verdict.through_doubles
        own_points = points + verdict.points + verdict.own_points
        all_doubles = doubles + verdict.doubles
        options = [(True, own_doubles, (own_points << own_doubles) + self._bonus_beside(outside))]
        if not self._only_special:
            options.append(
                (False, all_doubles, points + verdict.points + outside.bonus << all_doubles)
            )
        if value := self._fixed(outside):
            options.append((True, 0, value))
        enough = [
            self._cap_total(total, special=special)
            for special, option_doubles, total in options
            if self._is_enough(option_doubles, total, special=special)
        ]
        return max(enough, default=None)

    def _cap_total(self, points: int, *, special: bool) -> int:
        return self._rules.cap_points(points, won=self._won, special=special)

    def _add(
        self, total: int, sets: AlikeHands, points: int, outside: tuple[Circumstance, Bonus]
    ) -> None:
        """Note that one of these hands may score so much."""
        clues = self.clues_by_total[total]
        if len(clues) < _MAX_CLUES:
            entries = [entry for entry, possible in sets.hands if possible >> points & 1]
            clues += [Clue(entry, points, *outside) for entry in entries[:2]]


def _cap_points(most: int, points: PointSet) -> PointSet:
    """Those of the points that are so many at most."""
    return points & (1 << most + 1) - 1


def _lowest_points(points: PointSet) -> int:
    return (points & -points).bit_length() - 1


def points_in(points: PointSet) -> Iterator[int]:
    """The numbers of points that are possible, one by one."""
    while points:
        yield _lowest_points(points)
        points &= points - 1


def hands_of_clue(piles: Piles, clue: Clue) -> Iterator[Hand]:
    """Hands that the clue stands for; they differ in where their chows begin."""
    pieces = list(piles.laid_out(clue.entry, clue.points))
    player = replace(clue.circumstance.hand, bonus=clue.bonus.tiles)
    for places in product(*(piece.places for piece in pieces)):
        placed_pieces = list(zip(pieces, places, strict=True))
        if player.goulash:
            # Jokers stand in pungs and kongs for each tile that there are not enough of.
            need: Counter[int] = Counter()
            for piece, place in placed_pieces:
                need[place] += piece.stand.size if piece.stand else 1
            for number, (piece, place) in enumerate(placed_pieces):
                jokers = min(max(0, need[place] - 4), piece.most_jokers)
                need[place] -= jokers
                placed_pieces[number] = piece._replace(jokers=jokers), place
        hand = lay_out_hand(player, placed_pieces)
        # Whether the last tile is there, and four of each tile are enough.
        has_last_tile = hand.winning_tile is None or hand.winning_tile in hand.concealed
        if has_last_tile and max(Counter(hand.tiles).values(), default=0) <= 4:
            yield hand


def lay_out_hand(player: Hand, placed_pieces: PlacedPieces) -> Hand:
    """The hand told so, with sets and single tiles at these places."""
    table: list[TileSet] = []
    concealed: list[Tile] = []
    last = player.winning_tile
    for piece, place in placed_pieces:
        stand = piece.stand
        if stand is None:
            concealed.append(PLAYING_TILES[place])
            continue
        group = set_of(stand.code(place) + piece.jokers * JOKERS_FROM)
        if stand.kind is Kind.KONG or stand.is_open:
            table.append(group)
        else:
            concealed += group.tiles
        if (stand.claimed or stand.times > 1) and last not in group.tiles:
            last = group.tile
    return replace(player, sets=tuple(table), concealed=tuple(concealed), winning_tile=last)


class Candidates(NamedTuple):
    """Hands that may score each total, in points after the limit."""

    piles: Piles
    weighing: Weighing

    @property
    def totals(self) -> list[int]:
        """The totals that are worth a try."""
        return sorted(self.weighing.clues_by_total)

    def hands(self, total: int) -> Iterator[Hand]:
        """Hands that score so much unless there is a better way to count them."""
        for clue in self.weighing.clues_by_total[total]:
            yield from hands_of_clue(self.piles, clue)


def candidates(player: Hand, rules: RuleSet) -> Iterator[Candidates]:
    """Everything that such a player may hold, table by table."""
    if player.mahjong:
        is_split = rules.one_suit is not None and rules.one_suit.but_special
        for only_special in (False, True) if is_split else (False,):
            yield _won_candidates(player, rules, only_special=only_special)
        return
    # Thirteen tiles or fewer, the fewest first: a short hand is not one tile short of another.
    worths = Worths(rules, won=False)
    chows = CHOW_STANDS_ON_TABLE + (CHOW_STANDS_IN_HAND if rules.adding else ())
    stands = (STANDS_IN_HAND + STANDS_ON_TABLE, chows)
    piles = _make_piles(player, rules, worths, {"tiles": range(14)}, stands)
    weighing = Weighing(rules, worths, player)
    weighing.weigh(sorted(piles.table.items()), weighing.circumstances)
    yield Candidates(piles, weighing)
    if any(not form.special.winner_only for form in rules.book.doubled_forms):
        # Thirteen tiles, one short of pungs or kongs and a pair that are doubled as a whole.
        worths = Worths(rules, won=False, fishing=True)
        most = {"sets": range(5), "pairs": range(3), "singles": range(2)}
        piles = _make_piles(player, rules, worths, most, (STANDS_IN_HAND + STANDS_ON_TABLE, ()))
        weighing = Weighing(rules, worths, player)
        for numbers in ({"sets": 4, "singles": 1}, {"sets": 3, "pairs": 2}):
            hands = _hands_of_shape(piles, numbers)
            doubled_hands = [
                hand
                for hand in hands
                if worths[hand[0].flags | worths.questions.count_flags(hand[0].shape)].own_doubles
                is not None
            ]
            weighing.weigh(doubled_hands, weighing.circumstances)
        yield Candidates(piles, weighing)


def _won_candidates(player: Hand, rules: RuleSet, *, only_special: bool) -> Candidates:
    """Four sets and a pair; a claimed or a drawn last tile may complete one of them.

    `only_special`: special hands alone, which may be of two suits where others may not.
    """
    worths = Worths(rules, won=True, only_special=only_special)
    most = {"sets": range(5), "pairs": range(2), "claimed": range(2), "again": range(2)}
    stands: tuple[Stand, ...] = STANDS_IN_HAND + STANDS_ON_TABLE + CLAIMED_STANDS
    chows: tuple[Stand, ...] = CHOW_STANDS_IN_HAND + CHOW_STANDS_ON_TABLE + CLAIMED_CHOW_STANDS
    if rules.adding:
        stands += repeat_stands(STANDS_IN_HAND, rules.adding.last_tile.times)
        chows += repeat_stands(CHOW_STANDS_IN_HAND, rules.adding.last_tile.times)
    piles = _make_piles(player, rules, worths, most, (stands, chows))
    weighing = Weighing(rules, worths, player, only_special=only_special)
    for is_claimed in (False, True):
        so_won = [
            circumstance
            for circumstance in weighing.circumstances
            if circumstance.hand.claimed == is_claimed
        ]
        weighing.weigh(_mahjong_hands(piles, claimed=is_claimed), so_won)
    # The ways in which what the last tile completes counts again.
    last_tile = rules.book.last_tile
    counting = [
        circumstance
        for circumstance in weighing.circumstances
        if last_tile
        and marks.of_circumstances(circumstance.hand) & last_tile.mask == last_tile.want
    ]
    weighing.weigh(_mahjong_hands(piles, again=True), counting)
    return Candidates(piles, weighing)


def _mahjong_hands(piles: Piles, **last: bool) -> EntryList:
    """The hands of the table that are four sets and a pair, and whose last tile did this."""
    return _hands_of_shape(piles, {"sets": 4, "pairs": 1} | last)


def _hands_of_shape(piles: Piles, field_counts: Mapping[str, int]) -> EntryList:
    """The hands of the table that have so many of each, whatever their chows and jokers."""
    shape = pack_shape((name, field_counts.get(name, 0)) for name in _WHOLE_HAND_FIELDS)
    mask = pack_shape((name, 31) for name in _WHOLE_HAND_FIELDS)
    return [hands for hands in piles.table.items() if hands[0].shape & mask == shape]


def _make_piles(
    player: Hand,
    rules: RuleSet,
    worths: Worths,
    most: dict[str, range],
    stands: tuple[tuple[Stand, ...], tuple[Stand, ...]],
) -> Piles:
    """The table of all that may be held, with no more of each than `most`."""
    adding, chows = rules.adding, rules.chows.max_chows(player.players, goulash=player.goulash)
    if chows < 4:
        most = most | {"chows": range(chows + 1)}
    if player.goulash:
        most = most | {"jokers": range(_MAX_JOKERS + 1)}
    most = most | {name: range(_MAX_COUNTED_SETS + 1) for name in worths.questions.counts}
    holdings = Holdings(
        rules.book.prices(player.seat_wind, player.prevailing_wind),
        worths.questions,
        most,
        *stands,
        singles=not player.mahjong,
        jokers=rules.jokers if player.goulash else None,
        dragons=adding.dragons if adding else (),
        chows_beside_a_dragon=bool(adding and rules.choice[adding.chows_beside_a_dragon]),
    )
    return Piles(holdings.steps(chows), pack_shapes(**most), worths.questions)
