"""Every hand and round side by side, and the records of a tournament."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from operator import attrgetter
from typing import Annotated, Any, NamedTuple

from django.db.models import BooleanField, ExpressionWrapper, Q

from clubs.league.selectors.records import WinnersSpecial, special_name, tiles_of
from clubs.models.names import PUBLIC_READER, Reader, surname_key
from clubs.table.rows import hands_in_words
from scoring.scorebook.models import SEAT_NUMBERS, Hand, mahjong_of_score
from tournaments.models import Placement, Round, RoundState, Tournament
from tournaments.results.selectors.standings import (
    Board,
    SeatResult,
    StandingLine,
    TournamentData,
    load_tournament_data,
    mixed_number,
    names_in_play,
    table_points_by_seat,
)
from tournaments.rounds.clock import tables_ended_early

MAX_HANDS_SHOWN = 12


class SubstituteTurn(NamedTuple):
    """A substitute with their first hand of a round, and their last: None while they play."""

    name: str
    first: int
    last: int | None

    @property
    def part(self) -> str:
        """Which hands they played, ``hands 1 to 3``; empty if it was the whole round."""
        is_whole = (self.first, self.last) == (1, None)
        return "" if is_whole else hands_in_words(self.first, self.last)


def substitute_turns(seat: SeatResult) -> tuple[SubstituteTurn, ...]:
    """The substitutes who played hands of a seat, in order."""
    spells, first = list[SubstituteTurn](), 1
    for last, name in seat.earlier_sitters:
        spells.append(SubstituteTurn(name, first, last))
        first = last + 1
    spells.append(SubstituteTurn(seat.substitute, first, None))
    # Whoever comes after a table's last hand has played none of them.
    return tuple(spell for spell in spells if spell.name and spell.first <= max(1, seat.hands))


@dataclass(frozen=True, slots=True)
class RoundCell:
    """One player in one round: the table, the gain, the table points once the table is done.

    ``substitutes`` played for them; the table is None if they sat out or had no seat.
    """

    round: int
    table: int | None = None
    hands: int = 0
    points: int = 0
    table_points: Fraction = Fraction(0)
    substitutes: tuple[SubstituteTurn, ...] = ()
    sits_out: bool = False

    @property
    def substitute(self) -> str:
        """Who played for them: ``Joan``, or in part of the round ``Joan (hands 1 to 3)``."""
        return ", ".join(
            f"{turn.name} ({turn.part})" if turn.part else turn.name for turn in self.substitutes
        )

    @property
    def share(self) -> str:
        """The table points as a mixed number: ``2⅓``."""
        return mixed_number(self.table_points)


@dataclass(frozen=True, slots=True)
class CrossRow:
    """A line of the standings with its rounds, first round first."""

    line: StandingLine
    cells: tuple[RoundCell, ...]

    @property
    def substitutes(self) -> dict[str, str]:
        """Who played for them, and when: ``{"Joan": "rounds 2, 3 (from hand 4)"}``."""
        result: dict[str, list[str]] = defaultdict(list)
        for cell in self.cells:
            for turn in cell.substitutes:
                if turn.first <= cell.hands:
                    part = f" ({turn.part})" if turn.part else ""
                    result[turn.name].append(f"{cell.round}{part}")
        return {
            sitter: f"round{'s' * (len(rounds) > 1)} {', '.join(rounds)}"
            for sitter, rounds in result.items()
        }


@dataclass(frozen=True, slots=True)
class CrossTable:
    """Everyone's rounds in the order of the standings; ``names`` are of all who had a seat."""

    rounds: tuple[int, ...]
    rows: tuple[CrossRow, ...]
    names: Mapping[int, str]

    @property
    def substitutes(self) -> tuple[str, ...]:
        """``Joan played for Ann Cox in rounds 2, 3 (from hand 4)``: the substitutes."""
        return tuple(
            f"{sitter} played for {row.line.row.name} in {rounds}"
            for row in self.rows
            for sitter, rounds in row.substitutes.items()
        )


