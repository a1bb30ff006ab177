"""Who did what in a club, over the API."""

from dataclasses import replace
from typing import Any

from django.urls import path

from clubs.api.base import ClubListAPIView, lists
from clubs.api.fields import days, number, one_of, search, since
from clubs.api.rows import schema_of
from clubs.core.audit_log import DRAWERS, AuditRow, audit_entries, in_words, names_in
from clubs.core.permissions import SEE_AUDIT_LOG

DeedShape = schema_of(
    "DeedShape", AuditRow, "id=pk at sentence kind user program page=address request_id"
)


KIND = one_of("kind", DRAWERS, field="what")
FILTERS = (
    *days("at__date"),
    since("at"),
    replace(KIND, read=lambda said: names_in(KIND.read(said)), lookup="in"),
    number("user", field="made_by", words="only by this account and its keys"),
    replace(search("by", name="program"), words="characters within the name of the program"),
)


class AuditLogView(ClubListAPIView):
    access = SEE_AUDIT_LOG
    filters = FILTERS

    @lists(DeedShape)
    def get(self) -> Any:
        """List the activity log, newest first: changes by people, programs and commands."""
        return audit_entries(self.club)

    def on_page(self, page: Any) -> Any:
        return in_words(self.club, page)


urlpatterns = [
    path("clubs/<slug:club>/who-did-what/", AuditLogView.as_view(), name="api-who-did-what")
]
