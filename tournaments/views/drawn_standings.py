"""The standings as hundreds of phones show them, drawn once for each version."""

import re
from collections import defaultdict
from collections.abc import Collection, Mapping
from typing import Final, NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from clubs.core.versioned_cache import made_once
from tournaments.models import Tournament
from tournaments.selectors.board import SHOWN, columns_of
from tournaments.selectors.showing import shown_through
from tournaments.selectors.versions import A_MINUTE, kept_board, mark_of

SPOT: Final = re.compile(r"<!--(\d+)-->")
OURS: Final = (' class="ours"', '<span class="hidden-text"> (this table)</span>')


class Drawn(NamedTuple):
    """What everyone may see, and where in it an entrant's row and name are marked as ours."""

    text: str
    spots: Mapping[int, tuple[int, ...]]

    def marked(self, ours: Collection[int]) -> SafeString:
        """The same with the rows of these entrants marked."""
        marks = sorted(
            (spot, words)
            for entrant in ours
            for spot, words in zip(self.spots.get(entrant, ()), OURS, strict=False)
        )
        parts, begun = [], 0
        for spot, words in marks:
            parts += [self.text[begun:spot], words]
            begun = spot
        return mark_safe("".join((*parts, self.text[begun:])))  # noqa: S308 - a template drew it


def drawn_standings(tournament: Tournament) -> Drawn:
    """Everyone's row as everyone may see it; one query where it is kept, else three more."""
    mark = mark_of(tournament, through=shown_through(tournament))
    return made_once(f"phones-{mark}", lambda: _drawn(tournament, mark), seconds=A_MINUTE)


def _drawn(tournament: Tournament, mark: str) -> Drawn:
    board = kept_board(tournament, through=shown_through(tournament), mark=mark)
    columns = [columns_of(tournament).index(key) for key in SHOWN]
    rows = [(line, [line.figures[column] for column in columns]) for line in board.lines]
    told = {
        "tournament": tournament,
        "version": str(tournament.version),
        "rows": rows,
        "sitting_out": board.sitting_out,
    }
    return _with_spots(render_to_string("tables/_tournament_standings.html", told))


def _with_spots(drawn: str) -> Drawn:
    """The text without its comments, and where they stood: twice the key of each entrant."""
    parts, spots, at = SPOT.split(drawn), defaultdict[int, tuple[int, ...]](tuple), 0
    for text, entrant in zip(parts[::2], parts[1::2], strict=False):
        at += len(text)
        spots[int(entrant)] += (at,)
    return Drawn("".join(parts[::2]), dict(spots))
