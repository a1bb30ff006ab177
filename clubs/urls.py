"""Addresses of the club's pages, room by room."""

from clubs.accounts import urls
from clubs.addresses import (
    calendar,
    keeping,
    leagues,
    messages,
    moved,
    pages,
    papers,
    players,
    rehearsal,
    repairs,
    seating,
    settings,
    sheets,
    tables,
    wishes,
)
from clubs.audit import urls as audit_urls
from clubs.members import urls as members_urls
from clubs.table import urls as table_urls
from clubs.webhooks import urls as webhooks_urls

urlpatterns = [
    *urls.urlpatterns,
    *urls.urlpatterns,
    *pages.urlpatterns,
    *members_urls.urlpatterns,
    *calendar.urlpatterns,
    *leagues.urlpatterns,
    *table_urls.urlpatterns,
    *tables.urlpatterns,
    *papers.urlpatterns,
    *repairs.urlpatterns,
    *seating.urlpatterns,
    *rehearsal.urlpatterns,
    *wishes.urlpatterns,
    *players.urlpatterns,
    *messages.urlpatterns,
    *members_urls.urlpatterns,
    *keeping.urlpatterns,
    *sheets.urlpatterns,
    *webhooks_urls.urlpatterns,
    *audit_urls.urlpatterns,
    *settings.urlpatterns,
    *moved.urlpatterns,
]
