"""Acts of pages over JSON: the same form validates, the same service writes."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from typing import Any, ClassVar

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.db import transaction
from django.utils.datastructures import MultiValueDict
from drf_spectacular.plumbing import get_doc
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from clubs.api.base import ClubAPIView
from clubs.api.fields import (
    ClockField,
    ExactField,
    FlagField,
    KeyField,
    NumberField,
    OneOfField,
    TextField,
)
from clubs.api.openapi import ToldSchema
from clubs.api.retries import refuse_if_changed
from clubs.core.locks import lock_club

Shape = type[serializers.Serializer[Any]]
Field = serializers.Field[Any, Any, Any, Any]


@cache
def shape_of(form: type[forms.Form], *, optional: bool = False) -> Shape:
    """The serializer whose fields are the form's; ``optional``: what is not sent stays.

    It says what type each field is; the form judges the values. Files are left out.
    """
    fields: dict[str, Any] = {}
    for name, field in form.base_fields.items():
        if not isinstance(field, forms.FileField):
            options: dict[str, Any] = {
                "required": field.required and not optional,
                "help_text": str(field.help_text or field.label or ""),
            }
            fields[name] = next(
                make(field, options) for kind, make in FIELDS if isinstance(field, kind)
            )
    name = f"{form.__name__.removesuffix('Form')}{'Change' if optional else ''}In"
    return type(name, (serializers.Serializer,), {**fields, "__doc__": form.__doc__})


def _choice(field: Any, options: dict[str, Any]) -> Field:
    choices = [(str(value), value) for value, _ in field.choices]
    if isinstance(field, forms.MultipleChoiceField):
        child = OneOfField(choices=[text for text, _ in choices]) if choices else TextField()
        return serializers.ListField(child=child, **options)
    values = [text for text, value in choices if value not in {"", None}]
    return OneOfField(choices=values, allow_blank=not field.required, **options)


def _plain(kind: Callable[..., Field], *limits: str) -> Callable[[Any, dict[str, Any]], Field]:
    """A maker of this kind of field, with the ``limits`` of the form's field."""

    def make(field: Any, options: dict[str, Any]) -> Field:
        taken = {name: getattr(field, name) for name in limits}
        if not field.required:
            taken["allow_null"] = True
        return kind(**taken, **options)

    return make


def _text(field: Any, options: dict[str, Any]) -> Field:
    longest = getattr(field, "max_length", None)
    return TextField(allow_blank=not field.required, max_length=longest, **options)


FIELDS: list[tuple[Any, Callable[[Any, dict[str, Any]], Field]]] = [
    (
        forms.ModelMultipleChoiceField,
        lambda _, options: serializers.ListField(child=KeyField(), **options),
    ),
    (forms.ModelChoiceField, _plain(KeyField)),
    (forms.ChoiceField, _choice),
    (forms.BooleanField, lambda _, options: FlagField(**options)),
    (forms.DecimalField, _plain(ExactField, "max_digits", "decimal_places")),
    (forms.IntegerField, _plain(NumberField, "min_value", "max_value")),
    (forms.DateTimeField, _plain(serializers.DateTimeField)),
    (forms.DateField, _plain(serializers.DateField)),
    (forms.TimeField, _plain(ClockField)),
    (forms.UUIDField, _plain(serializers.UUIDField)),
    (forms.EmailField, _text),
    (forms.Field, _text),
]


def as_form_data(validated: Mapping[str, Any]) -> dict[str, Any]:
    """The data as a browser would send it: no ``null``, and every plain value as text."""
    return {name: _sent(value) for name, value in validated.items() if value is not None}


def _sent(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, list | tuple):
        return [_sent(inner) for inner in value]
    return str(value)


Asked = type[forms.Form] | Shape


class NothingIn(serializers.Serializer[Any]):
    """An empty object: the address says it all."""


class ActSchema(ToldSchema):
    """Describes an act by its view's request and response shapes."""

    view: Any

    def get_description(self, *wanted: Any) -> str:
        """The docstring of ``act``, where the view has no method of its own."""
        view = type(self.view)
        plain = {"POST": (ActView, "post"), "PATCH": (ChangeAPIView, "patch")}.get(self.method)
        if plain and getattr(view, plain[1]) is getattr(*plain):
            return get_doc(view.act)
        return str(super().get_description(*wanted))

    def get_request_serializer(self) -> Any:
        """The request's shape: a form's fields, or a serializer of the view's own."""
        if self.method == "GET":
            return None
        return self.view.shape_asked(optional=self.method == "PATCH")

    def get_response_serializers(self) -> Any:
        """The response's shape; nothing (204) where the view names none."""
        if self.method == "GET":
            return super().get_response_serializers()
        if self.view.answers is None:
            return {204: None}
        return {self.view.status: self.view.answers}


