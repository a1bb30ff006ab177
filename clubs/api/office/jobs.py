"""Work that takes a while, over the API: how far it is, and what came of it."""

from typing import Any
from uuid import UUID

from django.http import Http404, HttpResponse
from django.shortcuts import get_object_or_404
from django.urls import path
from django.utils.text import slugify
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubAPIView, ClubListAPIView
from clubs.api.filters import one_of, since
from clubs.api.papers import PAGES, PDF, PaperAPIView
from clubs.core.permissions import MAKE_PACK
from clubs.league.schemas import JobShape
from clubs.models import JobState
from clubs.paper.formats import Format

RESULT = extend_schema(parameters=[PAGES], responses={(200, PDF): OpenApiTypes.BINARY})


class JobsView(ClubListAPIView):
    """Background jobs."""

    door = MAKE_PACK
    filters = (one_of("state", JobState.values), since("made_at"))

    @extend_schema(responses=JobShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the background jobs, newest first: season packs, season books and messages."""
        return self.page_of(self.club.jobs.order_by("-made_at", "-pk"), JobShape)


class JobView(ClubAPIView):
    """One background job."""

    door = MAKE_PACK

    @extend_schema(responses=JobShape)
    def get(self, request: Request, job: UUID, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get the progress of a job. Ask every second or two until it is done or failed."""
        found = get_object_or_404(self.club.jobs, pk=job)
        return Response(JobShape(found).data)


class JobResultPaper(PaperAPIView):
    """The printout that a job made."""

    door = MAKE_PACK

    @RESULT
    def get(self, request: Request, **kwargs: Any) -> HttpResponse:  # noqa: ARG002
        """Download the job's PDF, or only ``?pages=3,7-9``. It is 404 until it is ready."""
        return self.sent(request)

    def drawn(self, form: Format) -> tuple[bytes, str]:  # noqa: ARG002
        """The file as it was kept, in the format that was asked for then."""
        found = get_object_or_404(self.club.jobs, pk=self.kwargs["job"])
        if not found.result:
            raise Http404
        with found.result.open() as file:
            return file.read(), f"{self.club.slug}-{slugify(found.kind)}"


JOB = "clubs/<slug:club>/jobs/"
urlpatterns = [
    path(JOB, JobsView.as_view(), name="api-jobs"),
    path(f"{JOB}<uuid:job>/", JobView.as_view(), name="api-job"),
    path(f"{JOB}<uuid:job>/result.pdf", JobResultPaper.as_view(), name="api-job-result"),
]
