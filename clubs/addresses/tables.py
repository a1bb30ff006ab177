"""Where a club's tables are: for phones by a secret link, for organisers below the evening."""

from django.urls import path

from clubs.table.pages.linked import phone_paths
from clubs.table.pages.offline import worker
from clubs.views import links, tables

urlpatterns = [
    *phone_paths("t/<slug:key>/", tables.ROOM),
    path("t/<slug:key>/standings/", tables.standings, name="table-standings"),
    path("t/table-worker.js", worker, name="table-worker"),
    path("c/<slug:club>/evenings/<int:pk>/tables/<int:number>/", tables.desk, name="evening-table"),
    path(
        "c/<slug:club>/evenings/<int:pk>/tables/<int:number>/new-link/",
        links.new_link,
        name="evening-new-link",
    ),
    path(
        "c/<slug:club>/evenings/<int:pk>/tables/<int:number>/tiles/",
        tables.tapped,
        name="evening-tapped",
    ),
    path(
        "c/<slug:club>/evenings/<int:pk>/tables/<int:number>/tiles/<int:seat>/",
        tables.tiles,
        name="evening-tiles",
    ),
    path(
        "c/<slug:club>/evenings/<int:pk>/tables/<int:number>/hands/<int:hand>/correct/",
        tables.correct,
        name="evening-hand",
    ),
]
