"""The square table as it is drawn: who sits where, with which wind, how they stand."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from clubs.core.chairs import SITS_OUT, round_the_table
from scoring import Deal, Wind
from scoring.policies import FourthWind, Passing

PLACES = 4


@dataclass(frozen=True, slots=True)
class Chair:
    """Someone's place at the square table: 1 near, 2 right, 3 far, 4 left, 5 sits out.

    ``note`` is the points so far, ``key`` the seat's number; an empty chair may have a wind too.
    """

    position: int
    wind: Wind | None
    name: str
    note: str
    dealer: bool
    key: str = ""
    is_you: bool = False
    is_empty: bool = False

    @property
    def plays(self) -> bool:
        """Whether someone sits here who plays the hand."""
        return self.wind is not None and not self.is_empty


def square_of(
    deal: Deal, chairs: Mapping[int, int], names: Mapping[int, str], notes: Mapping[int, str]
) -> tuple[Chair, ...]:
    """Everyone at the deal: who plays, from East on, then who sits out."""
    playing = round_the_table(deal.winds)
    return tuple(
        Chair(
            position=chairs.get(seat, SITS_OUT),
            wind=deal.winds.get(seat),
            name=names[seat],
            note=notes[seat],
            dealer=seat == deal.dealer,
            key=str(seat),
        )
        for seat in [*playing, *sorted(set(names) - set(playing))]
    )


def with_the_empty_chair(square: tuple[Chair, ...], passing: Passing) -> tuple[Chair, ...]:
    """The same with the fourth chair of a table of three, where the rules give it a wind."""
    if len(square) != PLACES - 1 or passing.fourth_wind is not FourthWind.EMPTY_PLACE:
        return square
    (position,) = {1, 2, 3, 4} - {chair.position for chair in square}
    (wind,) = set(passing.order) - {chair.wind for chair in square}
    return (*square, Chair(position, wind, "", "", dealer=False, is_empty=True))


def seen_from(square: tuple[Chair, ...], seat: int | None) -> tuple[Chair, ...]:
    """The same as that seat sees it, itself nearest; as it is for someone who sits out."""
    mine = next((chair.position for chair in square if chair.key == str(seat)), SITS_OUT)
    turn = mine - 1 if mine != SITS_OUT else 0
    return tuple(_turned(square, turn, str(seat)))


def _turned(square: tuple[Chair, ...], turn: int, you: str) -> Iterator[Chair]:
    for chair in square:
        rests = chair.position == SITS_OUT
        position = SITS_OUT if rests else (chair.position - 1 - turn) % PLACES + 1
        yield replace(chair, position=position, is_you=chair.key == you)


def left_the_table(square: tuple[Chair, ...]) -> tuple[Chair, ...]:
    """The same when no hand comes any more: nobody deals."""
    return tuple(replace(chair, dealer=False) for chair in square)
