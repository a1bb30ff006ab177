"""A tournament's printouts: declared here, printed from their page and over the API."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import path, reverse
from drf_spectacular.utils import OpenApiParameter

from clubs.api.lists import list_endpoint
from clubs.api.papers import (
    DrawFunction,
    OfferedPaper,
    PaperView,
    Printout,
    PrintoutAPIView,
    PrintoutsAPIView,
    PrintoutSerializer,
    always_ready,
    pdf_endpoint,
    printouts_endpoint,
)
from clubs.core.access import ClubRequest, requires
from clubs.core.permissions import Permission
from clubs.evenings.papers import seated_tables
from clubs.evenings.views.papers import chosen_tables
from clubs.language.words import whole_number
from clubs.models import Club
from clubs.models.names import PUBLIC_READER, TABLE_READER, Reader
from clubs.paper.document import YES
from clubs.paper.formats import (
    DEFAULT_FORMAT,
    NAME_CARDS_NOTE,
    PACK_NOTE,
    Format,
    PaperKind,
    format_from_query,
    names_with_missing_letters,
    offers_of,
)
from clubs.paper.page import ReportProgress, ignore_progress
from clubs.paper.response import pdf_response
from clubs.seats.papers import Heading, explanation_pdf
from clubs.table.papers.cards import (
    Badge,
    PrintedEvent,
    SeatedTable,
    badges_pdf,
    seating_cards,
    table_cards,
)
from clubs.table.papers.score_sheets import emergency_pack, score_sheets
from clubs.table.rows import Arrival
from scoring.scorebook.refusals import refuse
from tournaments.api import API_PUBLIC_PATH, API_TOURNAMENT_PATH, TournamentAPIView, api_address_of
from tournaments.core import (
    PRINT_TOURNAMENT,
    RUN_TOURNAMENT,
    SEE_TOURNAMENT,
    TOURNAMENT_PATH,
    current_round_number,
    file_name_of,
    get_tournament_or_404,
    seated_round_numbers,
    tournament_context,
)
from tournaments.models import Tournament, TournamentState
from tournaments.results.api import AFTER_PARAMETER, PublishedAPIView, ShownAPIView
from tournaments.results.papers import (
    certificate_rows,
    certificates_pdf,
    draw_standings,
    poster_pdf,
    prize_giving_pdf,
    results_pdf,
)
from tournaments.results.selectors.records import records_of
from tournaments.results.selectors.results import prize_giving, results_of
from tournaments.rounds.selectors import badge_rows, entry_list, linked_tables, sitting_out_at
from tournaments.seating import selectors as rows

PRINT_PATH: Final = f"{TOURNAMENT_PATH}print/"
ALL_ROUNDS: Final = "all"
MAX_SHEET_TABLES, MAX_SHORT_TABLES = 60, 400  # tables that are drawn in less than two seconds
NOT_FINAL_MESSAGE: Final = (
    "The results are not final yet: finish the tournament, then print the certificates."
)

NO_ENTRANTS_MESSAGE: Final = "No one has entered yet, so there are no badges to print."

STANDINGS: Final = PaperKind(
    "standings-pdf", "Standings", "As they are now, with records and rulings"
)

MAX_NUMBER_IN_ADDRESS = 9999
NUMBER_SCHEMA = {"type": "integer", "minimum": 0, "maximum": MAX_NUMBER_IN_ADDRESS}
ROUND_PARAMETER = OpenApiParameter(
    "round", NUMBER_SCHEMA, description="only the tables of this round"
)
TABLE_PARAMETER = OpenApiParameter(
    "table", NUMBER_SCHEMA, description="only the tables with this number"
)
ROUND_OR_ALL_PARAMETER = OpenApiParameter(
    "round",
    {"oneOf": [NUMBER_SCHEMA, {"type": "string", "enum": [ALL_ROUNDS]}]},
    description="the tables of this round, or `all`; if omitted, of the current round",
)
CODE_PARAMETER = OpenApiParameter("code", bool, description="include the table’s QR code")
API_PRINTOUTS_PATH = f"{API_TOURNAMENT_PATH}printouts/"


@dataclass(frozen=True, slots=True)
class PrintOrder:
    """What a printout is drawn from: the tournament, its tables, and how it is printed.

    ``progress`` is called with the tables drawn and all of them.
    """

    tournament: Tournament
    form: Format = DEFAULT_FORMAT
    reader: Reader = PUBLIC_READER
    tables: Sequence[SeatedTable] = ()
    with_code: bool = False
    progress: ReportProgress = ignore_progress


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentPaper:
    """A printout: its kind in addresses, its title, a note, and how it is drawn.

    ``page`` is where it is and ``name`` its URL name, where they are not as usual. ``of_tables``:
    drawn from the tables of one round or all, ``of_current`` from those of the current round
    unless another is asked for. A browser waits for at most ``at_once`` tables; a background job
    draws more of them. Where there is nothing to draw, ``empty_refusal`` has a code and says why,
    and its readers go ``return_page`` to that page.
    """

    kind: str
    title: str
    note: str
    draw: Callable[[PrintOrder], bytes]
    access: Permission = PRINT_TOURNAMENT
    page: str = ""
    name: str = ""
    of_tables: bool = False
    of_current: bool = False
    at_once: int = MAX_SHORT_TABLES
    has_code: bool = False
    empty_refusal: tuple[str, str] = ("nobody_seated", rows.NOT_SEATED_MESSAGE)
    return_page: str = "tournament"

    @property
    def url_name(self) -> str:
        return self.name or f"tournament-{self.kind}-pdf"

    @property
    def path(self) -> str:
        return self.page or f"{PRINT_PATH}{self.kind}.pdf"

    @property
    def offer(self) -> PaperKind:
        is_first = self.kind == "emergency"
        return PaperKind(self.url_name, self.title, self.note, is_first, has_code=self.has_code)

    def file_for(self, tournament: Tournament) -> str:
        """The name of its file, without ``.pdf``."""
        return file_name_of(tournament, self.kind)

    def render(self, order: PrintOrder) -> bytes:
        """The printout as PDF; empty where there is nothing to print."""
        return b"" if self.of_tables and not order.tables else self.draw(order)


def _emergency_pack(order: PrintOrder) -> bytes:
    """Everything for finishing these tables on paper, in one round or several."""
    cup, tables = order.tournament, order.tables
    events = {table.view.event for table in tables}
    event = events.pop() if len(events) == 1 else cup.name
    occasion = PrintedEvent(cup.club.name, event, order.form)
    people = [
        Arrival(row.entrant.name, row.entrant.is_here, YES if row.entrant.has_paid else "")
        for row in entry_list(cup).entered
    ]
    standings = [partial(draw_standings, tournament=cup, results=results_of(cup))]
    return emergency_pack(
        occasion,
        tables,
        people,
        cup.rules,
        standings,
        order.progress,
        unseated_notes=sitting_out_at(cup),
    )


def _certificates(order: PrintOrder) -> bytes:
    """A certificate for each winner, with at least first names; none before results are final."""
    cup = order.tournament
    giving = prize_giving(cup, reader=TABLE_READER)
    records = records_of(cup, reader=TABLE_READER)
    honours = certificate_rows(giving, records) if giving.is_final else ()
    return certificates_pdf(cup, honours, order.form) if honours else b""


def _seating_explanation(order: PrintOrder) -> bytes:
    cup = order.tournament
    seating = rows.seated_rounds(cup, reader=order.reader).explanation()
    heading = Heading(cup.club.name, "Why this seating", f"{cup.name}: {seating.counts}")
    return explanation_pdf(heading, seating, order.form) if seating.players else b""


def _badges(order: PrintOrder) -> bytes:
    cup = order.tournament
    people = [Badge(*person) for person in badge_rows(cup)]
    return badges_pdf(cup.name, cup.club.name, people, order.form) if people else b""


def _prizes(order: PrintOrder) -> bytes:
    cup = order.tournament
    return prize_giving_pdf(cup, prize_giving(cup, reader=order.reader), order.form)


SEATED_PAPERS: Final = (
    TournamentPaper(
        kind="emergency",
        title="Emergency pack",
        note=PACK_NOTE,
        draw=_emergency_pack,
        of_tables=True,
        of_current=True,
        at_once=MAX_SHEET_TABLES,
    ),
    TournamentPaper(
        kind="sheets",
        title="Score sheets",
        note="For playing on paper, with names and winds",
        draw=lambda order: score_sheets(order.tables, order.form, order.progress),
        of_tables=True,
        at_once=MAX_SHEET_TABLES,
    ),
    TournamentPaper(
        kind="cards",
        title="Table cards",
        note="With a QR code, one for each table",
        draw=lambda order: table_cards(order.tables, order.form),
        of_tables=True,
    ),
    TournamentPaper(
        kind="seating-cards",
        title="Seating cards",
        note=NAME_CARDS_NOTE,
        draw=lambda order: seating_cards(order.tables, order.form, with_code=order.with_code),
        of_tables=True,
        has_code=True,
    ),
    TournamentPaper(
        kind="why",
        title="Why this seating",
        note="Who meets whom, and all winds",
        draw=_seating_explanation,
        access=SEE_TOURNAMENT,
        page=f"{TOURNAMENT_PATH}seating/why.pdf",
        name="seating-why-pdf",
        return_page="seating-why",
    ),
)
BADGES: Final = TournamentPaper(
    kind="badges",
    title="Name badges",
    note="One for every player",
    draw=_badges,
    empty_refusal=("nobody_entered", NO_ENTRANTS_MESSAGE),
)
POSTER: Final = TournamentPaper(
    kind="poster",
    title="Poster",
    note="The top ten, for the notice board",
    draw=lambda order: poster_pdf(order.tournament, results_of(order.tournament), order.form),
)
CERTIFICATES: Final = TournamentPaper(
    kind="certificates",
    title="Certificates",
    note="To be signed, once the results are final",
    draw=_certificates,
    empty_refusal=("not_finished", NOT_FINAL_MESSAGE),
)
PRIZES: Final = TournamentPaper(
    kind="prizes",
    title="Prize-giving",
    note="Running order, last prize first",
    draw=_prizes,
    access=RUN_TOURNAMENT,
    page=f"{TOURNAMENT_PATH}prizes/sheet.pdf",
    name="prizes-pdf",
)
PAPERS: Final = {
    paper.kind: paper for paper in (*SEATED_PAPERS, BADGES, POSTER, CERTIFICATES, PRIZES)
}


def _no_entrants_reason(tournament: Tournament) -> str:
    return "" if tournament.entrants.entered().exists() else NO_ENTRANTS_MESSAGE


def _not_final_reason(tournament: Tournament) -> str:
    return "" if tournament.state == TournamentState.FINISHED else NOT_FINAL_MESSAGE


EMPTY_REASONS: Final[Mapping[str, Callable[[Tournament], str]]] = {
    BADGES.url_name: _no_entrants_reason,
    CERTIFICATES.url_name: _not_final_reason,
}


def _empty_reasons(tournament: Tournament) -> dict[str, str]:
    """Why there is nothing to print yet, by the names of the printouts; one query."""
    return {name: first(tournament) for name, first in EMPTY_REASONS.items()}


def available_papers(*, is_seated: bool, to_directors: bool) -> list[PaperKind]:
    """The printouts available now, for the current reader."""
    seated_papers = [paper.offer for paper in SEATED_PAPERS] if is_seated else []
    always = [BADGES.offer, STANDINGS, POSTER.offer, CERTIFICATES.offer]
    return [*seated_papers, *always, *([PRIZES.offer] if to_directors else [])]


@requires(PRINT_TOURNAMENT)
def printout_list(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """All the tournament's printouts on one page, with the rounds and formats to choose from."""
    tournament = get_tournament_or_404(club, pk)
    rounds = seated_round_numbers(tournament)
    # The selected round: that of the address, else the current one.
    number: int | str | None = ALL_ROUNDS
    if request.GET.get("round") != ALL_ROUNDS:
        number = round_in(request.GET) or current_round_number(tournament)
    papers = available_papers(
        is_seated=bool(rounds), to_directors=request.has_permission(RUN_TOURNAMENT)
    )
    context = tournament_context(
        request,
        tournament,
        "tournament-papers",
        rounds=rounds,
        round=number,
        all_rounds=ALL_ROUNDS,
        unprintable=names_with_missing_letters(
            word for *texts, _ in badge_rows(tournament) for word in texts
        ),
        papers=offers_of(papers, club.slug, pk, why_not=_empty_reasons(tournament)),
        form=format_from_query(request.GET, club),
        pages=request.GET.get("pages", ""),
    )
    return render(request, "tournaments/papers/papers.html", context)


