"""Slips in counting a hand: lines left out, counted twice, or counted as something else."""

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain
from typing import NamedTuple

from scoring.declarations import SetPoints
from scoring.detective.findings import Slip
from scoring.lines import Line, reckoned
from scoring.naming import listed
from scoring.rules import RuleSet

Lines = tuple[Line, ...]


class Edit(NamedTuple):
    """A slip in counting: at these places of the reckoning other lines were counted."""

    kind: Slip
    what: str
    changed: Mapping[int, Lines]


def total_with(edits: Iterable[Edit], lines: Lines, rules: RuleSet) -> int:
    """What the lines come to, after any limit, with these slips."""
    changed: dict[int, Lines] = {}
    for edit in edits:
        changed |= edit.changed
    return rules.capped(reckoned(_with(lines, changed)))


def _with(lines: Lines, changed: Mapping[int, Lines]) -> Lines:
    places = range(len(lines) + 1)
    return tuple(chain.from_iterable(changed.get(at, lines[at : at + 1]) for at in places))


def miscounts(lines: Lines, rules: RuleSet) -> Iterator[Edit]:
    """Every slip that the lines of a reckoning lend themselves to."""
    for place, line in enumerate(lines):
        for kind, what, counted in _of_one_line(line, rules):
            yield Edit(kind, what, {place: counted})
    yield from _of_several_lines(lines)
    yield from _of_no_line(lines, rules)


def _of_one_line(line: Line, rules: RuleSet) -> Iterator[tuple[Slip, str, Lines]]:
    for edit in miscounts(line.workings, rules) if line.workings else ():
        workings = _with(line.workings, edit.changed)
        other = replace(line, value=reckoned(workings), workings=workings)
        yield edit.kind, edit.what, (other,)
    named = f"“{line.name}”"
    if line.doubles is not None:
        yield Slip.DOUBLE_FORGOTTEN, named, ()
        if line.doubles > 1:
            fewer = replace(line, doubles=line.doubles - 1)
            yield Slip.DOUBLE_FORGOTTEN, f"one of {named}", (fewer,)
        return
    yield Slip.POINTS_FORGOTTEN, named, ()
    if line.points is not None:
        yield Slip.COUNTED_TWICE, named, (line, line)
    for kind, what, points in _as_another_set(line, rules):
        yield kind, what, (replace(line, points=points),)


def _as_another_set(line: Line, rules: RuleSet) -> Iterator[tuple[Slip, str, int]]:
    rule = next((rule for rule in _pungs_and_kongs(rules) if rule.name == line.name), None)
    if rule is None or line.points not in {rule.exposed, rule.concealed}:
        return
    exposed = line.points == rule.exposed
    kind = Slip.COUNTED_AS_CONCEALED if exposed else Slip.COUNTED_AS_EXPOSED
    yield kind, f"“{line.name}”", rule.concealed if exposed else rule.exposed
    for other in _pungs_and_kongs(rules):
        points = other.exposed if exposed else other.concealed
        if points != line.points:
            yield Slip.SET_MISTAKEN, f"“{line.name}” counted as “{other.name}”", points


def _pungs_and_kongs(rules: RuleSet) -> Iterator[SetPoints]:
    """The sets that are worth more concealed."""
    return (rule for rule in rules.set_points if rule.exposed != rule.concealed)


def _of_several_lines(lines: Lines) -> Iterator[Edit]:
    """Lines of one name, or all points without tiles (going Mah-Jong), or all doubles."""
    for name, places in _groups(lines).items():
        if len(places) > 1 and len(lines[places[0]].tiles) < 2:
            kind = Slip.POINTS_FORGOTTEN if lines[places[0]].points else Slip.DOUBLE_FORGOTTEN
            yield Edit(kind, f"“{name}” ({len(places)} times)", dict.fromkeys(places, ()))
        yield from _not_doubled(lines, places)
    winners = [at for at, line in enumerate(lines) if line.points and not line.tiles]
    yield from _not_doubled(lines, winners)
    doubling = {at: () for at, line in enumerate(lines) if line.doubles}
    if len(doubling) > 1:
        yield Edit(Slip.NOT_DOUBLED_AT_ALL, "", doubling)
    yield from _doubles_multiplied(lines)


def _groups(lines: Lines) -> Mapping[str, list[int]]:
    groups: dict[str, list[int]] = defaultdict(list)
    for place, line in enumerate(lines):
        groups[line.name].append(place)
    return groups


def _not_doubled(lines: Lines, places: Sequence[int]) -> Iterator[Edit]:
    if places and all(lines[at].points for at in places):
        what = listed(dict.fromkeys(f"“{lines[at].name}”" for at in places))
        after = {at: (replace(lines[at], points=None, value=lines[at].points),) for at in places}
        yield Edit(Slip.POINTS_NOT_DOUBLED, what, after)


def _doubles_multiplied(lines: Lines) -> Iterator[Edit]:
    """Three doubles counted as six times instead of eight times."""
    doubles = sum(line.doubles or 0 for line in lines)
    points = sum(line.points or 0 for line in lines)
    if doubles > 2 and points:
        what = f"{doubles} doubles make {1 << doubles} times, not {2 * doubles}"
        counted = Line("", "", value=points * 2 * doubles)
        others = {at: () for at, line in enumerate(lines) if line.value is None}
        yield Edit(Slip.DOUBLES_MULTIPLIED, what, {**others, len(lines): (counted,)})


def _of_no_line(lines: Lines, rules: RuleSet) -> Iterator[Edit]:
    """What was counted beside the lines: a double, or points that the hand does not earn."""
    if any(line.points for line in lines) and (rules.doubles or rules.set_doubles):
        yield Edit(Slip.DOUBLE_TOO_MANY, "", {len(lines): (Line("", "", doubles=1),)})
    names = {line.name for line in lines}
    for rule in rules.points:
        if rule.name not in names:
            counted = Line(rule.name, rule.source, points=rule.points)
            yield Edit(Slip.POINTS_NOT_EARNED, f"“{rule.name}”", {len(lines): (counted,)})
