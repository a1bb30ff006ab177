"""Prints a rule set whole, in the order of the book, as the page a player lays beside it."""

from collections.abc import Iterable
from dataclasses import dataclass

from scoring.hands.hand import Hand, Kind, quantity, set_codes, set_of, times_text
from scoring.hands.tiles import DRAGON_TILES, TILE_NAMES, TILE_PLACE
from scoring.notes import Note, link_notes, notes_in_sources
from scoring.rules import marks
from scoring.rules.conditions import HandCondition
from scoring.rules.declarations import (
    FirstDealer,
    Fixed,
    Form,
    Points,
    Reach,
    SpecialHand,
    Value,
    Who,
)
from scoring.rules.rule_set import RuleSet
from scoring.table.settlement import scale

Cells = tuple[str, ...]
_NO_PAYMENTS: Cells = ("Payments", "None: each player adds up their own scores", "Note 13")


@dataclass(frozen=True, slots=True)
class RuleSection:
    """One table of the page: its title, a sentence about it, the columns and the rows."""

    title: str
    note: str
    columns: Cells
    rows: tuple[Cells, ...]


def sections(rules: RuleSet) -> tuple[RuleSection, ...]:
    """The whole rule set as tables of text, in the book's order; each row ends in its source.

    A line that an open point puts out of play is not among them, nor a table that would be empty;
    the open points come last.
    """
    return tuple(table for table in all_sections(rules) if table.rows)


def all_sections(rules: RuleSet) -> tuple[RuleSection, ...]:
    """The same with the empty tables, so that every rule set has the same of them in a row."""
    return (
        _points_section(rules),
        _winner_points_section(rules),
        _doubles_section(rules, Who.EVERYONE),
        _doubles_section(rules, Who.WINNER),
        _special_hands_section(rules),
        _readings_section(rules),
        _bounds_section(rules),
        _play_section(rules),
        _penalties_section(rules),
        _open_points_section(rules),
    )


def page(rules: RuleSet) -> str:
    """The whole rule set as Markdown."""
    parts = [f"# {rules.name} ({rules.key})"]
    for section in sections(rules):
        parts += [f"## {section.title}", *([section.note] if section.note else [])]
        lines = ((*row[:-1], link_notes(row[-1])) for row in section.rows)
        rows = [section.columns, tuple("---" for _ in section.columns), *lines]
        parts.append("\n".join(f"| {' | '.join(row)} |" for row in rows))
    return "\n\n".join(parts) + "\n"


def as_json(rules: RuleSet) -> dict[str, object]:
    """The whole rule set as data: key, name, limit, open points, sections, and the notes named."""
    rule_sections = sections(rules)
    return {
        "key": rules.key,
        "name": rules.name,
        "limit": rules.limit,
        "choices": rules.choice,
        "sections": [
            {
                "title": section.title,
                "note": section.note,
                "columns": list(section.columns),
                "rows": [list(row) for row in section.rows],
            }
            for section in rule_sections
        ],
        "notes": [note._asdict() for note in notes_of(rule_sections)],
    }


def notes_of(rule_sections: Iterable[RuleSection]) -> tuple[Note, ...]:
    """The notes that the sources of these tables name."""
    return notes_in_sources(row[-1] for section in rule_sections for row in section.rows)


def _points_section(rules: RuleSet) -> RuleSection:
    rows: list[Cells] = [
        (line.name, line.when.phrase, str(line.exposed), str(line.concealed), line.source)
        for line in rules.set_points
        if line.is_played(rules.choice)
    ]
    rows += [
        (line.name, description, str(line.points), str(line.points), line.source)
        for line, description in _lines_in_play(rules.points, rules)
        if not line.winner_only
    ]
    if bonus := rules.bonus_points:
        rows.append((bonus.name, "each", str(bonus.points), str(bonus.points), bonus.source))
    if adding := rules.adding:
        relation = ("instead of", "beside")[rules.choice[adding.chows_beside_a_dragon]]
        for line in adding.dragons:
            suits = "of one suit" if line.one_suit else "not all of one suit"
            description = f"three chows that run from 1 to 9, {suits}, {relation} their own points"
            rows.append((line.name, description, str(line.points), str(line.points), line.source))
        relation = ("instead of", "beside")[rules.choice[adding.flowers_beside_a_bouquet]]
        for bouquet in adding.bouquets:
            flowers = ", ".join(TILE_NAMES[tile] for tile in bouquet.tiles)
            description, points = f"{flowers}, {relation} their own points", str(bouquet.points)
            rows.append((bouquet.name, description, points, points, bouquet.source))
    title = "Points, every player" if rules.losers_score else "Points, sets and bonus tiles"
    note = "A set is exposed when a tile of it was claimed."
    columns = ("Set", "Description", "Exposed", "Concealed", "Source")
    return RuleSection(title, note, columns, tuple(rows))


def _condition_text(hand_condition: HandCondition, rules: RuleSet) -> str | None:
    """The condition in words as the open points are played; None where it never holds."""
    condition = hand_condition.parts(rules.choice)
    return None if condition is None else condition.phrase or "always"


