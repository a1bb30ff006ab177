"""An evening that a client plays is the evening that is stored."""

from collections.abc import Sequence
from typing import Final, NamedTuple

from clubs.models import Session, SessionState
from scoring.scorebook.models import Hand

DAY: Final = "2026-12-01"
SCORES: Final = ((60, 20, 8, 4), (2, 38, 16, 10), (12, 6, 82, 20), (24, 8, 2, 44))


class Line(NamedTuple):
    """A line of the result, as a client read it."""

    name: str
    points: int


def check_evening(result: Sequence[Line]) -> None:
    """Two tables have played and agreed every hand once, and the evening is closed."""
    assert Session.objects.get().state == SessionState.CLOSED
    assert Hand.objects.filter(state="agreed").count() == Hand.objects.count() == 2 * len(SCORES)
    assert len({line.name for line in result}) == 8
    assert sum(line.points for line in result) == 0
    assert [line.points for line in result] == sorted(
        (line.points for line in result), reverse=True
    )
