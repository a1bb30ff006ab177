"""Which totals are possible at all: every one has a hand behind it that scores just so much.

Tables of piles and the values of special hands say which totals there may be; a total is possible
when `score` gives it to a hand.
"""

from bisect import bisect_left, bisect_right
from dataclasses import replace
from functools import lru_cache
from itertools import islice, product
from threading import Lock
from typing import Final

from scoring.hands import Hand, Kind, codes_of
from scoring.marks import HOLDS, LAST_TILE, SET_OF
from scoring.reckoning import check, score
from scoring.rules import RuleSet
from scoring.tiles import PLACE, WINDS, Wind
from scoring.totals.known import Totals, known_totals
from scoring.totals.special_values import special_hands
from scoring.totals.tables import candidates
from scoring.totals.worths import Worths

_TRIES: Final = 300
_MOST_PLAY: Final = 4
_TABLES_KEPT: Final = 64
_ONE_AT_A_TIME: Final = Lock()


def possible_totals(
    rules: RuleSet,
    *,
    won: bool,
    seat_wind: Wind,
    prevailing_wind: Wind | None = None,
    players: int = 4,
    goulash: bool = False,
    dealer: bool | None = None,
) -> Totals:
    """Every total, in points after the limit, that a player of that wind can score; in order.

    `won`: a Mah-Jong, or the hand of another player. `dealer`: None, whether the seat is East.
    """
    if not won and not rules.losers_score:
        return (0,)
    told = standing_in(
        rules,
        won=won,
        seat_wind=seat_wind,
        prevailing_wind=prevailing_wind,
        players=players,
        goulash=goulash,
        dealer=dealer,
    )
    known = known_totals(told, rules)
    return reckoned_totals(told, rules) if known is None else known


def standing_in(
    rules: RuleSet,
    *,
    won: bool,
    seat_wind: Wind,
    prevailing_wind: Wind | None,
    players: int,
    goulash: bool,
    dealer: bool | None,
) -> Hand:
    """The player, told without tiles, who scores just what this one does: many are alike."""
    told = _told(rules, seat_wind, prevailing_wind, dealer=dealer)
    told = replace(told, mahjong=won, players=players, goulash=goulash)
    return _in_the_place_of(told, rules)


def witness(
    total: int,
    rules: RuleSet,
    *,
    won: bool,
    seat_wind: Wind,
    prevailing_wind: Wind | None = None,
    players: int = 4,
    goulash: bool = False,
    dealer: bool | None = None,
) -> Hand | None:
    """A hand that scores just so many points; None where there is none.

    A hand that did not win may be short of tiles: what would score nothing is left out.
    """
    told = _told(rules, seat_wind, prevailing_wind, dealer=dealer)
    told = replace(told, mahjong=won, players=players, goulash=goulash)
    if not won and not rules.losers_score:
        return None if total else told
    return _witnesses(told, rules).get(total)


def nearest(total: int, totals: Totals) -> tuple[int | None, int | None]:
    """The greatest possible total below and the least above; None where there is none."""
    below, above = bisect_left(totals, total), bisect_right(totals, total)
    return (
        totals[below - 1] if below else None,
        totals[above] if above < len(totals) else None,
    )


def _told(rules: RuleSet, seat: Wind, prevailing: Wind | None, *, dealer: bool | None) -> Hand:
    """A hand without tiles, as its table tells of it."""
    return Hand(
        seat_wind=seat,
        prevailing_wind=prevailing if rules.passing.prevailing else None,
        dealer=seat is Wind.E if dealer is None else dealer,
    )


def reckoned_totals(told: Hand, rules: RuleSet) -> Totals:
    """What a player told so can score, from the tables of all hands: it takes seconds."""
    return tuple(_witnesses(told, rules))


def _in_the_place_of(told: Hand, rules: RuleSet) -> Hand:
    """A player who scores just what this one does: most rules know only own and prevailing winds.

    East stays East; everyone else is taken for South, and a table is taken for the fullest at
    which the same hands are allowed.
    """
    told = replace(told, players=_at_the_fullest_table(told, rules))
    if not _winds_are_alike(rules):
        return told
    seat = Wind.E if told.seat_wind is Wind.E else Wind.S
    other = Wind.S if seat is Wind.E else Wind.E
    prevailing = seat if told.prevailing_wind is told.seat_wind else other
    return replace(
        told, seat_wind=seat, prevailing_wind=None if told.prevailing_wind is None else prevailing
    )


def _at_the_fullest_table(told: Hand, rules: RuleSet) -> int:
    def asked(players: int) -> tuple[int, bool]:
        least = rules.minimum
        chows = rules.chows.allowed(players, goulash=told.goulash)
        return chows, least is not None and told.mahjong and players <= least.players

    here, most = asked(told.players), max(_MOST_PLAY, told.players)
    return max(players for players in range(told.players, most + 1) if asked(players) == here)


@lru_cache(_TABLES_KEPT)
def _winds_are_alike(rules: RuleSet) -> bool:
    """Whether no rule names one of the winds and not the others."""
    asked = [
        question for won in (False, True) for question in Worths(rules, won=won).questions.asked
    ]
    of_winds = [[of_tile[tile] for tile in WINDS] for of_tile in (HOLDS, SET_OF, LAST_TILE)]
    sets = rules.book.prices(Wind.E, None).sets
    others = [PLACE[tile] for tile in WINDS[1:]]
    return all(
        len({(bool(mask & mark), bool(want & mark)) for mark in marks}) == 1
        for mask, want in asked
        for marks in of_winds
    ) and all(
        len({sets[codes_of(kind, exposed=exposed)[place]][:2] for place in others}) == 1
        for kind, exposed in product((Kind.PAIR, Kind.PUNG, Kind.KONG), (False, True))
    )


def _witnesses(told: Hand, rules: RuleSet) -> dict[int, Hand]:
    """For every total that such a player can score, in order, a hand that does.

    The first answer takes seconds: threads that ask meanwhile wait for it instead of working too.
    """
    with _ONE_AT_A_TIME:
        return _found(told, rules)


@lru_cache(_TABLES_KEPT)
def _found(told: Hand, rules: RuleSet) -> dict[int, Hand]:
    found: dict[int, Hand] = {}
    for hand in special_hands(told, rules):
        _try(hand, rules, found)
    for table in candidates(told, rules):
        for total in table.totals:
            for hand in islice(table.hands(total), _TRIES):
                if total in found:
                    break
                _try(hand, rules, found)
    return dict(sorted(found.items()))


def _try(hand: Hand, rules: RuleSet, found: dict[int, Hand]) -> None:
    """Note what the hand scores, if it is one."""
    if not check(hand, rules):
        found.setdefault(score(hand, rules).total, hand)
