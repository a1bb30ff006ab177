"""The database refuses to change a row of the ledger."""

from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor
from django.db.migrations.state import StateApps

SQLITE = """
CREATE TRIGGER ledger_is_never_edited BEFORE UPDATE ON scorebook_ledgerentry
BEGIN SELECT RAISE(ABORT, 'the ledger is never edited'); END
"""
POSTGRESQL = """
CREATE FUNCTION refuse_ledger_edit() RETURNS trigger LANGUAGE plpgsql AS
$$ BEGIN RAISE EXCEPTION 'the ledger is never edited'; END $$;
CREATE TRIGGER ledger_is_never_edited BEFORE UPDATE ON scorebook_ledgerentry
FOR EACH ROW EXECUTE FUNCTION refuse_ledger_edit();
"""


def guard(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    editor.execute(POSTGRESQL if editor.connection.vendor == "postgresql" else SQLITE)


def unguard(apps: StateApps, editor: BaseDatabaseSchemaEditor) -> None:
    if editor.connection.vendor == "postgresql":
        editor.execute("DROP TRIGGER ledger_is_never_edited ON scorebook_ledgerentry")
        editor.execute("DROP FUNCTION refuse_ledger_edit()")
    else:
        editor.execute("DROP TRIGGER ledger_is_never_edited")


class Migration(migrations.Migration):
    dependencies = [("scorebook", "0001_initial")]
    operations = [migrations.RunPython(guard, unguard)]
