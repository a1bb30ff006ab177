"""Evenings with people at their tables, for the tests of pages."""

from datetime import date
from typing import Any

from clubs.evenings.services import evenings
from clubs.models import Club, Session
from tests.people import make_player

NAMES = ("Margaret", "Dilip", "Zoë", "Ngaio", "Seán")


def seated_evening(club: Club, *, players: int = 4, held_on: date = date(2026, 11, 17)) -> Session:
    """An evening with one table of so many players, three to five."""
    session = evenings.open_session(club=club, held_on=held_on)
    for name in NAMES[:players]:
        evenings.tick(session=session, player=make_player(club, name), is_here=True)
    evenings.seat_session(session=session)
    return session


def sheet(page: Any, **inputs: str | int) -> dict[str, str]:
    """What a browser would send from the page's form, with these fields filled in."""
    form = page.context["form"]
    hidden_values = {name: str(form[name].value()) for name in ("submission_id", "number")}
    return hidden_values | {name: str(value) for name, value in inputs.items()}
