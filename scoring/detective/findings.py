"""What the detective finds: a slip, the sentence that says what to do, and the right figures."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Final

MOST = 5


class Slip(StrEnum):
    """The kinds of slip, in the order in which they are believed where several explain a sheet.

    A kind that can happen in one or two ways stands before one that can happen in many: it
    hardly ever explains a sheet by chance.
    """

    DRAWN_HAND_PAID = "drawn_hand_paid"
    BELOW_NOTHING = "below_nothing"
    LIMIT_NOT_APPLIED = "limit_not_applied"
    TAKEN_FOR_THE_LIMIT = "taken_for_the_limit"
    TOTAL_MISSING = "total_missing"
    EAST_NOT_DOUBLED = "east_not_doubled"
    LOSERS_DID_NOT_SETTLE = "losers_did_not_settle"
    WINNER_NOT_PAID = "winner_not_paid"
    SIGN = "sign"
    WRONG_WAY = "wrong_way"
    NOT_DOUBLED = "not_doubled"
    LEFT_OUT = "left_out"
    DOUBLED_TWICE = "doubled_twice"
    WRONGLY_DOUBLED = "wrongly_doubled"
    PAID_BY_EACH = "paid_by_each"
    WRONG_PAYER = "wrong_payer"
    SEATS_SWAPPED = "seats_swapped"
    TOTALS_SWAPPED = "totals_swapped"
    WINNER_PAID_ONCE = "winner_paid_once"
    WINNER_PAID_A_LOSER = "winner_paid_a_loser"
    WRONG_EAST = "wrong_east"
    WRONG_WINNER = "wrong_winner"
    WHOLE_SCORE_PAID = "whole_score_paid"
    WRONG_PLAYER = "wrong_player"
    DOUBLE_IN_A_TOTAL = "double_in_a_total"
    DOUBLE_FORGOTTEN = "double_forgotten"
    DOUBLE_TOO_MANY = "double_too_many"
    POINTS_FORGOTTEN = "points_forgotten"
    POINTS_NOT_DOUBLED = "points_not_doubled"
    COUNTED_AS_CONCEALED = "counted_as_concealed"
    COUNTED_AS_EXPOSED = "counted_as_exposed"
    COUNTED_TWICE = "counted_twice"
    POINTS_NOT_EARNED = "points_not_earned"
    NOT_DOUBLED_AT_ALL = "not_doubled_at_all"
    DOUBLES_MULTIPLIED = "doubles_multiplied"
    SET_MISTAKEN = "set_mistaken"
    GAIN_LEFT_OUT = "gain_left_out"
    GAIN_TURNED = "gain_turned"
    GAIN_TWICE = "gain_twice"
    ROW_ABOVE = "row_above"
    GAIN_OF_ANOTHER = "gain_of_another"
    SWAPPED_DIGITS = "swapped_digits"
    NOUGHT = "nought"
    TURNED_IN_A_SUM = "turned_in_a_sum"
    LEFT_OUT_OF_A_SUM = "left_out_of_a_sum"
    NOT_DOUBLED_IN_A_SUM = "not_doubled_in_a_sum"
    DOUBLED_IN_A_SUM = "doubled_in_a_sum"
    MISREAD_DIGIT = "misread_digit"
    CARRY = "carry"
    WRONG_DIGIT = "wrong_digit"
    TWO_SLIPS = "two_slips"
    ANOTHER_TOTAL = "another_total"
    WRONG_PAYMENT = "wrong_payment"
    WRONG_SUM = "wrong_sum"
    UNEXPLAINED = "unexplained"


BELIEVED: Final = {slip: place for place, slip in enumerate(Slip)}
VAGUE: Final = frozenset({Slip.ANOTHER_TOTAL, Slip.WRONG_PAYMENT, Slip.WRONG_SUM})


@dataclass(frozen=True, slots=True)
class Finding:
    """A slip that would explain what is written; `likelihood` 1 is the likeliest.

    `seats` are those it touches. `corrected` gives the right figure, in points, for each field
    that changes: `scores.W`, `gain.W`, `total`, or `rows.3.carried.Ann` (rows from 0).
    """

    kind: Slip
    seats: tuple[str, ...]
    sentence: str
    corrected: Mapping[str, int]
    likelihood: int = 1


def ranked(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The few that are believed most, the likeliest first, each sentence once."""
    once = {finding.sentence: finding for finding in findings}
    order = sorted(once.values(), key=lambda finding: BELIEVED[finding.kind])
    return tuple(
        replace(finding, likelihood=place) for place, finding in enumerate(order[:MOST], start=1)
    )


def plain(points: int) -> str:
    """A figure as a sheet has it: 1,096, −64, 0."""
    return f"{points:,}".replace("-", "−")


def signed(points: int) -> str:
    """A gain as a sheet has it: +1,096, −64, 0."""
    return f"+{plain(points)}" if points > 0 else plain(points)
