"""Clubs as a Django app."""

from django.apps import AppConfig
from django.core.checks import register


class ClubsConfig(AppConfig):
    """Members, evenings, leagues."""

    name = "clubs"

    def ready(self) -> None:
        """Connect the signals that note sign-ins, and check what a hosted address needs."""
        from clubs.accounts.signin import connect_sign_in_signals
        from clubs.hosting.checks import check_founding

        connect_sign_in_signals()
        register(check_founding)
