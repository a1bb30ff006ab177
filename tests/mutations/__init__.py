"""Faults that somebody could make in a line, and where each is planted in the product's code."""

import subprocess
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
PRODUCT = ("clubs", "config", "scoring", "tournaments")
AREAS = ("scoring", "services", "selectors", "views", "permissions, forms and API")
# Tests that compare the code's text and would notice any change of it.
BY_TEXT = (
    "test_a_fault_can_be_planted",
    "test_a_fault_for_the_walks_can_be_planted",
    "test_the_file_is_of_this_engine",
)


class CannotPlant(Exception):
    """The text that a fault replaces is not in the code, or in more than one place of it."""


class Fault(NamedTuple):
    """What is wrong once ``new`` stands for ``old``, which stands in just one place."""

    area: str
    wrong: str
    old: str
    new: str


def all_faults() -> list[Fault]:
    """Every fault, in the order of the file."""
    text = Path(__file__).with_name("faults.toml").read_text("utf-8")
    return [Fault(**row) for row in tomllib.loads(text)["fault"]]


def code_under(root: Path) -> dict[Path, str]:
    """The product's code in a checkout, without migrations: the text of each file by its path."""
    return {
        path.relative_to(root): path.read_text("utf-8")
        for folder in PRODUCT
        for path in sorted((root / folder).rglob("*.py"))
        if "migrations" not in path.parts
    }


def place_of(fault: Fault, code: Mapping[Path, str]) -> Path:
    """The file that holds the place of the fault; raises ``CannotPlant``."""
    places = [path for path, text in code.items() for _ in range(text.count(fault.old))]
    if len(places) != 1:
        locations = ", ".join(map(str, places)) or "nowhere"
        raise CannotPlant(
            f"“{fault.wrong}”: its text must stand in one place, not in: {locations}."
        )
    return places[0]


def clone_checkout(folder: Path) -> Path:
    """The last commit in a folder of its own, with the environment of this checkout."""
    subprocess.run(["git", "clone", "--quiet", "--shared", str(ROOT), str(folder)], check=True)  # noqa: S603, S607
    (folder / ".venv").symlink_to((ROOT / ".venv").resolve())
    return folder
