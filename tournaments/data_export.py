"""What tournaments store about a person, and where a game was played."""

from collections.abc import Sequence
from typing import Final

from clubs.language.moments import long_date
from clubs.models import Player, Session, SessionTable
from clubs.privacy.selectors.data_export import ExportPart, make_part, score_book_parts
from tournaments.models import Entrant, Placement, Prize, Round, Ruling, Table, Tournament

NOT_EXPORTED: Final = {
    "tournaments.Drawing": "the input of each seating draw, with every name; your seats are above",
    "tournaments.SeatingChange": "seating changes; a sentence that names you is above",
    "tournaments.Printing": "which long printouts were made; they name no one",
    "tournaments.Call": "calls for the director; these belong to a table, not to one person",
    "tournaments.StepBack": "tournament steps that were undone",
}


def export_parts(records: Sequence[Player]) -> list[ExportPart]:
    """Entries, rounds, rulings and prizes, then every hand at a tournament's table."""
    entrants = list(Entrant.objects.filter(player__in=records).select_related("tournament"))
    placements = list(
        Placement.objects.filter(entrant__in=entrants)
        .select_related("round__tournament", "table", "seat__game")
        .order_by("round__tournament__held_on", "round__number")
    )
    own_placements = [seat for seat in placements if "" in _substitutes(seat)]
    places = {
        seat.seat: f"{seat.round.tournament}, round {seat.round.number}, table {seat.table.number}"
        for seat in own_placements
    }
    prizes = Prize.objects.filter(chosen__in=entrants).select_related("tournament")
    return [
        _entries_part(entrants),
        _rounds_part(entrants, placements),
        _rulings_part(own_placements),
        make_part(
            "Prizes chosen",
            "Prizes for which the director chose you. All others follow from the standings.",
            "Tournament|Prize|What",
            [(prize.tournament, prize.name, prize.gift) for prize in prizes],
            "tournaments.Prize",
        ),
        *score_book_parts(places, "at tournaments"),
    ]


def _entries_part(entrants: Sequence[Entrant]) -> ExportPart:
    rows = [
        (
            entrant.tournament,
            entrant.tournament.held_on,
            entrant.number,
            entrant.name,
            entrant.team,
            entrant.get_state_display(),
            entrant.has_paid,
            entrant.is_here,
        )
        for entrant in entrants
    ]
    return make_part(
        "Tournament entries",
        "Tournaments you entered.",
        "Tournament|Day|Number|Name|Team|State|Paid|Checked in",
        rows,
        "tournaments.Entrant",
        "tournaments.Tournament",
    )


def _rounds_part(entrants: Sequence[Entrant], placements: Sequence[Placement]) -> ExportPart:
    rounds_sat_out = (
        Round.objects.filter(sitting_out__in=entrants).select_related("tournament").distinct()
    )
    rows = [
        *(
            (
                seat.round.tournament,
                seat.round.number,
                seat.table.number,
                seat.seat.points,
                seat.seat.mahjongs,
                _substitute_note(seat),
            )
            for seat in placements
        ),
        *((round_.tournament, round_.number, "", "", "", "sat out") for round_ in rounds_sat_out),
    ]
    return make_part(
        "Tournament rounds",
        "Your seat and result in each round.",
        "Tournament|Round|Table|Points|Mah-Jongs|Note",
        rows,
        "tournaments.Placement",
        "tournaments.Round",
        "tournaments.Table",
    )


def _substitutes(seat: Placement) -> list[str]:
    """Who had the seat one after the other; empty: the entrant."""
    return [*(name for _, name in seat.earlier_sitters), seat.substitute]


def _substitute_note(seat: Placement) -> str:
    names = _substitutes(seat)
    if not any(names):
        return ""
    return f"a substitute played{'' if all(names) else ' part of the round'} for you"


def _rulings_part(own_placements: Sequence[Placement]) -> ExportPart:
    rulings = Ruling.objects.filter(player__in=[seat.seat_id for seat in own_placements]).order_by(
        "pk"
    )
    rows = [
        (ruling.ruled_at, ruling.get_kind_display(), ruling.what, ruling.reason)
        for ruling in rulings
    ]
    description = "Rulings about you."
    return make_part("Rulings", description, "When|What|In words|Why", rows, "tournaments.Ruling")


def table_of_game(game_id: int) -> str:
    """``table 3, Riverside, 3 November 2026`` or ``round 2, table 3, Autumn Cup``."""
    at_night = SessionTable.objects.select_related("session__club").filter(game=game_id).first()
    if at_night is not None:
        return f"table {at_night.number}, {_evening_title(at_night.session)}"
    table = Table.objects.select_related("round__tournament").filter(game=game_id).first()
    if table is not None:
        return f"round {table.round.number}, table {table.number}, {table.round.tournament.name}"
    return f"game {game_id}"


def event_of_book(book_id: int) -> str:
    """``Riverside, 3 November 2026`` or ``Autumn Cup``; ``book 7`` if no event has it."""
    session = Session.objects.select_related("club").filter(book=book_id).first()
    if session is not None:
        return _evening_title(session)
    tournament = Tournament.objects.filter(book=book_id).first()
    return tournament.name if tournament else f"book {book_id}"


def _evening_title(session: Session) -> str:
    return f"{session.club.name}, {long_date(session.held_on)}"
