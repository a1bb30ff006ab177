"""What runs for as long as a block of code does."""

from abc import ABC, abstractmethod
from types import TracebackType
from typing import Self


class Lasting(ABC):
    """Begun on entering, also where that fails half-way ended, and ended on leaving."""

    def __enter__(self) -> Self:
        try:
            self.begin()
        except BaseException:
            self.end()
            raise
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.end()

    @abstractmethod
    def begin(self) -> None:
        """Begin everything, and wait until pages come."""

    @abstractmethod
    def end(self) -> None:
        """End whatever was begun."""
