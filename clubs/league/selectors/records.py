"""A season's book, special hands and records, and the club's front page."""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from itertools import groupby
from operator import or_
from typing import Annotated, Any

from django.db.models import F, Func, Q, QuerySet, TextField
from django.db.models.functions import Cast

from clubs import models
from clubs.core.people_names import names_of
from clubs.core.permissions import VisibleParts
from clubs.evenings.selectors.calendar import ClubDay, club_year
from clubs.evenings.selectors.evenings import (
    EveningSummary,
    ResultRow,
    evening_summaries,
    evenings_of,
    result_of,
    unfinished_evening,
)
from clubs.language.moments import full_date, long_date
from clubs.language.spreadsheets import Cell, csv_file
from clubs.league.selectors.seasons import LeagueRow, LeagueTable, current_season, league_table
from clubs.models.names import PUBLIC_READER, Person, Reader, shown_names, surname_key
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import (
    SEAT_NUMBERS,
    Hand,
    HandState,
    hands_played_before,
    mahjong_of_score,
)

JsonObject = Mapping[str, Any]
TileSets = tuple[tuple[str, ...], ...]
TABLE_LOOKUP = "game__session_table"
PLACE_LOOKUP = f"{TABLE_LOOKUP}__places"
LIMIT_HAND = "Limit hand"
MAX_HOLDERS_NAMED = 6  # of those who share a record

# In the form that both databases store; keys are seats, which SQLite would read as indexes.
SPECIAL_IN_LINES = '"special": "'

ProgressCallback = Callable[[int, int], None]
NamesById = dict[int, str]
MAX_LEADERS = 5
SPECIAL_HAND_HEADINGS = ("Hand", "Player", "Date", "Table", "Number", "Points", "Tiles", "Disputed")


class WinnersSpecial(Func):
    """The key of the special hand that a hand's winner made, NULL if there is none.

    Players who were only fishing for one do not count. No other part of the stored lines is read.
    """

    output_field = TextField()

    def __init__(self) -> None:
        super().__init__(F("lines"), F("winner"))

    def as_postgresql(self, compiler: Any, connection: Any, **options: Any) -> Any:
        """``lines -> '2' ->> 'special'``."""
        template = "(%(expressions)s::text ->> 'special')"
        return self.as_sql(compiler, connection, template=template, arg_joiner=" -> ", **options)

    def as_sqlite(self, compiler: Any, connection: Any, **options: Any) -> Any:
        """``JSON_EXTRACT(lines, '$."2".special')``: a number in quotes is not a list index."""
        template = "JSON_EXTRACT(%(expressions)s || '\".special')"
        separator = ", '$.\"' || "
        return self.as_sql(compiler, connection, template=template, arg_joiner=separator, **options)


def tiles_of(report: JsonObject, lines: JsonObject, seat: int) -> TileSets:
    """The sets of a seat as they were scored, then its flowers and seasons, as tile codes.

    Empty if only the total was entered.
    """
    tiles, seat_lines = report.get("tiles", {}).get(str(seat), {}), lines.get(str(seat), {})
    in_hand = seat_lines.get("arrangement") or [{"tiles": tiles.get("concealed", [])}]
    groups = (*tiles.get("sets", []), *in_hand, {"tiles": tiles.get("bonus", [])})
    return tuple(tuple(group["tiles"]) for group in groups if group["tiles"])


def special_name(lines: JsonObject, seat: int, rules: str) -> str:
    """The name of a seat's special hand under these rules; empty if it is none."""
    key = lines.get(str(seat), {}).get("special")
    return special_names(rules).get(key, str(key).replace("_", " ").capitalize()) if key else ""


def special_names(rules: str) -> Mapping[str, str]:
    """The special hands of the rules with that key, by their own keys, in the book's order."""
    book = rule_set(rules)
    doubled_names = {hand.key: hand.name for hand in book.doubled_hands}
    return doubled_names | {hand.key: hand.name for hand in book.specials}


@dataclass(frozen=True, slots=True)
class MadeHand:
    """A hand that someone made at a club evening.

    ``special`` is its name, empty for none. There are no tiles if only the total was entered.
    """

    player_id: int
    name: str
    session_id: int
    day: date
    table: int
    number: int
    score: int
    special: str
    tiles: TileSets
    is_disputed: bool
    is_at_limit: bool

    @property
    def title(self) -> str:
        """Its name in the rules; else what it is."""
        return self.special or (LIMIT_HAND if self.is_at_limit else "Mah-Jong")

    @property
    def points(self) -> str:
        """``1,000 points, the limit``."""
        return f"{self.score:,} points{', the limit' if self.is_at_limit else ''}"

    @property
    def location(self) -> str:
        return f"table {self.table}, hand {self.number}"


