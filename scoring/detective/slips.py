"""Slips of the pen and of counting, how a finding is said, and a claim beside the rules."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import StrEnum
from itertools import chain, combinations, zip_longest
from typing import Final, NamedTuple

from scoring.hands.hand import Hand, join_words
from scoring.pricing.reckoning import Reckoning, score
from scoring.rules.prices import Line, lines_total
from scoring.rules.rule_set import RuleSet
from scoring.totals import nearest

MAX_FINDINGS = 5
LOOKALIKES: Final = tuple(map(frozenset, ("17", "27", "38", "49", "56", "06")))
ScoreLines = tuple[Line, ...]
_MAX_SLIP_GUESSES: Final = 2


class Slip(StrEnum):
    """The kinds of slip, in the order in which they are believed where several explain a sheet.

    A kind that can happen in one or two ways stands before one that can happen in many: it
    hardly ever explains a sheet by chance. A concealed set counted as exposed is the commonest
    slip in counting a hand, so it stands before the others that leave the same points out.
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
    COUNTED_AS_EXPOSED = "counted_as_exposed"
    DOUBLE_FORGOTTEN = "double_forgotten"
    DOUBLE_TOO_MANY = "double_too_many"
    POINTS_FORGOTTEN = "points_forgotten"
    POINTS_NOT_DOUBLED = "points_not_doubled"
    COUNTED_AS_CONCEALED = "counted_as_concealed"
    COUNTED_TWICE = "counted_twice"
    POINTS_NOT_EARNED = "points_not_earned"
    NOT_DOUBLED_AT_ALL = "not_doubled_at_all"
    DOUBLES_MULTIPLIED = "doubles_multiplied"
    SET_MISTAKEN = "set_mistaken"
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


SLIP_RANK: Final = {slip: place for place, slip in enumerate(Slip)}
VAGUE_SLIPS: Final = frozenset({Slip.ANOTHER_TOTAL, Slip.WRONG_PAYMENT, Slip.WRONG_SUM})


@dataclass(frozen=True, slots=True)
class Finding:
    """A slip that would explain what is written; `likelihood` 1 is the likeliest.

    `seats` are those it touches. `corrected_fields` gives the right figure, in points, for each
    field that changes: `scores.W`, `gain.W` or `total`.
    """

    kind: Slip
    seats: tuple[str, ...]
    message: str
    corrected_fields: Mapping[str, int]
    likelihood: int = 1


