"""What a tournament is remembered for: the highest hand, most Mah-Jongs, special hands."""

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import NamedTuple

from django.db.models import Q, QuerySet, TextField
from django.db.models.functions import Cast

from clubs.madehands import special_name, tiles_of
from clubs.names import EVERYBODY, Reader, shown_names
from scoring.scorebook.models import SEAT_NUMBERS, Hand
from tournaments.models import Placement, Tournament
from tournaments.selectors.naming import PERSON, person_told

MOST_SHOWN = 12
# As both databases write it; seats are the keys of the lines, and SQLite takes numbers for places.
SPECIAL = '"special": "'
SAT = (
    *PERSON,
    "round__number",
    "table__number",
    "seat__game",
    "seat__number",
    "seat__mahjongs",
    "seat__best_hand",
)


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

    ``specials`` is how many special hands each entrant made who made one; ``special`` shows some.
    """

    highest: tuple[MadeHand, ...]
    mahjongs: int
    most_mahjongs: tuple[str, ...]
    special: tuple[MadeHand, ...]
    specials: Mapping[int, int]


class _Sat(NamedTuple):
    """Who sat where in the columns of SAT; plain rows, because a large tournament has thousands."""

    entrant: int
    whole_name: str
    shown_as: str | None
    player: int | None
    round: int
    table: int
    game: int
    seat: int
    mahjongs: int
    best_hand: int


def records_of(
    tournament: Tournament, *, through: int | None = None, reader: Reader = EVERYBODY
) -> Records:
    """The records up to a round, or of all; at most four queries."""
    places = Placement.objects.filter(round__tournament=tournament)
    if through is not None:
        places = places.filter(round__number__lte=through)
    seats = [_Sat._make(row) for row in places.values_list(*SAT)]
    sat = {(seat.game, seat.seat): seat for seat in seats}
    names = shown_names({person_told(seat[: len(PERSON)]) for seat in seats}, reader)
    mahjongs: Counter[int] = Counter()
    for seat in seats:
        mahjongs[seat.entrant] += seat.mahjongs
    most = max(mahjongs.values(), default=0)
    hands = Hand.objects.filter(is_current=True, game__in=places.values("seat__game"))
    best = max((seat.best_hand for seat in seats), default=0)
    highest = [
        _made(hand, seat, sat[hand.game_id, seat], names)
        for hand in _scoring(hands, best)
        for seat in _scored(hand, best)
    ]
    special = list(_special(hands))
    shown = hands.select_related("game").in_bulk([pk for pk, *_ in special[:MOST_SHOWN]])
    return Records(
        highest=tuple(highest[:MOST_SHOWN]),
        mahjongs=most,
        most_mahjongs=tuple(sorted(names[one] for one in mahjongs if mahjongs[one] == most > 0)),
        special=tuple(
            _made(shown[pk], seat, sat[game, seat], names)
            for pk, game, seat in special[:MOST_SHOWN]
            if pk in shown
        ),
        specials=Counter(sat[game, seat].entrant for _, game, seat in special),
    )


def _scoring(hands: QuerySet[Hand], score: int) -> QuerySet[Hand]:
    """The first hands in which some seat scored just so much; none for nothing."""
    if not score:
        return hands.none()
    any_seat = reduce(or_, (Q(**{f"score_{seat}": score}) for seat in SEAT_NUMBERS))
    scoring = hands.filter(any_seat).select_related("game").order_by("sent_at", "pk")
    return scoring[:MOST_SHOWN]


def _special(hands: QuerySet[Hand]) -> Iterator[tuple[int, int, int]]:
    """Every special hand that somebody went Mah-Jong with: its key, the game's, the seat.

    Who only fished for one made none.
    """
    told = hands.filter(winner__isnull=False).alias(told=Cast("lines", TextField()))
    rows = told.filter(told__contains=SPECIAL).order_by("sent_at", "pk")
    for pk, game, winner, lines in rows.values_list("pk", "game", "winner", "lines"):
        if winner and lines.get(str(winner), {}).get("special"):
            yield pk, game, winner


def _scored(hand: Hand, score: int) -> list[int]:
    return [seat for seat, scored in hand.scores.items() if scored == score]


def _made(hand: Hand, seat: int, where: _Sat, names: Mapping[int, str]) -> MadeHand:
    return MadeHand(
        name=names[where.entrant],
        round=where.round,
        table=where.table,
        number=hand.number,
        score=hand.scores[seat],
        special=special_name(hand.lines, seat, hand.game.rules),
        tiles=tiles_of(hand.report, hand.lines, seat),
    )
