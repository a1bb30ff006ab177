"""Where an evening is rehearsed with pretend members."""

from django.urls import path

from clubs.views import rehearsal

HERE = "c/<slug:club>/rehearsal/"

urlpatterns = [
    path("c/<slug:club>/rehearse/", rehearsal.rehearse, name="rehearse"),
    path(HERE, rehearsal.about, name="rehearsal"),
    path(f"{HERE}play/", rehearsal.play, name="rehearsal-play"),
    path(f"{HERE}again/", rehearsal.again, name="rehearsal-again"),
    path(f"{HERE}wipe/", rehearsal.wipe, name="rehearsal-wipe"),
]
