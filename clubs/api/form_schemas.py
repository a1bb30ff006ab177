"""A page's form as a shape of the API: the same fields, judged by the same form."""

from collections.abc import Callable, Mapping
from functools import cache
from typing import Any

from django import forms
from rest_framework import serializers

from clubs.api.fields import (
    ClockField,
    ExactField,
    FlagField,
    KeyField,
    NumberField,
    OneOfField,
    TextField,
)

Shape = type[serializers.Serializer[Any]]


@cache
def shape_of(form: type[forms.Form], *, optional: bool = False) -> Shape:
    """The serializer whose fields are the form's; ``optional``: what is not sent stays.

    It says what type each field is; what a value means is the form's to judge. Files are left out.
    """
    fields: dict[str, Any] = {
        name: _field(field, optional=optional)
        for name, field in form.base_fields.items()
        if not isinstance(field, forms.FileField)
    }
    name = f"{form.__name__.removesuffix('Form')}{'Change' if optional else ''}In"
    return type(name, (serializers.Serializer,), {**fields, "__doc__": form.__doc__})


def _field(field: forms.Field, *, optional: bool) -> serializers.Field[Any, Any, Any, Any]:
    said: dict[str, Any] = {
        "required": field.required and not optional,
        "help_text": str(field.help_text or field.label or ""),
    }
    return next(make(field, said) for kind, make in FIELDS if isinstance(field, kind))


def _choice(field: Any, said: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    values = [str(value) for value, _ in field.choices if value not in {"", None}]
    return OneOfField(choices=values, allow_blank=not field.required, **said)


def _choices(field: Any, said: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    values = [str(value) for value, _ in field.choices]
    child = OneOfField(choices=values) if values else TextField()
    return serializers.ListField(child=child, **said)


def _plain(
    kind: Callable[..., serializers.Field[Any, Any, Any, Any]], **options: str
) -> Callable[[Any, dict[str, Any]], serializers.Field[Any, Any, Any, Any]]:
    """A maker of this kind of field; ``options`` are taken from the form's field by name."""

    def make(field: Any, said: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
        taken = {ours: getattr(field, theirs) for ours, theirs in options.items()}
        if not field.required:
            taken["allow_null"] = True
        return kind(**taken, **said)

    return make


def _text(field: Any, said: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    return TextField(
        allow_blank=not field.required, max_length=getattr(field, "max_length", None), **said
    )


def _flag(_: Any, said: dict[str, Any]) -> serializers.Field[Any, Any, Any, Any]:
    return FlagField(**said)


_NUMBER = {"min_value": "min_value", "max_value": "max_value"}
FIELDS: list[tuple[Any, Callable[[Any, dict[str, Any]], serializers.Field[Any, Any, Any, Any]]]] = [
    (
        forms.ModelMultipleChoiceField,
        lambda _, said: serializers.ListField(child=KeyField(), **said),
    ),
    (forms.ModelChoiceField, _plain(KeyField)),
    (forms.MultipleChoiceField, _choices),
    (forms.ChoiceField, _choice),
    (forms.BooleanField, _flag),
    (
        forms.DecimalField,
        _plain(ExactField, max_digits="max_digits", decimal_places="decimal_places"),
    ),
    (forms.IntegerField, _plain(NumberField, **_NUMBER)),
    (forms.DateTimeField, _plain(serializers.DateTimeField)),
    (forms.DateField, _plain(serializers.DateField)),
    (forms.TimeField, _plain(ClockField)),
    (forms.UUIDField, _plain(serializers.UUIDField)),
    (forms.EmailField, _text),
    (forms.Field, _text),
]


def as_form_data(told: Mapping[str, Any]) -> dict[str, Any]:
    """What a browser would have sent: no ``null``, and every plain value as text."""
    return {name: _sent(value) for name, value in told.items() if value is not None}


def _sent(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, list | tuple):
        return [_sent(inner) for inner in value]
    return str(value)
