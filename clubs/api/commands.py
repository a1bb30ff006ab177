"""Acts of pages over JSON: the same form validates, the same service writes."""

from abc import abstractmethod
from collections.abc import Callable, Iterator, Mapping
from functools import cache, partial, wraps
from typing import Any, cast

from django import forms
from django.core.exceptions import NON_FIELD_ERRORS
from django.db import transaction
from django.utils.datastructures import MultiValueDict
from drf_spectacular.utils import PolymorphicProxySerializer
from rest_framework import serializers
from rest_framework.exceptions import ErrorDetail, ValidationError
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.base import BaseAPIView, ClubAPIView, describe_method, serialized_response
from clubs.api.created import CreatedRoute
from clubs.api.fields import (
    ClockField,
    ExactField,
    FlagField,
    KeyField,
    NumberField,
    OneOfField,
    StrictSerializer,
    TextField,
)
from clubs.api.retries import refuse_if_changed
from clubs.core.locks import lock_club

SerializerClass = type[serializers.Serializer[Any]]
SerializerField = serializers.Field[Any, Any, Any, Any]
InputClass = type[forms.Form] | SerializerClass


@cache
def form_serializer(form: type[forms.Form], *, optional: bool = False) -> SerializerClass:
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
                make(field, options) for kind, make in FIELD_MAKERS if isinstance(field, kind)
            )
    name = f"{form.__name__.removesuffix('Form')}{'Change' if optional else ''}In"
    return type(name, (serializers.Serializer,), {**fields, "__doc__": form.__doc__})


def _choice_field(field: Any, options: dict[str, Any]) -> SerializerField:
    choices = [(str(value), value) for value, _ in field.choices]
    if isinstance(field, forms.MultipleChoiceField):
        child = OneOfField(choices=[text for text, _ in choices]) if choices else TextField()
        return serializers.ListField(child=child, **options)
    values = [text for text, value in choices if value not in {"", None}]
    return OneOfField(choices=values, allow_blank=not field.required, **options)


def _plain_field(
    kind: Callable[..., SerializerField], *limits: str
) -> Callable[[Any, dict[str, Any]], SerializerField]:
    """A maker of this kind of field, with the ``limits`` of the form's field."""

    def make(field: Any, options: dict[str, Any]) -> SerializerField:
        limit_values = {name: getattr(field, name) for name in limits}
        if not field.required:
            limit_values["allow_null"] = True
        return kind(**limit_values, **options)

    return make


def _text_field(field: Any, options: dict[str, Any]) -> SerializerField:
    longest = getattr(field, "max_length", None)
    return TextField(allow_blank=not field.required, max_length=longest, **options)


FIELD_MAKERS: list[tuple[Any, Callable[[Any, dict[str, Any]], SerializerField]]] = [
    (
        forms.ModelMultipleChoiceField,
        lambda _, options: serializers.ListField(child=KeyField(), **options),
    ),
    (forms.ModelChoiceField, _plain_field(KeyField)),
    (forms.ChoiceField, _choice_field),
    (forms.BooleanField, lambda _, options: FlagField(**options)),
    (forms.DecimalField, _plain_field(ExactField, "max_digits", "decimal_places")),
    (forms.IntegerField, _plain_field(NumberField, "min_value", "max_value")),
    (forms.DateTimeField, _plain_field(serializers.DateTimeField)),
    (forms.DateField, _plain_field(serializers.DateField)),
    (forms.TimeField, _plain_field(ClockField)),
    (forms.UUIDField, _plain_field(serializers.UUIDField)),
    (forms.EmailField, _text_field),
    (forms.Field, _text_field),
]


def as_form_data(validated: Mapping[str, Any]) -> dict[str, Any]:
    """The data as a browser would send it: no ``null``, and every plain value as text."""
    return {name: _as_posted(value) for name, value in validated.items() if value is not None}


def _form_data(values: Mapping[str, Any]) -> MultiValueDict[str, Any]:
    """The values as a form takes them."""
    data = as_form_data(values)
    return MultiValueDict(
        {name: value if isinstance(value, list) else [value] for name, value in data.items()}
    )


def _as_posted(value: Any) -> Any:
    if isinstance(value, bool):
        return value
    if isinstance(value, list | tuple):
        return [_as_posted(inner) for inner in value]
    return str(value)


