"""Schemas of the frozen rows that selectors return.

A row says what each of its fields is, and the API which of them it publishes, under which names::

    class Companion(NamedTuple):
        player_id: int
        name: str
        ahead: Annotated[int, "by how much the player did better"]

    OpponentSerializer = serializer_of("OpponentSerializer", Companion, "id=player_id name ahead")

Nothing is published that is not listed. The first paragraph of the row's docstring describes the
component, and the text in ``Annotated`` the field.
"""

from collections.abc import Mapping, Sequence, Set
from copy import deepcopy
from datetime import date, datetime, time
from enum import StrEnum
from fractions import Fraction
from functools import cache, cached_property
from types import NoneType, UnionType
from typing import Annotated, Any, Final, Union, get_args, get_origin, get_type_hints
from uuid import UUID

from django.core.exceptions import FieldDoesNotExist
from django.db.models import Model
from rest_framework import serializers
from rest_framework.utils.field_mapping import ClassLookupDict

from clubs.api.fields import ClockField, FractionField, named_field
from scoring.hands.tiles import Tile

SerializerField = serializers.Field[Any, Any, Any, Any]
SerializerClass = type[serializers.Serializer[Any]]

FIELD_TYPES: Final[dict[Any, type[SerializerField]]] = {
    bool: serializers.BooleanField,
    int: serializers.IntegerField,
    date: serializers.DateField,
    datetime: serializers.DateTimeField,
    time: ClockField,
    UUID: serializers.UUIDField,
    Fraction: FractionField,
    Tile: serializers.CharField,
}
MODEL_FIELD_TYPES: Final[Any] = ClassLookupDict(
    serializers.ModelSerializer.serializer_field_mapping
)


def serializer_of(
    name: str,
    row: type,
    names: str,
    description: str = "",
    /,
    **overrides: SerializerField | SerializerClass | str,
) -> SerializerClass:
    """The serializer class ``name`` of the fields and properties of a row, or of a model.

    In ``names``, ``id=pk`` publishes ``pk`` as ``id``, and ``after.place`` the ``place`` of the row
    inside it. By keyword a listed field is given the schema of the row or rows inside it, a help
    text instead of the row's, or a field of its own. Raises ``TypeError`` for what the row has not
    and for types that have no field.
    """
    paths = dict(_name_and_path(item) for item in names.split())
    if strange := overrides.keys() - paths:
        raise TypeError(f"{name} does not list {', '.join(sorted(strange))}.")
    fields: dict[str, Any] = {}
    for field, path in paths.items():
        override = overrides.get(field)
        if isinstance(override, serializers.Field):
            fields[field] = deepcopy(override)  # made anew: a serializer sorts its fields by age
            continue
        try:
            kind, options = _unwrap_type(_annotation(row, path))
            if isinstance(override, str):
                options["help_text"] = override
            if path != field:
                options["source"] = path
            fields[field] = _make_field(
                kind, options, override if isinstance(override, type) else None
            )
        except TypeError as fault:
            raise TypeError(f"{name}.{field}: {fault}") from None
    description = description or (row.__doc__ or "").partition("\n\n")[0]
    return type(name, (serializers.Serializer,), {**fields, "__doc__": description})


def _name_and_path(item: str) -> tuple[str, str]:
    """The name of a field and the path to its value."""
    name, renames, path = item.partition("=")
    return (name, path) if renames else (item.rpartition(".")[2], item)


@cache
def _hints(source: Any) -> dict[str, Any]:
    return get_type_hints(source, include_extras=True)


def _annotation(row: Any, path: str) -> Any:
    """What a row says of a field or a property, or of one of a row inside it."""
    kind = row
    for name in path.split("."):
        holder = _unwrap_type(kind)[0]
        kind = _is_subclass(holder, Model) and _model_field(holder, name)
        if not kind:
            match getattr(holder, name, None):
                case property(fget=getter) | cached_property(func=getter):
                    kind = _hints(getter).get("return")
                case _:
                    kind = _hints(holder).get(name)
        if not kind:
            raise TypeError(f"{holder.__name__} has no annotated field {name!r}.")
    return kind


def _model_field(model: type[Model], name: str) -> Any:
    """The serializer field of a model's field, or the model that it leads to."""
    try:
        field: Any = model._meta.get_field(model._meta.pk.name if name == "pk" else name)
    except FieldDoesNotExist:
        return None
    if field.is_relation and name == field.name:
        kind = field.related_model
    else:
        kind = MODEL_FIELD_TYPES[field.target_field if field.is_relation else field]
        if field.choices and _is_subclass(kind, serializers.CharField):
            kind = named_field(field.flatchoices)
    return kind | None if field.null else kind


def _unwrap_type(kind: Any) -> tuple[Any, dict[str, Any]]:
    """A type without ``Annotated`` and ``None``, and what these say of its field."""
    options: dict[str, Any] = {}
    if get_origin(kind) is Annotated:
        kind, options["help_text"] = get_args(kind)
    match [part for part in get_args(kind) if part is not NoneType]:
        case [whole] if get_origin(kind) in {Union, UnionType}:
            kind, options["allow_null"] = whole, True
    return kind, options


def _make_field(
    kind: Any, options: dict[str, Any], inside: SerializerClass | None
) -> SerializerField:
    """The field of a type; ``inside``: the schema of the rows in it."""
    origin, arguments = get_origin(kind) or kind, get_args(kind)
    if inside is not None:
        return inside(many=_is_subclass(origin, Sequence), **options)
    if _is_subclass(kind, serializers.Field):
        return kind(**options)  # type: ignore[no-any-return]
    if kind in FIELD_TYPES:
        return FIELD_TYPES[kind](**options)
    if _is_subclass(origin, str):
        text = (
            named_field(_choices_of(kind)) if _is_subclass(kind, StrEnum) else serializers.CharField
        )
        return text(**options)
    if _is_subclass(origin, Mapping) and arguments:
        return serializers.DictField(
            child=_make_field(*_unwrap_type(arguments[1]), None), **options
        )
    if _is_subclass(origin, (Sequence, Set)) and len(set(arguments) - {...}) == 1:
        return serializers.ListField(
            child=_make_field(*_unwrap_type(arguments[0]), None), **options
        )
    raise TypeError(f"{kind} has no field of its own; give one by keyword.")


def _choices_of(enumeration: type[StrEnum]) -> list[tuple[str, str]]:
    """The members of an enumeration with their labels; without one a member says itself."""
    return [
        (word.value, getattr(word, "label", word.value.replace("_", " "))) for word in enumeration
    ]


def _is_subclass(kind: Any, parent: Any) -> bool:
    return isinstance(kind, type) and issubclass(kind, parent)
