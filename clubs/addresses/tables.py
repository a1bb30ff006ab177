"""Where a club's tables are: for phones by a secret link, for organisers below the evening."""

from django.urls import path

from clubs.views import tables

urlpatterns = [
    path("t/<slug:key>/", tables.phone, name="table"),
    path("t/<slug:key>/standings/", tables.standings, name="table-standings"),
    path("t/<slug:key>/hands/<int:hand>/agree/", tables.agree, name="table-agree"),
    path("t/<slug:key>/hands/<int:hand>/dispute/", tables.dispute, name="table-dispute"),
    path("c/<slug:club>/evenings/<int:pk>/tables/<int:number>/", tables.desk, name="evening-table"),
    path(
        "c/<slug:club>/evenings/<int:pk>/tables/<int:number>/sheet/",
        tables.sheet,
        name="evening-sheet",
    ),
    path(
        "c/<slug:club>/evenings/<int:pk>/tables/<int:number>/hands/<int:hand>/correct/",
        tables.correct,
        name="evening-hand",
    ),
]
