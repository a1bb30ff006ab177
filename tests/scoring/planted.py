"""Slips planted on purpose, to measure how well the detective names them."""

import random
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from typing import NamedTuple

from scoring import Line, Payment, Reckoning, Wind, hand_from_json, rule_set, score, settle
from scoring.detective import Finding, Slip, examine_claim, examine_row
from scoring.hands.tiles import BONUS_TILES
from tests.scoring.worked import scored_cases


class Told(NamedTuple):
    """Whether a planted slip was named first, or in the first three; whether the first mends it."""

    first: bool
    in_three: bool
    is_mended: bool


class Rates(NamedTuple):
    """The shares of planted slips that were `Told` so."""

    first: float
    in_three: float
    mended_share: float


def judge_findings(
    findings: Sequence[Finding], kind: Slip, seats: set[str], *, is_mended: bool
) -> Told:
    """How the findings name a slip of this kind at these seats."""
    matches = [slip.kind == kind and set(slip.seats) == seats for slip in findings]
    return Told(matches[0], any(matches[:3]), is_mended)


def rates(outcomes: Iterator[Told], number: int) -> Rates:
    """The share of each answer to so many planted slips."""
    answers = zip(*islice(outcomes, number), strict=True)
    first, in_three, mended_share = (sum(answer) / number for answer in answers)
    return Rates(first, in_three, mended_share)


BMJA = rule_set("bmja")
Miscount = Callable[[Reckoning, random.Random], int | None]


def worked_hands() -> list[Reckoning]:
    """The worked hands that score points doubled."""
    worked_cases = [case for case in scored_cases("bmja") if case["expected"].get("basic")]
    return [score(hand_from_json(case["fields"], BMJA), BMJA) for case in worked_cases]


def leave_line_out(name: Callable[[Line], bool]) -> Miscount:
    """One such line of points or doubles left out."""

    def miscount(right: Reckoning, chance: random.Random) -> int | None:
        fitting = [line for line in right.lines if name(line)]
        if not fitting:
            return None
        line = chance.choice(fitting)
        return counted_total(right, missing_points=line.points or 0, fewer=line.doubles or 0)

    return miscount


def counted_total(right: Reckoning, *, missing_points: int = 0, fewer: int = 0) -> int:
    assert right.basic is not None
    assert right.doubles is not None
    return min((right.basic - missing_points) << max(right.doubles - fewer, 0), 1000)


def a_double_more(right: Reckoning, _chance: random.Random) -> int:
    return counted_total(right, fewer=-1)


def bonus_added_after_doubling(right: Reckoning, _chance: random.Random) -> int | None:
    bonus = sum(line.points or 0 for line in right.lines if of_a_bonus_tile(line))
    return counted_total(right, missing_points=bonus) + bonus if bonus else None


def twenty_added_after_doubling(right: Reckoning, _chance: random.Random) -> int | None:
    going_out = any(line.name == "Mah-Jong" for line in right.lines)
    return counted_total(right, missing_points=20) + 20 if going_out else None


def limit_ignored(right: Reckoning, _chance: random.Random) -> int | None:
    assert right.basic is not None
    assert right.doubles is not None
    return right.basic << right.doubles if right.is_limited else None


def a_set_as(exposed: str) -> Miscount:
    """A pung or kong counted twice or half for being concealed or exposed."""

    def miscount(right: Reckoning, chance: random.Random) -> int | None:
        sets = [line for line in right.lines if len(line.tiles) > 2 and line.points]
        if not sets:
            return None
        line = chance.choice(sets)
        standing = {tuple(tile_set.tiles): tile_set.exposed for tile_set in right.arrangement}
        if standing.get(line.tiles) is not (exposed == "exposed"):
            return None
        points = line.points or 0
        return counted_total(
            right, missing_points=points // 2 if exposed == "concealed" else -points
        )

    return miscount


def digits_of_the_total_swapped(right: Reckoning, chance: random.Random) -> int:
    return digits_swapped(right.total, chance)


def is_drawn(line: Line) -> bool:
    return line.name == "Winning tile drawn from the wall"


def of_a_bonus_tile(line: Line) -> bool:
    return bool(line.points) and len(line.tiles) == 1 and line.tiles[0] in BONUS_TILES


