"""A tournament's papers over the API: the list of them, and each as a PDF."""

from collections.abc import Sequence
from typing import Any, ClassVar

from django.urls import path, reverse
from drf_spectacular.utils import OpenApiParameter

from clubs.api.base import ClubListAPIView, lists
from clubs.api.papers import PaperAPIView, PaperShape, PaperView, papers_data, prints
from clubs.models.names import EVERYBODY
from clubs.paper.formats import Format
from clubs.seats.papers import Heading, why_pdf
from clubs.table.papers.cards import SeatedTable, badges_pdf, seating_cards, table_cards
from clubs.table.papers.score_sheets import score_sheets
from scoring.scorebook.refusals import refuse
from tournaments.api import ONE, OPEN, TournamentAPIView, linked
from tournaments.core import (
    PRINT_TOURNAMENT,
    RUN_TOURNAMENT,
    SEE_TOURNAMENT,
    current_round,
    seated_rounds,
)
from tournaments.papers.registry import ALL_ROUNDS, NOBODY_WON, certificates, offers, pack
from tournaments.results.api import AFTER, PublishedAPIView, ShownAPIView
from tournaments.results.papers import poster_pdf, prize_giving_pdf, results_pdf
from tournaments.results.selectors.results import prize_giving, results_of
from tournaments.rounds.selectors import linked_tables, on_badges
from tournaments.seating import selectors
from tournaments.seating.selectors import NOBODY_SEATED

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


class TournamentPaper(PaperAPIView, TournamentAPIView):
    """A printout of a tournament; ``kind`` ends the name of its file."""

    access = PRINT_TOURNAMENT
    kind: ClassVar[str]

    @property
    def name(self) -> str:
        return f"{self.club.slug}-tournament-{self.tournament.pk}-{self.kind}"


class TablesPaper(TournamentPaper):
    """A printout of the seated tables, for one round or all."""

    def tables(self) -> Sequence[SeatedTable]:
        """The tables with the addresses of their phone pages; refused where there are none."""
        number = self._number_in_query("table")
        result = linked_tables(self.tournament, round_number=self.round_number())
        tables = [
            SeatedTable(
                self.club.name,
                linked_table.view,
                self.request.build_absolute_uri(
                    reverse("round-table", args=[linked_table.link_key])
                ),
            )
            for linked_table in result
            if number in {None, linked_table.view.number}
        ]
        if not tables:
            raise refuse("nobody_seated", NOBODY_SEATED)
        return tables

    def round_number(self) -> int | None:
        """The round asked for; None for all of them."""
        return self._number_in_query("round")

    def _number_in_query(self, name: str) -> int | None:
        said = self.request.query_params.get(name)
        if said is None:
            return None
        if not said.isascii() or not said.isdecimal() or len(said) > 4:
            raise refuse("bad_parameter", f"There is no {name} with this number.", name)
        return int(said)


class SheetsPaper(TablesPaper):
    kind = "sheets"

    @prints(ROUND, TABLE)
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print a score sheet for each table."""
        return score_sheets(self.tables(), form), self.name


class CardsPaper(TablesPaper):
    kind = "cards"

    @prints(ROUND, TABLE)
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print a table card with the QR code for each table."""
        return table_cards(self.tables(), form), self.name


class SeatingCardsPaper(TablesPaper):
    kind = "seating-cards"

    @prints(ROUND, TABLE, CODE)
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print a folding card for each seat: name on both sides, table and wind."""
        with_code = self.request.query_params.get("code", "false")
        if with_code not in {"true", "false"}:
            raise refuse("bad_parameter", "Choose true or false.", "code")
        return seating_cards(self.tables(), form, with_code=with_code == "true"), self.name


class EmergencyPaper(TablesPaper):
    kind = "emergency"

    def round_number(self) -> int | None:
        """The round asked for, else the current one; None for all of them."""
        if self.request.query_params.get("round") == ALL_ROUNDS:
            return None
        return super().round_number() or current_round(self.tournament)

    @prints(ROUND_OR_ALL, TABLE)
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print the emergency pack, to finish a round on paper."""
        return pack(self.tournament, self.tables(), form), self.name


