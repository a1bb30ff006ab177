"""Conditional requests: an answer that is held already is not sent, a change knows what it changes.

An ETag is a digest of the answer as it is sent.
"""

from hashlib import blake2b
from typing import Any

from django.http import HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags
from rest_framework.exceptions import APIException
from rest_framework.request import Request

KEPT_HEADERS = ("Cache-Control", "Vary", "ETag")


class Changed(APIException):
    """What is to be changed is no longer what was read."""

    status_code = 412
    default_code = "changed"
    default_detail = "This has changed since you read it. Fetch it again, then retry."


def tag_of(content: bytes) -> str:
    """The ETag of an answer."""
    return f'"{blake2b(content, digest_size=16).hexdigest()}"'


def as_held(request: Request, answer: HttpResponse) -> HttpResponse:
    """The answer with its ETag; 304 without it for a client that holds it already."""
    if answer.status_code != 200 or answer.streaming:
        return answer
    answer.headers["ETag"] = tag = tag_of(answer.content)
    if not _names(request.headers.get("If-None-Match", ""), tag):
        return answer
    same = HttpResponseNotModified()
    for name in KEPT_HEADERS:
        if name in answer.headers:
            same.headers[name] = answer.headers[name]
    return same


def refuse_if_changed(view: Any, request: Request) -> None:
    """Keeps a change with ``If-Match`` from what is no longer as it was read (``Changed``, 412).

    The caller holds the lock of what is to be changed.
    """
    wanted = request.headers.get("If-Match")
    if wanted is not None and not _names(wanted, _tag_now(view, request)):
        raise Changed


def _tag_now(view: Any, request: Request) -> str:
    if not hasattr(view, "get"):
        return ""
    answer = view.get(request, **view.kwargs)
    told: Any = request.accepted_renderer.render(answer.data, request.accepted_media_type, {})
    return tag_of(told)


def _names(header: str, tag: str) -> bool:
    """Whether the header names the tag; a proxy that packs answers makes weak tags of ours."""
    named = {one.removeprefix("W/") for one in parse_etags(header)}
    return bool(tag) and (tag in named or "*" in named)
