"""Tournaments from before there were books get one, with everything written of them."""

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

from scoring.scorebook.upgrading import give_books


def give(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    cups = apps.get_model("tournaments", "Tournament").objects.filter(book=None).order_by("pk")
    give_books(apps, events=cups, games_of="tournament_table__round__tournament")


class Migration(migrations.Migration):
    dependencies = [
        ("scorebook", "0006_what_a_link_seals"),
        ("tournaments", "0009_at_the_table"),
    ]
    operations = [migrations.RunPython(give, migrations.RunPython.noop)]
