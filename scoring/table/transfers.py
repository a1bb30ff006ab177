"""What a table settles beside the scores, and players who changed places."""

from collections.abc import Collection, Iterator, Mapping, Sequence

from scoring.hands.problems import BadPenalty, Code, Problem, shown
from scoring.hands.tiles import Wind
from scoring.rules.rule_set import Fine, Incident, Payee, RuleSet
from scoring.table.progression import Exchange
from scoring.table.settlement import Payment, Settlement


def scale(rules: RuleSet) -> Mapping[str, Incident]:
    """The incidents on the page, by key, with the open points as they are played.

    Most rule sets state none.
    """
    return {line.key: line.played(rules.choice) for line in rules.penalties}


def penalty(
    incident: str,
    *,
    offender: Wind,
    seats: Collection[Wind],
    rules: RuleSet,
    claimant: Wind | None = None,
) -> tuple[Payment, ...]:
    """What the offender pays to whom of the seats in play; nothing where only the hand suffers.

    `claimant` is needed where he is paid. What does not divide is rounded down. Raises BadPenalty
    with every problem, ValueError for a share of the limit where there is none.
    Source: rules.md 2.10.
    """
    known = scale(rules)
    fine = known[incident].fine if incident in known else None
    problems = [*_seat_problems(offender, claimant, seats, fine)]
    if incident not in known:
        none = f"left out: {rules.name} name no penalties"
        expected = f"one of {', '.join(known)}" if known else none
        params = {"found": shown(incident), "expected": expected}
        problems.insert(0, Problem(Code.BAD_VALUE, "incident", params))
    if problems:
        raise BadPenalty(problems)
    return tuple(_fined(fine, offender, claimant, seats, rules)) if fine else ()


def _fined(
    fine: Fine, offender: Wind, claimant: Wind | None, seats: Collection[Wind], rules: RuleSet
) -> Iterator[Payment]:
    paid = [seat for seat in seats if seat != offender]
    if fine.payee is Payee.CLAIMANT:
        paid = [seat for seat in paid if seat == claimant]
    points = fine.points(rules.limit)
    if fine.payee is Payee.ALL_OTHERS:
        points //= len(paid)
    for payee in paid:
        yield Payment(offender, payee, points)


def _seat_problems(
    offender: Wind, claimant: Wind | None, seats: Collection[Wind], fine: Fine | None
) -> Iterator[Problem]:
    if offender not in seats:
        yield Problem(Code.BAD_SEAT, "offender", {"found": offender.label, "expected": "in play"})
    if fine is None or fine.payee is not Payee.CLAIMANT:
        return
    if claimant is None:
        yield Problem(Code.MISSING_FIELD, "claimant", {"field": "claimant"})
    elif claimant not in seats or claimant == offender:
        expected = "another player in play"
        yield Problem(Code.BAD_SEAT, "claimant", {"found": claimant.label, "expected": expected})


def pay_for_all(settlement: Settlement, *, winner: Wind, liable: Wind) -> tuple[Payment, ...]:
    """What makes a settled hand one for which one player alone pays, as transfers of their own.

    He makes good what each other loser has lost and is given what they have gained, so that
    together everyone stands as if `settle` had been told `pays_for_all`.
    """
    others = {seat: gain for seat, gain in settlement.gain.items() if seat not in {winner, liable}}
    return tuple(
        Payment(liable, seat, -gain) if gain < 0 else Payment(seat, liable, gain)
        for seat, gain in others.items()
        if gain
    )


def exchanged_between(
    known: Sequence[Exchange], seats: tuple[int, int], first: int, last: int | None
) -> tuple[Exchange, ...]:
    """The exchanges by which two seats also have each other's place from `first` to `last`.

    Both are numbers of hands; None: to the end. An exchange that was known within that stretch
    is one of places, so that it is told of whoever now sits there. What cancels is left out.
    """
    seat, other = seats
    comes = {seat: other, other: seat}
    ends = [] if last is None else [(last + 1, seat, other)]
    exchanges = [
        *(exchange for exchange in known if exchange[0] < first),
        (first, seat, other),
        *(
            (hand, comes.get(a, a), comes.get(b, b))
            for hand, a, b in known
            if hand >= first and not _is_after(hand, last)
        ),
        *ends,
        *(exchange for exchange in known if _is_after(exchange[0], last)),
    ]
    return _without_what_cancels(exchanges)


def _is_after(hand: int, last: int | None) -> bool:
    return last is not None and hand > last


def _without_what_cancels(exchanges: Sequence[Exchange]) -> tuple[Exchange, ...]:
    """An exchange and the same again before the same hand are none."""
    left: list[Exchange] = []
    for hand, first, other in exchanges:
        exchange = (hand, min(first, other), max(first, other))
        if left and left[-1] == exchange:
            left.pop()
        else:
            left.append(exchange)
    return tuple(left)