def seated_hands(**lookup: Any) -> QuerySet[Any]:
    """The current hands that count, once for each seat of their table, with player and date."""
    return Hand.objects.filter(
        models.counting_evenings(f"{TABLE_LOOKUP}__session__"), **lookup, is_current=True
    ).annotate(
        seat=F(f"{PLACE_LOOKUP}__seat__number"),
        player=F(f"{PLACE_LOOKUP}__player"),
        name=F(f"{PLACE_LOOKUP}__player__name"),
        shown_as=F(f"{PLACE_LOOKUP}__player__shown_as"),
        session=F(f"{TABLE_LOOKUP}__session"),
        day=F(f"{TABLE_LOOKUP}__session__held_on"),
        table=F(f"{TABLE_LOOKUP}__number"),
        rules=F("game__rules"),
        opening=F("game__opening"),
    )


def made_hands(hands: Iterable[Any], reader: Reader) -> tuple[MadeHand, ...]:
    """The ``seated_hands`` in which the seat scored, with names as shown to the reader."""
    rows = list(hands)
    people = (Person(row.player, row.name, row.shown_as, row.player) for row in rows)
    names = shown_names(people, reader)
    return tuple(
        MadeHand(
            player_id=hand.player,
            name=names[hand.player],
            session_id=hand.session,
            day=hand.day,
            table=hand.table % models.EARLIER_GAME_OFFSET,
            number=hand.number + hands_played_before(hand.opening),
            score=hand.scores[hand.seat],
            special=special_name(hand.lines, hand.seat, hand.rules),
            tiles=tiles_of(hand.report, hand.lines, hand.seat),
            is_disputed=hand.state == HandState.DISPUTED,
            is_at_limit=hand.limit is not None and hand.scores[hand.seat] >= hand.limit,
        )
        for hand in rows
    )


def best_hand_of(player: models.Player, score: int) -> MadeHand | None:
    """The player's first Mah-Jong with that score, preferably with tiles; one query, none for 0."""
    if not score:
        return None
    club = {f"{TABLE_LOOKUP}__session__club": player.club_id}
    mahjong_hands = seated_hands(**club).filter(
        mahjong_of_score(score), seat=F("winner"), player=player.pk
    )
    hands = mahjong_hands.order_by("day", "number")
    return min(made_hands(hands, PUBLIC_READER), key=lambda hand: not hand.tiles, default=None)


@dataclass(frozen=True, slots=True)
class HandCount:
    """A hand of the rules, and how often it was made."""

    title: str
    times: int
    names: tuple[str, ...]
    last_on: date


@dataclass(frozen=True, slots=True)
class SpecialBook:
    """The special hands that have been made, and those still to be made.

    ``hands`` are the newest first, and include limit hands without a name; those come last in
    ``hand_counts``.
    """

    rules: str
    hands: tuple[MadeHand, ...]
    hand_counts: Annotated[tuple[HandCount, ...], "the most often made first"]
    waiting: Annotated[tuple[str, ...], "not made by anyone yet"]


def likely_special_hands(club: models.Club) -> QuerySet[Any]:
    """The winning hands that may be special, newest first, by their lines or their score."""
    at_limit = reduce(
        or_, (Q(winner=seat, **{f"score_{seat}__gte": F("limit")}) for seat in SEAT_NUMBERS)
    )
    won = seated_hands(**{f"{TABLE_LOOKUP}__session__club": club}).filter(seat=F("winner"))
    likely: QuerySet[Any] = won.annotate(lines_text=Cast("lines", TextField())).filter(
        at_limit | Q(lines_text__contains=SPECIAL_IN_LINES)
    )
    return likely.order_by("-day", "-table", "-number")


def special_hands(likely: QuerySet[Any], *, reader: Reader) -> tuple[MadeHand, ...]:
    """Those that are special or at the limit; one query.

    Any seat's lines may have matched, and fishing for a special hand does not count.
    """
    hands = (
        hand
        for hand in likely
        if hand.lines.get(str(hand.winner), {}).get("special")
        or (hand.limit is not None and hand.scores[hand.winner] >= hand.limit)
    )
    return made_hands(hands, reader)


def special_book(club: models.Club, *, reader: Reader = PUBLIC_READER) -> SpecialBook:
    """The whole book, from the current score book with corrections; one query."""
    hands = special_hands(likely_special_hands(club), reader=reader)
    hand_counts = _count_hands(hands)
    titles = {count.title for count in hand_counts}
    return SpecialBook(
        rules=rule_set(club.rules).name,
        hands=hands,
        hand_counts=hand_counts,
        waiting=tuple(title for title in special_names(club.rules).values() if title not in titles),
    )


