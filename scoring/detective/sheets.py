"""Slips on a row of a score sheet: gains and payments that do not fit its totals."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from itertools import chain, combinations, product
from typing import Final, NamedTuple

from scoring.detective.slips import (
    SLIP_RANK,
    VAGUE_SLIPS,
    Finding,
    Slip,
    format_gain,
    format_points,
    pen_slip,
    rank_findings,
)
from scoring.hands.hand import CLAIMS, WonBy, join_words
from scoring.hands.problems import BadScores, Code, Problem
from scoring.hands.tiles import Wind
from scoring.rules.declarations import Role
from scoring.rules.rule_set import RuleSet
from scoring.table.settlement import Payment, Settlement, settle
from scoring.totals import check_totals

Gains = Mapping[Wind, int]

_REASONS: Final = {
    Slip.NOT_DOUBLED: "{payment} was not doubled: it is {due:,}, not {counted:,}.",
    Slip.DOUBLED_TWICE: "{payment} was doubled twice: it is {due:,}, not {counted:,}.",
    Slip.WRONGLY_DOUBLED: "{payment} was doubled: it is {due:,}, not {counted:,}.",
    Slip.LEFT_OUT: "{payer}'s payment of {due:,} to {payee} was left out.",
    Slip.WRONG_WAY: "{difference} was counted the wrong way round: {payer} pays {due:,}.",
    Slip.WHOLE_SCORE_PAID: "{difference} is {due:,}, not {payee}'s whole score of {counted:,}.",
}

WrittenFigures = Mapping[Wind, int | None]


class Suspicion(NamedTuple):
    """A slip, the gains that it leads to, and the right gains if it is true.

    `kinds` holds two where two slips came together; `totals` are the scores that it corrects.
    """

    kinds: tuple[Slip, ...]
    seats: tuple[Wind, ...]
    reason: str
    gains: Gains
    right: Gains
    totals: Mapping[Wind, int] = {}


@dataclass(frozen=True)
class HandToSettle:
    """One hand to be settled: the fields of `settle`. The scores are sound."""

    scores: Gains
    winner: Wind
    rules: RuleSet
    dealer: Wind = Wind.E
    won_by: str | None = None
    discarder: Wind | None = None
    pays_for_all: Wind | None = None

    @cached_property
    def truth(self) -> Settlement:
        return settle(
            self.scores,
            winner=self.winner,
            rules=self.rules,
            dealer=self.dealer,
            won_by=self.won_by,
            discarder=self.discarder,
            pays_for_all=self.pays_for_all,
        )

    @cached_property
    def losers(self) -> tuple[Wind, ...]:
        return tuple(seat for seat in self.scores if seat != self.winner)

    def scoring(self, scores: Gains) -> Gains:
        """The gains if these seats had scored so; the limit is not looked at."""
        unlimited_rules = replace(self.rules, limit=None, limits=None)
        return replace(self, scores={**self.scores, **scores}, rules=unlimited_rules).truth.gain

    @cached_property
    def units(self) -> Mapping[Wind, Settlement]:
        """For each seat, the settlement if it had scored one point and the others nothing."""
        zero_scores = dict.fromkeys(self.scores, 0)
        return {seat: replace(self, scores={**zero_scores, seat: 1}).truth for seat in self.scores}

    @cached_property
    def factors(self) -> Mapping[tuple[Wind, Wind], int]:
        """By payer and payee, how many times a point is paid between them."""
        payments = chain.from_iterable(unit.payments for unit in self.units.values())
        return {(paid.payer, paid.payee): paid.points for paid in payments}

    @property
    def doubling(self) -> Wind:
        """The seat whose payments are doubled."""
        policy = self.rules.payments
        return Wind.E if policy and policy.multiplied is Role.EAST else self.dealer

    @property
    def times_unclaimed(self) -> int:
        """How many times everyone pays because the winning tile was not claimed."""
        policy = self.rules.payments
        return 1 if policy is None or self.won_by in CLAIMS else policy.unclaimed

    @cached_property
    def doubled_payments(self) -> tuple[Payment, ...]:
        """The payments that are doubled, or of which a part is."""
        return tuple(
            paid for paid in self.truth.payments if self.undoubled_points(paid) != paid.points
        )

    def undoubled_points(self, payment: Payment) -> int:
        """What the payment comes to if it is not doubled (or once less, where twice)."""
        if self.pays_for_all:
            return self.scores[self.winner] * len(self.losers) * self.times_unclaimed
        factor = self.factors.get((payment.payer, payment.payee), 1)
        if payment.payee == self.winner:
            factor //= self.times_unclaimed
        return payment.points if factor % 2 else payment.points // 2

    def suspect_miscount(
        self, kind: Slip, seats: Iterable[Wind], reason: str, amounts: Mapping[Payment, int]
    ) -> Suspicion:
        """The suspicion that these payments were counted as so much; one of 0 is not due at all."""
        gains = dict(self.truth.gain)
        for payment, points in amounts.items():
            gains[payment.payer] -= points - payment.points
            gains[payment.payee] += points - payment.points
        return Suspicion((kind,), tuple(seats), reason, gains, self.truth.gain)


def gains_match(gains: Gains, written_gains: Gains) -> bool:
    """Whether every gain that is written down is as expected."""
    return all(gains[seat] == points for seat, points in written_gains.items())


def wrong_seats(right: Gains, written_gains: Gains) -> tuple[Wind, ...]:
    """The seats whose written gain is not the right one."""
    return tuple(seat for seat, points in written_gains.items() if right[seat] != points)


def due_sentence(right: Gains, written_gains: Gains) -> str:
    """What the seats should have whose gain is wrong: West should have +64, not −64."""
    parts = [
        f"{seat.label} should have {format_gain(right[seat])}, not "
        f"{format_gain(written_gains[seat])}"
        for seat in wrong_seats(right, written_gains)
    ]
    return f"{'; '.join(parts)}." if parts else ""


def figure_slips(table: HandToSettle, written_gains: Gains) -> Iterator[Suspicion]:
    """The slips in one or two figures that lead to just what is written."""
    right = table.truth.gain
    wrong = wrong_seats(right, written_gains)
    if len(wrong) == 1:
        yield from _single_gain_slips(table, wrong[0], written_gains[wrong[0]])
    for first, other_seat in combinations(table.scores, 2):
        gains: Gains = {**right, first: right[other_seat], other_seat: right[first]}
        if gains != right and gains_match(gains, written_gains):
            reason = f"{first.label}'s and {other_seat.label}'s gains are swapped."
            yield Suspicion((Slip.SEATS_SWAPPED,), (first, other_seat), reason, gains, right)
    if len(wrong) == 2:
        yield from _payment_amount_slip(table, *wrong, written_gains)
    yield from _total_slips(table, written_gains)
    for first, other_seat in combinations(table.scores, 2):
        swapped_scores = {first: table.scores[other_seat], other_seat: table.scores[first]}
        gains = replace(table, scores={**table.scores, **swapped_scores}).truth.gain
        if gains != right and gains_match(gains, written_gains):
            reason = (
                f"The row is right if {first.label}'s and {other_seat.label}'s totals are swapped."
            )
            yield Suspicion(
                (Slip.TOTALS_SWAPPED,), (first, other_seat), reason, gains, gains, swapped_scores
            )


def _single_gain_slips(table: HandToSettle, seat: Wind, written_gain: int) -> Iterator[Suspicion]:
    """What may be wrong with the only gain that is not right."""
    right = table.truth.gain[seat]
    pen = pen_slip(right, written_gain)
    slips: list[tuple[tuple[Slip, ...], str]] = []
    if pen:
        slips.append(((pen.kind,), f"In {seat.label}'s gain {pen.description}."))
    slips += [
        ((kind,), reason) for kind, sum_, reason in _sum_slips(table, seat) if sum_ == written_gain
    ]
    pen, sign = pen_slip(-right, written_gain), pen_slip(right, -right)
    if pen and sign and not slips:
        reason = f"In {seat.label}'s gain {sign.description} and {pen.description}."
        slips = [((sign.kind, pen.kind), reason)]
    for kinds, reason in slips or [
        ((Slip.WRONG_SUM,), f"{seat.label}'s gain is added up wrongly.")
    ]:
        gains = {**table.truth.gain, seat: written_gain}
        yield Suspicion(kinds, (seat,), reason, gains, table.truth.gain)


def _sum_slips(table: HandToSettle, seat: Wind) -> Iterator[tuple[Slip, int, str]]:
    """What the seat's gain comes to if one payment is added up wrongly, for this seat alone."""
    right = table.truth.gain[seat]
    for paid in table.truth.payments:
        if seat not in {paid.payer, paid.payee}:
            continue
        sign = 1 if seat == paid.payee else -1
        points = sign * paid.points
        payment_text = f"{paid.payer.label}'s {paid.points:,} to {paid.payee.label}"
        gain_text = f"in {seat.label}'s gain"
        yield Slip.LEFT_OUT_OF_A_SUM, right - points, f"{payment_text} is left out {gain_text}."
        yield (
            Slip.TURNED_IN_A_SUM,
            right - 2 * points,
            f"{payment_text} has the wrong sign {gain_text}.",
        )
        if paid in table.doubled_payments:
            undoubled_gain = right - points + sign * table.undoubled_points(paid)
            yield (
                Slip.NOT_DOUBLED_IN_A_SUM,
                undoubled_gain,
                f"{payment_text} is not doubled {gain_text}.",
            )
        yield Slip.DOUBLED_IN_A_SUM, right + points, f"{payment_text} is counted twice {gain_text}."


