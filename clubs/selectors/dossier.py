"""Everything that a club holds on one person, under headings that they can read.

Each heading says which tables it tells; a test walks all tables, so that a new one is either told
or left out for a reason that stands in the file itself.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.utils import timezone

from clubs.models import Player
from clubs.selectors import dossier_people, dossier_play, dossier_sent
from clubs.selectors.dossier_parts import Part
from clubs.selectors.erasing import records_of

Room = Callable[[Sequence[Player]], Sequence[Part]]

ROOMS: Final[list[Room]] = [dossier_people.parts, dossier_play.parts, dossier_sent.parts]

LEFT_OUT: Final[dict[str, str]] = {
    "auth.Group": "not used here",
    "auth.Permission": "not used here",
    "contenttypes.ContentType": "a list of the kinds of rows that the program has",
    "sessions.Session": "a random number for each browser in which you are signed in",
    "account.EmailConfirmation": "a random number while an email address is being confirmed",
    "clubs.Backup": "when the whole system was backed up",
    "clubs.Club": "the club itself",
    "clubs.Delivery": "numbers of evenings, tables and hands sent to another program",
    "clubs.KeptAnswer": "responses to API requests, kept for a day in case of retries",
    "clubs.League": "the club’s leagues; your place follows from the results above",
    "clubs.Season": "the club’s seasons; your place follows from the results above",
    "clubs.ReplacedLink": "old table links that no longer work",
    "clubs.Series": "when the club meets",
    "clubs.Holiday": "when the club does not meet",
    "clubs.Retention": "the club’s retention schedule",
    "scorebook.Book": "the seal over an evening’s or a tournament’s hands",
    "scorebook.Link": "sealed copies of the hands and words above",
    "scorebook.Edition": "rules of play",
    "scorebook.Game": "a table’s game; your hands in it are above",
    "scorebook.RepairedGame": "a table’s hands before several were corrected",
}


@dataclass(frozen=True, slots=True)
class Dossier:
    """All of it, as of a moment; ``left_out`` says what is not told, and why."""

    club: str
    name: str
    made_at: datetime
    parts: tuple[Part, ...]
    left_out: Mapping[str, str]

    @property
    def told(self) -> tuple[Part, ...]:
        """The headings under which there is something."""
        return tuple(part for part in self.parts if part.rows)

    @property
    def empty(self) -> tuple[Part, ...]:
        """The headings under which there is nothing."""
        return tuple(part for part in self.parts if not part.rows)


def open_room(room: Room, left_out: Mapping[str, str]) -> None:
    """Let another app tell what it holds; once, when the program starts."""
    if room not in ROOMS:
        ROOMS.append(room)
    LEFT_OUT.update(left_out)


def dossier(player: Player) -> Dossier:
    """Everything on the player and every record that was made one with theirs."""
    records = records_of(player)
    parts = [part for room in ROOMS for part in room(records)]
    return Dossier(
        player.club.name, player.name, timezone.localtime(), tuple(parts), dict(LEFT_OUT)
    )