class NothingIn(serializers.Serializer[Any]):
    """An empty object: the address says it all."""


class CommandAPIView(BaseAPIView):
    """An API view with commands, which ``command_endpoint`` and ``patch_endpoint`` make."""

    def form_kwargs(self) -> dict[str, Any]:
        """What the page's form needs besides the data, such as the club."""
        return {}

    def bind_form(self, form: type[forms.Form], data: Any) -> forms.Form:
        """The page's form over this data."""
        return form(data=data, **self.form_kwargs())

    def validated(
        self,
        data: Any,
        asks: InputClass,
        serializer_class: SerializerClass,
        current: Mapping[str, Any] | None = None,
    ) -> dict[str, Any]:
        """What was sent, cleaned by the serializer, then by the page's form; all faults at once."""
        serializer = serializer_class(data=data)
        faults = {} if serializer.is_valid() else dict(serializer.errors)
        validated_data = dict(serializer.validated_data)
        if issubclass(asks, forms.Form) and isinstance(data, Mapping):
            valid_data = {name: value for name, value in data.items() if name not in faults}
            try:
                validated_data = cleaned_data(
                    self.bind_form(asks, _form_data({**(current or {}), **valid_data}))
                )
            except ValidationError as wrong:
                # A form without what the serializer refused says more of it, and of the whole.
                ignored_names = {*faults, *(("non_field_errors",) if faults else ())}
                form_faults = cast(dict[str, Any], wrong.detail)
                faults |= {name: form_faults[name] for name in form_faults.keys() - ignored_names}
        if faults := {**unknown_fields(data, serializer), **faults}:
            raise ValidationError(faults)
        return validated_data


class ClubCommandAPIView(CommandAPIView, ClubAPIView):
    """An API view with commands in a club; the door is as for every view of a club."""


class PatchAPIView(ClubCommandAPIView):
    """An API view of what can be changed by PATCH: what is not sent keeps its value.

    The current values are read under the lock that every change of it takes, so two changes of
    different fields at the same moment both stay.
    """

    @abstractmethod
    def current(self) -> Mapping[str, Any]:
        """The current values, under the form's names."""

    def lock(self) -> None:
        """Lock what is changed until the transaction ends: the club, unless a view says more."""
        self.club = lock_club(self.club.pk)


def _response_schemas(
    answers: SerializerClass | None, status: int, preview: SerializerClass | None
) -> dict[int, Any]:
    """What a command answers, by status: with what it did, or in a dry run what it would do."""
    schemas: dict[int, Any] = {204: None} if answers is None else {status: answers}
    if preview is not None:
        schemas[200] = either_schema(schemas.get(200), preview)
    return schemas


def command_endpoint(
    asks: InputClass | None = None,
    *,
    answers: SerializerClass | None = None,
    answers_secret: bool = False,
    creates: CreatedRoute | None = None,
    previews: SerializerClass | None = None,
    preflight: SerializerClass | None = None,
    reading: str = "",
    **schema_options: Any,
) -> Callable[[Callable[..., Any]], Callable[..., Response]]:
    """Make of one call a command: a view's ``post``, or a viewset's ``create`` or action.

    ``asks`` is the page's form or a serializer: the call gets what it cleaned, and calls one
    service. What it returns is answered by ``answers`` (None: 204), and read from now on at the
    place that it ``creates`` (201). For ``?dry_run=1`` see ``_run_dry``: ``previews`` answers it,
    or ``preflight``, for which nothing need be sent yet. ``reading`` names what the caller has read
    before, whose ETag may be sent back as ``If-Match``. The rest is for ``extend_schema``.
    """
    input_class = asks or NothingIn
    input_serializer, status = _input_serializer(input_class), 200 if creates is None else 201
    preview = previews or preflight
    responses = _response_schemas(answers, status, preview)

    def decorate(act: Callable[..., Any]) -> Callable[..., Response]:
        @wraps(act)
        def post(view: CommandAPIView, request: Request, **kwargs: Any) -> Response:  # noqa: ARG001
            is_dry_run = preview is not None and view.is_dry_run
            if is_dry_run and preflight:
                validated = _partial_input(request.data, input_serializer)
            else:
                validated = view.validated(request.data, input_class, input_serializer)
            step = partial(act, view, validated) if asks else partial(act, view)
            if is_dry_run and preview:
                return serialized_response(view, _run_dry(view, step, validated), preview)
            result = step()
            if answers is None:
                return Response(status=204)
            return serialized_response(view, result, answers, status)

        command: Any = describe_method(
            post, request=input_serializer, **{"responses": responses, **schema_options}
        )
        command.serializer_class, command.answers_secret = answers, answers_secret
        command.creates, command.has_dry_run = creates, preview is not None
        command.reading = reading
        return cast(Callable[..., Response], command)

    return decorate


