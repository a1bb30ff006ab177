"""A link keeps the text that it seals, so that any change can be named."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

SQLITE = """
CREATE TRIGGER IF NOT EXISTS link_is_never_edited BEFORE UPDATE ON scorebook_link
BEGIN SELECT RAISE(ABORT, 'a link of the book is never edited'); END
"""


def guard_again(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    """SQLite makes a table anew for a new column, and loses its triggers over it."""
    if editor.connection.vendor == "sqlite":
        editor.execute(SQLITE)


class Migration(migrations.Migration):
    dependencies = [("scorebook", "0005_what_was_said_is_never_edited")]
    operations = [
        migrations.AddField(
            model_name="link",
            name="sealed",
            field=models.TextField(
                default="", help_text="what was written, as scoring.scorebook.sealing has it"
            ),
            preserve_default=False,
        ),
        migrations.RunPython(guard_again, guard_again),
    ]
