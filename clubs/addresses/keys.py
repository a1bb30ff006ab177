"""Where someone's keys for programs are."""

from django.urls import path

from clubs.views import keys

urlpatterns = [
    path("keys/", keys.keys, name="keys"),
    path("keys/<int:pk>/revoke/", keys.revoke, name="key-revoke"),
]