def _count_hands(hands: Sequence[MadeHand]) -> tuple[HandCount, ...]:
    hands_by_title: dict[str, list[MadeHand]] = defaultdict(list)
    for hand in hands:
        hands_by_title[hand.title].append(hand)
    counts = [
        HandCount(
            title,
            len(title_hands),
            tuple(dict.fromkeys(hand.name for hand in title_hands)),
            title_hands[0].day,
        )
        for title, title_hands in hands_by_title.items()
    ]
    return tuple(
        sorted(counts, key=lambda count: (count.title == LIMIT_HAND, -count.times, count.title))
    )


@dataclass(frozen=True, slots=True)
class BookEvening:
    session_id: int
    held_on: date
    rows: tuple[ResultRow, ...]

    @property
    def day(self) -> str:
        return full_date(self.held_on)

    @property
    def tables(self) -> int:
        return len({row.table for row in self.rows})

    @property
    def hands(self) -> int:
        """The hands of all tables; at a table of five a player sits some out."""
        tables = groupby(sorted(self.rows, key=lambda row: row.table), lambda row: row.table)
        return sum(max(row.hands for row in rows) for _, rows in tables)

    @property
    def first(self) -> tuple[str, ...]:
        return tuple(row.name for row in self.rows if row.place == 1)


@dataclass(frozen=True, slots=True)
class BookRecord:
    """A record: who holds it, the figure, and when (empty: over the whole season)."""

    title: str
    names: tuple[str, ...]
    figure: str
    date_text: str = ""


@dataclass(frozen=True, slots=True)
class Yearbook:
    """The content of a season's book.

    ``best`` is the highest hand with its tiles, if they were entered. ``unnamed_count`` counts
    members who prefer not to be listed.
    """

    club: str
    league: str
    season: str
    starts_on: date
    ends_on: date
    table: LeagueTable
    evenings: tuple[BookEvening, ...]
    records: tuple[BookRecord, ...]
    best: MadeHand | None
    special: tuple[MadeHand, ...]
    members: tuple[str, ...]
    unnamed_count: int


def yearbook_of(season: models.Season, *, progress: ProgressCallback) -> Yearbook:
    """The book of a season; ten queries and one per evening. ``progress`` counts the evenings."""
    played_sessions = (
        season.sessions.filter(models.counting_evenings(), places__seat__hands__gt=0)
        .distinct()
        .order_by("held_on")
    )
    sessions = list(played_sessions)
    evenings: list[BookEvening] = []
    for evenings_done, session in enumerate(sessions, start=1):
        rows = tuple(row for row in result_of(session) if row.hands)
        evenings.append(BookEvening(session.pk, session.held_on, rows))
        progress(evenings_done, len(sessions) + 1)
    highest = _highest_hands(season, evenings)
    played_ids = {evening.session_id for evening in evenings}
    club = season.league.club
    active = club.players.filter(kind=models.PlayerKind.MEMBER, is_active=True, erased_on=None)
    people = active.exclude(shown_as=models.ShownAs.HIDDEN)
    members = names_of(people, PUBLIC_READER)
    return Yearbook(
        club=club.name,
        league=season.league.name,
        season=season.name,
        starts_on=season.starts_on,
        ends_on=season.ends_on,
        table=league_table(season),
        evenings=tuple(evenings),
        records=tuple(_season_records(season, evenings, highest)),
        best=next((hand for hand in highest if hand.tiles), None),
        special=tuple(
            hand for hand in reversed(special_book(club).hands) if hand.session_id in played_ids
        ),
        members=tuple(sorted(members.values(), key=surname_key)),
        unnamed_count=active.filter(shown_as=models.ShownAs.HIDDEN).count(),
    )


def _highest_hands(season: models.Season, evenings: Iterable[BookEvening]) -> tuple[MadeHand, ...]:
    """The Mah-Jongs with the highest score, earliest first; empty if there are none."""
    rows = [row for evening in evenings for row in evening.rows]
    best = max((row.best_hand for row in rows), default=0)
    if not best:
        return ()
    hands = seated_hands(game__session_table__session__season=season).order_by("day", "number")
    return made_hands(hands.filter(mahjong_of_score(best), seat=F("winner")), PUBLIC_READER)


