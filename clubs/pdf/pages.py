"""Some pages of a paper again, alone: ``3,7-9`` of a finished PDF."""

import re
from collections.abc import Iterator
from io import BytesIO

from pypdf import PdfReader, PdfWriter
from pypdf.generic import NameObject, TextStringObject

from clubs.pdf.tags import LANGUAGE

MOST_TYPED = 200
ONE = re.compile(r"([0-9]{1,6})(?:\s*[-–]\s*([0-9]{1,6}))?")


class NoSuchPages(ValueError):
    """Pages that a paper has not; its words are a sentence for whoever asked."""


def only_pages(paper: bytes, asked: str) -> bytes:
    """The paper with the pages that are asked for alone, in the order in which it has them.

    Their numbers stay as printed. Raises NoSuchPages where one of them is not there.
    """
    whole, some = PdfReader(BytesIO(paper)), PdfWriter()
    for number in read_pages(asked, len(whole.pages)):
        some.add_page(whole.pages[number - 1])
    some.add_metadata({key: str(said) for key, said in (whole.metadata or {}).items()})
    some.root_object[NameObject("/Lang")] = TextStringObject(LANGUAGE)
    written = BytesIO()
    some.write(written)
    return written.getvalue()


def read_pages(asked: str, count: int) -> list[int]:
    """The numbers in ``3, 7-9``, each once and in order, of a paper of so many pages.

    Raises NoSuchPages with a sentence.
    """
    words = [word for word in re.split(r"[,;]", asked[:MOST_TYPED]) if word.strip()]
    if not words:
        raise NoSuchPages("Enter pages such as 3 or 7-9, with commas between them.")
    return sorted({number for word in words for number in _read(word.strip(), count)})


def _read(word: str, count: int) -> Iterator[int]:
    found = ONE.fullmatch(word)
    if found is None:
        raise NoSuchPages(
            f"“{word[:20]}” is not a page. Enter 3 for one page or 7-9 for several, "
            "with commas between them."
        )
    first, last = int(found[1]), int(found[2] or found[1])
    if last < first:
        raise NoSuchPages(f"“{word}” is the wrong way round: enter {last}-{first}.")
    for number in (first, last):
        if not 1 <= number <= count:
            pages = "1 page" if count == 1 else f"{count} pages"
            raise NoSuchPages(f"There is no page {number}: this printout has {pages}.")
    yield from range(first, last + 1)
