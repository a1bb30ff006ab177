"""What a tap on the tile builder sends: the hand as it was, the hands before it, and the taps."""

from dataclasses import dataclass
from typing import Final

from django.http import QueryDict

from clubs.selectors.building import ADDING, BETWEEN
from scoring.building import BadNotation, Draft, Steps, read_draft
from scoring.building.taps import MOST_STEPS

_MOST_TAPS: Final = 60


@dataclass(frozen=True, slots=True)
class Tapping:
    """The drafts that were sent and the taps on them; `adding` is how many tiles a tap adds.

    `is_unread`: the link holds no hand, and an empty one stands in its place.
    """

    steps: Steps
    taps: tuple[str, ...] = ()
    adding: str = "tile"
    is_unread: bool = False


def read_tapping(data: QueryDict) -> Tapping:
    """The query of a page with the builder, read; whatever cannot be read is left out."""
    adding = data.get("add", "")
    adding = adding if adding in ADDING else "tile"
    taps = tuple(_full(tap, adding) for tap in data.getlist("tap")[:_MOST_TAPS])
    text = data.get("hand", "")
    try:
        draft = read_draft(text) if text else Draft()
        return Tapping(Steps(draft, _before(data.get("was", ""))), taps, adding)
    except BadNotation:
        return Tapping(Steps(Draft()), taps, adding, is_unread=True)


def _before(text: str) -> tuple[Draft, ...]:
    return tuple(map(read_draft, text.split(BETWEEN)[-MOST_STEPS:])) if text else ()


def _full(tap: str, adding: str) -> str:
    """A tap on a tile says itself how many it adds, unless the page's choice says it."""
    is_tile = len(tap) == 2
    return f"{adding}:{tap}" if is_tile and adding != "tile" else tap
