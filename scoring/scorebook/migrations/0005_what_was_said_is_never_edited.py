"""The database refuses to change what was said of a hand, what was decided, and any link."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

TABLES = {"agreement": "what was said", "decision": "a decision", "link": "a link of the book"}
SQLITE = """
CREATE TRIGGER {table}_is_never_edited BEFORE UPDATE ON scorebook_{table}
BEGIN SELECT RAISE(ABORT, '{words} is never edited'); END
"""
POSTGRESQL = """
CREATE FUNCTION refuse_{table}_edit() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION '{words} is never edited'; END $$;
CREATE TRIGGER {table}_is_never_edited BEFORE UPDATE ON scorebook_{table}
FOR EACH ROW EXECUTE FUNCTION refuse_{table}_edit();
"""


def guard(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    trigger = POSTGRESQL if editor.connection.vendor == "postgresql" else SQLITE
    for table, words in TABLES.items():
        editor.execute(trigger.format(table=table, words=words))


def unguard(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    for table in TABLES:
        if editor.connection.vendor == "postgresql":
            editor.execute(f"DROP TRIGGER {table}_is_never_edited ON scorebook_{table}")
            editor.execute(f"DROP FUNCTION refuse_{table}_edit()")
        else:
            editor.execute(f"DROP TRIGGER {table}_is_never_edited")


class Migration(migrations.Migration):
    dependencies = [("scorebook", "0004_at_the_table")]
    operations = [migrations.RunPython(guard, unguard)]
