"""Tournaments with people in them: entered, seated, played, against the clock, in full halls."""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from typing import Any
from uuid import uuid4

import time_machine

from clubs.models import Club
from clubs.table import services as at_table
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.services import RecordedHand
from tests.people import make_club
from tournaments.models import OddNumber, Placement, Round, RoundState, Table, Tournament
from tournaments.seating.services import seating
from tournaments.seating.services.by_hand import WrittenRound, WrittenTable
from tournaments.setup import services as setup_services
from tournaments.steps import services
from tournaments.table.event import RoundTable
from tournaments.table.services import RulingCase

DRAWN = Report(winner=None)
# With the first seat as East: -64, +240, -80, -96.
SECOND_WINS = Report(winner=2, totals={1: 20, 2: 60, 3: 8, 4: 4})
NAMES = ("Ann Abbott", "Ben Brown", "Cy Clark", "Di Dyer")
STARTED = datetime(2026, 11, 21, 14, 10, tzinfo=UTC)


def make_cup(
    *,
    entrants: int = 16,
    rounds: int = 5,
    hands: int | None = 2,
    club: Club | None = None,
    names: Sequence[str] = (),
    odd: OddNumber = OddNumber.WAIT,
    **settings: Any,
) -> Tournament:
    """A tournament with entrants Player 1, Player 2 …, or of these names, not seated yet."""
    defaults = {"name": "Autumn Cup", "held_on": date(2026, 11, 21), "rounds": rounds}
    cup = setup_services.make_tournament(
        club=club or make_club(), **{**defaults, "hands_a_round": hands, **settings}
    )
    names = names or [f"Player {number}" for number in range(1, entrants + 1)]
    setup_services.enter_names(tournament=cup, names=names)
    if odd != OddNumber.WAIT:
        setup_services.set_entry_rules(tournament=cup, odd_number=odd, places=None)
        cup.refresh_from_db(fields=["odd_number"])
    return cup


def seated_cup(
    *, entrants: int = 4, rounds: int = 2, starts: bool = True, **cup_fields: Any
) -> Tournament:
    """The same with every round seated that is drawn, and the first one open if it starts."""
    cup = make_cup(entrants=entrants, rounds=rounds, **cup_fields)
    seating.seat_rounds(tournament=cup)
    if starts:
        services.start_round(tournament=cup)
    return fresh(cup)


def seated_tournament(club: Club, *, rounds: int = 2, hands: int = 1) -> Tournament:
    """A tournament of one table with names, seated, its first round being played."""
    return seated_cup(club=club, rounds=rounds, hands=hands, names=NAMES)


def seated_cups(count: int = 4, **cup_fields: Any) -> Iterator[Tournament]:
    """One after another, each in a club of its own: what happens at once is tried that often."""
    for number in range(count):
        yield seated_cup(club=make_club(f"Club {number}", f"club-{number}"), **cup_fields)


def fresh(cup: Tournament) -> Tournament:
    return Tournament.objects.get(pk=cup.pk)


def page_of(cup: Tournament, path: str = "") -> str:
    """The address of a page of the tournament, of its desk without another word."""
    return f"/c/{cup.club.slug}/tournaments/{cup.pk}/{path}"


def send_hand(
    table: Table, number: int = 1, report: Report = DRAWN, *, by_players: bool = False
) -> RecordedHand:
    """That hand, entered by an official or from the table's phone."""
    return at_table.post_hand(
        table=RoundTable(table, by_players=by_players),
        submission_id=uuid4(),
        number=number,
        report=report,
        sent_by=f"round table {table.pk}" if by_players else f"table {table.pk}",
    )


def post(table: Table, *reports: Report) -> list[Hand]:
    """These hands one after another, entered by an official."""
    return [send_hand(table, number, report).hand for number, report in enumerate(reports, start=1)]


def correct(table: Table, report: Report, *, number: int = 1) -> Hand:
    """The scorer decides that hand of the table otherwise."""
    return at_table.correct_hand(
        table=RoundTable(table),
        hand_id=table.game.hands.get(number=number, is_current=True).pk,
        report=report,
        corrected_by="user 1",
        reason="a slip",
    )


def tables(cup: Tournament, round_number: int = 1) -> list[Table]:
    """The tables of a round by number."""
    return list(Table.objects.filter(round__tournament=cup, round__number=round_number))


def play_round(cup: Tournament, *reports: Report) -> Round:
    """Every table of the open round reports these hands; the round stays open."""
    playing = cup.rounds.get(state=RoundState.PLAYING)
    for table in playing.tables.all():
        post(table, *reports)
    return playing