def print_paper(request: ClubRequest, club: Club, pk: int, kind: str) -> HttpResponse:
    """One of ``PAPERS``; ``?round=2`` and ``?table=3`` print some tables, ``?code=yes`` a code."""
    tournament, paper = get_object_or_404(club.tournaments, pk=pk), PAPERS[kind]
    tables: Sequence[SeatedTable] = ()
    if paper.of_tables:
        number = round_in(request.GET)
        if paper.of_current and number is None and request.GET.get("round") != ALL_ROUNDS:
            number = current_round_number(tournament)
        of_round = linked_tables(tournament, round_number=number)
        tables = chosen_tables(request, club, of_round, "round-table")
        if len(tables) > paper.at_once:
            query = {**request.GET.dict(), "kind": kind, "round": number or ALL_ROUNDS}
            url = reverse("tournament-printing", args=[club.slug, pk])
            return redirect(f"{url}?{urlencode(query)}")
    form, with_code = format_from_query(request.GET, club), "code" in request.GET
    order = PrintOrder(tournament, form, request.reader, tables, with_code=with_code)
    if not (file := paper.render(order)):
        messages.error(request, paper.empty_refusal[1])
        return redirect(paper.return_page, club.slug, pk)
    return pdf_response(request, file, paper.file_for(tournament))


