"""Where people sit round a table: everyone keeps a chair while the winds pass on.

Chairs are numbered anticlockwise, the direction of play: 1 near, 2 right, 3 far, 4 left;
5 is not in this hand.
"""

from collections.abc import Iterable, Mapping, Sequence

from scoring import Wind

SITS_OUT = 5
FACING = {1: 1, 2: 3}

Winds = Mapping[int, Wind]


def chairs_after(dealt: Sequence[Winds], exchanges: Sequence[Sequence[int]] = ()) -> dict[int, int]:
    """The chair of each seat that plays the last of these deals, the first of a game on.

    Two players face each other; of five, whoever comes in takes the chair of whoever goes out.
    By an exchange (hand, seat, seat) the two take each other's chairs from that hand on.
    """
    playing = len(dealt[0])
    chairs = FACING if playing == 2 else {seat: seat for seat in range(1, playing + 1)}
    for number, winds in enumerate(dealt, start=1):
        comes = _comes([seats for hand, *seats in exchanges if hand == number])
        went = {place: seat for seat, place in comes.items()}
        chairs = _passed_on(chairs, [went.get(seat, seat) for seat in winds])
        chairs = {comes.get(seat, seat): chair for seat, chair in chairs.items()}
    return dict(chairs)


def _comes(pairs: Iterable[Sequence[int]]) -> dict[int, int]:
    """Who comes to the place of each seat, all the pairs after one another."""
    comes: dict[int, int] = {}
    for one, other in pairs:
        swap = {one: other, other: one}
        comes = {
            place: swap.get(seat, seat)
            for place, seat in ({one: one, other: other} | comes).items()
        }
    return comes


def _passed_on(chairs: Mapping[int, int], playing: Sequence[int]) -> dict[int, int]:
    freed = [chair for seat, chair in chairs.items() if seat not in playing]
    came = [seat for seat in playing if seat not in chairs]
    stayed = {seat: chair for seat, chair in chairs.items() if seat in playing}
    return stayed | dict(zip(came, freed, strict=True))


IN_SEAT_ORDER = ("ESWN", "ENWS")
"""The winds round a table that nobody has changed places at, in the order of play."""


def round_the_table(winds: Winds) -> list[int]:
    """The seats of a deal from East on, in the order in which they play."""
    east = next(seat for seat, wind in winds.items() if wind == Wind.E)
    by_seat = sorted(winds, key=lambda seat: (seat < east, seat))
    order = [winds[seat] for seat in by_seat]
    if any(_follows(order, known) for known in IN_SEAT_ORDER):
        return by_seat
    return sorted(winds, key=lambda seat: tuple(Wind).index(winds[seat]))


def _follows(order: Sequence[Wind], known: str) -> bool:
    """Whether the winds come in the known order, some left out."""
    places = [known.index(wind) for wind in order]
    return places == sorted(places)