def _lines_in_play(lines: Iterable[Points], rules: RuleSet) -> list[tuple[Points, str]]:
    """The lines that are in play, each with its condition in words."""
    return [
        (line, description) for line in lines if (description := _condition_text(line.when, rules))
    ]


def _winner_points_section(rules: RuleSet) -> RuleSection:
    rows = [
        (line.name, description, str(line.points), line.source)
        for line, description in _lines_in_play(rules.points, rules)
        if line.winner_only
    ]
    if rules.adding and (description := _condition_text(rules.adding.last_tile.when, rules)):
        last = rules.adding.last_tile
        rows.append(
            (last.name, description, f"{times_text(last.times)} what it completes", last.source)
        )
    columns = ("For", "When", "Points", "Source")
    return RuleSection(
        "Points, the winner", "Added to the points of the sets.", columns, tuple(rows)
    )


def _doubles_section(rules: RuleSet, who: Who) -> RuleSection:
    everyone = who is Who.EVERYONE
    rows: list[Cells] = [
        (
            line.name,
            f"each {line.when.phrase}",
            str(line.doubles),
            Reach.ORDINARY.value,
            line.source,
        )
        for line in (rules.set_doubles if everyone else ())
    ]
    for line in rules.doubles:
        if line.who is who and (description := _condition_text(line.when, rules)):
            description += f" (instead of {', '.join(line.instead_of)})" if line.instead_of else ""
            rows.append((line.name, description, str(line.doubles), line.reach.value, line.source))
    everyones = "Doubles, every player" if rules.losers_score else "Doubles, sets"
    title = everyones if everyone else "Doubles, the winner"
    columns = ("For", "When", "Doubles", "What is doubled", "Source")
    return RuleSection(title, "Double the points once for each of these.", columns, tuple(rows))


def _special_hands_section(rules: RuleSet) -> RuleSection:
    doubled_rows = [
        (
            line.name,
            f"{Form.PUNGS.text}: {description}",
            f"own points doubled {times_text(line.doubles)}",
            "nothing" if line.winner_only else f"own points doubled {times_text(line.doubles)}",
            line.source,
        )
        for line in rules.doubled_hands
        if (description := _condition_text(line.when, rules))
    ]
    also = [
        (
            f"{line.name}: {extra.name}",
            description,
            quantity(extra.points, "point"),
            "",
            extra.source,
        )
        for line in rules.doubled_hands
        for extra, description in _lines_in_play(line.also, rules)
    ]
    fixed: list[Cells] = []
    for special in rules.specials:
        if description := _condition_text(special.when, rules):
            made_of = special.resolve(rules.choice).text
            tiles = made_of if description == "always" else f"{made_of}: {description}"
            most = rules.limit_of(won=True, special=True)
            worth = _worth_text(special.value, rules.limit, most)
            one_short_worth = _one_short_text(special, rules)
            fixed.append((special.name, tiles, worth, one_short_worth, special.source))
    columns = ("Hand", "Tiles", "Mah-Jong", "One tile short", "Source")
    return RuleSection(
        "Special hands", _specials_note(rules), columns, (*doubled_rows, *also, *fixed)
    )


def _specials_note(rules: RuleSet) -> str:
    if rules.adding:
        return "Added to the winner's points and to bonus tiles."
    irregular = "Mah-Jong that is not four sets and a pair"
    text = "If the ordinary score is higher, it is used instead"
    if rules.face_of_any_shape:
        text += f", even for a {irregular}"
    else:
        text += f". A {irregular} has no ordinary score"
        if rules.losers_score:
            text += "; a hand one tile short always has one"
    return f"{text}."


def _one_short_text(line: SpecialHand, rules: RuleSet) -> str:
    """What the special hand gives a player who did not go Mah-Jong."""
    most = rules.limit_of(won=False, special=True)
    if line.standing:
        value = _worth_text(line.standing.value, rules.limit, most)
        return f"{value} on {line.standing.when.phrase}, and no more"
    fishing_value = line.fishing if rules.losers_score else None
    return _worth_text(fishing_value, rules.limit, most) if fishing_value else "nothing"


def _worth_text(value: Value, limit: int | None, most: int | None) -> str:
    full_points = value.points(limit)
    if most is not None and full_points > most:
        return f"{most:,} (the limit; {full_points:,} without it)"
    points = f"{full_points:,}"
    if isinstance(value, Fixed) or value.part == value.of:
        return points
    return f"{points} ({value.part}/{value.of} of the limit)"


