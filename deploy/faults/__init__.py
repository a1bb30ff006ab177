"""What goes wrong, made to go wrong: ``python -m deploy.faults NAME``."""

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Options:
    """So many hands at so many tables, told by so many phones at once."""

    submissions: int = 5000
    tables: int = 64
    phones: int = 16


@dataclass(frozen=True, slots=True)
class Line:
    """One thing that was looked at."""

    holds: bool
    words: str

    def __str__(self) -> str:
        return f"{'ok  ' if self.holds else 'FAIL'} {self.words}"