def _payment_amount_slip(
    table: HandToSettle, first: Wind, other_seat: Wind, written_gains: Gains
) -> Iterator[Suspicion]:
    """One payment counted as another amount: two seats are off, by as much."""
    pair = {first, other_seat}
    payments = (paid for paid in table.truth.payments if {paid.payer, paid.payee} == pair)
    payment = next(payments, Payment(first, other_seat, 0))
    difference = written_gains[payment.payee] - table.truth.gain[payment.payee]
    if table.truth.gain[payment.payer] - written_gains[payment.payer] != difference:
        return
    amount = payment.points + difference
    pen = pen_slip(payment.points, amount) if payment.points and amount >= 0 else None
    kind = pen.kind if pen else Slip.WRONG_PAYMENT
    pen_text = f": {pen.description}" if pen else ""
    payer, payee = payment.payer.label, payment.payee.label
    amounts = f"{format_points(payment.points)}, not {format_points(amount)}"
    reason = f"{payer} pays {payee} {amounts}{pen_text}."
    yield table.suspect_miscount(kind, (payment.payer, payment.payee), reason, {payment: amount})


def _total_slips(table: HandToSettle, written_gains: Gains) -> Iterator[Suspicion]:
    """One total other than it is written: the one that the gains were worked out with."""
    for seat, score in table.scores.items():
        used = total_used(table, seat, written_gains)
        if used is None or used == score:
            continue
        if score == table.rules.highest and used > score:
            kind, explanation = Slip.LIMIT_NOT_APPLIED, ": the limit was not applied"
        elif used == 2 * score and used:
            kind, explanation = Slip.DOUBLE_IN_A_TOTAL, ": it was doubled once more"
        elif score == 2 * used and used:
            kind, explanation = Slip.DOUBLE_IN_A_TOTAL, ": it was doubled once less"
        else:
            pen = pen_slip(used, score)
            kind, explanation = (
                (pen.kind, f": {pen.description}") if pen else (Slip.ANOTHER_TOTAL, "")
            )
        gains = table.scoring({seat: used})
        replacement = f"{format_points(used)} for {seat.label} instead of {format_points(score)}"
        scores = {**table.scores, seat: used}
        problems = check_totals(scores, winner=table.winner, rules=table.rules)
        if all(problem.path != f"scores.{seat}" for problem in problems):
            reason = f"With {replacement} the row is right{explanation}."
            yield Suspicion((kind,), (seat,), reason, gains, gains, {seat: used})
        else:
            reason = f"The gains are worked out with {replacement}{explanation}."
            yield Suspicion((kind,), (seat,), reason, gains, table.truth.gain)


