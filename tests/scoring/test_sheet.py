"""The printed rules page is the rule set that runs."""

import json
from pathlib import Path

import pytest

from scoring import rule_set, rule_set_keys, sheet

PAGES = Path(__file__).parents[2] / "docs" / "rules"


@pytest.mark.parametrize("key", rule_set_keys())
def test_the_printed_page_is_up_to_date(key: str) -> None:
    """After a change of the rules: python -m scoring rules --rules KEY > docs/rules/KEY.md."""
    assert (PAGES / f"{key}.md").read_text() == sheet.page(rule_set(key))


@pytest.mark.parametrize("key", rule_set_keys())
def test_every_line_has_its_source(key: str) -> None:
    sources = {row[-1] for section in sheet.sections(rule_set(key)) for row in section.rows}
    assert all(source.startswith(("seed 00", "rules.md ")) for source in sources)


@pytest.mark.parametrize("key", rule_set_keys())
def test_every_row_fills_its_columns(key: str) -> None:
    for section in sheet.sections(rule_set(key)):
        assert {len(row) for row in section.rows} == {len(section.columns)}


def test_the_page_as_data_is_json() -> None:
    data = sheet.as_json(rule_set("bmja"))
    assert json.loads(json.dumps(data)) == data
    assert (data["key"], data["limit"]) == ("bmja/2008", 1000)
