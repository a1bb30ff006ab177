"""Prints a rule set whole, in the order of the book, as the page a player lays beside it."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from scoring.policies import Passing, Payments
from scoring.rules import Double, Form, Reach, RuleSet, Share, SpecialHand, Who

Row = tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Section:
    """One table of the page: its title, a sentence about it, the columns and the rows."""

    title: str
    note: str
    columns: Row
    rows: tuple[Row, ...]


def sections(rules: RuleSet) -> tuple[Section, ...]:
    """The whole rule set as tables of text, in the book's order; each row ends in its source."""
    return (
        _points(rules),
        _winners_points(rules),
        _doubles(rules, Who.EVERYONE),
        _doubles(rules, Who.WINNER),
        _special_hands(rules),
        _bounds(rules),
        _play(rules),
        _open_points(rules),
    )


def page(rules: RuleSet) -> str:
    """The whole rule set as Markdown."""
    parts = [f"# {rules.name} ({rules.key})", *map(_markdown, sections(rules))]
    return "\n\n".join(parts) + "\n"


def as_json(rules: RuleSet) -> dict[str, object]:
    """The whole rule set as data: key, name and the sections."""
    return {
        "key": rules.key,
        "name": rules.name,
        "limit": rules.limit,
        "sections": [
            {
                "title": section.title,
                "note": section.note,
                "columns": list(section.columns),
                "rows": [list(row) for row in section.rows],
            }
            for section in sections(rules)
        ],
    }


def _points(rules: RuleSet) -> Section:
    rows = [
        (line.name, line.when.words, str(line.exposed), str(line.concealed), line.source)
        for line in rules.set_points
    ]
    bonus = rules.bonus_points
    rows.append((bonus.name, "each", str(bonus.points), str(bonus.points), bonus.source))
    return Section(
        "Points, every player",
        "A set is exposed when a tile of it was claimed.",
        ("Set", "What it is", "Exposed", "Concealed", "Source"),
        tuple(rows),
    )


def _winners_points(rules: RuleSet) -> Section:
    rows = [(line.name, line.when.words, str(line.points), line.source) for line in rules.points]
    return Section(
        "Points, the winner",
        "Added to the points of the sets.",
        ("For", "When", "Points", "Source"),
        tuple(rows),
    )


def _doubles(rules: RuleSet, who: Who) -> Section:
    everyone = who is Who.EVERYONE
    rows: list[Row] = [
        (line.name, f"each {line.when.words}", str(line.doubles), Reach.ORDINARY.value, line.source)
        for line in (rules.set_doubles if everyone else ())
    ]
    rows += [_double(line) for line in rules.doubles if line.who is who]
    return Section(
        "Doubles, every player" if everyone else "Doubles, the winner",
        "The points are doubled once for each.",
        ("For", "When", "Doubles", "What is doubled", "Source"),
        tuple(rows),
    )


def _double(line: Double) -> Row:
    instead = f" (instead of {', '.join(line.instead_of)})" if line.instead_of else ""
    words = line.when.words + instead
    return line.name, words, str(line.doubles), line.reach.value, line.source


def _special_hands(rules: RuleSet) -> Section:
    doubled = [
        (
            line.name,
            f"{Form.PUNGS.value}: {line.when.words}",
            f"own points doubled {line.doubles} times",
            f"own points doubled {line.doubles} times",
            line.source,
        )
        for line in rules.doubled_hands
    ]
    also = [
        (f"{line.name}: {extra.name}", extra.when.words, f"{extra.points} points", "", extra.source)
        for line in rules.doubled_hands
        for extra in line.also
    ]
    fixed = [_special(line, rules.limit) for line in rules.specials]
    return Section(
        "Special hands",
        "Bonus tiles are counted apart and added; the ordinary score is taken where it is higher.",
        ("Hand", "Tiles", "Mah-Jong", "One tile short", "Source"),
        (*doubled, *also, *fixed),
    )


def _special(line: SpecialHand, limit: int | None) -> Row:
    fishing = _share(line.fishing, limit) if line.fishing else "nothing"
    words = f"{line.form.value}: {line.when.words}"
    return line.name, words, _share(line.value, limit), fishing, line.source


def _share(share: Share, limit: int | None) -> str:
    points = f"{share.points(limit):,}"
    return points if share.part == share.of else f"{points} ({share.part}/{share.of} of the limit)"


def _bounds(rules: RuleSet) -> Section:
    limit = "None" if rules.limit is None else f"A hand scores {rules.limit:,} at most"
    chows = (
        f"{rules.chows.most} at most in a Mah-Jong; none with under {rules.chows.players} players"
    )
    if not rules.chows.in_a_goulash:
        chows += "; none in a goulash"
    jokers = f"{rules.jokers.in_a_pung} at most in a pung, {rules.jokers.in_a_kong} in a kong"
    jokers += ", none in a pair or in a special hand of its own shape"
    rows: list[Row] = [
        ("The limit", limit, rules.limit_source),
        ("Chows", chows, rules.chows.source),
        ("Jokers", jokers, rules.jokers.source),
    ]
    if rules.minimum:
        least = rules.minimum
        words = f"With {least.players} players {least.doubles} doubles or {least.points} points"
        rows.append(("Least Mah-Jong", words, least.source))
    return Section("Limits", "", ("Of", "Rule", "Source"), tuple(rows))


def _play(rules: RuleSet) -> Section:
    payments = _payment_rows(rules.payments) if rules.payments else ()
    return Section(
        "Settling and passing on",
        "",
        ("Of", "Rule", "Source"),
        (*payments, *_passing_rows(rules.passing)),
    )


def _payment_rows(payments: Payments) -> Iterator[Row]:
    yield "Winner", "Every other player pays the winner's score", payments.source
    if payments.losers_settle:
        words = "Of each two the lower pays the higher the difference of their scores"
        yield "Losers", words, payments.source
    times = f"Pays and is paid {payments.by} times"
    two = "" if payments.multiplied_with_two else ", but not with two players"
    yield payments.multiplied.value, times + two, payments.source


def _passing_rows(passing: Passing) -> Iterator[Row]:
    words = "Stays East after going Mah-Jong or a drawn hand; otherwise the winds move on by one"
    yield "East", words, passing.source
    yield "Order of the winds", ", ".join(wind.label for wind in passing.order), passing.source
    if passing.prevailing:
        words = "East first; the next when every player has had and lost East"
        yield "Prevailing wind", words, passing.source
    if passing.goulash_after_a_draw:
        yield "After a drawn hand", "The next hand is a goulash", passing.source


def _open_points(rules: RuleSet) -> Section:
    rows = [(line.name, line.words, _value(line.value), line.source) for line in rules.choices]
    return Section(
        "Open points",
        "What the sources leave open, as it is played here; a club may choose otherwise.",
        ("Name", "Words", "Here", "Source"),
        tuple(rows),
    )


def _value(value: bool | int) -> str:  # noqa: FBT001 - the value of a choice
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)


def _markdown(section: Section) -> str:
    table = [section.columns, tuple("---" for _ in section.columns), *section.rows]
    lines = [f"## {section.title}", *([section.note] if section.note else [])]
    return "\n\n".join([*lines, "\n".join(_table_row(row) for row in table)])


def _table_row(cells: Iterable[str]) -> str:
    return f"| {' | '.join(cells)} |"
