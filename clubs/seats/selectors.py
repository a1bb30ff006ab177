"""What each player played on an evening, and a seating explained as a grid and in sentences."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from typing import Annotated, Any, NamedTuple

from django.db.models import QuerySet

from clubs.language.words import count_words, player_count_words
from clubs.models import EARLIER_GAME_OFFSET, PlayerKind, SessionSeat, SessionTable
from clubs.models.names import Person, Reader, by_surname, shown_names
from clubs.seating import Round, SeatingRemark, explain_plan, review_rounds
from clubs.seating.history import (
    PairMeetings,
    PastMeetings,
    PlayerRound,
    pair_meetings,
    rounds_of_player,
)
from clubs.seating.why import PlayerDetail, join_with_and, rounds_in_words, times_in_words
from scoring.scorebook.editions import rule_set

PLACE_COLUMNS = (
    *("session_id", "player_id"),
    *("player__name", "player__name_key", "player__shown_as", "player__kind"),
    *("pk", "is_current", "table__number"),
    *("seat__points", "seat__hands", "seat__mahjongs", "seat__best_hand", "table__game__rules"),
)
_PLACE_GETTER = attrgetter(*(column.replace("__", ".") for column in PLACE_COLUMNS))

# From so many players down: the side of a square, the names' room and size, in pixels.
PICTURE_SCALES = ((24, 26, 150, 15), (72, 17, 130, 13), (128, 10, 0, 12), (2000, 6, 0, 12))
NUMBERS_ROOM = 34
HEAD_ROOM = 24
PHONE_WIDTH = 330  # the widest picture that a phone of 390 pixels shows whole
WIND_NAMES = {"E": "East", "S": "South", "W": "West", "N": "North"}
SEAT_NAMES = (*WIND_NAMES.values(), "fifth")


class GamePlace(NamedTuple):
    """A player's place in one game, by the columns of PLACE_COLUMNS; a season has many."""

    session: int
    player: int
    name: str
    name_key: str
    shown_as: str
    kind: str
    pk: int
    is_current: bool
    number: int
    points: int
    hands: int
    mahjongs: int
    best_hand: int
    rules: str


@dataclass(frozen=True, slots=True)
class PlayerEvening:
    """One player's evening, all games together.

    ``table``: where they played most hands; ``pays``: points are payments between players.
    """

    session_id: int
    player_id: int
    name_key: str
    is_member: bool
    table: int
    points: int
    hands: int
    mahjongs: int
    best_hand: int
    pays: bool


def places_of(places: QuerySet[SessionSeat, Any]) -> list[GamePlace]:
    """The places as plain rows, in their order; one query."""
    return list(map(GamePlace._make, places.values_list(*PLACE_COLUMNS)))


def places_in(tables: Iterable[SessionTable]) -> list[GamePlace]:
    """The same from tables read with their games, and places with player and seat."""
    return [
        GamePlace._make(_PLACE_GETTER(place)) for table in tables for place in table.places.all()
    ]


def names_of_players(places: Iterable[GamePlace], reader: Reader) -> dict[int, str]:
    """The names of these players by id, as the reader may see them; no query."""
    people = {Person(place.player, place.name, place.shown_as, place.player) for place in places}
    return shown_names(people, reader)


def player_evenings(places: Iterable[GamePlace]) -> list[PlayerEvening]:
    """One row for each player and evening, in the order of the places; no query.

    Someone has several places if people joined or left their table.
    """
    games: dict[tuple[int, int], list[GamePlace]] = defaultdict(list)
    for place in places:
        games[place.session, place.player].append(place)
    evenings = []
    for player_places in games.values():
        longest = max(player_places, key=lambda place: (place.hands, place.is_current, place.pk))
        evenings.append(
            PlayerEvening(
                session_id=longest.session,
                player_id=longest.player,
                name_key=longest.name_key,
                is_member=longest.kind == PlayerKind.MEMBER,
                table=longest.number % EARLIER_GAME_OFFSET,
                points=sum(place.points for place in player_places),
                hands=sum(place.hands for place in player_places),
                mahjongs=sum(place.mahjongs for place in player_places),
                best_hand=max(place.best_hand for place in player_places),
                pays=rule_set(longest.rules).zero_sum,
            )
        )
    return evenings