class ActView(APIView):
    """One act by POST (or another of ``http_method_names``): bind, one call, answer.

    ``asks`` is the page's form or a serializer; ``act`` gets what it cleaned and calls one service,
    whose ``Refused`` becomes problems. A view that also answers GET describes that with
    ``extend_schema``.
    """

    schema = ActSchema()
    asks: ClassVar[Asked] = NothingIn
    answers: ClassVar[Any] = None
    status: ClassVar[int] = 200

    @abstractmethod
    def act(self, validated: dict[str, Any]) -> Any:
        """Do it with the cleaned input; returns what ``answers`` shapes."""

    def post(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Run the act."""
        return self.done(request)

    def done(self, request: Request, *, current: Mapping[str, Any] | None = None) -> Response:
        """Bind what was sent (for a change, over the ``current`` values), act, answer."""
        done = self.act(self.validated(request.data, current=current))
        if self.answers is None:
            return Response(status=204)
        return Response(self.answers(done).data, status=self.status)

    def bound(self, form: type[forms.Form], data: Any) -> forms.Form:
        """The page's form over this data; overridden where it needs more, such as the club."""
        return form(data)

    def shape_asked(self, *, optional: bool = False) -> Shape:
        """The serializer of what is sent."""
        if issubclass(self.asks, forms.Form):
            return shape_of(self.asks, optional=optional)
        return self.asks

    def validated(self, sent: Any, *, current: Mapping[str, Any] | None = None) -> dict[str, Any]:
        """The cleaned input, checked by the shape, then by the page's form; all faults at once."""
        shape = self.shape_asked(optional=current is not None)(data=sent)
        shape.is_valid(raise_exception=True)
        refuse_strange(sent, shape)
        if not issubclass(self.asks, forms.Form):
            return dict(shape.validated_data)
        data = as_form_data({**(current or {}), **sent})
        posted = MultiValueDict(
            {name: value if isinstance(value, list) else [value] for name, value in data.items()}
        )
        return judged(self.bound(self.asks, posted))


class ActAPIView(ActView, ClubAPIView):
    """One act in a club; the door is as for every view of a club."""


class ChangeAPIView(ActAPIView):
    """A change by PATCH: what is not sent keeps its value.

    The current values are read under the lock that every change of it takes, so two changes of
    different fields at the same moment both stay.
    """

    http_method_names = ["get", "patch", "head", "options"]

    @abstractmethod
    def current(self) -> Mapping[str, Any]:
        """The current values, under the form's names."""

    def lock(self) -> None:
        """Lock what is changed until the transaction ends: the club, unless a view says more."""
        self.club = lock_club(self.club.pk)

    def patch(self, request: Request, **kwargs: Any) -> Response:  # noqa: ARG002
        """Change what is sent, keep the rest; with ``If-Match`` only what is as it was read."""
        with transaction.atomic():
            self.lock()
            refuse_if_changed(self, request)
            return self.done(request, current=self.current())


def judged(form: forms.Form) -> dict[str, Any]:
    """A bound form's cleaned data; raises ``ValidationError`` with all its errors."""
    if not form.is_valid():
        # The form's errors by field; those of the whole under ``non_field_errors``.
        faults = {
            "non_field_errors" if name == NON_FIELD_ERRORS else name: [
                ErrorDetail(str(message), error.code or "invalid")
                for error in errors.as_data()
                for message in error.messages
            ]
            for name, errors in form.errors.items()
        }
        raise ValidationError(faults)
    return dict(form.cleaned_data)


def refuse_strange(sent: Any, shape: serializers.Serializer[Any]) -> None:
    """Refuse unknown fields, so that a misspelt one is noticed."""
    if strange := list(_strange(sent, shape)):
        raise ValidationError({name: ["Unknown field."] for name in strange}, code="unknown_field")


def _strange(sent: Any, shape: Any, where: str = "") -> Iterator[str]:
    """The paths of unknown fields, also of nested ones."""
    if isinstance(shape, serializers.ListSerializer | serializers.ListField):
        inside = sent if isinstance(sent, list) else []
        for at, item in enumerate(inside):
            yield from _strange(item, shape.child, f"{where}{at}.")
    elif isinstance(shape, serializers.Serializer) and isinstance(sent, Mapping):
        yield from (f"{where}{name}" for name in sorted(set(sent) - set(shape.fields)))
        for name, field in shape.fields.items():
            yield from _strange(sent.get(name), field, f"{where}{name}.")


class ShownIn(serializers.Serializer[Any]):
    """What was read before."""

    shown = TextField(
        required=False,
        max_length=80,
        help_text="as it was read: refused (409) if someone has changed it since, with their name",
    )
