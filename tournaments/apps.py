"""Tournaments as a Django app."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"

    def ready(self) -> None:
        """Register the tournaments' personal data, dates, acts, tables and jobs with the club."""
        from clubs.clubfile.checks import register_checks
        from clubs.clubfile.contents import register_tables
        from clubs.core.audit_log import register_row_kind
        from clubs.evenings.selectors.calendar import register_occasions
        from clubs.house.services import JOB_FUNCTIONS
        from clubs.privacy.selectors.data_export import register_parts
        from tournaments import club_file, core, data_export, printing
        from tournaments.setup import selectors

        register_parts(data_export.export_parts, data_export.NOT_EXPORTED)
        register_occasions(selectors.occasions)
        register_tables(club_file.FILE_TABLES, club_file.NOT_IN_FILE)
        register_checks(club_file.COLUMN_CHECKS, club_file.ROW_CHECKS)
        JOB_FUNCTIONS.update(printing.JOB_FUNCTIONS)
        for name, kind in core.AUDITED_KINDS.items():
            register_row_kind(name, kind)
