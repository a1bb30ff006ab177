"""The lines of a score: what each set, tile and circumstance is worth, in the rules' words."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from scoring.hands import Hand, Reading, TileSet
from scoring.rules import Double, Points, Reach, RuleSet, Who
from scoring.tiles import Tile


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a score: points, doubles, or the value of a special hand.

    A value that was itself reckoned (Purity's) carries its own lines as `workings`.
    """

    name: str
    source: str
    tiles: tuple[Tile, ...] = ()
    points: int | None = None
    doubles: int | None = None
    value: int | None = None
    workings: tuple["Line", ...] = ()

    def as_json(self) -> dict[str, object]:
        """The form of `items`: the name, the tiles and what the line is worth."""
        worth = {"points": self.points, "doubles": self.doubles, "value": self.value}
        shown: dict[str, object] = {"name": self.name, "tiles": list(self.tiles)}
        shown |= {unit: number for unit, number in worth.items() if number is not None}
        if self.workings:
            shown["workings"] = [line.as_json() for line in self.workings]
        return shown


def reckoned(lines: Iterable[Line]) -> int:
    """What the lines come to before the limit: values, and points doubled."""
    points = doubles = values = 0
    for line in lines:
        points += line.points or 0
        doubles += line.doubles or 0
        values += line.value or 0
    return values + (points << doubles)


def set_points(sets: Sequence[TileSet], hand: Hand, rules: RuleSet) -> Iterator[Line]:
    """The points of the sets, set by set."""
    for tile_set in sets:
        for rule in rules.set_points:
            points = rule.exposed if tile_set.exposed else rule.concealed
            if points and rule.when.test(tile_set, hand):
                yield Line(rule.name, rule.source, tile_set.tiles, points=points)


def set_doubles(sets: Sequence[TileSet], hand: Hand, rules: RuleSet) -> Iterator[Line]:
    """The doubles that sets give, set by set."""
    for tile_set in sets:
        for rule in rules.set_doubles:
            if rule.when.test(tile_set, hand):
                yield Line(rule.name, rule.source, tile_set.tiles, doubles=rule.doubles)


def bonus_points(hand: Hand, rules: RuleSet) -> Iterator[Line]:
    """The points of the flowers and seasons."""
    rule = rules.bonus_points
    for tile in hand.bonus:
        yield Line(rule.name, rule.source, (tile,), points=rule.points)


def winners_points(reading: Reading, points: Iterable[Points]) -> Iterator[Line]:
    """The points for going Mah-Jong and for how it was done."""
    for rule in points:
        if rule.when.test(reading):
            yield Line(rule.name, rule.source, points=rule.points)


def hand_doubles(
    reading: Reading, rules: RuleSet, reaches: tuple[Reach, ...] = tuple(Reach)
) -> Iterator[Line]:
    """The doubles of the whole hand that reach so far."""
    true = [
        rule
        for rule in rules.doubles
        if rule.reach in reaches and _is_for(rule, reading.hand) and rule.when.test(reading)
    ]
    replaced = {name for rule in true for name in rule.instead_of}
    for rule in true:
        if rule.name not in replaced:
            yield Line(rule.name, rule.source, doubles=rule.doubles)


def _is_for(rule: Double, hand: Hand) -> bool:
    return hand.mahjong or rule.who is Who.EVERYONE
