"""Clubs as a Django app."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in

from clubs.accounts.sessions import begun


class ClubsConfig(AppConfig):
    """Members, evenings, leagues."""

    name = "clubs"

    def ready(self) -> None:
        """Have every sign-in say when it began, and what befalls one be noticed."""
        from clubs.audit.signin_alerts import notice_sign_ins

        user_logged_in.connect(begun)
        notice_sign_ins()