CLAIMS: Mapping[str, tuple[Slip, Miscount]] = {
    "double forgotten": (Slip.DOUBLE_FORGOTTEN, leave_line_out(lambda line: line.doubles == 1)),
    "one double too many": (Slip.DOUBLE_TOO_MANY, a_double_more),
    "Mah-Jong forgotten": (
        Slip.POINTS_FORGOTTEN,
        leave_line_out(lambda line: line.name == "Mah-Jong"),
    ),
    "drawn tile forgotten": (Slip.POINTS_FORGOTTEN, leave_line_out(is_drawn)),
    "bonus tile forgotten": (Slip.POINTS_FORGOTTEN, leave_line_out(of_a_bonus_tile)),
    "pair forgotten": (
        Slip.POINTS_FORGOTTEN,
        leave_line_out(lambda line: line.name.startswith("Pair")),
    ),
    "bonus tiles not doubled": (Slip.POINTS_NOT_DOUBLED, bonus_added_after_doubling),
    "Mah-Jong not doubled": (Slip.POINTS_NOT_DOUBLED, twenty_added_after_doubling),
    "limit not applied": (Slip.LIMIT_NOT_APPLIED, limit_ignored),
    "exposed set as concealed": (Slip.COUNTED_AS_CONCEALED, a_set_as("exposed")),
    "concealed set as exposed": (Slip.COUNTED_AS_EXPOSED, a_set_as("concealed")),
    "digits swapped": (Slip.SWAPPED_DIGITS, digits_of_the_total_swapped),
}


def claim_rates(name: str, claims: int) -> Rates:
    """How well the detective names the slip in so many claims that it makes wrong.

    The right total is known here, so `mended` is the share that something explains.
    """
    return rates(_of_claims(name), claims)


def _of_claims(name: str) -> Iterator[Told]:
    kind, miscount = CLAIMS[name]
    chance, hands = random.Random(f"{name} 1"), worked_hands()
    while True:
        right = chance.choice(hands)
        claimed_total = miscount(right, chance)
        if claimed_total is not None and claimed_total != right.total:
            findings = examine_claim(claimed_total, right, BMJA)
            yield judge_findings(
                findings, kind, set(), is_mended=findings[0].kind is not Slip.UNEXPLAINED
            )


HOUSE = replace(BMJA, limit=None)
LOOKALIKES = {"1": "7", "7": "1", "3": "8", "8": "3", "6": "0", "0": "6", "4": "9", "9": "4"}
Points = dict[Wind, int]


@dataclass(frozen=True)
class Sheet:
    """A row as it is written: totals, gains, and who went Mah-Jong."""

    scores: Points
    gains: Points
    winner: Wind

    @property
    def losers(self) -> list[Wind]:
        return [seat for seat in self.scores if seat != self.winner]


class Planted(NamedTuple):
    """A row with a slip in it, the seats that the slip touches, and the row without it."""

    sheet: Sheet
    seats: set[Wind]
    right: Sheet


Planter = Callable[[Sheet, random.Random], Planted | None]


def deal_sheet(chance: random.Random) -> Sheet:
    """A right row: a plausible Mah-Jong, plausible losers, mostly four of them."""
    seats = list(Wind) if chance.random() < 0.85 else list(Wind)[:3]
    winner = chance.choice(seats)
    scores = {seat: chance.randrange(0, 40, 2) << chance.choice([0, 0, 1, 2, 3]) for seat in seats}
    scores[winner] = min(chance.randrange(22, 62, 2) << chance.choice([0, 1, 1, 2, 3, 4]), 1000)
    return Sheet(scores, right_gains(scores, winner), winner)


def right_gains(scores: Points, winner: Wind) -> Points:
    return dict(settle(scores, winner=winner, rules=HOUSE).gain)


def payments(sheet: Sheet) -> list[Payment]:
    return list(settle(sheet.scores, winner=sheet.winner, rules=BMJA).payments)


def paying(sheet: Sheet, paid: Iterable[Payment]) -> Sheet:
    """The row with these payments alone."""
    gains = dict.fromkeys(sheet.scores, 0)
    for payment in paid:
        gains[payment.payer] -= payment.points
        gains[payment.payee] += payment.points
    return replace(sheet, gains=gains)


