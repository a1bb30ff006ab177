"""docs/rules/house-rules.md says every field and every condition of house rules, and no other."""

import json
import re
from pathlib import Path

import pytest

from scoring import house
from scoring.house import SETS_VOCABULARY, VOCABULARY
from scoring.house.reading import HOUSE_FIELDS

REFERENCE = Path(__file__).parents[2] / "docs/rules/house-rules.md"
ROW = re.compile(r"\| `(\w+)` \| (.+) \|")


def rows_of(title: str) -> dict[str, str]:
    """The rows of the table under that heading, or at the head of the page."""
    parts = re.split(r"^## ", REFERENCE.read_text(), flags=re.M)
    part = next(part for part in parts if part.startswith(title))
    return dict(ROW.findall(part))


def test_it_names_every_field() -> None:
    assert sorted(rows_of("# House rules")) == sorted(HOUSE_FIELDS)


@pytest.mark.parametrize(
    ("title", "vocabulary"),
    [("Conditions of a whole hand", VOCABULARY), ("Conditions of a set", SETS_VOCABULARY)],
)
def test_it_has_every_condition_in_its_words(title: str, vocabulary: object) -> None:
    assert isinstance(vocabulary, dict)
    assert rows_of(title) == {name: condition.phrase for name, condition in vocabulary.items()}


def test_its_example_can_be_played_and_has_every_field() -> None:
    (text,) = re.findall(r"```json\n(.+?)```", REFERENCE.read_text(), re.S)
    data = json.loads(text)
    assert house.read_house_rules(data).name == "Saltmarsh rules"
    assert sorted(data) == sorted(HOUSE_FIELDS)
