"""Builds a hand from what is tapped, tile by tile: sets made by themselves, a score that grows.

A `Draft` is all that is known so far; a tap makes another of it (`play`); `groups` says how it is
shown, `tell` what it scores and lacks, `to_hand` what the engine scores, `written` how a link holds
it.
"""

from scoring.building.draft import (
    BadNotation,
    Draft,
    drafted,
    fitted,
    left_of,
    read_draft,
    seated,
    used_by,
    written,
)
from scoring.building.groups import (
    DraftScore,
    Group,
    Place,
    groups,
    lacking,
    notices,
    said,
    tell,
    to_hand,
)
from scoring.building.taps import Bag, Played, Steps, play

__all__ = [
    "BadNotation",
    "Bag",
    "Draft",
    "DraftScore",
    "Group",
    "Place",
    "Played",
    "Steps",
    "drafted",
    "fitted",
    "groups",
    "lacking",
    "left_of",
    "notices",
    "play",
    "read_draft",
    "said",
    "seated",
    "tell",
    "to_hand",
    "used_by",
    "written",
]
