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

from clubs.api.lists import lists
from clubs.api.papers import (
    Drawing,
    OfferedPaper,
    PaperView,
    Printout,
    PrintoutAPIView,
    PrintoutsAPIView,
    PrintoutSerializer,
    is_ready,
    prints,
    prints_one_of,
)
from clubs.core.access import ClubRequest, requires
from clubs.core.permissions import Permission
from clubs.evenings.papers import seated
from clubs.evenings.views.evenings import chosen
from clubs.language.words import whole_number
from clubs.models import Club
from clubs.models.names import AT_THE_TABLE, EVERYBODY, Reader
from clubs.paper.document import YES, pdf
from clubs.paper.formats import PACKED, TENTS, USUAL, Format, Paper, format_of, offered, unprinted
from clubs.paper.page import Progress, in_silence
from clubs.seats.papers import Heading, why_pdf
from clubs.table.papers.cards import (
    Badge,
    Occasion,
    SeatedTable,
    badges_pdf,
    seating_cards,
    table_cards,
)
from clubs.table.papers.score_sheets import emergency_pack, score_sheets
from clubs.table.rows import Arrival
from scoring.scorebook.refusals import refuse
from tournaments.api import ONE, OPEN, TournamentAPIView, linked
from tournaments.core import (
    PRINT_TOURNAMENT,
    RUN_TOURNAMENT,
    SEE_TOURNAMENT,
    about,
    current_round,
    file_of,
    find,
    seated_rounds,
)
from tournaments.models import Tournament, TournamentState
from tournaments.results.api import AFTER, PublishedAPIView, ShownAPIView
from tournaments.results.papers import (
    certificates_pdf,
    draw_standings,
    honoured,
    poster_pdf,
    prize_giving_pdf,
    results_pdf,
)
from tournaments.results.selectors.records import records_of
from tournaments.results.selectors.results import prize_giving, results_of
from tournaments.rounds.selectors import entry_list, linked_tables, on_badges, sitting_out_at
from tournaments.seating import selectors as rows

TOURNAMENT: Final = "c/<slug:club>/tournaments/<int:pk>/"
PRINT: Final = f"{TOURNAMENT}print/"
ALL_ROUNDS: Final = "all"
SHEETS_AT_ONCE, SHORT = 60, 400  # tables that are drawn in less than two seconds
NOBODY_WON: Final = (
    "The results are not final yet: finish the tournament, then print the certificates."
)

NOBODY_ENTERED: Final = "No one has entered yet, so there are no badges to print."


@dataclass(frozen=True, slots=True)
class Order:
    """What a printout is drawn from: the tournament, its tables, and how it is printed.

    ``progress`` is called with the tables drawn and all of them.
    """

    tournament: Tournament
    form: Format = USUAL
    reader: Reader = EVERYBODY
    tables: Sequence[SeatedTable] = ()
    with_code: bool = False
    progress: Progress = in_silence


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentPaper:
    """A printout: its kind in addresses, its title, a note, and how it is drawn.

    ``page`` is where it is and ``name`` its URL name, where they are not as usual. ``of_tables``:
    drawn from the tables of one round or all, ``of_current`` from those of the current round
    unless another is asked for. A browser waits for at most ``at_once`` tables; a background job
    draws more of them. Where there is nothing to draw, ``nothing`` has a code and says why, and its
    readers go ``back`` to that page.
    """

    kind: str
    title: str
    note: str
    draw: Callable[[Order], bytes]
    access: Permission = PRINT_TOURNAMENT
    page: str = ""
    name: str = ""
    of_tables: bool = False
    of_current: bool = False
    at_once: int = SHORT
    has_code: bool = False
    nothing: tuple[str, str] = ("nobody_seated", rows.NOBODY_SEATED)
    back: str = "tournament"

    @property
    def url_name(self) -> str:
        return self.name or f"tournament-{self.kind}-pdf"

    @property
    def path(self) -> str:
        return self.page or f"{PRINT}{self.kind}.pdf"

    @property
    def offer(self) -> Paper:
        is_first = self.kind == "emergency"
        return Paper(self.url_name, self.title, self.note, is_first, has_code=self.has_code)

    def file_for(self, tournament: Tournament) -> str:
        """The name of its file, without ``.pdf``."""
        return file_of(tournament, self.kind)

    def drawn(self, order: Order) -> bytes:
        """The printout as PDF; empty where there is nothing to print."""
        return b"" if self.of_tables and not order.tables else self.draw(order)


