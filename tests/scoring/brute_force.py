"""A slow scorer of BMJA hands, written apart from the engine, to hold it to account.

It deals the tiles out in every order into groups and counts each outcome with plain ladders of
ifs. Hands of four players without jokers only; special hands are left out but for Purity.
"""

from collections import Counter
from collections.abc import Iterator
from typing import Any

Group = tuple[str, str, bool]  # kind, (lowest) tile, exposed
OWN = {"E": "1", "S": "2", "W": "3", "N": "4"}
DRAWN = ("wall", "last_wall_tile", "first_draw")
CLAIMED = ("discard", "last_discard", "first_discard", "robbed_kong")


def is_major(tile: str) -> bool:
    return tile[0] in "WD" or tile[1] in "19"


def groups_of(tiles: list[str], *, whole: bool) -> Iterator[list[Group]]:
    """Every way to cut the sorted tiles into groups; leaving tiles over unless `whole`."""
    if not tiles:
        yield []
        return
    first, rest = tiles[0], tiles[1:]
    if not whole:
        yield from groups_of(rest, whole=whole)
    if tiles.count(first) >= 2:
        yield from ([("pair", first, False), *more] for more in groups_of(rest[1:], whole=whole))
    if tiles.count(first) >= 3:
        yield from ([("pung", first, False), *more] for more in groups_of(rest[2:], whole=whole))
    if first[0] in "BCO":
        second, third = (first[0] + str(int(first[1]) + step) for step in (1, 2))
        if second in rest and third in rest:
            left = list(rest)
            left.remove(second)
            left.remove(third)
            yield from ([("chow", first, False), *more] for more in groups_of(left, whole=whole))


def table_groups(fields: dict[str, Any]) -> list[Group]:
    """The sets on the table."""
    found: list[Group] = []
    for laid in fields.get("sets", []):
        tiles = sorted(laid["tiles"])
        kind = "kong" if len(tiles) == 4 else "pung" if len(set(tiles)) == 1 else "chow"
        found.append((kind, tiles[0], laid["exposed"]))
    return found


def holds(group: Group, tile: str) -> bool:
    kind, lowest, _exposed = group
    if kind == "chow":
        return tile[0] == lowest[0] and 0 <= int(tile[1]) - int(lowest[1]) <= 2
    return tile == lowest


def points_of(group: Group, fields: dict[str, Any]) -> int:
    kind, tile, exposed = group
    if kind == "chow":
        return 0
    if kind == "pair":
        winds = [fields["seat_wind"], fields["prevailing_wind"]]
        return 2 * (tile[0] == "D") + 2 * sum(tile == f"W{wind}" for wind in winds)
    points = 2 * (2 if is_major(tile) else 1)
    points *= 4 if kind == "kong" else 1
    return points if exposed else 2 * points


def doubles_of(group: Group, fields: dict[str, Any]) -> int:
    kind, tile, _exposed = group
    if kind in {"pair", "chow"}:
        return 0
    winds = [fields["seat_wind"], fields["prevailing_wind"]]
    return (tile[0] == "D") + sum(tile == f"W{wind}" for wind in winds)


def bonus_doubles(fields: dict[str, Any]) -> int:
    bonus = fields.get("bonus", [])
    doubles = 0
    for letter in "FS":
        if sum(tile[0] == letter for tile in bonus) == 4:
            doubles += 2
        elif letter + OWN[fields["seat_wind"]] in bonus:
            doubles += 1
    return doubles


def winners_doubles(groups: list[Group], fields: dict[str, Any]) -> int:
    tiles = {tile for _kind, tile, _exposed in groups}
    suits = {tile[0] for tile in tiles if tile[0] in "BCO"}
    honours = any(tile[0] in "WD" for tile in tiles)
    chows = any(kind == "chow" for kind, _tile, _exposed in groups)
    doubles = 0
    if not chows and not fields.get("goulash"):
        doubles += 1
    if len(suits) == 1 and honours:
        doubles += 1
    if suits and honours and not chows and all(is_major(tile) for tile in tiles):
        doubles += 1
    if suits and honours and not any(exposed for _kind, _tile, exposed in groups):
        doubles += 1
    if fields.get("won_by") in {"loose_tile", "last_wall_tile", "last_discard", "robbed_kong"}:
        doubles += 1
    return doubles + ("original_call" in fields.get("facts", []))


def ordinary(groups: list[Group], fields: dict[str, Any]) -> int:
    points = sum(points_of(group, fields) for group in groups) + 4 * len(fields.get("bonus", []))
    doubles = sum(doubles_of(group, fields) for group in groups) + bonus_doubles(fields)
    doubles += "original_call" in fields.get("facts", [])
    if fields["mahjong"]:
        points += 20 + 2 * (fields.get("won_by") in DRAWN)
        doubles += winners_doubles(groups, fields)
    return points << doubles


def purity(groups: list[Group], fields: dict[str, Any]) -> int:
    """Purity's score where the groups are one; 0 where they are not."""
    one_suit = len({tile[0] for _kind, tile, _exposed in groups}) == 1
    if not one_suit or groups[0][1][0] in "WD" or any(group[0] == "chow" for group in groups):
        return 0
    points = sum(points_of(group, fields) for group in groups)
    points += 20 + 2 * (fields.get("won_by") in {*DRAWN, "loose_tile"})
    final = fields.get("won_by") == "last_discard"
    bonus = 4 * len(fields.get("bonus", []))
    return (points * 8 << final) + (bonus << bonus_doubles(fields) + final)


def placed(groups: list[Group], fields: dict[str, Any]) -> Iterator[list[Group]]:
    """The groups with the claimed tile's one exposed, for each place where it could stand."""
    if fields.get("won_by") not in CLAIMED or not fields["mahjong"]:
        yield groups
        return
    for place, (kind, tile, exposed) in enumerate(groups):
        if holds((kind, tile, exposed), fields["winning_tile"]):
            yield [*groups[:place], (kind, tile, True), *groups[place + 1 :]]


def best_score(fields: dict[str, Any]) -> int | None:
    """The best score without special hands (but for Purity); None where it is no Mah-Jong."""
    table = table_groups(fields)
    best: int | None = None
    for groups in groups_of(sorted(fields["concealed"]), whole=fields["mahjong"]):
        kinds = Counter(kind for kind, _tile, _exposed in [*table, *groups])
        if fields["mahjong"] and (kinds["pair"] != 1 or kinds["chow"] > 1):
            continue
        for here in placed(groups, fields):
            whole = [*table, *here]
            found = ordinary(whole, fields)
            if fields["mahjong"]:
                found = max(found, purity(whole, fields))
            best = max(best or 0, min(found, 1000))
    return best