def _readings_section(rules: RuleSet) -> RuleSection:
    """What decides how the tiles of a hand are read as sets."""
    rows = [
        ("Four identical tiles", "Four identical tiles in the hand are not a kong until declared"),
        (
            "Claimed tile",
            "Completes an exposed set. If it could complete several, use the one that scores most",
        ),
        ("Robbed kong", "Its tile counts as claimed"),
    ]
    # A pair can score everywhere that one of dragons does.
    pair = set_of(set_codes(Kind.PAIR, exposed=False)[TILE_PLACE[DRAGON_TILES[0]]])
    if rules.losers_score and any(line.when.test(pair, Hand()) for line in rules.set_points):
        text = "Every scoring pair counts, even several in a hand that did not go Mah-Jong"
        rows.append(("Pairs", text))
    if any(line.when.all_of & marks.ONLY_TILE for line in rules.points):
        text = (
            "The only kind of tile that could complete the hand, whatever has been discarded. A"
            " kind of which the player holds all four does not count. The table may rule otherwise"
        )
        rows.append(("Only possible tile", text))
    sourced_rows = tuple((*row, "Note 1") for row in rows)
    return RuleSection("How a hand is read", "", ("Of", "Rule", "Source"), sourced_rows)


def _bounds_section(rules: RuleSet) -> RuleSection:
    rows: list[Cells] = [*_limit_rows(rules), ("Chows", _chows_text(rules), rules.chows.source)]
    if not rules.losers_score:
        rows.append(("Players who did not go Mah-Jong", "Score nothing", rules.losers.source))
    if rules.one_suit:
        text = "All suit tiles of a Mah-Jong are of one suit"
        text += ", unless it is a special hand" if rules.one_suit.but_special else ""
        rows.append(("Suits", text, rules.one_suit.source))
    if (special := rules.special_rules) and rules.bonus_points:
        bonus_text = "Counted separately and added" if special.bonus_tiles_beside else "Not counted"
        rows.append(("Flowers and seasons beside a special hand", bonus_text, special.source))
    if rules.jokers and rules.passing.goulash_after_a_draw:
        jokers = f"{rules.jokers.in_a_pung} at most in a pung, {rules.jokers.in_a_kong} in a kong"
        jokers += ", none in a pair or in a special hand of its own shape"
        rows.append(("Jokers", jokers, rules.jokers.source))
    if least := rules.minimum:
        text = f"With {least.players} players {least.text}"
        rows.append(("Minimum Mah-Jong", text, least.source))
    if least := rules.minimum_of_all:
        name = "Minimum Mah-Jong with more players" if rules.minimum else "Minimum Mah-Jong"
        rows.append((name, least.text, least.source))
    return RuleSection("Limits", "", ("Of", "Rule", "Source"), tuple(rows))


def _chows_text(rules: RuleSet) -> str:
    """How many chows a Mah-Jong may have, and where it may have none."""
    text = "Any number" if rules.chows.most is None else f"{rules.chows.most} at most"
    text += " in a Mah-Jong"
    if rules.chows.players:
        text += f"; none with under {rules.chows.players} players"
    if rules.passing.goulash_after_a_draw and not rules.chows.in_a_goulash:
        text += "; none in a goulash"
    return text


def _limit_rows(rules: RuleSet) -> list[Cells]:
    """The limit, and what hands score at most where that is not the limit for all."""
    if rules.limits is None:
        text = "None" if rules.limit is None else f"A hand scores {rules.limit:,} at most"
        return [("The limit", text, rules.limit_source)]
    ordinary, special, losers, source = rules.limits
    text = "Not the same for every hand"
    if rules.limit is not None:
        text = f"{rules.limit:,}, but not for every hand"
    rows = [("an ordinary Mah-Jong", ordinary), ("a special hand", special)]
    rows += [("a hand that did not go Mah-Jong", losers)] if rules.losers_score else []
    return [
        ("The limit", text, source),
        *(
            (f"The limit of {subject}", "None" if most is None else f"{most:,}", source)
            for subject, most in rows
        ),
    ]


def _play_section(rules: RuleSet) -> RuleSection:
    payments, passing = rules.payments, rules.passing
    paid = (
        [(*rule, payments.source) for rule in payments.describe()] if payments else [_NO_PAYMENTS]
    )
    tables = ((*rule, passing.source) for rule in passing.table_sizes(rules.seats))
    rows = (*paid, *((*rule, passing.source) for rule in passing.describe()), *tables)
    capital = tuple((subject[0].upper() + subject[1:], *cells) for subject, *cells in rows)
    return RuleSection("Payments and changing winds", "", ("Of", "Rule", "Source"), capital)


def _penalties_section(rules: RuleSet) -> RuleSection:
    rows = [(line.name, line.describe(rules.limit), line.source) for line in scale(rules).values()]
    note = "Fines are recorded separately from scores and are never doubled for East."
    return RuleSection("Penalties", note, ("For", "What follows", "Source"), tuple(rows))


def _open_points_section(rules: RuleSet) -> RuleSection:
    answers = {True: "yes", False: "no"}
    rows = []
    for line in rules.choices:
        value = answers[line.value] if isinstance(line.value, bool) else str(line.value)
        rows.append((line.text, value, line.source))
    if rules.passing.first_dealer is FirstDealer.NAMED:
        rows.append(rules.passing.first_dealer.open_point)
    note = "Points the sources leave open, as played here. Clubs can choose differently."
    return RuleSection("Open points", note, ("Of", "Here", "Source"), tuple(rows))
