"""The other ways to count a hand, and what a hand of thirteen tiles waits for."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from scoring.explaining.special_hands import Look, special_names
from scoring.hands.hand import Hand, TileSet, WonBy, set_name, set_names, with_article
from scoring.hands.problems import BadHand
from scoring.hands.tiles import PLAYING_TILES, TILE_NAMES, Tile
from scoring.pricing.candidates import every_sum, standing_candidates, won_candidates
from scoring.pricing.scoring import Reckoning, score
from scoring.reading.layouts import groups, without
from scoring.rules.rule_set import RuleSet


class Reading(NamedTuple):
    """Another way to count the hand: its sets, the special hand it is counted as, its points."""

    arrangement: tuple[TileSet, ...]
    special: str | None
    total: int
    sentence: str

    def as_json(self) -> dict[str, object]:
        """The form of `readings` on the command line."""
        sets = [group.as_json() for group in self.arrangement]
        return dict(self._asdict()) | {"arrangement": sets}


class _Way(NamedTuple):
    special: str | None
    groups: tuple[TileSet, ...]
    total: int
    fishing: bool = False


def readings(look: Look, best: Reckoning) -> tuple[Reading, ...]:
    """Every other way that was weighed, the most points first; of ways that are alike the best."""
    names = special_names(look.rules)
    told: dict[str, Reading] = {}
    for way in sorted(_ways(look), key=lambda way: -way.total):
        counted = _counted(way, best, names)
        sentence = f"{counted} it would score {way.total:,}."
        if counted:
            told.setdefault(counted, Reading(way.groups, way.special, way.total, sentence))
    return tuple(told.values())


def _ways(look: Look) -> Iterator[_Way]:
    if look.rules.adding:
        for added in every_sum(look.hand, look.rules, look.rules.adding):
            yield _Way(added.special, added.groups, look.rules.capped(added.points))
    else:
        yield from _ways_to_double(look)


def _ways_to_double(look: Look) -> Iterator[_Way]:
    player, won = look.player, look.hand.mahjong
    ways = (
        won_candidates(player, look.layouts, player.loose_forms())
        if won
        else standing_candidates(player)
    )
    for way in ways:
        key = way.special.key if way.special else None
        total = look.rules.capped(way.uncapped)
        yield _Way(key, groups(way.tally.layout), total, fishing=way.fishing)


def _counted(way: _Way, best: Reckoning, names: dict[str, str]) -> str:
    """How the hand is counted in that way; nothing where it is the way of the best score."""
    if way.special and way.special != best.special:
        name = names[way.special]
        return f"As a hand one tile short of {name}" if way.fishing else f"Counted as {name}"
    other = [group for group in way.groups if group not in best.arrangement]
    if other and best.arrangement:
        return _read_as(other, best)
    return "" if way.special == best.special else "Counted as an ordinary hand"


def _read_as(other: list[TileSet], best: Reckoning) -> str:
    known = {(group.kind, group.tile) for group in best.arrangement}
    if all((group.kind, group.tile) in known for group in other):
        opened = next((group for group in other if group.exposed), other[0])
        return f"With the claimed tile in the {set_name(opened)}"
    return f"Read as {set_names(other)}"


class Wait(NamedTuple):
    """A tile that makes the hand a Mah-Jong, and the least that it then scores, in points.

    `drawn` from the wall, `claimed` from a discard; None where it may not be won so. `makes` are
    the keys of the special hands that it makes.
    """

    tile: Tile
    drawn: int | None
    claimed: int | None
    makes: tuple[str, ...]
    sentence: str

    def as_json(self) -> dict[str, object]:
        """The form of `waits` on the command line."""
        return dict(self._asdict()) | {"makes": list(self.makes)}


def waits(hand: Hand, rules: RuleSet) -> tuple[Wait, ...]:
    """Every kind of tile that makes a Mah-Jong of the hand, in the order of the tiles.

    A winner's hand is taken as it was before its winning tile came. None where it is not known
    which tile that was, or where there are not thirteen tiles.
    """
    before = _before(hand)
    return () if before is None else tuple(_waits(before, rules))


def _before(hand: Hand) -> Hand | None:
    if hand.mahjong:
        return None if hand.winning_tile is None else without(hand, hand.winning_tile)
    return hand if hand.size == 13 else None


def _waits(hand: Hand, rules: RuleSet) -> Iterator[Wait]:
    for tile in PLAYING_TILES:
        whole = replace(hand, concealed=(*hand.concealed, tile), mahjong=True, winning_tile=tile)
        drawn = _won(whole, WonBy.WALL, rules)
        claimed = _won(whole, WonBy.DISCARD, rules)
        if drawn or claimed:
            yield _wait(whole, drawn, claimed, rules)


def _won(whole: Hand, way: WonBy, rules: RuleSet) -> Reckoning | None:
    try:
        return score(replace(whole, won_by=way), rules)
    except BadHand:
        return None


def _wait(whole: Hand, drawn: Reckoning | None, claimed: Reckoning | None, rules: RuleSet) -> Wait:
    tile = whole.winning_tile or whole.concealed[-1]
    made: set[str] = set()
    for way, won in ((WonBy.WALL, drawn), (WonBy.DISCARD, claimed)):
        if won:
            made |= Look(replace(whole, won_by=way), rules).made
            made |= {won.special} if won.special else set()
    names = {key: name for key, name in special_names(rules).items() if key in made}
    what = f"Mah-Jong ({', '.join(names.values())})" if names else "Mah-Jong"
    article, _space, name = with_article(TILE_NAMES[tile]).partition(" ")
    sentence = f"{article.capitalize()} {name} makes {what}: {_worth(drawn, claimed)}."
    return Wait(tile, drawn and drawn.total, claimed and claimed.total, tuple(names), sentence)


def _worth(drawn: Reckoning | None, claimed: Reckoning | None) -> str:
    if drawn and claimed and drawn.total == claimed.total:
        return f"{drawn.total:,} at least"
    said = [f"{drawn.total:,} drawn from the wall"] if drawn else []
    said += [f"{claimed.total:,} claimed"] if claimed else []
    words = " or ".join(said)
    return words if drawn and claimed else f"{words}, and not otherwise"
