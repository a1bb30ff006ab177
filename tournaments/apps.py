"""Tournaments as a Django app."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Entrants, rounds, tables, standings."""

    name = "tournaments"
