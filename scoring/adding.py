"""Adds a hand up where no rule doubles it: every set, dragon of chows and bonus tile for itself.

A hand is laid out in every way that could be best, and of each way every dragon that its chows
make is tried. Where the rules say so, the last tile counts the best part that it completes again;
a last tile that is not named does so where every tile of the hand would complete the same part.
"""

from collections.abc import Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from scoring.candidates import Player
from scoring.counts import counted
from scoring.declarations import Adding, ChowDragon, SpecialHand
from scoring.hands import EXPOSED_FROM, Hand, Kind, TileSet, codes_of, known_set
from scoring.layouts import won_layouts
from scoring.lines import Line
from scoring.rules import RuleSet
from scoring.tiles import Tile

Lines = Sequence[Line]

_MOST_CHOWS: Final = 4
_THIRDS: Final = tuple(
    frozenset(
        code
        for exposed in (False, True)
        for code in codes_of(Kind.CHOW, exposed=exposed)
        if known_set(code).tile[1] == lowest
    )
    for lowest in "147"
)
_THIRDS_IN_HAND: Final = sorted(code for third in _THIRDS for code in third if code < EXPOSED_FROM)


class Sum(NamedTuple):
    """One way to add a hand up: points, the special hand named, the lines, the sets in the hand.

    `unknown_part`: the last tile completed a part that would count again, and nobody said which.
    """

    points: int
    special: str | None
    lines: tuple[Line, ...]
    groups: tuple[TileSet, ...]
    unknown_part: bool = False


class Part(NamedTuple):
    """What scores for itself: a set, a dragon of chows, a hand of another shape.

    `completed`: it may be what the last tile made whole, where that counts again.
    """

    points: int
    lines: Lines
    tiles: tuple[Tile, ...]
    completed: bool


class Whole(NamedTuple):
    """What scores for the hand as a whole, and the special hand that it is named, if any."""

    lines: Lines = ()
    special: str | None = None


def best_sum(hand: Hand, rules: RuleSet, adding: Adding) -> Sum | None:
    """The way that adds up to most; None for a Mah-Jong that is none under these rules."""
    return max(every_sum(hand, rules, adding), key=lambda way: way.points, default=None)


def every_sum(hand: Hand, rules: RuleSet, adding: Adding) -> Iterator[Sum]:
    """Every way to add the hand up that could be the best; none for what is no Mah-Jong."""
    if hand.mahjong:
        yield from _won(Adder(hand, rules, adding))
    elif rules.losers_score:
        yield from _standing(Adder(hand, rules, adding))
    else:
        yield Sum(0, None, (), ())


class Adder:
    """One player's hand about to be added up: what holds however its tiles are laid out."""

    def __init__(self, hand: Hand, rules: RuleSet, adding: Adding) -> None:
        self.hand = hand
        self.rules = rules
        self.adding = adding
        self.player = Player(hand, rules)
        self.table = [group.code for group in hand.sets]
        self.bonus = _bonus_lines(self)
        asked = rules.book.last_tile
        self.again = asked is not None and self.player.circumstances & asked.mask == asked.want

    def ways(self, layout: Sequence[int], whole: Whole) -> Iterator[Sum]:
        """The hand laid out so, with each dragon that its chows make, and with none."""
        codes = [*layout, *self.table]
        parts = [
            self._part(code, in_hand=place < len(layout), alone=len(layout) == 1)
            for place, code in enumerate(codes)
        ]
        groups = tuple(sorted(map(known_set, layout), key=_is_a_pair))
        chows_too = self.rules.choice[self.adding.chows_beside_a_dragon]
        for dragon, places in _dragons(codes, self.adding):
            beside = [part for place, part in enumerate(parts) if chows_too or place not in places]
            made = _dragon_part(dragon, [parts[place] for place in places])
            named = whole if whole.special else whole._replace(special=dragon.key)
            yield self.added([made, *beside], named, groups)
        yield self.added(parts, whole, groups)

    def _part(self, code: int, *, in_hand: bool, alone: bool) -> Part:
        price, tiles = self.player.prices.sets[code], known_set(code).tiles
        last = self.hand.winning_tile
        completed = self.again and in_hand and (alone if last is None else last in tiles)
        return Part(price.points, price.point_lines, tiles, completed)

    def added(self, parts: Sequence[Part], whole: Whole, groups: tuple[TileSet, ...] = ()) -> Sum:
        """The parts added up with what the hand scores as a whole and with its bonus tiles."""
        lines = [line for part in parts for line in part.lines]
        lines += [*self._again(parts), *whole.lines, *self.bonus]
        unknown = self.again and not any(part.completed for part in parts)
        points = sum([line.points or 0 for line in lines])
        return Sum(points, whole.special, tuple(lines), groups, unknown)

    def _again(self, parts: Sequence[Part]) -> Iterator[Line]:
        """The line of the best part that the last tile completes, where that counts again."""
        best = max((part for part in parts if part.completed), key=_points, default=None)
        if best and best.points:
            rule = self.adding.last_tile
            yield Line(rule.name, rule.source, best.tiles, points=best.points * (rule.times - 1))


