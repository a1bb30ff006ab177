"""Where the club's messages are written, looked at and sent."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