@dataclass(frozen=True, slots=True)
class PairSquare:
    """One pair's square; `figure`: how often they meet, if more than once."""

    x: float
    y: float
    kind: str
    figure: str
    title: str


@dataclass(frozen=True, slots=True)
class Stripe:
    """All of a player's single meetings, drawn as one path."""

    path: str
    title: str


@dataclass(frozen=True, slots=True)
class Label:
    """A number or a name beside the grid."""

    position: float
    text: str


@dataclass(frozen=True, slots=True)
class Matrix:
    """The measures of the picture, in pixels from the upper left corner.

    left, head: room for names and for numbers; side: of the grid; cell: of a square.
    chosen: the upper edge of the row of the chosen player, if any.
    """

    cell: int
    left: int
    head: int
    side: int
    letters: int
    has_names: bool
    marks: tuple[PairSquare, ...]
    stripes: tuple[Stripe, ...]
    names: tuple[Label, ...]
    numbers: tuple[Label, ...]
    chosen_position: int | None

    @property
    def width(self) -> int:
        return self.left + self.side + 2

    @property
    def slides_on_a_phone(self) -> bool:
        return self.width > PHONE_WIDTH

    @property
    def height(self) -> int:
        """Of the whole picture; the numbers stand above and below."""
        return self.side + 2 * self.head

    @property
    def grid(self) -> str:
        """Grid lines: at every square if they are large, else at every fifth or tenth."""
        interval = 1 if self.cell > 12 else 5 if self.cell > 8 else 10
        count = self.side // self.cell
        lines = (
            self.cell * position
            for position in range(count + 1)
            if position % interval == 0 or position == count
        )
        return "".join(f"M0 {position}h{self.side}M{position} 0v{self.side}" for position in lines)

    @property
    def middle(self) -> float:
        return self.cell / 2

    @property
    def inner(self) -> int:
        """The side of a mark within its square."""
        return self.cell - 2

    @property
    def inset(self) -> int:
        """How far the mark of a single meeting stays from its square's edge."""
        return max(2, self.cell // 6)

    @property
    def small(self) -> int:
        """The side of the mark of a single meeting."""
        return self.cell - 2 * self.inset

    @property
    def diamond(self) -> str:
        """The mark of meeting again where no number fits: it juts out of its square."""
        half = self.cell * 0.8
        return f"M{self.middle} {self.middle - half}l{half} {half}l{-half} {half}l{-half} {-half}z"

    @property
    def names_edge(self) -> int:
        """Where the names end, before the numbers."""
        return self.left - NUMBERS_ROOM

    @property
    def foot(self) -> int:
        """The line of the numbers below."""
        return self.head + self.side + 16


def matrix_of(
    names: Sequence[str], pairs: Sequence[PairMeetings], chosen_name: str, numbers: Sequence[int]
) -> Matrix:
    """The picture for these names and numbers in order; `chosen_name`: the name to highlight."""
    cell, room, letters = next(scale[1:] for scale in PICTURE_SCALES if len(names) <= scale[0])
    left_edge, side = room + NUMBERS_ROOM, cell * len(names)
    most = int(room // (letters * 0.52))
    interval = 1 if room else 5 if cell > 8 else 10
    numbered_rows = [
        index for index in range(len(names)) if interval == 1 or (index + 1) % interval == 0
    ]
    return Matrix(
        cell=cell,
        left=left_edge,
        head=HEAD_ROOM,
        side=side,
        letters=letters,
        has_names=bool(room),
        marks=tuple(
            mark
            for pair in pairs
            if room or pair.kind != "once"
            for mark in _pair_squares(names, pair, cell)
        ),
        stripes=_stripes(names, [pair for pair in pairs if pair.kind == "once" and not room], cell),
        names=tuple(
            Label(
                cell * (index + 0.5), name if len(name) <= most else f"{name[: most - 1].rstrip()}…"
            )
            for index, name in enumerate(names)
            if room
        ),
        numbers=tuple(Label(cell * (index + 0.5), f"{numbers[index]}") for index in numbered_rows),
        chosen_position=cell * names.index(chosen_name) if chosen_name in names else None,
    )


def _pair_squares(names: Sequence[str], pair: PairMeetings, cell: int) -> list[PairSquare]:
    figure = f"{pair.times}" if pair.kind != "once" else ""
    title = f"{names[pair.row]} and {names[pair.column]}: {pair.occasions}"
    squares = ((pair.column, pair.row), (pair.row, pair.column))
    return [PairSquare(cell * x, cell * y, pair.kind, figure, title) for x, y in squares]


def _stripes(names: Sequence[str], pairs: Sequence[PairMeetings], cell: int) -> tuple[Stripe, ...]:
    meets: dict[int, list[int]] = defaultdict(list)
    for pair in pairs:
        meets[pair.row].append(pair.column)
        meets[pair.column].append(pair.row)
    return tuple(
        Stripe(
            "".join(
                f"M{cell * column_index + 1} {cell * row + 1}h{cell - 2}v{cell - 2}h{2 - cell}z"
                for column_index in sorted(met_players)
            ),
            f"{row + 1} {names[row]}: "
            f"{join_with_and([names[column_index] for column_index in sorted(met_players)])}",
        )
        for row, met_players in sorted(meets.items())
    )


@dataclass(frozen=True, slots=True)
class ListedPlayer:
    """One player in a seating.

    ``number`` is theirs in the picture.
    """

    number: int
    detail: PlayerDetail
    people: Annotated[int, "how many different opponents they meet"]
    repeats: Annotated[int, "repeat meetings"]

    @property
    def name(self) -> str:
        return self.detail.name

    @property
    def winds(self) -> tuple[int, ...]:
        """How often they start as East, South, West and North."""
        return self.detail.winds[: len(WIND_NAMES)]

    @property
    def fifths(self) -> Annotated[int, "how often they are fifth at a table of five"]:
        return self.detail.winds[-1]

    @property
    def only_seat(self) -> str:
        """In a seating of one round, the wind they start as; empty where they sit out."""
        seats = zip(SEAT_NAMES, self.detail.winds, strict=True)
        return next((seat for seat, times in seats if times), "")

    @property
    def tables(self) -> Annotated[tuple[str, ...], "round by round; a dash without a table"]:
        return tuple("–" if table is None else f"{table}" for table in self.detail.tables)

    @property
    def is_uneven(self) -> bool:
        """Whether one wind came more often than necessary."""
        return self.detail.is_uneven


@dataclass(frozen=True, slots=True)
class RepeatMeeting:
    """Two players who share a table more than once.

    ``occasions`` is in words.
    """

    player: str
    other_player: str
    times: int
    occasions: str


@dataclass(frozen=True, slots=True)
class SeatingExplanation:
    """A seating explained.

    said: in sentences, the most important first.
    pairs: who meets whom; rows and columns are positions in `players`.
    least: repeated meetings that arithmetic forces; house and withdrawn: how many of the players
    are house players, and how many withdrew.
    """

    rounds: tuple[Round, ...]
    remarks: tuple[SeatingRemark, ...]
    players: tuple[ListedPlayer, ...]
    pairs: tuple[PairMeetings, ...]
    least: int
    house: int = 0
    withdrawn: int = 0

    @property
    def names(self) -> list[str]:
        return [player.name for player in self.players]

    @property
    def by_surname(self) -> list[ListedPlayer]:
        """The players to choose from."""
        return by_surname(self.players)

    @property
    def tables(self) -> int:
        return max((len(round_.tables) for round_ in self.rounds), default=0)

    @property
    def counts(self) -> str:
        """`16 players, 5 rounds, 4 tables`; one round goes without saying.

        Whoever withdrew and house players are counted apart.
        """
        rounds = [count_words(len(self.rounds), "round")] if len(self.rounds) > 1 else []
        playing = len(self.players) - self.house - self.withdrawn
        house = [count_words(self.house, "house player")] if self.house else []
        people = player_count_words(playing, self.withdrawn)
        tables = count_words(self.tables, "table")
        return ", ".join([people, *house, *rounds, tables])

    @property
    def meeting_limits(
        self,
    ) -> Annotated[str, "why some players must meet again, or why no one has to"]:
        """Whether arithmetic forces repeat meetings, counted out; empty for a single round."""
        if len(self.rounds) == 1:
            return ""
        meeting_count = max((player.people + player.repeats for player in self.players), default=0)
        other_count = len(self.players) - 1
        start = f"In {count_words(len(self.rounds), 'round')} a player meets {meeting_count} people"
        if meeting_count <= other_count and not self.least:
            return f"{start}, and there are {other_count} others: no one needs to meet twice."
        if meeting_count > other_count:
            start = f"{start}, but there are only {other_count} others"
        are = "is" if self.least == 1 else "are"
        least = f"{count_words(self.least, 'meeting')} {are} with someone met before"
        return f"{start}. Whatever the seating, at least {least}."

    @property
    def repeat_meetings(self) -> tuple[RepeatMeeting, ...]:
        """Who meets more than once, the most frequent first."""
        names = self.names
        pairs = [
            RepeatMeeting(names[pair.row], names[pair.column], pair.times, pair.occasions)
            for pair in self.pairs
            if pair.kind == "again"
        ]
        return tuple(sorted(pairs, key=lambda pair: -pair.times))

    @property
    def has_fifths(self) -> bool:
        return any(player.fifths for player in self.players)

    @property
    def has_turns_out(self) -> bool:
        return any(player.detail.sits_out for player in self.players)

    def picture(self, chosen_name: str = "") -> Matrix:
        """Who meets whom how often, measured for a screen."""
        return matrix_of(
            self.names, self.pairs, chosen_name, [player.number for player in self.players]
        )


@dataclass(frozen=True, slots=True)
class PersonalSeating:
    """One player's rounds, explained in sentences."""

    player: ListedPlayer
    turns: tuple[PlayerRound, ...]
    sentences: tuple[str, ...]


def explain_seating(
    rounds: Sequence[Round],
    names: Sequence[str],
    *,
    teams: Mapping[str, str] | None = None,
    past_meetings: PastMeetings | None = None,
    describe_rounds: Callable[[Sequence[int]], str] = rounds_in_words,
    numbers: Sequence[int] = (),
) -> SeatingExplanation:
    """Explain these rounds; `names`: unique names of all players.

    past: when pairs sat together before; words: puts round numbers into words;
    numbers: the players' numbers in the order of `names`; by default 1, 2, 3….
    """
    detail = explain_plan(review_rounds(rounds, names, teams=teams), names)
    players = (
        ListedPlayer(
            number,
            player,
            sum(map(bool, meeting_counts)),
            sum(times - 1 for times in meeting_counts if times),
        )
        for number, player, meeting_counts in zip(
            numbers or range(1, len(names) + 1), detail.players, detail.meetings, strict=True
        )
    )
    return SeatingExplanation(
        rounds=tuple(rounds),
        remarks=detail.remarks,
        players=tuple(players),
        pairs=pair_meetings(rounds, names, past_meetings, describe_rounds),
        least=detail.least_possible,
    )


def personal_seating(explanation: SeatingExplanation, name: str) -> PersonalSeating | None:
    """One player's own rounds; None if nobody has that name."""
    player = next((row for row in explanation.players if row.name == name), None)
    if player is None:
        return None
    sentences = _company_sentences(player, len(explanation.players) - 1, explanation.least)
    seats = zip(SEAT_NAMES, player.detail.winds, strict=True)
    starts = [f"{seat} {times_in_words(times)}" for seat, times in seats if times]
    if starts:
        sentences.append(f"Starts as {join_with_and(starts)}.")
    if player.detail.sits_out:
        sentences.append(f"Sits out in {rounds_in_words(player.detail.sits_out)}.")
    turns = rounds_of_player(name, explanation.rounds, explanation.names, explanation.pairs)
    return PersonalSeating(player, turns, tuple(sentences))


def _company_sentences(player: ListedPlayer, other_count: int, least: int) -> list[str]:
    """Whom a player meets, and why they meet someone again."""
    people = count_words(player.people, "other player")
    if not player.repeats:
        return [f"Meets {people}, no one twice."]
    meeting_count = player.people + player.repeats
    meetings = f"{count_words(player.repeats, 'meeting')} {'is' if player.repeats == 1 else 'are'}"
    if meeting_count > other_count:
        why_again = (
            f"There are only {count_words(other_count, 'other player')}, so at least "
            f"{count_words(meeting_count - other_count, 'meeting')} must be with someone met "
            "before."
        )
    elif least:
        why_again = (
            f"This is unavoidable: in all, at least {count_words(least, 'meeting')} must be with "
            "someone met before."
        )
    else:
        why_again = "Seating preferences, manual changes or late arrivals left no better seat."
    times = times_in_words(meeting_count)
    return [f"Shares a table {times} with {people}: {meetings} with someone met before.", why_again]
