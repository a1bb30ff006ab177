"""The formats of printouts, and which printouts there are."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum
from typing import NamedTuple, Self
from urllib.parse import urlencode
from uuid import UUID

from django.db.models import Q
from django.urls import reverse

from clubs.models import Club, JobState, MarkColour, Season
from clubs.paper.fonts import unprintable_letters

BODY_SIZE, MIN_SIZE = 10.5, 8.0
LARGE_BODY_SIZE = 16.0
PACK_NOTE = "What to do, seating, every score sheet so far, standings, blank sheets and rules"
NAME_CARDS_NOTE = "Folding cards with the name on both sides, table and wind"
PACK_JOB, BOOK_JOB = "season pack", "season book"
KEPT_PAPERS_SHOWN = 12


class _FormatChoice(StrEnum):
    """A choice that falls back to its first member."""

    @classmethod
    def from_value(cls, value: str) -> Self:
        """The member of that value, else the first."""
        return next((item for item in cls if item.value == value), next(iter(cls)))


class Size(_FormatChoice):
    A4 = "a4"
    LETTER = "letter"


class Letters(_FormatChoice):
    """How large everything is."""

    ORDINARY = "ordinary"
    LARGE = "large"


class Contrast(_FormatChoice):
    """Whether colours and fine lines are used, or black on white with thick rules."""

    ORDINARY = "ordinary"
    HIGH = "high"


SHEET_SIZES = {Size.A4: (595.28, 841.89), Size.LETTER: (612.0, 792.0)}
FORMAT_QUESTIONS: tuple[tuple[str, str, type[_FormatChoice], tuple[str, ...]], ...] = (
    ("paper", "Paper", Size, ("A4", "Letter")),
    ("print", "Text size", Letters, ("Standard", "Large print")),
    ("contrast", "Colours", Contrast, ("Standard", "Black on white, thick lines")),
)
CHOICE_WORDS: dict[_FormatChoice, str] = {
    Size.LETTER: "Letter",
    Letters.LARGE: "large print",
    Contrast.HIGH: "black",
}


@dataclass(frozen=True, slots=True)
class FormatOption:
    value: str
    label: str
    is_chosen: bool


@dataclass(frozen=True, slots=True)
class FormatQuestion:
    """A question before printing: its name in an address, its words, its options."""

    name: str
    title: str
    options: tuple[FormatOption, ...]


@dataclass(frozen=True, slots=True)
class Format:
    """Size, letters, contrast and the mark's colour; measures are in points as they are drawn.

    Large print is the same drawing 16 to 10½ larger, on a sheet that has so much less room.
    """

    size: Size = Size.A4
    letters: Letters = Letters.ORDINARY
    contrast: Contrast = Contrast.ORDINARY
    mark_colour: str = MarkColour.RED

    @property
    def is_large(self) -> bool:
        """Whether it is large print: 16 points."""
        return self.letters is Letters.LARGE

    @property
    def is_high(self) -> bool:
        return self.contrast is Contrast.HIGH

    @property
    def scale(self) -> float:
        """How many points on the sheet a drawn point takes."""
        return LARGE_BODY_SIZE / BODY_SIZE if self.is_large else 1.0

    @property
    def smallest(self) -> float:
        """The size below which no letters are set, in drawn points."""
        return BODY_SIZE if self.is_large else MIN_SIZE

    def margin(self, *, wide: bool) -> float:
        """The white edge at the sides, in drawn points."""
        usual = 28.0 if wide else 40.0
        return 18.0 if self.is_large else usual

    def sheet(self, *, wide: bool) -> tuple[float, float]:
        """Width and height of the sheet in points, as it lies in the printer's tray or wide."""
        width, height = SHEET_SIZES[self.size]
        return (height, width) if wide else (width, height)

    @property
    def query(self) -> str:
        """The choices as the end of an address: ``paper=letter&print=large``; empty for none."""
        choices = {"paper": self.size, "print": self.letters, "contrast": self.contrast}
        usual = {"a4", "ordinary"}
        return urlencode(
            {key: choice.value for key, choice in choices.items() if choice.value not in usual}
        )

    @property
    def summary(self) -> str:
        """The unusual choices in few words: ``Letter, large print``; empty for none."""
        chosen_values = {self.size, self.letters, self.contrast}
        return ", ".join(label for choice, label in CHOICE_WORDS.items() if choice in chosen_values)

    @property
    def questions(self) -> tuple[FormatQuestion, ...]:
        """The questions of a page of printouts, with this format chosen."""
        chosen_values = (self.size, self.letters, self.contrast)
        result = []
        for (name, title, kind, labels), choice in zip(
            FORMAT_QUESTIONS, chosen_values, strict=True
        ):
            choices = zip(kind, labels, strict=True)
            options = tuple(
                FormatOption(item.value, label, item is choice) for item, label in choices
            )
            result.append(FormatQuestion(name, title, options))
        return tuple(result)


