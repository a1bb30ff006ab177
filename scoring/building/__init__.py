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
    read_draft,
    seat_draft,
    tiles_left,
    tiles_used,
    write_draft,
)
from scoring.building.groups import (
    DraftScore,
    Group,
    GroupPlace,
    groups,
    missing_sentences,
    notices,
    tell,
    tell_change,
    to_hand,
)
from scoring.building.taps import Bag, PlayResult, Steps, play

__all__ = [
    "BadNotation",
    "Bag",
    "Draft",
    "DraftScore",
    "Group",
    "GroupPlace",
    "PlayResult",
    "Steps",
    "draft_from_hand",
    "fit_draft",
    "groups",
    "missing_sentences",
    "notices",
    "play",
    "read_draft",
    "seat_draft",
    "tell",
    "tell_change",
    "tiles_left",
    "tiles_used",
    "to_hand",
    "write_draft",
]