def round_in(query: Mapping[str, str]) -> int | None:
    """The number of the round in an address or form; None: all, or none is named."""
    return whole_number(query.get("round"), most=MAX_NUMBER_IN_ADDRESS)


class PapersAPIView(TournamentAPIView):
    """What the printouts of a tournament are drawn from."""

    @cached_property
    def is_seated(self) -> bool:
        """Whether any round has a seating."""
        return bool(seated_round_numbers(self.tournament))

    def tables(self, paper: TournamentPaper) -> Sequence[SeatedTable]:
        """The tables asked for, with the addresses of their phone pages."""
        number = self._number_in_query("table")
        if paper.of_current and self.request.query_params.get("round") == ALL_ROUNDS:
            at_round = None
        else:
            at_round = self._number_in_query("round")
            if paper.of_current:
                at_round = at_round or current_round_number(self.tournament)
        tables = linked_tables(self.tournament, round_number=at_round)
        only = "" if number is None else str(number)
        return seated_tables(self.club, tables, build_url=self._phone, table=only)

    def _phone(self, key: str) -> str:
        return self.request.build_absolute_uri(reverse("round-table", args=[key]))

    def _number_in_query(self, name: str) -> int | None:
        text = self.request.query_params.get(name)
        if text is None:
            return None
        if (number := whole_number(text, most=MAX_NUMBER_IN_ADDRESS)) is None:
            raise refuse("bad_parameter", f"There is no {name} with this number.", name)
        return number