@dataclass(frozen=True, slots=True)
class SeatAtHand:
    """One seat's part in a hand; ``score`` is the value of the tiles, if reported."""

    name: str
    substitute: str
    won: bool
    score: int | None
    points: int


@dataclass(frozen=True, slots=True)
class PlayedHand:
    """A hand that counts: where, its winner (empty: nobody), and each seat's part."""

    round: int
    table: int
    number: int
    winner: str
    seats: tuple[SeatAtHand, ...]


def cross_table(
    tournament: Tournament, *, board: Board, tournament_data: TournamentData, reader: Reader
) -> CrossTable:
    """The rounds that count on that board; one query, at most three while a round is played."""
    seats = tournament_data.seats_through(board.last_round)
    started_rounds = sorted({sat.round for sat in seats if sat.round_state != RoundState.SEATED})
    is_open = any(sat.round_state == RoundState.PLAYING for sat in seats)
    ended_tables = tables_ended_early(tournament) if is_open else frozenset[int]()
    cells = {
        (seat.entrant, seat.round): RoundCell(
            round=seat.round,
            table=seat.table_number,
            hands=seat.hands,
            points=seat.points,
            table_points=Fraction(share or 0),
            substitutes=substitute_turns(seat),
        )
        for seat, share in table_points_by_seat(seats, ended_tables)
    }
    if any((line.row.entrant_id, n) not in cells for line in board.lines for n in started_rounds):
        resting = Round.sitting_out.through._default_manager.filter(
            round__tournament=tournament, round__number__in=started_rounds
        )
        for entrant, number in resting.values_list("entrant", "round__number"):
            cells.setdefault((entrant, number), RoundCell(number, sits_out=True))
    rows = (
        CrossRow(
            line, tuple(cells.get((line.row.entrant_id, n), RoundCell(n)) for n in started_rounds)
        )
        for line in board.lines
    )
    sat = {tournament_data.entrants[seat.entrant] for seat in seats}
    return CrossTable(tuple(started_rounds), tuple(rows), names_in_play(sat, reader))


def hands_played(
    tournament: Tournament,
    *,
    last_round: int | None,
    names: Mapping[int, str],
    tournament_data: TournamentData,
) -> tuple[PlayedHand, ...]:
    """Every hand of the rounds that count, by round, table and number; one query."""
    seats: dict[int, dict[int, SeatResult]] = defaultdict(dict)
    for seat in tournament_data.seats_through(last_round):
        seats[seat.game][seat.seat] = seat
    fields = [f"{kind}_{seat}" for kind in ("score", "gain") for seat in SEAT_NUMBERS]
    hands = Hand.objects.filter(
        is_current=True, game__tournament_table__round__tournament=tournament
    ).only("game_id", "number", "winner", *fields)
    rows = [
        _played_hand(hand, seats[hand.game_id], names) for hand in hands if hand.game_id in seats
    ]
    return tuple(sorted(rows, key=attrgetter("round", "table", "number")))


def _played_hand(
    hand: Hand, table_seats: Mapping[int, SeatResult], names: Mapping[int, str]
) -> PlayedHand:
    first_seat = next(iter(table_seats.values()))
    winner = table_seats.get(hand.winner or 0)
    seats = (
        SeatAtHand(
            name=names[seat.entrant],
            substitute=seat.substitute_at(hand.number),
            won=number == hand.winner,
            score=getattr(hand, f"score_{number}"),
            points=getattr(hand, f"gain_{number}"),
        )
        for number, seat in sorted(table_seats.items())
    )
    return PlayedHand(
        round=first_seat.round,
        table=first_seat.table_number,
        number=hand.number,
        winner="" if winner is None else _sitter(winner, names, hand.number),
        seats=tuple(seats),
    )


