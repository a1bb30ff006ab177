"""Evenings from before there were books get one, with everything that was written of them."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from scoring.scorebook.upgrading import give_books


def give(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    evenings = apps.get_model("clubs", "Session").objects.filter(book=None).order_by("pk")
    give_books(apps, events=evenings, games_of="session_table__session")


class Migration(migrations.Migration):
    dependencies = [("clubs", "0005_at_the_table"), ("scorebook", "0006_what_a_link_seals")]
    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
