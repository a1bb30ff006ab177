"""Evenings: the list of them, the tables with who sits there, and the result."""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import Count, Max, Prefetch, Q, QuerySet
from django.shortcuts import get_object_or_404

from clubs.core.people_names import names_of, person_of
from clubs.language.moments import full_date, weekday_and_date
from clubs.league.selectors.seasons import LeagueRow, league_table
from clubs.models import (
    EARLIER_GAME_OFFSET,
    Club,
    Session,
    SessionSeat,
    SessionState,
    SessionTable,
    counting_evenings,
)
from clubs.models.names import (
    ORGANISER_READER,
    PUBLIC_READER,
    TABLE_READER,
    Person,
    Reader,
    shown_names,
    surname_key,
)
from clubs.seats.selectors import GamePlace, names_of_players, places_of, player_evenings
from clubs.table.rankings import RankedRow, Ranking, ranked_row
from clubs.table.rows import LinkedTable, PersonIds, TableView, points_text, table_title
from clubs.tenancy import club_scope
from scoring.scorebook.models import Hand, HandState
from scoring.scorebook.prepared import PreparedQuery
from scoring.scorebook.selectors import OUTCOME_FIELDS, game_view, game_views, starting_winds


@dataclass(frozen=True, slots=True)
class PlaceRow:
    """A named seat with its points so far and its starting wind."""

    seat: int
    wind: str
    player_id: int
    name: str
    points: int


@dataclass(frozen=True, slots=True)
class TableSummary:
    """One table at a glance."""

    number: int
    game_id: int
    link_key: str
    places: tuple[PlaceRow, ...]
    hands: int
    disputed_hands: tuple[int, ...]
    is_closed: bool


@dataclass(frozen=True, slots=True)
class ResultRow:
    """One player's evening; place is null for someone who has not played a hand.

    ``pays``: points are payments between the players.
    """

    place: int | None
    is_tied: bool
    player_id: int
    name: str
    table: int
    points: int
    hands: int
    mahjongs: int
    best_hand: int
    pays: bool


@dataclass(frozen=True, slots=True)
class EveningSummary:
    """An evening in the list.

    ``best``: who has the most points, once hands are in; ``pays``: points are payments between the
    players.
    """

    pk: int
    held_on: date
    state: SessionState
    cancel_reason: str
    version: int
    players: int
    tables: int
    best: tuple[str, ...]
    points: int
    pays: bool


def evenings_of(club: Club) -> QuerySet[Session]:
    return (
        Session.objects.filter(club=club)
        .annotate(
            players=Count("attendances", distinct=True),
            seated=Count("tables", filter=Q(tables__number__lt=EARLIER_GAME_OFFSET), distinct=True),
        )
        .order_by("-held_on", "-pk")
    )


def unfinished_evening(club: Club, today: date) -> Session | None:
    """The evening of ``evenings_of`` that is not finished; of several, the nearest to the day."""
    evenings = evenings_of(club).filter(state__in=(SessionState.ARRIVING, SessionState.PLAYING))
    return min(evenings, key=lambda session: abs(session.held_on - today), default=None)


def evening_on(club: Club, day: date) -> Session | None:
    """The evening of that day, if there is one that is not cancelled; one query."""
    return Session.objects.filter(counting_evenings(), club=club, held_on=day).first()


def evening_of(club: Club, pk: int) -> Session:
    """The club's evening with its club, season and book; raises ``Http404``."""
    sessions = Session.objects.select_related("club", "season", "book")
    return get_object_or_404(sessions, club=club, pk=pk)


def evening_summaries(
    sessions: Iterable[Session], *, reader: Reader = PUBLIC_READER
) -> tuple[EveningSummary, ...]:
    """Evenings from ``evenings_of`` as rows of a list; one query for all of them."""
    sessions = list(sessions)
    places: dict[int, list[GamePlace]] = defaultdict(list)
    for place in places_of(SessionSeat.objects.filter(session__in=sessions, seat__hands__gt=0)):
        places[place.session].append(place)
    rows = []
    for session in sessions:
        sittings = player_evenings(places[session.pk])
        most = max((sitting.points for sitting in sittings), default=0)
        won = {sitting.player_id for sitting in sittings if sitting.points == most}
        best = names_of_players(
            (place for place in places[session.pk] if place.player in won), reader
        )
        rows.append(
            EveningSummary(
                pk=session.pk,
                held_on=session.held_on,
                state=SessionState(session.state),
                cancel_reason=session.cancel_reason,
                version=session.version,
                players=session.players,  # type: ignore[attr-defined]
                tables=session.seated,  # type: ignore[attr-defined]
                best=tuple(sorted(best.values())),
                points=most,
                pays=all(sitting.pays for sitting in sittings),
            )
        )
    return tuple(rows)


