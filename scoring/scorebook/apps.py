"""The score book as a Django app."""

from django.apps import AppConfig


class ScorebookConfig(AppConfig):
    """Games, seats, hands and the ledger."""

    name = "scoring.scorebook"
    label = "scorebook"
