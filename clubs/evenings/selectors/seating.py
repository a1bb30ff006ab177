"""What the seating of an evening takes into account: preferences and earlier evenings."""

from collections import Counter, defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Annotated, NamedTuple

from django.db.models import Q, QuerySet

from clubs.core.people_names import names_of
from clubs.language.moments import day_and_month
from clubs.language.words import count_words
from clubs.models import (
    EARLIER_GAME_OFFSET,
    Attendance,
    Club,
    Session,
    SessionSeat,
    Wish,
    counting_evenings,
)
from clubs.models.names import PUBLIC_READER, Reader, surname_key
from clubs.seating import PlannedTable, Round, SeatingRemark, history
from clubs.seating.request import SEATS
from clubs.seating.why import join_with_and, times_in_words
from clubs.seating.wishes import SeatingWish, splits_of, wish_outcomes, wish_sentence
from clubs.seats.selectors import (
    PersonalSeating,
    SeatingExplanation,
    explain_seating,
    personal_seating,
)
from scoring.scorebook.editions import rule_set

ALWAYS_REMEMBERED = 4  # the last evenings are remembered whatever their season
MAX_EVENINGS_READ = 100
SEAT_COLUMNS = ("session_id", "table__number", "player_id", "seat__hands")
PERIOD_WITHOUT_SEASON = timedelta(days=365)
SIZE_NAMES = {2: "two", 3: "three", 4: "four", 5: "five"}
MAX_PAIRS_NAMED = 4
MAX_DAYS_NAMED = 6


@dataclass(frozen=True, slots=True)
class EarlierEvening:
    """An earlier evening and its tables; players by their ids, as text."""

    held_on: date
    evening: history.PastEvening
    is_of_season: bool


@dataclass(frozen=True, slots=True)
class SeatingMemory:
    """The evenings before this one, earliest first; words: the time over which turns count."""

    nights: tuple[EarlierEvening, ...]
    period: str = "this season"

    @property
    def season(self) -> list[history.PastEvening]:
        return [night.evening for night in self.nights if night.is_of_season]

    @property
    def past_evenings(self) -> list[history.PastEvening]:
        return [night.evening for night in self.nights]

    @property
    def meeting_dates(self) -> dict[frozenset[str], tuple[date, ...]]:
        """On which evenings each pair shared a table."""
        nights: dict[frozenset[str], list[date]] = defaultdict(list)
        for night in self.nights:
            for pair in night.evening.pairs:
                nights[pair].append(night.held_on)
        return {pair: tuple(days) for pair, days in nights.items()}


def seating_memory(session: Session) -> SeatingMemory:
    """The earlier evenings that the seating takes into account; three queries."""
    earlier_evenings = Session.objects.filter(
        counting_evenings(), club_id=session.club_id, held_on__lt=session.held_on
    )
    recent = earlier_evenings.order_by("-held_on").values_list("pk", "held_on", "season_id")[
        :MAX_EVENINGS_READ
    ]
    a_year_before = session.held_on - PERIOD_WITHOUT_SEASON
    days = {
        pk: (held_on, season == session.season_id if session.season_id else held_on > a_year_before)
        for pk, held_on, season in recent
    }
    seats = SessionSeat.objects.filter(session__in=days).order_by("pk")
    places_by_evening: dict[int, list[PlayedPlace]] = defaultdict(list)
    for pk, *columns in seats.values_list(*SEAT_COLUMNS):
        places_by_evening[pk].append(PlayedPlace(*columns))
    had_a_seat = {
        (pk, place.player) for pk, places in places_by_evening.items() for place in places
    }
    sitting_out: dict[int, list[str]] = defaultdict(list)
    attendances = Attendance.objects.filter(session__in=places_by_evening).values_list(
        "session_id", "player_id"
    )
    for pk, player in attendances:
        if (pk, player) not in had_a_seat:
            sitting_out[pk].append(str(player))
    seated_evenings = [pk for pk in days if pk in places_by_evening]  # the last first
    remembered_evenings = [
        pk for index, pk in enumerate(seated_evenings) if index < ALWAYS_REMEMBERED or days[pk][1]
    ]
    nights = []
    for pk in reversed(remembered_evenings):
        held_on, is_of_season = days[pk]
        nights.append(
            EarlierEvening(
                held_on, _past_evening(places_by_evening[pk], sitting_out[pk]), is_of_season
            )
        )
    return SeatingMemory(tuple(nights), "this season" if session.season_id else "in the last year")


class PlayedPlace(NamedTuple):
    """A player's place at one game of a table; ``table`` as ``SessionTable.number``."""

    table: int
    player: int
    hands: int


