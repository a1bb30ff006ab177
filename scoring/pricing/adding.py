"""Every way to add a hand up, where points are added and nothing is doubled."""

from collections.abc import Collection, Iterator, Sequence
from itertools import product
from typing import Final, NamedTuple

from scoring.hands.hand import EXPOSED_FROM, Hand, Kind, TileSet, set_codes, set_of
from scoring.hands.tiles import Counts, Tile, one_of_each
from scoring.pricing.candidates import Player, Tally
from scoring.reading.layouts import codes_of_sets, won_layouts
from scoring.rules.declarations import Adding, ChowDragon, SpecialHand
from scoring.rules.prices import Line
from scoring.rules.rule_set import RuleSet

LineSequence = Sequence[Line]
_THIRDS: Final = tuple(
    frozenset(
        code
        for exposed in (False, True)
        for code in set_codes(Kind.CHOW, exposed=exposed)
        if set_of(code).tile[1] == lowest
    )
    for lowest in "147"
)
_CHOW_CODES: Final = frozenset[int]().union(*_THIRDS)
_THIRDS_IN_HAND: Final = [
    (code, set_of(code).counts) for code in sorted(_CHOW_CODES) if code < EXPOSED_FROM
]


class Sum(NamedTuple):
    """One way to add a hand up: points, the special hand named, the lines, the sets in the hand.

    `unknown_part`: the last tile completed a part that would count again, and nobody said which.
    """

    points: int
    special: str | None
    lines: tuple[Line, ...]
    groups: tuple[TileSet, ...]
    unknown_part: bool = False


class WholePart(NamedTuple):
    """What the last tile may have made whole: a set, a dragon of chows, a hand of another shape."""

    points: int
    tiles: tuple[Tile, ...]


class WholeHandScore(NamedTuple):
    """What scores for the hand as a whole, and the special hand that it is named, if any."""

    lines: LineSequence = ()
    special: str | None = None


class Adder:
    """One player's hand about to be added up: what holds however its tiles are laid out."""

    def __init__(self, hand: Hand, rules: RuleSet, adding: Adding, counts: Counts | None) -> None:
        self.hand = hand
        self.rules = rules
        self.adding = adding
        self.player = Player(hand, rules, counts)
        self.table = [group.code for group in hand.sets]
        self.bonus = bonus_lines(hand.bonus, rules, adding)
        last_tile = rules.book.last_tile
        self.is_last_tile_counted = (
            last_tile is not None and self.player.circumstances & last_tile.mask == last_tile.want
        )

    def won(self) -> Iterator[Sum]:
        """Every way to add a Mah-Jong up: hands of another shape first."""
        player = self.player
        for special in player.loose_forms():
            line = _special_line(special, self.rules)
            hand_score = _whole_hand_score(self, player.loose_tally())
            named_score = (
                hand_score if hand_score.special else hand_score._replace(special=special.key)
            )
            whole_parts = [WholePart(line.points or 0, ())] if self.is_last_tile_counted else []
            yield self.add_up([line], whole_parts, named_score)
        for layout in won_layouts(self.hand, self.rules, player.prices, player.counts):
            tally = player.tally(layout)
            yield from self.sums(codes_of_sets(tally.groups), _whole_hand_score(self, tally))

    def standing(self) -> Iterator[Sum]:
        """What stands in the hand: the best sets, and the best beside each dragon."""
        counts, best = self.player.counts, self.player.prices.sets.best
        yield from self.sums(best.among(counts), WholeHandScore())
        kinds = one_of_each(counts)
        chows = [code for code, tiles in _THIRDS_IN_HAND if kinds & tiles == tiles]
        possible = [*self.table, *chows]
        for _dragon, places in _chow_dragons(possible, self.adding):
            chow_codes = bytes([possible[place] for place in places if place >= len(self.table)])
            remaining_counts = counts - sum([set_of(code).counts for code in chow_codes])
            yield from self.sums(chow_codes + best.among(remaining_counts), WholeHandScore())

    def sums(self, layout: Sequence[int], hand_score: WholeHandScore) -> Iterator[Sum]:
        """The hand laid out so, with each dragon that its chows make, and with none."""
        codes = [*layout, *self.table]
        prices = [self.player.prices.sets[code] for code in codes]
        completed_places = self._completed_places(layout) if self.is_last_tile_counted else ()
        groups = tuple(sorted(map(set_of, layout), key=lambda group: group.kind is Kind.PAIR))
        chows_too = self.rules.choice[self.adding.chows_beside_a_dragon]
        for dragon, places in _chow_dragons(codes, self.adding):
            tiles = tuple(tile for place in places for tile in set_of(codes[place]).tiles)
            lines = [Line(dragon.name, dragon.source, tiles, points=dragon.points)]
            whole_parts = (
                [WholePart(dragon.points, tiles)] if {*completed_places} & {*places} else []
            )
            for place, price in enumerate(prices):
                if chows_too or place not in places:
                    lines += price.point_lines
                    if place in completed_places:
                        whole_parts.append(WholePart(price.points, set_of(codes[place]).tiles))
            named_score = (
                hand_score if hand_score.special else hand_score._replace(special=dragon.key)
            )
            yield self.add_up(lines, whole_parts, named_score, groups)
        lines = [line for price in prices for line in price.point_lines]
        whole_parts = [
            WholePart(prices[place].points, set_of(codes[place]).tiles)
            for place in completed_places
        ]
        yield self.add_up(lines, whole_parts, hand_score, groups)

    def _completed_places(self, layout: Sequence[int]) -> list[int]:
        """The places of the sets that the last tile may have made whole."""
        last = self.hand.winning_tile
        if last is None:
            return [0] if len(layout) == 1 else []
        return [place for place, code in enumerate(layout) if last in set_of(code).tiles]

    def add_up(
        self,
        lines: list[Line],
        whole_parts: Sequence[WholePart],
        hand_score: WholeHandScore,
        groups: tuple[TileSet, ...] = (),
    ) -> Sum:
        """These lines added up with what the hand scores as a whole and with its bonus tiles.

        `completed`: of what the last tile may have made whole, the best counts again.
        """
        best = max(whole_parts, key=lambda part: part.points, default=None)
        if best and best.points:
            rule = self.adding.last_tile
            extra_points = best.points * (rule.times - 1)
            lines.append(Line(rule.name, rule.source, best.tiles, points=extra_points))
        lines += hand_score.lines
        lines += self.bonus
        unknown = self.is_last_tile_counted and not whole_parts
        points = sum([line.points or 0 for line in lines])
        return Sum(points, hand_score.special, tuple(lines), groups, unknown)


