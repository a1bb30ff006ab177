"""Where a club's settings are."""

from django.urls import path

from clubs.views import roles, settings

SETTINGS = "c/<slug:club>/settings/"
PEOPLE = f"{SETTINGS}people/"

urlpatterns = [
    path(SETTINGS, settings.index, name="settings"),
    path(f"{SETTINGS}public/", settings.public, name="club-public"),
    path(PEOPLE, roles.roles, name="roles"),
    path(f"{PEOPLE}invite/", roles.invite, name="role-invite"),
    path(f"{PEOPLE}<int:pk>/change/", roles.change, name="role-change"),
    path(f"{PEOPLE}<int:pk>/remove/", roles.remove, name="role-remove"),
    path(f"{PEOPLE}invited/<int:pk>/again/", roles.send_again, name="role-send-again"),
    path(f"{PEOPLE}invited/<int:pk>/withdraw/", roles.withdraw, name="role-withdraw"),
    path("invited/<slug:key>/", roles.invitation, name="role-invitation"),
]
