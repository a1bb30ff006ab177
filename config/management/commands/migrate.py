"""Django’s ``migrate``, for every database of the installation."""

from typing import Any

from django.core.management.base import CommandError, CommandParser
from django.core.management.commands import migrate

from clubs import databases
from clubs.backup import Trouble
from clubs.databases import MAIN
from config.club_databases import enrol


class Command(migrate.Command):
    """``manage.py migrate``: the main database, then those of clubs; ``--database`` is only one."""

    def add_arguments(self, parser: CommandParser) -> None:
        super().add_arguments(parser)
        parser.set_defaults(database=None)

    def get_check_kwargs(self, options: dict[str, Any]) -> Any:
        return {**super().get_check_kwargs(options), "databases": _which(options)}

    def handle(self, *args: Any, **options: Any) -> None:
        for name in _which(options):
            super().handle(*args, **options | {"database": name})
            is_part = options["database"] or options["app_label"] or options["plan"]
            if name != MAIN and not is_part:
                try:
                    enrol(name, say=self.stdout.write)
                except Trouble as why:
                    raise CommandError(str(why)) from why


def _which(options: dict[str, Any]) -> list[str]:
    return [options["database"]] if options["database"] else databases.names()
