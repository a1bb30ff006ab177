"""Tournaments as a Django app."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Entrants, rounds, tables, standings."""

    name = "tournaments"

    def ready(self) -> None:
        """Tell the club what tournaments hold on its people, their days, and their acts."""
        from clubs.core.audit_log import tell_kind
        from clubs.core.audit_messages import tell_words
        from clubs.evenings.selectors.calendar import tell_occasions
        from clubs.privacy.selectors.data_export import open_room
        from tournaments import deedwords
        from tournaments.selectors import calendar, deeds, dossier

        open_room(dossier.parts, dossier.LEFT_OUT)
        tell_occasions(calendar.occasions)
        tell_words("tournaments", deedwords.TOURNAMENTS)
        tell_words("hands", deedwords.HANDS)
        for name, kind in deeds.KINDS.items():
            tell_kind(name, kind)
