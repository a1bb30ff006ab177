"""The place where printouts are stored, which may be another machine."""

from typing import Final

from django.core.files.storage import default_storage

from scoring.scorebook.refusals import refuse

PROBE: Final = "results/there"


class FilesAway(OSError):
    """The storage for printouts does not answer, or refuses us; the message says why."""


def refuse_if_away() -> None:
    """Raises ``Refused`` while files cannot be deleted, before anything else is.

    What is deleted after a transaction cannot undo it any more.
    """
    try:
        default_storage.exists(PROBE)
    except FilesAway as why:
        raise refuse(
            "files_away",
            "The printouts cannot be deleted just now, because their storage does not respond. "
            "Nothing has changed. Please try again in a minute.",
        ) from why
