"""A whole document: its contents, its numbered pages, and the response that sends it."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from io import BytesIO
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, TextStringObject

from clubs.paper.fonts import BOLD, TEXT, width_of
from clubs.paper.page import HAIR, LANGUAGE, SOFT, Paper

STEP, NUMBER = 19.0, 30.0


@dataclass(frozen=True, slots=True)
class Entry:
    """A line of the contents; level 1 belongs to the last of level 0."""

    key: str
    title: str
    level: int = 0

    @property
    def letters(self) -> tuple[float, str]:
        return (10.5, TEXT) if self.level else (12.5, BOLD)


@dataclass
class Contents:
    """The lines of a book's contents, and the page on which each begins."""

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
            left, (size, face) = paper.margin + 18 * entry.level, entry.letters
            room = paper.right - NUMBER - left - 8
            paper.text(left, y, entry.title, size=size, face=face, room=room)
            end = left + min(room, width_of(entry.title, face, size)) + 6
            paper.rule(end, y + 2, paper.right - NUMBER, y + 2, colour=HAIR)
            link = (left, y - 4, paper.right, y + 12)
            paper.canvas.linkRect("", entry.key, link, relative=1, thickness=0)
            with paper.tags.content():
                paper.put(f"page-of-{entry.key}", paper.right - NUMBER, y - 2)

    def begins(self, key: str) -> None:
        """Note that this part of the book begins on this page."""
        entry = next(entry for entry in self.entries if entry.key == key)
        self.pages[key] = self.paper.pages + 1
        self.paper.begins(key, entry.title, entry.level)

    def fill_in(self) -> None:
        """Write the numbers, once everything is drawn."""
        paper = self.paper
        for entry in self.entries:
            size, face = entry.letters
            paper.canvas.beginForm(f"page-of-{entry.key}", 0, 0, NUMBER, STEP)
            number = str(self.pages[entry.key])
            with paper.tags.silence():
                paper.text(NUMBER, 2, number, size=size, face=face, colour=SOFT, align="right")
            paper.canvas.endForm()


MOST_TYPED = 200
ONE = re.compile(r"([0-9]{1,6})(?:\s*[-–]\s*([0-9]{1,6}))?")


class NoSuchPages(ValueError):
    """Pages that a paper does not have; the message is a sentence for the reader."""


def only_pages(paper: bytes, wanted: str) -> bytes:
    """The paper with only the wanted pages, in its own order.

    Their numbers stay as printed. Raises NoSuchPages where one of them does not exist.
    """
    whole, some = PdfReader(BytesIO(paper)), PdfWriter()
    for number in read_pages(wanted, len(whole.pages)):
        some.add_page(whole.pages[number - 1])
    some.add_metadata({key: str(value) for key, value in (whole.metadata or {}).items()})
    some.root_object[NameObject("/Lang")] = TextStringObject(LANGUAGE)
    written = BytesIO()
    some.write(written)
    return written.getvalue()


def read_pages(wanted: str, count: int) -> list[int]:
    """The numbers in ``3, 7-9``, each once and in order, of a paper of so many pages.

    Raises NoSuchPages with a sentence.
    """
    words = [word for word in re.split(r"[,;]", wanted[:MOST_TYPED]) if word.strip()]
    if not words:
        raise NoSuchPages("Enter pages such as 3 or 7-9, with commas between them.")
    numbers: set[int] = set()
    for word in map(str.strip, words):
        match = ONE.fullmatch(word)
        if match is None:
            raise NoSuchPages(
                f"“{word[:20]}” is not a page. Enter 3 for one page or 7-9 for several, "
                "with commas between them."
            )
        first, last = int(match[1]), int(match[2] or match[1])
        if last < first:
            raise NoSuchPages(f"“{word}” is the wrong way round: enter {last}-{first}.")
        for number in (first, last):
            if not 1 <= number <= count:
                pages = "1 page" if count == 1 else f"{count} pages"
                raise NoSuchPages(f"There is no page {number}: this printout has {pages}.")
        numbers.update(range(first, last + 1))
    return sorted(numbers)


BAD_REQUEST = 400


def pdf(request: HttpRequest, paper: bytes, name: str, *, keeps: bool = False) -> HttpResponse:
    """A PDF that the browser shows, or saves at once (``keeps``), under the name.

    For pages that do not exist, a page that asks again (400).
    """
    wanted = request.GET.get("pages", "").strip()
    try:
        paper = only_pages(paper, wanted) if wanted else paper
    except NoSuchPages as wrong:
        others = {key: value for key, value in request.GET.items() if key != "pages"}
        whole = f"?{urlencode(others)}" if others else request.path
        context = {"asked": wanted, "said": str(wrong), "others": others.items(), "whole": whole}
        return render(request, "clubs/paper/which_pages.html", context, status=BAD_REQUEST)
    how = "attachment" if keeps else "inline"
    headers = {"Content-Disposition": f'{how}; filename="{name}.pdf"'}
    return HttpResponse(paper, content_type="application/pdf", headers=headers)
