"""Where a seating is explained, and where it is laid by hand."""

from django.urls import path

from tournaments.views import why

SEATING = "c/<slug:club>/tournaments/<int:pk>/seating/"

urlpatterns = [
    path(f"{SEATING}why/", why.why, name="seating-why"),
    path(f"{SEATING}why.pdf", why.paper, name="seating-why-pdf"),
    path(f"{SEATING}draws/<int:drawing>.json", why.draw, name="seating-draw-json"),
]
