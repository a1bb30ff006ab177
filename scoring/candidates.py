"""The ways to score a hand, each with its points before the limit."""

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from scoring import marks
from scoring.book import DoubledForm, Worth
from scoring.declarations import Reach, SpecialHand, Value
from scoring.hands import Hand
from scoring.layouts import (
    Layout,
    codes,
    irregular_layouts,
    loose_tiles,
    one_tile_short,
    only_possible,
    standing_layouts,
)
from scoring.rules import RuleSet

_PUNG = 3
_BONUS_REACH = (Reach.BONUS_TILES, Reach.EVERYTHING)
Worths = Sequence[Worth]


class Tally(NamedTuple):
    """A hand laid out in one way: the points and doubles of its sets, and the marks of it all."""

    layout: Layout
    points: int
    doubles: int
    marks: int


class Candidate(NamedTuple):
    """A way to score a hand: `(points << doubles) + value + beside`, before the limit.

    `special` is None for the ordinary score. `for_points` and `for_doubles` are the lines of the
    rules that hold for the hand as a whole, `beside` those that double bonus tiles counted apart.
    """

    uncapped: int
    points: int
    doubles: int
    tally: Tally
    for_points: Worths = ()
    for_doubles: Worths = ()
    special: SpecialHand | DoubledForm | None = None
    value: Value | None = None
    beside: Worths = ()
    fishing: bool = False


class Player:
    """One player's hand about to be counted: what holds however its tiles are laid out."""

    def __init__(self, hand: Hand, rules: RuleSet) -> None:
        self.hand = hand
        self.rules = rules
        self.book = book = rules.book
        self.prices = book.prices(hand.seat_wind, hand.prevailing_wind)
        self.points: Worths = book.points if hand.mahjong else ()
        self.doubles: Worths = book.doubles_won if hand.mahjong else book.doubles_standing
        bonus = hand.bonus and rules.bonus_points
        self.bonus_points = bonus.points * len(hand.bonus) if bonus else 0
        known = marks.of_circumstances(hand)
        if book.asks & marks.ONLY_TILE and hand.mahjong and only_possible(hand, rules):
            known |= marks.ONLY_TILE
        self.circumstances = known
        self.table = 0, 0, known
        if hand.sets:
            self.table = self._with(codes(hand.sets))

    def _with(self, layout: Layout) -> tuple[int, int, int]:
        """Points, doubles and marks of the table's sets and those of the layout."""
        points, doubles, held = self.table
        prices = self.prices.sets
        for code in layout:
            more, twice, seen, _lines, _double_lines = prices[code]
            points += more
            doubles += twice
            held |= seen
        return points, doubles, held

    def tally(self, layout: Layout) -> Tally:
        """A hand that is all sets and a pair, laid out so."""
        points, doubles, held = self._with(layout)
        return Tally(layout, points, doubles, marks.with_suits_counted(held))

    def standing_tally(self, layout: Layout) -> Tally:
        """A loser's hand laid out so; what stands in no set is held all the same."""
        points, doubles, held = self._with(layout)
        held |= marks.of_tiles(self.hand.concealed)
        return Tally(layout, points, doubles, marks.with_suits_counted(held))

    def loose_tally(self) -> Tally:
        """The whole hand as loose tiles."""
        held = self.circumstances | marks.LOOSE | marks.of_tiles(self.hand.concealed)
        for group in self.hand.sets:
            held |= marks.of_tiles(group.stands_for)
        return Tally(b"", 0, 0, marks.with_suits_counted(held))

    def in_no_pungs(self, loose: Sequence[SpecialHand]) -> bool:
        """Whether no tiles of these hands of other shapes stand together as a pung."""
        shapes = map(self.book.shape, loose)
        return all(shape and shape.most_alike < _PUNG for shape in shapes)

    def irregular_tallies(self, special: SpecialHand) -> list[Tally]:
        """A winner's hand of that special hand's own shape, counted by what stands in it."""
        shape = self.book.shape(special)
        if shape is None:
            return []
        layouts = irregular_layouts(self.hand, self.rules, self.prices, shape)
        tallies = map(self.standing_tally, layouts)
        return [tally._replace(marks=tally.marks | marks.LOOSE) for tally in tallies]

    def loose_forms(self) -> list[SpecialHand]:
        """The special hands of a shape of their own that a winner's hand is."""
        counts = loose_tiles(self.hand)
        if counts is None:
            return []
        held = self.loose_tally().marks
        return [
            special
            for mask, want, shape, special in self.book.loose_forms
            if held & mask == want and shape.whole(counts)
        ]

    def ordinary(self, tally: Tally) -> Candidate:
        """Everything counted as the rules count an ordinary hand."""
        _layout, points, doubles, held = tally
        points += self.bonus_points
        for_points = [worth for worth in self.points if held & worth[0] == worth[1]]
        for_doubles = [worth for worth in self.doubles if held & worth[0] == worth[1]]
        for worth in for_points:
            points += worth[2]
        for worth in for_doubles:
            doubles += worth[2]
        return Candidate(points << doubles, points, doubles, tally, for_points, for_doubles)

    def fixed(
        self, special: SpecialHand, value: Value, tally: Tally, *, fishing: bool = False
    ) -> Candidate:
        """The special hand's value, and its bonus tiles where they are counted beside it."""
        beside, more = self._beside(tally)
        points = value.points(self.rules.limit) + more
        return Candidate(points, 0, 0, tally, (), (), special, value, beside, fishing)

    def doubled(self, form: DoubledForm, tally: Tally) -> Candidate:
        """The hand's own points doubled, and its bonus tiles counted beside them."""
        won = self.hand.mahjong
        for_points = holding((*self.points, *form.points) if won else (), tally.marks)
        for_doubles = holding(self.book.doubles_reaching(Reach.EVERYTHING, won=won), tally.marks)
        own = tally.points + _sum(for_points)
        doubles = form.special.doubles + _sum(for_doubles)
        beside, more = self._beside(tally)
        return Candidate(
            uncapped=(own << doubles) + more,
            points=own,
            doubles=doubles,
            tally=tally,
            for_points=for_points,
            for_doubles=for_doubles,
            special=form,
            beside=beside,
            fishing=not won,
        )

    def _beside(self, tally: Tally) -> tuple[Worths, int]:
        """The doubles of the bonus tiles beside a special hand, and what they come to."""
        if not self.bonus_points or not self.rules.bonus_tiles_beside:
            return (), 0
        reaching = self.book.doubles_reaching(*_BONUS_REACH, won=self.hand.mahjong)
        beside = holding(reaching, tally.marks)
        return beside, self.bonus_points << _sum(beside)


