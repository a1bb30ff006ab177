"""What is done at a table over the API, by its link and by its desk, at every kind of event."""

from typing import Final

from clubs.api.play.receipts import RECEIPTS
from clubs.table.api.tables import ASKING, PLAYING, READING, SENDING, Acts
from clubs.table.api.tile_entry import TAPPING

AT_EVERY_TABLE: Final[Acts] = {**READING, **PLAYING, **TAPPING, **SENDING, **ASKING, **RECEIPTS}
