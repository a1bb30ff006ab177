"""Tournaments as a Django app."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Register the tournaments' personal data, dates, acts, tables and jobs with the club."""
        from clubs.clubfile.checks import register as register_checks
        from clubs.clubfile.contents import register
        from clubs.core.audit_log import tell_kind
        from clubs.evenings.selectors.calendar import register_occasions
        from clubs.house.services import WORK
        from clubs.privacy.selectors.data_export import open_room
        from tournaments import club_file, core, data_export, printing
        from tournaments.setup import selectors

        open_room(data_export.parts, data_export.LEFT_OUT)
        register_occasions(selectors.occasions)
        register(club_file.TABLES, club_file.LEFT_BEHIND)
        register_checks(club_file.COLUMNS, club_file.ROWS)
        WORK.update(printing.WORK)
        for name, kind in core.KINDS.items():
            tell_kind(name, kind)
