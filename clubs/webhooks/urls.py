"""Where the programs are that a club tells of what happens."""

from django.urls import path

from clubs.webhooks import views

WEBHOOKS = "c/<slug:club>/settings/webhooks/"

urlpatterns = [
    path(WEBHOOKS, views.webhooks, name="webhooks"),
    path(f"{WEBHOOKS}<int:pk>/test/", views.test, name="webhook-test"),
    path(f"{WEBHOOKS}<int:pk>/secret/", views.secret, name="webhook-secret"),
    path(f"{WEBHOOKS}<int:pk>/switch/", views.switch, name="webhook-switch"),
    path(f"{WEBHOOKS}<int:pk>/remove/", views.remove, name="webhook-remove"),
]
