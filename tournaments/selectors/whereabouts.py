"""Where a game of the score book was played, and what event a book is of, in words."""

from clubs.language.moments import long_date
from clubs.models import Session, SessionTable
from tournaments.models import Table, Tournament


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
