"""Where the programs are that a club tells of what happens."""

from django.urls import path

from clubs.views import webhooks

WEBHOOKS = "c/<slug:club>/settings/webhooks/"

urlpatterns = [
    path(WEBHOOKS, webhooks.webhooks, name="webhooks"),
    path(f"{WEBHOOKS}<int:pk>/test/", webhooks.test, name="webhook-test"),
    path(f"{WEBHOOKS}<int:pk>/secret/", webhooks.secret, name="webhook-secret"),
    path(f"{WEBHOOKS}<int:pk>/switch/", webhooks.switch, name="webhook-switch"),
    path(f"{WEBHOOKS}<int:pk>/remove/", webhooks.remove, name="webhook-remove"),
]
