"""Where a club sees to what it holds on people."""

from django.urls import path

from clubs.views import everything, keeping

PRIVACY = "c/<slug:club>/settings/privacy/"
PERSON = "c/<slug:club>/members/<int:pk>/personal-data/"

urlpatterns = [
    path(PRIVACY, keeping.kept, name="keeping"),
    path(f"{PRIVACY}stop/", keeping.stop, name="keeping-stop"),
    path(f"{PERSON}delete/", keeping.erase, name="member-erase"),
    path(PERSON, everything.page, name="everything"),
    path(f"{PERSON}file/", everything.file, name="everything-file"),
    path(f"{PERSON}data/", everything.data, name="everything-data"),
]
