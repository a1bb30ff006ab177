"""Where paper sheets are typed in and reconciled."""

from django.urls import path

from clubs.views import sheets

EVENING = "c/<slug:club>/evenings/<int:pk>/"

urlpatterns = [
    path(f"{EVENING}sheets/", sheets.stack, name="evening-sheets"),
    path(f"{EVENING}tables/<int:number>/sheet/", sheets.sheet, name="evening-sheet"),
]
