"""How a tournament's people are named for readers: as each chose in the club."""

from collections.abc import Iterable

from clubs.models.names import Person, Reader, shown_names
from tournaments.models import Entrant, Placement

WITH_PLAYER = "entrant__player"


def names_of(entrants: Iterable[Entrant], reader: Reader) -> dict[int, str]:
    """The entrants of one list by their keys, as shown to the reader.

    No query if their players are prefetched; a visitor’s name is shown in full.
    """
    return shown_names(map(person_of, entrants), reader)


def sitters_of(places: Iterable[Placement], reader: Reader) -> dict[int, str]:
    """The people in these places, by the places' keys: a substitute as the director entered it."""
    places = list(places)
    names = names_of((place.entrant for place in places), reader)
    return {place.pk: place.substitute or names[place.entrant_id] for place in places}


def person_of(entrant: Entrant) -> Person:
    """The entrant as a ``Person`` of a list."""
    if entrant.player is None:
        return Person(entrant.pk, entrant.name)
    return Person(entrant.pk, entrant.name, entrant.player.shown_as, entrant.player_id)
