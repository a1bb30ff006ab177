from typing import Any

from django.db import migrations, models
from django.db.migrations.state import ProjectState


class Repeatable(migrations.AlterField):
    """A column that need not differ from row to row any more.

    The way back makes it unique again, unless copies are there: the release before works without.
    """

    def database_backwards(
        self, app_label: str, schema_editor: Any, from_state: ProjectState, to_state: ProjectState
    ) -> None:
        """Make the column unique where no two rows are alike."""
        rows: Any = from_state.apps.get_model(app_label, self.model_name)._default_manager
        rows = rows.using(schema_editor.connection.alias).order_by().values(self.name)
        if not rows.annotate(alike=models.Count("pk")).filter(alike__gt=1).exists():
            super().database_backwards(app_label, schema_editor, from_state, to_state)


class Migration(migrations.Migration):
    dependencies = [("scorebook", "0003_carried_on_games")]

    operations = [
        Repeatable(model_name="link", name="digest", field=models.CharField(max_length=64)),
        migrations.AddIndex(
            model_name="link", index=models.Index(fields=["digest"], name="links_by_digest")
        ),
    ]
