"""The deals that may still come, for a table that must go on without the server."""

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from scoring.progression import Deal, Exchange, Table, table_after
from scoring.rules import RuleSet

HANDS: Final = 30
OVER: Final = -1


@dataclass(frozen=True, slots=True)
class Coming:
    """One deal that may come, its number apart, and which of the states follows it.

    `key` is the `Table.future` before it. `after` is by the seat that goes Mah-Jong, 0 for a drawn
    hand: the place of what follows in the states, OVER where the game ends, None where it is
    further ahead than was asked. Seats that sit out are missing.
    """

    key: str
    deal: Deal
    after: Mapping[int, int | None]


def ahead(
    outcomes: Sequence[int | None],
    *,
    rules: RuleSet,
    seats: int,
    wind_rounds: int | None,
    exchanges: Sequence[Exchange] = (),
    dealer: int = 1,
    within: int = HANDS,
) -> tuple[Coming, ...]:
    """Every deal that the next `within` hands may come to, the next deal first; none after the end.

    Arguments and errors are those of `deals`. Hands that leave winds, deal and what prevails
    alike lead to the same state, so there are few. What so many hands or points end is not known
    here: whoever walks along the states counts the hands.
    """
    table = table_after(
        outcomes,
        rules=rules,
        seats=seats,
        wind_rounds=wind_rounds,
        hands=None,
        exchanges=exchanges,
        dealer=dealer,
    )
    return () if table.finished else tuple(_explored(table, within))


def _explored(table: Table, within: int) -> list[Coming]:
    """Breadth first, so that what is cut off is what is furthest ahead."""
    places = {table.future: 0}
    waiting = deque([(table, 0)])
    found = []
    while waiting:
        here, depth = waiting.popleft()
        deal, after = here.deal(), dict[int, int | None]()
        for outcome in (0, *deal.winds):
            then = here.after(outcome or None)
            key = then.future
            if not then.finished and key not in places and depth < within:
                places[key] = len(places)
                waiting.append((then, depth + 1))
            after[outcome] = OVER if then.finished else places.get(key)
        found.append(Coming(here.future, deal, after))
    return found


def ahead_as_json(states: Sequence[Coming]) -> dict[str, Any]:
    """The states as a page reads them: few kinds of deal, and for each state a short row.

    A row is its key, the place of its deal and what follows by seat, drawn first (null for a seat
    that sits out too). A deal's winds are one text: `1E2S3W4N`.
    """
    kinds: dict[tuple[Any, ...], int] = {}
    rows = []
    for state in states:
        kind = kinds.setdefault(_kind(state.deal), len(kinds))
        after = [state.after.get(seat) for seat in range(max(state.after) + 1)]
        rows.append([state.key, kind, *after])
    names = ("winds", "dealer", "prevailing", "goulash")
    return {"deals": [dict(zip(names, kind, strict=True)) for kind in kinds], "states": rows}


def _kind(deal: Deal) -> tuple[Any, ...]:
    winds = "".join(f"{seat}{wind.value}" for seat, wind in deal.winds.items())
    return winds, deal.dealer, deal.prevailing_wind or "", deal.goulash