def _drawing_for(paper: TournamentPaper) -> DrawFunction:
    """How a printout is drawn for its address; refused where there is nothing to print."""

    def draw(view: PapersAPIView, form: Format) -> tuple[bytes, str]:
        with_code = view.request.query_params.get("code", "false")
        if with_code not in {"true", "false"}:
            raise refuse("bad_parameter", "Choose true or false.", "code")
        tables = view.tables(paper) if paper.of_tables else ()
        if len(tables) > paper.at_once:
            address = api_address_of("tournament-printing", view.tournament)
            message = f"A job prints as many as {len(tables)} tables. POST to {address} instead."
            raise refuse("long_printout", message)
        order = PrintOrder(
            view.tournament, form, view.reader, tables, with_code=with_code == "true"
        )
        if not (file := paper.render(order)):
            raise refuse(*paper.empty_refusal)
        return file, paper.file_for(view.tournament)

    return draw


def _draw_standings(view: ShownAPIView, form: Format) -> tuple[bytes, str]:
    """The standings with records and rulings; names are shown as each person chose."""
    results = results_of(view.tournament, last_round=view.last_round, reader=PUBLIC_READER)
    return results_pdf(view.tournament, results, form), file_name_of(view.tournament, "results")


def _not_seated_reason(view: PapersAPIView) -> str:
    return "" if view.is_seated else rows.NOT_SEATED_MESSAGE