def times(factor: float, *, east: bool, winner: bool | None = None) -> Planter:
    """One payment counted so many times: one with East or without, to the winner or not."""

    def plant(sheet: Sheet, chance: random.Random) -> Planted | None:
        paid = payments(sheet)
        fitting = [
            index
            for index, payment in enumerate(paid)
            if (Wind.E in {payment.payer, payment.payee}) == east
            and winner in {None, payment.payee == sheet.winner}
        ]
        if not fitting:
            return None
        index = chance.choice(fitting)
        payment = paid[index]
        paid[index] = payment_of(payment, int(payment.points * factor))
        return Planted(paying(sheet, paid), {payment.payer, payment.payee}, sheet)

    return plant


def payment_of(payment: Payment, points: int) -> Payment:
    return Payment(payment.payer, payment.payee, points)


def all_of_east(factor: float) -> Planter:
    def plant(sheet: Sheet, _chance: random.Random) -> Planted:
        paid = [
            payment_of(
                paid, int(paid.points * (factor if Wind.E in {paid.payer, paid.payee} else 1))
            )
            for paid in payments(sheet)
        ]
        return Planted(paying(sheet, paid), {Wind.E}, sheet)

    return plant


def losers_do_not_settle(sheet: Sheet, _chance: random.Random) -> Planted | None:
    if len(sheet.losers) < 3:
        return None
    paid = [payment for payment in payments(sheet) if payment.payee == sheet.winner]
    return Planted(paying(sheet, paid), set(sheet.losers), sheet)


def winner_paid_once(sheet: Sheet, chance: random.Random) -> Planted | None:
    if len(sheet.losers) < 3:
        return None
    payer = chance.choice(sheet.losers)
    paid = [
        payment
        for payment in payments(sheet)
        if payment.payee != sheet.winner or payment.payer == payer
    ]
    return Planted(paying(sheet, paid), {sheet.winner}, sheet)


def winner_pays_the_better_loser(sheet: Sheet, _chance: random.Random) -> Planted | None:
    best = max(sheet.losers, key=sheet.scores.__getitem__)
    difference = sheet.scores[best] - sheet.scores[sheet.winner]
    if difference <= 0:
        return None
    points = difference * (2 if Wind.E in {best, sheet.winner} else 1)
    paid = [*payments(sheet), Payment(sheet.winner, best, points)]
    return Planted(paying(sheet, paid), {best, sheet.winner}, sheet)


def entered_for_another(sheet: Sheet, chance: random.Random) -> Planted:
    paid = payments(sheet)
    index = chance.randrange(len(paid))
    payment = paid[index]
    other_seats = [seat for seat in sheet.scores if seat not in {payment.payer, payment.payee}]
    other_seat = chance.choice(other_seats)
    paid[index] = Payment(payment.payer, other_seat, payment.points)
    return Planted(paying(sheet, paid), {payment.payee, other_seat}, sheet)


def prevailing_wind_doubled(sheet: Sheet, chance: random.Random) -> Planted:
    other_seat = chance.choice([seat for seat in sheet.scores if seat != Wind.E])

    def double(payment: Payment) -> Payment:
        pair = {payment.payer, payment.payee}
        points = payment.points // 2 if Wind.E in pair else payment.points
        return payment_of(payment, points * 2 if other_seat in pair else points)

    return Planted(paying(sheet, map(double, payments(sheet))), {Wind.E, other_seat}, sheet)


def payment_miswritten(miswrite: Callable[[int, random.Random], int]) -> Planter:
    def plant(sheet: Sheet, chance: random.Random) -> Planted | None:
        paid = payments(sheet)
        index = chance.randrange(len(paid))
        payment = paid[index]
        paid[index] = payment_of(payment, miswrite(payment.points, chance))
        return Planted(paying(sheet, paid), {payment.payer, payment.payee}, sheet)

    return plant


def gain_miswritten(miswrite: Callable[[int, random.Random], int]) -> Planter:
    def plant(sheet: Sheet, chance: random.Random) -> Planted:
        seat = chance.choice(list(sheet.gains))
        gains = sheet.gains | {seat: miswrite(sheet.gains[seat], chance)}
        return Planted(replace(sheet, gains=gains), {seat}, sheet)

    return plant


def total_miswritten(miswrite: Callable[[int, random.Random], int]) -> Planter:
    def plant(sheet: Sheet, chance: random.Random) -> Planted | None:
        seat = chance.choice(list(sheet.scores))
        total = miswrite(sheet.scores[seat], chance)
        if not 0 <= total <= 1000:
            return None
        return Planted(replace(sheet, scores=sheet.scores | {seat: total}), {seat}, sheet)

    return plant