def holding(lines: Worths, held: int) -> list[Worth]:
    """Those of the lines that hold for a hand of these marks."""
    return [worth for worth in lines if held & worth[0] == worth[1]]


def _sum(worths: Worths) -> int:
    return sum([worth.much for worth in worths])


def won_candidates(
    player: Player, layouts: Sequence[Layout], loose: Sequence[SpecialHand]
) -> list[Candidate]:
    """Every way to score a Mah-Jong: special hands first, then the ordinary score.

    `layouts` are the ways in which it is sets and a pair, `loose` the hands of another shape that
    it is.
    """
    tallies = [player.tally(layout) for layout in layouts]
    shapes = [*tallies, player.loose_tally()] if loose else tallies
    ways = [player.fixed(special, special.value, shapes[-1]) for special in loose]
    for tally in shapes:
        held = tally.marks
        known = [special for mask, want, special in player.book.set_forms if held & mask == want]
        ways += [player.fixed(special, special.value, tally) for special in known]
        for form in player.book.doubled_forms:
            if held & form.mask == form.want:
                ways.append(player.doubled(form, tally))
    if loose and not tallies and player.rules.face_of_any_shape:
        tallies = [tally for special in loose for tally in player.irregular_tallies(special)]
    ways += [player.ordinary(tally) for tally in tallies]
    return ways


def standing_candidates(player: Player) -> list[Candidate]:
    """Every way to score the hand of a player who did not win: special hands first."""
    if not player.rules.losers_score:
        return [Candidate(0, 0, 0, player.tally(b""))]
    layouts = standing_layouts(player.hand, player.rules, player.prices)
    tallies = [player.standing_tally(layout) for layout in layouts]
    ordinary = max(map(player.ordinary, tallies), key=lambda way: way.uncapped)
    return [*_held(player, tallies), *_fishing(player, ordinary.tally, tallies), ordinary]


def _held(player: Player, tallies: Sequence[Tally]) -> Iterator[Candidate]:
    for (mask, want), value, special in player.book.standing_forms:
        known = [tally for tally in tallies if tally.marks & mask == want]
        if known:
            yield player.fixed(special, value, known[0])


def _fishing(player: Player, best: Tally, tallies: Sequence[Tally]) -> Iterator[Candidate]:
    """The special hands that one tile more would make; `best` is the hand as it stands."""
    if player.hand.size != 13:
        return
    completed = [player.tally(lay).marks for lay in one_tile_short(player.hand, player.rules)]
    for special in (*_near_sets(player, completed), *_near_loose(player)):
        if special.fishing is not None:
            yield player.fixed(special, special.fishing, best, fishing=True)
    for form in player.book.doubled_forms:
        if form.special.winner_only:
            continue
        if any(held & form.mask == form.want for held in completed):
            yield from (player.doubled(form, tally) for tally in tallies)


def _near_sets(player: Player, completed: Sequence[int]) -> Iterator[SpecialHand]:
    """The special hands of pungs and a pair that the hand is with one tile more."""
    if completed:
        for mask, want, special in player.book.set_forms:
            if special.of_pungs and any(held & mask == want for held in completed):
                yield special


def _near_loose(player: Player) -> Iterator[SpecialHand]:
    """The special hands of a shape of their own that one tile more would make."""
    counts = loose_tiles(player.hand)
    if counts is not None:
        held = player.loose_tally().marks
        for mask, want, shape, special in player.book.loose_forms:
            if held & mask == want and shape.near(counts):
                yield special
