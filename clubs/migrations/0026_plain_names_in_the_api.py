"""A scope and an event of the API take plainer names: printouts, and hand.undone."""

from collections.abc import Iterable
from typing import Any, Final

from django.apps.registry import Apps
from django.db import migrations
from django.db.backends.base.schema import BaseDatabaseSchemaEditor

SCOPE: Final = ("papers", "printouts")
EVENT: Final = ("hand.taken_back", "hand.undone")


def rename(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    _rename(apps, editor, SCOPE, EVENT)


def rename_back(apps: Apps, editor: BaseDatabaseSchemaEditor) -> None:
    _rename(apps, editor, (SCOPE[1], SCOPE[0]), (EVENT[1], EVENT[0]))


def _rename(
    apps: Apps, editor: BaseDatabaseSchemaEditor, scope: tuple[str, str], event: tuple[str, str]
) -> None:
    def rows(model: str) -> Any:
        return apps.get_model("clubs", model).objects.using(editor.connection.alias)

    for key in rows("ApiToken").iterator():
        if scope[0] in key.scopes:
            key.scopes = _renamed(key.scopes, *scope)
            key.save(update_fields=["scopes"])
    for webhook in rows("Webhook").iterator():
        if event[0] in webhook.kinds:
            webhook.kinds = _renamed(webhook.kinds, *event)
            webhook.save(update_fields=["kinds"])
    for delivery in rows("Delivery").filter(kind=event[0]).iterator():
        delivery.kind = event[1]
        delivery.payload = {**delivery.payload, "kind": event[1]}
        delivery.save(update_fields=["kind", "payload"])


def _renamed(names: Iterable[str], before: str, now: str) -> list[str]:
    return [now if name == before else name for name in names]


class Migration(migrations.Migration):
    dependencies = [("clubs", "0025_viewsets_in_the_log")]

    operations = [migrations.RunPython(rename, rename_back)]