def by_table(hands: Sequence[PlayedHand]) -> dict[tuple[int, int], list[PlayedHand]]:
    """The hands of each round's table, in order."""
    result: dict[tuple[int, int], list[PlayedHand]] = defaultdict(list)
    for hand in hands:
        result[hand.round, hand.table].append(hand)
    return dict(result)


@dataclass(frozen=True, slots=True)
class MadeHand:
    """A hand that someone made."""

    name: str
    round: int
    table: int
    number: int
    score: int
    special: Annotated[str, "name of a special hand, or empty"]
    tiles: Annotated[
        tuple[tuple[str, ...], ...], "the sets as scored; empty if only the total was entered"
    ]

    @property
    def location(self) -> str:
        """``round 3, table 2, hand 5``."""
        return f"round {self.round}, table {self.table}, hand {self.number}"


@dataclass(frozen=True, slots=True)
class Records:
    """The records of the rounds that count.

    All are empty before the first Mah-Jong. A feat is of whoever sat there: a substitute's own, not
    that of the player whose place it counts for. ``feats`` has by metric and name what everyone did
    who counts in the standings, and their substitutes; ``special`` shows some.
    """

    highest: tuple[MadeHand, ...]
    mahjongs: Annotated[int, "the highest figure"]
    most_mahjongs: Annotated[tuple[str, ...], "who has them"]
    special: tuple[MadeHand, ...]
    feats: Mapping[str, Mapping[str, int]]


class _HandFacts(NamedTuple):
    """A record hand: the winner's special one, or the highest Mah-Jong."""

    pk: int
    game: int
    number: int
    winner: int
    special: str | None
    is_highest: bool


def records_of(
    tournament: Tournament,
    *,
    last_round: int | None = None,
    reader: Reader = PUBLIC_READER,
    tournament_data: TournamentData | None = None,
) -> Records:
    """The records up to a round, or of all; at most four queries, two with ``tournament_data``.

    One more if someone came to a seat in mid-round.
    """
    tournament_data = tournament_data or load_tournament_data(tournament)
    seats = tournament_data.seats_through(last_round)
    seats_by_place = {(seat.game, seat.seat): seat for seat in seats}
    parts = list(_seat_parts(seats))
    names = names_in_play({tournament_data.entrants[seat.entrant] for seat in seats}, reader)
    best = max((seat.best_hand for seat in seats), default=0)
    rows = _hand_facts(tournament, last_round, best)
    special = [facts for facts in rows if facts.special]
    hands = _hands_to_show(rows, special)
    highest = [
        _made_hand(hand, seats_by_place[hand.game_id, seat], names)
        for hand in hands.values()
        for seat, score in hand.winner_scores.items()
        if score == best
    ]
    special_hands = [
        _made_hand(hands[facts.pk], seats_by_place[facts.game, facts.winner], names)
        for facts in special[:MAX_HANDS_SHOWN]
        if facts.pk in hands
    ]
    return Records(
        highest=tuple(highest[:MAX_HANDS_SHOWN]),
        special=tuple(special_hands),
        feats=_feats(
            [part for part in parts if not tournament_data.entrants[part.seat.entrant].is_house],
            Counter(
                _sitter(seats_by_place[hand.game, hand.winner], names, hand.number)
                for hand in special
            ),
            names,
        ),
        **_most_mahjongs(parts, names),
    )


class _SeatPart(NamedTuple):
    """What one person did in a seat: the hands of it that they played."""

    seat: SeatResult
    substitute: str
    mahjongs: int
    best_hand: int

    def name(self, names: Mapping[int, str]) -> str:
        return self.substitute or names[self.seat.entrant]


