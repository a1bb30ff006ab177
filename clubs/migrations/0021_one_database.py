"""All clubs are in one database; an installation with several comes back to one first."""

import django.db.models.deletion
from django.apps.registry import Apps
from django.db import migrations, models
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

ELSEWHERE = (
    "Some clubs of this installation are in another database, so nothing was changed: {clubs}. "
    "Start your previous Tongbox again, move each of them with “move_club CLUB default”, "
    "and remove TONGBOX_CLUB_DATABASES. Then upgrade."
)


class ClubsElsewhere(Exception):
    """Some clubs are in another database than this one."""


def refuse_clubs_elsewhere(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Raises ``ClubsElsewhere``."""
    places = apps.get_model("clubs", "ClubPlace").objects.using(schema_editor.connection.alias)
    if elsewhere := list(places.order_by("slug").values_list("slug", flat=True)):
        raise ClubsElsewhere(ELSEWHERE.format(clubs=", ".join(elsewhere)))


def let_the_database_watch(apps: Apps, schema_editor: BaseDatabaseSchemaEditor) -> None:
    """Forget requests of clubs, and parents of keys, that are not there any more."""
    alias = schema_editor.connection.alias
    clubs = apps.get_model("clubs", "Club").objects.using(alias)
    requests = apps.get_model("clubs", "FoundingRequest").objects.using(alias)
    requests.exclude(club=None).exclude(club__in=clubs.values("pk")).delete()
    keys = apps.get_model("clubs", "ApiToken").objects.using(alias)
    keys.exclude(parent=None).exclude(parent__in=keys.values("pk")).update(parent=None)


class Migration(migrations.Migration):
    dependencies = [("clubs", "0020_parents_of_api_keys")]

    operations = [
        migrations.RunPython(refuse_clubs_elsewhere, migrations.RunPython.noop),
        migrations.RunPython(let_the_database_watch, migrations.RunPython.noop),
        migrations.DeleteModel(name="ClubPlace"),
        migrations.DeleteModel(name="ClubDatabase"),
        migrations.AlterField(
            model_name="foundingrequest",
            name="club",
            field=models.ForeignKey(
                blank=True,
                null=True,
                on_delete=django.db.models.deletion.CASCADE,
                related_name="+",
                to="clubs.club",
            ),
        ),
        migrations.AlterField(
            model_name="apitoken",
            name="parent",
            field=models.ForeignKey(
                blank=True,
                db_column="parent",
                help_text="the API key that created it; empty: a person",
                null=True,
                on_delete=django.db.models.deletion.SET_NULL,
                related_name="+",
                to="clubs.apitoken",
            ),
        ),
    ]
