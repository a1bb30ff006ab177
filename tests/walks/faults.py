"""Faults that the walks must see: where each is planted, and which law it breaks."""

import tomllib
from pathlib import Path
from typing import Final, NamedTuple

from tests.mutations import CannotPlant

WALKS: Final = (
    *("evenings_by_services", "evenings_by_pages"),
    *("tournaments_by_services", "tournaments_by_pages"),
)


class Fault(NamedTuple):
    """What is wrong once ``new`` stands for ``old``, which ``file`` has just once."""

    wrong: str
    walk: str
    file: str
    old: str
    new: str
    law: str

    @property
    def test(self) -> str:
        """The file of the walk that sees it."""
        return f"tests/walks/test_{self.walk}.py"

    def plant(self, text: str) -> str:
        """The file's text with the fault in it; raises ``CannotPlant`` where it has no place."""
        if text.count(self.old) != 1:
            raise CannotPlant(f"“{self.wrong}”: its text must stand just once in {self.file}.")
        return text.replace(self.old, self.new)


def all_faults() -> list[Fault]:
    """Every fault, in the order of the file."""
    text = Path(__file__).with_name("faults.toml").read_text("utf-8")
    return [Fault(**row) for row in tomllib.loads(text)["fault"]]