def gains_exchanged(sheet: Sheet, chance: random.Random) -> Planted:
    seat, other_seat = chance.sample(list(sheet.gains), 2)
    gains = sheet.gains | {seat: sheet.gains[other_seat], other_seat: sheet.gains[seat]}
    return Planted(replace(sheet, gains=gains), {seat, other_seat}, sheet)


def totals_exchanged(sheet: Sheet, chance: random.Random) -> Planted:
    seat, other_seat = chance.sample(list(sheet.scores), 2)
    scores = sheet.scores | {seat: sheet.scores[other_seat], other_seat: sheet.scores[seat]}
    return Planted(replace(sheet, scores=scores), {seat, other_seat}, sheet)


def settled_above_the_limit(sheet: Sheet, chance: random.Random) -> Planted:
    high_score = chance.randrange(1002, 2600, 2)
    limited_scores = sheet.scores | {sheet.winner: 1000}
    right = Sheet(limited_scores, right_gains(limited_scores, sheet.winner), sheet.winner)
    gains = right_gains(sheet.scores | {sheet.winner: high_score}, sheet.winner)
    scores = sheet.scores | {sheet.winner: chance.choice([high_score, 1000])}
    return Planted(Sheet(scores, gains, sheet.winner), {sheet.winner}, right)


def one_sum_amiss(factor: int) -> Planter:
    """One payment added so many times too often to one of the two gains that it belongs to."""

    def plant(sheet: Sheet, chance: random.Random) -> Planted:
        payment = chance.choice(payments(sheet))
        seat = chance.choice([payment.payer, payment.payee])
        points = payment.points if seat == payment.payee else -payment.points
        gains = sheet.gains | {seat: sheet.gains[seat] + factor * points}
        return Planted(replace(sheet, gains=gains), {seat}, sheet)

    return plant


def plant_both(first_planter: Planter, second_planter: Planter) -> Planter:
    """Two slips in one row, the second on what the first has left."""

    def plant(sheet: Sheet, chance: random.Random) -> Planted | None:
        first = first_planter(sheet, chance)
        second = second_planter(first.sheet, chance) if first else None
        if first is None or second is None or second.sheet == first.sheet:
            return None
        return Planted(second.sheet, first.seats | second.seats, sheet)

    return plant


def turn_sign(points: int, _chance: random.Random) -> int:
    return -points


def digits_swapped(points: int, chance: random.Random) -> int:
    digits = list(str(abs(points)))
    places = [position for position in range(len(digits) - 1) if position or digits[1] != "0"]
    if not places:
        return points
    position = chance.choice(places)
    digits[position], digits[position + 1] = digits[position + 1], digits[position]
    return int("".join(digits)) * (1 if points > 0 else -1)


def nought_slipped(points: int, chance: random.Random) -> int:
    if points % 10 == 0 and chance.random() < 0.5:
        return points // 10
    return points * 10


def digit_misread(points: int, chance: random.Random) -> int:
    digits = list(str(abs(points)))
    places = [position for position, digit in enumerate(digits) if digit in LOOKALIKES]
    if not places:
        return points
    position = chance.choice(places)
    digits[position] = LOOKALIKES[digits[position]]
    return int("".join(digits)) * (1 if points > 0 else -1)


def carried_wrongly(points: int, chance: random.Random) -> int:
    return points + chance.choice([10, -10, 100, -100])


def doubled_otherwise(points: int, chance: random.Random) -> int:
    return points * 2 if points % 4 or chance.random() < 0.5 else points // 2


NOT_DOUBLED = times(0.5, east=True)
SIGN_FORGOTTEN = gain_miswritten(turn_sign)
SWAPPED_GAIN = gain_miswritten(digits_swapped)

