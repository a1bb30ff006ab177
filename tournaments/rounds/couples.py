"""Couples among the entrants, who are seated apart."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations

from clubs.models.names import name_key
from tournaments.models import Entrant, Tournament


def couples(entrants: Iterable[Entrant]) -> Iterator[tuple[Entrant, Entrant]]:
    """The pairs who are seated apart: one names the other, or both share a word."""
    keys = [(entrant, entrant.name_key, name_key(entrant.couple)) for entrant in entrants]
    for (first_entrant, name, first), (second_entrant, other_name, second) in combinations(keys, 2):
        if (first and first in {second, other_name}) or (second and second == name):
            yield first_entrant, second_entrant


def partners_of(entrants: Iterable[Entrant]) -> dict[int, str]:
    """The names of those each of these entrants is a couple with, where they are entrants too."""
    names: dict[int, list[str]] = defaultdict(list)
    for entrant, partner in couples(entrants):
        names[entrant.pk].append(partner.name)
        names[partner.pk].append(entrant.name)
    return {pk: " and ".join(partners) for pk, partners in names.items()}


def unknown_partner(entrant: Entrant) -> str:
    """A sentence where this entrant's partner is no entrant; otherwise empty."""
    if not entrant.couple or entrant.pk in partners_of(entrant.tournament.entrants.people()):
        return ""
    return missing_partner(entrant.couple, name=entrant.name)


def missing_partner(couple: str, *, name: str) -> str:
    """What a page says of a couple of whom only one is an entrant."""
    return (
        f"“{couple}” has not entered, so {name} is not kept apart from anyone yet. Check the name, "
        "or add them too."
    )


def couple_notes(tournament: Tournament, new_entrants: Sequence[Entrant]) -> Iterator[str]:
    """Where only one of a couple is on the list, or entered already."""
    if not any(entrant.couple for entrant in new_entrants):
        return
    people = [*tournament.entrants.people(), *new_entrants]
    numbers = {entrant.number for pair in couples(people) for entrant in pair}
    for entrant in new_entrants:
        if entrant.couple and entrant.number not in numbers:
            yield missing_partner(entrant.couple, name=entrant.name)
