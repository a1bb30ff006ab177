"""A whole club as one file over the API."""

from uuid import UUID

from django.http import FileResponse
from django.urls import path
from drf_spectacular.types import OpenApiTypes
from rest_framework.renderers import JSONRenderer

from clubs.api.answers import FileRenderer
from clubs.api.base import ClubAPIView, describe_method
from clubs.api.commands import ClubCommandAPIView, command_endpoint
from clubs.api.created import CreatedRoute
from clubs.clubfile import services
from clubs.clubfile.archive import SUFFIX
from clubs.clubfile.exports import ZIP_TYPE, file_response
from clubs.core.access import allowed_when_closed
from clubs.core.permissions import TAKE_CLUB
from clubs.league.serializers import JobSerializer
from clubs.models import Job

CLUB_FILE_ADDRESS = "clubs/<slug:club>/club-file/"


class ZipRenderer(FileRenderer):
    """Lets a client ask for the file."""

    media_type = ZIP_TYPE
    format = "zip"


@allowed_when_closed
class ClubFileView(ClubCommandAPIView):
    access = TAKE_CLUB

    @command_endpoint(answers=JobSerializer, creates=CreatedRoute("api-job-detail", job="id"))
    def post(self) -> Job:
        """Start writing the whole club into one file, or return the job already running.

        Another Tongbox imports the file. It has no passwords, API keys or webhooks. It is deleted
        when another one is made. This works in a closed club, too.
        """
        return services.request_club_file(club=self.club, asked_by=self.me)


class ClubFileResult(ClubAPIView):
    access = TAKE_CLUB
    renderer_classes = [ZipRenderer, JSONRenderer]

    def get(self, request: object, job: UUID, **_: object) -> FileResponse:  # noqa: ARG002
        """Download the club file. It is 404 until the job is done."""
        return file_response(self.club, job)


describe_method(ClubFileResult.get, responses={(200, ZIP_TYPE): OpenApiTypes.BINARY})

urlpatterns = [
    path(CLUB_FILE_ADDRESS, ClubFileView.as_view(), name="api-club-file"),
    path(
        f"{CLUB_FILE_ADDRESS}<uuid:job>/result{SUFFIX}",
        ClubFileResult.as_view(),
        name="api-club-file-result",
    ),
]
