"""The API's addresses for tournaments, room by room."""

from tournaments import papers, printing
from tournaments.desk import api as desk_api
from tournaments.results import api as results_api
from tournaments.seating import api as seating_api
from tournaments.setup import api as setup_api
from tournaments.steps import api as steps_api
from tournaments.table import api as table_api
from tournaments.wall import api as wall_api

urlpatterns = [
    *table_api.urlpatterns,
    *desk_api.urlpatterns,
    *setup_api.urlpatterns,
    *seating_api.urlpatterns,
    *steps_api.urlpatterns,
    *results_api.urlpatterns,
    *papers.api_patterns,
    *printing.api_patterns,
    *wall_api.urlpatterns,
]