def rank_findings(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """The few that are believed most, the likeliest first, each sentence once."""
    findings_by_message = {finding.message: finding for finding in findings}
    order = sorted(findings_by_message.values(), key=lambda finding: SLIP_RANK[finding.kind])
    return tuple(
        replace(finding, likelihood=place)
        for place, finding in enumerate(order[:MAX_FINDINGS], start=1)
    )


def format_points(points: int) -> str:
    """A figure as a sheet has it: 1,096, −64, 0."""
    return f"{points:,}".replace("-", "−")


def format_gain(points: int) -> str:
    """A gain as a sheet has it: +1,096, −64, 0."""
    return f"+{format_points(points)}" if points > 0 else format_points(points)


class PenSlip(NamedTuple):
    """A kind of slip, and in words what happened."""

    kind: Slip
    description: str


def pen_slip(right: int, written_number: int) -> PenSlip | None:
    """What turned the right number into the written one; None where no one slip of the pen does."""
    if right == written_number or (right < 0) != (written_number < 0):
        if right != -written_number or not right:
            return None
        description = (
            "the minus sign was forgotten" if right < 0 else "there is a minus sign too many"
        )
        return PenSlip(Slip.SIGN, description)
    right_digits, written_digits = str(abs(right)), str(abs(written_number))
    if _is_missing_nought(right_digits, written_digits):
        return PenSlip(Slip.NOUGHT, "a zero is missing")
    if _is_missing_nought(written_digits, right_digits):
        return PenSlip(Slip.NOUGHT, "there is a zero too many")
    digits = max(len(right_digits), len(written_digits))
    padded_digits = right_digits.zfill(digits), written_digits.zfill(digits)
    places = _differing_places(*padded_digits)
    adjacent = len(places) == 2 and places[1] - places[0] == 1
    if adjacent and sorted(padded_digits[0]) == sorted(padded_digits[1]):
        return PenSlip(Slip.SWAPPED_DIGITS, "two digits were swapped")
    return _digit_slip(right_digits, written_digits)


def _is_missing_nought(longer: str, shorter: str) -> bool:
    places = range(1, len(longer)) if len(longer) == len(shorter) + 1 else ()
    return any(
        longer[place] == "0" and longer[:place] + longer[place + 1 :] == shorter for place in places
    )


def _digit_slip(right_digits: str, written_digits: str) -> PenSlip | None:
    """A digit misread, a ten carried wrongly, or else any one digit that is another."""
    places = (
        _differing_places(right_digits, written_digits)
        if len(right_digits) == len(written_digits)
        else []
    )
    pair = (right_digits[places[0]], written_digits[places[0]]) if len(places) == 1 else None
    became = f"“{pair[0]}” became “{pair[1]}”" if pair else ""
    if pair and frozenset(pair) in LOOKALIKES:
        return PenSlip(Slip.MISREAD_DIGIT, became)
    amount = str(abs(int(right_digits) - int(written_digits)))
    if len(amount) > 1 and amount.strip("0") == "1":
        return PenSlip(Slip.CARRY, f"{int(amount):,} was carried wrongly")
    return PenSlip(Slip.WRONG_DIGIT, became) if pair and len(right_digits) > 1 else None


def _differing_places(right_digits: str, written_digits: str) -> list[int]:
    pairs = enumerate(zip(right_digits, written_digits, strict=True))
    return [place for place, (digit, written_digit) in pairs if digit != written_digit]


class Edit(NamedTuple):
    """A slip in counting: at these places of the reckoning other lines were counted."""

    kind: Slip
    description: str
    changed_lines: Mapping[int, ScoreLines]


def total_with_edits(edits: Iterable[Edit], lines: ScoreLines, rules: RuleSet) -> int:
    """What the lines come to, after any limit, with these slips."""
    changed_lines: dict[int, ScoreLines] = {}
    for edit in edits:
        changed_lines |= edit.changed_lines
    return rules.capped_at_highest(lines_total(_edit_lines(lines, changed_lines)))


def _edit_lines(lines: ScoreLines, changed_lines: Mapping[int, ScoreLines]) -> ScoreLines:
    places = range(len(lines) + 1)
    return tuple(
        chain.from_iterable(changed_lines.get(place, lines[place : place + 1]) for place in places)
    )


def miscounts(lines: ScoreLines, rules: RuleSet) -> Iterator[Edit]:
    """Every slip that the lines of a reckoning lend themselves to."""
    for place, line in enumerate(lines):
        for kind, subject, counted_lines in _single_line_slips(line, rules):
            yield Edit(kind, subject, {place: counted_lines})
    yield from _several_line_slips(lines)
    # What was counted beside the lines: a double, or points that the hand does not earn.
    if any(line.points for line in lines) and (rules.doubles or rules.set_doubles):
        yield Edit(Slip.DOUBLE_TOO_MANY, "", {len(lines): (Line("", "", doubles=1),)})
    names = {line.name for line in lines}
    for rule in rules.points:
        if rule.name not in names:
            extra_line = Line(rule.name, rule.source, points=rule.points)
            yield Edit(Slip.POINTS_NOT_EARNED, f"“{rule.name}”", {len(lines): (extra_line,)})


def _single_line_slips(line: Line, rules: RuleSet) -> Iterator[tuple[Slip, str, ScoreLines]]:
    for edit in miscounts(line.workings, rules) if line.workings else ():
        workings = _edit_lines(line.workings, edit.changed_lines)
        yield (
            edit.kind,
            edit.description,
            (replace(line, value=lines_total(workings), workings=workings),),
        )
    quoted_name = f"“{line.name}”"
    if line.doubles is not None:
        yield Slip.DOUBLE_FORGOTTEN, quoted_name, ()
        if line.doubles > 1:
            fewer = replace(line, doubles=line.doubles - 1)
            yield Slip.DOUBLE_FORGOTTEN, f"one of {quoted_name}", (fewer,)
        return
    yield Slip.POINTS_FORGOTTEN, quoted_name, ()
    if line.points is not None:
        yield Slip.COUNTED_TWICE, quoted_name, (line, line)
    for kind, subject, points in _set_slips(line, rules):
        yield kind, subject, (replace(line, points=points),)


def _set_slips(line: Line, rules: RuleSet) -> Iterator[tuple[Slip, str, int]]:
    # The sets that are worth more concealed.
    rows = [rule for rule in rules.set_points if rule.exposed != rule.concealed]
    rule = next((rule for rule in rows if rule.name == line.name), None)
    if rule is None or line.points not in {rule.exposed, rule.concealed}:
        return
    exposed = line.points == rule.exposed
    kind = Slip.COUNTED_AS_CONCEALED if exposed else Slip.COUNTED_AS_EXPOSED
    yield kind, f"“{line.name}”", rule.concealed if exposed else rule.exposed
    for other_rule in rows:
        points = other_rule.exposed if exposed else other_rule.concealed
        if points != line.points:
            yield Slip.SET_MISTAKEN, f"“{line.name}” counted as “{other_rule.name}”", points


def _several_line_slips(lines: ScoreLines) -> Iterator[Edit]:
    """Lines of one name, or all points without tiles (going Mah-Jong), or all doubles."""
    by_name: dict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        by_name[line.name].append(place)
    for name, places in by_name.items():
        if len(places) > 1 and len(lines[places[0]].tiles) < 2:
            kind = Slip.POINTS_FORGOTTEN if lines[places[0]].points else Slip.DOUBLE_FORGOTTEN
            yield Edit(kind, f"“{name}” ({len(places)} times)", dict.fromkeys(places, ()))
        yield from _undoubled_slips(lines, places)
    winners = [index for index, line in enumerate(lines) if line.points and not line.tiles]
    yield from _undoubled_slips(lines, winners)
    doubling = {index: () for index, line in enumerate(lines) if line.doubles}
    if len(doubling) > 1:
        yield Edit(Slip.NOT_DOUBLED_AT_ALL, "", doubling)
    # Three doubles counted as six times instead of eight times.
    doubles = sum(line.doubles or 0 for line in lines)
    points = sum(line.points or 0 for line in lines)
    if doubles > 2 and points:
        subject = f"{doubles} doubles make {1 << doubles} times, not {2 * doubles}"
        wrong_line = Line("", "", value=points * 2 * doubles)
        removed_lines = {index: () for index, line in enumerate(lines) if line.value is None}
        yield Edit(Slip.DOUBLES_MULTIPLIED, subject, {**removed_lines, len(lines): (wrong_line,)})


def _undoubled_slips(lines: ScoreLines, places: Sequence[int]) -> Iterator[Edit]:
    if places and all(lines[place].points for place in places):
        subject = join_words(dict.fromkeys(f"“{lines[place].name}”" for place in places))
        changed_lines = {
            place: (replace(lines[place], points=None, value=lines[place].points),)
            for place in places
        }
        yield Edit(Slip.POINTS_NOT_DOUBLED, subject, changed_lines)


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
    Slip.SET_MISTAKEN: "Mistaken for another set: {what}.",
}
_COMMON_SLIPS: Final = frozenset(
    {
        Slip.DOUBLE_FORGOTTEN,
        Slip.DOUBLE_TOO_MANY,
        Slip.POINTS_FORGOTTEN,
        Slip.COUNTED_AS_CONCEALED,
        Slip.COUNTED_AS_EXPOSED,
    }
)