def _pack(order: Order) -> bytes:
    """Everything for finishing these tables on paper, in one round or several."""
    cup, tables = order.tournament, order.tables
    events = {table.view.event for table in tables}
    event = events.pop() if len(events) == 1 else cup.name
    about = Occasion(cup.club.name, event, order.form)
    people = [
        Arrival(row.entrant.name, row.entrant.is_here, YES if row.entrant.has_paid else "")
        for row in entry_list(cup).entered
    ]
    standings = [partial(draw_standings, tournament=cup, results=results_of(cup))]
    return emergency_pack(
        about, tables, people, cup.rules, standings, order.progress, without=sitting_out_at(cup)
    )


def _certificates(order: Order) -> bytes:
    """A certificate for each winner, with at least first names; none before results are final."""
    cup = order.tournament
    giving = prize_giving(cup, reader=AT_THE_TABLE)
    records = records_of(cup, reader=AT_THE_TABLE)
    honours = honoured(giving, records) if giving.is_final else ()
    return certificates_pdf(cup, honours, order.form) if honours else b""


def _why(order: Order) -> bytes:
    cup = order.tournament
    seating = rows.seated_rounds(cup, reader=order.reader).explained()
    heading = Heading(cup.club.name, "Why this seating", f"{cup.name}: {seating.counts}")
    return why_pdf(heading, seating, order.form) if seating.players else b""


def _badges(order: Order) -> bytes:
    cup = order.tournament
    people = [Badge(*person) for person in on_badges(cup)]
    return badges_pdf(cup.name, cup.club.name, people, order.form) if people else b""


def _prizes(order: Order) -> bytes:
    cup = order.tournament
    return prize_giving_pdf(cup, prize_giving(cup, reader=order.reader), order.form)


SEATED: Final = (
    TournamentPaper(
        kind="emergency",
        title="Emergency pack",
        note=PACKED,
        draw=_pack,
        of_tables=True,
        of_current=True,
        at_once=SHEETS_AT_ONCE,
    ),
    TournamentPaper(
        kind="sheets",
        title="Score sheets",
        note="For playing on paper, with names and winds",
        draw=lambda order: score_sheets(order.tables, order.form, order.progress),
        of_tables=True,
        at_once=SHEETS_AT_ONCE,
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
        note=TENTS,
        draw=lambda order: seating_cards(order.tables, order.form, with_code=order.with_code),
        of_tables=True,
        has_code=True,
    ),
    TournamentPaper(
        kind="why",
        title="Why this seating",
        note="Who meets whom, and all winds",
        draw=_why,
        access=SEE_TOURNAMENT,
        page=f"{TOURNAMENT}seating/why.pdf",
        name="seating-why-pdf",
        back="seating-why",
    ),
)
BADGES: Final = TournamentPaper(
    kind="badges",
    title="Name badges",
    note="One for every player",
    draw=_badges,
    nothing=("nobody_entered", NOBODY_ENTERED),
)
STANDINGS: Final = Paper("standings-pdf", "Standings", "As they are now, with records and rulings")
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
    nothing=("not_finished", NOBODY_WON),
)
PRIZES: Final = TournamentPaper(
    kind="prizes",
    title="Prize-giving",
    note="Running order, last prize first",
    draw=_prizes,
    access=RUN_TOURNAMENT,
    page=f"{TOURNAMENT}prizes/sheet.pdf",
    name="prizes-pdf",
)
PAPERS: Final = {paper.kind: paper for paper in (*SEATED, BADGES, POSTER, CERTIFICATES, PRIZES)}


def _entered_first(tournament: Tournament) -> str:
    return "" if tournament.entrants.entered().exists() else NOBODY_ENTERED


def _finished_first(tournament: Tournament) -> str:
    return "" if tournament.state == TournamentState.FINISHED else NOBODY_WON


WHY_NOT_YET: Final[Mapping[str, Callable[[Tournament], str]]] = {
    BADGES.url_name: _entered_first,
    CERTIFICATES.url_name: _finished_first,
}


