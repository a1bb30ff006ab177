"""Transactions begin behind the gate of their database file and leave it when they end."""

from collections import defaultdict
from typing import Any

from django.db.backends.sqlite3 import base

from config.sqlite.gate import Gate

_gates: defaultdict[str, Gate] = defaultdict(Gate)


class DatabaseWrapper(base.DatabaseWrapper):
    """SQLite's unfair back-off makes its slowest writes slow; a queue makes them alike."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._inside: Gate | None = None

    def _start_transaction_under_autocommit(self) -> None:
        gate = _gates[str(self.settings_dict["NAME"])]
        gate.enter()
        self._inside = gate
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._leave()
            raise

    def _leave(self) -> None:
        if self._inside is not None:
            gate, self._inside = self._inside, None
            gate.leave()

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        self._leave()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._leave()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._leave()
