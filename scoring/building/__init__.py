"""Builds a hand from what is tapped, tile by tile: sets made by themselves, a score that grows.

A `Draft` is all that is known so far; a tap makes another of it (`play`); `groups` says how it is
shown, `tell` what it scores and lacks, `to_hand` what the engine scores, `write_draft` how a link
holds it.
"""

from scoring.building.draft import (
    BadNotation,
    Draft,
    draft_from_hand,
    fit_draft,
    left_of,
    read_draft,
    seat_draft,
    used_by,
    write_draft,
)
from scoring.building.groups import (
    DraftScore,
    Group,
    Place,
    groups,
    lacking,
    notices,
    tell,
    tell_change,
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
    "draft_from_hand",
    "fit_draft",
    "groups",
    "lacking",
    "left_of",
    "notices",
    "play",
    "read_draft",
    "seat_draft",
    "tell",
    "tell_change",
    "to_hand",
    "used_by",
    "write_draft",
]
