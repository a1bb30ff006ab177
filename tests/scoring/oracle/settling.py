"""Who pays whom for a hand, as each of the five books says."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from tests.scoring.oracle.hand import Fields
from tests.scoring.oracle.tiles import CLAIMED, NUMBER_OF_WIND, WAYS_TO_WIN

Payment = tuple[str, str, int]
LIMITS = {"bmja": 1000, "tallies": 2000}
SCORES_ONLY_ADD_UP = {"safalra", "baggaley"}


@dataclass(frozen=True)
class Settlement:
    """The payments above nothing, payer, payee and points; and what each seat gains in all."""

    payments: tuple[Payment, ...] = ()
    gain: dict[str, int] = field(default_factory=dict)
    problem_codes: frozenset[str] = frozenset()


def settle(key: str, fields: Fields) -> Settlement:
    """The settlement of one line of the contract's `settle`."""
    codes = frozenset(wrong(key, fields))
    if codes:
        return Settlement(problem_codes=codes)
    scores, winner = fields["scores"], fields["winner"]
    if winner is None:
        return Settlement(gain=dict.fromkeys(scores, 0))
    if key in SCORES_ONLY_ADD_UP:
        return Settlement(gain=dict(scores))
    return of_payments(scores, liable(fields, list(payments(key, fields))))


def wrong(key: str, fields: Fields) -> Iterator[str]:
    """The codes of what is wrong, where the scores are numbers."""
    scores, winner = fields["scores"], fields["winner"]
    named = [winner, *(fields.get(name) for name in ("dealer", "discarder", "pays_for_all"))]
    if any(seat not in (None, *NUMBER_OF_WIND) for seat in (*scores, *named)):
        yield "bad_wind"
        return
    if len(scores) < 2 or "E" not in scores:
        yield "bad_seat"
    if winner is None:
        return
    if any(score < 0 or score > LIMITS.get(key, score) for score in scores.values()):
        yield "bad_score"
    others = [fields.get("discarder"), fields.get("pays_for_all")]
    if winner not in scores or any(seat not in (None, *scores) for seat in others):
        yield "bad_seat"
    if winner in others or fields.get("dealer", "E") not in scores:
        yield "bad_seat"
    yield from wrong_ending(key, fields)


def wrong_ending(key: str, fields: Fields) -> Iterator[str]:
    won_by = fields.get("won_by")
    if won_by not in (None, *WAYS_TO_WIN):
        yield "bad_value"
    if key == "tallies" and won_by is None:
        yield "won_by_missing"
    if key == "tallies" and won_by in CLAIMED and fields.get("discarder") is None:
        yield "discarder_missing"


def payments(key: str, fields: Fields) -> Iterator[Payment]:
    """What is paid when everyone pays for himself."""
    if key == "tallies":
        yield from tallies_payments(fields)
        return
    scores, winner = fields["scores"], fields["winner"]
    two_seats_of_bmja = key == "bmja" and len(scores) == 2
    for loser in scores:
        if loser == winner:
            continue
        double = "E" in (loser, winner) and not two_seats_of_bmja
        yield loser, winner, scores[winner] * (2 if double else 1)
    yield from between_losers(scores, winner)


def between_losers(scores: dict[str, int], winner: str) -> Iterator[Payment]:
    """The lower of two losers pays the higher the difference, twice if one of them is East."""
    losers = [seat for seat in scores if seat != winner]
    for low in losers:
        for high in losers:
            if scores[low] < scores[high]:
                share = scores[high] - scores[low]
                yield low, high, share * (2 if "E" in (low, high) else 1)


def tallies_payments(fields: Fields) -> Iterator[Payment]:
    """Only the winner is paid: by everyone if he drew his tile, else by the discarder."""
    scores, winner = fields["scores"], fields["winner"]
    dealer = fields.get("dealer", "E") if len(scores) > 2 else None
    for payer in scores:
        if payer == winner:
            continue
        share = scores[winner] * (2 if dealer in (payer, winner) else 1)
        if fields["won_by"] not in CLAIMED:
            yield payer, winner, share
        elif payer == fields["discarder"]:
            yield payer, winner, 2 * share


def liable(fields: Fields, shares: list[Payment]) -> list[Payment]:
    """One payment of all the winner's shares, where someone pays for all."""
    payer, winner = fields.get("pays_for_all"), fields["winner"]
    if payer is None:
        return shares
    return [(payer, winner, sum(points for _payer, payee, points in shares if payee == winner))]


def of_payments(scores: dict[str, int], paid: list[Payment]) -> Settlement:
    """The payments above nothing and what they come to."""
    gain = Counter(dict.fromkeys(scores, 0))
    for payer, payee, points in paid:
        gain[payer] -= points
        gain[payee] += points
    return Settlement(tuple(sorted(payment for payment in paid if payment[2])), dict(gain))
