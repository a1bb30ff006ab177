"""The API's addresses of evenings and seasons, room by room."""

from clubs.evenings.api import evenings, tables
from clubs.league.api import seasons
from clubs.table.api import score

urlpatterns = [
    *tables.urlpatterns,
    *evenings.urlpatterns,
    *evenings.urlpatterns,
    *seasons.urlpatterns,
    *seasons.urlpatterns,
    *tables.urlpatterns,
    *score.urlpatterns,
]