def every_sum(
    hand: Hand, rules: RuleSet, adding: Adding, counts: Counts | None = None
) -> Iterator[Sum]:
    """Every way to add the hand up that could be the best; none for what is no Mah-Jong.

    `counts`: the tiles in the hand, where they have been counted already.
    """
    if not hand.mahjong and not rules.losers_score:
        yield Sum(0, None, (), ())
        return
    adder = Adder(hand, rules, adding, counts)
    yield from adder.won() if hand.mahjong else adder.standing()


def bonus_lines(bonus: Collection[Tile], rules: RuleSet, adding: Adding) -> list[Line]:
    """A line for each bouquet, and for each bonus tile that is counted for itself."""
    by_tile = rules.book.bonus_lines
    full_bouquets = [bouquet for bouquet in adding.bouquets if {*bouquet.tiles} <= {*bonus}]
    if not full_bouquets:
        return [by_tile[tile] for tile in bonus]
    lines = [Line(row.name, row.source, row.tiles, points=row.points) for row in full_bouquets]
    flowers_too = rules.choice[adding.flowers_beside_a_bouquet]
    bouquet_tiles = (
        set() if flowers_too else {tile for bouquet in full_bouquets for tile in bouquet.tiles}
    )
    return lines + [by_tile[tile] for tile in bonus if tile not in bouquet_tiles]


def _whole_hand_score(adder: Adder, tally: Tally) -> WholeHandScore:
    """What a Mah-Jong laid out so scores as a whole, the special hands of any form among it."""
    verdict = tally.verdict
    lines = [_special_line(special, adder.rules) for special in verdict.specials]
    special_key = verdict.specials[0].key if verdict.specials else None
    return WholeHandScore((*verdict.point_lines, *lines), special_key)


def _special_line(special: SpecialHand, rules: RuleSet) -> Line:
    return Line(special.name, special.source, points=special.value.points(rules.limit))


def _chow_dragons(
    codes: Sequence[int], adding: Adding
) -> Iterator[tuple[ChowDragon, tuple[int, int, int]]]:
    """Each dragon that three of these chows make, and the places of the three among them."""
    if len(_CHOW_CODES.intersection(codes)) < len(_THIRDS):
        return
    first, middle, last = (
        [n for n, code in enumerate(codes) if code in third] for third in _THIRDS
    )
    for places in product(first, middle, last):
        one_suit = len({set_of(codes[place]).tile[0] for place in places}) == 1
        for dragon in adding.dragons:
            if dragon.one_suit == one_suit:
                yield dragon, places
