"""The club's book of special hands: who made which, when, and which nobody has made yet."""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import reduce
from operator import or_
from typing import Any

from django.db.models import F, Q, QuerySet, TextField
from django.db.models.functions import Cast

from clubs.madehands import special_names
from clubs.models import Club
from clubs.models.names import EVERYBODY, Reader
from clubs.selectors.made_hands import TABLE, MadeHand, made_hands, seated_hands
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import SEAT_NUMBERS, Hand

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
