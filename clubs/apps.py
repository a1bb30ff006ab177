"""Clubs as a Django app."""

from django.apps import AppConfig
from django.contrib.auth.signals import user_logged_in

from clubs.accounts.sessions import begun


class ClubsConfig(AppConfig):
    """Members, evenings, leagues."""

    name = "clubs"

    def ready(self) -> None:
        """Connect what happens when someone signs in: the session's age and the log."""
        from clubs.audit.signin_alerts import notice_sign_ins

        user_logged_in.connect(begun)
        notice_sign_ins()
