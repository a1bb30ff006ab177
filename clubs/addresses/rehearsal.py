"""Where a practice evening with made-up members is."""

from django.urls import path

from clubs.views import rehearsal

HERE = "c/<slug:club>/practice/"

urlpatterns = [
    path(f"{HERE}start/", rehearsal.rehearse, name="rehearse"),
    path(HERE, rehearsal.about, name="rehearsal"),
    path(f"{HERE}play/", rehearsal.play, name="rehearsal-play"),
    path(f"{HERE}restart/", rehearsal.again, name="rehearsal-again"),
    path(f"{HERE}delete/", rehearsal.wipe, name="rehearsal-wipe"),
]
