"""The structure of a PDF: headings, paragraphs and tables for readers who listen to it.

ReportLab draws pages without a structure; it lets marked content through and writes the catalogue.
See ISO 32000-1, 14.7 and 14.8.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFString

LANGUAGE: Final = "en-GB"
CONTAINERS: Final = frozenset({"Document", "Table", "TR"})


@dataclass(eq=False)
class Element:
    """A part of the document: its standard type, its alternative text, and its contents.

    ``kids`` are parts, and the numbers of marks on ``page`` (from 0) for what is drawn; a part with
    such marks is all on one page.
    """

    kind: str
    alternative: str = ""
    page: int | None = None
    kids: list["Element | int"] = field(default_factory=list)


class Tags:
    """Marks what is drawn on a canvas, and writes its tree into the document."""

    def __init__(self, canvas: Any) -> None:
        self.canvas = canvas
        self.root = Element("Document")
        self._open = [self.root]
        self._marked: list[list[Element]] = [[]]
        self._is_silent = False

    def next_page(self) -> None:
        """What is marked from now on is on the next page."""
        self._marked.append([])

    def add(self, kind: str, alternative: str = "") -> Element:
        """A new part of this type, within the part that is open."""
        part = Element(kind, alternative)
        self._open[-1].kids.append(part)
        return part

    @contextmanager
    def element(self, kind: str, alternative: str = "") -> Iterator[None]:
        """What is drawn belongs to a new part of this type."""
        if self._is_silent:
            yield
            return
        with self.within(self.add(kind, alternative)):
            yield

    @contextmanager
    def within(self, part: Element) -> Iterator[None]:
        """What is drawn belongs to this part, on whichever page."""
        self._open.append(part)
        try:
            yield
        finally:
            self._open.pop()

    @contextmanager
    def paragraph(self) -> Iterator[None]:
        """Several lines that are read as one; nothing of its own within a heading or a cell."""
        if self._is_silent or self._open[-1].kind not in CONTAINERS:
            yield
            return
        with self.element("P"):
            yield

    @contextmanager
    def content(self) -> Iterator[None]:
        """A piece of text or a picture; a paragraph of its own where no smaller part is open."""
        if self._is_silent:
            yield
            return
        if self._open[-1].kind in CONTAINERS:
            with self.element("P"), self.content():
                yield
            return
        part, page = self._open[-1], self._marked[-1]
        part.page = len(self._marked) - 1
        part.kids.append(len(page))
        with self._marks(f"/{part.kind} <</MCID {len(page)}>> BDC"):
            page.append(part)
            yield

    @contextmanager
    def decoration(self) -> Iterator[None]:
        """Lines, frames and whatever repeats on every page: not read out."""
        if self._is_silent:
            yield
            return
        with self._marks("/Artifact BMC"):
            yield

    @contextmanager
    def _marks(self, begin: str) -> Iterator[None]:
        self.canvas._code.append(begin)
        with self.silence():
            yield
        self.canvas._code.append("EMC")

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Nothing is marked on its own: it is drawn within a mark, or into a form."""
        before, self._is_silent = self._is_silent, True
        try:
            yield
        finally:
            self._is_silent = before

    def write(self) -> None:
        """Put the tree and the language into the document, once every page is ended."""
        document = self.canvas._doc
        tree = PDFDictionary({"Type": PDFName("StructTreeRoot")})
        nodes: dict[Element, Any] = {}
        tree["K"] = self._written(self.root, document.Reference(tree), nodes)
        numbers: list[Any] = []
        for number, page in enumerate(document.Pages.pages):
            marks = PDFArray([document.Reference(nodes[part]) for part in self._marked[number]])
            numbers += [number, document.Reference(marks)]
            page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
            page.StructParents, page.Tabs = number, PDFName("S")
        tree["ParentTree"] = document.Reference(PDFDictionary({"Nums": PDFArray(numbers)}))
        catalogue = document.Catalog
        catalogue.StructTreeRoot = tree
        catalogue.MarkInfo = PDFDictionary({"Marked": "true"})
        catalogue.Lang = PDFString(LANGUAGE)
        catalogue.ViewerPreferences = PDFDictionary({"DisplayDocTitle": "true"})

    def _written(self, part: Element, parent: Any, nodes: dict[Element, Any]) -> Any:
        """The reference to a part and all within it; ``nodes`` keeps what is written of each."""
        document = self.canvas._doc
        node = nodes[part] = PDFDictionary({"S": PDFName(part.kind), "P": parent})
        reference = document.Reference(node)
        if part.alternative:
            node["Alt"] = PDFString(part.alternative)
        if part.page is not None:
            node["Pg"] = document.Reference(document.Pages.pages[part.page])
        kids = [
            kid if isinstance(kid, int) else self._written(kid, reference, nodes)
            for kid in part.kids
        ]
        node["K"] = kids[0] if len(kids) == 1 else PDFArray(kids)
        return reference
