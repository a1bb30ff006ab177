"""House rules are kept as editions, and the database refuses to change one."""

from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

SQLITE = """
CREATE TRIGGER an_edition_is_never_edited BEFORE UPDATE ON scorebook_edition
BEGIN SELECT RAISE(ABORT, 'an edition is never edited'); END
"""
POSTGRESQL = """
CREATE FUNCTION refuse_edition_edit() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'an edition is never edited'; END $$;
CREATE TRIGGER an_edition_is_never_edited BEFORE UPDATE ON scorebook_edition
FOR EACH ROW EXECUTE FUNCTION refuse_edition_edit();
"""


def guard(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    editor.execute(POSTGRESQL if editor.connection.vendor == "postgresql" else SQLITE)


def unguard(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute("DROP TRIGGER an_edition_is_never_edited ON scorebook_edition")
        editor.execute("DROP FUNCTION refuse_edition_edit()")
    else:
        editor.execute("DROP TRIGGER an_edition_is_never_edited")


class Migration(migrations.Migration):
    dependencies = [("scorebook", "0002_ledger_is_never_edited")]
    operations = [
        migrations.CreateModel(
            name="Edition",
            fields=[
                (
                    "id",
                    models.BigAutoField(
                        auto_created=True, primary_key=True, serialize=False, verbose_name="ID"
                    ),
                ),
                ("key", models.CharField(max_length=40, unique=True)),
                ("name", models.CharField(max_length=60)),
                ("declaration", models.JSONField(help_text="as scoring.house reads it")),
                ("made_at", models.DateTimeField(auto_now_add=True)),
            ],
            options={"ordering": ["pk"]},
        ),
        migrations.RunPython(guard, unguard),
    ]
