"""The printed rules page is the rule set that runs."""

import json
import re
from collections.abc import Iterator
from dataclasses import fields, is_dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from scoring import Wind, deals, rule_set, rule_set_keys, sheet
from scoring.notes import BOOKS, NOTES, NOTES_FILE, books_in_sources, citations, notes_page
from scoring.rulesets import edition_keys

BMJA = rule_set("bmja")
PAGES = Path(__file__).parents[2] / "docs" / "rules"


@pytest.mark.parametrize("key", rule_set_keys())
def test_the_printed_page_is_up_to_date(key: str) -> None:
    """After a change of the rules: python -m scoring rules --rules KEY > docs/rules/KEY.md."""
    assert (PAGES / f"{key}.md").read_text() == sheet.page(rule_set(key))


def test_the_printed_notes_are_up_to_date() -> None:
    """After a change of the notes: python -m scoring.notes > docs/rules/notes.md."""
    assert (PAGES / NOTES_FILE).read_text() == notes_page()


BOOKS_NAMED = tuple(f"{book.name}, " for book in BOOKS)


@pytest.mark.parametrize("key", edition_keys())
def test_every_row_fills_its_columns_and_ends_in_a_source_that_a_reader_can_find(key: str) -> None:
    """A place in one of the books, or a note that is printed."""
    numbers = {note.number for note in NOTES}
    for section in sheet.sections(rule_set(key)):
        assert {len(row) for row in section.rows} == {len(section.columns)}
        for row in section.rows:
            pieces = list(citations(row[-1]))
            named_notes = {piece.note for piece in pieces if piece.note}
            assert "".join(piece.text for piece in pieces) == row[-1]
            assert named_notes <= numbers
            assert named_notes or row[-1].startswith(BOOKS_NAMED), row[-1]
            assert bool(books_in_sources([row[-1]])) == row[-1].startswith(BOOKS_NAMED)


def test_every_note_is_named_by_some_line() -> None:
    named_notes = {note for key in edition_keys() for note in sheet.notes_of(rule_sections(key))}
    assert {*NOTES} - named_notes == set()


def rule_sections(key: str) -> tuple[sheet.RuleSection, ...]:
    return sheet.sections(rule_set(key))


@pytest.mark.parametrize("key", edition_keys())
def test_no_source_is_a_paper_that_readers_do_not_have(key: str) -> None:
    """Neither on the page, nor as data, nor beside any line of a score."""
    pages = [sheet.page(rule_set(key)), json.dumps(sheet.as_json(rule_set(key))), notes_page()]
    assert [page for page in pages if re.search(r"\bseed\b|rules\.md", page)] == []
    sources = set(_sources(rule_set(key)))
    assert [source for source in sources if re.search(r"\bseed\b|rules\.md", source)] == []


def _sources(declaration: Any) -> Iterator[str]:
    """The source of every declaration of the rule set."""
    names = getattr(declaration, "_fields", None) or [field.name for field in fields(declaration)]
    for name in names:
        value = getattr(declaration, name)
        if name in {"source", "limit_source"}:
            yield value
        for part in (
            value if isinstance(value, tuple) and not hasattr(value, "_fields") else [value]
        ):
            if hasattr(part, "_fields") or is_dataclass(part):
                yield from _sources(part)


@pytest.mark.parametrize("key", rule_set_keys())
def test_the_page_speaks_the_words_of_players(key: str) -> None:
    """No name of an open point, and no tile by its code."""
    text = sheet.page(rule_set(key))
    assert [name for name in rule_set(key).choice if "_" in name and name in text] == []
    assert re.findall(r"\b(?:[BCO][1-9]|D[RGW]|W[ESWN]|JK)\b", text) == []


def test_an_open_point_played_otherwise_changes_the_page() -> None:
    house = sheet.page(BMJA.choosing(plus2_on_loose_tile=True, gates_of_heaven_on_a_claim=False))
    as_printed = sheet.page(BMJA)
    gates = "2 to 8 of one suit, one of 2 to 8 paired: last tile not claimed |"
    assert (gates in house, gates in as_printed) == (True, False)
    loose = "\n| Winning tile a loose tile |"
    assert (loose in house, loose in as_printed) == (True, False)


def test_the_page_names_what_mistakes_cost_as_the_club_plays() -> None:
    false = "False Mah-Jong, after another hand was exposed | "
    assert false + "500 points to each other player; the hand is void |" in sheet.page(BMJA)
    club = replace(BMJA.choosing(false_mahjong_in_all=True), limit=300)
    divided_text = "150 points to the other players, in equal parts; the hand is void |"
    assert false + divided_text in sheet.page(club)
    assert "Penalties" not in sheet.page(rule_set("english"))


ALL, EMPTY_PLACE = ["bmja", "safalra", "tallies", "baggaley", "english"], "never East"
SITS_OUT = "When a player other than East goes Mah-Jong, East sits out"
NORTH_IS_UNUSED = "East, South and West; North's wind, flower and season belong to no one"
SAID = [
    ("Four identical tiles in the hand are not a kong until declared", ALL),
    ("| Robbed kong | Its tile counts as claimed |", ALL),
    ("even several in a hand that did not go Mah-Jong", ["bmja", "baggaley", "english"]),
    ("A kind of which the player holds all four does not count", ["safalra", "english"]),
    ("A Mah-Jong that is not four sets and a pair has no ordinary score", ["bmja", "tallies"]),
    (", even for a Mah-Jong that is not four sets and a pair", ["english"]),
    ("a hand one tile short always has one", ["bmja"]),
    ("| Players at a table | 2, 3, 4 or 5 |", ["bmja", "tallies"]),
    ("| Players at a table | 2, 3 or 4 |", ["safalra"]),
    ("| Players at a table | 3 or 4 |", ["english"]),
    ("| Players at a table | 4 |", ["baggaley"]),
    ("| Two players | East and West |", ["bmja", "safalra", "tallies"]),
    (f"| Three players | {NORTH_IS_UNUSED} |", ["bmja", "tallies", "english"]),
    (EMPTY_PLACE, ["safalra"]),
    (SITS_OUT, ["bmja", "tallies"]),
]


@pytest.mark.parametrize("key", rule_set_keys())
def test_the_page_leaves_nothing_out_that_decides_a_score(key: str) -> None:
    page = sheet.page(rule_set(key))
    assert [text for text, _keys in SAID if text in page] == [
        text for text, keys in SAID if key in keys
    ]


@pytest.mark.parametrize("key", rule_set_keys())
def test_who_sits_out_at_a_table_of_five_is_as_the_page_says(key: str) -> None:
    """East, who lost, sits out; the fifth player comes in as North, and South is East."""
    if 5 not in rule_set(key).seats:
        assert "Five players" not in sheet.page(rule_set(key))
        return
    first, next_deal = deals([3], rules=rule_set(key), seats=5).deals
    assert (first.sits_out, next_deal.sits_out) == (5, 1)
    assert next_deal.winds == {2: Wind.E, 3: Wind.S, 4: Wind.W, 5: Wind.N}


def test_the_page_as_data_is_json() -> None:
    data = sheet.as_json(BMJA)
    assert json.loads(json.dumps(data)) == data
    assert data["choices"] == BMJA.choice
    assert (data["key"], data["limit"]) == ("bmja/2008", 1000)