def total_used(table: HandToSettle, seat: Wind, written_gains: Gains) -> int | None:
    """The only total of this seat that leads to what is written; None where none does.

    Each gain goes up and down with each total by a fixed number of points a point.
    """
    slope = table.units[seat].gain
    other_seat = next((other_seat for other_seat in written_gains if slope[other_seat]), None)
    if other_seat is None:
        return None
    difference, remainder = divmod(
        written_gains[other_seat] - table.truth.gain[other_seat], slope[other_seat]
    )
    used = table.scores[seat] + difference
    possible = (
        not remainder and used >= 0 and gains_match(table.scoring({seat: used}), written_gains)
    )
    return used if possible else None


def payment_slips(table: HandToSettle) -> Iterator[Suspicion]:
    """Everything that is known to go wrong between the scores and the payments."""
    for payment in table.truth.payments:
        yield from _single_payment_slips(table, payment)
    # Entered for the wrong player, where it is received or where it is paid.
    for payment, other_seat in product(table.truth.payments, table.scores):
        payer, payee, points = payment.payer, payment.payee, payment.points
        if other_seat in {payer, payee}:
            continue
        payment_text = f"{payer.label}'s {points:,} to {payee.label} was"
        for right, verb in ((payee, "entered for"), (payer, "taken from")):
            pair = (right, other_seat) if right == payee else (other_seat, right)
            reason = f"{payment_text} {verb} {other_seat.label}."
            amounts = {Payment(*pair, 0): points}
            yield table.suspect_miscount(Slip.WRONG_PLAYER, (right, other_seat), reason, amounts)
    yield from _doubling_slips(table)
    yield from _part_slips(table)
    yield from _wrong_hand_slips(table)


