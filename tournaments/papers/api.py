"""A tournament's papers over the API: the list of them, and each as a PDF."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.urls import URLPattern, path, reverse
from drf_spectacular.utils import OpenApiParameter

from clubs.api.base import ClubListAPIView, lists
from clubs.api.papers import PaperAPIView, PaperShape, PaperView, papers_data, prints
from clubs.evenings.papers import seated
from clubs.models.names import EVERYBODY
from clubs.paper.formats import Format
from clubs.table.papers.cards import SeatedTable
from scoring.scorebook.refusals import refuse
from tournaments.api import ONE, OPEN, TournamentAPIView, linked
from tournaments.core import (
    PRINT_TOURNAMENT,
    RUN_TOURNAMENT,
    SEE_TOURNAMENT,
    current_round,
    seated_rounds,
)
from tournaments.papers.registry import ALL_ROUNDS, PAPERS, Order, TournamentPaper, offers
from tournaments.results.api import AFTER, PublishedAPIView, ShownAPIView
from tournaments.results.papers import results_pdf
from tournaments.results.selectors.results import results_of
from tournaments.rounds.selectors import linked_tables

A_NUMBER = {"type": "integer", "minimum": 0, "maximum": 9999}
ROUND = OpenApiParameter("round", A_NUMBER, description="only the tables of this round")
TABLE = OpenApiParameter("table", A_NUMBER, description="only the tables with this number")
ROUND_OR_ALL = OpenApiParameter(
    "round",
    {"oneOf": [A_NUMBER, {"type": "string", "enum": [ALL_ROUNDS]}]},
    description="the tables of this round, or `all`; if omitted, of the current round",
)
CODE = OpenApiParameter("code", bool, description="include the table’s QR code")


class PapersView(ClubListAPIView, TournamentAPIView):
    access = PRINT_TOURNAMENT

    @lists(PaperShape)
    def get(self) -> Sequence[Any]:
        """List the printouts that are available now, each with its address."""
        papers = offers(
            is_seated=bool(seated_rounds(self.tournament)), to_directors=self.may(RUN_TOURNAMENT)
        )
        words = [(paper.title, paper.note, linked(paper.name, self.tournament)) for paper in papers]
        return papers_data(self.request, words)


class TournamentPaperView(PaperAPIView, TournamentAPIView):
    """A printout of a tournament, one of ``PAPERS``."""

    paper: ClassVar[TournamentPaper]

    def printed(self, form: Format) -> tuple[bytes, str]:
        """The printout and the name of its file; refused where there is nothing to print."""
        with_code = self.request.query_params.get("code", "false")
        if self.paper.has_code and with_code not in {"true", "false"}:
            raise refuse("bad_parameter", "Choose true or false.", "code")
        tables = self.tables() if self.paper.of_tables else ()
        order = Order(self.tournament, form, self.reader, tables, with_code=with_code == "true")
        if not (file := self.paper.drawn(order)):
            raise refuse(*self.paper.nothing)
        return file, self.paper.file_for(self.tournament)

    def tables(self) -> Sequence[SeatedTable]:
        """The tables asked for, with the addresses of their phone pages."""
        number = self._number_in_query("table")
        if self.paper.of_current and self.request.query_params.get("round") == ALL_ROUNDS:
            at_round = None
        else:
            at_round = self._number_in_query("round")
            if self.paper.of_current:
                at_round = at_round or current_round(self.tournament)
        tables = linked_tables(self.tournament, round_number=at_round)
        only = "" if number is None else str(number)
        return seated(self.club, tables, at=self._phone, table=only)

    def _phone(self, key: str) -> str:
        return self.request.build_absolute_uri(reverse("round-table", args=[key]))

    def _number_in_query(self, name: str) -> int | None:
        said = self.request.query_params.get(name)
        if said is None:
            return None
        if not said.isascii() or not said.isdecimal() or len(said) > 4:
            raise refuse("bad_parameter", f"There is no {name} with this number.", name)
        return int(said)


class StandingsPaper(PaperAPIView, ShownAPIView, TournamentAPIView):
    access = SEE_TOURNAMENT

    @prints(AFTER)
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print the standings with records and rulings. Names are shown as each person chose."""
        results = results_of(self.tournament, through=self.through, reader=EVERYBODY)
        name = f"{self.club.slug}-tournament-{self.tournament.pk}-results"
        return results_pdf(self.tournament, results, form), name


class ResultsPaper(PaperView, PublishedAPIView):
    @prints()
    def get(self, form: Format) -> tuple[bytes, str]:
        """Get the final results with the public link. Nothing is shown until they are published."""
        tournament = self.published
        name = f"{tournament.club.slug}-tournament-{tournament.pk}-results"
        return results_pdf(tournament, results_of(tournament), form), name


HERE = f"{ONE}papers/"


def _of_tournament(paper: TournamentPaper) -> URLPattern:
    """The API's address of a printout."""

    def get(view: TournamentPaperView, form: Format) -> tuple[bytes, str]:
        return view.printed(form)

    get.__doc__ = paper.about
    parameters = [ROUND_OR_ALL if paper.of_current else ROUND, TABLE] if paper.of_tables else []
    parameters += [CODE] if paper.has_code else []
    name = f"{paper.kind.title().replace('-', '')}Paper"
    fields = {"paper": paper, "access": paper.access, "get": prints(*parameters)(get)}
    view: type[TournamentPaperView] = type(name, (TournamentPaperView,), fields)
    return path(f"{HERE}{paper.kind}.pdf", view.as_view(), name=f"api-{paper.url_name}")


urlpatterns = [
    path(HERE, PapersView.as_view(), name="api-tournament-papers"),
    *map(_of_tournament, PAPERS.values()),
    path(f"{HERE}standings.pdf", StandingsPaper.as_view(), name="api-standings-pdf"),
    path(f"{OPEN}results.pdf", ResultsPaper.as_view(), name="api-results-pdf"),
]
