"""Players: figures season by season, whom they met, ratings, and charts of both.

A rating begins at ``START_RATING`` for everyone. Each table of an evening is one match, ranked by
points.
Thurstone and Mosteller's model, neighbours in that order compared, handles ties and tables of any
size (docs/decisions/0019-a-rating-beside-the-league.md compares the others).
"""

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, groupby
from statistics import median
from typing import Annotated, Final, NamedTuple

from openskill.models import ThurstoneMostellerPart, ThurstoneMostellerPartRating

from clubs.core.people_names import active_records, names_of, person_of
from clubs.language.moments import day_and_month, day_and_short_month, long_date
from clubs.language.words import ordinal
from clubs.league.selectors.seasons import (
    SeasonRecord,
    prefetch_rules,
    prefetched_rules,
    round_to_tenth,
    season_records,
)
from clubs.league_rules import standings
from clubs.league_rules.standings import LeagueEvening
from clubs.members.selectors import EveningRow, PlayerView, player_view
from clubs.models import (
    EARLIER_GAME_OFFSET,
    Club,
    Player,
    PlayerKind,
    Season,
    SessionSeat,
    ShownAs,
    counting_evenings,
)
from clubs.models.names import PUBLIC_READER, Reader, surname_key
from clubs.table.rows import points_text
from scoring.scorebook.models import SEAT_NUMBERS, Hand

CHART_LEFT, CHART_RIGHT = 20, 965
CHART_TOP, CHART_BOTTOM = 90, 860
MAX_SCALE_LINES = 5
MAX_LEAST_MET = 5
DEAL_COLUMNS = ("game_id", "deal", *(f"gain_{seat}" for seat in SEAT_NUMBERS))
EVENINGS_TO_SETTLE: Final = 6
START_RATING: Final = 1000
POINTS_PER_STEP: Final = 20
SURE_MARGIN: Final = 120
FAIRLY_SURE_MARGIN: Final = 140
RatedTable = tuple[tuple[int, int], ...]  # each player's points
_MODEL: Final = ThurstoneMostellerPart()

RATING_COLUMNS = (
    *("session__held_on", "session", "player", "table__number"),
    *("seat__points", "seat__hands"),
)


@dataclass(frozen=True, slots=True)
class ChartMark:
    """A point of a chart: shares of its width and height, and what is said there."""

    x: str
    y: str
    text: str


@dataclass(frozen=True, slots=True)
class Chart:
    """A chart line from evening to evening, on a picture of 1,000 by 1,000.

    ``end`` is the curve's last value.
    """

    scale: Annotated[tuple[ChartMark, ...], "the lines across"]
    zero: Annotated[str, "the height of the starting rating"]
    curve: Annotated[str, "the points of the player’s line, as in SVG"]
    middle: Annotated[str, "the points of the members’ median, as in SVG"]
    dots: tuple[ChartMark, ...]
    end: ChartMark
    days: tuple[ChartMark, ...]


@dataclass(frozen=True, slots=True)
class ChartPoint:
    """One evening: the value, and its label; None if the player was absent."""

    day: date
    middle: float
    value: int | None
    text: str = ""


def chart_of(
    stops: Sequence[ChartPoint], *, start: int = 0, is_signed: bool = False
) -> Chart | None:
    """The chart of at least two evenings, from the starting value; None for fewer."""
    if sum(stop.value is not None for stop in stops) < 2:
        return None
    values = [stop.value for stop in stops if stop.value is not None]
    lines = scale_of([start, *values, *(stop.middle for stop in stops)])
    frame = _Frame(len(stops), lines[0], lines[-1])
    points = [
        (position, stop.value) for position, stop in enumerate(stops, 1) if stop.value is not None
    ]
    return Chart(
        scale=tuple(
            ChartMark("0%", _percentage(frame.y(value)), _format_value(value, is_signed=is_signed))
            for value in lines
        ),
        zero=_percentage(frame.y(start)),
        curve=frame.curve([(points[0][0] - 1, start), *points]),
        middle=frame.curve(
            [(0, start), *((position, stop.middle) for position, stop in enumerate(stops, 1))]
        ),
        dots=tuple(
            _chart_mark(frame, position, value, stops[position - 1].text)
            for position, value in points
        ),
        end=_chart_mark(frame, *points[-1], _format_value(points[-1][1], is_signed=is_signed)),
        days=tuple(
            ChartMark(_percentage(frame.x(position)), "100%", day_and_short_month(stop.day))
            for position, stop in ((1, stops[0]), (len(stops), stops[-1]))
        ),
    )