def _why_not(tournament: Tournament) -> dict[str, str]:
    """Why there is nothing to print yet, by the names of the printouts; one query."""
    return {name: first(tournament) for name, first in WHY_NOT_YET.items()}


def offers(*, is_seated: bool, to_directors: bool) -> list[Paper]:
    """The printouts available now, for the current reader."""
    seated = [paper.offer for paper in SEATED] if is_seated else []
    always = [BADGES.offer, STANDINGS, POSTER.offer, CERTIFICATES.offer]
    return [*seated, *always, *([PRIZES.offer] if to_directors else [])]


@requires(PRINT_TOURNAMENT)
def everything(request: ClubRequest, club: Club, pk: int) -> HttpResponse:
    """All the tournament's printouts on one page, with the rounds and formats to choose from."""
    tournament = find(club, pk)
    rounds = seated_rounds(tournament)
    # The selected round: that of the address, else the current one.
    number: int | str | None = ALL_ROUNDS
    if request.GET.get("round") != ALL_ROUNDS:
        number = round_in(request.GET) or current_round(tournament)
    papers = offers(is_seated=bool(rounds), to_directors=request.may(RUN_TOURNAMENT))
    context = about(
        request,
        tournament,
        "tournament-papers",
        rounds=rounds,
        round=number,
        all_rounds=ALL_ROUNDS,
        unprintable=unprinted(word for *words, _ in on_badges(tournament) for word in words),
        papers=offered(papers, club.slug, pk, why_not=_why_not(tournament)),
        form=format_of(request.GET, club),
        pages=request.GET.get("pages", ""),
    )
    return render(request, "tournaments/papers/papers.html", context)


def printed(request: ClubRequest, club: Club, pk: int, kind: str) -> HttpResponse:
    """One of ``PAPERS``; ``?round=2`` and ``?table=3`` print some tables, ``?code=yes`` a code."""
    tournament, paper = get_object_or_404(club.tournaments, pk=pk), PAPERS[kind]
    tables: Sequence[SeatedTable] = ()
    if paper.of_tables:
        number = round_in(request.GET)
        if paper.of_current and number is None and request.GET.get("round") != ALL_ROUNDS:
            number = current_round(tournament)
        of_round = linked_tables(tournament, round_number=number)
        tables = chosen(request, club, of_round, "round-table")
        if len(tables) > paper.at_once:
            asked = {**request.GET.dict(), "kind": kind, "round": number or ALL_ROUNDS}
            where = reverse("tournament-printing", args=[club.slug, pk])
            return redirect(f"{where}?{urlencode(asked)}")
    form, with_code = format_of(request.GET, club), "code" in request.GET
    order = Order(tournament, form, request.reader, tables, with_code=with_code)
    if not (file := paper.drawn(order)):
        messages.error(request, paper.nothing[1])
        return redirect(paper.back, club.slug, pk)
    return pdf(request, file, paper.file_for(tournament))


MOST_IN_ADDRESS = 9999


def round_in(query: Mapping[str, str]) -> int | None:
    """The number of the round in an address or form; None: all, or none is named."""
    return whole_number(query.get("round"), most=MOST_IN_ADDRESS)


A_NUMBER = {"type": "integer", "minimum": 0, "maximum": MOST_IN_ADDRESS}
ROUND = OpenApiParameter("round", A_NUMBER, description="only the tables of this round")
TABLE = OpenApiParameter("table", A_NUMBER, description="only the tables with this number")
ROUND_OR_ALL = OpenApiParameter(
    "round",
    {"oneOf": [A_NUMBER, {"type": "string", "enum": [ALL_ROUNDS]}]},
    description="the tables of this round, or `all`; if omitted, of the current round",
)
CODE = OpenApiParameter("code", bool, description="include the table’s QR code")


class PapersAPIView(TournamentAPIView):
    """What the printouts of a tournament are drawn from."""

    @cached_property
    def is_seated(self) -> bool:
        """Whether any round has a seating."""
        return bool(seated_rounds(self.tournament))

    def tables(self, paper: TournamentPaper) -> Sequence[SeatedTable]:
        """The tables asked for, with the addresses of their phone pages."""
        number = self._number_in_query("table")
        if paper.of_current and self.request.query_params.get("round") == ALL_ROUNDS:
            at_round = None
        else:
            at_round = self._number_in_query("round")
            if paper.of_current:
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
        if (number := whole_number(said, most=MOST_IN_ADDRESS)) is None:
            raise refuse("bad_parameter", f"There is no {name} with this number.", name)
        return number


