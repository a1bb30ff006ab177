"""A person's own sign-in and API keys."""

from django.urls import path

from clubs.accounts import views

urlpatterns = [
    path("account/", views.account, name="account"),
    path("account/sign-out-everywhere/", views.sign_out, name="sign-out-everywhere"),
    path("keys/", views.keys, name="keys"),
    path("keys/<int:pk>/revoke/", views.revoke_key, name="key-revoke"),
]