ROWS: Mapping[str, tuple[Slip, Planter]] = {
    "minus sign forgotten": (Slip.SIGN, SIGN_FORGOTTEN),
    "gain: digits swapped": (Slip.SWAPPED_DIGITS, SWAPPED_GAIN),
    "gain: nought": (Slip.NOUGHT, gain_miswritten(nought_slipped)),
    "gain: digit misread": (Slip.MISREAD_DIGIT, gain_miswritten(digit_misread)),
    "gain: carried wrongly": (Slip.CARRY, gain_miswritten(carried_wrongly)),
    "gain: payment left out": (Slip.LEFT_OUT_OF_A_SUM, one_sum_amiss(-1)),
    "gain: payment's sign": (Slip.TURNED_IN_A_SUM, one_sum_amiss(-2)),
    "gains exchanged": (Slip.SEATS_SWAPPED, gains_exchanged),
    "total: digits swapped": (Slip.SWAPPED_DIGITS, total_miswritten(digits_swapped)),
    "total: nought": (Slip.NOUGHT, total_miswritten(nought_slipped)),
    "total: digit misread": (Slip.MISREAD_DIGIT, total_miswritten(digit_misread)),
    "total: carried wrongly": (Slip.CARRY, total_miswritten(carried_wrongly)),
    "total: doubled otherwise": (Slip.DOUBLE_IN_A_TOTAL, total_miswritten(doubled_otherwise)),
    "totals exchanged": (Slip.TOTALS_SWAPPED, totals_exchanged),
    "limit not applied": (Slip.LIMIT_NOT_APPLIED, settled_above_the_limit),
    "one payment not doubled": (Slip.NOT_DOUBLED, NOT_DOUBLED),
    "East not doubled at all": (Slip.EAST_NOT_DOUBLED, all_of_east(0.5)),
    "one payment doubled twice": (Slip.DOUBLED_TWICE, times(2, east=True)),
    "everything doubled twice": (Slip.DOUBLED_TWICE, all_of_east(2)),
    "another's payment doubled": (Slip.WRONGLY_DOUBLED, times(2, east=False)),
    "another doubled as East": (Slip.WRONG_EAST, prevailing_wind_doubled),
    "difference the wrong way": (Slip.WRONG_WAY, times(-1, east=False, winner=False)),
    "East's difference the wrong way": (Slip.WRONG_WAY, times(-1, east=True, winner=False)),
    "pair of losers left out": (Slip.LEFT_OUT, times(0, east=False, winner=False)),
    "losers did not settle": (Slip.LOSERS_DID_NOT_SETTLE, losers_do_not_settle),
    "winner paid once": (Slip.WINNER_PAID_ONCE, winner_paid_once),
    "winner paid a loser": (Slip.WINNER_PAID_A_LOSER, winner_pays_the_better_loser),
    "payment entered for another": (Slip.WRONG_PLAYER, entered_for_another),
    "payment: digits swapped": (Slip.SWAPPED_DIGITS, payment_miswritten(digits_swapped)),
    "payment: digit misread": (Slip.MISREAD_DIGIT, payment_miswritten(digit_misread)),
    "payment: nought": (Slip.NOUGHT, payment_miswritten(nought_slipped)),
    "not doubled, sign forgotten": (Slip.TWO_SLIPS, plant_both(NOT_DOUBLED, SIGN_FORGOTTEN)),
    "not doubled, digits swapped": (Slip.TWO_SLIPS, plant_both(NOT_DOUBLED, SWAPPED_GAIN)),
    "sign forgotten, digits swapped": (Slip.TWO_SLIPS, plant_both(SIGN_FORGOTTEN, SWAPPED_GAIN)),
}


def row_rates(name: str, rows: int) -> Rates:
    """How well the detective names the slip in so many rows of which it spoils something."""
    return rates(_of_rows(name), rows)


def _of_rows(name: str) -> Iterator[Told]:
    kind, planter = ROWS[name]
    chance = random.Random(f"{name} 1")
    while True:
        planted_slip = planter(deal_sheet(chance), chance)
        if planted_slip is None or planted_slip.sheet == planted_slip.right:
            continue
        sheet = planted_slip.sheet
        findings = examine_row(sheet.scores, sheet.gains, winner=sheet.winner, rules=BMJA)
        if findings:
            right = mend_sheet(sheet, findings[0]) == planted_slip.right
            yield judge_findings(findings, kind, {*planted_slip.seats}, is_mended=right)


def mend_sheet(sheet: Sheet, finding: Finding) -> Sheet:
    """The row with the finding's corrections written in."""
    corrections = finding.corrected_fields
    return replace(
        sheet,
        scores={
            seat: corrections.get(f"scores.{seat}", points) for seat, points in sheet.scores.items()
        },
        gains={
            seat: corrections.get(f"gain.{seat}", points) for seat, points in sheet.gains.items()
        },
    )
