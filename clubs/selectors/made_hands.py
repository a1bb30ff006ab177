"""Hands that people made: who, when, at which table, with which tiles."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Any

from django.db.models import F, QuerySet

from clubs.madehands import Tiles, special_name, tiles_of
from clubs.models import EARLIER_GAME, Player
from clubs.models.names import EVERYBODY, Person, Reader, shown_names
from scoring.scorebook.models import Hand, HandState, went_out_for

TABLE = "game__session_table"
PLACE = f"{TABLE}__places"


@dataclass(frozen=True, slots=True)
class MadeHand:
    """A hand that someone made at a club evening.

    ``special`` is its name, empty where it has none. No tiles where only the total was told.
    """

    player_id: int
    name: str
    session_id: int
    day: date
    table: int
    number: int
    score: int
    special: str
    tiles: Tiles
    is_disputed: bool

    @property
    def where(self) -> str:
        """``table 2, hand 5``."""
        return f"table {self.table}, hand {self.number}"


def seated_hands(**wanted: Any) -> QuerySet[Any]:
    """The hands that stand, once for each seat of their table, with who sat there and when."""
    return Hand.objects.filter(**wanted, is_current=True).annotate(
        seat=F(f"{PLACE}__seat__number"),
        player=F(f"{PLACE}__player"),
        name=F(f"{PLACE}__player__name"),
        shown_as=F(f"{PLACE}__player__shown_as"),
        session=F(f"{TABLE}__session"),
        day=F(f"{TABLE}__session__held_on"),
        table=F(f"{TABLE}__number"),
        rules=F("game__rules"),
    )


def made_hands(hands: Iterable[Any], reader: Reader) -> tuple[MadeHand, ...]:
    """Those of ``seated_hands`` in which the seat scored, with names as the reader reads them."""
    found = list(hands)
    people = (Person(one.player, one.name, one.shown_as, one.player) for one in found)
    names = shown_names(people, reader)
    return tuple(_made(hand, names[hand.player]) for hand in found)


def _made(hand: Any, name: str) -> MadeHand:
    return MadeHand(
        player_id=hand.player,
        name=name,
        session_id=hand.session,
        day=hand.day,
        table=hand.table % EARLIER_GAME,
        number=hand.number,
        score=hand.scores[hand.seat],
        special=special_name(hand.lines, hand.seat, hand.rules),
        tiles=tiles_of(hand.report, hand.lines, hand.seat),
        is_disputed=hand.state == HandState.DISPUTED,
    )


def best_hand_of(player: Player, score: int) -> MadeHand | None:
    """The player's first Mah-Jong of that score, sooner one with tiles; one query, none for 0."""
    if not score:
        return None
    club = {f"{TABLE}__session__club": player.club_id}
    made = seated_hands(**club).filter(went_out_for(score), seat=F("winner"), player=player.pk)
    hands = made.order_by("day", "number")
    return min(made_hands(hands, EVERYBODY), key=lambda hand: not hand.tiles, default=None)
