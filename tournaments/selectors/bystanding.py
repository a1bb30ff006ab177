"""Whether a round that was seated by standing still is: corrections may come after it."""

from clubs.models.names import EVERYBODY, Reader
from tournaments.models import Round, RoundState, Tournament
from tournaments.selectors.standings import standings

MOST_NAMES = 3


def moved_since(tournament: Tournament, round_: Round | None, *, reader: Reader = EVERYBODY) -> str:
    """Who stands elsewhere than when the round was seated; empty where nobody does.

    ``Ann Abbott, Ben Brown and 2 more stand elsewhere now.`` Two queries for a round that was
    seated by standing and has not started, none for any other.
    """
    if round_ is None or round_.state != RoundState.SEATED or not round_.seated_in_order:
        return ""
    rows = standings(tournament, through=round_.number - 1, reader=reader)
    before = {key: at for at, key in enumerate(round_.seated_in_order)}
    now = [row for row in rows if row.entrant_id in before]
    then = sorted(before[row.entrant_id] for row in now)
    moved = [row.name for row, at in zip(now, then, strict=True) if before[row.entrant_id] != at]
    return _said(moved)


def _said(names: list[str]) -> str:
    if not names:
        return ""
    if len(names) > MOST_NAMES + 1:
        shown = f"{', '.join(names[:MOST_NAMES])} and {len(names) - MOST_NAMES} more"
    else:
        shown = f"{', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else names[0]
    return f"{shown} {'have' if len(names) > 1 else 'has'} moved in the standings."
