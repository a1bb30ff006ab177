from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from django.db import migrations, models
from django.db.migrations.state import ProjectState

TRIGGERS = "SELECT sql FROM sqlite_master WHERE type = 'trigger' AND tbl_name = %s"


@contextmanager
def keeping_triggers(schema_editor: Any, table: str) -> Iterator[None]:
    """SQLite changes a column in a new table, and drops the old one with its triggers."""
    statements: list[str] = []
    if schema_editor.connection.vendor == "sqlite":
        with schema_editor.connection.cursor() as cursor:
            statements = [sql for (sql,) in cursor.execute(TRIGGERS, [table]).fetchall()]
    yield
    for sql in statements:
        schema_editor.execute(sql)


class Repeatable(migrations.AlterField):
    """A column that need not differ from row to row any more.

    The way back makes it unique again, unless copies are there: the release before works without.
    """

    def database_forwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Change the column, and keep that nobody may edit its rows."""
        model = from_state.apps.get_model(app_label, self.model_name)
        with keeping_triggers(schema_editor, model._meta.db_table):
            super().database_forwards(app_label, schema_editor, from_state, to_state)

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Make the column unique where no two rows are alike."""
        rows: Any = from_state.apps.get_model(app_label, self.model_name)._default_manager
        rows = rows.using(schema_editor.connection.alias).order_by().values(self.name)
        if not rows.annotate(alike=models.Count("pk")).filter(alike__gt=1).exists():
            # AlterField's own way back is its way forward, between the states exchanged.
            super().database_backwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):
    dependencies = [("scorebook", "0003_carried_on_games")]

    operations = [
        Repeatable(model_name="link", name="digest", field=models.CharField(max_length=64)),
        migrations.AddIndex(
            model_name="link", index=models.Index(fields=["digest"], name="links_by_digest")
        ),
    ]
