"""Files on this machine that may hold a name: papers that were made, letters that were not sent."""

from email import message_from_bytes, policy
from functools import partial
from pathlib import Path

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction

from clubs.accounts.services import KEEPS_LETTERS
from clubs.models import Club, Job, JobState
from clubs.traces import Traces

BETWEEN_LETTERS = b"-" * 79 + b"\n"


def forget_files(*, club: Club, traces: Traces) -> None:
    """Take away the club's papers, and letters that name someone, once this is stored."""
    papers = Job.objects.filter(club=club, state__in=[JobState.DONE, JobState.FAILED])
    made = list(papers.exclude(result="").values_list("result", flat=True))
    papers.filter(result__in=made).delete()
    transaction.on_commit(partial(_away, made, traces))


def _away(papers: list[str], traces: Traces) -> None:
    for name in papers:
        default_storage.delete(name)
    if settings.EMAIL_BACKEND == KEEPS_LETTERS:
        for file in Path(str(getattr(settings, "EMAIL_FILE_PATH", ""))).glob("*.log"):
            _thin_out(file, traces)


def _thin_out(file: Path, traces: Traces) -> None:
    """Leave in a file of letters those that name nobody who is gone."""
    letters = file.read_bytes().split(BETWEEN_LETTERS)
    kept = [letter for letter in letters if letter.strip() and not traces.are_in(words_of(letter))]
    if not kept:
        file.unlink()
    elif len(kept) < len([letter for letter in letters if letter.strip()]):
        file.write_bytes(b"".join(letter + BETWEEN_LETTERS for letter in kept))


def words_of(letter: bytes) -> str:
    """Everything that stands in an email as it was written to a file, readable."""
    told = message_from_bytes(letter.lstrip(), policy=policy.default)
    parts = [part for part in told.walk() if part.get_content_maintype() == "text"]
    heads = [str(value) for value in told.values()]
    return "\n".join([*heads, *(str(part.get_content()) for part in parts)])
