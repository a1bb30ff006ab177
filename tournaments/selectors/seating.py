"""The seating as people ask for it: where do I sit, and is it fair?"""

from collections.abc import Sequence
from dataclasses import dataclass

from clubs.models.names import name_key
from clubs.seating import Round, Table
from clubs.seating.audit import meetings_of, wind_imbalance, winds_of
from tournaments.selectors.desk import RoundView


@dataclass(frozen=True, slots=True)
class Sitting:
    """Where someone sits in one round: ``wind`` is a letter of ESWN; no table: they sit out."""

    round: int
    table: int | None = None
    wind: str = ""
    substitute: str = ""


@dataclass(frozen=True, slots=True)
class PlayerSeats:
    """One entrant's tables, round by round."""

    entrant_id: int
    name: str
    sittings: tuple[Sitting, ...]


@dataclass(frozen=True, slots=True)
class Fairness:
    """One thing that a good seating keeps: whether it is kept, and a sentence."""

    is_kept: bool
    sentence: str


def by_player(rounds: Sequence[RoundView]) -> tuple[PlayerSeats, ...]:
    """Every entrant who is seated, in the order of their names; a sitting for every round."""
    found: dict[tuple[str, int], dict[int, Sitting]] = {}
    for one in rounds:
        for table in one.tables:
            for place in table.places:
                sitting = Sitting(one.number, table.number, place.wind, place.substitute)
                found.setdefault((place.name, place.entrant_id), {})[one.number] = sitting
    return tuple(
        PlayerSeats(
            entrant,
            name,
            tuple(found[name, entrant].get(one.number, Sitting(one.number)) for one in rounds),
        )
        for name, entrant in sorted(found, key=lambda who: (who[0].casefold(), who[1]))
    )


def named(players: Sequence[PlayerSeats], name: str) -> tuple[PlayerSeats, ...]:
    """Those whose name holds what was typed, accents and capitals aside."""
    key = name_key(name)
    return tuple(player for player in players if key and key in name_key(player.name))


def report_on(rounds: Sequence[RoundView]) -> tuple[Fairness, ...]:
    """What the seating keeps, counted from the seats as they are."""
    plan = [_as_planned(one) for one in rounds]
    return (_meetings(plan), _winds(plan))


def _as_planned(view: RoundView) -> Round:
    return Round(
        tuple(
            Table(row.number, {place.wind: str(place.entrant_id) for place in row.places})
            for row in view.tables
        )
    )


def _meetings(plan: Sequence[Round]) -> Fairness:
    again = [times for times in meetings_of(plan).values() if times > 1]
    if not again:
        return Fairness(is_kept=True, sentence="No one meets anyone twice.")
    pairs = "1 pair meets" if len(again) == 1 else f"{len(again)} pairs meet"
    most = f", at most {max(again)} times" if max(again) > 2 else ""
    return Fairness(is_kept=False, sentence=f"{pairs} more than once{most}.")


def _winds(plan: Sequence[Round]) -> Fairness:
    uneven = sum(wind_imbalance(held) > 0 for held in winds_of(plan).values())
    if not uneven:
        return Fairness(
            is_kept=True,
            sentence="Everyone starts in each wind equally often, as far as the number of rounds "
            "allows.",
        )
    who = "1 player starts" if uneven == 1 else f"{uneven} players start"
    return Fairness(is_kept=False, sentence=f"{who} in one wind more often than necessary.")