def _single_payment_slips(table: HandToSettle, payment: Payment) -> Iterator[Suspicion]:
    """One payment counted otherwise than it is due."""
    points = payment.points
    miscounts = [(Slip.WRONG_WAY, -points), (Slip.LEFT_OUT, 0)]
    if payment in table.doubled_payments:
        miscounts.append((Slip.NOT_DOUBLED, table.undoubled_points(payment)))
        miscounts.append((Slip.DOUBLED_TWICE, points * 2))
    else:
        miscounts.append((Slip.WRONGLY_DOUBLED, points * 2))
    if payment.payee != table.winner and table.scores[payment.payer]:
        factor = table.factors[payment.payer, payment.payee]
        miscounts.append((Slip.WHOLE_SCORE_PAID, table.scores[payment.payee] * factor))
    payer, payee = payment.payer.label, payment.payee.label
    for kind, amount in miscounts:
        reason = _REASONS[kind].format(
            payment=f"{payer}'s payment to {payee}",
            difference=f"{payer}'s difference with {payee}",
            payer=payer,
            payee=payee,
            due=points,
            counted=amount,
        )
        yield table.suspect_miscount(
            kind, (payment.payer, payment.payee), reason, {payment: amount}
        )


def _doubling_slips(table: HandToSettle) -> Iterator[Suspicion]:
    if len(table.doubled_payments) < 2:
        return
    name, seats = table.doubling.label, (table.doubling,)
    among = [paid for paid in table.doubled_payments if paid.payee != table.winner]
    halved_amounts = {paid: table.undoubled_points(paid) for paid in table.doubled_payments}
    yield table.suspect_miscount(
        Slip.EAST_NOT_DOUBLED, seats, f"Nothing was doubled for {name}.", halved_amounts
    )
    if 1 < len(among) < len(table.doubled_payments):
        reason = f"{name}'s differences with the other losers were not doubled."
        some = {paid: table.undoubled_points(paid) for paid in among}
        yield table.suspect_miscount(Slip.EAST_NOT_DOUBLED, seats, reason, some)
    reason = f"Everything was doubled twice for {name}."
    doubled_amounts = {paid: paid.points * 2 for paid in table.doubled_payments}
    yield table.suspect_miscount(Slip.DOUBLED_TWICE, seats, reason, doubled_amounts)


