"""The papers of evenings and seasons over the API: the lists, and each as a PDF."""

import re
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.http import HttpResponse
from django.urls import URLPattern, path, reverse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubListAPIView
from clubs.api.commands import ActAPIView
from clubs.api.fields import OneOfField
from clubs.api.office.shapes_results import JobShape
from clubs.api.papers import OPTIONS, PAGES, PAPER, PDF, PaperAPIView, PaperShape, papers_told
from clubs.api.play.seasons import SEASON, OfSeason
from clubs.core.permissions import MAKE_PACK, PRINT_PAPERS, SEE_CLUB, SEE_LEAGUE, SEE_RESULTS
from clubs.evenings.api.evenings import EVENING, OfEvening
from clubs.evenings.papers import NOBODY_SEATED, OFFERED, Printing, offered_for, paper_of
from clubs.evenings.selectors.seating import why_this_evening
from clubs.language.moments import full_date, short_month
from clubs.models import Job
from clubs.paper.formats import QUESTIONS, Format, format_of
from clubs.paper.registry import BOOK, PACK
from clubs.pdf.tables import league_pdf, season_poster
from clubs.seats.papers import Heading, why_pdf
from clubs.selectors.leagues import league_table
from clubs.services import packs
from scoring.scorebook.refusals import refuse

NUMBER: Final = re.compile(r"-?[0-9]{1,20}", re.ASCII)
TABLE = OpenApiParameter("table", int, description="only the table with this number")
CODE = OpenApiParameter("code", bool, description="include the table’s QR code")
SENT = {(200, PDF): OpenApiTypes.BINARY}
PRINTED = (
    ("table", "League table", "The current table, in full"),
    ("poster", "Poster", "The season’s top ten, for the notice board"),
)


