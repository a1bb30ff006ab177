"""Addresses of a tournament's steps, each with its preview, and of the ways back."""

from django.urls import path

from tournaments.steps import views

ONE = "c/<slug:club>/tournaments/<int:pk>/"
STEPS = {
    "seat": ("seat/", "tournament-seat"),
    "clear": ("clear/", "tournament-clear"),
    "start": ("start/", "round-start"),
    "unstart": ("start/back/", "round-unstart"),
    "close": ("close/", "round-close"),
    "reopen": ("close/back/", "round-reopen"),
    "finish": ("finish/", "tournament-finish"),
    "resume": ("finish/back/", "tournament-reopen"),
    "publish": ("results/publish/", "results-publish"),
}

urlpatterns = [
    path(f"{ONE}close/stopped/<int:number>/", views.stopped, name="close-stopped"),
    *(
        path(f"{ONE}{where}", views.step, {"name": step}, name=name)
        for step, (where, name) in STEPS.items()
    ),
]