def examine_claim(claimed_total: int, reckoning: Reckoning, rules: RuleSet) -> tuple[Finding, ...]:
    """The slips that explain a claimed score, in points, other than the reckoned one.

    They are made from the lines of the reckoning; nothing is found where the two agree.
    """
    if claimed_total == reckoning.total:
        return ()
    lines = reckoning.lines
    edits = list(miscounts(lines, rules))
    reasons: list[tuple[Slip, str]] = []
    if reckoning.is_limited and claimed_total == lines_total(lines):
        reasons.append((Slip.LIMIT_NOT_APPLIED, _SENTENCES[Slip.LIMIT_NOT_APPLIED]))
    if claimed_total == rules.highest:
        reasons.append((Slip.TAKEN_FOR_THE_LIMIT, _SENTENCES[Slip.TAKEN_FOR_THE_LIMIT]))
    # One reason for each kind, naming every line that it may have been.
    edits_by_kind: dict[Slip, list[Edit]] = defaultdict(list)
    for edit in edits:
        if total_with_edits([edit], lines, rules) == claimed_total:
            edits_by_kind[edit.kind].append(edit)
    reasons += [(kind, _slip_sentence(some)) for kind, some in edits_by_kind.items()]
    reasons += _pen_slips(claimed_total, reckoning, rules)
    reasons = reasons or list(_slip_pairs(claimed_total, lines, edits, rules))[:MAX_FINDINGS]
    if not reasons:
        recount = "the points line by line"
        if reckoning.basic is not None and reckoning.doubles:
            recount = (
                f"the points before doubling ({format_points(reckoning.basic)}), then the doubles"
            )
            recount += f" ({reckoning.doubles})"
        reasons = [(Slip.UNEXPLAINED, f"No simple mistake explains it. Recount {recount}.")]
    tail = f"The hand scores {format_points(reckoning.total)}, not {format_points(claimed_total)}."
    corrected_fields = {"total": reckoning.total}
    return rank_findings(
        Finding(kind, (), f"{reason} {tail}", corrected_fields) for kind, reason in reasons
    )


