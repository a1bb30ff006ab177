"""The projector screen of an evening."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import path

from clubs.core.access import get_by_key_or_404, public_view, sealed_link_view
from clubs.core.replica import reads_from_replica
from clubs.evenings.selectors import floor as floor_rows


@reads_from_replica
@sealed_link_view
def wall(request: HttpRequest, key: str) -> HttpResponse:
    """The wall; with ``?v=``, only its pages, or 204 if nothing has changed."""
    session = get_by_key_or_404(floor_rows.evenings_on_walls, wall_key=key)
    if request.GET.get("v") == str(session.version):
        return HttpResponse(status=204)
    picture = floor_rows.wall_of(session, page=request.GET.get("page", ""))
    template = "clubs/evenings/_wall.html" if "v" in request.GET else "clubs/evenings/wall.html"
    return render(request, template, {"session": session, "club": session.club, "wall": picture})


@public_view
def wall_worker(request: HttpRequest) -> HttpResponse:
    """The service worker that shows a wall's last page when it is reloaded offline."""
    return render(request, "clubs/evenings/wall_worker.js", content_type="text/javascript")


urlpatterns = [
    path("w/<slug:key>/", wall, name="wall"),
    path("w/wall-worker.js", wall_worker, name="wall-worker"),
]
