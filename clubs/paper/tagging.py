"""The structure of a printout, for readers who listen to it.

ReportLab draws pages without one; it lets marked content through and writes the catalogue. See
ISO 32000-1, 14.7 and 14.8.
"""

from collections.abc import Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field
from typing import Any, Final

from reportlab.pdfbase.pdfdoc import PDFArray, PDFDictionary, PDFName, PDFObject, PDFString

LANGUAGE: Final = "en-GB"
CONTAINERS: Final = frozenset({"Document", "Table", "TR"})


@dataclass(eq=False)
class TaggedPart:
    """A part of the document: its standard type, its alternative text, and its contents.

    ``kids`` are parts, and the numbers of marks on ``page`` (from 0) for what is drawn; a part with
    such marks is all on one page.
    """

    kind: str
    alternative: str = ""
    page: int | None = None
    kids: list["TaggedPart | int"] = field(default_factory=list)


class Tags:
    """Marks what is drawn on a canvas, and writes its tree into the document."""

    def __init__(self, canvas: Any) -> None:
        self.canvas = canvas
        self.root = TaggedPart("Document")
        self._open = [self.root]
        self._marked_parts: list[list[TaggedPart]] = [[]]
        self.is_silent = False

    def next_page(self) -> None:
        """What is marked from now on is on the next page."""
        self._marked_parts.append([])

    def add(self, kind: str, alternative: str = "") -> TaggedPart:
        """A new part of this type, within the part that is open."""
        part = TaggedPart(kind, alternative)
        self._open[-1].kids.append(part)
        return part

    @contextmanager
    def element(self, kind: str, alternative: str = "") -> Iterator[None]:
        """What is drawn belongs to a new part of this type."""
        if self.is_silent:
            yield
            return
        with self.open_part(self.add(kind, alternative)):
            yield

    @contextmanager
    def open_part(self, part: TaggedPart) -> Iterator[None]:
        """What is drawn belongs to this part, on whichever page."""
        self._open.append(part)
        try:
            yield
        finally:
            self._open.pop()

    @contextmanager
    def paragraph(self) -> Iterator[None]:
        """Several lines that are read as one; nothing of its own within a heading or a cell."""
        if self.is_silent or self._open[-1].kind not in CONTAINERS:
            yield
            return
        with self.element("P"):
            yield

    def content(self) -> AbstractContextManager[None]:
        """A piece of text or a picture; a paragraph of its own where no smaller part is open."""
        if self.is_silent:
            return nullcontext()
        part, page = self._open[-1], self._marked_parts[-1]
        if part.kind in CONTAINERS:
            part = self.add("P")
        part.page = len(self._marked_parts) - 1
        part.kids.append(len(page))
        page.append(part)
        return MarkedContent(self, f"/{part.kind} <</MCID {len(page) - 1}>> BDC")

    def decoration(self) -> AbstractContextManager[None]:
        """Lines, frames and whatever repeats on every page: not read out."""
        return nullcontext() if self.is_silent else MarkedContent(self, "/Artifact BMC")

    @contextmanager
    def silence(self) -> Iterator[None]:
        """Nothing is marked on its own: it is drawn within a mark, or into a form."""
        was_silent, self.is_silent = self.is_silent, True
        try:
            yield
        finally:
            self.is_silent = was_silent

    def write(self) -> None:
        """Put the tree and the language into the document, once every page is ended."""
        document = self.canvas._doc
        tree = PDFDictionary({"Type": PDFName("StructTreeRoot")})
        nodes: dict[TaggedPart, Any] = {}
        pages = [document.Reference(page) for page in document.Pages.pages]
        tree["K"] = self._write_part(self.root, document.Reference(tree), pages, nodes)
        numbers: list[Any] = []
        for number, page in enumerate(document.Pages.pages):
            marks = PDFArray(
                [document.Reference(nodes[part]) for part in self._marked_parts[number]]
            )
            numbers += [number, document.Reference(marks)]
            page.__NoDefault__ = [*page.__NoDefault__, "StructParents", "Tabs"]
            page.StructParents, page.Tabs = number, PDFName("S")
        tree["ParentTree"] = document.Reference(PDFDictionary({"Nums": PDFArray(numbers)}))
        catalogue = document.Catalog
        catalogue.StructTreeRoot = tree
        catalogue.MarkInfo = PDFDictionary({"Marked": "true"})
        catalogue.Lang = PDFString(LANGUAGE)
        catalogue.ViewerPreferences = PDFDictionary({"DisplayDocTitle": "true"})

    def _write_part(
        self, part: TaggedPart, parent: Any, pages: Sequence[Any], nodes: dict[TaggedPart, Any]
    ) -> Any:
        """The reference to a part and all within it; ``nodes`` keeps what is written of each."""
        page = None if part.page is None else pages[part.page]
        node = nodes[part] = StructureNode(part.kind, part.alternative, parent, page)
        reference = self.canvas._doc.Reference(node)
        node.kids = [
            kid if isinstance(kid, int) else self._write_part(kid, reference, pages, nodes)
            for kid in part.kids
        ]
        return reference


class MarkedContent(AbstractContextManager[None]):
    """Marked content, within which nothing is marked on its own."""

    def __init__(self, tags: Tags, begin: str) -> None:
        self.tags, self.begin = tags, begin

    def __enter__(self) -> None:
        self.tags.canvas._code.append(self.begin)
        self.tags.is_silent = True

    def __exit__(self, *_: object) -> None:
        self.tags.canvas._code.append("EMC")
        self.tags.is_silent = False


class StructureNode(PDFObject):
    """A part as it is written: a dictionary, but there are tens of thousands of them."""

    def __init__(self, kind: str, alternative: str, parent: Any, page: Any) -> None:
        self.kind, self.alternative, self.parent, self.page = kind, alternative, parent, page
        self.kids: list[Any] = []

    def format(self, document: Any) -> bytes:
        """The bytes of the dictionary; ReportLab asks for them when it saves the document."""
        object_numbers = document.idToObjectNumberAndVersion
        kids = [
            str(kid) if isinstance(kid, int) else f"{object_numbers[kid.name][0]} 0 R"
            for kid in self.kids
        ]
        text = f"/S /{self.kind} /P {object_numbers[self.parent.name][0]} 0 R"
        if self.page is not None:
            text += f" /Pg {object_numbers[self.page.name][0]} 0 R"
        text += f" /K {kids[0]}" if len(kids) == 1 else f" /K [{' '.join(kids)}]"
        alternative_text = (
            b" /Alt " + PDFString(self.alternative).format(document) if self.alternative else b""
        )
        return b"<< " + text.encode() + bytes(alternative_text) + b" >>"
