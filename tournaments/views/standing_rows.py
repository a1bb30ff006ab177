"""The rows of the standings as hundreds of phones show them, drawn once for each version."""

from typing import NamedTuple

from django.template.loader import get_template
from django.utils.safestring import SafeString, mark_safe

from clubs.versioned import made_once
from tournaments.models import Tournament
from tournaments.selectors.standings import standings
from tournaments.selectors.versions import A_MINUTE, mark_of

OURS = "<!--ours-->"


class DrawnRow(NamedTuple):
    """An entrant's row: what stands before and after the word that it is this table's."""

    entrant: int
    before: SafeString
    after: SafeString


def drawn_rows(tournament: Tournament, *, through: int | None) -> tuple[DrawnRow, ...]:
    """Everybody's row as everybody may see it; one query where they are kept, else three more."""
    mark = mark_of(tournament, through=through)

    def drawn() -> tuple[DrawnRow, ...]:
        row = get_template("tables/_standing_row.html")
        return tuple(
            _row(one.entrant_id, row.render({"row": one, "pays": tournament.pays}))
            for one in standings(tournament, through=through)
        )

    return made_once(f"rows-{mark}", drawn, seconds=A_MINUTE)


def _row(entrant: int, drawn: str) -> DrawnRow:
    before, _, after = drawn.partition(OURS)
    return DrawnRow(entrant, mark_safe(before), mark_safe(after))  # noqa: S308 - a template drew it