def hands_of(session: Session) -> int:
    """How many hands the evening has; one query."""
    return Hand.objects.filter(game__session_table__session=session, is_current=True).count()


def may_be_published(session: Session) -> bool:
    """Whether the first evening of a new club has ended and nobody outside can see it.

    One query for a new club that publishes nothing, else none: a later evening does not ask again.
    """
    club = session.club
    if not club.shows_first_steps or club.publishes or club.rehearsal_of_id:
        return False
    return (
        not Session.objects.filter(counting_evenings(), club=club).exclude(pk=session.pk).exists()
    )


def table_numbers(session_id: int) -> list[int]:
    """The numbers of an evening's tables in their order; one query."""
    tables = SessionTable.objects.filter(session=session_id, number__lt=EARLIER_GAME_OFFSET)
    return list(tables.order_by("number").values_list("number", flat=True))


def early_warning(session: Session, today: date) -> str:
    """That the evening is for a later day than ``today``; empty if it is not, or is cancelled."""
    if session.is_cancelled or session.held_on <= today:
        return ""
    return f"This evening is for {full_date(session.held_on)}. Today is {full_date(today)}."


def state_of(session: Session) -> str:
    """The evening's state as a form carries it, to notice changes made meanwhile; one query."""
    now = Count("pk", filter=Q(is_current=True))
    seats = session.places.order_by().aggregate(last=Max("pk"), now=now)
    return _seating_state(session, seats["last"] or 0, seats["now"])


def state_from_places(session: Session, places: Sequence[GamePlace | SessionSeat]) -> str:
    """The same from the evening's places; no query."""
    last = max((place.pk for place in places), default=0)
    return _seating_state(session, last, sum(place.is_current for place in places))


def _seating_state(session: Session, last: int, now: int) -> str:
    return f"{evening_state(session)}-{last}-{now}"


def evening_state(session: Session) -> str:
    """The part of it that a form compares that finishes or reopens the evening."""
    return f"{session.state}.{session.times_closed}"


def disputed_hands(session: Session) -> list[str]:
    """``Table 2, hand 5`` for every hand of the evening that someone does not agree with."""
    hands = Hand.objects.filter(
        game__session_table__session=session, is_current=True, state=HandState.DISPUTED
    ).order_by("game__session_table__number", "number")
    return [
        f"Table {hand.game.session_table.table_number}, hand {hand.number_at_table},"
        for hand in hands.select_related("game__session_table")
    ]


def tables_by_game(session: Session) -> dict[int, tuple[int, str]]:
    """Number and title of the evening's tables and their earlier games; one query."""
    hand_count = Count("game__hands", filter=Q(game__hands__is_current=True))
    tables = session.tables.select_related("game").annotate(played=hand_count)
    return {
        table.game_id: (
            table.number,
            table_title(table.number, table.game.hands_before, table.played),
        )
        for table in tables
    }


def tables_with_hands(session: Session) -> list[SessionTable]:
    """The evening's tables with their places and current hands (``hands_at``); three queries."""
    hands = Hand.objects.filter(is_current=True).order_by("number")
    tables = session.tables.select_related("game").prefetch_related(
        Prefetch("places", SessionSeat.objects.select_related("player", "seat")),
        Prefetch(
            "game__hands",
            hands.only("game_id", "number", "state", "sent_at", *OUTCOME_FIELDS),
            to_attr="current_hands",
        ),
    )
    return list(tables)


def hands_at(table: SessionTable) -> list[Hand]:
    """The hands of a table of ``tables_with_hands``, in their order; no query."""
    hands: list[Hand] = table.game.current_hands  # type: ignore[attr-defined]
    return hands


