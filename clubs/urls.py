"""Addresses of the club's pages, room by room."""

from clubs.accounts import urls as accounts_urls
from clubs.audit import urls as audit_urls
from clubs.evenings import urls as evenings_urls
from clubs.house import moved
from clubs.house import urls as house_urls
from clubs.league import urls as league_urls
from clubs.members import urls as members_urls
from clubs.messages import urls as messages_urls
from clubs.privacy import urls as privacy_urls
from clubs.table import urls as table_urls
from clubs.webhooks import urls as webhooks_urls

urlpatterns = [
    *accounts_urls.urlpatterns,
    *house_urls.urlpatterns,
    *members_urls.urlpatterns,
    *evenings_urls.urlpatterns,
    *league_urls.urlpatterns,
    *table_urls.urlpatterns,
    *messages_urls.urlpatterns,
    *privacy_urls.urlpatterns,
    *webhooks_urls.urlpatterns,
    *audit_urls.urlpatterns,
    *moved.urlpatterns,
]
