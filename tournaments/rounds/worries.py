"""What is not in order before a step of a tournament, in sentences, and where it is put right."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.db.models import QuerySet

from clubs.seating.why import listed
from scoring.scorebook.models import Hand, HandState
from tournaments.models import EntrantState, Round, Tournament

MOST_NAMES = 6


@dataclass(frozen=True, slots=True)
class Worry:
    """One thing that is not in order; ``address`` names the page where it is put right.

    Where it is a table's, ``round`` and ``table`` say which.
    """

    sentence: str
    address: str = ""
    round: int | None = None
    table: int | None = None


def _hands_of(tournament: Tournament) -> QuerySet[Hand]:
    return Hand.objects.filter(
        game__tournament_table__round__tournament=tournament, is_current=True
    )


def unready(tournament: Tournament) -> list[Worry]:
    """Who is not checked in, and who has not paid."""
    entered = list(tournament.entrants.entered().order_by("name"))
    away = [entrant.name for entrant in entered if not entrant.is_here]
    unpaid = [entrant.name for entrant in entered if not entrant.has_paid]
    told = ((away, "not checked in"), (unpaid, "not marked as paid"))
    return [
        Worry(f"{_counted(names, len(entered))} {what}{_named(names, len(entered))}.", "entrants")
        for names, what in told
        if names
    ]


def _counted(names: Sequence[str], of: int) -> str:
    if len(names) == of:
        return f"All {of} players are"
    return "1 player is" if len(names) == 1 else f"{len(names)} players are"


def _named(names: Sequence[str], of: int) -> str:
    """``: Ann, Ben and 3 more``; nothing where it is everyone."""
    if len(names) == of:
        return ""
    more = len(names) - MOST_NAMES
    if more > 1:
        return f": {', '.join(names[:MOST_NAMES])} and {more} more"
    return f": {listed(names)}"


def without_place(tournament: Tournament) -> list[Worry]:
    """Who waits for a place."""
    count = tournament.entrants.filter(state=EntrantState.WAITING).count()
    if not count:
        return []
    who = "1 player is" if count == 1 else f"{count} players are"
    return [Worry(f"{who} on the waiting list and will not have a seat.", "entrants")]


def calls_in(round_: Round) -> list[Worry]:
    """The tables of a round that still call the director."""
    open_ = round_.tables.filter(calls__isnull=False, calls__answered_at=None)
    return [
        Worry(f"Table {number} has called the director.", "", round_.number, number)
        for number in open_.values_list("number", flat=True)
    ]


def unagreed(tournament: Tournament, round_: Round | None = None) -> list[Worry]:
    """Hands that were sent and to which the table has not said yes: they count all the same."""
    hands = _hands_of(tournament).filter(state=HandState.REPORTED)
    if round_ is not None:
        hands = hands.filter(game__tournament_table__round=round_)
    tables = list(hands.values_list("game__tournament_table", flat=True))
    if not tables:
        return []
    count = "1 hand has" if len(tables) == 1 else f"{len(tables)} hands have"
    at = "1 table" if len(set(tables)) == 1 else f"{len(set(tables))} tables"
    return [Worry(f"{count} not been agreed by the players, at {at}. What was entered counts.")]


def open_disputes(tournament: Tournament) -> list[Worry]:
    """The hands that someone does not agree with, in any round."""
    hands = _hands_of(tournament).filter(state=HandState.DISPUTED)
    where = hands.values_list(
        "game__tournament_table__round__number", "game__tournament_table__number", "number"
    )
    return [
        Worry(f"Round {round_}, table {table}: hand {number} is not agreed.", "", round_, table)
        for round_, table, number in where.order_by(
            "game__tournament_table__round__number", "game__tournament_table__number", "number"
        )
    ]


def kept_back(tournament: Tournament) -> list[Worry]:
    """That the last round is not released yet."""
    if not tournament.hides_last_round:
        return []
    said = "The last round is still hidden: only officials can see it."
    return [Worry(said, "standings")]


def numbered(word: str, numbers: Sequence[int]) -> str:
    """``round 3``, ``rounds 3, 4``."""
    return f"{word}{'s' * (len(numbers) > 1)} {', '.join(map(str, numbers))}"
