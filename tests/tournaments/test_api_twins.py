"""Every page of a tournament has its twin in the API, or a reason in words."""

from tests.tournaments.twins import PAGE_TO_API
from tournaments import api_urls, urls


def test_every_page_of_a_tournament_has_a_twin() -> None:
    assert {one.name for one in urls.urlpatterns} == PAGE_TO_API.keys()


def test_every_twin_is_there() -> None:
    there = {str(one.name) for one in api_urls.urlpatterns}
    twins = {name for name in PAGE_TO_API.values() if not name.startswith("no: ")}
    assert twins - there == set()