def tables_of(session: Session, *, reader: Reader = PUBLIC_READER) -> tuple[TableSummary, ...]:
    """The evening's tables with their places; three queries however many there are."""
    tables = tables_with_hands(session)
    names = names_of((place.player for table in tables for place in table.places.all()), reader)
    summaries = []
    for table in tables:
        hands, winds = hands_at(table), starting_winds(table.game)
        places = tuple(
            PlaceRow(
                place.seat.number,
                str(winds.get(place.seat.number, "")),
                place.player_id,
                names[place.player_id],
                place.seat.points,
            )
            for place in table.places.all()
        )
        summaries.append(
            TableSummary(
                number=table.number,
                game_id=table.game_id,
                link_key=table.link_key,
                places=places,
                hands=len(hands),
                disputed_hands=tuple(
                    hand.number for hand in hands if hand.state == HandState.DISPUTED
                ),
                is_closed=table.game.is_closed,
            )
        )
    return tuple(summaries)


def tables_with_games() -> QuerySet[SessionTable]:
    return SessionTable.objects.select_related("session__club", "game")


def names_at(table: SessionTable) -> dict[int, str]:
    """Full names by seat; one query. For readers: ``view_of``."""
    return {seat: person.name for seat, person in _people_at(table).items()}


def shown_names_at(table: SessionTable, *, reader: Reader = TABLE_READER) -> dict[int, str]:
    """The names as the reader may see them; one query."""
    return _names_by_seat(_people_at(table), reader)


def _people_at(table: SessionTable) -> dict[int, Person]:
    return {
        seat: Person(key, name, shown_as, key)
        for seat, key, name, shown_as in _PEOPLE_AT_TABLE(table.pk, table.session.club_id)
    }


def _place_query(table: int, club: int) -> QuerySet[SessionSeat, Any]:
    columns = ("seat__number", "player", "player__name", "player__shown_as")
    with club_scope(club):
        places = SessionSeat.objects.filter(table=table)
        return places.order_by("seat__number").values_list(*columns)


_PEOPLE_AT_TABLE = PreparedQuery(_place_query, int, int)


def _names_by_seat(sitting: Mapping[int, Person], reader: Reader) -> dict[int, str]:
    names = shown_names(sitting.values(), reader)
    return {seat: names[person.key] for seat, person in sitting.items()}


def view_of(table: SessionTable, *, reader: Reader = TABLE_READER) -> TableView:
    """The table with its names and its game; three queries."""
    sitting, places = _people_at(table), _places_in_other_games(table)
    people = {person.key: person for person in sitting.values()}
    people |= {place.player_id: person_of(place.player) for place in places}
    names = shown_names(people.values(), reader)
    earlier_points, leavers = _points_won_before(table, sitting, places, names)
    return TableView(
        number=table.number,
        event=weekday_and_date(table.session.held_on),
        game=game_view(table.game),
        names={seat: names[person.key] for seat, person in sitting.items()},
        earlier_gains=earlier_points,
        leavers=leavers,
        ids={seat: PersonIds(person.key) for seat, person in sitting.items()},
    )


def _places_in_other_games(table: SessionTable) -> list[SessionSeat]:
    """Who sat in the evening's games that ended when someone joined or left.

    One query where the table had one; none before.
    """
    if table.game.continues_id is None:
        return []
    ended_places = SessionSeat.objects.filter(
        session=table.session_id, table__number__gt=EARLIER_GAME_OFFSET
    )
    return list(ended_places.select_related("table", "player", "seat"))


def _points_won_before(
    table: SessionTable,
    sitting: Mapping[int, Person],
    places: Sequence[SessionSeat],
    names: Mapping[int, str],
) -> tuple[dict[int, int], tuple[tuple[str, int], ...]]:
    """What was won at the table before someone joined or left: by seat, and by whoever has left."""
    if not places:
        return {}, ()
    won = ((place.table.number, place.player_id, place.seat.points) for place in places)
    points = _points_before(table.number, won)
    players_at_table = {person.key for person in sitting.values()}
    earlier_points = {seat: points[person.key] for seat, person in sitting.items()}
    return earlier_points, _departed_players(table.number, players_at_table, points, names)


def _departed_players(
    number: int,
    players_at_table: Container[int],
    points: Mapping[int, int],
    names: Mapping[int, str],
) -> tuple[tuple[str, int], ...]:
    """Who played at the table and has left it, by name; nobody has left a game that has ended."""
    if number > EARLIER_GAME_OFFSET:
        return ()
    leavers = (
        (names[player], won) for player, won in points.items() if player not in players_at_table
    )
    return tuple(sorted(leavers, key=lambda leaver: surname_key(leaver[0])))


