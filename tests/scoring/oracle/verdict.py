"""What a rule set says of a hand: every answer that would be right."""

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from types import ModuleType
from typing import NamedTuple

from tests.scoring.oracle import baggaley, bmja, english, safalra, tallies
from tests.scoring.oracle.classic import Way, readings
from tests.scoring.oracle.hand import Fields, Hand, faults, read
from tests.scoring.oracle.tiles import chows, suits_among

BOOKS: dict[str, ModuleType] = {
    "bmja": bmja,
    "safalra": safalra,
    "tallies": tallies,
    "baggaley": baggaley,
    "english": english,
}
JOKERS = {"bmja"}
WITHOUT_BONUS_TILES = {"safalra"}
BY_READING = {
    "bmja": {"too_many_chows"},
    "tallies": {"too_many_chows"},
    "safalra": {"too_many_chows", "mixed_suits"},
}
BY_COUNT = {"too_many_copies", "wrong_count", "long_hand"}
LEAST_DOUBLES, LEAST_POINTS = 4, 500
TWO_PLAYERS_NEED_A_MINIMUM = {"bmja", "tallies"}


class Answer(NamedTuple):
    """One right answer to a hand that can be scored."""

    total: int
    basic: int | None
    doubles: int | None
    special: str | None
    fishing: bool
    limited: bool


@dataclass(frozen=True)
class Verdict:
    """Either the problems of a hand, or every right answer; they share one total.

    `refusals` are the sets of codes that may be told: a hand with a set that is none may be
    counted or not, and where sets are not to be read nobody can say how many are chows.
    """

    refusals: frozenset[frozenset[str]] = frozenset()
    answers: frozenset[Answer] = frozenset()
    is_short: bool = False

    @property
    def valid(self) -> bool:
        """Whether the hand can be scored."""
        return not self.refusals

    @property
    def total(self) -> int | None:
        """The score after any limit; None where the hand cannot be scored."""
        return next((answer.total for answer in self.answers), None)

    @property
    def specials(self) -> set[str | None]:
        """The special hands that give the total; None among them where none is needed."""
        return {answer.special for answer in self.answers}


def refusal_verdict(sure: Iterable[str], moot: Iterable[str] = ()) -> Verdict:
    """What is wrong for sure, with some or none of what it is moot to ask."""
    codes, moot_codes = frozenset(sure), sorted(set(moot) - set(sure))
    moot_sets = [
        set(some) for size in range(len(moot_codes) + 1) for some in combinations(moot_codes, size)
    ]
    return Verdict(frozenset(codes | some for some in moot_sets if codes | some))


def judge(key: str, fields: Fields) -> Verdict:
    """The verdict of a rule set on one line of the contract's `score`."""
    codes = faults(fields, bonus_tiles=key not in WITHOUT_BONUS_TILES, jokers=key in JOKERS)
    if codes:
        return refused_unread(codes, BY_READING.get(key, set()))
    hand = read(fields)
    return judge_winner(key, hand) if hand.mahjong else judge_loser(key, hand)


def refused_unread(codes: set[str], moot: set[str]) -> Verdict:
    """What is wrong with a hand that cannot be read, and what then cannot be known."""
    if "bad_set" in codes:
        return refusal_verdict(codes - BY_COUNT, moot | BY_COUNT)
    if "unknown_tile" in codes:
        return refusal_verdict(codes - {"winning_tile_missing"}, moot | {"winning_tile_missing"})
    return refusal_verdict(codes, moot)


def judge_winner(key: str, hand: Hand) -> Verdict:
    """The verdict on a Mah-Jong."""
    candidates = set(BOOKS[key].winners(hand))
    if not candidates:
        return refused_winner(key, hand)
    if hand.players == 2 and key in TWO_PLAYERS_NEED_A_MINIMUM:
        candidates = {
            candidate
            for candidate in candidates
            if candidate.total_doubles >= LEAST_DOUBLES or candidate.score >= LEAST_POINTS
        }
    if not candidates:
        return refusal_verdict({"minimum_not_reached"})
    return best(candidates, BOOKS[key].LIMIT)


def refused_winner(key: str, hand: Hand) -> Verdict:
    """Why a Mah-Jong that nothing else is wrong with can be scored in no way."""
    spoilt = {
        "too_many_chows": hand.chows > BOOKS[key].most_chows(hand),
        "mixed_suits": key == "safalra" and len(suits_among(hand.tiles)) > 1,
    }
    chow_counts = [chows(groups) for groups in readings(hand)]
    if not chow_counts:
        return refusal_verdict(
            (), {"not_mahjong"} | {code for code, is_spoilt in spoilt.items() if is_spoilt}
        )
    spoilt["too_many_chows"] = min(chow_counts) > BOOKS[key].most_chows(hand)
    return refusal_verdict(code for code, is_spoilt in spoilt.items() if is_spoilt)


def judge_loser(key: str, hand: Hand) -> Verdict:
    """The verdict on a hand that did not win: chows on the table are all that may be too many."""
    if hand.chows > BOOKS[key].most_chows(hand):
        return refusal_verdict({"too_many_chows"})
    return best(set(BOOKS[key].losers(hand)), BOOKS[key].LIMIT, is_short=hand.size < 13)


def best(candidates: set[Way], limit: int | None, *, is_short: bool = False) -> Verdict:
    """The answers that give most."""
    answers = {answer(candidate, limit) for candidate in candidates}
    most = max(candidate_answer.total for candidate_answer in answers)
    return Verdict(answers=frozenset(a for a in answers if a.total == most), is_short=is_short)


def answer(candidate: Way, limit: int | None) -> Answer:
    """The way's answer after the limit."""
    total = candidate.score if limit is None else min(candidate.score, limit)
    return Answer(
        total,
        candidate.basic,
        candidate.doubles,
        candidate.special,
        candidate.fishing,
        total < candidate.score,
    )