class EveningPapersView(OfEvening, ClubListAPIView):
    """What can be printed for an evening."""

    door = PRINT_PAPERS

    @extend_schema(responses=PaperShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the printouts of an evening that are available now, each with its address."""
        session = self.session
        at = [self.club.slug, session.pk]
        told = [
            (title, note, reverse(f"api-evening-paper-{kind}", args=at))
            for kind, title, note in offered_for(session)
        ]
        return self.page_of(papers_told(request, told), PaperShape)


class EveningPaper(PaperAPIView, OfEvening):
    """A printout of an evening; ``kind`` names it."""

    door = PRINT_PAPERS
    kind: ClassVar[str]

    @extend_schema(parameters=[*OPTIONS, PAGES, TABLE, CODE], responses=SENT)
    def get(self, request: Request, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Download a printout of the evening as a PDF."""
        return self.sent(request)

    def drawn(self, form: Format) -> tuple[bytes, str]:
        """The paper; refused where nobody is seated yet."""
        session, asked = self.session, self.request.query_params
        printing = Printing(
            at=lambda key: self.request.build_absolute_uri(reverse("table", args=[key])),
            form=form,
            reader=self.reader,
            table=_whole_number(asked, "table"),
            with_code=_yes(asked, "code"),
        )
        paper = paper_of(session, self.kind, printing)
        if paper is None:
            raise refuse("nobody_seated", NOBODY_SEATED)
        return paper, f"{self.club.slug}-{session.held_on}-{self.kind}"


def _whole_number(asked: Mapping[str, str], name: str) -> str:
    """The number that was asked for, as text; empty where none was."""
    said = asked.get(name, "")
    if name in asked and not NUMBER.fullmatch(said):
        raise refuse("bad_parameter", f"There is no {name} with this number.", name)
    return said


def _yes(asked: Mapping[str, str], name: str) -> bool:
    said = asked.get(name, "false")
    if said not in {"true", "false"}:
        raise refuse("bad_parameter", "Choose true or false.", name)
    return said == "true"


class WhyPaper(PaperAPIView, OfEvening):
    """Why these tables, on paper."""

    door = SEE_RESULTS

    @PAPER
    def get(self, request: Request, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Print how the tables were chosen."""
        return self.sent(request)

    def drawn(self, form: Format) -> tuple[bytes, str]:
        """The paper; refused where nobody is seated yet."""
        session = self.session
        found = why_this_evening(session, reader=self.reader)
        if not found.seating.players:
            raise refuse("nobody_seated", NOBODY_SEATED)
        day = full_date(session.held_on)
        heading = Heading(self.club.name, "How the tables were chosen", f"{day}: {found.counts}")
        return why_pdf(heading, found.seating, form), f"{self.club.slug}-{session.held_on}-why"


class SeasonPapersView(OfSeason, ClubListAPIView):
    """What can be printed for a season."""

    door = PRINT_PAPERS

    @extend_schema(responses=PaperShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the printouts of a season that are ready at once, each with its address."""
        at = [self.club.slug, self.season.pk]
        told = [
            (title, note, reverse(f"api-season-paper-{kind}", args=at))
            for kind, title, note in PRINTED
        ]
        return self.page_of(papers_told(request, told), PaperShape)


class _SeasonPaper(PaperAPIView, OfSeason):
    """A paper of a season."""

    door = SEE_LEAGUE

    @PAPER
    def get(self, request: Request, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Download a printout of the season as a PDF."""
        return self.sent(request)


class LeaguePaper(_SeasonPaper):
    """The league table on paper."""

    def drawn(self, form: Format) -> tuple[bytes, str]:
        """The table as it is now."""
        season = self.season
        paper = league_pdf(self.club.name, league_table(season), form)
        return paper, f"{self.club.slug}-league-{season.pk}"


class PosterPaper(_SeasonPaper):
    """The first ten of the season on one page."""

    def drawn(self, form: Format) -> tuple[bytes, str]:
        """The poster."""
        season = self.season
        when = f"{short_month(season.starts_on)} to {short_month(season.ends_on)}"
        paper = season_poster(self.club.name, when, league_table(season), form)
        return paper, f"{self.club.slug}-poster-{season.pk}"


class FormatIn(serializers.Serializer[Any]):
    """What it is printed on."""

    def get_fields(self) -> dict[str, Any]:
        """A choice for each question; the first answer is the default."""
        return {
            name: OneOfField(
                choices=[one.value for one in kind],
                default=next(iter(kind)).value,
                help_text=f"{title}; default: {usual}",
            )
            for name, title, kind, (usual, *_) in QUESTIONS
        }


class _MadeView(OfSeason, ActAPIView):
    """A paper that takes a while to make."""

    door = MAKE_PACK
    asks = FormatIn
    answers = JobShape
    status = 201
    kind: ClassVar[str]

    def act(self, told: dict[str, Any]) -> Job:
        """Start creating this printout, or return the job already running."""
        form = format_of(told)
        return packs.ask_for_pack(season=self.season, asked_by=self.me, kind=self.kind, form=form)


class PackView(_MadeView):
    """The season's pack: the league table and a page for every evening, made by a job."""

    kind = PACK


class BookView(_MadeView):
    """The season's book: every evening, records, special hands and members, made by a job."""

    kind = BOOK


def _of_evening(kind: str) -> URLPattern:
    door = SEE_CLUB if kind == "crib" else PRINT_PAPERS
    name = f"Evening{kind.title().replace('-', '')}Paper"
    about = {"kind": kind, "door": door, "__doc__": EveningPaper.__doc__}
    view: type[EveningPaper] = type(name, (EveningPaper,), about)
    where = f"{EVENING}papers/{kind}.pdf"
    return path(where, view.as_view(), name=f"api-evening-paper-{kind}")


urlpatterns = [
    path(f"{EVENING}papers/", EveningPapersView.as_view(), name="api-evening-papers"),
    *(_of_evening(kind) for kind, _, _ in OFFERED),
    path(f"{EVENING}why.pdf", WhyPaper.as_view(), name="api-evening-why-paper"),
    path(f"{SEASON}papers/", SeasonPapersView.as_view(), name="api-season-papers"),
    path(f"{SEASON}papers/table.pdf", LeaguePaper.as_view(), name="api-season-paper-table"),
    path(f"{SEASON}papers/poster.pdf", PosterPaper.as_view(), name="api-season-paper-poster"),
    path(f"{SEASON}pack/", PackView.as_view(), name="api-season-pack"),
    path(f"{SEASON}book/", BookView.as_view(), name="api-season-book"),
]
