"""Django's SQLite backend, whose transactions pass a gate and are flushed to disk together."""

from functools import partial
from typing import Any, Final

from django.db.backends.sqlite3 import base

from config.sqlite.gate import Gate, flush_wal

SYNCHRONOUS_FULL: Final = 2  # PRAGMA synchronous: SQLite flushes each commit itself

_gates: dict[str, Gate] = {}


class DatabaseWrapper(base.DatabaseWrapper):
    """Transactions begin behind the gate of their database file and leave it when they end.

    In a write-ahead log, SQLite does not flush their commits: they leave the gate first, and then
    wait for a flush that they share. What is written without a transaction it flushes itself.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._gate = Gate()
        self._is_inside = False
        self._is_flushed_here = False

    def init_connection_state(self) -> None:
        """Also look whether commits can be flushed apart, and choose the gate of the file."""
        super().init_connection_state()
        (journal,) = self.connection.execute("PRAGMA journal_mode").fetchone()
        (level,) = self.connection.execute("PRAGMA synchronous").fetchone()
        *_, file = self.connection.execute("PRAGMA database_list").fetchone()
        self._is_flushed_here = (journal, level) == ("wal", SYNCHRONOUS_FULL)
        name = str(self.settings_dict["NAME"])
        self._gate = _gates.setdefault(name, Gate(partial(flush_wal, file)))

    @property
    def has_failed(self) -> bool:
        """Whether a flush of this database’s file has failed: nothing is saved until a restart."""
        return self._gate.flushes.has_failed

    def _start_transaction_under_autocommit(self) -> None:
        self._gate.enter()
        self._is_inside = True
        try:
            self._set_level("NORMAL")
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:
            self._leave()
            raise

    def _set_level(self, level: str) -> None:
        if self._is_flushed_here and self.connection is not None:
            with self.wrap_database_errors:
                self.connection.execute(f"PRAGMA synchronous = {level}")

    def _open_gate(self) -> None:
        if self._is_inside:
            self._is_inside = False
            self._gate.leave()

    def _leave(self) -> None:
        self._open_gate()
        self._set_level("FULL")

    def _commit(self) -> None:
        super()._commit()  # type: ignore[misc]
        if not (self._is_inside and self._is_flushed_here):
            self._open_gate()
            return
        flushes = self._gate.flushes
        number = flushes.add()
        self._leave()
        flushes.wait(number)

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self._leave()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            self._open_gate()
