"""May the old web processes go on while the new release's migrations run?"""

import pytest
from django.db import migrations, models
from django.db.migrations.operations.base import Operation

from deploy.migrating import hindrance_of, waiting_migrations

NAME = models.CharField(max_length=20)


@pytest.mark.parametrize(
    "operation",
    [
        migrations.CreateModel("Prize", [("name", NAME)]),
        migrations.AddField("club", "motto", models.CharField(max_length=20, null=True)),
        migrations.AddField("club", "motto", models.CharField(max_length=20, db_default="")),
        migrations.AddIndex("club", models.Index(name="clubs_by_name", fields=["name"])),
        migrations.SeparateDatabaseAndState(database_operations=[]),
    ],
)
def test_what_an_old_process_does_not_notice(operation: Operation) -> None:
    assert hindrance_of(operation) == ""


@pytest.mark.parametrize(
    "operation",
    [
        migrations.AddField("club", "motto", NAME),
        migrations.RemoveField("club", "name"),
        migrations.RenameField("club", "name", "title"),
        migrations.AlterField("club", "name", NAME),
        migrations.DeleteModel("Club"),
        migrations.RunPython(migrations.RunPython.noop),
        migrations.AddConstraint("club", models.CheckConstraint(name="x", condition=models.Q())),
    ],
)
def test_what_an_old_process_would_stumble_over(operation: Operation) -> None:
    assert hindrance_of(operation) != ""


@pytest.mark.django_db
def test_nothing_waits_once_all_is_applied() -> None:
    assert list(waiting_migrations()) == []
