"""What tournaments hold on a person, and where a game was played."""

from collections.abc import Sequence
from typing import Final

from clubs.language.moments import long_date
from clubs.models import Player, Session, SessionTable
from clubs.privacy.selectors.data_export import Part, part, played
from tournaments.models import Entrant, Placement, Prize, Round, Ruling, Table, Tournament

LEFT_OUT: Final = {
    "tournaments.Drawing": "the input of each seating draw, with every name; your seats are above",
    "tournaments.SeatingChange": "seating changes; a sentence that names you is above",
    "tournaments.Call": "calls for the director; these belong to a table, not to one person",
    "tournaments.StepBack": "tournament steps that were undone",
}


def parts(records: Sequence[Player]) -> list[Part]:
    """Entries, rounds, rulings and prizes, then every hand at a tournament's table."""
    entrants = list(Entrant.objects.filter(player__in=records).select_related("tournament"))
    seated = list(
        Placement.objects.filter(entrant__in=entrants)
        .select_related("round__tournament", "table", "seat__game")
        .order_by("round__tournament__held_on", "round__number")
    )
    own = [one for one in seated if not one.substitute]
    places = {
        one.seat: f"{one.round.tournament}, round {one.round.number}, table {one.table.number}"
        for one in own
    }
    return [
        _entries(entrants),
        _rounds(entrants, seated),
        _rulings(own),
        _prizes(entrants),
        *played(places, "at tournaments"),
    ]


def _entries(entrants: Sequence[Entrant]) -> Part:
    rows = [
        (
            one.tournament,
            one.tournament.held_on,
            one.number,
            one.name,
            one.team,
            one.get_state_display(),
            one.has_paid,
            one.is_here,
        )
        for one in entrants
    ]
    return part(
        "Tournament entries",
        "Tournaments you entered.",
        "Tournament|Day|Number|Name|Team|State|Paid|Checked in",
        rows,
        "tournaments.Entrant",
        "tournaments.Tournament",
    )


def _rounds(entrants: Sequence[Entrant], seated: Sequence[Placement]) -> Part:
    out = Round.objects.filter(sitting_out__in=entrants).select_related("tournament").distinct()
    rows = [
        *(
            (
                one.round.tournament,
                one.round.number,
                one.table.number,
                one.seat.points,
                one.seat.mahjongs,
                "a substitute played for you" if one.substitute else "",
            )
            for one in seated
        ),
        *((one.tournament, one.number, "", "", "", "sat out") for one in out),
    ]
    return part(
        "Tournament rounds",
        "Your seat and result in each round.",
        "Tournament|Round|Table|Points|Mah-Jongs|Note",
        rows,
        "tournaments.Placement",
        "tournaments.Round",
        "tournaments.Table",
    )


def _rulings(own: Sequence[Placement]) -> Part:
    found = Ruling.objects.filter(player__in=[one.seat_id for one in own]).order_by("pk")
    rows = [(one.ruled_at, one.get_kind_display(), one.what, one.reason) for one in found]
    about = "Rulings about you."
    return part("Rulings", about, "When|What|In words|Why", rows, "tournaments.Ruling")


def _prizes(entrants: Sequence[Entrant]) -> Part:
    chosen = Prize.objects.filter(chosen__in=entrants).select_related("tournament")
    rows = [(one.tournament, one.name, one.gift) for one in chosen]
    about = "Prizes for which the director chose you. All others follow from the standings."
    return part("Prizes chosen", about, "Tournament|Prize|What", rows, "tournaments.Prize")


def table_of_game(game_id: int) -> str:
    """``table 3, Riverside, 3 November 2026`` or ``round 2, table 3, Autumn Cup``."""
    at_night = SessionTable.objects.select_related("session__club").filter(game=game_id).first()
    if at_night is not None:
        return f"table {at_night.number}, {_evening(at_night.session)}"
    table = Table.objects.select_related("round__tournament").filter(game=game_id).first()
    if table is not None:
        return f"round {table.round.number}, table {table.number}, {table.round.tournament.name}"
    return f"game {game_id}"


def event_of_book(book_id: int) -> str:
    """``Riverside, 3 November 2026`` or ``Autumn Cup``; ``book 7`` where no event has it."""
    session = Session.objects.select_related("club").filter(book=book_id).first()
    if session is not None:
        return _evening(session)
    tournament = Tournament.objects.filter(book=book_id).first()
    return tournament.name if tournament else f"book {book_id}"


def _evening(session: Session) -> str:
    return f"{session.club.name}, {long_date(session.held_on)}"