def _past_evening(places: Sequence[PlayedPlace], sitting_out: Sequence[str]) -> history.PastEvening:
    """Who shared a table in any of its games.

    A game that nobody began after a change of people joins nobody. A table without any hand does:
    its scores may have been kept on paper.
    """
    games: dict[int, list[PlayedPlace]] = defaultdict(list)
    for place in places:
        games[place.table].append(place)
    changed_tables = {
        number % EARLIER_GAME_OFFSET for number in games if number > EARLIER_GAME_OFFSET
    }
    played_games = [
        game
        for number, game in games.items()
        if number not in changed_tables or any(place.hands for place in game)
    ]
    stays: dict[str, tuple[int, int, int]] = {}
    for index, game in enumerate(played_games):
        stay = (max(place.hands for place in game), index, len(game))
        for place in game:
            stays[str(place.player)] = max(stay, stays.get(str(place.player), stay))
    tables = tuple(tuple(str(place.player) for place in game) for game in played_games)
    sizes = {player: size for player, (*_, size) in stays.items()}
    return history.PastEvening(tables, tuple(sitting_out), sizes)


@dataclass(frozen=True, slots=True)
class WishRow:
    """A seating preference, as a sentence."""

    pk: int
    kind: Annotated[str, "apart, together, helper or table"]
    text: str
    until: Annotated[date | None, "null: until it is deleted"]
    reason: str
    is_over: bool


@dataclass(frozen=True, slots=True)
class Preferences:
    """The preferences that apply on a day, and the names of their players by id, as text."""

    wishes: tuple[SeatingWish, ...]
    names: Mapping[str, str]


def seating_wish(wish: Wish) -> SeatingWish:
    other_player = str(wish.other_id) if wish.other_id else ""
    return SeatingWish(wish.kind, str(wish.player_id), other_player, wish.table or 0)


def wishes_on(club_id: int, day: date) -> QuerySet[Wish]:
    """The club's preferences that apply on that day, with their players."""
    holds = Q(until=None) | Q(until__gte=day)
    return Wish.objects.filter(holds, club=club_id).select_related("player", "other")


def preferences_for(session: Session) -> Preferences:
    """The preferences that apply to the evening; one query."""
    return preferences_of(list(wishes_on(session.club_id, session.held_on)))


def preferences_of(wishes: Sequence[Wish]) -> Preferences:
    people = [wish.player for wish in wishes] + [wish.other for wish in wishes if wish.other]
    names = {str(person.pk): person.name for person in people}
    return Preferences(tuple(map(seating_wish, wishes)), names)


def wish_list(club: Club, today: date) -> tuple[WishRow, ...]:
    """Every preference, expired ones last; one query."""
    wishes = list(club.wishes.select_related("player", "other"))
    names = preferences_of(wishes).names
    rows = [
        WishRow(
            wish.pk,
            wish.kind,
            wish_sentence(seating_wish(wish), names),
            wish.until,
            wish.reason,
            is_over=wish.until is not None and wish.until < today,
        )
        for wish in wishes
    ]
    return tuple(sorted(rows, key=lambda row: row.is_over))


@dataclass(frozen=True, slots=True)
class EveningExplanation:
    """An evening's tables explained.

    evenings: those taken into account, earliest first. names: everyone by their id, as
    text, as the reader may read them. wishes: only for whoever may know them.
    """

    seating: SeatingExplanation
    evenings: tuple[str, ...]
    turns: history.EveningTurns
    names: Mapping[str, str]
    wishes: tuple[SeatingRemark, ...] = ()

    @property
    def counts(self) -> str:
        """`16 players at 4 tables`."""
        players = count_words(len(self.seating.players), "player")
        return f"{players} at {count_words(self.seating.tables, 'table')}"

    @property
    def memory(self) -> str:
        """The earlier evenings: their dates, or their number and the first date."""
        days = list(self.evenings)
        if len(days) > MAX_DAYS_NAMED:
            return f"{len(days)} evenings, back to {days[0]}"
        return join_with_and(days)

    def person(self, name: str) -> PersonalSeating | None:
        """One player's table, whom of it they met on earlier evenings, and their turns."""
        person = personal_seating(self.seating, name)
        if person is None or not self.seating.rounds:
            return person
        names, index = self.seating.names, person.player.number - 1
        own_pairs = [
            pair
            for pair in self.seating.pairs
            if pair.past_dates and index in (pair.row, pair.column)
        ]
        company = [
            f"{names[pair.row + pair.column - index]} was at the same table on "
            f"{join_with_and(history.shorten_dates(pair.past_dates))}."
            for pair in own_pairs
            if pair.rounds
        ]
        if not company:
            company = ["They have not shared a table with anyone at this table on recent evenings."]
        if self.evenings:
            other_count = len(names) - 1
            company.append(
                f"Of the {other_count} others, {len(own_pairs)} sat with them on those evenings."
            )
        me = next(key for key, player_name in self.names.items() if player_name == name)
        turns = (
            f"Before this evening {times_in_words(count)} {history.SIZE_PHRASES[size]} "
            f"{self.turns.period}."
            for size in history.TURN_SIZES
            if (count := self.turns.turns_taken[size][me])
        )
        return replace(person, sentences=(*company, *turns))


