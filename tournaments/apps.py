"""Tournaments as a Django app."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Entrants, rounds, tables, standings."""

    name = "tournaments"

    def ready(self) -> None:
        """Tell the club what tournaments hold on its people."""
        from clubs.selectors.dossier import open_room
        from tournaments.selectors import dossier

        open_room(dossier.parts, dossier.LEFT_OUT)
