"""What a tournament is remembered for: the highest hand, most Mah-Jongs, special hands."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import SEAT_NUMBERS, Hand
from tournaments.models import Placement, Tournament

MOST_SHOWN = 12
# As both databases write it; seats are the keys of the lines, and SQLite takes numbers for places.
SPECIAL = '"special": "'
Seated = tuple[int, int]
Whereabouts = tuple[str, int, int]


@dataclass(frozen=True, slots=True)
class MadeHand:
    """A hand that somebody made, where, and what it scored.

    ``tiles`` are the sets as they were counted, codes of tiles; empty where only the total was
    told. ``special`` is the name of a special hand, or empty.
    """

    name: str
    round: int
    table: int
    number: int
    score: int
    special: str
    tiles: tuple[tuple[str, ...], ...]

    @property
    def where(self) -> str:
        """``round 3, table 2, hand 5``."""
        return f"round {self.round}, table {self.table}, hand {self.number}"


@dataclass(frozen=True, slots=True)
class Records:
    """The records of the rounds that count; all empty before the first Mah-Jong.

    ``specials`` is how many special hands each made who made one; ``special`` shows some.
    """

    highest: tuple[MadeHand, ...]
    mahjongs: int
    most_mahjongs: tuple[str, ...]
    special: tuple[MadeHand, ...]
    specials: Mapping[str, int]


def records_of(tournament: Tournament, *, through: int | None = None) -> Records:
    """The records up to a round, or of all; four queries."""
    places = Placement.objects.filter(round__tournament=tournament)
    if through is not None:
        places = places.filter(round__number__lte=through)
    seats = places.values_list("entrant__name", "seat__mahjongs", "seat__best_hand")
    mahjongs: Counter[str] = Counter()
    best = 0
    for name, won, best_hand in seats:
        mahjongs[name] += won
        best = max(best, best_hand)
    most = max(mahjongs.values(), default=0)
    hands = Hand.objects.filter(is_current=True, game__in=places.values("seat__game"))
    highest = [(hand, seat) for hand in _scoring(hands, best) for seat in _scored(hand, best)]
    special = [(hand, seat) for hand in _special(hands) for seat in _went_special(hand)]
    whereabouts = _whereabouts(places, [hand for hand, _ in (*highest, *special)])
    return Records(
        highest=tuple(_made(hand, seat, whereabouts) for hand, seat in highest[:MOST_SHOWN]),
        mahjongs=most,
        most_mahjongs=tuple(sorted(name for name in mahjongs if mahjongs[name] == most > 0)),
        special=tuple(_made(hand, seat, whereabouts) for hand, seat in special[:MOST_SHOWN]),
        specials=Counter(whereabouts[hand.game_id, seat][0] for hand, seat in special),
    )


def _scoring(hands: QuerySet[Hand], score: int) -> QuerySet[Hand]:
    """The hands in which some seat scored just so much; none for nothing."""
    if not score:
        return hands.none()
    any_seat = reduce(or_, (Q(**{f"score_{seat}": score}) for seat in SEAT_NUMBERS))
    return hands.filter(any_seat).select_related("game").order_by("sent_at", "pk")


def _special(hands: QuerySet[Hand]) -> QuerySet[Hand]:
    """The hands in which somebody's tiles, told in full, were a special hand."""
    told = hands.filter(winner__isnull=False).alias(told=Cast("lines", TextField()))
    return told.filter(told__contains=SPECIAL).select_related("game").order_by("sent_at", "pk")


def _scored(hand: Hand, score: int) -> list[int]:
    return [seat for seat, scored in hand.scores.items() if scored == score]


def _went_special(hand: Hand) -> list[int]:
    """The winner's seat, where that hand was the special one; who only fished for one made none."""
    return [hand.winner] if hand.winner and _lines(hand, hand.winner).get("special") else []


def _lines(hand: Hand, seat: int) -> dict[str, Any]:
    lines: dict[str, Any] = hand.lines.get(str(seat), {})
    return lines


def _whereabouts(places: QuerySet[Placement], hands: Sequence[Hand]) -> dict[Seated, Whereabouts]:
    """Who sat in each seat of the hands' games, in which round and at which table."""
    rows = places.filter(seat__game__in={hand.game_id for hand in hands}).values_list(
        "seat__game", "seat__number", "entrant__name", "round__number", "table__number"
    )
    return {(game, seat): (name, round_, table) for game, seat, name, round_, table in rows}


def _made(hand: Hand, seat: int, whereabouts: Mapping[Seated, Whereabouts]) -> MadeHand:
    name, round_, table = whereabouts[hand.game_id, seat]
    return MadeHand(
        name=name,
        round=round_,
        table=table,
        number=hand.number,
        score=hand.scores[seat],
        special=_special_name(hand, seat),
        tiles=tuple(_tiles(hand, seat)),
    )


def _special_name(hand: Hand, seat: int) -> str:
    key = _lines(hand, seat).get("special")
    names = {line.key: line.name for line in rule_set(hand.game.rules).specials}
    return names.get(key, str(key).replace("_", " ").capitalize()) if key else ""


def _tiles(hand: Hand, seat: int) -> Iterator[tuple[str, ...]]:
    """The sets of a hand told in tiles, as they were counted, then its flowers and seasons."""
    told = hand.report.get("tiles", {}).get(str(seat), {})
    counted = _lines(hand, seat).get("arrangement") or [{"tiles": told.get("concealed", [])}]
    for group in (*told.get("sets", []), *counted, {"tiles": told.get("bonus", [])}):
        if group["tiles"]:
            yield tuple(group["tiles"])
