"""A sheet of hands from paper, into the book in one go."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.db import transaction

from clubs.models import SessionTable
from clubs.services.evenings import refuse_if_closed, touch
from scoring.scorebook import services as scorebook
from scoring.scorebook.reports import Report
from scoring.scorebook.services import Recorded

AS_ON_PAPER = "As on the paper score sheet"


@dataclass(frozen=True, slots=True)
class SheetHand:
    """One row of a sheet, ready for the book; ``submission_id`` makes sending it twice once."""

    submission_id: UUID
    number: int
    report: Report


@dataclass(frozen=True, slots=True)
class Telling:
    """A game as the paper has it: what stays ``before``, what is ``told`` from there on.

    ``seen`` are the keys of the book's hands that the paper was laid beside.
    """

    before: Sequence[Mapping[str, Any]]
    told: Sequence[Report]
    seen: Sequence[int]

    @property
    def reports(self) -> list[Report]:
        """Every hand of the game as it will be told."""
        return [*(Report.from_json(report) for report in self.before), *self.told]


@transaction.atomic
def post_sheet(
    *,
    post: Callable[..., Recorded],
    hands: Sequence[SheetHand],
    sent_by: str,
    tell: Callable[..., int] | None = None,
    telling: Telling | None = None,
) -> list[Recorded]:
    """All of a sheet or nothing: first what the book has otherwise, then its new hands in order.

    ``post`` and ``tell`` are the event's own. Refuses as they do, for the first that is refused.
    """
    if telling is not None and tell is not None:
        tell(reports=telling.reports, seen=telling.seen, written_by=sent_by)
    return [
        post(
            submission_id=hand.submission_id,
            number=hand.number,
            report=hand.report,
            sent_by=sent_by,
        )
        for hand in hands
    ]


@transaction.atomic
def tell_hands(
    *, game_id: int, reports: Sequence[Report], seen: Sequence[int], written_by: str
) -> int:
    """The table's game gets just these hands, until the evening is finished; how many change."""
    table = SessionTable.objects.select_related("session").get(game=game_id)
    refuse_if_closed(table)
    rewriting = scorebook.tell_anew(
        game_id=game_id,
        reports=reports,
        seen=seen,
        written_by=written_by,
        reason=AS_ON_PAPER,
    )
    touch(table.session)
    return len(rewriting.changes)
