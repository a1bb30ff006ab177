"""The API's addresses of evenings and seasons, room by room."""

from clubs.api.play import papers, seasons
from clubs.evenings.api import evenings, tables
from clubs.table.api import score

urlpatterns = [
    *tables.urlpatterns,
    *evenings.urlpatterns,
    *evenings.urlpatterns,
    *seasons.urlpatterns,
    *papers.urlpatterns,
    *tables.urlpatterns,
    *score.urlpatterns,
]
