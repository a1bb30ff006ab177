"""Where an evening's tables are explained."""

from django.urls import path

from clubs.views import why

EVENING = "c/<slug:club>/evenings/<int:pk>/"

urlpatterns = [
    path(f"{EVENING}why/", why.why, name="evening-why"),
    path(f"{EVENING}why.pdf", why.paper, name="evening-why-pdf"),
]
