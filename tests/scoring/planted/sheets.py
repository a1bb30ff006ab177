"""Plants one slip in the totals carried down a sheet, to see whether the detective names it."""

import random
from collections.abc import Callable, Mapping
from typing import NamedTuple

from scoring.detective import Finding, SheetRow, Slip, examine_sheet
from tests.scoring.planted import Rates, Told, shares, told
from tests.scoring.planted.rows import carried_wrongly, dealt, digit_misread, digits_swapped

NAMES = ("Ann", "Bob", "Cy", "Di")
Rows = list[SheetRow]


class Place(NamedTuple):
    """A total on the sheet."""

    rows: Rows
    hand: int
    name: str

    @property
    def before(self) -> int:
        return carried(self.rows, self.hand - 1, self.name)

    @property
    def gain(self) -> int:
        return self.rows[self.hand].gains[self.name] or 0


Miscarry = Callable[[Place, random.Random], int]


def carried(rows: Rows, hand: int, name: str) -> int:
    return (rows[hand].carried[name] or 0) if hand >= 0 else 0


def evening(chance: random.Random, hands: int = 12) -> Rows:
    """The hands of a right sheet."""
    rows: Rows = []
    while len(rows) < hands:
        gains = list(dealt(chance).gains.values())
        if len(gains) == len(NAMES):
            row = dict(zip(NAMES, gains, strict=True))
            after = {name: carried(rows, len(rows) - 1, name) + row[name] for name in NAMES}
            rows.append(SheetRow(row, after))
    return rows


def miscarried(place: Place, total: int) -> Rows:
    """The sheet with this total, and every later one carried on from it."""
    off = total - carried(place.rows, place.hand, place.name)
    return [
        SheetRow(
            row.gains, {**row.carried, place.name: carried(place.rows, hand, place.name) + off}
        )
        if hand >= place.hand
        else row
        for hand, row in enumerate(place.rows)
    ]


def rightly(place: Place) -> int:
    return place.before + place.gain


def of_another(place: Place, chance: random.Random) -> int:
    others = [name for name in NAMES if name != place.name]
    return place.before + (place.rows[place.hand].gains[chance.choice(others)] or 0)


PLANTERS: Mapping[str, tuple[Slip, Miscarry]] = {
    "gain's sign": (Slip.GAIN_TURNED, lambda place, _: place.before - place.gain),
    "gain left out": (Slip.GAIN_LEFT_OUT, lambda place, _: place.before),
    "gain added twice": (Slip.GAIN_TWICE, lambda place, _: place.before + 2 * place.gain),
    "another's gain added": (Slip.GAIN_OF_ANOTHER, of_another),
    "carried from the row above": (
        Slip.ROW_ABOVE,
        lambda place, _: carried(place.rows, place.hand - 2, place.name) + place.gain,
    ),
    "digits swapped": (
        Slip.SWAPPED_DIGITS,
        lambda place, chance: digits_swapped(rightly(place), chance),
    ),
    "digit misread": (
        Slip.MISREAD_DIGIT,
        lambda place, chance: digit_misread(rightly(place), chance),
    ),
    "carried wrongly": (Slip.CARRY, lambda place, chance: carried_wrongly(rightly(place), chance)),
}


def rates(name: str, sheets: int, *, seed: int = 1) -> Rates:
    """How well the detective names the slip in so many sheets that it spoils."""
    kind, miscarry = PLANTERS[name]
    chance = random.Random(f"{name} {seed}")
    outcomes: list[Told] = []
    while len(outcomes) < sheets:
        place = Place(evening(chance), chance.randrange(2, 12), chance.choice(NAMES))
        total = miscarry(place, chance)
        if total == rightly(place):
            continue
        spoilt = miscarried(place, total)
        found = examine_sheet(spoilt)
        mended = restored(spoilt, found[0]) == place.rows
        outcomes.append(told(found, kind, {place.name}, mended=mended))
    return shares(outcomes)


def restored(rows: Rows, finding: Finding) -> Rows:
    """The sheet with the finding's corrections written in."""
    return [
        SheetRow(
            row.gains,
            {
                name: finding.corrected.get(f"rows.{hand}.carried.{name}", was)
                for name, was in row.carried.items()
            },
        )
        for hand, row in enumerate(rows)
    ]
