"""The picture on the wall of an evening: tables and result, turning by themselves."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from clubs.core.access import by_sealed_link, open_to_all, opened
from clubs.selectors import walls


@by_sealed_link
def wall(request: HttpRequest, key: str) -> HttpResponse:
    """The whole picture; asked with ``?v=``, its pages alone, or 204 when nothing is newer."""
    session = opened(walls.evenings_on_walls, wall_key=key)
    if request.GET.get("v") == str(session.version):
        return HttpResponse(status=204)
    shown = walls.wall_of(session, page=request.GET.get("page", ""))
    template = "clubs/_wall.html" if "v" in request.GET else "clubs/wall.html"
    return render(request, template, {"session": session, "club": session.club, "wall": shown})


@open_to_all
def worker(request: HttpRequest) -> HttpResponse:
    """The script that shows a wall's last picture after a reload without a line."""
    return render(request, "wall_worker.js", content_type="text/javascript")
