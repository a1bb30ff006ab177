"""The sample club: worked out once by each process of the tests, laid down again from its rows."""

from datetime import date
from functools import cache
from itertools import chain

from django.apps import apps
from django.core.management import call_command
from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Model
from django.utils import timezone

OURS = ("clubs", "tournaments", "scorebook", "account")

_rows_by_day: dict[date, list[list[Model]]] = {}


def lay_down_sample_club() -> None:
    """What ``manage.py sample_data`` makes today, into a database without a club."""
    today = timezone.localdate()
    if today in _rows_by_day:
        _lay_down(_rows_by_day[today])
    else:
        call_command("sample_data", verbosity=0)
        _rows_by_day[today] = [list(model._base_manager.order_by("pk")) for model in _models()]


@cache
def _models() -> list[type[Model]]:
    """Every table of ours, those that join two others too."""
    own_models = (apps.get_app_config(app).get_models(include_auto_created=True) for app in OURS)
    return list(chain.from_iterable(own_models))


def _lay_down(tables: list[list[Model]]) -> None:
    """Every row just as it was: what is sealed tells when it was made."""
    with transaction.atomic():
        for row in chain.from_iterable(tables):
            row.save_base(raw=True, force_insert=True)
    with connection.cursor() as cursor:
        for statement in connection.ops.sequence_reset_sql(no_style(), _models()):
            cursor.execute(statement)
