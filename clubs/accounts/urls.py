"""A person's own sign-in and API keys."""

from django.urls import path

from clubs.accounts import views

PEOPLE = "c/<slug:club>/settings/people/"

urlpatterns = [
    path("display/", views.how_it_looks, name="how-it-looks"),
    path(PEOPLE, views.roles, name="roles"),
    path(f"{PEOPLE}invite/", views.invite_role, name="role-invite"),
    path(f"{PEOPLE}<int:pk>/change/", views.change_role, name="role-change"),
    path(f"{PEOPLE}<int:pk>/remove/", views.remove_role, name="role-remove"),
    path(f"{PEOPLE}invited/<int:pk>/again/", views.send_invitation_again, name="role-send-again"),
    path(f"{PEOPLE}invited/<int:pk>/withdraw/", views.withdraw_invitation, name="role-withdraw"),
    path("invited/<slug:key>/", views.invitation, name="role-invitation"),
    path("account/", views.account, name="account"),
    path("account/sign-out-everywhere/", views.sign_out, name="sign-out-everywhere"),
    path("keys/", views.keys, name="keys"),
    path("keys/<int:pk>/revoke/", views.revoke_key, name="key-revoke"),
]
