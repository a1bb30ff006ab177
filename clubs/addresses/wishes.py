"""Where the club's wishes for the seating are."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
