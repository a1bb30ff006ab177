"""Tournaments as a Django app."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Entrants, rounds, tables, standings."""

    name = "tournaments"

    def ready(self) -> None:
        """Register the tournaments' personal data, dates and acts with the club."""
        from clubs.core.audit_log import tell_kind
        from clubs.core.audit_messages import tell_words
        from clubs.evenings.selectors.calendar import register_occasions
        from clubs.privacy.selectors.data_export import open_room
        from tournaments import data_export
        from tournaments.core import audit_messages
        from tournaments.setup import selectors

        open_room(data_export.parts, data_export.LEFT_OUT)
        register_occasions(selectors.occasions)
        tell_words("tournaments", audit_messages.TOURNAMENTS)
        tell_words("hands", audit_messages.HANDS)
        for name, kind in audit_messages.KINDS.items():
            tell_kind(name, kind)
