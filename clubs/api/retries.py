"""Repeated requests: idempotency keys and ETags."""

import json
from collections.abc import Callable
from datetime import datetime, timedelta
from hashlib import blake2b, sha256
from typing import Any

from django.db import IntegrityError, transaction
from django.db.models import Q
from django.http import HttpResponse, HttpResponseNotModified
from django.utils.http import parse_etags
from rest_framework.exceptions import APIException, ValidationError
from rest_framework.permissions import SAFE_METHODS
from rest_framework.request import Request
from rest_framework.throttling import BaseThrottle

from clubs.api.callers import caller
from clubs.api.openapi import handler_of
from clubs.models import Club, KeptAnswer
from clubs.tenancy import current_club, enter_until_response

KEY_HEADER = "Idempotency-Key"
REPLAYED_HEADER = "Idempotency-Replayed"
MAX_KEY_LENGTH = 200
ANSWERS_KEPT_FOR = timedelta(hours=24)
NOT_MODIFIED_HEADERS = ("Cache-Control", "Vary", "ETag")


class Replayed(Exception):
    """The request was answered before; ``kept_answer`` is the stored response."""

    def __init__(self, kept_answer: KeptAnswer) -> None:
        super().__init__(kept_answer.key)
        self.stored_answer = kept_answer


class KeyReused(APIException):
    """The key was used for something else."""

    status_code = 422
    default_code = "key_used"
    default_detail = (
        "This Idempotency-Key was used for another request. Use a new key for each request."
    )


class InProgress(APIException):
    """Its answer is not kept: it named someone who was erased since, or an older release, which
    claimed keys before it worked, began it and did not answer.
    """

    status_code = 409
    default_code = "in_progress"
    default_detail = (
        "A request with this Idempotency-Key is still being processed, or was interrupted. Try "
        "again in a moment. If you still see this, check whether the change was made before you "
        "use another key."
    )


def begin_request(request: Request, view: Any) -> KeptAnswer | None:
    """Claim the request's key, and begin a transaction that lasts until it is answered.

    None for a request without one, or that changes nothing. Raises ``Replayed`` for a request that
    was answered, ``InProgress`` and ``KeyReused``.
    """
    key = request.headers.get(KEY_HEADER)
    if key is None or request.method in SAFE_METHODS or view.is_dry_run:
        return None
    if not 0 < len(key) <= MAX_KEY_LENGTH or not key.isascii() or not key.isprintable():
        raise ValidationError(
            f"{KEY_HEADER} is 1 to {MAX_KEY_LENGTH} printable characters.", "bad_key"
        )
    if getattr(handler_of(view, str(request.method)), "answers_secret", False):
        raise ValidationError(f"This operation does not support {KEY_HEADER}.", "bad_key")
    owner = str(caller(request, view, address=str(BaseThrottle().get_ident(request))))
    # The digest of method, address and body.
    plain = request._request
    line = f"{plain.method} {plain.get_full_path()}\n".encode()
    digest = sha256(line + plain.body).hexdigest()
    enter_until_response(transaction.atomic())
    while (claimed_answer := _claim_key(owner, key, digest)) is None:
        kept_answer = KeptAnswer.objects.filter(owner=owner, key=key).first()
        if kept_answer is None:
            continue
        if kept_answer.asked != digest:
            raise KeyReused
        raise InProgress if kept_answer.status is None else Replayed(kept_answer)
    return claimed_answer


def _claim_key(owner: str, key: str, digest: str) -> KeptAnswer | None:
    """The row of a new request; None if its key is already taken."""
    try:
        with transaction.atomic():
            return KeptAnswer.objects.create(owner=owner, key=key, asked=digest)
    except IntegrityError:
        return None


def end_request(kept_answer: KeptAnswer, answer: HttpResponse) -> None:
    """Store the response of a successful request; a refused one frees the key."""
    is_json = answer.headers.get("Content-Type", "application/json") == "application/json"
    rows = KeptAnswer.objects.filter(pk=kept_answer.pk)
    if answer.status_code < 300 and is_json:
        rows.update(status=answer.status_code, body=answer.content.decode(), club=current_club())
    else:
        rows.delete()


def forget_answers(*, club: Club, names: Callable[[Any], bool]) -> None:
    """Empty the answers of the club, and those of no club, in which ``names`` finds someone.

    A request that is repeated is not answered then, and not done twice either.
    """
    answers = KeptAnswer.objects.filter(Q(club=club) | Q(club=None)).exclude(body="")
    bodies = answers.values_list("pk", "body").iterator()
    naming = [pk for pk, body in bodies if names(json.loads(body))]
    KeptAnswer.objects.filter(pk__in=naming).update(status=None, body="")


def delete_old_answers(*, now: datetime) -> int:
    """Delete answers older than a day; returns how many."""
    deleted_count, _ = KeptAnswer.objects.filter(made_at__lt=now - ANSWERS_KEPT_FOR).delete()
    return deleted_count


class ChangedSinceRead(APIException):
    """The row was changed after it was read."""

    status_code = 412
    default_code = "changed"
    default_detail = "This has changed since you read it. Fetch it again, then retry."


def etag_of(content: bytes, state: str | None = None) -> str:
    """The ETag of a response: the state that a step compares, if any, and a digest of it all."""
    digest = blake2b(content, digest_size=16).hexdigest()
    return f'"{digest}"' if state is None else f'"{state}.{digest}"'


def sent_state(request: Request) -> str:
    """The state within the ETag that a step was sent with; empty if it may be any.

    What else has changed since that reading does not matter to the step. An ETag of something
    else is compared whole, and so equals no state.
    """
    header = request.headers.get("If-Match", "*").strip()
    if header == "*":
        return ""
    tag = next(iter(parse_etags(header)), header).removeprefix("W/").strip('"')
    return tag.rpartition(".")[0] or tag


def with_etag(request: Request, answer: HttpResponse, state: str | None) -> HttpResponse:
    """The answer with its ETag; 304 without a body for a client that has it already."""
    if answer.status_code != 200 or answer.streaming:
        return answer
    answer.headers["ETag"] = tag = etag_of(answer.content, state)
    if not _has_tag(request.headers.get("If-None-Match", ""), tag):
        return answer
    not_modified_answer = HttpResponseNotModified()
    for name in NOT_MODIFIED_HEADERS:
        if name in answer.headers:
            not_modified_answer.headers[name] = answer.headers[name]
    return not_modified_answer


def refuse_if_changed(view: Any, request: Request) -> None:
    """Raise ``ChangedSinceRead`` (412) for a change whose ``If-Match`` is out of date.

    The caller holds the lock of what is to be changed.
    """
    header = request.headers.get("If-Match")
    if header is None:
        return
    tag = ""
    if hasattr(view, "get"):
        answer = view.get(request, **view.kwargs)
        content: Any = request.accepted_renderer.render(
            answer.data, request.accepted_media_type, {}
        )
        tag = etag_of(content, state_of(view))
    if not _has_tag(header, tag):
        raise ChangedSinceRead


def state_of(view: Any) -> str | None:
    """What of the view's reading its steps compare; None if there are no such steps."""
    state: str | None = view.state() if hasattr(view, "state") else None
    return state


def _has_tag(header: str, tag: str) -> bool:
    """Whether the header names the tag; a proxy that compresses answers makes ours weak."""
    tags = {etag.removeprefix("W/") for etag in parse_etags(header)}
    return bool(tag) and (tag in tags or "*" in tags)
