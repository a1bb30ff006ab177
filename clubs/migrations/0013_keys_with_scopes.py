"""The keys that programs had go on opening everything; of each only its digest is kept."""

from hashlib import sha256

from django.db import migrations

BEFORE = "authtoken_token"
SCOPES = [
    "read",
    "own",
    "people",
    "evenings",
    "hands",
    "league",
    "messages",
    "papers",
    "tournaments",
    "webhooks",
]


def take_over(apps, schema_editor):
    connection = schema_editor.connection
    if BEFORE not in connection.introspection.table_names():
        return
    token = apps.get_model("clubs", "ApiToken")
    with connection.cursor() as cursor:
        cursor.execute("SELECT key, user_id FROM authtoken_token")
        for key, user in cursor.fetchall():
            token.objects.create(
                user_id=user,
                name="From before keys had names",
                beginning=key[:6],
                digest=sha256(key.encode()).hexdigest(),
                scopes=SCOPES,
            )
        cursor.execute("DELETE FROM authtoken_token")


def drop(apps, schema_editor):
    schema_editor.execute("DROP TABLE IF EXISTS authtoken_token")


class Migration(migrations.Migration):
    dependencies = [("clubs", "0012_signed_out_everywhere")]

    operations = [
        migrations.RunPython(take_over, migrations.RunPython.noop),
        migrations.RunPython(drop, migrations.RunPython.noop),
    ]
