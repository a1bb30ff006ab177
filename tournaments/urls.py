"""Addresses of the tournament's pages, room by room."""

from tournaments import moved
from tournaments.desk import urls as desk_urls
from tournaments.papers import urls as papers_urls
from tournaments.results import urls as results_urls
from tournaments.seating import urls as seating_urls
from tournaments.setup import urls as setup_urls
from tournaments.steps import urls as steps_urls
from tournaments.table import urls as table_urls
from tournaments.wall import urls as wall_urls

urlpatterns = [
    *desk_urls.urlpatterns,
    *table_urls.urlpatterns,
    *wall_urls.urlpatterns,
    *papers_urls.urlpatterns,
    *results_urls.urlpatterns,
    *setup_urls.urlpatterns,
    *steps_urls.urlpatterns,
    *seating_urls.urlpatterns,
    *moved.urlpatterns,
]
