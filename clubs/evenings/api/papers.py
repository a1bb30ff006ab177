"""Printouts over the API: those of an evening, and those of the club that need no evening."""

import re
from collections.abc import Sequence
from typing import Any, ClassVar, Final

from django.urls import URLPattern, path, reverse
from drf_spectacular.utils import OpenApiParameter

from clubs.api.base import ClubListAPIView, lists
from clubs.api.papers import PaperAPIView, PaperShape, papers_data, prints
from clubs.core.permissions import PRINT_PAPERS, SEE_CLUB, SEE_RESULTS
from clubs.evenings.api.evenings import EVENING, OfEvening
from clubs.evenings.papers import (
    CLUB_PAPERS,
    NOBODY_SEATED,
    PAPERS,
    ClubPaper,
    Printing,
    offered_for,
    rules_to_print,
)
from clubs.evenings.selectors.seating import why_this_evening
from clubs.language.moments import full_date
from clubs.paper.formats import Format
from clubs.seats.papers import Heading, why_pdf
from scoring.scorebook.refusals import refuse

NUMBER: Final = re.compile(r"-?[0-9]{1,20}", re.ASCII)
TABLE = OpenApiParameter("table", int, description="only the table with this number")
CODE = OpenApiParameter("code", bool, description="include the table’s QR code")
RULES = OpenApiParameter("rules", str, description="the key of a rule set; as the club plays")
CLUB: Final = "clubs/<slug:club>/"


class EveningPapersView(OfEvening, ClubListAPIView):
    access = PRINT_PAPERS
    sheet = "Printouts"

    @lists(PaperShape)
    def get(self) -> Sequence[Any]:
        """List the printouts of an evening that are available now, each with its address."""
        session = self.session
        at = [self.club.slug, session.pk]
        papers = [
            (paper.title, paper.note, reverse(f"api-evening-paper-{paper.kind}", args=at))
            for paper in offered_for(session)
        ]
        return papers_data(self.request, papers)


class EveningPaper(PaperAPIView, OfEvening):
    """A printout of an evening; ``kind`` names it."""

    access = PRINT_PAPERS
    kind: ClassVar[str]

    @prints(TABLE, CODE)
    def get(self, form: Format) -> tuple[bytes, str]:
        """Download a printout of the evening as a PDF."""
        session, params = self.session, self.request.query_params
        table, code = params.get("table", ""), params.get("code", "false")
        if "table" in params and not NUMBER.fullmatch(table):
            raise refuse("bad_parameter", "There is no table with this number.", "table")
        if code not in {"true", "false"}:
            raise refuse("bad_parameter", "Choose true or false.", "code")
        printing = Printing(
            at=lambda key: self.request.build_absolute_uri(reverse("table", args=[key])),
            form=form,
            reader=self.reader,
            table=table,
            with_code=code == "true",
        )
        paper = PAPERS[self.kind].drawn(session, printing)
        if paper is None:
            raise refuse("nobody_seated", NOBODY_SEATED)
        return paper, f"{self.club.slug}-{session.held_on}-{self.kind}"


class WhyPaper(PaperAPIView, OfEvening):
    access = SEE_RESULTS

    @prints()
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print how the tables were chosen."""
        session = self.session
        seated = why_this_evening(session, reader=self.reader)
        if not seated.seating.players:
            raise refuse("nobody_seated", NOBODY_SEATED)
        day = full_date(session.held_on)
        heading = Heading(self.club.name, "How the tables were chosen", f"{day}: {seated.counts}")
        return why_pdf(heading, seated.seating, form), f"{self.club.slug}-{session.held_on}-why"


class ClubPaperView(PaperAPIView):
    """A printout that needs no evening."""

    access = PRINT_PAPERS
    paper: ClassVar[ClubPaper]

    @prints(RULES)
    def get(self, form: Format) -> tuple[bytes, str]:
        """Download this printout of the club as a PDF."""
        rules = rules_to_print(self.club, self.request.query_params.get("rules", ""))
        if not rules:
            raise refuse("bad_parameter", "The club has no rules with this key.", "rules")
        return self.paper.draw(self.club, rules, form), self.paper.file_for(self.club)


def _of_evening(kind: str) -> URLPattern:
    access = SEE_CLUB if kind == "crib" else PRINT_PAPERS
    name = f"Evening{kind.title().replace('-', '')}Paper"
    about = {"kind": kind, "access": access, "__doc__": EveningPaper.__doc__}
    view: type[EveningPaper] = type(name, (EveningPaper,), about)
    return path(f"{EVENING}papers/{kind}.pdf", view.as_view(), name=f"api-evening-paper-{kind}")


def _of_club(paper: ClubPaper) -> URLPattern:
    name = f"Club{paper.kind.title().replace('-', '')}Paper"
    about = {"paper": paper, "__doc__": ClubPaperView.__doc__}
    view: type[ClubPaperView] = type(name, (ClubPaperView,), about)
    where = f"{CLUB}papers/{paper.kind}.pdf"
    return path(where, view.as_view(), name=f"api-club-paper-{paper.kind}")


urlpatterns = [
    path(f"{EVENING}papers/", EveningPapersView.as_view(), name="api-evening-papers"),
    *(_of_evening(kind) for kind in PAPERS),
    path(f"{EVENING}why.pdf", WhyPaper.as_view(), name="api-evening-why-paper"),
    *map(_of_club, CLUB_PAPERS.values()),
]
