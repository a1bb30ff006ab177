"""The pages of one table, for phone and organiser, of an evening or a tournament alike."""

from clubs.tablepages.correcting import correct
from clubs.tablepages.entering import show
from clubs.tablepages.linked import Room, by_link, phone_paths, seat_key
from clubs.tablepages.page import CONFLICT, UNPROCESSABLE, TablePage
from clubs.tablepages.repairing import repair
from clubs.tablepages.repairs import Workshop
from clubs.tablepages.restoring import restore
from clubs.tablepages.standings import show_standings
from clubs.tablepages.tapping import tapped, tiles

__all__ = [
    "CONFLICT",
    "UNPROCESSABLE",
    "Room",
    "TablePage",
    "Workshop",
    "by_link",
    "correct",
    "phone_paths",
    "repair",
    "restore",
    "seat_key",
    "show",
    "show_standings",
    "tapped",
    "tiles",
]
