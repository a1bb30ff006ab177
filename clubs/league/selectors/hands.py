"""Hands as a flat list for programs: who played each, how it was won, and with which tiles."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Annotated, Any, Self

from django.db.models import F, QuerySet

from clubs import models
from clubs.core.people_names import names_of
from clubs.league.selectors.records import TABLE_LOOKUP, special_name
from clubs.models.names import Reader
from clubs.table.rows import SeatPayment, seat_payments
from scoring import Wind
from scoring.hands.hand import WonBy
from scoring.hands.tiles import Tile
from scoring.scorebook.models import Hand
from scoring.scorebook.reports import Report
from scoring.scorebook.selectors import HandRow, hand_row


@dataclass(frozen=True, slots=True)
class ReportedSet:
    """A set on the table."""

    tiles: tuple[Tile, ...]
    exposed: Annotated[bool, "false for a concealed kong"]


@dataclass(frozen=True, slots=True)
class ReportedTiles:
    """One player's tiles as they were entered, in the form that ``score`` reads."""

    sets: tuple[ReportedSet, ...]
    concealed: Annotated[tuple[Tile, ...], "every tile still in the hand, also the winning tile"]
    bonus: Annotated[tuple[Tile, ...], "flowers and seasons"]
    winning_tile: Tile | None
    facts: tuple[str, ...]

    @classmethod
    def read(cls, stored_tiles: Mapping[str, Any]) -> Self:
        return cls(
            sets=tuple(
                ReportedSet(tuple(stored_set["tiles"]), stored_set.get("exposed", True))
                for stored_set in stored_tiles.get("sets", ())
            ),
            concealed=tuple(stored_tiles.get("concealed", ())),
            bonus=tuple(stored_tiles.get("bonus", ())),
            winning_tile=stored_tiles.get("winning_tile"),
            facts=tuple(stored_tiles.get("facts", ())),
        )


@dataclass(frozen=True, slots=True)
class Sitter:
    """Whoever had a seat: a member or guest, and in a tournament an entrant or a substitute."""

    name: str
    player_id: int | None = None
    entrant_id: int | None = None
    substitute: str = ""


@dataclass(frozen=True, slots=True)
class HandOfPlayer:
    """One player's part in a hand."""

    seat: int
    player_id: Annotated[int | None, "null for a visitor without a record in the club"]
    entrant_id: Annotated[int | None, "in a tournament: whose place the points count for"]
    name: str
    substitute: Annotated[str, "in a tournament: who played for the entrant, or empty"]
    wind: Wind
    score: Annotated[int | None, "null if it was not entered"]
    gain: int
    special: Annotated[str, "the name of a special hand, or empty"]
    tiles: Annotated[ReportedTiles | None, "null if only the score was entered"]


@dataclass(frozen=True, slots=True)
class TablePlace:
    """Where a hand was played: at an evening, or in a round of a tournament."""

    day: date
    table: int
    evening_id: int | None = None
    tournament_id: int | None = None
    round: int | None = None


@dataclass(frozen=True, slots=True)
class FlatHand:
    """A current hand with everything that was reported of it.

    ``row.winner``, and of the report ``discarder`` and ``pays_for_all``, are seats of ``players``.
    """

    row: HandRow
    place: TablePlace
    rules: Annotated[str, "the key of the rule set"]
    report: Report
    players: tuple[HandOfPlayer, ...]

    @property
    def won_by(self) -> Annotated[WonBy | None, "null if it was not entered"]:
        """Where the winning tile came from."""
        return WonBy(self.report.won_by) if self.report.won_by else None

    @property
    def payments(self) -> tuple[SeatPayment, ...]:
        """Who pays whom."""
        return seat_payments(self.row)


def flat_hand(hand: Hand, place: TablePlace, sitters: Mapping[int, Sitter]) -> FlatHand:
    """The hand of that table, which these played by seat; reads its game."""
    row = hand_row(hand, hands_before=hand.game.hands_before)
    report = Report.from_json(row.report)
    players = tuple(_players(row, report, hand.game.rules, sitters))
    return FlatHand(row, place, hand.game.rules, report, players)


def _players(
    row: HandRow, report: Report, rules: str, sitters: Mapping[int, Sitter]
) -> Iterator[HandOfPlayer]:
    for seat, wind in sorted(row.winds.items()):
        sitter, tiles = sitters[seat], report.tiles.get(seat)
        yield HandOfPlayer(
            seat=seat,
            player_id=sitter.player_id,
            entrant_id=sitter.entrant_id,
            name=sitter.name,
            substitute=sitter.substitute,
            wind=wind,
            score=row.scores.get(seat),
            gain=row.gains[seat],
            special=special_name(row.lines, seat, rules),
            tiles=ReportedTiles.read(tiles) if tiles else None,
        )


def evening_hands(club: models.Club) -> QuerySet[Hand]:
    """The current hands of the evenings that count, those of the newest evening first."""
    counting = models.counting_evenings(f"{TABLE_LOOKUP}__session__")
    hands = Hand.objects.filter(
        counting, is_current=True, **{f"{TABLE_LOOKUP}__session__club": club}
    )
    return (
        hands.select_related("game")
        .annotate(
            session=F(f"{TABLE_LOOKUP}__session"),
            day=F(f"{TABLE_LOOKUP}__session__held_on"),
            table=F(f"{TABLE_LOOKUP}__number"),
        )
        .order_by("-day", "table", "number")
    )


def flat_evening_hands(hands: Sequence[Any], reader: Reader) -> list[FlatHand]:
    """Some ``evening_hands`` with those who played them; one query."""
    places = models.SessionSeat.objects.filter(
        table__game__in={hand.game_id for hand in hands}
    ).select_related("player", "seat")
    players_by_seat = {(place.seat.game_id, place.seat.number): place.player for place in places}
    names = names_of(players_by_seat.values(), reader)
    sitters: dict[int, dict[int, Sitter]] = {hand.game_id: {} for hand in hands}
    for (game, seat), player in players_by_seat.items():
        sitters[game][seat] = Sitter(names[player.pk], player.pk)
    return [flat_hand(hand, _evening_place(hand), sitters[hand.game_id]) for hand in hands]


def _evening_place(hand: Any) -> TablePlace:
    return TablePlace(hand.day, hand.table % models.EARLIER_GAME_OFFSET, evening_id=hand.session)
