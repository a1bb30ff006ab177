"""What a book holds and on which page: numbers that are known when all is drawn, and bookmarks."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from clubs.pdf.faces import BOLD, TEXT, width_of
from clubs.pdf.page import HAIR, SOFT, Paper

STEP, NUMBER = 19.0, 30.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the contents; level 1 stands below the last of level 0."""

    key: str
    title: str
    level: int = 0


@dataclass
class Contents:
    """The lines of a book's contents, and the page on which each was found to begin."""

    paper: Paper
    entries: Sequence[Entry]
    pages: dict[str, int] = field(default_factory=dict)

    def draw(self, y: float, club: str, footer: str) -> None:
        """Every line with room for its number, from y downwards, over as many pages as it takes."""
        paper = self.paper
        paper.footer(footer)
        for entry in self.entries:
            if y - STEP - 8 * (not entry.level) < paper.foot:
                paper.next_page()
                y = paper.masthead(club, "Contents")
                paper.footer(footer)
            y -= STEP if entry.level else STEP + 8
            self._line(entry, y)

    def _line(self, entry: Entry, y: float) -> None:
        paper, face = self.paper, TEXT if entry.level else BOLD
        left, size = paper.margin + 18 * entry.level, 10.5 if entry.level else 12.5
        room = paper.right - NUMBER - left - 8
        paper.text(left, y, entry.title, size=size, face=face, room=room)
        end = left + min(room, width_of(entry.title, face, size)) + 6
        paper.rule(end, y + 2, paper.right - NUMBER, y + 2, colour=HAIR)
        canvas = paper.canvas
        canvas.linkRect("", entry.key, (left, y - 4, paper.right, y + 12), relative=1, thickness=0)
        with paper.tags.content():
            paper.put(f"page-of-{entry.key}", paper.right - NUMBER, y - 2)

    def begins(self, key: str) -> None:
        """That part of the book begins on this page."""
        found = next(entry for entry in self.entries if entry.key == key)
        self.pages[key] = self.paper.pages + 1
        self.paper.begins(key, found.title, found.level)

    def fill_in(self) -> None:
        """Write the numbers, once everything is drawn."""
        paper = self.paper
        for entry in self.entries:
            size, face = (10.5, TEXT) if entry.level else (12.5, BOLD)
            paper.canvas.beginForm(f"page-of-{entry.key}", 0, 0, NUMBER, STEP)
            number = str(self.pages[entry.key])
            with paper.tags.silence():
                paper.text(NUMBER, 2, number, size=size, face=face, colour=SOFT, align="right")
            paper.canvas.endForm()
