"""Where a seating is explained, and where it is laid by hand."""

from django.urls import path

from tournaments.views import byhand, why

SEATING = "c/<slug:club>/tournaments/<int:pk>/seating/"

urlpatterns = [
    path(f"{SEATING}why/", why.why, name="seating-why"),
    path("e/<slug:key>/why/", why.why_open, name="why-open"),
    path(f"{SEATING}why.pdf", why.paper, name="seating-why-pdf"),
    path(f"{SEATING}draws/<int:drawing>.json", why.draw, name="seating-draw-json"),
    path(f"{SEATING}by-hand/<int:round>/", byhand.by_hand, name="seating-by-hand"),
    path(f"{SEATING}list/", byhand.from_list, name="seating-list"),
    path(f"{SEATING}list.csv", byhand.take_along, name="seating-csv"),
]
