"""Where someone's own sign-in is."""

from django.urls import path

from clubs.views import account

urlpatterns = [
    path("account/", account.account, name="account"),
    path("account/sign-out-everywhere/", account.sign_out, name="sign-out-everywhere"),
]
