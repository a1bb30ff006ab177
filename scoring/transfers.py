"""What a table settles beside the scores: penalties for mistakes, and one who pays for all."""

from collections.abc import Collection, Iterator, Mapping
from enum import StrEnum
from typing import Final, NamedTuple

from scoring.declarations import Share
from scoring.naming import quantity
from scoring.problems import BadPenalty, Code, Problem, shown
from scoring.rules import RuleSet
from scoring.settlement import Payment, Settlement
from scoring.tiles import Wind


class Payee(StrEnum):
    """Who is paid for someone's mistake."""

    CLAIMANT = "the claimant"
    EACH_OTHER = "each other player"
    ALL_OTHERS = "the other players, in equal parts"


class Consequence(StrEnum):
    """What becomes of the hand."""

    NONE = "play goes on"
    SET_STAYS = "the set stays, and the player cannot go Mah-Jong"
    NO_MAHJONG = "the player cannot go Mah-Jong and scores what the hand holds"
    NO_SCORE = "the player cannot go Mah-Jong and scores nothing"
    PAYS_FOR_ALL = "the player pays the winner for all, and no one else settles"
    VOID = "the hand is void"


class Status(StrEnum):
    """How sure the rule is."""

    INFERRED = "inferred"
    OPEN = "open"


class Fine(NamedTuple):
    """Points, or a share of the limit, and to whom they go; East never doubles them."""

    amount: int | Share
    payee: Payee

    def points(self, limit: int | None) -> int:
        """The fine in points; raises ValueError for a share where there is no limit."""
        return self.amount if isinstance(self.amount, int) else self.amount.points(limit)


class Incident(NamedTuple):
    """A mistake at the table and what it costs."""

    key: str
    name: str
    fine: Fine | None
    consequence: Consequence
    source: str
    status: Status

    @property
    def voids_the_hand(self) -> bool:
        """Whether nobody scores the hand."""
        return self.consequence is Consequence.VOID

    @property
    def pays_for_all(self) -> bool:
        """Whether the offender is the one whom `settle` is told as paying for all."""
        return self.consequence is Consequence.PAYS_FOR_ALL

    def words(self, limit: int | None) -> str:
        """What the incident costs, in English; raises ValueError as its fine does."""
        if self.fine is None:
            return self.consequence.value
        points = quantity(self.fine.points(limit), "point")
        return f"{points} to {self.fine.payee}; {self.consequence}"


IN_ALL: Final = "false_mahjong_in_all"
"""The open point whether a false Mah-Jong costs half the limit in all, and not to each."""

_C, _INFERRED, _OPEN = Consequence, Status.INFERRED, Status.OPEN
_FALSE_MAHJONG: Final = Fine(Share(1, 2), Payee.EACH_OTHER)
# fmt: off
_BMJA: Final = (
    Incident("misnamed_discard",        "Discard wrongly named and claimed for a set",
             Fine(50, Payee.CLAIMANT),  _C.NONE,         "rules.md 2.10: KAJ, OTB",      _INFERRED),
    Incident("misnamed_for_mahjong",    "Discard wrongly named and claimed for Mah-Jong",
             None,                      _C.PAYS_FOR_ALL, "rules.md 2.10: KAJ, OTB",      _INFERRED),
    Incident("false_mahjong",           "False Mah-Jong, before another hand was exposed",
             None,                      _C.NONE,         "rules.md 2.10: OTB",           _INFERRED),
    Incident("false_mahjong_exposed",   "False Mah-Jong, after another hand was exposed",
             _FALSE_MAHJONG,            _C.VOID,         "rules.md 2.10: OTB, KAJ",      _OPEN),
    Incident("too_few_tiles",           "Too few tiles",
             None,                      _C.NO_MAHJONG,   "rules.md 2.10: OTB",           _INFERRED),
    Incident("too_many_tiles",          "Too many tiles",
             None,                      _C.NO_SCORE,     "rules.md 2.10: OTB, KAJ",      _INFERRED),
    Incident("wrong_claim_corrected",   "Wrong claim, corrected before the next draw",
             None,                      _C.NONE,         "rules.md 2.10: OTB",           _INFERRED),
    Incident("wrong_claim",             "Wrong claim, not corrected before the next draw",
             None,                      _C.SET_STAYS,    "rules.md 2.10: OTB",           _INFERRED),
    Incident("cannon",                  "Letting off a cannon, where the table calls it one",
             None,                      _C.PAYS_FOR_ALL, "rules.md 2.10: ANC, OTB, KAJ", _INFERRED),
)
# fmt: on
_SCALES: Final[Mapping[str, tuple[Incident, ...]]] = {"bmja": _BMJA}


def scale(rules: RuleSet) -> Mapping[str, Incident]:
    """The incidents that the rule set knows, by key; most rule sets state none.

    Sources differ on a false Mah-Jong: half the limit goes to each other player, or, where the
    rules choose `false_mahjong_in_all`, it is divided among them.
    """
    incidents = _SCALES.get(rules.key.partition("/")[0], ())
    in_all = rules.choice.get(IN_ALL, False)
    divided = _FALSE_MAHJONG._replace(payee=Payee.ALL_OTHERS)
    return {
        line.key: line._replace(fine=divided) if in_all and line.fine is _FALSE_MAHJONG else line
        for line in incidents
    }


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
    problems = [
        *_incident_problems(incident, known, rules),
        *_seat_problems(offender, claimant, seats, fine),
    ]
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


def _incident_problems(
    incident: str, known: Mapping[str, Incident], rules: RuleSet
) -> Iterator[Problem]:
    if incident not in known:
        none = f"left out: {rules.name} name no penalties"
        expected = f"one of {', '.join(known)}" if known else none
        yield Problem(Code.BAD_VALUE, "incident", {"found": shown(incident), "expected": expected})


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