def _part_slips(table: HandToSettle) -> Iterator[Suspicion]:
    paying = [paid for paid in table.truth.payments if paid.payee == table.winner]
    among = [paid for paid in table.truth.payments if paid.payee != table.winner]
    if len(among) > 1:
        reason = "The losers did not settle among themselves."
        zero_amounts = dict.fromkeys(among, 0)
        yield table.suspect_miscount(Slip.LOSERS_DID_NOT_SETTLE, table.losers, reason, zero_amounts)
        reason = "The losers' differences were all counted the wrong way round."
        negated_amounts = {paid: -paid.points for paid in among}
        yield table.suspect_miscount(Slip.WRONG_WAY, table.losers, reason, negated_amounts)
    name, winner, zero_amounts = table.winner.label, (table.winner,), dict.fromkeys(paying, 0)
    if len(paying) > 1:
        reason = f"No one paid {name}, who went Mah-Jong."
        yield table.suspect_miscount(Slip.WINNER_NOT_PAID, winner, reason, zero_amounts)
    for paid in paying if len(paying) > 2 else ():
        reason = f"{name} went Mah-Jong and was paid by {paid.payer.label} alone: all losers pay."
        amounts = {**zero_amounts, paid: paid.points}
        yield table.suspect_miscount(Slip.WINNER_PAID_ONCE, winner, reason, amounts)
    # The winner paid a loser, where losers are ever paid.
    losers_are_paid = any(payee != table.winner for _payer, payee in table.factors)
    for loser in table.losers if losers_are_paid else ():
        factor = table.factors.get((loser, table.winner), 1)
        difference = table.scores[loser] - table.scores[table.winner]
        for points, basis in ((difference, "a difference"), (table.scores[loser], "a score")):
            if points > 0:
                payment_text = f"paid {loser.label} {basis} of {points * factor:,}"
                reason = f"{name} went Mah-Jong and pays no one, but {payment_text}."
                amounts = {Payment(table.winner, loser, 0): points * factor}
                seats = (table.winner, loser)
                yield table.suspect_miscount(Slip.WINNER_PAID_A_LOSER, seats, reason, amounts)


def _wrong_hand_slips(table: HandToSettle) -> Iterator[Suspicion]:
    """The hand settled as another hand: another East, another winner, another payer."""
    right, east = table.truth.gain, table.doubling
    for other_seat in table.scores:
        if other_seat != east:
            reason = f"{other_seat.label} was doubled instead of {east.label}."
            gains = _gains_with_east(table, other_seat)
            yield Suspicion((Slip.WRONG_EAST,), (east, other_seat), reason, gains, right)
    for other_seat in table.losers:
        reason = f"The row is settled as if {other_seat.label} had gone Mah-Jong."
        gains = _gains_with_winner(table, other_seat)
        yield Suspicion((Slip.WRONG_WINNER,), (table.winner, other_seat), reason, gains, right)
    yield from _wrong_payer_slips(table)
    yield from _claimed_tile_slips(table)


def _wrong_payer_slips(table: HandToSettle) -> Iterator[Suspicion]:
    """Where one player pays for all, or the discarder alone: another paid, or all did."""
    payer, right = table.pays_for_all or table.discarder, table.truth.gain
    if payer is None:
        return
    gains = replace(
        table,
        pays_for_all=None,
        discarder=None,
        won_by=WonBy.WALL,
        rules=_ignore_unclaimed(table.rules),
    ).truth.gain
    reason = f"{payer.label} pays alone, but everyone paid."
    yield Suspicion((Slip.PAID_BY_EACH,), (payer,), reason, gains, right)
    for other_seat in table.losers:
        if other_seat != payer:
            liable = other_seat if table.pays_for_all else None
            gains = replace(table, discarder=other_seat, pays_for_all=liable).truth.gain
            reason = f"{payer.label} pays alone, not {other_seat.label}."
            yield Suspicion((Slip.WRONG_PAYER,), (payer, other_seat), reason, gains, right)


def _claimed_tile_slips(table: HandToSettle) -> Iterator[Suspicion]:
    """Where a tile that was not claimed is paid for more than once: it was taken for another."""
    plain_rules, right = _ignore_unclaimed(table.rules), table.truth.gain
    if plain_rules is table.rules:
        return
    if table.times_unclaimed > 1:
        reason = "The winning tile was not claimed, but everyone paid as if it was."
        gains = replace(table, rules=plain_rules).truth.gain
        yield Suspicion((Slip.NOT_DOUBLED,), (table.winner,), reason, gains, right)
    else:
        reason = "The winning tile was claimed, but everyone paid as if it was not."
        gains = replace(table, discarder=None, won_by=WonBy.WALL).truth.gain
        yield Suspicion((Slip.WRONGLY_DOUBLED,), (table.winner,), reason, gains, right)


