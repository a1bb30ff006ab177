"""A club file that a job has written, as it is sent to a browser or a program."""

from typing import Final
from uuid import UUID

from django.http import FileResponse, Http404

from clubs.clubfile.archive import SUFFIX
from clubs.core.queue import CLUB_FILE
from clubs.models import Club

ZIP_TYPE: Final = "application/zip"


def file_response(club: Club, job_id: UUID) -> FileResponse:
    """The club file of this job, to be saved. Raises ``Http404`` until it is ready."""
    job = club.jobs.filter(pk=job_id, kind=CLUB_FILE).exclude(result="").first()
    if job is None:
        raise Http404
    return FileResponse(
        job.result.open("rb"),
        as_attachment=True,
        filename=f"{club.slug}{SUFFIX}",
        content_type=ZIP_TYPE,
        headers={"Cache-Control": "private, no-store"},
    )
