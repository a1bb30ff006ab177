"""Printouts over the API: those of an evening, and those of the club that need no evening."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Final

from django.urls import path, reverse
from drf_spectacular.utils import OpenApiParameter

from clubs.api.lists import list_endpoint
from clubs.api.papers import (
    DrawFunction,
    OfferedPaper,
    Printout,
    PrintoutAPIView,
    PrintoutsAPIView,
    PrintoutSerializer,
    always_ready,
    printouts_endpoint,
)
from clubs.core.permissions import PRINT_PAPERS, SEE_CLUB, SEE_RESULTS
from clubs.evenings.api.evenings import EVENING_PATH, EveningAPIView
from clubs.evenings.papers import (
    CLUB_PAPERS,
    CRIB,
    NOBODY_SEATED,
    PAPERS,
    ClubPaper,
    EveningPaper,
    PrintOptions,
    rules_to_print,
)
from clubs.evenings.selectors.seating import explain_evening
from clubs.language.moments import full_date
from clubs.paper.formats import Format
from clubs.seats.papers import Heading, explanation_pdf
from scoring.scorebook.refusals import refuse

NUMBER_PATTERN: Final = re.compile(r"-?[0-9]{1,20}", re.ASCII)
TABLE_PARAMETER = OpenApiParameter("table", int, description="only the table with this number")
CODE_PARAMETER = OpenApiParameter("code", bool, description="include the table’s QR code")
RULES_PARAMETER = OpenApiParameter(
    "rules", str, description="the key of a rule set; as the club plays"
)
EXPLANATION_TITLE: Final = "How the tables were chosen"


class EveningPapersAPIView(EveningAPIView):
    """What the printouts of an evening are drawn from."""

    @cached_property
    def is_seated(self) -> bool:
        """Whether anyone has a seat."""
        return self.session.tables.exists()


def _why_not_printable(view: EveningPapersAPIView) -> str:
    return "" if view.is_seated else NOBODY_SEATED


def _paper_drawing(paper: EveningPaper) -> DrawFunction:
    """How a printout of an evening is drawn for its address."""

    def draw(view: EveningPapersAPIView, form: Format) -> tuple[bytes, str]:
        params = view.request.query_params
        table, code = params.get("table", ""), params.get("code", "false")
        if "table" in params and not NUMBER_PATTERN.fullmatch(table):
            raise refuse("bad_parameter", "There is no table with this number.", "table")
        if code not in {"true", "false"}:
            raise refuse("bad_parameter", "Choose true or false.", "code")
        printing = PrintOptions(
            build_url=lambda key: view.request.build_absolute_uri(reverse("table", args=[key])),
            form=form,
            reader=view.reader,
            table=table,
            with_code=code == "true",
        )
        pdf = paper.render(view.session, printing)
        if pdf is None:
            raise refuse("nobody_seated", NOBODY_SEATED)
        return pdf, paper.file_for(view.session)

    return draw


def _draw_explanation(view: EveningPapersAPIView, form: Format) -> tuple[bytes, str]:
    """How the tables were chosen."""
    session = view.session
    explanation = explain_evening(session, reader=view.reader)
    if not explanation.seating.players:
        raise refuse("nobody_seated", NOBODY_SEATED)
    heading = Heading(
        view.club.name, EXPLANATION_TITLE, f"{full_date(session.held_on)}: {explanation.counts}"
    )
    return explanation_pdf(
        heading, explanation.seating, form
    ), f"{view.club.slug}-{session.held_on}-why"


def _evening_printout(paper: EveningPaper) -> Printout:
    return Printout(
        title=paper.title,
        note=paper.note,
        access=SEE_CLUB if paper.kind == CRIB.kind else PRINT_PAPERS,
        draw=_paper_drawing(paper),
        parameters=(TABLE_PARAMETER, CODE_PARAMETER) if paper.needs_tables else (),
        why_not=_why_not_printable if paper.needs_tables else always_ready,
    )


EVENING_PRINTOUTS: Final[Mapping[str, Printout]] = {
    **{kind: _evening_printout(paper) for kind, paper in PAPERS.items()},
    "why": Printout(
        title=EXPLANATION_TITLE,
        note="Who meets whom, and whose turn it was",
        access=SEE_RESULTS,
        draw=_draw_explanation,
        why_not=_why_not_printable,
    ),
}


class EveningPapersView(EveningPapersAPIView, PrintoutsAPIView):
    access = PRINT_PAPERS
    printouts = EVENING_PRINTOUTS
    paper_url_name = "api-evening-paper"

    @list_endpoint(PrintoutSerializer)
    def get(self) -> list[OfferedPaper]:
        """List the printouts of an evening, and why there is nothing to print yet."""
        return self.offered_papers()


class EveningPaperView(EveningPapersAPIView, PrintoutAPIView):
    access = PRINT_PAPERS
    printouts = EVENING_PRINTOUTS
    get = printouts_endpoint(EVENING_PRINTOUTS)


def _club_printout(paper: ClubPaper) -> Printout:
    def draw(view: Any, form: Format) -> tuple[bytes, str]:
        rules = rules_to_print(view.club, view.request.query_params.get("rules", ""))
        if not rules:
            raise refuse("bad_parameter", "The club has no rules with this key.", "rules")
        return paper.draw(view.club, rules, form), paper.file_for(view.club)

    return Printout(
        title=paper.title,
        note=paper.note,
        access=PRINT_PAPERS,
        draw=draw,
        parameters=(RULES_PARAMETER,),
    )


PRINTOUTS_WITHOUT_EVENING: Final = {
    kind: _club_printout(paper) for kind, paper in CLUB_PAPERS.items()
}

urlpatterns = [
    path(f"{EVENING_PATH}printouts/", EveningPapersView.as_view(), name="api-evening-papers"),
    path(
        f"{EVENING_PATH}printouts/<slug:printout>.pdf",
        EveningPaperView.as_view(),
        name="api-evening-paper",
    ),
]
