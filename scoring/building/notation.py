"""A draft as a short text that an address can hold: `ES.B111C234-Dggg~Wnnnn.F1S1.won-wall`.

Four parts: winds and table; tiles in the hand, then sets on the table (`-` exposed, `~` a concealed
kong); flowers and seasons; how it ended. A suit's letter stands once before its numbers.
"""

import re
from collections.abc import Callable, Iterable
from itertools import groupby
from typing import Any, Final

from scoring.building.draft import MOST_SETS, MOST_TILES, Draft, most_of
from scoring.hands.hand import Fact, Kind, TileSet, WonBy, read_set
from scoring.hands.tiles import BONUS_TILES, Tile, Wind, read_tile

_LONGEST: Final = 300
_RUN: Final = re.compile(r"([BCOWDFSJ])([1-9eswnrgk]+)")
_RUNS: Final = re.compile(rf"(?:{_RUN.pattern})*")
_SET: Final = re.compile(r"[-~][^-~]*")
_PLACE: Final = re.compile(r"([ESWN])([ESWN])([235]?)(g?)([dn]?)")
_END: Final = {True: "won", False: "lost"}


class BadNotation(ValueError):
    """The text is no draft."""


def written(draft: Draft) -> str:
    """The draft as a text of letters, digits and `.-~_`."""
    tiles = written_tiles(draft.tiles) + "".join(map(written_set, draft.table))
    return ".".join((_place(draft), tiles, written_tiles(draft.bonus), _end(draft)))


def written_tiles(tiles: Iterable[Tile]) -> str:
    """Tiles in a row: `B111C23Wes`."""
    return "".join(
        suit + "".join(tile[1].lower() for tile in run)
        for suit, run in groupby(tiles, key=lambda tile: tile[0])
    )


def written_set(group: TileSet) -> str:
    """A set on the table: `-B111` exposed, `~B1111` a concealed kong."""
    return ("-" if group.exposed else "~") + written_tiles(group.tiles)


def _place(draft: Draft) -> str:
    players = "" if draft.players == 4 else str(draft.players)
    dealer = {None: "", True: "d", False: "n"}[draft.dealer]
    return f"{draft.seat}{draft.prevailing}{players}{'g' if draft.goulash else ''}{dealer}"


def _end(draft: Draft) -> str:
    last = [written_tiles([draft.last])] if draft.last else []
    words = [_END[draft.won], *filter(None, [draft.way]), *last, *sorted(draft.facts)]
    return "-".join(words)


def read_draft(text: str) -> Draft:
    """The draft that `written` wrote; raises BadNotation for anything else."""
    parts = text.split(".") if len(text) <= _LONGEST else []
    if len(parts) != 4:
        raise BadNotation
    where, tiles, bonus, end = parts
    in_hand = re.split(r"[-~]", tiles, maxsplit=1)[0]
    # The draft, unless it holds what no taps could have made.
    draft = Draft(
        tiles=read_tiles(in_hand),
        table=tuple(_read_set(written_set) for written_set in _SET.findall(tiles)),
        bonus=read_tiles(bonus),
        **_read_place(where),
        **_read_end(end),
    )
    too_many = any(many > most_of(tile) for tile, many in draft.held.items())
    misplaced = any(tile in BONUS_TILES for tile in draft.tiles) or any(
        tile not in BONUS_TILES for tile in draft.bonus
    )
    if too_many or misplaced or draft.size > MOST_TILES or len(draft.table) > MOST_SETS:
        raise BadNotation
    return draft


def read_tiles(text: str) -> tuple[Tile, ...]:
    """The tiles that `written_tiles` wrote; raises BadNotation."""
    if not _RUNS.fullmatch(text):
        raise BadNotation
    codes = [suit + rank.upper() for suit, ranks in _RUN.findall(text) for rank in ranks]
    tiles = [tile for tile in map(read_tile, codes) if tile]
    if len(tiles) != len(codes):
        raise BadNotation
    return tuple(tiles)


def _read_set(text: str) -> TileSet:
    group = read_set(read_tiles(text[1:]), exposed=text[0] == "-")
    if group is None or not (group.exposed or group.kind is Kind.KONG) or group.code < 0:
        raise BadNotation
    if group.kind is Kind.PAIR:
        raise BadNotation
    return group


def _read_place(text: str) -> dict[str, Any]:
    match = _PLACE.fullmatch(text)
    if match is None:
        raise BadNotation
    seat, prevailing, players, goulash, dealer = match.groups()
    return {
        "seat": Wind(seat),
        "prevailing": Wind(prevailing),
        "players": int(players or 4),
        "goulash": bool(goulash),
        "dealer": {"": None, "d": True, "n": False}[dealer],
    }


def _read_end(text: str) -> dict[str, Any]:
    end, *words = text.split("-")
    if end not in _END.values():
        raise BadNotation
    fields: dict[str, Any] = {"won": end == "won", "facts": frozenset()}
    for word in words:
        for reads, put in _WORDS:
            if reads(word):
                put(fields, word)
                break
        else:
            raise BadNotation
    return fields


def _put_last(fields: dict[str, Any], word: str) -> None:
    tiles = read_tiles(word)
    if len(tiles) != 1:
        raise BadNotation
    fields["last"] = tiles[0]


_WORDS: Final[tuple[tuple[Callable[[str], bool], Callable[[dict[str, Any], str], None]], ...]] = (
    (tuple(WonBy).__contains__, lambda fields, word: fields.update(way=WonBy(word))),
    (
        tuple(Fact).__contains__,
        lambda fields, word: fields.update(facts=fields["facts"] | {Fact(word)}),
    ),
    (lambda word: bool(_RUN.fullmatch(word)), _put_last),
)
