"""The one way in which the people of a club are named for readers: as each chose."""

from collections.abc import Iterable

from clubs.models import Player
from clubs.models.names import Person, Reader, shown_names


def names_of(players: Iterable[Player], reader: Reader) -> dict[int, str]:
    """The players of one list by their keys, as the reader may read them; no query."""
    return shown_names(map(person_of, players), reader)


def person_of(player: Player) -> Person:
    """The player as lists name them."""
    return Person(player.pk, player.name, player.shown_as, player.pk)
