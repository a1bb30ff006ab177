"""The places round a table, seen from above: who sits next to whom, and who deals."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Annotated

from scoring import Deal, Wind
from scoring.rules.declarations import FourthWind, Passing

CHAIRS = 4
SITTING_OUT_POSITION = 5
FACING_CHAIRS = {1: 1, 2: 3}

Winds = Mapping[int, Wind]

WIND_ORDERS = ("ESWN", "ENWS")
"""The winds round a table without exchanges, in the order of play."""


def chairs_after(
    deal_winds: Sequence[Winds], exchanges: Sequence[Sequence[int]] = ()
) -> dict[int, int]:
    """The chair of each seat that plays the last of these deals, the first of a game on.

    Two players face each other; of five, the one who comes in takes the chair of the one who goes
    out. An exchange (hand, seat, seat) swaps two chairs from that hand on.
    """
    playing = len(deal_winds[0])
    chairs = FACING_CHAIRS if playing == 2 else {seat: seat for seat in range(1, playing + 1)}
    # Of five, after a change of players.
    if playing == CHAIRS and set(deal_winds[0]) != set(chairs):
        order = seats_in_play_order(deal_winds[0])
        east = order[0] if order[0] in chairs else 1
        chairs = {seat: (east - 1 + index) % CHAIRS + 1 for index, seat in enumerate(order)}
    for number, winds in enumerate(deal_winds, start=1):
        # The player who comes to each seat's place, for one pair after another.
        pairs = [seats for hand, *seats in exchanges if hand == number]
        comes: dict[int, int] = {}
        for first, second in pairs:
            swap = {first: second, second: first}
            comes = {
                place: swap.get(seat, seat)
                for place, seat in ({first: first, second: second} | comes).items()
            }
        went = {place: seat for seat, place in comes.items()}
        plays = [went.get(seat, seat) for seat in winds]
        freed_chairs = [chair for seat, chair in chairs.items() if seat not in plays]
        came = [seat for seat in plays if seat not in chairs]
        chairs = {seat: chair for seat, chair in chairs.items() if seat in plays}
        chairs |= zip(came, freed_chairs, strict=True)
        chairs = {comes.get(seat, seat): chair for seat, chair in chairs.items()}
    return dict(chairs)


def seats_in_play_order(winds: Winds) -> list[int]:
    """The seats of a deal in the order of play, East first."""
    east = next(seat for seat, wind in winds.items() if wind == Wind.E)
    by_seat = sorted(winds, key=lambda seat: (seat < east, seat))
    order = [winds[seat] for seat in by_seat]
    for wind_order in WIND_ORDERS:  # some winds may be left out
        places = [wind_order.index(wind) for wind in order]
        if places == sorted(places):
            return by_seat
    return sorted(winds, key=lambda seat: tuple(Wind).index(winds[seat]))


@dataclass(frozen=True, slots=True)
class Chair:
    """Someone's place at the square table: 1 near, 2 right, 3 far, 4 left, 5 sits out.

    ``note`` is the points so far, ``key`` the seat's number; an empty chair may have a wind too.
    """

    position: int
    wind: Wind | None
    name: str
    note: Annotated[str, "in words"]
    dealer: bool
    key: str = ""
    is_you: bool = False
    is_empty: Annotated[bool, "an empty seat"] = False

    @property
    def plays(self) -> bool:
        """Whether someone sits here who plays the hand."""
        return self.wind is not None and not self.is_empty


def square_of(
    deal: Deal, chairs: Mapping[int, int], names: Mapping[int, str], notes: Mapping[int, str]
) -> tuple[Chair, ...]:
    """Everyone at the deal: the players from East on, then those who sit out."""
    playing = seats_in_play_order(deal.winds)
    return tuple(
        Chair(
            position=chairs.get(seat, SITTING_OUT_POSITION),
            wind=deal.winds.get(seat),
            name=names[seat],
            note=notes[seat],
            dealer=seat == deal.dealer,
            key=str(seat),
        )
        for seat in [*playing, *sorted(set(names) - set(playing))]
    )


def add_empty_chair(square: tuple[Chair, ...], passing: Passing) -> tuple[Chair, ...]:
    """The same with the fourth chair of a table of three, if the rules give it a wind."""
    if len(square) != CHAIRS - 1 or passing.fourth_wind is not FourthWind.EMPTY_PLACE:
        return square
    (position,) = {1, 2, 3, 4} - {chair.position for chair in square}
    (wind,) = set(passing.order) - {chair.wind for chair in square}
    return (*square, Chair(position, wind, "", "", dealer=False, is_empty=True))


def seen_from(square: tuple[Chair, ...], seat: int | None) -> tuple[Chair, ...]:
    """The same seen from that seat, itself nearest; unchanged if it sits out."""
    own_position = next(
        (chair.position for chair in square if chair.key == str(seat)), SITTING_OUT_POSITION
    )
    turn = own_position - 1 if own_position != SITTING_OUT_POSITION else 0
    return tuple(
        replace(
            chair,
            position=chair.position
            if chair.position == SITTING_OUT_POSITION
            else (chair.position - 1 - turn) % CHAIRS + 1,
            is_you=chair.key == str(seat),
        )
        for chair in square
    )


def without_dealer(square: tuple[Chair, ...]) -> tuple[Chair, ...]:
    """The same after the game: nobody deals."""
    return tuple(replace(chair, dealer=False) for chair in square)
