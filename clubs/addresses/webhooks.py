"""Where the programs are that a club tells of what happens."""

from django.urls import path

from clubs.views import webhooks

PROGRAMS = "c/<slug:club>/programs/"

urlpatterns = [
    path(PROGRAMS, webhooks.webhooks, name="webhooks"),
    path(f"{PROGRAMS}<int:pk>/test/", webhooks.test, name="webhook-test"),
    path(f"{PROGRAMS}<int:pk>/secret/", webhooks.secret, name="webhook-secret"),
    path(f"{PROGRAMS}<int:pk>/switch/", webhooks.switch, name="webhook-switch"),
    path(f"{PROGRAMS}<int:pk>/remove/", webhooks.remove, name="webhook-remove"),
]
