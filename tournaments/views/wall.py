"""The picture on the wall of a tournament: seating and standings, turning by themselves."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.doors import by_secret_link
from tournaments.models import Tournament
from tournaments.selectors.walls import wall_of


@by_secret_link
def wall(request: HttpRequest, key: str) -> HttpResponse:
    """The whole picture; asked with ``?v=``, its pages alone, or 204 when nothing is newer."""
    found = Tournament.objects.select_related("club").filter(wall_key=key).first()
    if found is None:
        return render(request, "tournaments/unknown.html", status=404)
    if request.GET.get("v") == str(found.version):
        return HttpResponse(status=204)
    shown = wall_of(found, page=request.GET.get("page", ""))
    template = "tournaments/_wall.html" if "v" in request.GET else "tournaments/wall.html"
    return render(request, template, {"tournament": found, "wall": shown})