def _ignore_unclaimed(rules: RuleSet) -> RuleSet:
    """The rules with no more paid for an unclaimed tile than for another."""
    policy = rules.payments
    if policy is None or policy.unclaimed == 1:
        return rules
    return replace(rules, payments=policy._replace(unclaimed=1))


def _gains_with_winner(table: HandToSettle, winner: Wind) -> Gains:
    """The gains as if another had gone Mah-Jong; nobody discards a tile for themselves."""
    as_won = replace(table, winner=winner, pays_for_all=None)
    if winner == table.discarder:
        as_won = replace(as_won, discarder=None, won_by=WonBy.WALL)
    return as_won.truth.gain


def _gains_with_east(table: HandToSettle, other_seat: Wind) -> Gains:
    """The gains if another seat had been taken for the one whose payments are doubled."""
    swap = {seat: seat for seat in Wind} | {table.doubling: other_seat, other_seat: table.doubling}
    swapped_table = replace(
        table,
        scores={swap[seat]: points for seat, points in table.scores.items()},
        winner=swap[table.winner],
        discarder=table.discarder and swap[table.discarder],
        pays_for_all=table.pays_for_all and swap[table.pays_for_all],
    )
    return {seat: swapped_table.truth.gain[swap[seat]] for seat in table.scores}


def examine_row(
    scores: WrittenFigures,
    gains: WrittenFigures,
    *,
    winner: Wind | None,
    rules: RuleSet,
    dealer: Wind = Wind.E,
    won_by: str | None = None,
    discarder: Wind | None = None,
    pays_for_all: Wind | None = None,
) -> tuple[Finding, ...]:
    """The slips that explain why the gains of a row are not those of its totals, in points.

    None stands for a figure that is not written; the other arguments are those of `settle`.
    Nothing is found where nothing is wrong. Raises BadScores for seats that cannot be.
    """
    if problems := [
        Problem(Code.BAD_SEAT, f"gain.{seat}", {"found": seat.label, "expected": "in play"})
        for seat in gains
        if seat not in scores
    ]:
        raise BadScores(problems)
    written_gains = {seat: points for seat, points in gains.items() if points is not None}
    if winner is None:
        zero_gains = dict.fromkeys(written_gains, 0)
        wrong = wrong_seats(zero_gains, written_gains)
        message = f"No one gains on a drawn hand. {due_sentence(zero_gains, written_gains)}"
        corrected_fields = _corrected_fields({}, zero_gains, written_gains)
        return (Finding(Slip.DRAWN_HAND_PAID, wrong, message, corrected_fields),) if wrong else ()
    totals = {seat: points for seat, points in scores.items() if points is not None}
    sound = {seat: rules.capped_at_highest(abs(totals.get(seat, 0))) for seat in scores}
    table = HandToSettle(sound, winner, rules, dealer, won_by, discarder, pays_for_all)
    # The total of a loser who is never paid moves no gain.
    moving = {seat for seat in scores if any(table.units[seat].gain.values())}
    if missing := [seat for seat in scores if seat not in totals and seat in moving]:
        return _missing_total_findings(table, missing, written_gains)
    # The gains may have been worked out with a total above the limit.
    if gains_match(table.truth.gain, written_gains) or (
        min(totals.values()) >= 0 and gains_match(table.scoring(totals), written_gains)
    ):
        return rank_findings(_impossible_totals(table, totals, written_gains))
    return rank_findings(
        [*_impossible_totals(table, totals, {}), *_explain_gains(table, written_gains)]
    )


def _impossible_totals(
    table: HandToSettle, totals: Gains, written_gains: Gains
) -> Iterator[Finding]:
    """Totals that no hand can have, with what they and the gains should be."""
    for seat, points in totals.items():
        right = table.scores[seat]
        if points == right:
            continue
        corrected_fields = {
            f"scores.{seat}": right,
            **_corrected_fields({}, table.truth.gain, written_gains),
        }
        message = f"{seat.label}'s {points:,} is over the limit and counts as {right:,}."
        kind = Slip.LIMIT_NOT_APPLIED
        if points < 0:
            message = f"{seat.label}'s total has a minus sign; a total cannot be below zero."
            kind = Slip.BELOW_NOTHING
        due_text = due_sentence(table.truth.gain, written_gains)
        yield Finding(kind, (seat,), f"{message} {due_text}".strip(), corrected_fields)


