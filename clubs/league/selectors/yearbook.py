"""A season as its book tells it: every evening, the league, records, special hands, members."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from itertools import groupby

from django.db.models import F

from clubs.core.people_names import names_of
from clubs.core.permissions import VisibleParts
from clubs.evenings.selectors.calendar import ClubDay, club_year
from clubs.evenings.selectors.evenings import (
    EveningSummary,
    ResultRow,
    evenings_of,
    result_of,
    summaries,
)
from clubs.language.moments import full_date, long_date
from clubs.league.selectors.seasons import LeagueRow, LeagueTable, current_season, league_table
from clubs.league.selectors.special_hands import MadeHand, made_hands, seated_hands, special_book
from clubs.models import (
    Club,
    Player,
    PlayerKind,
    Season,
    Session,
    SessionSeat,
    SessionState,
    ShownAs,
)
from clubs.models.names import EVERYBODY, Reader
from scoring.scorebook.models import Hand, went_out_for

Progress = Callable[[int, int], None]
Names = dict[int, str]


@dataclass(frozen=True, slots=True)
class BookEvening:
    """An evening of the season that was played."""

    session_id: int
    held_on: date
    rows: tuple[ResultRow, ...]

    @property
    def day(self) -> str:
        """``Tuesday 17 November 2026``."""
        return full_date(self.held_on)

    @property
    def tables(self) -> int:
        """How many tables there were."""
        return len({row.table for row in self.rows})

    @property
    def hands(self) -> int:
        """The hands of all tables; whoever sat out at a table of five has fewer."""
        tables = groupby(sorted(self.rows, key=lambda row: row.table), lambda row: row.table)
        return sum(max(row.hands for row in rows) for _, rows in tables)

    @property
    def first(self) -> tuple[str, ...]:
        """Who came first."""
        return tuple(row.name for row in self.rows if row.place == 1)


@dataclass(frozen=True, slots=True)
class Record:
    """The most of something: whose it is, how much, and when (empty: in the whole season)."""

    title: str
    names: tuple[str, ...]
    figure: str
    when: str = ""


@dataclass(frozen=True, slots=True)
class Yearbook:
    """Everything that a season's book holds.

    ``best`` is the highest hand with its tiles, where they were told. ``unnamed`` members would
    rather not be on a list.
    """

    club: str
    league: str
    season: str
    starts_on: date
    ends_on: date
    table: LeagueTable
    evenings: tuple[BookEvening, ...]
    records: tuple[Record, ...]
    best: MadeHand | None
    special: tuple[MadeHand, ...]
    members: tuple[str, ...]
    unnamed: int


def yearbook_of(season: Season, *, progress: Progress) -> Yearbook:
    """The book of a season; ten queries and one an evening. ``progress`` counts the evenings."""
    played = season.sessions.filter(places__seat__hands__gt=0).distinct().order_by("held_on")
    evenings = tuple(_evenings(list(played), progress))
    highest = _highest(season, evenings)
    told = {evening.session_id for evening in evenings}
    club = season.league.club
    people = Player.objects.filter(
        club=club, kind=PlayerKind.MEMBER, is_active=True, erased_on=None
    ).exclude(shown_as=ShownAs.HIDDEN)
    members = names_of(people, EVERYBODY)
    return Yearbook(
        club=club.name,
        league=season.league.name,
        season=season.name,
        starts_on=season.starts_on,
        ends_on=season.ends_on,
        table=league_table(season),
        evenings=evenings,
        records=tuple(_records(season, evenings, highest)),
        best=next((hand for hand in highest if hand.tiles), None),
        special=tuple(
            hand for hand in reversed(special_book(club).hands) if hand.session_id in told
        ),
        members=tuple(members[player.pk] for player in people),
        unnamed=club.players.filter(
            kind=PlayerKind.MEMBER, is_active=True, erased_on=None, shown_as=ShownAs.HIDDEN
        ).count(),
    )


def _evenings(sessions: list[Session], progress: Progress) -> Iterator[BookEvening]:
    for done, session in enumerate(sessions, start=1):
        rows = tuple(row for row in result_of(session) if row.hands)
        yield BookEvening(session.pk, session.held_on, rows)
        progress(done, len(sessions) + 1)


def _highest(season: Season, evenings: Iterable[BookEvening]) -> tuple[MadeHand, ...]:
    """The Mah-Jongs of the highest score, the first of them first; empty before any."""
    rows = [row for evening in evenings for row in evening.rows]
    best = max((row.best_hand for row in rows), default=0)
    if not best:
        return ()
    hands = seated_hands(game__session_table__session__season=season).order_by("day", "number")
    return made_hands(hands.filter(went_out_for(best), seat=F("winner")), EVERYBODY)


def _records(
    season: Season, evenings: tuple[BookEvening, ...], highest: tuple[MadeHand, ...]
) -> Iterator[Record]:
    if not evenings:
        return
    sat = [(evening, row) for evening in evenings for row in evening.rows]
    people = Player.objects.filter(places__session__season=season).distinct()
    names = names_of(people, EVERYBODY)
    if highest:
        who = tuple(dict.fromkeys(hand.name for hand in highest))
        yield Record("Highest hand", who, f"{highest[0].score:,} points", _days(highest))
    mahjongs, came = Counter[int](), Counter[int]()
    for _, row in sat:
        mahjongs[row.player_id] += row.mahjongs
        came[row.player_id] += 1
    yield from _most("Most Mah-Jongs", mahjongs, names, "Mah-Jongs")
    yield from _on_one_evening(sat, names)
    yield from _longest_run(season, names)
    yield from _most("Most evenings", came, names, "evenings")
    fullest = max(evenings, key=lambda evening: len(evening.rows))
    yield Record("Fullest evening", (), f"{len(fullest.rows)} players", fullest.day)


def _days(hands: Iterable[MadeHand]) -> str:
    days = dict.fromkeys(f"{long_date(hand.day)}, {hand.where}" for hand in hands)
    first, *others = days
    return f"{first}, and {len(others)} more" if others else first


def _most(title: str, counted: Counter[int], names: Names, word: str) -> Iterator[Record]:
    most = max(counted.values(), default=0)
    if most:
        who = sorted(names[player] for player, count in counted.items() if count == most)
        yield Record(title, tuple(who), f"{most} {word if most > 1 else word.removesuffix('s')}")


def _on_one_evening(sat: list[tuple[BookEvening, ResultRow]], names: Names) -> Iterator[Record]:
    evening, row = max(sat, key=lambda one: one[1].mahjongs)
    if row.mahjongs > 1:
        figure = f"{row.mahjongs} Mah-Jongs"
        yield Record("Most Mah-Jongs on one evening", (names[row.player_id],), figure, evening.day)
    evening, row = max(sat, key=lambda one: one[1].points)
    sign = "+" if row.pays and row.points > 0 else ""
    title = "Best evening"
    yield Record(title, (names[row.player_id],), f"{sign}{row.points:,}", evening.day)


def _longest_run(season: Season, names: Names) -> Iterator[Record]:
    """Hands of one table that one player won in a row; a drawn hand ends a run."""
    places = SessionSeat.objects.filter(session__season=season)
    columns = ("seat__game", "seat__number", "player", "session__held_on")
    sat = {(game, seat): (who, day) for game, seat, who, day in places.values_list(*columns)}
    hands = Hand.objects.filter(game__session_table__session__season=season, is_current=True)
    won = hands.order_by("game", "number").values_list("game", "winner")
    runs = [(len(list(run)), key) for key, run in groupby(won) if key in sat]
    length, key = max(runs, default=(0, (0, 0)), key=lambda run: run[0])
    if length > 1:
        player, day = sat[key]
        figure = f"{length} in a row"
        yield Record("Longest run of Mah-Jongs", (names[player],), figure, full_date(day))


LEADERS = 5


@dataclass(frozen=True, slots=True)
class FrontPage:
    """What the first page of a club shows; None for what there is not yet or may not be seen."""

    evening: EveningSummary | None
    last: EveningSummary | None
    season: Season | None
    heading: str
    leaders: tuple[LeagueRow, ...]
    members: int
    next: ClubDay | None = None


def front_page(
    club: Club, *, today: date, sees: VisibleParts, reader: Reader = EVERYBODY
) -> FrontPage:
    """The first page of the club on that day, with the parts that its reader sees.

    Of several open evenings the nearest counts.
    """
    evenings = evenings_of(club) if sees.results else Session.objects.none()
    closed = SessionState.CLOSED
    nearest = sorted(evenings.exclude(state=closed), key=lambda row: abs(row.held_on - today))[:1]
    shown = summaries([*nearest, *evenings.filter(state=closed)[:1]], reader=reader)
    season = current_season(club) if sees.league else None
    table = league_table(season, reader=reader) if season else None
    return FrontPage(
        evening=next((row for row in shown if row.state != closed), None),
        last=next((row for row in shown if row.state == closed), None),
        season=season,
        heading=table.heading if table else "",
        leaders=table.ranked[:LEADERS] if table else (),
        next=club_year(club, today).next if sees.calendar and not shown else None,
        members=club.players.filter(is_active=True, kind="member").count(),
    )