DEFAULT_FORMAT = Format()


def format_from_words(text: str, club: Club) -> Format:
    """The format that ``said`` describes in these words, with the club's mark."""
    choices = {choice for choice, label in CHOICE_WORDS.items() if label in text.split(", ")}
    return Format(
        Size.LETTER if Size.LETTER in choices else Size.A4,
        Letters.LARGE if Letters.LARGE in choices else Letters.ORDINARY,
        Contrast.HIGH if Contrast.HIGH in choices else Contrast.ORDINARY,
        club.mark_colour,
    )


def format_from_query(query: Mapping[str, str], club: Club) -> Format:
    """The format that an address asks for, with the club's mark; unknown values fall back."""
    return Format(
        Size.from_value(query.get("paper", "")),
        Letters.from_value(query.get("print", "")),
        Contrast.from_value(query.get("contrast", "")),
        club.mark_colour,
    )


class PaperKind(NamedTuple):
    """A printout: the name of its address, its title, a note, whether it is offered first.

    ``has_code`` where it can include the table's QR code.
    """

    name: str
    title: str
    note: str
    is_first: bool = False
    has_code: bool = False


class OfferedPrintout(NamedTuple):
    """A printout with its address; ``why_not`` says why there is nothing to print yet."""

    paper: PaperKind
    address: str
    why_not: str = ""


def names_with_missing_letters(names: Iterable[str]) -> list[tuple[str, str]]:
    """Names with letters that no face on paper has, each with those letters."""
    result = {word: unprintable_letters(word) for word in names}
    return [(word, letters) for word, letters in result.items() if letters]


def offers_of(
    papers: Iterable[PaperKind], club: str, pk: int, *, why_not: Mapping[str, str] | None = None
) -> list[OfferedPrintout]:
    """These printouts with their addresses, for the evening or season of that key.

    ``why_not`` says, for the name of a printout, why there is nothing to print yet.
    """
    not_yet = why_not or {}
    return [
        OfferedPrintout(paper, reverse(paper.name, args=[club, pk]), not_yet.get(paper.name, ""))
        for paper in papers
    ]


@dataclass(frozen=True, slots=True)
class KeptPaper:
    """A saved printout: the job that made it, its title, and when it was asked for."""

    job: UUID
    title: str
    made_at: datetime


def kept_papers(season: Season) -> tuple[KeptPaper, ...]:
    """The packs and books of the season, the newest first; one query."""
    kinds = Q(kind__startswith=PACK_JOB) | Q(kind__startswith=BOOK_JOB)
    jobs = season.league.club.jobs.filter(kinds, about=season.pk, state=JobState.DONE)
    rows = jobs.exclude(result="").values_list("pk", "kind", "made_at")
    return tuple(
        KeptPaper(job, kind[:1].upper() + kind[1:], made_at)
        for job, kind, made_at in rows.order_by("-made_at")[:KEPT_PAPERS_SHOWN]
    )
