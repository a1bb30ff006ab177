"""Plants one slip in the counting of a worked hand, to see whether the detective names it."""

import random
from collections.abc import Callable, Mapping

from scoring import Line, Reckoning, hand_from_json, rule_set, score
from scoring.detective import Slip, examine_claim
from scoring.hands.tiles import BONUS_TILES
from tests.scoring.planted import Rates, Told, shares, told
from tests.scoring.worked import cases

BMJA = rule_set("bmja")
Miscount = Callable[[Reckoning, random.Random], int | None]
MIRRORED = {2: 4, 4: 8, 8: 16, 16: 32}


def hands() -> list[Reckoning]:
    """The worked hands that score points doubled."""
    worked = [case for case in cases("hand") if case["expected"].get("basic")]
    plain = [case for case in worked if "house" not in case]
    return [score(hand_from_json(case["fields"], BMJA), BMJA) for case in plain]


def without(name: Callable[[Line], bool]) -> Miscount:
    """One such line of points or doubles left out."""

    def miscount(right: Reckoning, chance: random.Random) -> int | None:
        fitting = [line for line in right.lines if name(line)]
        if not fitting:
            return None
        line = chance.choice(fitting)
        return counted(right, less=line.points or 0, fewer=line.doubles or 0)

    return miscount


def counted(right: Reckoning, *, less: int = 0, fewer: int = 0) -> int:
    assert right.basic is not None
    assert right.doubles is not None
    return min((right.basic - less) << max(right.doubles - fewer, 0), 1000)


def a_double_more(right: Reckoning, _chance: random.Random) -> int:
    return counted(right, fewer=-1)


def bonus_added_after_doubling(right: Reckoning, _chance: random.Random) -> int | None:
    bonus = sum(line.points or 0 for line in right.lines if of_a_bonus_tile(line))
    return counted(right, less=bonus) + bonus if bonus else None


def twenty_added_after_doubling(right: Reckoning, _chance: random.Random) -> int | None:
    going_out = any(line.name == "Mah-Jong" for line in right.lines)
    return counted(right, less=20) + 20 if going_out else None


def limit_ignored(right: Reckoning, _chance: random.Random) -> int | None:
    assert right.basic is not None
    assert right.doubles is not None
    return right.basic << right.doubles if right.limited else None


def a_set_as(exposed: str) -> Miscount:
    """A pung or kong counted twice or half for being concealed or exposed."""

    def miscount(right: Reckoning, chance: random.Random) -> int | None:
        sets = [line for line in right.lines if len(line.tiles) > 2 and line.points]
        if not sets:
            return None
        line = chance.choice(sets)
        standing = {tuple(tile_set.tiles): tile_set.exposed for tile_set in right.arrangement}
        if standing.get(line.tiles) is not (exposed == "exposed"):
            return None
        points = line.points or 0
        return counted(right, less=points // 2 if exposed == "concealed" else -points)

    return miscount


def digits_swapped(right: Reckoning, chance: random.Random) -> int | None:
    digits = list(str(right.total))
    places = [at for at in range(len(digits) - 1) if at or digits[1] != "0"]
    if not places:
        return None
    at = chance.choice(places)
    digits[at], digits[at + 1] = digits[at + 1], digits[at]
    return int("".join(digits))


def of_a_bonus_tile(line: Line) -> bool:
    return bool(line.points) and len(line.tiles) == 1 and line.tiles[0] in BONUS_TILES


def of_a_pair(line: Line) -> bool:
    return line.name.startswith("Pair")


def is_double(line: Line) -> bool:
    return line.doubles == 1


def going_mahjong(line: Line) -> bool:
    return line.name == "Mah-Jong"


def drawn(line: Line) -> bool:
    return line.name == "Winning tile drawn from the wall"


PLANTERS: Mapping[str, tuple[Slip, Miscount]] = {
    "double forgotten": (Slip.DOUBLE_FORGOTTEN, without(is_double)),
    "one double too many": (Slip.DOUBLE_TOO_MANY, a_double_more),
    "Mah-Jong forgotten": (Slip.POINTS_FORGOTTEN, without(going_mahjong)),
    "drawn tile forgotten": (Slip.POINTS_FORGOTTEN, without(drawn)),
    "bonus tile forgotten": (Slip.POINTS_FORGOTTEN, without(of_a_bonus_tile)),
    "pair forgotten": (Slip.POINTS_FORGOTTEN, without(of_a_pair)),
    "bonus tiles not doubled": (Slip.POINTS_NOT_DOUBLED, bonus_added_after_doubling),
    "Mah-Jong not doubled": (Slip.POINTS_NOT_DOUBLED, twenty_added_after_doubling),
    "limit not applied": (Slip.LIMIT_NOT_APPLIED, limit_ignored),
    "exposed set as concealed": (Slip.COUNTED_AS_CONCEALED, a_set_as("exposed")),
    "concealed set as exposed": (Slip.COUNTED_AS_EXPOSED, a_set_as("concealed")),
    "digits swapped": (Slip.SWAPPED_DIGITS, digits_swapped),
}


def rates(name: str, claims: int, *, seed: int = 1) -> Rates:
    """How well the detective names the slip in so many claims that it makes wrong.

    The right total is known here, so `mended` is the share that something explains.
    """
    kind, miscount = PLANTERS[name]
    chance = random.Random(f"{name} {seed}")
    worked = hands()
    outcomes: list[Told] = []
    while len(outcomes) < claims:
        right = chance.choice(worked)
        claimed = miscount(right, chance)
        if claimed is None or claimed == right.total:
            continue
        found = examine_claim(claimed, right, BMJA)
        explained = found[0].kind is not Slip.UNEXPLAINED
        outcomes.append(told(found, kind, set(), mended=explained))
    return shares(outcomes)