def _page_reason(paper: TournamentPaper) -> Callable[[PapersAPIView], str]:
    return lambda view: EMPTY_REASONS[paper.url_name](view.tournament)


def _printout(paper: TournamentPaper) -> Printout:
    parameters = (
        [ROUND_OR_ALL_PARAMETER if paper.of_current else ROUND_PARAMETER, TABLE_PARAMETER]
        if paper.of_tables
        else []
    )
    parameters += [CODE_PARAMETER] if paper.has_code else []
    usual = _not_seated_reason if paper in SEATED_PAPERS else always_ready
    return Printout(
        title=paper.title,
        note=paper.note,
        access=paper.access,
        draw=_drawing_for(paper),
        parameters=tuple(parameters),
        why_not=_page_reason(paper) if paper.url_name in EMPTY_REASONS else usual,
    )


PRINTOUTS: Final[Mapping[str, Printout]] = {
    **{kind: _printout(paper) for kind, paper in PAPERS.items()},
    "standings": Printout(
        title=STANDINGS.title,
        note=STANDINGS.note,
        access=SEE_TOURNAMENT,
        draw=_draw_standings,
        parameters=(AFTER_PARAMETER,),
    ),
}


class PapersView(PapersAPIView, PrintoutsAPIView):
    access = PRINT_TOURNAMENT
    printouts = PRINTOUTS
    paper_url_name = "api-tournament-paper"

    @list_endpoint(PrintoutSerializer)
    def get(self) -> list[OfferedPaper]:
        """List the printouts, each with its address, and why there is nothing to print yet."""
        return self.offered_papers()


class TournamentPaperView(PrintoutAPIView, PapersAPIView, ShownAPIView):
    access = PRINT_TOURNAMENT
    printouts = PRINTOUTS
    get = printouts_endpoint(PRINTOUTS)


class ResultsPaper(PaperView, PublishedAPIView):
    @property
    def club(self) -> Club:
        """Whose mark the paper has."""
        return self.published_tournament.club

    @pdf_endpoint()
    def get(self, form: Format) -> tuple[bytes, str]:
        """Get the final results with the public link. Nothing is shown until they are published."""
        tournament = self.published_tournament
        name = file_name_of(tournament, "results")
        return results_pdf(tournament, results_of(tournament), form), name


api_patterns = [
    path(API_PRINTOUTS_PATH, PapersView.as_view(), name="api-tournament-papers"),
    path(
        f"{API_PRINTOUTS_PATH}<slug:printout>.pdf",
        TournamentPaperView.as_view(),
        name="api-tournament-paper",
    ),
    path(f"{API_PUBLIC_PATH}results.pdf", ResultsPaper.as_view(), name="api-results-pdf"),
]

urlpatterns = [
    path(PRINT_PATH, printout_list, name="tournament-papers"),
    *(
        path(paper.path, requires(paper.access)(print_paper), {"kind": kind}, name=paper.url_name)
        for kind, paper in PAPERS.items()
    ),
]
