"""Filters of lists, as django-filter has them; what cannot be read is refused in a sentence.

A list names its filters as a ``FilterSet``::

    class SeasonFilter(DaysFilter):
        day = "ends_on"
        search = SearchFilter("name")
"""

from collections import OrderedDict
from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, ClassVar, Final, cast

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest
from django.utils.dateparse import parse_datetime
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema_field
from rest_framework.exceptions import ValidationError

from clubs.language.words import MOST_KEY

MAX_SEARCH_LENGTH: Final = 200


class FilterBackend(filters.DjangoFilterBackend):
    """Filters a list by the ``filterset_class`` of its view."""

    def filter_queryset(self, request: HttpRequest, queryset: QuerySet[Any], view: Any) -> Any:
        """The rows that are left; raises ``ValidationError`` at a parameter that cannot be read."""
        filterset = self.get_filterset(request, queryset, view)
        if filterset is None:
            return queryset
        if not filterset.is_valid():
            raise ValidationError(filterset.errors, code="bad_parameter")
        return filterset.qs


def describe(filter_: filters.Filter, schema: Mapping[str, Any], description: str) -> None:
    """Say what a filter takes, where django-filter's own kind of field does not say it all."""
    extend_schema_field({**schema, "description": description})(cast(Any, filter_))


class SearchFilter(filters.CharFilter):
    """``?search=``: rows with these letters in the field, large or small."""

    def __init__(self, field_name: str, *, description: str = "", **options: Any) -> None:
        faults = {"max_length": f"Use {MAX_SEARCH_LENGTH} characters or fewer."}
        super().__init__(
            field_name, "icontains", max_length=MAX_SEARCH_LENGTH, error_messages=faults, **options
        )
        description = description or f"characters within {field_name.rpartition('__')[2]}"
        describe(self, {"type": "string", "maxLength": MAX_SEARCH_LENGTH}, description)


class KeyFilter(filters.Filter):
    """``?player=`` or the like: rows with this number."""

    field_class = forms.IntegerField

    def __init__(self, field_name: str, description: str) -> None:
        faults = dict.fromkeys(("invalid", "min_value", "max_value"), "Enter a number.")
        super().__init__(field_name, min_value=1, max_value=MOST_KEY, error_messages=faults)
        describe(self, {"type": "integer", "minimum": 1, "maximum": MOST_KEY}, description)


class OneOfFilter(filters.ChoiceFilter):
    """``?state=`` or the like: rows of this value."""

    def __init__(self, field_name: str, values: Iterable[Any], **options: Any) -> None:
        names = [str(value) for value in values]
        super().__init__(
            field_name,
            choices=[(name, name) for name in names],
            error_messages={"invalid_choice": f"Choose one of {', '.join(names)}."},
            **options,
        )
        description = f"only of this {field_name.rpartition('__')[2]}"
        describe(self, {"type": "string", "enum": names}, description)


class FlagFilter(filters.TypedChoiceFilter):
    """``?is_active=``: ``true`` or ``false``, and no other word."""

    def __init__(self, field_name: str, description: str, **options: Any) -> None:
        super().__init__(
            field_name,
            choices=[("true", "true"), ("false", "false")],
            coerce=lambda text: text == "true",
            error_messages={"invalid_choice": "Choose true or false."},
            **options,
        )
        describe(self, {"type": "boolean"}, description)


class DateFilter(filters.DateFilter):
    """A day as ISO 8601 writes it."""

    def __init__(self, field_name: str, lookup_expr: str, help_text: str) -> None:
        super().__init__(
            field_name,
            lookup_expr,
            input_formats=["%Y-%m-%d"],
            error_messages={"invalid": "Enter a date in the format 2026-11-17."},
            help_text=f"{help_text} (ISO 8601, such as 2026-11-17)",
        )


class DaysFilter(filters.FilterSet):
    """``?from=`` and ``?to=``: from the first day to the last, both included.

    ``from`` is a word of Python's own, so the two are declared here.
    """

    day: ClassVar[str] = ""

    @classmethod
    def get_filters(cls) -> OrderedDict[str, filters.Filter]:
        """The filters of the class, after those of the ``day`` that it names."""
        first = DateFilter(cls.day, "gte", "from this date")
        last = DateFilter(cls.day, "lte", "up to this date")
        return OrderedDict({"from": first, "to": last}, **super().get_filters())


class MomentField(forms.DateTimeField):
    """A date and time with its offset, without which nobody knows what is meant."""

    default_error_messages: ClassVar[dict[str, Any]] = {
        "invalid": "Enter a date and time in the format 2026-11-17T19:45:00Z."
    }

    def to_python(self, value: Any) -> datetime | None:
        """The moment; a ``+`` that nobody escaped arrives as a space."""
        if not value:
            return None
        try:
            moment = parse_datetime(str(value).replace(" ", "+"))
        except ValueError:
            moment = None
        if moment is None or moment.tzinfo is None:
            raise forms.ValidationError(self.error_messages["invalid"], code="invalid")
        return moment


class SinceFilter(filters.Filter):
    """``?since=``: what came at this moment or later."""

    field_class = MomentField

    def __init__(self, field_name: str) -> None:
        example = "ISO 8601 with its offset, such as 2026-11-17T19:45:00Z"
        super().__init__(field_name, "gte")
        schema = {"type": "string", "format": "date-time"}
        describe(self, schema, f"from this date and time ({example})")
