"""Where a club sees to what it holds on people."""

from django.urls import path

from clubs.views import everything, keeping

PERSON = "c/<slug:club>/members/<int:pk>/"

urlpatterns = [
    path("c/<slug:club>/kept/", keeping.kept, name="keeping"),
    path("c/<slug:club>/kept/stop/", keeping.stop, name="keeping-stop"),
    path(f"{PERSON}erase/", keeping.erase, name="member-erase"),
    path(f"{PERSON}everything/", everything.page, name="everything"),
    path(f"{PERSON}everything/file/", everything.file, name="everything-file"),
    path(f"{PERSON}everything/data/", everything.data, name="everything-data"),
]
