"""Where paper sheets are typed in and reconciled."""

from django.urls import path

from clubs.views import sheets

EVENING = "c/<slug:club>/evenings/<int:pk>/"

urlpatterns = [
    path(f"{EVENING}score-sheets/", sheets.stack, name="evening-sheets"),
    path(f"{EVENING}tables/<int:number>/score-sheet/", sheets.sheet, name="evening-sheet"),
]
