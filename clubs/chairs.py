"""Where people sit round a table: everybody keeps a chair while the winds pass on.

Chairs are numbered anticlockwise, the direction of play: 1 near, 2 right, 3 far, 4 left;
5 is not in this hand.
"""

from collections.abc import Mapping, Sequence

from scoring import Wind

SITS_OUT = 5
FACING = {1: 1, 2: 3}

Winds = Mapping[int, Wind]


def chairs_after(dealt: Sequence[Winds]) -> dict[int, int]:
    """The chair of each seat that plays the last of these deals, the first of a game on.

    Two players face each other; of five, whoever comes in takes the chair of whoever goes out.
    """
    chairs = FACING if len(dealt[0]) == 2 else {seat: seat for seat in dealt[0]}
    for winds in dealt[1:]:
        freed = [chair for seat, chair in chairs.items() if seat not in winds]
        came = [seat for seat in winds if seat not in chairs]
        stayed = {seat: chair for seat, chair in chairs.items() if seat in winds}
        chairs = stayed | dict(zip(came, freed, strict=True))
    return dict(chairs)


def round_the_table(winds: Winds) -> list[int]:
    """The seats of a deal from East on, in the order in which they play."""
    east = next(seat for seat, wind in winds.items() if wind == Wind.E)
    return sorted(winds, key=lambda seat: (seat < east, seat))
