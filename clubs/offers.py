"""The papers that a page offers to print, each with a button of its own."""

from collections.abc import Iterable
from typing import NamedTuple

from django.urls import reverse

from clubs.pdf.faces import unprintable

PACKED = "Seating, every score sheet so far, standings, blank sheets, tally sheets and rules"
TENTS = "Folding cards with the name on both sides, table and wind"


class Paper(NamedTuple):
    """A paper: the name of its address, its title, a note, whether it is offered before others.

    ``has_code`` where it can be had with the table's code to scan.
    """

    name: str
    title: str
    note: str
    is_first: bool = False
    has_code: bool = False


class Offer(NamedTuple):
    """A paper with its address."""

    paper: Paper
    address: str


def unprinted(words: Iterable[str]) -> list[tuple[str, str]]:
    """Names with letters that no face on paper has, each with those letters."""
    found = {word: unprintable(word) for word in words}
    return [(word, letters) for word, letters in found.items() if letters]


def offered(papers: Iterable[Paper], club: str, pk: int) -> list[Offer]:
    """The papers of what has that key in the club."""
    return [Offer(paper, reverse(paper.name, args=[club, pk])) for paper in papers]
