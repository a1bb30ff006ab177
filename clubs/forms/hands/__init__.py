"""What a table tells about one hand, and how a form asks for it."""

from clubs.forms.hands.figures import points_of
from clubs.forms.hands.places import FROM_THE_WALL, NOBODY, Place, places_of
from clubs.forms.hands.retelling import keeping_tiles, told_of
from clubs.forms.hands.sending import CorrectionForm, HandForm, PlayedForm, blank_hand, told_number
from clubs.forms.hands.tapped import beside_the_claim, tiles_sent, with_tiles
from clubs.forms.hands.telling import ReportForm

__all__ = [
    "FROM_THE_WALL",
    "NOBODY",
    "CorrectionForm",
    "HandForm",
    "Place",
    "PlayedForm",
    "ReportForm",
    "beside_the_claim",
    "blank_hand",
    "keeping_tiles",
    "places_of",
    "points_of",
    "tiles_sent",
    "told_number",
    "told_of",
    "with_tiles",
]
