"""A club's year over the API: what comes, the series of evenings, days without one."""

from collections.abc import Mapping
from typing import Any

from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import ClubAPIView, ClubListAPIView, removes
from clubs.api.commands import ActAPIView, ChangeAPIView
from clubs.api.office.shapes_year import (
    CalendarShape,
    HolidayShape,
    SeriesPreviewShape,
    SeriesShape,
)
from clubs.core.permissions import RUN_EVENING, SEE_CALENDAR, SEE_CLUB
from clubs.forms.calendar import HolidayForm, SeriesForm, told_of
from clubs.models import Holiday, Series
from clubs.recurring import in_words
from clubs.selectors import calendar as rows
from clubs.services import calendar as services


class CalendarView(ClubAPIView):
    """A club’s calendar."""

    door = SEE_CALENDAR

    @extend_schema(responses=CalendarShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the evenings planned from today, and any closed dates."""
        return Response(CalendarShape(rows.club_year(self.club, timezone.localdate())).data)


class SeriesListView(ClubListAPIView, ActAPIView):
    """A club's regular evenings, and a new one."""

    door = SEE_CLUB
    writing_door = RUN_EVENING
    asks = SeriesForm
    answers = SeriesShape
    status = 201

    @extend_schema(responses=SeriesShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List the regular evenings, past ones included, each with its calendar feed."""
        told = [series_told(request, one) for one in self.club.series.all()]
        return self.page_of(told, SeriesShape)

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Add a regular evening. Its dates appear in everyone’s calendar at once.

        ``how`` is ``every`` (then ``every`` says every how many weeks) or ``weeks`` (then ``weeks``
        are those of the month, ``5`` the last). The weekday is that of ``first_on``.
        """
        saved = services.save_series(club=self.club, series=None, **told)
        return series_told(self.request, saved)


class SeriesPreviewView(ActAPIView):
    """A preview of a regular evening."""

    door = RUN_EVENING
    asks = SeriesForm
    answers = SeriesPreviewShape

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Preview the dates of a regular evening. Nothing is saved."""
        asked = {name: told[name] for name in ("pattern", "starts_at", "ends_at")}
        services.check_series(**asked)
        days = [
            {"held_on": day, "off": off} for day, off in rows.previewed(self.club, told["pattern"])
        ]
        return {"meetings": sum(not day["off"] for day in days), "days": days}


class SeriesView(ChangeAPIView):
    """One regular evening."""

    door = SEE_CLUB
    writing_door = RUN_EVENING
    asks = SeriesForm
    answers = SeriesShape
    http_method_names = ["get", "patch", "delete", "head", "options"]

    @extend_schema(responses=SeriesShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get a regular evening with its calendar feed."""
        return Response(SeriesShape(series_told(request, self.series)).data)

    @property
    def series(self) -> Series:
        """The series of the address; raises ``Http404``."""
        return get_object_or_404(self.club.series, pk=self.kwargs["series"])

    def held(self) -> Mapping[str, Any]:
        """What the page's form shows."""
        return told_of(self.series)

    def act(self, told: dict[str, Any]) -> dict[str, Any]:
        """Change the day, time or place. Members’ calendars update automatically."""
        saved = services.save_series(club=self.club, series=self.series, **told)
        return series_told(self.request, saved)

    @removes
    def delete(self) -> None:
        """Delete a regular evening. Evenings already opened are kept."""
        services.remove_series(series=self.series)


class HolidaysView(ClubListAPIView, ActAPIView):
    """Closed dates."""

    door = RUN_EVENING
    asks = HolidayForm
    answers = HolidayShape
    status = 201

    @extend_schema(responses=HolidayShape(many=True))
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """List current and future closed dates."""
        coming = self.club.holidays.filter(last_on__gte=timezone.localdate())
        return self.page_of(coming.order_by("first_on", "pk"), HolidayShape)

    def act(self, told: dict[str, Any]) -> Holiday:
        """Add closed dates, from the first day to the last."""
        return services.add_holiday(club=self.club, **told)


class HolidayView(ClubAPIView):
    """One run of closed dates."""

    door = RUN_EVENING

    @extend_schema(responses=HolidayShape)
    def get(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Get closed dates and the reason."""
        return Response(HolidayShape(self.holiday).data)

    @property
    def holiday(self) -> Holiday:
        """The days of the address; raises ``Http404``."""
        return get_object_or_404(self.club.holidays, pk=self.kwargs["holiday"])

    @removes
    def delete(self) -> None:
        """Delete closed dates."""
        services.remove_holiday(holiday=self.holiday)


def series_told(request: Request, series: Series) -> dict[str, Any]:
    """A series with its days in words and the whole address of its feed."""
    feed = request.build_absolute_uri(reverse("calendar-feed", args=[series.feed_key]))
    return {"series": series, "words": in_words(rows.pattern_of(series)), "feed": feed}


CLUB = "clubs/<slug:club>/"
urlpatterns = [
    path(f"{CLUB}calendar/", CalendarView.as_view(), name="api-calendar"),
    path(f"{CLUB}series/", SeriesListView.as_view(), name="api-series-list"),
    path(f"{CLUB}series/preview/", SeriesPreviewView.as_view(), name="api-series-preview"),
    path(f"{CLUB}series/<int:series>/", SeriesView.as_view(), name="api-series"),
    path(f"{CLUB}days-without/", HolidaysView.as_view(), name="api-holidays"),
    path(f"{CLUB}days-without/<int:holiday>/", HolidayView.as_view(), name="api-holiday"),
]
