"""Where the club's wishes for the seating are."""

from django.urls import path

from clubs.views import wishes

WISHES = "c/<slug:club>/wishes/"

urlpatterns = [
    path(WISHES, wishes.wishes, name="wishes"),
    path(f"{WISHES}add/<slug:kind>/", wishes.add, name="wish-add"),
    path(f"{WISHES}<int:pk>/back/", wishes.take_back, name="wish-back"),
]
