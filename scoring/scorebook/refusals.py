"""How a service says no: every reason at once, each a sentence and its field."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from scoring.scorebook.models import Hand


class ProblemLike(Protocol):
    """Anything that names a mistake: the engine's problems and the apps' own refusals."""

    @property
    def code(self) -> str: ...
    @property
    def path(self) -> str: ...
    @property
    def message(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Refusal:
    """A reason of the house rather than of the rules: the round is closed, the name is taken.

    ``suggestions``: the figures that were perhaps meant, the likeliest first.
    """

    code: str
    message: str
    path: str = ""
    suggestions: tuple[int, ...] = ()


class Refused(Exception):
    """Not now, or not like this: carries all findings, at least one."""

    def __init__(self, problems: Sequence[ProblemLike]) -> None:
        super().__init__("; ".join(problem.message for problem in problems))
        self.problems = tuple(problems)


def refuse(code: str, message: str, path: str = "") -> Refused:
    return Refused([Refusal(code, message, path)])


class AlreadyStands(Refused):
    """Another report for the hand was there first; ``hand`` is what stands."""

    def __init__(self, hand: Hand) -> None:
        super().__init__(
            [
                Refusal(
                    "already_stands",
                    f"Hand {hand.number_at_table} has already been entered with different scores. "
                    "The first entry counts. Yours has not been saved.",
                )
            ]
        )
        self.hand = hand