def _season_records(
    season: models.Season, evenings: Sequence[BookEvening], highest: tuple[MadeHand, ...]
) -> Iterator[BookRecord]:
    if not evenings:
        return
    evening_rows = [(evening, row) for evening in evenings for row in evening.rows]
    people = models.Player.objects.filter(places__session__season=season).distinct()
    names = names_of(people, PUBLIC_READER)
    if highest:
        holders = tuple(dict.fromkeys(hand.name for hand in highest))
        first, *other_days = dict.fromkeys(
            f"{long_date(hand.day)}, {hand.location}" for hand in highest
        )
        days = f"{first}, and {len(other_days)} more" if other_days else first
        yield BookRecord("Highest hand", holders, f"{highest[0].score:,} points", days)
    mahjongs, came = Counter[int](), Counter[int]()
    for _, row in evening_rows:
        mahjongs[row.player_id] += row.mahjongs
        came[row.player_id] += 1
    yield from _most_records("Most Mah-Jongs", mahjongs, names, "Mah-Jongs")
    evening, row = max(evening_rows, key=lambda pair: pair[1].mahjongs)
    if row.mahjongs > 1:
        title, figure = "Most Mah-Jongs on one evening", f"{row.mahjongs} Mah-Jongs"
        yield BookRecord(title, (names[row.player_id],), figure, evening.day)
    evening, row = max(evening_rows, key=lambda pair: pair[1].points)
    sign = "+" if row.pays and row.points > 0 else ""
    yield BookRecord("Best evening", (names[row.player_id],), f"{sign}{row.points:,}", evening.day)
    yield from _longest_run(season, names)
    yield from _most_records("Most evenings", came, names, "evenings")
    fullest = max(evenings, key=lambda evening: len(evening.rows))
    yield BookRecord("Fullest evening", (), f"{len(fullest.rows)} players", fullest.day)


def _most_records(
    title: str, counts: Counter[int], names: NamesById, word: str
) -> Iterator[BookRecord]:
    most = max(counts.values(), default=0)
    if most:
        those = (names[player] for player, count in counts.items() if count == most)
        holder_names = sorted(those, key=surname_key)
        holders = (
            holder_names
            if len(holder_names) <= MAX_HOLDERS_NAMED
            else [f"{len(holder_names)} players"]
        )
        yield BookRecord(
            title, tuple(holders), f"{most} {word if most > 1 else word.removesuffix('s')}"
        )


def _longest_run(season: models.Season, names: NamesById) -> Iterator[BookRecord]:
    """Consecutive hands of one table won by one player; a drawn hand ends a run."""
    places = models.SessionSeat.objects.filter(
        models.counting_evenings("session__"), session__season=season
    )
    columns = ("seat__game", "seat__number", "player", "session__held_on")
    sitters = {
        (game, seat): (player_id, day)
        for game, seat, player_id, day in places.values_list(*columns)
    }
    hands = Hand.objects.filter(game__session_table__session__season=season, is_current=True)
    won = hands.order_by("game", "number").values_list("game", "winner")
    runs = [(len(list(group)), key) for key, group in groupby(won) if key in sitters]
    length, key = max(runs, default=(0, (0, 0)), key=lambda group: group[0])
    if length > 1:
        player, day = sitters[key]
        figure = f"{length} in a row"
        yield BookRecord("Longest run of Mah-Jongs", (names[player],), figure, full_date(day))


@dataclass(frozen=True, slots=True)
class FrontPage:
    """The content of a club's first page; None for what does not exist or may not be seen."""

    evening: EveningSummary | None
    last: EveningSummary | None
    season: models.Season | None
    heading: str
    leaders: tuple[LeagueRow, ...]
    members: int
    next: ClubDay | None = None
    provisional: str = ""


def front_page(
    club: models.Club, *, today: date, sees: VisibleParts, reader: Reader = PUBLIC_READER
) -> FrontPage:
    """The club's first page on that day, with the parts that its reader may see.

    If several evenings are open, shows the nearest.
    """
    evenings = (
        evenings_of(club).filter(models.counting_evenings())
        if sees.results
        else models.Session.objects.none()
    )
    closed_state = models.SessionState.CLOSED
    nearest = unfinished_evening(club, today) if sees.results else None
    summaries = evening_summaries(
        [*filter(None, [nearest]), *evenings.filter(state=closed_state)[:1]], reader=reader
    )
    season = current_season(club) if sees.league else None
    table = league_table(season, reader=reader) if season else None
    return FrontPage(
        evening=next((row for row in summaries if row.state != closed_state), None),
        last=next((row for row in summaries if row.state == closed_state), None),
        season=season,
        heading=table.heading if table else "",
        leaders=table.ranked_rows[:MAX_LEADERS] if table else (),
        next=club_year(club, today).next if sees.calendar and not summaries else None,
        members=club.players.filter(is_active=True, kind="member").count(),
        provisional=table.provisional if table else "",
    )


def special_hands_csv(book: SpecialBook) -> bytes:
    """One line per hand, newest first, in the encoding that spreadsheets read as UTF-8.

    Tiles are codes, set by set; empty if only the total was entered.
    """
    lines: list[tuple[Cell, ...]] = [SPECIAL_HAND_HEADINGS]
    for hand in book.hands:
        title_and_name = (hand.title, hand.name)
        figures = (hand.day, hand.table, hand.number, hand.score)
        tiles = "; ".join(" ".join(group) for group in hand.tiles)
        lines.append((*title_and_name, *figures, tiles, hand.is_disputed))
    return csv_file(lines)
