"""``python -m deploy.migrating``: may the old web processes go on while these migrations run?

Exit status 0: yes, or there is nothing to do. 1: stop them first. Changes nothing.
"""

import os
import sys
from collections.abc import Iterator

import django
from django.db import DEFAULT_DB_ALIAS, connection, migrations
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.operations.base import Operation

from scoring.scorebook.apps import check_replaced_migrations

# What does not disturb a process that knows nothing of it.
HARMLESS_OPERATIONS = (
    migrations.CreateModel,
    migrations.AddIndex,
    migrations.RemoveIndex,
    migrations.RenameIndex,
    migrations.RemoveConstraint,
    migrations.AlterModelOptions,
    migrations.AlterModelManagers,
)


def hindrance_of(operation: Operation) -> str:
    """Why a process of the previous release must not run meanwhile; empty where it may."""
    if isinstance(operation, HARMLESS_OPERATIONS):
        return ""
    if isinstance(operation, migrations.AddField):
        # A row that is written without the new column needs a value that the database knows.
        field = operation.field
        if field.null or field.many_to_many or field.has_db_default():
            return ""
        return f"{operation.describe()}, which older processes do not fill in"
    if isinstance(operation, migrations.SeparateDatabaseAndState):
        return "; ".join(filter(None, map(hindrance_of, operation.database_operations)))
    return operation.describe()


def waiting_migrations() -> Iterator[migrations.Migration]:
    """The migrations that the database has not, in their order."""
    executor = MigrationExecutor(connection)
    for migration, _ in executor.migration_plan(executor.loader.graph.leaf_nodes()):
        yield migration


def main() -> None:
    """Print every waiting migration with the reasons to stop the web services first."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    django.setup()
    if errors := check_replaced_migrations([DEFAULT_DB_ALIAS]):
        sys.exit("\n".join(error.msg for error in errors))
    stops = False
    for migration in waiting_migrations():
        reasons = [
            reason for operation in migration.operations if (reason := hindrance_of(operation))
        ]
        is_reversible = all(operation.reversible for operation in migration.operations)
        warning = "" if is_reversible else " NO WAY BACK."
        text = "; ".join(reasons) or "old processes may go on"
        print(f"{migration.app_label}.{migration.name}: {text}.{warning}")
        stops = stops or bool(reasons)
    print("Stop the web services first." if stops else "The web services may go on.")
    sys.exit(stops)


if __name__ == "__main__":
    main()
