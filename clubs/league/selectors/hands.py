"""Hands as a flat list for programs: who played each, how it was won, and with which tiles."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Annotated, Any, Self

from django.db.models import F, QuerySet

from clubs import models
from clubs.league.selectors.records import TABLE, special_name
from clubs.models.names import Person, Reader, shown_names
from scoring import Wind
from scoring.hands.hand import WonBy
from scoring.hands.tiles import Tile
from scoring.scorebook.models import Hand, HandState, Recording, hands_played_before
from scoring.scorebook.reports import Report


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
    def read(cls, stored: Mapping[str, Any]) -> Self:
        return cls(
            sets=tuple(
                ReportedSet(tuple(one["tiles"]), one.get("exposed", True))
                for one in stored.get("sets", ())
            ),
            concealed=tuple(stored.get("concealed", ())),
            bonus=tuple(stored.get("bonus", ())),
            winning_tile=stored.get("winning_tile"),
            facts=tuple(stored.get("facts", ())),
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
class SeatPayment:
    """Who pays whom, by their seats."""

    payer: int
    payee: int
    points: int


@dataclass(frozen=True, slots=True)
class TablePlace:
    """Where a hand was played; ``hands_before`` were those of an earlier game of the table."""

    day: date
    table: int
    evening_id: int | None = None
    tournament_id: int | None = None
    round: int | None = None
    hands_before: int = 0


@dataclass(frozen=True, slots=True)
class FlatHand:
    """A current hand with everything that was reported of it.

    ``winner``, ``discarder`` and ``pays_for_all`` are seats of ``players``.
    """

    id: int
    place: TablePlace
    number: Annotated[int, "as the table counts, also after a change of players"]
    rules: Annotated[str, "the key of the rule set"]
    prevailing_wind: Wind | None
    dealer: int
    goulash: bool
    told_by: Recording
    winner: Annotated[int | None, "null if nobody went Mah-Jong"]
    won_by: Annotated[WonBy | None, "null if it was not entered"]
    discarder: int | None
    pays_for_all: int | None
    state: HandState
    sent_at: datetime
    players: tuple[HandOfPlayer, ...]
    payments: tuple[SeatPayment, ...]


def flat_hand(hand: Hand, place: TablePlace, sitters: Mapping[int, Sitter]) -> FlatHand:
    """The hand of that table, which these played by seat; reads its game's rules."""
    deal, report = hand.deal, Report.from_json(hand.report)
    wind = deal["prevailing_wind"]
    return FlatHand(
        id=hand.pk,
        place=place,
        number=place.hands_before + hand.number,
        rules=hand.game.rules,
        prevailing_wind=None if wind is None else Wind(wind),
        dealer=deal["dealer"],
        goulash=deal["goulash"],
        told_by=report.way,
        winner=hand.winner,
        won_by=WonBy(report.won_by) if report.won_by else None,
        discarder=report.discarder,
        pays_for_all=report.pays_for_all,
        state=HandState(hand.state),
        sent_at=hand.sent_at,
        players=tuple(_players(hand, report, sitters)),
        payments=tuple(SeatPayment(*paid) for paid in hand.payments if paid[-1]),
    )


def _players(hand: Hand, report: Report, sitters: Mapping[int, Sitter]) -> Iterable[HandOfPlayer]:
    scores, gains = hand.scores, hand.gains
    for key, wind in sorted(hand.deal["winds"].items()):
        seat = int(key)
        sitter, tiles = sitters[seat], report.tiles.get(seat)
        yield HandOfPlayer(
            seat=seat,
            player_id=sitter.player_id,
            entrant_id=sitter.entrant_id,
            name=sitter.name,
            substitute=sitter.substitute,
            wind=Wind(wind),
            score=scores.get(seat),
            gain=gains[seat],
            special=special_name(hand.lines, seat, hand.game.rules),
            tiles=ReportedTiles.read(tiles) if tiles else None,
        )


def evening_hands(club: models.Club) -> QuerySet[Hand]:
    """The current hands of the evenings that count, those of the newest evening first."""
    counting = models.counts(f"{TABLE}__session__")
    hands = Hand.objects.filter(counting, is_current=True, **{f"{TABLE}__session__club": club})
    return (
        hands.select_related("game")
        .annotate(
            session=F(f"{TABLE}__session"),
            day=F(f"{TABLE}__session__held_on"),
            table=F(f"{TABLE}__number"),
        )
        .order_by("-day", "table", "number")
    )


def flat_evening_hands(hands: Sequence[Any], reader: Reader) -> list[FlatHand]:
    """Some ``evening_hands`` with those who played them; one query."""
    places = models.SessionSeat.objects.filter(
        table__game__in={hand.game_id for hand in hands}
    ).select_related("player", "seat")
    seated = {(place.seat.game_id, place.seat.number): place.player for place in places}
    names = shown_names(
        (Person(who.pk, who.name, who.shown_as, who.pk) for who in seated.values()), reader
    )
    sitters: dict[int, dict[int, Sitter]] = {hand.game_id: {} for hand in hands}
    for (game, seat), player in seated.items():
        sitters[game][seat] = Sitter(names[player.pk], player.pk)
    return [flat_hand(hand, _at_evening(hand), sitters[hand.game_id]) for hand in hands]


def _at_evening(hand: Any) -> TablePlace:
    return TablePlace(
        day=hand.day,
        table=hand.table % models.EARLIER_GAME,
        evening_id=hand.session,
        hands_before=hands_played_before(hand.game.opening),
    )