def _seat_parts(seats: Sequence[SeatResult]) -> Iterator[_SeatPart]:
    """Every seat, apart for each who sat there; one query if someone came in mid-round."""
    shared_seats = {(seat.game, seat.seat): seat for seat in seats if seat.earlier_sitters}
    mahjong_scores: dict[tuple[int, int, str], list[int]] = defaultdict(list)
    games = {game for game, _ in shared_seats}
    hands = Hand.objects.filter(is_current=True, game__in=games) if games else ()
    for hand in hands:
        for number, score in hand.winner_scores.items():
            if seat := shared_seats.get((hand.game_id, number)):
                mahjong_scores[hand.game_id, number, seat.substitute_at(hand.number)].append(score)
    for seat in seats:
        if not seat.earlier_sitters:
            yield _SeatPart(seat, seat.substitute, seat.mahjongs, seat.best_hand)
            continue
        for substitute in {seat.substitute, *(name for _, name in seat.earlier_sitters)}:
            scores = mahjong_scores[seat.game, seat.seat, substitute]
            yield _SeatPart(seat, substitute, len(scores), max(scores, default=0))


def _sitter(seat: SeatResult, names: Mapping[int, str], hand: int) -> str:
    """Who played a hand there: the substitute if there was one."""
    return seat.substitute_at(hand) or names[seat.entrant]


def _feats(
    parts: Sequence[_SeatPart], special: Mapping[str, int], names: Mapping[int, str]
) -> dict[str, dict[str, int]]:
    """By metric and name what everyone did at these seats; entrants come before substitutes."""
    best: dict[str, int] = {}
    mahjongs: Counter[str] = Counter()
    for part in sorted(parts, key=lambda part: bool(part.substitute)):
        name = part.name(names)
        best[name] = max(best.get(name, 0), part.best_hand)
        mahjongs[name] += part.mahjongs
    return {"best_hand": best, "mahjongs": dict(mahjongs), "special_hands": dict(special)}


def _most_mahjongs(parts: Sequence[_SeatPart], names: Mapping[int, str]) -> dict[str, Any]:
    """The highest number of Mah-Jongs, and who has it."""
    mahjong_counts: Counter[str] = Counter()
    for part in parts:
        mahjong_counts[part.name(names)] += part.mahjongs
    most = max(mahjong_counts.values(), default=0)
    top_names = sorted(
        (name for name in mahjong_counts if mahjong_counts[name] == most > 0), key=surname_key
    )
    return {"mahjongs": most, "most_mahjongs": tuple(top_names)}


def _hand_facts(tournament: Tournament, last_round: int | None, best: int) -> list[_HandFacts]:
    """Every record hand, oldest first; one query, none if nobody scored."""
    if not best:
        return []
    places = Placement.objects.filter(round__tournament=tournament)
    if last_round is not None:
        places = places.filter(round__number__lte=last_round)
    is_best = mahjong_of_score(best)
    hands = Hand.objects.filter(is_current=True, game__in=places.values("seat__game"))
    result = hands.annotate(
        special=WinnersSpecial(), is_highest=ExpressionWrapper(is_best, BooleanField())
    ).filter(is_best | Q(special__gt=""))
    columns = "pk", "game", "number", "winner", "special", "is_highest"
    return [_HandFacts._make(row) for row in result.order_by("sent_at", "pk").values_list(*columns)]


def _hands_to_show(rows: Sequence[_HandFacts], special: Sequence[_HandFacts]) -> dict[int, Hand]:
    """The first of the highest hands and of the special ones, in order; one query."""
    highest = [facts for facts in rows if facts.is_highest]
    hand_keys = {facts.pk for some in (highest, special) for facts in some[:MAX_HANDS_SHOWN]}
    hands = Hand.objects.select_related("game").in_bulk(hand_keys)
    return {facts.pk: hands[facts.pk] for facts in rows if facts.pk in hands}


def _made_hand(hand: Hand, seat: SeatResult, names: Mapping[int, str]) -> MadeHand:
    return MadeHand(
        name=_sitter(seat, names, hand.number),
        round=seat.round,
        table=seat.table_number,
        number=hand.number,
        score=hand.scores[seat.seat],
        special=special_name(hand.lines, seat.seat, hand.game.rules),
        tiles=tiles_of(hand.report, hand.lines, seat.seat),
    )