def explain_evening(
    session: Session, *, reader: Reader = PUBLIC_READER, with_wishes: bool = False
) -> EveningExplanation:
    """The evening's tables with the earlier company and turns that were taken into account.

    Five queries; one more with the preferences, which only the secretary may see.
    """
    every_place = session.places.select_related("player", "table", "seat").order_by("seat__number")
    had_a_seat = {str(place.player_id) for place in every_place}
    places = [place for place in every_place if place.is_current]
    present_players = [tick.player for tick in session.attendances.select_related("player")]
    names_by_player = names_of({*present_players, *(place.player for place in places)}, reader)
    names = {str(key): name for key, name in names_by_player.items()}
    tables: dict[int, dict[str, str]] = defaultdict(dict)
    for place in places:
        tables[place.table.number][SEATS[place.seat.number - 1]] = str(place.player_id)
    seats = {number: tuple(tables[number].values()) for number in sorted(tables)}
    memory = seating_memory(session)
    seated_players = [key for keys in seats.values() for key in keys]
    # Who sits out because the tables do not come out even, not who came late or left early.
    sitting_out = tuple(
        str(player.pk) for player in present_players if str(player.pk) not in had_a_seat
    )
    if sitting_out and (
        not seats or splits_of(len(present_players), rule_set(session.plays).seats)
    ):
        sitting_out = ()
    turns = history.turns_of_evening(seats, sitting_out, memory.season, memory.period)
    named_tables = tuple(
        PlannedTable(number, {seat: names[key] for seat, key in tables[number].items()})
        for number in sorted(tables)
    )
    past_meetings: history.PastMeetings = {
        frozenset(names[key] for key in pair): tuple(map(day_and_month, days))
        for pair, days in memory.meeting_dates.items()
        if pair <= set(seated_players)
    }
    rounds = (Round(named_tables),) if named_tables else ()
    seated_names = sorted((names[key] for key in seated_players), key=surname_key)
    seating = explain_seating(
        rounds, seated_names, past_meetings=past_meetings, describe_rounds=lambda _: "this evening"
    )
    sentences = (
        *_meeting_remarks(seating, named_tables, memory),
        *history.turn_sentences(turns, names),
    )
    wanted_now = preferences_for(session).wishes if with_wishes else ()
    wishes = tuple(wish_outcomes(wanted_now, seats, names))
    evenings = tuple(day_and_month(night.held_on) for night in memory.nights)
    return EveningExplanation(replace(seating, remarks=sentences), evenings, turns, names, wishes)


def _meeting_remarks(
    explanation: SeatingExplanation, tables: Sequence[PlannedTable], memory: SeatingMemory
) -> list[SeatingRemark]:
    now = [pair for pair in explanation.pairs if pair.rounds]
    if not now:
        return []
    remarks = _last_time_remarks(explanation, now, memory)
    times = Counter(len(pair.past_dates) for pair in now)
    if set(times) == {0}:
        remarks.append(
            SeatingRemark("No one sits with anyone from earlier evenings.", is_kept=True)
        )
    else:
        parts: list[str] = []
        for often, count in sorted(times.items()):
            times_phrase = times_in_words(often)
            first = (
                f"had sat together {times_phrase} before"
                if often
                else "had never sat together before"
            )
            parts.append(f"{count} {times_phrase if parts else first}")
        remarks.append(
            SeatingRemark(
                f"Of the {count_words(len(now), 'pair')} who share a table, {join_with_and(parts)}."
            )
        )
    sizes = {table.number: len(table.seats) for table in tables}
    uneven_tables = [
        f"table {number} has {SIZE_NAMES[size]}" for number, size in sizes.items() if size != 4
    ]
    if uneven_tables:
        count = len(explanation.players)
        reason = (
            f"{count} players do not divide by four" if count % 4 else "Not every table has four"
        )
        remarks.append(SeatingRemark(f"{reason}: {join_with_and(uneven_tables)}."))
    return remarks


def _last_time_remarks(
    explanation: SeatingExplanation, now: Sequence[history.PairMeetings], memory: SeatingMemory
) -> list[SeatingRemark]:
    """Who also sat together on the last evening."""
    if not memory.nights or not any(pair.past_dates for pair in now):
        return []
    last, names = day_and_month(memory.nights[-1].held_on), explanation.names
    repeated_pairs = [
        f"{names[pair.row]} and {names[pair.column]}" for pair in now if last in pair.past_dates
    ]
    if not repeated_pairs:
        return [
            SeatingRemark(f"No one sits with anyone from {last}, the last evening.", is_kept=True)
        ]
    named_pairs = history.first_few(repeated_pairs, MAX_PAIRS_NAMED)
    pairs = (
        f"{count_words(len(repeated_pairs), 'pair')} {'is' if len(repeated_pairs) == 1 else 'are'} "
        "together"
    )
    return [SeatingRemark(f"{pairs} as on {last}, the last evening: {named_pairs}.")]
