"""The place where printouts are stored, which may be another machine; what a file is called."""

from typing import Final

from django.core.files.storage import default_storage
from django.utils.text import slugify

from scoring.scorebook.refusals import refuse

PROBE: Final = "results/there"


class StorageUnavailable(OSError):
    """The storage for printouts does not answer, or refuses us; the message says why."""


def refuse_if_unavailable() -> None:
    """Raises ``Refused`` while files cannot be deleted, before anything else is.

    What is deleted after a transaction cannot undo it any more.
    """
    try:
        default_storage.exists(PROBE)
    except StorageUnavailable as why:
        raise refuse(
            "files_away",
            "The printouts cannot be deleted just now, because their storage does not respond. "
            "Nothing has changed. Please try again in a minute.",
        ) from why


def file_name(*parts: object) -> str:
    """What a file is called that people download: ``autumn-cup-2026-11-28-results``."""
    return slugify(" ".join(str(part) for part in parts if part))
