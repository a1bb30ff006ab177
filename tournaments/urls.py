"""Addresses of the tournament's pages, room by room, and their former addresses."""

from tournaments import papers, printing
from tournaments.desk import views as desk_views
from tournaments.results import views as results_views
from tournaments.seating import views as seating_views
from tournaments.setup import views as setup_views
from tournaments.steps import views as steps_views
from tournaments.table import views as table_views
from tournaments.wall import views as wall_views

urlpatterns = [
    *desk_views.urlpatterns,
    *table_views.urlpatterns,
    *wall_views.urlpatterns,
    *papers.urlpatterns,
    *printing.urlpatterns,
    *results_views.urlpatterns,
    *setup_views.urlpatterns,
    *steps_views.urlpatterns,
    *seating_views.urlpatterns,
]