def _missing_total_findings(
    table: HandToSettle, missing: list[Wind], written_gains: Gains
) -> tuple[Finding, ...]:
    names = join_words(seat.label for seat in missing)
    corrected_fields = {}
    used = total_used(table, missing[0], written_gains) if len(missing) == 1 else None
    if len(missing) > 1:
        message = f"The totals of {names} are missing. Recount them first."
    elif used is None or used != table.rules.capped_at_highest(used):
        message = f"{names}'s total is missing, and no total fits the gains. Recount it."
    else:
        message = f"{names}'s total is missing; {used:,} fits the gains."
        corrected_fields = {f"scores.{missing[0]}": used}
    return (Finding(Slip.TOTAL_MISSING, tuple(missing), message, corrected_fields),)


def _explain_gains(table: HandToSettle, written_gains: Gains) -> list[Finding]:
    single = list(_single_slips(table, written_gains))
    certain = [suspicion for suspicion in single if not VAGUE_SLIPS.intersection(suspicion.kinds)]
    suspicions = certain or single or list(_slip_pairs(table, written_gains))
    # Of fewer slips first, and of those the ones that are believed more.
    suspicions.sort(key=lambda slip: (len(slip.kinds), sum(SLIP_RANK[kind] for kind in slip.kinds)))
    if suspicions:
        return [
            Finding(
                slip.kinds[0] if len(slip.kinds) == 1 else Slip.TWO_SLIPS,
                slip.seats,
                f"{slip.reason} {due_sentence(slip.right, written_gains)}".strip(),
                _corrected_fields(slip.totals, slip.right, written_gains),
            )
            for slip in suspicions
        ]
    right = table.truth.gain
    wrong = sorted(
        wrong_seats(right, written_gains), key=lambda seat: -abs(written_gains[seat] - right[seat])
    )
    recount = f"Recount {wrong[0].label} first. {due_sentence(right, written_gains)}"
    message = f"No simple mistake explains it. {recount}"
    gain_sum = sum(written_gains.values())
    if table.rules.zero_sum and len(written_gains) == len(right) and gain_sum:
        message += f" The gains add to {format_gain(gain_sum)}, not to zero."
    return [
        Finding(
            Slip.UNEXPLAINED, tuple(wrong), message, _corrected_fields({}, right, written_gains)
        )
    ]


def _single_slips(table: HandToSettle, written_gains: Gains) -> Iterator[Suspicion]:
    yield from (slip for slip in payment_slips(table) if gains_match(slip.gains, written_gains))
    yield from figure_slips(table, written_gains)


def _slip_pairs(table: HandToSettle, written_gains: Gains) -> Iterator[Suspicion]:
    """Two slips at once: two payments, or any one slip and a gain miswritten besides."""
    for first, second in combinations(payment_slips(table), 2):
        if first.seats == second.seats:
            continue
        gains = {
            seat: first.gains[seat] + second.gains[seat] - right
            for seat, right in first.right.items()
        }
        if gains_match(gains, written_gains):
            seats = tuple(dict.fromkeys((*first.seats, *second.seats)))
            reason = f"{first.reason} {second.reason}"
            yield Suspicion((*first.kinds, *second.kinds), seats, reason, gains, first.right)
    for seat in written_gains:
        other_gains = {
            other_seat: points for other_seat, points in written_gains.items() if other_seat != seat
        }
        for slip in _single_slips(table, other_gains):
            pen = pen_slip(slip.gains[seat], written_gains[seat])
            if pen and not VAGUE_SLIPS.intersection(slip.kinds):
                yield slip._replace(
                    kinds=(*slip.kinds, pen.kind),
                    seats=tuple(dict.fromkeys((*slip.seats, seat))),
                    reason=f"{slip.reason} In {seat.label}'s gain {pen.description}.",
                )


def _corrected_fields(totals: Gains, right: Gains, written_gains: Gains) -> dict[str, int]:
    fields = {f"scores.{seat}": points for seat, points in totals.items()}
    return fields | {f"gain.{seat}": right[seat] for seat in wrong_seats(right, written_gains)}