def patch_endpoint(
    asks: InputClass, *, answers: SerializerClass, serializer_class: SerializerClass | None = None
) -> Callable[[Callable[..., Any]], Callable[..., Response]]:
    """The same for a view's ``patch``; with ``If-Match`` it changes only what is as it was read.

    ``serializer_class`` says what may be sent, where that is not what the form says.
    """
    input_serializer = serializer_class or _input_serializer(asks, optional=True)

    def decorate(act: Callable[..., Any]) -> Callable[..., Response]:
        @wraps(act)
        def patch(view: PatchAPIView, request: Request, **kwargs: Any) -> Response:  # noqa: ARG001
            with transaction.atomic():
                view.lock()
                refuse_if_changed(view, request)
                validated = view.validated(request.data, asks, input_serializer, view.current())
                return serialized_response(view, act(view, validated), answers)

        changing: Any = patch
        changing.serializer_class = answers
        return describe_method(patch, request=input_serializer, responses=answers)

    return decorate


def _partial_input(data: Any, serializer_class: SerializerClass) -> dict[str, Any]:
    """What was sent before a step is looked at, of which nothing is required yet."""
    serializer = serializer_class(data=data, partial=True)
    faults = {} if serializer.is_valid() else dict(serializer.errors)
    if faults := {**unknown_fields(data, serializer), **faults}:
        raise ValidationError(faults)
    return dict(serializer.validated_data)


def _run_dry(view: Any, step: Callable[[], Any], validated: dict[str, Any]) -> Any:
    """What would happen: what the view's ``dry_run`` finds, or else the step, rolled back."""
    with transaction.atomic():
        result = view.dry_run(validated) if hasattr(view, "dry_run") else step()
        transaction.set_rollback(True)
    return result


def either_schema(result_class: SerializerClass | None, preview: SerializerClass) -> Any:
    """What a step answers with 200: what was done, or what would be."""
    if result_class is None or result_class is preview:
        return preview
    name = f"{result_class.__name__}Or{preview.__name__}".replace("Serializer", "")
    return PolymorphicProxySerializer(
        component_name=name, serializers=[result_class, preview], resource_type_field_name=None
    )


def _input_serializer(asks: InputClass, *, optional: bool = False) -> SerializerClass:
    return form_serializer(asks, optional=optional) if issubclass(asks, forms.Form) else asks


def cleaned_data(form: forms.Form) -> dict[str, Any]:
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


def unknown_fields(
    data: Any, serializer: serializers.Serializer[Any]
) -> dict[str, list[ErrorDetail]]:
    """A fault at each unknown field, so that a misspelt one is noticed."""
    fault = ErrorDetail("Unknown field.", "unknown_field")
    return {name: [fault] for name in _unknown_fields(data, serializer)}


def _unknown_fields(data: Any, serializer: Any, path_prefix: str = "") -> Iterator[str]:
    """The paths of unknown fields, also of nested ones."""
    if isinstance(serializer, serializers.ListSerializer | serializers.ListField):
        inside = data if isinstance(data, list) else []
        for index, item in enumerate(inside):
            yield from _unknown_fields(item, serializer.child, f"{path_prefix}{index}.")
    elif isinstance(serializer, serializers.Serializer) and isinstance(data, Mapping):
        if not isinstance(serializer, StrictSerializer):  # which names its own
            yield from (
                f"{path_prefix}{name}" for name in sorted(set(data) - set(serializer.fields))
            )
        for name, field in serializer.fields.items():
            yield from _unknown_fields(data.get(name), field, f"{path_prefix}{name}.")
