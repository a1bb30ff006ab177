"""What a tournament is remembered for: the highest hand, most Mah-Jongs, special hands."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from django.db.models import BooleanField, ExpressionWrapper, Q

from clubs.league.selectors.special_hands import WinnersSpecial, special_name, tiles_of
from clubs.models.names import EVERYBODY, Reader
from scoring.scorebook.models import Hand, went_out_for
from tournaments.models import Placement, Tournament
from tournaments.selectors.played import Played, Sat, names_in_play, played_in

MOST_SHOWN = 12


@dataclass(frozen=True, slots=True)
class MadeHand:
    """A hand that someone made, where, and what it scored.

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


class _Told(NamedTuple):
    """A hand that is a record: the winner's special one, or the Mah-Jong that scored the most."""

    pk: int
    game: int
    winner: int
    special: str | None
    is_highest: bool


def records_of(
    tournament: Tournament,
    *,
    through: int | None = None,
    reader: Reader = EVERYBODY,
    played: Played | None = None,
) -> Records:
    """The records up to a round, or of all; at most four queries, two fewer for ``played``."""
    played = played or played_in(tournament)
    seats = played.through(through)
    sat = {(seat.game, seat.seat): seat for seat in seats}
    names = names_in_play({played.entrants[seat.entrant] for seat in seats}, reader)
    best = max((seat.best_hand for seat in seats), default=0)
    told = _told(tournament, through, best)
    special = [one for one in told if one.special]
    hands = _shown(told, special)

    def made(pk: int, seat: int) -> MadeHand:
        where = sat[hands[pk].game_id, seat]
        return _made(hands[pk], where, names[where.entrant])

    highest = [
        made(pk, seat) for pk in hands for seat, score in hands[pk].made.items() if score == best
    ]
    shown = [made(one.pk, one.winner) for one in special[:MOST_SHOWN] if one.pk in hands]
    return Records(
        highest=tuple(highest[:MOST_SHOWN]),
        special=tuple(shown),
        specials=Counter(sat[one.game, one.winner].entrant for one in special),
        **_mahjongs(seats, names),
    )


def _mahjongs(seats: Sequence[Sat], names: Mapping[int, str]) -> dict[str, Any]:
    """How many whoever made most of them made, and who that is."""
    made: Counter[int] = Counter()
    for seat in seats:
        made[seat.entrant] += seat.mahjongs
    most = max(made.values(), default=0)
    who = sorted(names[one] for one in made if made[one] == most > 0)
    return {"mahjongs": most, "most_mahjongs": tuple(who)}


def _told(tournament: Tournament, through: int | None, best: int) -> list[_Told]:
    """Every hand that is a record, the first one first; one query, none where nobody scored."""
    if not best:
        return []
    places = Placement.objects.filter(round__tournament=tournament)
    if through is not None:
        places = places.filter(round__number__lte=through)
    is_best = went_out_for(best)
    hands = Hand.objects.filter(is_current=True, game__in=places.values("seat__game"))
    found = hands.annotate(
        special=WinnersSpecial(),
        is_highest=ExpressionWrapper(is_best, BooleanField()),
    ).filter(is_best | Q(special__gt=""))
    columns = "pk", "game", "winner", "special", "is_highest"
    return [_Told._make(row) for row in found.order_by("sent_at", "pk").values_list(*columns)]


def _shown(told: Sequence[_Told], special: Sequence[_Told]) -> dict[int, Hand]:
    """The first of the highest hands and of the special ones, in their order; one query."""
    highest = [one for one in told if one.is_highest]
    wanted = {one.pk for some in (highest, special) for one in some[:MOST_SHOWN]}
    hands = Hand.objects.select_related("game").in_bulk(wanted)
    return {one.pk: hands[one.pk] for one in told if one.pk in hands}


def _made(hand: Hand, where: Sat, name: str) -> MadeHand:
    return MadeHand(
        name=name,
        round=where.round,
        table=where.table_number,
        number=hand.number,
        score=hand.scores[where.seat],
        special=special_name(hand.lines, where.seat, hand.game.rules),
        tiles=tiles_of(hand.report, hand.lines, where.seat),
    )