def _drawing(paper: TournamentPaper) -> Drawing:
    """How a printout is drawn for its address; refused where there is nothing to print."""

    def draw(view: PapersAPIView, form: Format) -> tuple[bytes, str]:
        with_code = view.request.query_params.get("code", "false")
        if with_code not in {"true", "false"}:
            raise refuse("bad_parameter", "Choose true or false.", "code")
        tables = view.tables(paper) if paper.of_tables else ()
        if len(tables) > paper.at_once:
            address = linked("tournament-printing", view.tournament)
            sentence = f"A job prints as many as {len(tables)} tables. POST to {address} instead."
            raise refuse("long_printout", sentence)
        order = Order(view.tournament, form, view.reader, tables, with_code=with_code == "true")
        if not (file := paper.drawn(order)):
            raise refuse(*paper.nothing)
        return file, paper.file_for(view.tournament)

    return draw


def _standings(view: ShownAPIView, form: Format) -> tuple[bytes, str]:
    """The standings with records and rulings; names are shown as each person chose."""
    results = results_of(view.tournament, through=view.through, reader=EVERYBODY)
    return results_pdf(view.tournament, results, form), file_of(view.tournament, "results")


def _seated_first(view: PapersAPIView) -> str:
    return "" if view.is_seated else rows.NOBODY_SEATED


def _as_on_its_page(paper: TournamentPaper) -> Callable[[PapersAPIView], str]:
    return lambda view: WHY_NOT_YET[paper.url_name](view.tournament)


def _printout(paper: TournamentPaper) -> Printout:
    parameters = [ROUND_OR_ALL if paper.of_current else ROUND, TABLE] if paper.of_tables else []
    parameters += [CODE] if paper.has_code else []
    usual = _seated_first if paper in SEATED else is_ready
    return Printout(
        title=paper.title,
        note=paper.note,
        access=paper.access,
        draw=_drawing(paper),
        parameters=tuple(parameters),
        why_not=_as_on_its_page(paper) if paper.url_name in WHY_NOT_YET else usual,
    )


PRINTOUTS: Final[Mapping[str, Printout]] = {
    **{kind: _printout(paper) for kind, paper in PAPERS.items()},
    "standings": Printout(
        title=STANDINGS.title,
        note=STANDINGS.note,
        access=SEE_TOURNAMENT,
        draw=_standings,
        parameters=(AFTER,),
    ),
}


class PapersView(PapersAPIView, PrintoutsAPIView):
    access = PRINT_TOURNAMENT
    printouts = PRINTOUTS
    one = "api-tournament-paper"

    @lists(PrintoutSerializer)
    def get(self) -> list[OfferedPaper]:
        """List the printouts, each with its address, and why there is nothing to print yet."""
        return self.offered()


class TournamentPaperView(PrintoutAPIView, PapersAPIView, ShownAPIView):
    access = PRINT_TOURNAMENT
    printouts = PRINTOUTS
    get = prints_one_of(PRINTOUTS)


class ResultsPaper(PaperView, PublishedAPIView):
    @property
    def club(self) -> Club:
        """Whose mark the paper has."""
        return self.published.club

    @prints()
    def get(self, form: Format) -> tuple[bytes, str]:
        """Get the final results with the public link. Nothing is shown until they are published."""
        tournament = self.published
        name = file_of(tournament, "results")
        return results_pdf(tournament, results_of(tournament), form), name


HERE = f"{ONE}printouts/"


api_patterns = [
    path(HERE, PapersView.as_view(), name="api-tournament-papers"),
    path(f"{HERE}<slug:printout>.pdf", TournamentPaperView.as_view(), name="api-tournament-paper"),
    path(f"{OPEN}results.pdf", ResultsPaper.as_view(), name="api-results-pdf"),
]

urlpatterns = [
    path(PRINT, everything, name="tournament-papers"),
    *(
        path(paper.path, requires(paper.access)(printed), {"kind": kind}, name=paper.url_name)
        for kind, paper in PAPERS.items()
    ),
]
