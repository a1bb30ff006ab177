"""Where a player's seasons and the club's book of special hands are."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
