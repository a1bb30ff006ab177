"""A PDF as a browser gets it: whole, or only the pages asked for."""

import re
from io import BytesIO
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, TextStringObject

from clubs.paper.tagging import LANGUAGE

LETTER_SIZE = 10.5
HEADER_SIZE = 9.0
LIST_LEADING = 12.5
ROW_HEIGHT = 19.0
HEADER_HEIGHT = 24.0
CELL_PADDING = 4.0
MAX_PAGES_TEXT = 200
PAGE_RANGE = re.compile(r"([0-9]{1,6})(?:\s*[-–]\s*([0-9]{1,6}))?")
BAD_REQUEST = 400


class NoSuchPages(ValueError):
    """Pages that a paper does not have; the message is a sentence for the reader."""


def extract_pages(paper: bytes, page_ranges: str) -> bytes:
    """The paper with only the wanted pages, in its own order.

    Their numbers stay as printed. Raises NoSuchPages where one of them does not exist.
    """
    reader, some = PdfReader(BytesIO(paper)), PdfWriter()
    for number in read_pages(page_ranges, len(reader.pages)):
        some.add_page(reader.pages[number - 1])
    some.add_metadata({key: str(value) for key, value in (reader.metadata or {}).items()})
    some.root_object[NameObject("/Lang")] = TextStringObject(LANGUAGE)
    output = BytesIO()
    some.write(output)
    return output.getvalue()


def read_pages(page_ranges: str, count: int) -> list[int]:
    """The numbers in ``3, 7-9``, each once and in order, of a paper of so many pages.

    Raises NoSuchPages with a sentence.
    """
    ranges = [word for word in re.split(r"[,;]", page_ranges[:MAX_PAGES_TEXT]) if word.strip()]
    if not ranges:
        raise NoSuchPages("Enter pages such as 3 or 7-9, with commas between them.")
    numbers: set[int] = set()
    for word in map(str.strip, ranges):
        match = PAGE_RANGE.fullmatch(word)
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


def pdf_response(
    request: HttpRequest, paper: bytes, name: str, *, keeps: bool = False
) -> HttpResponse:
    """A PDF that the browser shows, or saves at once (``keeps``), under the name.

    For pages that do not exist, a page that asks again (400).
    """
    page_ranges = request.GET.get("pages", "").strip()
    try:
        paper = extract_pages(paper, page_ranges) if page_ranges else paper
    except NoSuchPages as wrong:
        other_parameters = {key: value for key, value in request.GET.items() if key != "pages"}
        full_url = f"?{urlencode(other_parameters)}" if other_parameters else request.path
        context = {
            "asked": page_ranges,
            "said": str(wrong),
            "others": other_parameters.items(),
            "whole": full_url,
        }
        return render(request, "clubs/paper/which_pages.html", context, status=BAD_REQUEST)
    disposition = "attachment" if keeps else "inline"
    headers = {"Content-Disposition": f'{disposition}; filename="{name}.pdf"'}
    return HttpResponse(paper, content_type="application/pdf", headers=headers)
