"""Where the club's wishes for the seating are."""

from django.urls import path

from clubs.views import wishes

PREFERENCES = "c/<slug:club>/seating-preferences/"

urlpatterns = [
    path(PREFERENCES, wishes.wishes, name="wishes"),
    path(f"{PREFERENCES}add/<slug:kind>/", wishes.add, name="wish-add"),
    path(f"{PREFERENCES}<int:pk>/delete/", wishes.take_back, name="wish-back"),
]
