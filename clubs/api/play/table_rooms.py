"""What is done at a table over the API, by its link and by its desk, at every kind of event."""

from typing import Final

from clubs.api.play.receipts import RECEIPTS
from clubs.api.play.tables import PLAYING, READING, Acts
from clubs.api.play.tables_seats import ASKING
from clubs.api.play.tables_sending import SENDING
from clubs.api.play.tables_tiles import TAPPING

AT_EVERY_TABLE: Final[Acts] = {**READING, **PLAYING, **TAPPING, **SENDING, **ASKING, **RECEIPTS}