class BadgesPaper(TournamentPaper):
    kind = "badges"

    @prints()
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print a name badge for every entrant."""
        return badges_pdf(self.tournament.name, on_badges(self.tournament), form), self.name


class CertificatesPaper(TournamentPaper):
    kind = "certificates"

    @prints()
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print a certificate for each winner, once the results are final."""
        paper = certificates(self.tournament, form)
        if not paper:
            raise refuse("not_finished", NOBODY_WON)
        return paper, self.name


class PosterPaper(TournamentPaper):
    kind = "poster"

    @prints()
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print the top ten on one page, for the notice board."""
        return poster_pdf(self.tournament, results_of(self.tournament), form), self.name


class PrizesPaper(TournamentPaper):
    access = RUN_TOURNAMENT
    kind = "prizes"

    @prints()
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print the prizes in large type, in the order they are given, last first."""
        giving = prize_giving(self.tournament, reader=self.reader)
        return prize_giving_pdf(self.tournament, giving, form), self.name


class WhyPaper(TournamentPaper):
    access = SEE_TOURNAMENT
    kind = "why"

    @prints()
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print why this seating: who meets whom, and everyone's winds."""
        explanation = selectors.seated_rounds(self.tournament, reader=self.reader).explained()
        if not explanation.players:
            raise refuse("nobody_seated", NOBODY_SEATED)
        about = f"{self.tournament.name}: {explanation.counts}"
        return why_pdf(
            Heading(self.club.name, "Why this seating", about), explanation, form
        ), self.name


class StandingsPaper(TournamentPaper, ShownAPIView):
    access = SEE_TOURNAMENT
    kind = "results"

    @prints(AFTER)
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print the standings with records and rulings. Names are shown as each person chose."""
        results = results_of(self.tournament, through=self.through, reader=EVERYBODY)
        return results_pdf(self.tournament, results, form), self.name


class ResultsPaper(PaperView, PublishedAPIView):
    @prints()
    def get(self, form: Format) -> tuple[bytes, str]:
        """Get the final results with the public link. Nothing is shown until they are published."""
        tournament = self.published
        name = f"{tournament.club.slug}-tournament-{tournament.pk}-results"
        return results_pdf(tournament, results_of(tournament), form), name


HERE = f"{ONE}papers/"

urlpatterns = [
    path(HERE, PapersView.as_view(), name="api-tournament-papers"),
    path(f"{HERE}sheets.pdf", SheetsPaper.as_view(), name="api-tournament-sheets-pdf"),
    path(f"{HERE}cards.pdf", CardsPaper.as_view(), name="api-tournament-cards-pdf"),
    path(
        f"{HERE}seating-cards.pdf",
        SeatingCardsPaper.as_view(),
        name="api-tournament-seating-cards-pdf",
    ),
    path(f"{HERE}emergency.pdf", EmergencyPaper.as_view(), name="api-tournament-emergency-pdf"),
    path(f"{HERE}badges.pdf", BadgesPaper.as_view(), name="api-tournament-badges-pdf"),
    path(
        f"{HERE}certificates.pdf",
        CertificatesPaper.as_view(),
        name="api-tournament-certificates-pdf",
    ),
    path(f"{HERE}poster.pdf", PosterPaper.as_view(), name="api-tournament-poster-pdf"),
    path(f"{HERE}prizes.pdf", PrizesPaper.as_view(), name="api-prizes-pdf"),
    path(f"{HERE}why.pdf", WhyPaper.as_view(), name="api-seating-why-pdf"),
    path(f"{HERE}standings.pdf", StandingsPaper.as_view(), name="api-standings-pdf"),
    path(f"{OPEN}results.pdf", ResultsPaper.as_view(), name="api-results-pdf"),
]
