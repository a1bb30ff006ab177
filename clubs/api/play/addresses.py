"""The API's addresses of evenings and seasons, room by room."""

from clubs.api.play import evening_tables, evenings, evenings_moving, papers, seasons, walls
from clubs.table.api import score

urlpatterns = [
    *evening_tables.urlpatterns,
    *evenings.urlpatterns,
    *evenings_moving.urlpatterns,
    *seasons.urlpatterns,
    *papers.urlpatterns,
    *walls.urlpatterns,
    *score.urlpatterns,
]
