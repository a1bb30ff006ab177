"""Where a thing that has just been created is read: ``Location``, and its ``ETag``."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from django.urls import resolve, reverse
from rest_framework.request import Request
from rest_framework.response import Response

from clubs.api.openapi import handler_of


class CreatedRoute:
    """The address of what was created: the name of a route and its parts.

    ``parts`` says in which fields of the answer they are; the rest are those of the request's own
    address, all of them or those that ``shared_names`` names. Without a name it is that address
    itself.
    """

    def __init__(self, name: str = "", *, shared_names: str | None = None, **parts: str) -> None:
        self.name, self.shared_names, self.parts = name, shared_names, parts

    def path(self, request: Request, kwargs: Mapping[str, Any], body: Mapping[str, Any]) -> str:
        """The path of the created thing, which the answer describes."""
        if not self.name:
            return str(request.path)
        shared_kwargs = (
            kwargs
            if self.shared_names is None
            else {key: kwargs[key] for key in self.shared_names.split()}
        )
        own_kwargs = {part: body[field] for part, field in self.parts.items()}
        return reverse(self.name, kwargs={**shared_kwargs, **own_kwargs})


SAME_ROUTE: Final = CreatedRoute()


def add_location(view: Any, request: Request, answer: Response) -> None:
    """Say where what was created is read, in an answer that it was."""
    if answer.status_code == 201 and "Location" not in answer.headers:
        handler = handler_of(view, str(request.method))
        place: CreatedRoute = getattr(handler, "creates", None) or SAME_ROUTE
        path = place.path(request, view.kwargs, answer.data)
        answer.headers["Location"] = request.build_absolute_uri(path)


def is_as_read(view: Any, request: Request, answer: Any) -> bool:
    """Whether an answer to a change is what reading would answer now, or a dry run of a step."""
    if view.is_dry_run:
        return answer.status_code == 200 and hasattr(view, "state")
    handler = handler_of(view, str(request.method))
    serializer_class = getattr(handler, "serializer_class", None)
    if serializer_class is None or answer.status_code not in {200, 201}:
        return False
    if answer.status_code == 201:
        read_view: Any = resolve(urlsplit(answer.headers["Location"]).path).func
        if hasattr(getattr(read_view, "cls", None), "state"):  # which only that view can say
            return False
        return read_serializer(read_view) is serializer_class
    is_change = request.method in {"PATCH", "PUT"}
    return is_change and read_serializer(view) is serializer_class


def read_serializer(view: Any) -> Any:
    """What answers a GET of one thing at a view: a function of ``as_view``, or the view itself."""
    view_class = getattr(view, "cls", type(view))
    actions = getattr(view, "actions", None) or getattr(view, "action_map", None)
    if actions is None:
        return getattr(getattr(view_class, "get", None), "serializer_class", None)
    return view_class.serializer_class if actions.get("get") == "retrieve" else None
