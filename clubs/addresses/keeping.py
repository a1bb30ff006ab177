"""Where a club sees to what it holds on people."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
