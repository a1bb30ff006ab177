"""Who made a special hand, as the database finds it in what the engine wrote of a hand."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import F, Func, Q, QuerySet, TextField
from django.db.models.functions import Cast

from clubs.models import EARLIER_GAME, Club, Player
from clubs.models.names import EVERYBODY, Person, Reader, shown_names
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import SEAT_NUMBERS, Hand, HandState, went_out_for


class WinnersSpecial(Func):
    """The key of the special hand that a hand's winner made, NULL where there is none.

    Who only fishes for one makes none. Nothing but this is read of what was written of the hand.
    """

    output_field = TextField()

    def __init__(self) -> None:
        super().__init__(F("lines"), F("winner"))

    def as_postgresql(self, compiler: Any, connection: Any, **told: Any) -> Any:
        """``lines -> '2' ->> 'special'``."""
        template = "(%(expressions)s::text ->> 'special')"
        return self.as_sql(compiler, connection, template=template, arg_joiner=" -> ", **told)

    def as_sqlite(self, compiler: Any, connection: Any, **told: Any) -> Any:
        """``JSON_EXTRACT(lines, '$."2".special')``: a number in quotes is no place in a list."""
        template = "JSON_EXTRACT(%(expressions)s || '\".special')"
        joined = ", '$.\"' || "
        return self.as_sql(compiler, connection, template=template, arg_joiner=joined, **told)


Told = Mapping[str, Any]
Tiles = tuple[tuple[str, ...], ...]


def tiles_of(report: Told, lines: Told, seat: int) -> Tiles:
    """The sets of a seat as they were counted, then its flowers and seasons, as codes of tiles.

    Empty where only the total was told.
    """
    return tuple(_groups(report.get("tiles", {}).get(str(seat), {}), lines.get(str(seat), {})))


def _groups(told: Told, counted: Told) -> Iterator[tuple[str, ...]]:
    in_hand = counted.get("arrangement") or [{"tiles": told.get("concealed", [])}]
    for group in (*told.get("sets", []), *in_hand, {"tiles": told.get("bonus", [])}):
        if group["tiles"]:
            yield tuple(group["tiles"])


def special_name(lines: Told, seat: int, rules: str) -> str:
    """What the special hand of a seat is called under these rules; empty where it is none."""
    key = lines.get(str(seat), {}).get("special")
    return special_names(rules).get(key, str(key).replace("_", " ").capitalize()) if key else ""


def special_names(rules: str) -> Mapping[str, str]:
    """The special hands of the rules with that key, by their own keys, in the book's order."""
    book = rule_set(rules)
    doubled = {hand.key: hand.name for hand in book.doubled_hands}
    return doubled | {hand.key: hand.name for hand in book.specials}


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


LIMIT_HAND = "Limit hand"
# As both databases write it; seats are the keys of the lines, and SQLite takes numbers for places.
SPECIAL = '"special": "'


@dataclass(frozen=True, slots=True)
class HandCount:
    """A hand of the rules: how often it was made, by whom, and when last."""

    title: str
    times: int
    names: tuple[str, ...]
    last_on: date


@dataclass(frozen=True, slots=True)
class SpecialBook:
    """Every special hand that went Mah-Jong on the club's evenings, the newest first.

    Those that came to the limit without a name are among them. ``made`` are the hands by name, the
    most often made first and those without a name last; ``waiting`` are the special hands of the
    club's rules that nobody has made.
    """

    rules: str
    hands: tuple[MadeHand, ...]
    made: tuple[HandCount, ...]
    waiting: tuple[str, ...]


def special_book(club: Club, *, reader: Reader = EVERYBODY) -> SpecialBook:
    """The whole book as the score book has it now, corrections and all; one query."""
    hands = made_hands(filter(_is_special, _told(club)), reader)
    made = _counts(hands)
    titles = {one.title for one in made}
    named = special_names(club.rules).values()
    return SpecialBook(
        rules=rule_set(club.rules).name,
        hands=hands,
        made=made,
        waiting=tuple(title for title in named if title not in titles),
    )


def title_of(hand: MadeHand) -> str:
    """What the book calls the hand."""
    return hand.special or LIMIT_HAND


def _told(club: Club) -> QuerySet[Any]:
    """The winners' hands in which someone had a special one, or the winner the limit."""
    at_limit = reduce(
        or_, (Q(winner=seat, **{f"score_{seat}__gte": F("limit")}) for seat in SEAT_NUMBERS)
    )
    hands = seated_hands(**{f"{TABLE}__session__club": club}).filter(seat=F("winner"))
    told = hands.annotate(told=Cast("lines", TextField()))
    special: QuerySet[Any] = told.filter(at_limit | Q(told__contains=SPECIAL))
    return special.order_by("-day", "-table", "-number")


def _is_special(hand: Hand) -> bool:
    """Whether it was the winner's: who only fishes for a special hand makes none."""
    seat = hand.winner or 0
    is_named = bool(hand.lines.get(str(seat), {}).get("special"))
    return is_named or (hand.limit is not None and hand.scores[seat] >= hand.limit)


def _counts(hands: Sequence[MadeHand]) -> tuple[HandCount, ...]:
    made: dict[str, list[MadeHand]] = defaultdict(list)
    for hand in hands:
        made[title_of(hand)].append(hand)
    counts = [
        HandCount(title, len(own), tuple(dict.fromkeys(one.name for one in own)), own[0].day)
        for title, own in made.items()
    ]
    return tuple(sorted(counts, key=lambda one: (one.title == LIMIT_HAND, -one.times, one.title)))
