"""The guides for people, `docs/guide/*.md`, read once and shown on pages.

They are written in a subset of Markdown: a title, a lede, sections of paragraphs, numbered steps,
points, pictures and commands; within a line **text on a page**, `a command` and [a link](there.md).
"""

import re
from functools import cache
from typing import Final, NamedTuple

from django.conf import settings
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

WHO: Final = {
    "player": "I play",
    "secretary": "I run club nights",
    "scorer": "I settle disputed hands",
    "director": "I run tournaments",
    "operator": "I look after the server",
    "programmer": "I write software",
}
WORDS: Final = "words"
# What is read before a club begins, or without a page beside it; each is named by its title.
LEAFLETS: Final = ("quick-start", "questions", "committee", "spreadsheet")
READABLE: Final = {*WHO, WORDS, *LEAFLETS}
TROUBLE: Final = "If something goes wrong"
FOLDER: Final = settings.BASE_DIR / "docs" / "guide"
PICTURE: Final = re.compile(r"!\[(?P<words>[^\]]+)\]\(pictures/(?P<name>[\w-]+\.png)\)")
LINK: Final = re.compile(r"\[(?P<words>[^\]]+)\]\((?P<to>[^)]+)\)")
MARK: Final = re.compile(r"^(?:\d+\. |- )")
OPENING: Final = re.compile(r"\*\*(?P<title>[^*]+):\*\*")
PAUSE: Final = re.compile(r"\n(?:\s*\n)+(?! )")


class Point(NamedTuple):
    line: str

    @property
    def title(self) -> str:
        """Its bold opening: `No network` of ``**No network:** let them play.``"""
        opening = OPENING.match(self.line)
        return opening["title"] if opening else ""

    @property
    def anchor(self) -> str:
        return anchor_of(self.title)

    @property
    def is_link(self) -> bool:
        """Whether it is a link alone, to be pressed and not read within a sentence."""
        return LINK.fullmatch(self.line) is not None


class Block(NamedTuple):
    """A part of a section: `kind` is steps, points, words, command or picture.

    ``name`` is a picture's file, ``first`` the number of its first step.
    """

    kind: str
    lines: tuple[str, ...]
    name: str = ""
    first: int = 1

    @property
    def whole(self) -> str:
        return "\n".join(self.lines)

    @property
    def points(self) -> tuple[Point, ...]:
        return tuple(map(Point, self.lines))

    @property
    def picture(self) -> str:
        """The path of its picture among the static files."""
        return f"guide/{self.name}"

    @property
    def is_of_a_phone(self) -> bool:
        """Whether the picture is tall, as `phone-check.png` is."""
        return self.name.startswith("phone-")


class Section(NamedTuple):
    title: str
    blocks: tuple[Block, ...]

    @property
    def anchor(self) -> str:
        """Its place on the page: `if-something-goes-wrong`."""
        return anchor_of(self.title)


class Guide(NamedTuple):
    """A guide; `who` is its audience, and its address."""

    who: str
    title: str
    lede: str
    sections: tuple[Section, ...]

    @property
    def reader(self) -> str:
        """The audience in the first person: `I run club nights`."""
        return WHO.get(self.who, "")

    @property
    def troubles(self) -> tuple[Point, ...]:
        """The problems it covers, each with its answer below."""
        sections = (block for block in self.sections if block.title == TROUBLE)
        blocks = (block for section in sections for block in section.blocks)
        return tuple(point for block in blocks for point in block.points if point.title)


@cache
def read_guide(who: str) -> Guide:
    """The guide for one of ``WHO``, the glossary ``WORDS`` or a leaflet. Raises ``KeyError``."""
    if who not in READABLE:
        raise KeyError(who)
    return parse_guide(who, (FOLDER / f"{who}.md").read_text(encoding="utf-8"))


def parse_guide(who: str, text: str) -> Guide:
    """A text in the guides' Markdown, such as the terms of a hosted address."""
    head, *sections = text.replace("\r\n", "\n").strip().split("\n## ")
    title, _, lede = head.partition("\n")
    parts = []
    for section in sections:
        heading, _, body = section.partition("\n")
        parts.append(Section(heading.strip(), tuple(map(_block, PAUSE.split(body.strip())))))
    return Guide(who, title.removeprefix("# "), _joined(lede), tuple(parts))


def all_guides() -> list[Guide]:
    """Every guide, in the order in which a club needs them."""
    return [read_guide(who) for who in WHO]


def leaflets() -> list[Guide]:
    return [read_guide(name) for name in LEAFLETS]


def anchor_of(title: str) -> str:
    """The anchor of a heading: `table-card`."""
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def _block(text: str) -> Block:
    if picture := PICTURE.fullmatch(text):
        return Block("picture", (picture["words"],), picture["name"])
    if text.startswith("```"):
        return Block("command", tuple(text.splitlines()[1:-1]))
    if MARK.match(text):
        lines = tuple(_joined(MARK.sub("", item)) for item in re.split(r"\n(?=\d+\. |- )", text))
        if text.startswith("- "):
            return Block("points", lines)
        return Block("steps", lines, first=int(text.partition(".")[0]))
    return Block("words", (_joined(text),))


def _joined(text: str) -> str:
    return " ".join(text.split())


def in_html(line: str) -> SafeString:
    """A line with its bold words, commands and links, everything else escaped."""

    def linked(link: re.Match[str]) -> str:
        """A link to another guide; for any other file, its place in the project."""
        words, to = link["words"], link["to"]
        file, hash_, place = to.partition("#")
        who = file.removesuffix(".md")
        if who in READABLE:
            return f'<a href="../{who}/{hash_}{place}">{words}</a>'
        if to.startswith(("http://", "https://", "mailto:")):
            return f'<a href="{to}">{words}</a>'
        # `../../deploy/README.md`, seen from the guides, is `deploy/README.md`.
        path = (FOLDER / to).resolve()
        if not path.is_relative_to(settings.BASE_DIR):
            return words
        return f"{words} (<code>{path.relative_to(settings.BASE_DIR)!s}</code>)"

    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(line))
    text = re.sub(r"`(.+?)`", r"<code>\1</code>", text)
    return mark_safe(LINK.sub(linked, text))  # noqa: S308 - escaped above