def _slip_sentence(similar_edits: Iterable[Edit]) -> str:
    """The sentence for slips of one kind, any of which it may have been."""
    edits = list(similar_edits)
    subject = join_words(dict.fromkeys(edit.description for edit in edits), last="or")
    return _SENTENCES[edits[0].kind].format(what=subject)


def _pen_slips(
    claimed_total: int, reckoning: Reckoning, rules: RuleSet
) -> Iterator[tuple[Slip, str]]:
    pen = pen_slip(reckoning.total, claimed_total)
    if pen:
        yield pen.kind, f"In the total {pen.description}."
    basic, doubles = reckoning.basic, reckoning.doubles
    if not basic or not doubles or claimed_total % (1 << doubles) or claimed_total == rules.highest:
        return
    counted_points = claimed_total >> doubles
    pen = pen_slip(basic, counted_points)
    if pen:
        amounts = f"{format_points(basic)}, not {format_points(counted_points)}"
        yield pen.kind, f"The points before doubling are {amounts}: {pen.description}."


def _slip_pairs(
    claimed_total: int, lines: ScoreLines, edits: Sequence[Edit], rules: RuleSet
) -> Iterator[tuple[Slip, str]]:
    """Two common slips at once; those that come to the same are named together."""
    common = [edit for edit in edits if edit.kind in _COMMON_SLIPS]
    common.sort(key=lambda edit: SLIP_RANK[edit.kind])
    pairs_by_effect: dict[object, list[tuple[Edit, Edit]]] = defaultdict(list)
    for first, other_edit in combinations(common, 2):
        is_disjoint = first.changed_lines.keys().isdisjoint(other_edit.changed_lines)
        if is_disjoint and total_with_edits((first, other_edit), lines, rules) == claimed_total:
            effect = [
                (edit.kind, total_with_edits([edit], lines, rules)) for edit in (first, other_edit)
            ]
            pairs_by_effect[tuple(effect)].append((first, other_edit))
    for pairs in pairs_by_effect.values():
        yield Slip.TWO_SLIPS, " ".join(_slip_sentence(some) for some in zip(*pairs, strict=True))


_DIGIT_SLIPS: Final = (Slip.SWAPPED_DIGITS, Slip.NOUGHT)


class Guess(NamedTuple):
    """A total in points that can be, and in words how the other came of it; or it is near."""

    points: int
    explanation: str = ""


def guess_total(written_total: int, possible: Sequence[int]) -> tuple[Guess, ...]:
    """The totals, of those that are possible, that were perhaps meant; the likeliest first.

    At most two slips that explain what is written, then the nearest below and above. Nothing
    where what is written is possible itself.
    """
    if written_total in possible:
        return ()
    slips = [
        Guess(points, f"{pen.description} ({format_points(points)})")
        for points in possible
        if (pen := pen_slip(points, written_total)) and pen.kind in _DIGIT_SLIPS
    ]
    half = written_total // 2
    if written_total % 2 == 0 and half in possible:
        slips.append(Guess(half, f"{format_points(half)} was doubled once too often"))
    slips = slips[:_MAX_SLIP_GUESSES]
    explained_totals = {guess.points for guess in slips}
    near_totals = [
        points for points in nearest(written_total, tuple(possible)) if points is not None
    ]
    return (*slips, *(Guess(points) for points in near_totals if points not in explained_totals))


