"""What the director reads before a step, and what does not prevent it."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

from django.db.models import Exists, OuterRef, QuerySet

from clubs.language.words import count_words
from clubs.models.names import by_surname
from clubs.seating.why import join_with_and
from scoring.scorebook.models import Hand, HandState
from tournaments.core import first_few
from tournaments.models import EntrantState, Round, RoundState, Table, Tournament
from tournaments.results.selectors.standings import NO_HAND_POINTS
from tournaments.rounds.selectors import EntryRow, RoundView, TableRow, numbers_text

MOST_NAMES = 6


@dataclass(frozen=True, slots=True)
class Worry:
    """One warning that does not prevent the step.

    ``address`` names the page for fixing it. For a table, ``round`` and ``table`` say which, and
    ``game`` which game it plays.
    """

    sentence: str
    address: Annotated[str, "where to correct it, under the API; may be empty"] = ""
    round: int | None = None
    table: int | None = None
    game: int | None = None


def _hands_of(tournament: Tournament) -> QuerySet[Hand]:
    return Hand.objects.filter(
        game__tournament_table__round__tournament=tournament, is_current=True
    )


def unready_entrants(tournament: Tournament) -> list[Worry]:
    """The entrants not checked in, and those who have not paid."""
    entrants = by_surname(tournament.entrants.entered())
    absent_names = [entrant.name for entrant in entrants if not entrant.is_here]
    unpaid = [entrant.name for entrant in entrants if not entrant.has_paid]
    worries = []
    for names, condition in ((absent_names, "checked in"), (unpaid, "marked as paid")):
        players_text = "1 player is" if len(names) == 1 else f"{len(names)} players are"
        text = f"{players_text} not {condition}: {first_few(names, MOST_NAMES)}."
        if 1 < len(names) == len(entrants):
            text = f"None of the {len(names)} players has been {condition}."
        if names:
            worries.append(Worry(text, "entrants"))
    return worries


def waiting_entrants(tournament: Tournament) -> list[Worry]:
    count = tournament.entrants.filter(state=EntrantState.WAITING).count()
    if not count:
        return []
    players_text = "1 player is" if count == 1 else f"{count} players are"
    return [Worry(f"{players_text} on the waiting list and will not have a seat.", "entrants")]


def open_calls(round_: Round) -> list[Worry]:
    """The tables of a round with open calls."""
    open_ = round_.tables.filter(calls__isnull=False, calls__answered_at=None)
    return [
        Worry(f"Table {number} has called the director.", "", round_.number, number, game)
        for number, game in open_.values_list("number", "game")
    ]


def withdrawn_seats(round_: RoundView) -> list[Worry]:
    """Who withdrew and still has a seat in the round, and what they get at that table."""
    return [
        Worry(
            f"{place.name} has withdrawn and still has a seat at table {table.number}. "
            f"{_withdrawn_share(place.name, table)}",
            "",
            round_.number,
            table.number,
            table.game_id,
        )
        for table in round_.tables
        for place in table.withdrawn_places
    ]


def _withdrawn_share(name: str, table: TableRow) -> str:
    if table.hands:
        return f"The hands played there count for {name} too."
    return f"If no hand is played there, {_equal_shares(name)}."


def _equal_shares(name: str) -> str:
    """What a table without a hand scores, where one of the four has withdrawn."""
    return f"all four get {NO_HAND_POINTS} table points each, including {name}"


def short_of_players(round_: RoundView) -> list[str]:
    """``Table 3 has only 3 players: …``, for each table that is not done."""
    return [
        _who_is_left(table)
        for table in round_.tables
        if table.withdrawn_places and not table.is_done
    ]


def _who_is_left(table: TableRow) -> str:
    sitters = [place.sitter for place in table.places if not place.has_withdrawn]
    withdrawn_names = [place.name for place in table.withdrawn_places]
    players_text = (
        f"only {count_words(len(sitters), 'player')}: {join_with_and(sitters)}"
        if sitters
        else "no players"
    )
    verb = "have" if len(withdrawn_names) > 1 else "has"
    return (
        f"Table {table.number} has {players_text}. {join_with_and(withdrawn_names)} {verb} "
        "withdrawn."
    )


def stopped_early(round_: RoundView) -> list[Worry]:
    """The tables that stopped before their first hand, and what that means for their players."""
    tables = [table for table in round_.tables if table.is_done and not table.hands]
    numbers = [table.number for table in tables]
    if len(numbers) == 1:
        text = f"Table {numbers[0]} stopped before its first hand. {_points_of_empty(1)}"
        return [Worry(text, "", round_.number, numbers[0], tables[0].game_id)]
    which = f"{len(numbers)} of the {len(round_.tables)} tables stopped before their first hand"
    text = f"{which}: tables {join_with_and([str(number) for number in numbers])}."
    if len(numbers) == len(round_.tables):
        text = f"No hand was entered at any table in round {round_.number}."
    return [Worry(f"{text} {_points_of_empty(len(numbers))}")] * bool(numbers)


def _points_of_empty(tables: int) -> str:
    """What so many tables without a hand mean for their players."""
    players_text = "Its players" if tables == 1 else "The players at each of them"
    return f"{players_text} share the table points equally: {NO_HAND_POINTS} each."


def rounds_without_hands(tournament: Tournament) -> list[Worry]:
    """The tables of closed rounds that ended without a hand, and what they count; one query."""
    hands = Hand.objects.filter(game=OuterRef("game"), is_current=True)
    tables = Table.objects.filter(round__tournament=tournament, round__state=RoundState.CLOSED)
    empty = tables.exclude(Exists(hands)).order_by("round__number")
    numbers = list(empty.values_list("round__number", flat=True))
    if not numbers:
        return []
    which = numbers_text("round", sorted(set(numbers)))
    text = f"{count_words(len(numbers), 'table')} ended without a hand, in {which}."
    return [Worry(f"{text} {_points_of_empty(len(numbers))}", "standings")]


def unagreed_hands(tournament: Tournament, round_: Round | None = None) -> list[Worry]:
    """Each round's tables with hands that the players have not agreed: they count all the same."""
    hands = _hands_of(tournament).filter(state=HandState.REPORTED)
    if round_ is not None:
        hands = hands.filter(game__tournament_table__round=round_)
    fields = ("game__tournament_table__round__number", "game__tournament_table__number")
    tables: dict[int, list[tuple[int, int]]] = defaultdict(list)
    for number, table, game in hands.order_by(*fields).values_list(*fields, "game"):
        tables[number].append((table, game))
    return [_unagreed_in(number, round_tables) for number, round_tables in tables.items()]


