"""Books that were moved here: which rows the keys in their links mean, now that the keys differ.

A link seals its rows with the keys of the database in which it was written, and its text never
changes. So a book that has moved keeps, for each stretch of links, the sealed keys beside those
that the rows have here.
"""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import Any, Final

from scoring.scorebook.models import (
    Agreement,
    Book,
    Decision,
    Game,
    Hand,
    LedgerEntry,
    Repair,
    RepairedGame,
    Seat,
)

SEALED_TABLES: Final = (
    Book,
    Game,
    Seat,
    Hand,
    LedgerEntry,
    Agreement,
    Decision,
    Repair,
    RepairedGame,
)
ABOUT_TABLES: Final[Mapping[str, str]] = {
    "hand": "hand",
    "agreement": "agreement",
    "decision": "decision",
    "entry": "ledgerentry",
    "repair": "repair",
}

# Columns that a row gets anew where it is moved to, so that a copy can stand beside it.
RENEWED_COLUMNS: Final[Mapping[str, frozenset[str]]] = {"hand": frozenset({"submission_id"})}

MAX_MOVED_ROWS: Final = 1_000_000  # that one book's moves name
Keys = Mapping[str, Mapping[int, int]]  # by table: a key here by the key that was sealed


@dataclass(frozen=True, slots=True)
class Moves:
    """The stretches of a book's links: the number of the last link of each, and its keys."""

    stretches: tuple[tuple[int, Keys], ...] = ()

    @classmethod
    def read(cls, data: Any) -> "Moves":
        """Parse ``Book.moves``. Raises ``ValueError`` or ``TypeError`` if no move wrote it.

        Rows keep their order when a book moves. So no other pairs of the same keys pass for those
        that were written, and rows that were swapped do not.
        """
        counts = [run[2] for _, tables in data for runs in tables.values() for run in runs]
        if min(counts, default=1) < 1 or sum(counts) > MAX_MOVED_ROWS:  # before any is written out
            raise ValueError(len(counts))
        moves = cls(
            tuple(
                (last, {table: dict(_expand_runs(runs)) for table, runs in tables.items()})
                for last, tables in data
            )
        )
        lasts = [0, *(last for last, _ in moves.stretches)]
        keys = [pairs.values() for _, tables in moves.stretches for pairs in tables.values()]
        if moves.as_data() != data or not all(map(_is_rising, [lasts, *keys])):
            raise ValueError(data)
        return moves

    @property
    def last(self) -> int:
        """The number of the last link that was sealed elsewhere; 0 if none was."""
        return self.stretches[-1][0] if self.stretches else 0

    def as_data(self) -> list[Any]:
        """``[[40, {"hand": [[sealed, here, how many]]}]]``: runs of neighbouring keys."""
        return [
            [last, {table: _fold_runs(keys.items()) for table, keys in sorted(tables.items())}]
            for last, tables in self.stretches
        ]

    def with_keys(self, keys: Keys) -> "Moves":
        """The same with each key here replaced by its key in ``keys``; others are left out."""
        return Moves(
            tuple(
                (
                    last,
                    {
                        table: {
                            sealed_key: keys[table][present_key]
                            for sealed_key, present_key in pairs.items()
                            if present_key in keys.get(table, {})
                        }
                        for table, pairs in tables.items()
                    },
                )
                for last, tables in self.stretches
            )
        )

    def with_stretch(self, last: int, keys: Keys) -> "Moves":
        """The same with one stretch more, if it has a link."""
        if last <= self.last:
            return self
        return Moves((*self.stretches, (last, keys)))

    def present(self, link: int, content: dict[str, Any]) -> dict[str, Any]:
        """What the link sealed, with the keys that its rows have here.

        A key without a row here becomes its negative, which no row has. What a row gets anew is
        left out.
        """
        keys = next((keys for last, keys in self.stretches if link <= last), None)
        if keys is None:
            return content
        return content | {
            "book": _moved_key(keys, "book", content["book"]),
            "about": {
                name: _moved_key(keys, ABOUT_TABLES[name], key)
                for name, key in content["about"].items()
            },
            "rows": {
                table: [_present_row(table, row, keys) for row in rows]
                for table, rows in content["rows"].items()
            },
        }


def _is_rising(numbers: Iterable[int]) -> bool:
    return all(number < next_number for number, next_number in pairwise(numbers))


def _expand_runs(runs: Iterable[Iterable[int]]) -> Iterator[tuple[int, int]]:
    for sealed_key, present_key, count in runs:
        yield from zip(
            range(sealed_key, sealed_key + count),
            range(present_key, present_key + count),
            strict=True,
        )


def _fold_runs(pairs: Iterable[tuple[int, int]]) -> list[list[int]]:
    runs: list[list[int]] = []
    for sealed_key, present_key in sorted(pairs):
        last = runs[-1] if runs else [0, 0, 0]
        if last[2] and (last[0] + last[2], last[1] + last[2]) == (sealed_key, present_key):
            last[2] += 1
        else:
            runs.append([sealed_key, present_key, 1])
    return runs


@cache
def _key_columns(table: str) -> Mapping[str, str]:
    """The columns of a sealed table that hold keys, and the tables of those keys."""
    model = next(model for model in SEALED_TABLES if model._meta.model_name == table)
    return {
        field.attname: str((field.related_model or model)._meta.model_name)
        for field in model._meta.concrete_fields
        if field.primary_key or field.is_relation
    }


def _present_row(table: str, row: Mapping[str, Any], keys: Keys) -> dict[str, Any]:
    moved_row = {
        name: value for name, value in row.items() if name not in RENEWED_COLUMNS.get(table, ())
    }
    for column, target_table in _key_columns(table).items():
        if column in row:
            moved_row[column] = _moved_key(keys, target_table, row[column])
    if table == "repairedgame":
        moved_row["after"] = map_hand_keys(
            row["after"], lambda hand: _moved_key(keys, "hand", hand)
        )
    return moved_row


def map_hand_keys(state_after: Mapping[str, Any], key: Any) -> dict[str, Any]:
    """``RepairedGame.after`` with ``key(hand)`` for each of its hands."""
    return {**state_after, "hands": [key(hand) for hand in state_after["hands"]]}


def _moved_key(keys: Keys, table: str, sealed_key: int | None) -> int | None:
    return None if sealed_key is None else keys.get(table, {}).get(sealed_key, -sealed_key)
