"""The activity log: a page, a file, and over the API."""

from collections.abc import Iterable
from typing import Any

from django import forms
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpResponse
from django.shortcuts import render
from django.urls import path
from django.utils import timezone
from django.views.decorators.cache import never_cache
from drf_spectacular.utils import extend_schema, extend_schema_view

from clubs.api.filters import DaysFilter, KeyFilter, OneOfFilter, SearchFilter, SinceFilter
from clubs.api.rows import serializer_of
from clubs.api.viewsets import ClubListViewSet, Router
from clubs.core.access import ClubRequest, requires
from clubs.core.audit_log import (
    CATEGORIES,
    AuditRow,
    acts_in_category,
    audit_entries,
    audit_rows,
    doers_of,
)
from clubs.core.pages import SETTINGS_STEP, attachment, breadcrumbs, club_context
from clubs.core.permissions import SEE_AUDIT_LOG
from clubs.language.spreadsheets import Cell, csv_file
from clubs.models import AuditEntry, Club

CSV_HEADINGS = ("Day", "Time", "What", "About", "Reference")
ENTRIES_PER_PAGE = 50

ActivitySerializer = serializer_of(
    "ActivitySerializer", AuditRow, "id=pk at sentence kind user program page=address request_id"
)


class AuditLogForm(forms.Form):
    """By whom, of what kind, on which day; each may be left open."""

    doer = forms.ChoiceField(label="Person", required=False)
    drawer = forms.ChoiceField(
        label="Type of change", required=False, choices=[("", "Everything"), *CATEGORIES.items()]
    )
    day = forms.DateField(
        label="Date",
        required=False,
        widget=forms.DateInput(attrs={"type": "date"}, format="%Y-%m-%d"),
    )

    def __init__(self, club: Club, data: Any = None) -> None:
        super().__init__(data)
        doers = [(doer.key, doer.name) for doer in doers_of(club)]
        self.fields["doer"].choices = [("", "Everyone"), *doers]  # type: ignore[attr-defined]

    @property
    def filters(self) -> dict[str, Any]:
        """The valid filters; anything else is ignored."""
        self.is_valid()
        return {
            name: self.cleaned_data[name] for name in self.fields if self.cleaned_data.get(name)
        }


@requires(SEE_AUDIT_LOG)
@never_cache
def activity_log(request: ClubRequest, club: Club) -> HttpResponse:
    form = AuditLogForm(club, request.GET)
    page = Paginator(audit_entries(club, **form.filters), ENTRIES_PER_PAGE).get_page(
        request.GET.get("page")
    )
    context = club_context(
        club,
        "settings",
        form=form,
        asked=form.filters,
        rows=audit_rows(club, page.object_list),
        page_obj=page,
        breadcrumbs=breadcrumbs(club, SETTINGS_STEP, title="Activity log"),
    )
    return render(request, "clubs/audit/log.html", context)


@requires(SEE_AUDIT_LOG)
@never_cache
def activity_log_csv(request: ClubRequest, club: Club) -> HttpResponse:
    """One line per entry, in the encoding that spreadsheets read as UTF-8."""
    lines: list[Iterable[Cell]] = [CSV_HEADINGS]
    for row in audit_rows(club, audit_entries(club, **AuditLogForm(club, request.GET).filters)):
        local_time = timezone.localtime(row.at)
        lines.append(
            (local_time.date(), local_time.time(), row.sentence, row.drawer, row.request_id)
        )
    return attachment(csv_file(lines), f"{club.slug}-who-did-what.csv")


class ActivityFilter(DaysFilter):
    day = "at__date"
    since = SinceFilter("at")
    kind = OneOfFilter("kind", CATEGORIES, method="by_kind")
    user = KeyFilter("made_by", "only by this account and its keys")
    program = SearchFilter("by", description="characters within the name of the program")

    def by_kind(self, entries: QuerySet[AuditEntry], _name: str, kind: str) -> QuerySet[AuditEntry]:
        return entries.filter(what__in=acts_in_category(kind))


@extend_schema_view(
    list=extend_schema(
        description="List the activity log, newest first: changes by people, programs and commands."
    )
)
class ActivityViewSet(ClubListViewSet):
    access = SEE_AUDIT_LOG
    sheet = "Activity log"
    queryset = AuditEntry.objects.none()
    serializer_class = ActivitySerializer
    filterset_class = ActivityFilter

    def get_queryset(self) -> QuerySet[AuditEntry]:
        return audit_entries(self.club)

    def on_page(self, page: Any) -> Any:
        return audit_rows(self.club, page)


router = Router()
router.register("clubs/<slug:club>/activity", ActivityViewSet, "api-activity")

urlpatterns = [
    path("c/<slug:club>/settings/activity/", activity_log, name="who-did-what"),
    path("c/<slug:club>/settings/activity.csv", activity_log_csv, name="who-did-what-csv"),
]
api_patterns = router.urls
