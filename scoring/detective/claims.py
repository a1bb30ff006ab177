"""A claimed score that does not fit: which line of the reckoning was counted otherwise."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations
from typing import Final

from scoring.detective.findings import BELIEVED, MOST, Finding, Slip, plain, ranked
from scoring.detective.miscounts import Edit, Lines, miscounts, total_with
from scoring.detective.pen import pen_slip
from scoring.lines import reckoned
from scoring.naming import listed
from scoring.reckoning import Reckoning
from scoring.rules import RuleSet

_SENTENCES: Final = {
    Slip.LIMIT_NOT_APPLIED: "The limit was not applied.",
    Slip.TAKEN_FOR_THE_LIMIT: "The hand does not reach the limit.",
    Slip.DOUBLE_FORGOTTEN: "A double was forgotten: {what}.",
    Slip.DOUBLE_TOO_MANY: "One double too many was counted.",
    Slip.POINTS_FORGOTTEN: "Not counted: {what}.",
    Slip.POINTS_NOT_DOUBLED: "Added after doubling instead of before: {what}.",
    Slip.COUNTED_AS_CONCEALED: "Counted as concealed, but exposed: {what}.",
    Slip.COUNTED_AS_EXPOSED: "Counted as exposed, but concealed: {what}.",
    Slip.COUNTED_TWICE: "Counted twice: {what}.",
    Slip.POINTS_NOT_EARNED: "Counted, but not in this hand: {what}.",
    Slip.NOT_DOUBLED_AT_ALL: "The points were not doubled.",
    Slip.DOUBLES_MULTIPLIED: "Each double doubles what is there already: {what}.",
    Slip.SET_MISTAKEN: "Taken for another set: {what}.",
}
_COMMON: Final = frozenset(
    {
        Slip.DOUBLE_FORGOTTEN,
        Slip.DOUBLE_TOO_MANY,
        Slip.POINTS_FORGOTTEN,
        Slip.COUNTED_AS_CONCEALED,
        Slip.COUNTED_AS_EXPOSED,
    }
)


def examine_claim(claimed: int, reckoning: Reckoning, rules: RuleSet) -> tuple[Finding, ...]:
    """The slips that explain a claimed score, in points, other than the reckoned one.

    They are made from the lines of the reckoning; nothing is found where the two agree.
    """
    if claimed == reckoning.total:
        return ()
    lines = reckoning.lines
    edits = list(miscounts(lines, rules))
    reasons = [
        *_limit_slips(claimed, reckoning, rules),
        *_merged(edit for edit in edits if total_with([edit], lines, rules) == claimed),
        *_pen_slips(claimed, reckoning, rules),
    ]
    reasons = reasons or list(_pairs(claimed, lines, edits, rules))[:MOST]
    reasons = reasons or [(Slip.UNEXPLAINED, _recount(reckoning))]
    tail = f"The hand scores {plain(reckoning.total)}, not {plain(claimed)}."
    corrected = {"total": reckoning.total}
    return ranked(Finding(kind, (), f"{reason} {tail}", corrected) for kind, reason in reasons)


def _limit_slips(claimed: int, reckoning: Reckoning, rules: RuleSet) -> Iterator[tuple[Slip, str]]:
    if reckoning.limited and claimed == reckoned(reckoning.lines):
        yield Slip.LIMIT_NOT_APPLIED, _SENTENCES[Slip.LIMIT_NOT_APPLIED]
    if claimed == rules.limit:
        yield Slip.TAKEN_FOR_THE_LIMIT, _SENTENCES[Slip.TAKEN_FOR_THE_LIMIT]


def _merged(edits: Iterable[Edit]) -> Iterator[tuple[Slip, str]]:
    """One reason for each kind, naming every line that it may have been."""
    alike: dict[Slip, list[Edit]] = defaultdict(list)
    for edit in edits:
        alike[edit.kind].append(edit)
    for kind, some in alike.items():
        yield kind, _reason(some)


def _reason(alike: Iterable[Edit]) -> str:
    """The sentence for slips of one kind, any of which it may have been."""
    edits = list(alike)
    what = listed(dict.fromkeys(edit.what for edit in edits), last="or")
    return _SENTENCES[edits[0].kind].format(what=what)


def _pen_slips(claimed: int, reckoning: Reckoning, rules: RuleSet) -> Iterator[tuple[Slip, str]]:
    pen = pen_slip(reckoning.total, claimed)
    if pen:
        yield pen.kind, f"In the total {pen.words}."
    basic, doubles = reckoning.basic, reckoning.doubles
    if not basic or not doubles or claimed % (1 << doubles) or claimed == rules.limit:
        return
    counted = claimed >> doubles
    pen = pen_slip(basic, counted)
    if pen:
        amounts = f"{plain(basic)}, not {plain(counted)}"
        yield pen.kind, f"The points before doubling are {amounts}: {pen.words}."


def _pairs(
    claimed: int, lines: Lines, edits: Sequence[Edit], rules: RuleSet
) -> Iterator[tuple[Slip, str]]:
    """Two common slips at once; those that come to the same are named together."""
    common = [edit for edit in edits if edit.kind in _COMMON]
    common.sort(key=lambda edit: BELIEVED[edit.kind])
    alike: dict[object, list[tuple[Edit, Edit]]] = defaultdict(list)
    for one, other in combinations(common, 2):
        apart = one.changed.keys().isdisjoint(other.changed)
        if apart and total_with((one, other), lines, rules) == claimed:
            effect = [(edit.kind, total_with([edit], lines, rules)) for edit in (one, other)]
            alike[tuple(effect)].append((one, other))
    for pairs in alike.values():
        reasons = (_reason(some) for some in zip(*pairs, strict=True))
        yield Slip.TWO_SLIPS, " ".join(reasons)


def _recount(reckoning: Reckoning) -> str:
    if reckoning.basic is None or not reckoning.doubles:
        return "No simple mistake explains it. Recount the points line by line."
    points = f"the points before doubling ({plain(reckoning.basic)})"
    return (
        f"No simple mistake explains it. Recount {points}, then the doubles ({reckoning.doubles})."
    )
