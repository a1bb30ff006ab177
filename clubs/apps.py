"""Clubs as a Django app."""

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Members, evenings, leagues."""

    name = "clubs"

    def ready(self) -> None:
        """Connect the signals that note sign-ins."""
        from clubs.accounts.signin import notice_sign_ins

        notice_sign_ins()