def _points_before(number: int, places: Iterable[tuple[int, int, int]]) -> Counter[int]:
    """By player the points of these places (table, player, points) that came before at the table.

    Of the games that have ended at a table, the one with the lowest number came first.
    """
    points: Counter[int] = Counter()
    for table_number, player, won in places:
        is_before = number < EARLIER_GAME_OFFSET or table_number < number
        if (
            table_number > EARLIER_GAME_OFFSET
            and table_number % EARLIER_GAME_OFFSET == number % EARLIER_GAME_OFFSET
            and is_before
        ):
            points[player] += won
    return points


def linked_tables(session: Session, *, reader: Reader = TABLE_READER) -> tuple[LinkedTable, ...]:
    """Every table of the evening with its game and its link; four queries, however many."""
    tables = list(session.tables.select_related("game"))
    games = game_views([table.game for table in tables])
    places = list(session.places.select_related("player", "seat"))
    named_as = names_of((place.player for place in places), reader)
    numbers = {table.pk: table.number for table in tables}
    won = [(numbers[place.table_id], place.player_id, place.seat.points) for place in places]
    names: dict[int, dict[int, str]] = defaultdict(dict)
    earlier_points: dict[int, dict[int, int]] = defaultdict(dict)
    points = {table.pk: _points_before(table.number, won) for table in tables}
    places_at: dict[int, set[int]] = defaultdict(set)
    for place in places:
        places_at[place.table_id].add(place.player_id)
        names[place.table_id][place.seat.number] = named_as[place.player_id]
        earlier_points[place.table_id][place.seat.number] = points[place.table_id][place.player_id]
    return tuple(
        LinkedTable(
            table.link_key,
            TableView(
                table.number,
                weekday_and_date(session.held_on),
                names[table.pk],
                games[table.game_id],
                earlier_gains=earlier_points[table.pk],
                leavers=_departed_players(
                    table.number, places_at[table.pk], points[table.pk], named_as
                ),
            ),
        )
        for table in tables
    )


def tables_now(session: Session, *, reader: Reader = TABLE_READER) -> tuple[LinkedTable, ...]:
    """The same without games that ended because someone joined or left."""
    tables = linked_tables(session, reader=reader)
    return tuple(table for table in tables if table.view.number < EARLIER_GAME_OFFSET)


def result_of(session: Session, *, reader: Reader = PUBLIC_READER) -> tuple[ResultRow, ...]:
    """The evening's result, highest gain first, equal gains sharing a place; one query.

    Whoever has not played a hand comes last, without a place.
    """
    return result_from_places(places_of(session.places.all()), reader=reader)


def result_from_places(places: Sequence[GamePlace], *, reader: Reader) -> tuple[ResultRow, ...]:
    """The same from the evening's places; no query."""
    in_order = sorted(
        player_evenings(places),
        key=lambda sitting: (sitting.hands == 0, -sitting.points, sitting.name_key),
    )
    points = [sitting.points for sitting in in_order if sitting.hands]
    names = names_of_players(places, reader)
    return tuple(
        ResultRow(
            place=points.index(sitting.points) + 1 if sitting.hands else None,
            is_tied=sitting.hands > 0 and points.count(sitting.points) > 1,
            player_id=sitting.player_id,
            name=names[sitting.player_id],
            table=sitting.table,
            points=sitting.points,
            hands=sitting.hands,
            mahjongs=sitting.mahjongs,
            best_hand=sitting.best_hand,
            pays=sitting.pays,
        )
        for sitting in in_order
    )


def rankings_of(session: Session) -> tuple[Ranking, ...]:
    """For the scorer, names in full: the evening's result and the season's table; five queries."""

    def build_ranked_row(row: ResultRow | LeagueRow, total: str) -> RankedRow:
        return ranked_row(row.player_id, row.name, row.place, total, is_tied=row.is_tied)

    result = result_of(session, reader=ORGANISER_READER)
    evening = tuple(build_ranked_row(row, points_text(row.points, pays=row.pays)) for row in result)
    rankings = [Ranking("This evening", ("Total",), evening)]
    if session.season:
        table = league_table(session.season, reader=ORGANISER_READER)
        league = tuple(
            build_ranked_row(row, points_text(row.counts, pays=row.is_signed)) for row in table.rows
        )
        rankings.append(Ranking(f"The league, {table.title}", (table.heading,), league))
    return tuple(rankings)
