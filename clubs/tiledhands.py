"""The hands of a deal that were told in tiles: what each held, and every line of its score."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from clubs.rows import HandView
from scoring import Code, Wind


@dataclass(frozen=True, slots=True)
class TiledLine:
    """A line of a score: its name, its tiles, and what it is worth in words."""

    name: str
    tiles: tuple[str, ...]
    worth: str


@dataclass(frozen=True, slots=True)
class TiledHand:
    """One player's tiles in groups of codes; ``sum`` is what was doubled, empty without doubles.

    ``notices`` are sentences: what was told of the hand and cannot have happened.
    """

    name: str
    wind: Wind
    total: int
    sum: str
    groups: tuple[tuple[str, ...], ...]
    lines: tuple[TiledLine, ...]
    notices: tuple[str, ...]


def tiled_hands(hand: HandView) -> Iterator[TiledHand]:
    """Each seat that was told in tiles, from East on."""
    for line in hand.lines:
        counted = hand.row.lines.get(str(line.seat))
        if counted is not None:
            yield TiledHand(
                name=line.name,
                wind=line.wind,
                total=counted["total"],
                sum=_sum(counted),
                groups=tuple(_groups(hand.row.report["tiles"][str(line.seat)])),
                lines=tuple(map(_line, counted["items"])),
                notices=tuple(_notices(counted)),
            )


def _notices(counted: Mapping[str, Any]) -> Iterator[str]:
    """What was noticed, but that few tiles are given: a loser gives what scores."""
    for notice in counted.get("notices", ()):
        if notice["code"] != Code.SHORT_HAND:
            yield notice["message"]


def _sum(counted: Mapping[str, Any]) -> str:
    doubles = counted["doubles"]
    return f"{counted['basic']:,} × {1 << doubles:,}" if doubles else ""


def _groups(tiles: Mapping[str, Any]) -> Iterator[tuple[str, ...]]:
    for one in tiles.get("sets", ()):
        yield tuple(one["tiles"])
    yield from (tuple(tiles[name]) for name in ("concealed", "bonus") if tiles.get(name))


def _line(item: Mapping[str, Any]) -> TiledLine:
    if (doubles := item.get("doubles")) is not None:
        worth = "1 double" if doubles == 1 else f"{doubles} doubles"
    else:
        worth = f"{item.get('points', item.get('value')):,}"
    return TiledLine(item["name"], tuple(item["tiles"]), worth)
