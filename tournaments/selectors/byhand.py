"""A round as it lies before it is seated by hand: its tables, and who may be named."""

from dataclasses import dataclass

from django.db.models import Exists, OuterRef

from tournaments.models import EntrantState, OddNumber, Placement, Round, RoundState, Tournament

A_TABLE = 4


@dataclass(frozen=True, slots=True)
class TableByHand:
    """A table with the names that sit there now, East first; empty where nobody does."""

    number: int
    names: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class RoundByHand:
    """A round to be seated by hand.

    names: who may be chosen, in alphabetical order, house players last.
    others: the numbers of the other rounds that can be seated by hand.
    has_begun: it cannot be seated any more; is_early: the rounds before are not seated yet.
    """

    number: int
    tables: tuple[TableByHand, ...]
    names: tuple[str, ...]
    rests: bool
    others: tuple[int, ...]
    has_begun: bool
    is_early: bool


def round_by_hand(tournament: Tournament, number: int) -> RoundByHand | None:
    """The round of that number; None where the tournament has none. Three queries."""
    if not 1 <= number <= tournament.rounds_planned:
        return None
    resting = Round.sitting_out.through.objects.filter(round_id=OuterRef("pk"))
    rounds = list(tournament.rounds.values_list("number", "state", Exists(resting)))
    states = {at: state for at, state, _ in rounds}
    seated: dict[int, list[str]] = {}
    places = Placement.objects.filter(round__tournament=tournament, round__number=number)
    for table, name in places.values_list("table__number", "entrant__name"):
        seated.setdefault(table, []).append(name)
    people = tournament.entrants.filter(state=EntrantState.ENTERED)
    named = list(people.order_by("is_house", "name_key").values_list("name", "is_house"))
    players = sum(not is_house for _, is_house in named)
    left = 0 if tournament.odd_number == OddNumber.SIT_OUT else -players % A_TABLE
    needed = (players + left) // A_TABLE
    numbers = sorted({*seated, *range(1, max(needed, len(seated)) + 1)})
    gone = {name for names in seated.values() for name in names} - {name for name, _ in named}
    open_rounds = _open_rounds(tournament, states)
    return RoundByHand(
        number=number,
        tables=tuple(TableByHand(at, tuple(seated.get(at, [""] * A_TABLE))) for at in numbers),
        names=(*(name for name, _ in named), *sorted(gone)),
        rests=any(rests for at, _, rests in rounds if at == number),
        others=tuple(one for one in open_rounds if one != number),
        has_begun=states.get(number, RoundState.SEATED) != RoundState.SEATED,
        is_early=number not in states and number not in open_rounds,
    )


def _open_rounds(tournament: Tournament, states: dict[int, str]) -> list[int]:
    """Seated and not begun, and the next one where it is seated after the others."""
    found = [number for number, state in sorted(states.items()) if state == RoundState.SEATED]
    following = max(states, default=0) + 1
    if tournament.drawn < following <= tournament.rounds_planned and states:
        found.append(following)
    return found