def _unagreed_in(number: int, tables: Sequence[tuple[int, int]]) -> Worry:
    """``Round 2, tables 1 and 4: 3 hands …``, with the table of each hand and its game."""
    first, *other_tables = dict.fromkeys(tables)
    names = first_few([str(table) for table, _ in (first, *other_tables)], MOST_NAMES)
    count = "1 hand has" if len(tables) == 1 else f"{len(tables)} hands have"
    text = f"{count} not been agreed by the players. What was entered counts."
    tables_text = f"Round {number}, table{'s' * bool(other_tables)} {names}"
    return Worry(f"{tables_text}: {text}", "", *(() if other_tables else (number, *first)))


def open_disputes(tournament: Tournament) -> list[Worry]:
    table = "game__tournament_table"
    fields = (f"{table}__round__number", f"{table}__number", "number")
    hands = _hands_of(tournament).filter(state=HandState.DISPUTED).order_by(*fields)
    return [
        Worry(
            f"Round {round_}, table {table_number}: hand {number} is not agreed.",
            "",
            round_,
            table_number,
            game,
        )
        for round_, table_number, number, game in hands.values_list(*fields, "game")
    ]


def trouble_at_start(row: EntryRow) -> str:
    """``Ann Cox has withdrawn and still has a seat in round 2. …``, with what Ann gets there."""
    name = row.entrant.name
    if row.entrant.state != EntrantState.WITHDRAWN:
        return f"{name} {row.trouble}."
    gets = f"At a table that plays no hand, {_equal_shares(name)}."
    return f"{name} has withdrawn and {row.trouble}. {gets}"
