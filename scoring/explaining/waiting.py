"""What a hand of thirteen tiles is fishing for, and what each tile would score."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from scoring.explaining.looks import Look, special_names
from scoring.hands import Hand, WonBy
from scoring.layouts import without
from scoring.naming import with_article
from scoring.problems import BadHand
from scoring.reckoning import Reckoning, score
from scoring.rules import RuleSet
from scoring.tiles import PLAYING_TILES, TILE_NAMES, Tile


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
