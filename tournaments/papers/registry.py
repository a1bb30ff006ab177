"""Which printouts a tournament has, and those that combine several parts."""

from collections.abc import Sequence
from functools import partial
from typing import Final

from clubs.models.names import AT_THE_TABLE
from clubs.paper.formats import PACKED, TENTS, Format, Paper
from clubs.table.papers.cards import Occasion, SeatedTable
from clubs.table.papers.score_sheets import emergency_pack
from tournaments.models import Tournament
from tournaments.results.papers import certificates_pdf, draw_standings, honoured
from tournaments.results.selectors.records import records_of
from tournaments.results.selectors.results import prize_giving, results_of
from tournaments.rounds.selectors import entry_list

SEATED: Final = (
    Paper("tournament-emergency-pdf", "Emergency pack", PACKED, is_first=True),
    Paper("tournament-sheets-pdf", "Score sheets", "For playing on paper, with names and winds"),
    Paper("tournament-cards-pdf", "Table cards", "With a QR code, one for each table"),
    Paper("tournament-seating-cards-pdf", "Seating cards", TENTS, has_code=True),
    Paper("seating-why-pdf", "Why this seating", "Who meets whom, and all winds"),
)
ALWAYS: Final = (
    Paper("tournament-badges-pdf", "Name badges", "One for every player"),
    Paper("standings-pdf", "Standings", "As they are now, with records and rulings"),
    Paper("tournament-poster-pdf", "Poster", "The top ten, for the notice board"),
    Paper(
        "tournament-certificates-pdf", "Certificates", "To be signed, once the results are final"
    ),
)
FOR_DIRECTORS: Final = (Paper("prizes-pdf", "Prize-giving", "Running order, last prize first"),)
ALL_ROUNDS: Final = "all"
NOBODY_WON: Final = (
    "The results are not final yet: finish the tournament, then print the certificates."
)


def offers(*, is_seated: bool, to_directors: bool) -> tuple[Paper, ...]:
    """The printouts available now, for the current reader."""
    return (SEATED if is_seated else ()) + ALWAYS + (FOR_DIRECTORS if to_directors else ())


def pack(tournament: Tournament, tables: Sequence[SeatedTable], form: Format) -> bytes:
    """Everything for finishing these tables on paper, in one round or several."""
    events = {table.view.event for table in tables}
    event = events.pop() if len(events) == 1 else tournament.name
    about = Occasion(tournament.club.name, event, form)
    names = [(row.entrant.name, row.entrant.is_here) for row in entry_list(tournament).entered]
    standings = [partial(draw_standings, tournament=tournament, results=results_of(tournament))]
    return emergency_pack(about, tables, names, tournament.rules, standings)


def certificates(tournament: Tournament, form: Format) -> bytes:
    """A certificate for each winner, with at least first names; None before results are final."""
    giving = prize_giving(tournament, reader=AT_THE_TABLE)
    records = records_of(tournament, reader=AT_THE_TABLE)
    honours = honoured(giving, records) if giving.is_final else ()
    return certificates_pdf(tournament, honours, form) if honours else b""
