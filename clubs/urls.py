"""Addresses of the club's pages, room by room."""

from clubs import audit
from clubs.accounts import views as accounts_views
from clubs.clubfile import views as clubfile_views
from clubs.evenings.views import calendar, evenings
from clubs.hosting import views as hosting_views
from clubs.house import views as house_views
from clubs.league import views as league_views
from clubs.members import views as members_views
from clubs.messages import views as messages_views
from clubs.privacy import views as privacy_views
from clubs.table import views as table_views
from clubs.webhooks import views as webhooks_views

urlpatterns = [
    *accounts_views.urlpatterns,
    *hosting_views.urlpatterns,
    *house_views.urlpatterns,
    *members_views.urlpatterns,
    *evenings.urlpatterns,
    *calendar.urlpatterns,
    *league_views.urlpatterns,
    *table_views.urlpatterns,
    *messages_views.urlpatterns,
    *clubfile_views.urlpatterns,
    *privacy_views.urlpatterns,
    *webhooks_views.urlpatterns,
    *audit.urlpatterns,
]
