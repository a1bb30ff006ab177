"""Where paper sheets are typed in and reconciled."""

from django.urls import URLPattern

urlpatterns: list[URLPattern] = []
