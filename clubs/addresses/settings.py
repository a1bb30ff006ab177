"""Where a club's settings are."""

from django.urls import path

from clubs.accounts import views
from clubs.views import settings

SETTINGS = "c/<slug:club>/settings/"
PEOPLE = f"{SETTINGS}people/"

urlpatterns = [
    path(SETTINGS, settings.index, name="settings"),
    path(f"{SETTINGS}public/", settings.public, name="club-public"),
    path(PEOPLE, views.roles, name="roles"),
    path(f"{PEOPLE}invite/", views.invite_role, name="role-invite"),
    path(f"{PEOPLE}<int:pk>/change/", views.change_role, name="role-change"),
    path(f"{PEOPLE}<int:pk>/remove/", views.remove_role, name="role-remove"),
    path(f"{PEOPLE}invited/<int:pk>/again/", views.send_invitation_again, name="role-send-again"),
    path(f"{PEOPLE}invited/<int:pk>/withdraw/", views.withdraw_invitation, name="role-withdraw"),
    path("invited/<slug:key>/", views.invitation, name="role-invitation"),
]
