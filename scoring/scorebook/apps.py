"""The score book as a Django app."""

from django.apps import AppConfig


class ScorebookConfig(AppConfig):
    """Games, seats, hands and the ledger."""

    name = "scoring.scorebook"
    label = "scorebook"

    def ready(self) -> None:
        """Have databases checked before they are migrated."""
        from scoring.scorebook import checks  # noqa: F401