@dataclass(frozen=True, slots=True)
class _Frame:
    stops: int
    low: float
    high: float

    def x(self, position: float) -> float:
        """The x of an evening; 0 is the start."""
        return CHART_LEFT + (CHART_RIGHT - CHART_LEFT) * position / self.stops

    def y(self, value: float) -> float:
        """The y of a value, from the top."""
        return CHART_BOTTOM - (CHART_BOTTOM - CHART_TOP) * (value - self.low) / (
            self.high - self.low
        )

    def curve(self, points: Sequence[tuple[int, float]]) -> str:
        """The points of a line in SVG notation."""
        return " ".join(f"{self.x(position):.1f},{self.y(value):.1f}" for position, value in points)


def scale_of(values: Sequence[float]) -> list[int]:
    """Round numbers in equal steps of 1, 2 or 5, from below the minimum to above the maximum."""
    low, high = min(values), max(values)
    step, tens = 1, 1
    while -(-high // step) - low // step > MAX_SCALE_LINES:
        step = next((n * tens for n in (1, 2, 5) if n * tens > step), 10 * tens)
        tens = tens * 10 if step == 10 * tens else tens
    first, last = int(low // step), int(-(-high // step))
    return [step * number for number in range(first, max(last, first + 1) + 1)]


def _chart_mark(frame: _Frame, position: int, value: int, label: str) -> ChartMark:
    return ChartMark(_percentage(frame.x(position)), _percentage(frame.y(value)), label)


def _format_value(value: int, *, is_signed: bool) -> str:
    sign = "+" if is_signed and value > 0 else ""
    return f"{sign}{value:,}".replace("-", "\N{MINUS SIGN}")


def _percentage(part: float) -> str:
    return f"{part / 10:.2f}%"


@dataclass(frozen=True, slots=True)
class Figures:
    """Totals over some evenings."""

    evenings: int
    hands: int
    mahjongs: int
    total: int
    best: Annotated[EveningRow, "the evening with the most points"]
    best_hand: int
    pays: bool

    @property
    def share(self) -> Annotated[int, "Mah-Jongs per 100 hands"]:
        return round(100 * self.mahjongs / self.hands)

    @property
    def an_evening(self) -> Decimal:
        """The average per evening, to a tenth of a point."""
        return round_to_tenth(Fraction(self.total, self.evenings))

    @property
    def a_hand(self) -> Decimal:
        """The average per hand, to a tenth of a point."""
        return round_to_tenth(Fraction(self.total, self.hands))


@dataclass(frozen=True, slots=True)
class SeasonRow:
    """One season of a player."""

    season_id: int
    title: str
    figures: Figures
    place: Annotated[str, "in words; empty for a guest"]
    players_ranked: Annotated[int, "how many players are ranked"]
    has_place: bool


@dataclass(frozen=True, slots=True)
class ProgressRow:
    """An evening of the season: the total so far, and the members’ median."""

    session_id: int
    day: date
    played: Annotated[EveningRow | None, "null: the player did not come"]
    total: Annotated[str, "with its sign, if points have one"]
    middle: str


@dataclass(frozen=True, slots=True)
class SeasonProgress:
    """A season evening by evening."""

    rows: Annotated[tuple[ProgressRow, ...], "the newest first"]
    chart: Annotated[Chart | None, "null until there are two evenings"]


@dataclass(frozen=True, slots=True)
class PlayerSeasons:
    """Every evening and season of a player, newest first.

    ``running`` is the last season played in, ``earlier_evenings`` are the evenings outside it.
    """

    history: PlayerView
    career: Figures | None
    seasons: tuple[SeasonRow, ...]
    running: SeasonProgress | None
    earlier_evenings: tuple[EveningRow, ...]

    @property
    def now(self) -> SeasonRow | None:
        """The season that the player last played in."""
        return self.seasons[0] if self.seasons else None


def player_seasons(player: Player, *, reader: Reader = PUBLIC_READER) -> PlayerSeasons:
    """A player's totals, season by season.

    Five queries, and one each if the seasons' rules use handicaps and credits.
    """
    history = player_view(player, reader=reader)
    played_evenings = [row for row in history.evenings if row.hands]
    by_season: dict[int, list[EveningRow]] = defaultdict(list)
    for row in played_evenings:
        if row.season_id is not None:
            by_season[row.season_id].append(row)
    played_seasons = Season.objects.filter(pk__in=by_season).select_related("league")
    seasons = list(prefetch_rules(played_seasons.order_by("-starts_on")))
    records = season_records(seasons, *map(prefetched_rules, seasons)) if seasons else {}
    rows = tuple(
        _season_row(season, records[season.pk], figures_of(by_season[season.pk]), player.pk)
        for season in seasons
    )
    return PlayerSeasons(
        history=history,
        career=figures_of(played_evenings) if played_evenings else None,
        seasons=rows,
        running=season_progress(records[seasons[0].pk], by_season[seasons[0].pk])
        if seasons
        else None,
        earlier_evenings=tuple(
            row for row in played_evenings if not seasons or row.season_id != seasons[0].pk
        ),
    )


def _season_row(
    season: Season, season_record: SeasonRecord, totals: Figures, player: int
) -> SeasonRow:
    rows = standings.rank_members(prefetched_rules(season), season_record.record)
    own_standing = next((row for row in rows if row.player == player), None)
    return SeasonRow(
        season_id=season.pk,
        title=str(season),
        figures=totals,
        place=""
        if own_standing is None
        else ordinal(own_standing.place)
        if own_standing.place
        else "not ranked yet",
        players_ranked=sum(row.place is not None for row in rows),
        has_place=own_standing is not None and own_standing.place is not None,
    )


def figures_of(evenings: Sequence[EveningRow]) -> Figures:
    """Totals of at least one evening, newest first, each with a hand played."""
    return Figures(
        evenings=len(evenings),
        hands=sum(row.hands for row in evenings),
        mahjongs=sum(row.mahjongs for row in evenings),
        total=sum(row.points for row in evenings),
        best=max(reversed(evenings), key=lambda row: row.points),
        best_hand=max(row.best_hand for row in evenings),
        pays=all(row.pays for row in evenings),
    )


def season_progress(
    season_record: SeasonRecord, played_evenings: Sequence[EveningRow]
) -> SeasonProgress:
    """The player's total after each evening of the season, beside the members' median."""
    evenings = sorted(season_record.record.evenings, key=lambda evening: (evening.day, evening.key))
    rows_by_session = {row.session_id: row for row in played_evenings}
    own_rows = [rows_by_session.get(evening.key) for evening in evenings]
    totals = list(accumulate(row.points if row else 0 for row in own_rows))
    middles = list(_running_medians(evenings))
    rows = [
        ProgressRow(
            session_id=evening.key,
            day=evening.day,
            played=row,
            total=points_text(total, pays=season_record.pays),
            middle=points_text(round(middle), pays=season_record.pays),
        )
        for evening, row, total, middle in zip(evenings, own_rows, totals, middles, strict=True)
    ]
    stops = [
        ChartPoint(
            row.day, middle, total if row.played else None, f"{day_and_month(row.day)}: {row.total}"
        )
        for row, total, middle in zip(rows, totals, middles, strict=True)
    ]
    return SeasonProgress(tuple(reversed(rows)), chart_of(stops, is_signed=season_record.pays))


def _running_medians(evenings: Sequence[LeagueEvening]) -> Iterator[float]:
    """After each evening, the median of the totals of the members who have played by then."""
    seats = [
        [table_result for table in evening.tables for table_result in table] for evening in evenings
    ]
    members = {
        table_result.player
        for evening in seats
        for table_result in evening
        if table_result.is_member
    }
    totals: dict[int, int] = {}
    for evening in seats:
        for player, points in {
            table_result.player: table_result.points for table_result in evening
        }.items():
            if player in members:
                totals[player] = totals.get(player, 0) + points
        yield median(totals.values()) if totals else 0


@dataclass(frozen=True, slots=True)
class Opponent:
    """An opponent, and what each player gained in the hands both played."""

    player_id: int
    name: str
    evenings: int
    hands: int
    own_points: int
    opponent_points: int

    @property
    def ahead(self) -> Annotated[int, "by how much the player did better"]:
        """Negative if the opponent did."""
        return self.own_points - self.opponent_points


@dataclass(frozen=True, slots=True)
class Opponents:
    """A player’s opponents, and members not yet met."""

    met: Annotated[tuple[Opponent, ...], "the most often met first"]
    not_met: tuple[str, ...]

    @property
    def least_met(self) -> tuple[str, ...]:
        """The opponents met least, if they are few and the others were met more often."""
        least = tuple(companion.name for companion in self.met if companion.evenings == self.fewest)
        return least if len(least) <= min(MAX_LEAST_MET, len(self.met) - 1) else ()

    @property
    def fewest(self) -> int:
        return min((companion.evenings for companion in self.met), default=0)


@dataclass(slots=True)
class _OpponentTally:
    player: Player
    sessions: set[int] = field(default_factory=set)
    hands: int = 0
    own_points: int = 0
    opponent_points: int = 0

    def play(self, own_gain: int, other_gain: int) -> None:
        self.hands += 1
        self.own_points += own_gain
        self.opponent_points += other_gain


def opponents_of(player: Player, *, reader: Reader = PUBLIC_READER) -> Opponents:
    """A player's record against everyone else; three queries.

    Members whose names are hidden from the reader are not listed as not met yet.
    """
    tallies = {key: tally for key, tally in _tally_opponents(player).items() if tally.hands}
    members = active_records(player.club).filter(is_active=True, kind=PlayerKind.MEMBER)
    other_members = [member for member in members.exclude(pk=player.pk) if member.pk not in tallies]
    names = names_of([*(tally.player for tally in tallies.values()), *other_members], reader)
    companions = [
        Opponent(
            key,
            names[key],
            len(tally.sessions),
            tally.hands,
            tally.own_points,
            tally.opponent_points,
        )
        for key, tally in tallies.items()
    ]
    unmet_names = [
        names[member.pk]
        for member in other_members
        if reader.name_style(person_of(member)) != ShownAs.HIDDEN
    ]
    return Opponents(
        met=tuple(sorted(companions, key=_by_frequency)),
        not_met=tuple(sorted(unmet_names, key=surname_key)),
    )


def _by_frequency(opponent: Opponent) -> tuple[int, int, tuple[str, str]]:
    return -opponent.evenings, -opponent.hands, surname_key(opponent.name)


def _tally_opponents(player: Player) -> dict[int, _OpponentTally]:
    """The opponents by player: everyone seated at one of the player's tables."""
    seats: dict[int, dict[int, int]] = defaultdict(dict)
    sessions: dict[int, int] = {}
    tallies: dict[int, _OpponentTally] = {}
    places = SessionSeat.objects.filter(
        counting_evenings("session__"), table__places__player=player
    )
    for place in places.select_related("player", "seat"):
        game, number = place.seat.game_id, place.seat.number
        seats[game][number] = place.player_id
        sessions[game] = place.session_id
        tallies.setdefault(place.player_id, _OpponentTally(place.player))
    at_table = "game__session_table__"
    hands = Hand.objects.filter(
        counting_evenings(f"{at_table}session__"),
        is_current=True,
        **{f"{at_table}places__player": player},
    )
    for game, deal, *gains in hands.values_list(*DEAL_COLUMNS):
        players_by_seat = seats[game]
        gains_by_player = {
            players_by_seat[int(seat)]: gains[int(seat) - 1] for seat in deal["winds"]
        }
        for opponent, gain in gains_by_player.items():
            if player.pk in gains_by_player and opponent != player.pk:
                tallies[opponent].sessions.add(sessions[game])
                tallies[opponent].play(gains_by_player[player.pk], gain)
    return tallies


@dataclass(frozen=True, slots=True)
class RatingStep:
    """A player's rating after an evening, and its margin of error, both in points."""

    evening: int
    points: int
    give_or_take: int


@dataclass(frozen=True, slots=True)
class Rating:
    """A player’s rating: an estimate of playing strength.

    Evening by evening in date order; at least one.
    """

    steps: tuple[RatingStep, ...]

    @property
    def now(self) -> RatingStep:
        return self.steps[-1]

    @property
    def evenings(self) -> int:
        return len(self.steps)

    @property
    def is_settled(self) -> bool:
        """Whether enough evenings were played for a meaningful rating."""
        return self.evenings >= EVENINGS_TO_SETTLE

    @property
    def change(self) -> int:
        return self.now.points - (self.steps[-2].points if self.evenings > 1 else START_RATING)

    @property
    def confidence(self) -> str:
        if not self.is_settled:
            return f"still settling: {self.evenings} of {EVENINGS_TO_SETTLE} evenings"
        if self.now.give_or_take <= SURE_MARGIN:
            return "sure"
        return "fairly sure" if self.now.give_or_take <= FAIRLY_SURE_MARGIN else "rough"


@lru_cache(maxsize=32)
def compute_ratings(evenings: tuple[tuple[RatedTable, ...], ...]) -> Mapping[int, Rating]:
    """Everyone's rating from the first evening on, by player.

    ``evenings`` are in date order. Ratings are cached by the results, so that a correction
    recomputes them.
    """
    current: dict[int, ThurstoneMostellerPartRating] = defaultdict(_MODEL.rating)
    steps: dict[int, list[RatingStep]] = defaultdict(list)
    for number, tables in enumerate(evenings):
        for table in tables:
            if len(table) < 2:
                continue
            order = sorted(table, key=lambda player_points: (-player_points[1], player_points[0]))
            teams = [[current[player]] for player, _ in order]
            points = [own_result for _, own_result in table]
            # Players with equal points share a place.
            ranks = [
                1.0 + sum(other_points > own_result for other_points in points)
                for _, own_result in order
            ]
            for (player, _), (own_result,) in zip(
                order, _MODEL.rate(teams, ranks=ranks), strict=True
            ):
                current[player] = own_result
                mean = round(START_RATING + POINTS_PER_STEP * (own_result.mu - _MODEL.mu))
                steps[player].append(
                    RatingStep(number, mean, round(POINTS_PER_STEP * own_result.sigma))
                )
    return {player: Rating(tuple(rating_steps)) for player, rating_steps in steps.items()}


class _PlayedGame(NamedTuple):
    """A player's game, by the columns of RATING_COLUMNS; a tuple, because a club has thousands."""

    day: date
    session: int
    player: int
    number: int
    points: int
    hands: int


@dataclass(frozen=True, slots=True)
class RatingRow:
    """A row of the ratings. Newcomers have no place until their rating settles."""

    place: int | None
    is_tied: bool
    player_id: int
    name: str
    rating: Rating


@dataclass(frozen=True, slots=True)
class RatingList:
    """The club's members: those with a settled rating in its order, then newcomers by name."""

    settled_rows: tuple[RatingRow, ...]
    newcomers: tuple[RatingRow, ...]


@dataclass(frozen=True, slots=True)
class PlayerRating:
    """A player’s rating and its chart."""

    rating: Rating
    chart: Annotated[Chart | None, "null until it has settled"]


def ratings_of(club: Club, *, reader: Reader = PUBLIC_READER) -> RatingList:
    """The ratings of all current members; two queries."""
    _, ratings = _all_ratings(club)
    members = list(active_records(club).filter(is_active=True, kind=PlayerKind.MEMBER))
    names = names_of(members, reader)
    member_ratings = {member.pk: ratings[member.pk] for member in members if member.pk in ratings}
    points = sorted(
        (rating.now.points for rating in member_ratings.values() if rating.is_settled), reverse=True
    )
    rows = [
        RatingRow(
            place=points.index(rating.now.points) + 1 if rating.is_settled else None,
            is_tied=rating.is_settled and points.count(rating.now.points) > 1,
            player_id=player,
            name=names[player],
            rating=rating,
        )
        for player, rating in member_ratings.items()
    ]
    by_place = sorted(rows, key=lambda row: (row.place or 0, surname_key(row.name)))
    return RatingList(
        settled_rows=tuple(row for row in by_place if row.place is not None),
        newcomers=tuple(row for row in by_place if row.place is None),
    )


def rating_of(player: Player) -> PlayerRating | None:
    """A player's rating, if the club uses ratings and the player has played; one query."""
    if not player.club.rates:
        return None
    days, ratings = _all_ratings(player.club)
    rating = ratings.get(player.pk)
    if rating is None:
        return None
    if not rating.is_settled:
        return PlayerRating(rating, None)
    steps = [(days[step.evening], step.points) for step in rating.steps]
    stops = [
        ChartPoint(day, START_RATING, points, f"{long_date(day)}: {points:,}")
        for day, points in steps
    ]
    return PlayerRating(rating, chart_of(stops, start=START_RATING))


def _all_ratings(club: Club) -> tuple[list[date], Mapping[int, Rating]]:
    """The dates of the evenings, and everyone's rating; one query."""
    seats = SessionSeat.objects.filter(
        counting_evenings("session__"), session__club=club, seat__hands__gt=0
    )
    rows = map(_PlayedGame._make, seats.order_by(*RATING_COLUMNS[:4]).values_list(*RATING_COLUMNS))
    days: list[date] = []
    evenings: list[tuple[RatedTable, ...]] = []
    for (day, _), evening in groupby(rows, key=lambda row: row[:2]):
        games: dict[int, list[_PlayedGame]] = defaultdict(list)
        for game in evening:
            games[game.player].append(game)
        # A player is rated at the table where they played most, with the points of all their games.
        tables: dict[int, list[tuple[int, int]]] = defaultdict(list)
        for player, player_games in games.items():
            longest = max(player_games, key=lambda game: (game.hands, -game.number))
            points = sum(game.points for game in player_games)
            tables[longest.number % EARLIER_GAME_OFFSET].append((player, points))
        days.append(day)
        evenings.append(tuple(tuple(tables[table_number]) for table_number in sorted(tables)))
    return days, compute_ratings(tuple(evenings))
