"""Addresses of a club's pages about personal data."""

from django.urls import path

from clubs.privacy import views

PRIVACY = "c/<slug:club>/settings/privacy/"
PERSON = "c/<slug:club>/members/<int:pk>/personal-data/"

urlpatterns = [
    path(PRIVACY, views.kept, name="keeping"),
    path(f"{PRIVACY}stop/", views.stop, name="keeping-stop"),
    path(f"{PERSON}delete/", views.erase, name="member-erase"),
    path(PERSON, views.page, name="everything"),
    path(f"{PERSON}file/", views.file, name="everything-file"),
    path(f"{PERSON}data/", views.data, name="everything-data"),
]
