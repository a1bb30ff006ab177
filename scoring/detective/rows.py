"""A row of a score sheet that does not fit: the totals and the gains of one hand."""

from collections.abc import Iterator, Mapping
from itertools import combinations

from scoring.detective.figures import figure_slips, total_used
from scoring.detective.findings import BELIEVED, VAGUE, Finding, Slip, ranked, signed
from scoring.detective.payments import payment_slips
from scoring.detective.pen import pen_slip
from scoring.detective.table import Gains, Suspicion, Table, amiss, due, fits
from scoring.naming import listed
from scoring.problems import BadScores, Code, Problem
from scoring.rules import RuleSet
from scoring.tiles import Wind

Written = Mapping[Wind, int | None]


def examine_row(
    scores: Written,
    gains: Written,
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
    _must_be_seats(gains, scores)
    written = {seat: points for seat, points in gains.items() if points is not None}
    if winner is None:
        return _drawn(written)
    found = {seat: points for seat, points in scores.items() if points is not None}
    sound = {seat: rules.capped(abs(found.get(seat, 0))) for seat in scores}
    table = Table(sound, winner, rules, dealer, won_by, discarder, pays_for_all)
    missing = [seat for seat in scores if seat not in found and table.matters(seat)]
    if missing:
        return _without_totals(table, missing, written)
    if fits(table.truth.gain, written) or _unlimited(table, found, written):
        return ranked(_impossible(table, found, written))
    return ranked([*_impossible(table, found, {}), *_explanations(table, written)])


def _must_be_seats(gains: Written, scores: Written) -> None:
    if problems := [
        Problem(Code.BAD_SEAT, f"gain.{seat}", {"found": seat.label, "expected": "in play"})
        for seat in gains
        if seat not in scores
    ]:
        raise BadScores(problems)


def _drawn(written: Gains) -> tuple[Finding, ...]:
    nothing = dict.fromkeys(written, 0)
    wrong = amiss(nothing, written)
    if not wrong:
        return ()
    sentence = f"No one gains on a drawn hand. {due(nothing, written)}"
    return (Finding(Slip.DRAWN_HAND_PAID, wrong, sentence, _fields({}, nothing, written)),)


def _impossible(table: Table, found: Gains, written: Gains) -> Iterator[Finding]:
    """Totals that no hand can have, with what they and the gains should be."""
    for seat, points in found.items():
        right = table.scores[seat]
        if points == right:
            continue
        corrected = {f"scores.{seat}": right, **_fields({}, table.truth.gain, written)}
        sentence = f"{seat.label}'s {points:,} is over the limit and counts as {right:,}."
        kind = Slip.LIMIT_NOT_APPLIED
        if points < 0:
            sentence = f"{seat.label}'s total has a minus sign; a total cannot be below zero."
            kind = Slip.BELOW_NOTHING
        rest = due(table.truth.gain, written)
        yield Finding(kind, (seat,), f"{sentence} {rest}".strip(), corrected)


def _unlimited(table: Table, found: Gains, written: Gains) -> bool:
    """Whether the gains were worked out with a total above the limit."""
    return min(found.values()) >= 0 and fits(table.scoring(found), written)


def _without_totals(table: Table, missing: list[Wind], written: Gains) -> tuple[Finding, ...]:
    names = listed(seat.label for seat in missing)
    if len(missing) > 1:
        sentence = f"The totals of {names} are missing. Recount them first."
        return (Finding(Slip.TOTAL_MISSING, tuple(missing), sentence, {}),)
    used = total_used(table, missing[0], written)
    if used is None or used != table.rules.capped(used):
        sentence = f"{names}'s total is missing, and no total fits the gains. Recount it."
        return (Finding(Slip.TOTAL_MISSING, tuple(missing), sentence, {}),)
    sentence = f"{names}'s total is missing; {used:,} fits the gains."
    return (Finding(Slip.TOTAL_MISSING, tuple(missing), sentence, {f"scores.{missing[0]}": used}),)


def _explanations(table: Table, written: Gains) -> list[Finding]:
    single = list(_single(table, written))
    certain = [suspicion for suspicion in single if not VAGUE.intersection(suspicion.kinds)]
    suspicions = certain or single or list(_pairs(table, written))
    suspicions.sort(key=_doubt)
    found = [_finding(suspicion, written) for suspicion in suspicions]
    return found or [_unexplained(table, written)]


def _doubt(suspicion: Suspicion) -> tuple[int, int]:
    places = [BELIEVED[kind] for kind in suspicion.kinds]
    return len(places), sum(places)


def _single(table: Table, written: Gains) -> Iterator[Suspicion]:
    yield from (slip for slip in payment_slips(table) if fits(slip.gains, written))
    yield from figure_slips(table, written)


def _pairs(table: Table, written: Gains) -> Iterator[Suspicion]:
    """Two slips at once: two payments, or any one slip and a gain miswritten besides."""
    yield from _two_payments(table, written)
    for seat in written:
        others = {other: points for other, points in written.items() if other != seat}
        for slip in _single(table, others):
            pen = pen_slip(slip.gains[seat], written[seat])
            if pen and not VAGUE.intersection(slip.kinds):
                yield _with_a_pen_slip(slip, pen.kind, seat, f"In {seat.label}'s gain {pen.words}.")


def _with_a_pen_slip(slip: Suspicion, kind: Slip, seat: Wind, words: str) -> Suspicion:
    seats = tuple(dict.fromkeys((*slip.seats, seat)))
    return slip._replace(kinds=(*slip.kinds, kind), seats=seats, reason=f"{slip.reason} {words}")


def _two_payments(table: Table, written: Gains) -> Iterator[Suspicion]:
    for one, other in combinations(payment_slips(table), 2):
        if one.seats == other.seats:
            continue
        gains = {
            seat: one.gains[seat] + other.gains[seat] - right for seat, right in one.right.items()
        }
        if fits(gains, written):
            seats = tuple(dict.fromkeys((*one.seats, *other.seats)))
            reason = f"{one.reason} {other.reason}"
            yield Suspicion((*one.kinds, *other.kinds), seats, reason, gains, one.right)


def _finding(suspicion: Suspicion, written: Gains) -> Finding:
    kind = suspicion.kinds[0] if len(suspicion.kinds) == 1 else Slip.TWO_SLIPS
    rest = due(suspicion.right, written)
    corrected = _fields(suspicion.totals, suspicion.right, written)
    return Finding(kind, suspicion.seats, f"{suspicion.reason} {rest}".strip(), corrected)


def _fields(totals: Gains, right: Gains, written: Gains) -> dict[str, int]:
    fields = {f"scores.{seat}": points for seat, points in totals.items()}
    return fields | {f"gain.{seat}": right[seat] for seat in amiss(right, written)}


def _unexplained(table: Table, written: Gains) -> Finding:
    right = table.truth.gain
    wrong = sorted(amiss(right, written), key=lambda seat: -abs(written[seat] - right[seat]))
    sentence = (
        f"No simple mistake explains it. Recount {wrong[0].label} first. {due(right, written)}"
    )
    left = sum(written.values())
    if table.rules.zero_sum and len(written) == len(right) and left:
        sentence += f" The gains add to {signed(left)}, not to zero."
    return Finding(Slip.UNEXPLAINED, tuple(wrong), sentence, _fields({}, right, written))
