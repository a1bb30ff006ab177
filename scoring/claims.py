"""A player's claim beside what the rules give the hand: agreed, or line by line why not."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from enum import StrEnum
from itertools import chain, zip_longest
from typing import NamedTuple

from scoring.detective import Finding, examine_claim
from scoring.hands.hand import Hand
from scoring.pricing import Reckoning, score
from scoring.rules.rule_set import RuleSet, reckoned


class ClaimedLine(NamedTuple):
    """A line as a player counted it: its name in the words of the rules, and points or doubles."""

    name: str
    points: int | None = None
    doubles: int | None = None


class Claim(NamedTuple):
    """What a player says: a total in points, the lines that make it, or both."""

    total: int | None = None
    lines: tuple[ClaimedLine, ...] = ()


class Kind(StrEnum):
    """How a claimed line differs from the rules."""

    MISSING = "missing"
    TOO_MUCH = "too_much"
    OTHER_VALUE = "other_value"
    WRONG_SUM = "wrong_sum"


class Difference(NamedTuple):
    """One thing that was claimed otherwise, in a sentence."""

    kind: Kind
    name: str
    sentence: str


class Comparison(NamedTuple):
    """A claim beside the reckoning; `findings` guess the slips behind a bare total."""

    reckoning: Reckoning
    differences: tuple[Difference, ...]
    findings: tuple[Finding, ...]

    @property
    def agrees(self) -> bool:
        """Whether everything that was claimed is as the rules have it."""
        return not self.differences and not self.findings


def compare(claim: Claim, hand: Hand, rules: RuleSet) -> Comparison:
    """Where the claim differs from what the rules give the hand.

    Raises BadHand with every problem of a hand that cannot be scored as described.
    """
    reckoning = score(hand, rules)
    differences = tuple(_in_lines(claim.lines, reckoning)) if claim.lines else ()
    if claim.total is None or claim.total == reckoning.total:
        return Comparison(reckoning, differences, ())
    if claim.lines and not differences:
        sentence = f"Every line is right, but they come to {reckoned(reckoning.lines):,}"
        if reckoning.limited:
            sentence += f", and the hand to the limit of {reckoning.total:,}"
        differences = (Difference(Kind.WRONG_SUM, "", f"{sentence}, not {claim.total:,}."),)
    findings = () if differences else examine_claim(claim.total, reckoning, rules)
    return Comparison(reckoning, differences, findings)


class _Amount(NamedTuple):
    """What a line is worth: points, or doubles."""

    much: int
    unit: str

    def __str__(self) -> str:
        return f"{self.much:,} {self.unit if self.much == 1 else self.unit + 's'}"


def _amount(points: int | None, doubles: int | None) -> _Amount:
    return _Amount(points or 0, "point") if doubles is None else _Amount(doubles, "double")


def _in_lines(claimed: Iterable[ClaimedLine], reckoning: Reckoning) -> Iterator[Difference]:
    """Line by line in the order of the rules; what the rules do not give comes last."""
    # A value that was itself reckoned is compared by its own lines.
    lines = chain.from_iterable(line.workings or (line,) for line in reckoning.lines)
    right = _by_name(
        (line.name, _amount(line.points if line.value is None else line.value, line.doubles))
        for line in lines
    )
    said = _by_name((line.name, _amount(line.points, line.doubles)) for line in claimed)
    for name in {**right, **said}:
        # Without what is the same in both.
        more, fewer = _less(said[name], right[name]), _less(right[name], said[name])
        for amount, due in zip_longest(more, fewer):
            if amount is None:
                yield Difference(Kind.MISSING, name, f"Not claimed: {name}, {due}.")
            elif due is None:
                sentence = f"Claimed, but not earned by this hand: {name}, {amount}."
                yield Difference(Kind.TOO_MUCH, name, sentence)
            else:
                sentence = f"{name} is worth {due}, not {amount}."
                yield Difference(Kind.OTHER_VALUE, name, sentence)


def _by_name(amounts: Iterable[tuple[str, _Amount]]) -> defaultdict[str, list[_Amount]]:
    by_name: defaultdict[str, list[_Amount]] = defaultdict(list)
    for name, amount in amounts:
        by_name[name].append(amount)
    return by_name


def _less(amounts: list[_Amount], others: list[_Amount]) -> list[_Amount]:
    left = list(amounts)
    for amount in others:
        if amount in left:
            left.remove(amount)
    return left
