"""Where a thing that has just been created is read: ``Location``, and its ``ETag``."""

from collections.abc import Mapping
from typing import Any, Final
from urllib.parse import urlsplit

from django.urls import resolve, reverse
from rest_framework.request import Request
from rest_framework.response import Response


class Place:
    """The address of what was created: the name of a route and its parts.

    ``parts`` says in which fields of the answer they are; the rest are those of the request's own
    address, all of them or those that ``shared`` names. Without a name it is that address itself.
    """

    def __init__(self, name: str = "", *, shared: str | None = None, **parts: str) -> None:
        self.name, self.shared, self.parts = name, shared, parts

    def path(self, request: Request, kwargs: Mapping[str, Any], body: Mapping[str, Any]) -> str:
        """The path of the created thing, which the answer describes."""
        if not self.name:
            return str(request.path)
        shared = (
            kwargs if self.shared is None else {key: kwargs[key] for key in self.shared.split()}
        )
        own = {part: body[field] for part, field in self.parts.items()}
        return reverse(self.name, kwargs={**shared, **own})


SAME_ADDRESS: Final = Place()


def add_location(view: Any, request: Request, answer: Response) -> None:
    """Say where what was created is read, in an answer that it was."""
    if answer.status_code == 201 and "Location" not in answer.headers:
        place: Place = getattr(_handler(view, request), "creates", None) or SAME_ADDRESS
        path = place.path(request, view.kwargs, answer.data)
        answer.headers["Location"] = request.build_absolute_uri(path)


def is_as_read(view: Any, request: Request, answer: Any) -> bool:
    """Whether an answer to a change is what reading would answer now, or a dry run of a step."""
    if view.is_dry_run:
        return answer.status_code == 200 and hasattr(view, "state")
    serializer_class = getattr(_handler(view, request), "serializer_class", None)
    if serializer_class is None or answer.status_code not in {200, 201}:
        return False
    if answer.status_code == 201:
        read: Any = getattr(resolve(urlsplit(answer.headers["Location"]).path).func, "cls", None)
        if hasattr(read, "state"):  # which only that view can say
            return False
    else:
        read = type(view) if request.method in {"PATCH", "PUT"} else None
    return getattr(getattr(read, "get", None), "serializer_class", None) is serializer_class


def _handler(view: Any, request: Request) -> Any:
    return getattr(view, str(request.method).lower(), None)
