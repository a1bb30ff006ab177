"""A sheet of hands from paper, into the book in one go."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from uuid import UUID

from django.db import transaction

from scoring.scorebook.reports import Report
from scoring.scorebook.services import Recorded


@dataclass(frozen=True, slots=True)
class SheetHand:
    """One row of a sheet, ready for the book; ``submission_id`` makes sending it twice once."""

    submission_id: UUID
    number: int
    report: Report


@transaction.atomic
def post_sheet(
    *, post: Callable[..., Recorded], hands: Sequence[SheetHand], sent_by: str
) -> list[Recorded]:
    """All hands of a sheet in their order by the event's own ``post``, or none of them.

    Refuses as ``post`` does for the first hand that is refused.
    """
    return [
        post(
            submission_id=hand.submission_id,
            number=hand.number,
            report=hand.report,
            sent_by=sent_by,
        )
        for hand in hands
    ]
