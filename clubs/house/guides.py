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

AUDIENCES: Final = {
    "player": "I play",
    "secretary": "I run club nights",
    "scorer": "I settle disputed hands",
    "director": "I run tournaments",
    "operator": "I look after the server",
    "programmer": "I write software",
}
GLOSSARY: Final = "words"
# What is read before a club begins, or without a page beside it; each is named by its title.
LEAFLETS: Final = ("quick-start", "questions", "committee", "spreadsheet")
GUIDE_NAMES: Final = {*AUDIENCES, GLOSSARY, *LEAFLETS}
TROUBLE_HEADING: Final = "If something goes wrong"
GUIDE_FOLDER: Final = settings.BASE_DIR / "docs" / "guide"
PICTURE_PATTERN: Final = re.compile(r"!\[(?P<words>[^\]]+)\]\(pictures/(?P<name>[\w-]+\.png)\)")
LINK_PATTERN: Final = re.compile(r"\[(?P<words>[^\]]+)\]\((?P<to>[^)]+)\)")
LIST_MARK: Final = re.compile(r"^(?:\d+\. |- )")
BOLD_OPENING: Final = re.compile(r"\*\*(?P<title>[^*]+):\*\*")
BLANK_LINES: Final = re.compile(r"\n(?:\s*\n)+(?! )")


class GuidePoint(NamedTuple):
    line: str

    @property
    def title(self) -> str:
        """Its bold opening: `No network` of ``**No network:** let them play.``"""
        opening = BOLD_OPENING.match(self.line)
        return opening["title"] if opening else ""

    @property
    def anchor(self) -> str:
        return anchor_of(self.title)

    @property
    def is_link(self) -> bool:
        """Whether it is a link alone, to be pressed and not read within a sentence."""
        return LINK_PATTERN.fullmatch(self.line) is not None


class GuideBlock(NamedTuple):
    """A part of a section: `kind` is steps, points, words, command or picture.

    ``name`` is a picture's file, ``first`` the number of its first step.
    """

    kind: str
    lines: tuple[str, ...]
    name: str = ""
    first: int = 1

    @property
    def text(self) -> str:
        return "\n".join(self.lines)

    @property
    def points(self) -> tuple[GuidePoint, ...]:
        return tuple(map(GuidePoint, self.lines))

    @property
    def picture(self) -> str:
        """The path of its picture among the static files."""
        return f"guide/{self.name}"

    @property
    def is_of_a_phone(self) -> bool:
        """Whether the picture is tall, as `phone-check.png` is."""
        return self.name.startswith("phone-")


class GuideSection(NamedTuple):
    title: str
    blocks: tuple[GuideBlock, ...]

    @property
    def anchor(self) -> str:
        """Its place on the page: `if-something-goes-wrong`."""
        return anchor_of(self.title)


class Guide(NamedTuple):
    """A guide; `name` is its audience, and its address."""

    name: str
    title: str
    lede: str
    sections: tuple[GuideSection, ...]

    @property
    def reader(self) -> str:
        """The audience in the first person: `I run club nights`."""
        return AUDIENCES.get(self.name, "")

    @property
    def troubles(self) -> tuple[GuidePoint, ...]:
        """The problems it covers, each with its answer below."""
        sections = (block for block in self.sections if block.title == TROUBLE_HEADING)
        blocks = (block for section in sections for block in section.blocks)
        return tuple(point for block in blocks for point in block.points if point.title)


@cache
def read_guide(guide_name: str) -> Guide:
    """The guide for one of ``AUDIENCES``, the glossary or a leaflet. Raises ``KeyError``."""
    if guide_name not in GUIDE_NAMES:
        raise KeyError(guide_name)
    return parse_guide(guide_name, (GUIDE_FOLDER / f"{guide_name}.md").read_text(encoding="utf-8"))


def parse_guide(guide_name: str, text: str) -> Guide:
    """A text in the guides' Markdown, such as the terms of a hosted address."""
    head, *sections = text.replace("\r\n", "\n").strip().split("\n## ")
    title, _, lede = head.partition("\n")
    parts = []
    for section in sections:
        heading, _, body = section.partition("\n")
        parts.append(
            GuideSection(heading.strip(), tuple(map(_parse_block, BLANK_LINES.split(body.strip()))))
        )
    return Guide(guide_name, title.removeprefix("# "), _join_lines(lede), tuple(parts))


def all_guides() -> list[Guide]:
    """Every guide, in the order in which a club needs them."""
    return [read_guide(guide_name) for guide_name in AUDIENCES]


def leaflets() -> list[Guide]:
    return [read_guide(name) for name in LEAFLETS]


def anchor_of(title: str) -> str:
    """The anchor of a heading: `table-card`."""
    return re.sub(r"\W+", "-", title.lower()).strip("-")


def _parse_block(text: str) -> GuideBlock:
    if picture := PICTURE_PATTERN.fullmatch(text):
        return GuideBlock("picture", (picture["words"],), picture["name"])
    if text.startswith("```"):
        return GuideBlock("command", tuple(text.splitlines()[1:-1]))
    if LIST_MARK.match(text):
        lines = tuple(
            _join_lines(LIST_MARK.sub("", item)) for item in re.split(r"\n(?=\d+\. |- )", text)
        )
        if text.startswith("- "):
            return GuideBlock("points", lines)
        return GuideBlock("steps", lines, first=int(text.partition(".")[0]))
    return GuideBlock("words", (_join_lines(text),))


def _join_lines(text: str) -> str:
    return " ".join(text.split())


def in_html(line: str) -> SafeString:
    """A line with its bold words, commands and links, everything else escaped."""

    def format_link(link: re.Match[str]) -> str:
        """A link to another guide; for any other file, its place in the project."""
        label, target = link["words"], link["to"]
        file, hash_, place = target.partition("#")
        guide_name = file.removesuffix(".md")
        if guide_name in GUIDE_NAMES:
            return f'<a href="../{guide_name}/{hash_}{place}">{label}</a>'
        if target.startswith(("http://", "https://", "mailto:")):
            return f'<a href="{target}">{label}</a>'
        # `../../deploy/README.md`, seen from the guides, is `deploy/README.md`.
        path = (GUIDE_FOLDER / target).resolve()
        if not path.is_relative_to(settings.BASE_DIR):
            return label
        return f"{label} (<code>{path.relative_to(settings.BASE_DIR)!s}</code>)"

    text = re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", escape(line))
    text = re.sub(r"`(.+?)`", r"<code>\1</code>", text)
    return mark_safe(LINK_PATTERN.sub(format_link, text))  # noqa: S308 - escaped above