def _points(part: Part) -> int:
    return part.points


def _is_a_pair(group: TileSet) -> bool:
    return group.kind is Kind.PAIR


def _won(adder: Adder) -> Iterator[Sum]:
    """Every way to add a Mah-Jong up: hands of another shape first."""
    player = adder.player
    for special in player.loose_forms():
        line = _special_line(special, adder.rules)
        shape = Part(line.points or 0, (line,), (), adder.again)
        whole = _whole(adder, player.loose_tally().marks)
        yield adder.added([shape], whole if whole.special else whole._replace(special=special.key))
    for layout in won_layouts(adder.hand, adder.rules, _MOST_CHOWS):
        yield from adder.ways(layout, _whole(adder, player.tally(layout).marks))


def _whole(adder: Adder, held: int) -> Whole:
    """What the marks of a Mah-Jong score, the special hands of any form among it."""
    book = adder.player.book
    lines = [line for mask, want, _much, line in book.points if held & mask == want]
    known = [special for mask, want, special in book.set_forms if held & mask == want]
    lines += [_special_line(special, adder.rules) for special in known]
    return Whole(lines, known[0].key if known else None)


def _special_line(special: SpecialHand, rules: RuleSet) -> Line:
    return Line(special.name, special.source, points=special.value.points(rules.limit))


def _standing(adder: Adder) -> Iterator[Sum]:
    """What stands in a hand that did not win: the best sets, and the best beside each dragon."""
    hand = adder.hand
    best = adder.player.book.best_sets(hand.seat_wind, hand.prevailing_wind)
    counts = counted(hand.concealed)
    yield from adder.ways(best.among(counts), Whole())
    possible = [*adder.table, *(code for code in _THIRDS_IN_HAND if _holds(hand, code))]
    for _dragon, places in _dragons(possible, adder.adding):
        kept = bytes([possible[place] for place in places if place >= len(adder.table)])
        left = counts - sum([counted(known_set(code).tiles) for code in kept])
        yield from adder.ways(kept + best.among(left), Whole())


def _holds(hand: Hand, code: int) -> bool:
    return all(tile in hand.concealed for tile in known_set(code).tiles)


def _dragons(
    codes: Sequence[int], adding: Adding
) -> Iterator[tuple[ChowDragon, tuple[int, int, int]]]:
    """Each dragon that three of these chows make, and the places of the three among them."""
    first, middle, last = ([n for n, code in enumerate(codes) if code in of] for of in _THIRDS)
    for places in product(first, middle, last):
        one_suit = len({known_set(codes[place]).tile[0] for place in places}) == 1
        for dragon in adding.dragons:
            if dragon.one_suit == one_suit:
                yield dragon, places


def _dragon_part(dragon: ChowDragon, chows: Sequence[Part]) -> Part:
    tiles = tuple(tile for chow in chows for tile in chow.tiles)
    line = Line(dragon.name, dragon.source, tiles, points=dragon.points)
    return Part(dragon.points, (line,), tiles, any(chow.completed for chow in chows))


def _bonus_lines(adder: Adder) -> Lines:
    """A line for each bouquet, and for each bonus tile that is counted for itself."""
    of_tile, held = adder.player.book.bonus_lines, adder.hand.bonus
    whole = [bouquet for bouquet in adder.adding.bouquets if {*bouquet.tiles} <= {*held}]
    lines = [Line(row.name, row.source, row.tiles, points=row.points) for row in whole]
    flowers_too = adder.rules.choice[adder.adding.flowers_beside_a_bouquet]
    bound = set() if flowers_too else {tile for bouquet in whole for tile in bouquet.tiles}
    return lines + [of_tile[tile] for tile in held if tile not in bound]
