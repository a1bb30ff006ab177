"""Addresses of the club's pages, room by room."""

from clubs.accounts import urls
from clubs.addresses import moved, pages, rehearsal, settings
from clubs.audit import urls as audit_urls
from clubs.evenings import urls as evenings_urls
from clubs.league import urls as league_urls
from clubs.members import urls as members_urls
from clubs.messages import urls as messages_urls
from clubs.privacy import urls as privacy_urls
from clubs.table import urls as table_urls
from clubs.webhooks import urls as webhooks_urls

urlpatterns = [
    *urls.urlpatterns,
    *urls.urlpatterns,
    *pages.urlpatterns,
    *members_urls.urlpatterns,
    *evenings_urls.urlpatterns,
    *league_urls.urlpatterns,
    *table_urls.urlpatterns,
    *evenings_urls.urlpatterns,
    *league_urls.urlpatterns,
    *evenings_urls.urlpatterns,
    *evenings_urls.urlpatterns,
    *rehearsal.urlpatterns,
    *evenings_urls.urlpatterns,
    *league_urls.urlpatterns,
    *messages_urls.urlpatterns,
    *members_urls.urlpatterns,
    *privacy_urls.urlpatterns,
    *evenings_urls.urlpatterns,
    *webhooks_urls.urlpatterns,
    *audit_urls.urlpatterns,
    *settings.urlpatterns,
    *moved.urlpatterns,
]