class ClaimedLine(NamedTuple):
    """A line as a player counted it: its name in the words of the rules, and points or doubles."""

    name: str
    points: int | None = None
    doubles: int | None = None


class Claim(NamedTuple):
    """What a player says: a total in points, the lines that make it, or both."""

    total: int | None = None
    lines: tuple[ClaimedLine, ...] = ()


class DifferenceKind(StrEnum):
    """How a claimed line differs from the rules."""

    MISSING = "missing"
    TOO_MUCH = "too_much"
    OTHER_VALUE = "other_value"
    WRONG_SUM = "wrong_sum"


class Difference(NamedTuple):
    """One thing that was claimed otherwise, in a sentence."""

    kind: DifferenceKind
    name: str
    message: str


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
    """Where the claim differs from what the rules give the hand; raises BadHand as `score` does."""
    reckoning = score(hand, rules)
    differences = tuple(_line_differences(claim.lines, reckoning)) if claim.lines else ()
    if claim.total is None or claim.total == reckoning.total:
        return Comparison(reckoning, differences, ())
    if claim.lines and not differences:
        message = f"Every line is right, but they come to {lines_total(reckoning.lines):,}"
        if reckoning.is_limited:
            message += f", and the hand to the limit of {reckoning.total:,}"
        differences = (
            Difference(DifferenceKind.WRONG_SUM, "", f"{message}, not {claim.total:,}."),
        )
    findings = () if differences else examine_claim(claim.total, reckoning, rules)
    return Comparison(reckoning, differences, findings)


class _Amount(NamedTuple):
    """What a line is worth: points, or doubles."""

    number: int
    unit: str

    def __str__(self) -> str:
        return f"{self.number:,} {self.unit if self.number == 1 else self.unit + 's'}"


def _line_amount(points: int | None, doubles: int | None) -> _Amount:
    return _Amount(points or 0, "point") if doubles is None else _Amount(doubles, "double")


def _line_differences(
    claimed_lines: Iterable[ClaimedLine], reckoning: Reckoning
) -> Iterator[Difference]:
    """Line by line in the order of the rules; what the rules do not give comes last."""
    # A value that was itself reckoned is compared by its own lines.
    lines = chain.from_iterable(line.workings or (line,) for line in reckoning.lines)
    right = _amounts_by_name(
        (line.name, _line_amount(line.points if line.value is None else line.value, line.doubles))
        for line in lines
    )
    claimed_amounts = _amounts_by_name(
        (line.name, _line_amount(line.points, line.doubles)) for line in claimed_lines
    )
    for name in {**right, **claimed_amounts}:
        # Without what is the same in both.
        extra_amounts = _remaining_amounts(claimed_amounts[name], right[name])
        fewer = _remaining_amounts(right[name], claimed_amounts[name])
        for amount, due in zip_longest(extra_amounts, fewer):
            if amount is None:
                yield Difference(DifferenceKind.MISSING, name, f"Not claimed: {name}, {due}.")
            elif due is None:
                message = f"Claimed, but not earned by this hand: {name}, {amount}."
                yield Difference(DifferenceKind.TOO_MUCH, name, message)
            else:
                message = f"{name} is worth {due}, not {amount}."
                yield Difference(DifferenceKind.OTHER_VALUE, name, message)


def _amounts_by_name(amounts: Iterable[tuple[str, _Amount]]) -> defaultdict[str, list[_Amount]]:
    by_name: defaultdict[str, list[_Amount]] = defaultdict(list)
    for name, amount in amounts:
        by_name[name].append(amount)
    return by_name


def _remaining_amounts(amounts: list[_Amount], other_amounts: list[_Amount]) -> list[_Amount]:
    remaining_amounts = list(amounts)
    for amount in other_amounts:
        if amount in remaining_amounts:
            remaining_amounts.remove(amount)
    return remaining_amounts
