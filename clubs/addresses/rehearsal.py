"""Where an evening is rehearsed with pretend members."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