def close_round(cup: Tournament, *reports: Report) -> None:
    """Every table of the open round reports these hands, and the round is closed."""
    play_round(cup, *reports)
    services.close_round(tournament=cup)


def finish(cup: Tournament, *reports: Report) -> Tournament:
    """The last round is played and closed so, and the tournament finished."""
    close_round(cup, *reports)
    services.finish_tournament(tournament=cup)
    return fresh(cup)


Fours = list[list[str]]


def next_round(cup: Tournament, *reports: Report) -> None:
    """The open round is played and closed so, and the next one is begun."""
    close_round(cup, *reports)
    services.start_round(tournament=cup)


def sits(cup: Tournament, seat: int, *, round_number: int = 1, table: int = 1) -> str:
    """Who has that seat of a table in a round."""
    round_table = tables(cup, round_number)[table - 1]
    return round_table.placements.get(seat__number=seat).entrant.name


def case(table: Table, seat: int, **fields: Any) -> RulingCase:
    """A case for the director at a seat of the table, for a good reason."""
    usual = {"reason": "seen by the table", "ruled_by": "user 1", "submission_id": uuid4()}
    return RulingCase(table=table, seat=seat, **{**usual, **fields})


def fours(cup: Tournament, number: int) -> Fours:
    """The names at each table of a round, East first."""
    places = Placement.objects.filter(round__tournament=cup, round__number=number)
    tables: dict[int, list[str]] = {}
    for table, name in places.values_list("table__number", "entrant__name"):
        tables.setdefault(table, []).append(name)
    return list(tables.values())


def written_round(
    number: int, tables: Sequence[Sequence[str]], *, rests: bool = False
) -> WrittenRound:
    """The round with these names, East first."""
    written_tables = (
        WrittenTable(table_number, tuple(names))
        for table_number, names in enumerate(tables, start=1)
    )
    return WrittenRound(number, tuple(written_tables), rests)


def exchange_seats(tables: Fours) -> Fours:
    """The same tables with the first seats of the first two tables exchanged."""
    first, second, *other_tables = tables
    return [[second[0], *first[1:]], [first[0], *second[1:]], *other_tables]


@contextmanager
def at_minute(minute: float) -> Iterator[None]:
    """So long after the round was started."""
    with time_machine.travel(STARTED + timedelta(minutes=minute), tick=False):
        yield


def timed_cup(*, hands: int | None = None, **cup_fields: Any) -> Tournament:
    """A tournament of rounds of 75 minutes, seated, its first round begun at STARTED."""
    with at_minute(0):
        return seated_cup(hands=hands, minutes_a_round=75, **cup_fields)


def enter(table: Table, number: int, *, minute: float, report: Report = DRAWN) -> Hand:
    """A hand that the players send at that minute."""
    with at_minute(minute):
        return send_hand(table, number, report, by_players=True).hand


FIRST = (
    "Ann", "Bronagh", "Callum", "Dilip", "Efua", "Frances", "Gwilym", "Harpreet", "Ingrid", "Joan",
    "Kenneth", "Llŷr", "Margaret", "Nuala", "Oluwaseun", "Patricia", "René", "Siân", "Tomasz",
    "Zoë",
)  # fmt: skip
LAST = (
    "Abbott", "Barraclough", "Chaudhuri", "Duquesne", "Fairweather", "Gill", "Hargreaves",
    "Łukasiewicz", "MacAskill", "Nakamura-Jones", "O’Rourke", "Pemberton-Hale", "Qureshi", "Rhys",
    "Sørensen", "Thackeray", "Whitcombe", "Wójcik", "Yeo", "Postlethwaite",
)  # fmt: skip


def people(count: int) -> list[str]:
    """So many different names as people have them, short ones and long ones, at most 400."""
    all_names = [f"{first} {last}" for last in LAST for first in FIRST]
    shuffled_names = [all_names[171 * index % len(all_names)] for index in range(len(all_names))]
    return list(dict.fromkeys([*all_names[:5], *shuffled_names]))[:count]


def full_hall(
    entrants: int,
    *,
    rounds: int = 3,
    club: Club | None = None,
    minutes: int | None = None,
    starts: bool = False,
) -> Tournament:
    """A tournament of so many, seated and as a rule not started; with minutes by the clock."""
    return seated_cup(
        name="The Four Winds Open",
        names=people(entrants),
        rounds=rounds,
        hands=1,
        club=club,
        minutes_a_round=minutes,
        starts=starts,
    )
