"""What can be taken away: DELETE, answered with nothing."""

from collections.abc import Callable
from functools import wraps
from typing import Any

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response


def removes(take_away: Callable[[Any], None]) -> Callable[..., Response]:
    """Make of one call that takes something away a view's ``delete``, which answers 204."""

    @wraps(take_away)
    def delete(view: Any, request: Request, **kwargs: Any) -> Response:  # noqa: ARG001
        take_away(view)
        return Response(status=204)

    described: Callable[..., Response] = extend_schema(request=None, responses={204: None})(delete)
    return described
