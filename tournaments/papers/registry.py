"""A tournament's printouts: the list of them, their pages and the API are read from here."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final

from clubs.core.permissions import Permission
from clubs.models.names import AT_THE_TABLE, EVERYBODY, Reader
from clubs.paper.formats import PACKED, TENTS, USUAL, Format, Paper
from clubs.seats.papers import Heading, why_pdf
from clubs.table.papers.cards import Occasion, SeatedTable, badges_pdf, seating_cards, table_cards
from clubs.table.papers.score_sheets import emergency_pack, score_sheets
from tournaments.core import PRINT_TOURNAMENT, RUN_TOURNAMENT, SEE_TOURNAMENT
from tournaments.models import Tournament
from tournaments.results.papers import (
    certificates_pdf,
    draw_standings,
    honoured,
    poster_pdf,
    prize_giving_pdf,
)
from tournaments.results.selectors.records import records_of
from tournaments.results.selectors.results import prize_giving, results_of
from tournaments.rounds.selectors import entry_list, on_badges
from tournaments.seating.selectors import NOBODY_SEATED, seated_rounds

TOURNAMENT: Final = "c/<slug:club>/tournaments/<int:pk>/"
PRINT: Final = f"{TOURNAMENT}print/"
ALL_ROUNDS: Final = "all"
NOBODY_WON: Final = (
    "The results are not final yet: finish the tournament, then print the certificates."
)


@dataclass(frozen=True, slots=True)
class Order:
    """What a printout is drawn from: the tournament, its tables, and how it is printed."""

    tournament: Tournament
    form: Format = USUAL
    reader: Reader = EVERYBODY
    tables: Sequence[SeatedTable] = ()
    with_code: bool = False


@dataclass(frozen=True, kw_only=True, slots=True)
class TournamentPaper:
    """A printout: its kind in addresses, its title, a note, what the API says, how it is drawn.

    ``page`` is where it is and ``name`` its URL name, where they are not as usual. ``of_tables``:
    drawn from the tables of one round or all, ``of_current`` from those of the current round
    unless another is asked for. Where there is nothing to draw, ``nothing`` has a code and says
    why, and its readers go ``back`` to that page.
    """

    kind: str
    title: str
    note: str
    about: str
    draw: Callable[[Order], bytes]
    access: Permission = PRINT_TOURNAMENT
    page: str = ""
    name: str = ""
    of_tables: bool = False
    of_current: bool = False
    has_code: bool = False
    nothing: tuple[str, str] = ("nobody_seated", NOBODY_SEATED)
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
        return f"{tournament.club.slug}-tournament-{tournament.pk}-{self.kind}"

    def drawn(self, order: Order) -> bytes:
        """The printout as PDF; empty where there is nothing to print."""
        return b"" if self.of_tables and not order.tables else self.draw(order)


def _pack(order: Order) -> bytes:
    """Everything for finishing these tables on paper, in one round or several."""
    cup, tables = order.tournament, order.tables
    events = {table.view.event for table in tables}
    event = events.pop() if len(events) == 1 else cup.name
    about = Occasion(cup.club.name, event, order.form)
    names = [(row.entrant.name, row.entrant.is_here) for row in entry_list(cup).entered]
    standings = [partial(draw_standings, tournament=cup, results=results_of(cup))]
    return emergency_pack(about, tables, names, cup.rules, standings)


def _certificates(order: Order) -> bytes:
    """A certificate for each winner, with at least first names; none before results are final."""
    cup = order.tournament
    giving = prize_giving(cup, reader=AT_THE_TABLE)
    records = records_of(cup, reader=AT_THE_TABLE)
    honours = honoured(giving, records) if giving.is_final else ()
    return certificates_pdf(cup, honours, order.form) if honours else b""


def _why(order: Order) -> bytes:
    cup = order.tournament
    seating = seated_rounds(cup, reader=order.reader).explained()
    heading = Heading(cup.club.name, "Why this seating", f"{cup.name}: {seating.counts}")
    return why_pdf(heading, seating, order.form) if seating.players else b""


def _prizes(order: Order) -> bytes:
    cup = order.tournament
    return prize_giving_pdf(cup, prize_giving(cup, reader=order.reader), order.form)


SEATED: Final = (
    TournamentPaper(
        kind="emergency",
        title="Emergency pack",
        note=PACKED,
        about="Print the emergency pack, to finish a round on paper.",
        draw=_pack,
        of_tables=True,
        of_current=True,
    ),
    TournamentPaper(
        kind="sheets",
        title="Score sheets",
        note="For playing on paper, with names and winds",
        about="Print a score sheet for each table.",
        draw=lambda order: score_sheets(order.tables, order.form),
        of_tables=True,
    ),
    TournamentPaper(
        kind="cards",
        title="Table cards",
        note="With a QR code, one for each table",
        about="Print a table card with the QR code for each table.",
        draw=lambda order: table_cards(order.tables, order.form),
        of_tables=True,
    ),
    TournamentPaper(
        kind="seating-cards",
        title="Seating cards",
        note=TENTS,
        about="Print a folding card for each seat: name on both sides, table and wind.",
        draw=lambda order: seating_cards(order.tables, order.form, with_code=order.with_code),
        of_tables=True,
        has_code=True,
    ),
    TournamentPaper(
        kind="why",
        title="Why this seating",
        note="Who meets whom, and all winds",
        about="Print why this seating: who meets whom, and everyone's winds.",
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
    about="Print a name badge for every entrant.",
    draw=lambda order: badges_pdf(order.tournament.name, on_badges(order.tournament), order.form),
)
STANDINGS: Final = Paper("standings-pdf", "Standings", "As they are now, with records and rulings")
POSTER: Final = TournamentPaper(
    kind="poster",
    title="Poster",
    note="The top ten, for the notice board",
    about="Print the top ten on one page, for the notice board.",
    draw=lambda order: poster_pdf(order.tournament, results_of(order.tournament), order.form),
)
CERTIFICATES: Final = TournamentPaper(
    kind="certificates",
    title="Certificates",
    note="To be signed, once the results are final",
    about="Print a certificate for each winner, once the results are final.",
    draw=_certificates,
    nothing=("not_finished", NOBODY_WON),
)
PRIZES: Final = TournamentPaper(
    kind="prizes",
    title="Prize-giving",
    note="Running order, last prize first",
    about="Print the prizes in large type, in the order they are given, last first.",
    draw=_prizes,
    access=RUN_TOURNAMENT,
    page=f"{TOURNAMENT}prizes/sheet.pdf",
    name="prizes-pdf",
)
PAPERS: Final = {paper.kind: paper for paper in (*SEATED, BADGES, POSTER, CERTIFICATES, PRIZES)}


def offers(*, is_seated: bool, to_directors: bool) -> list[Paper]:
    """The printouts available now, for the current reader."""
    seated = [paper.offer for paper in SEATED] if is_seated else []
    always = [BADGES.offer, STANDINGS, POSTER.offer, CERTIFICATES.offer]
    return [*seated, *always, *([PRIZES.offer] if to_directors else [])]
