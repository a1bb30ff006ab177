"""Reading what a client sends: JSON that is small, flat and can be stored as it came."""

import json
from collections.abc import Iterator, Mapping
from typing import IO, Any

from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser

MOST_BYTES = 100_000
DEEPEST = 10


class TooLarge(APIException):
    """More was sent than a hand can need."""

    status_code = 413
    default_code = "too_large"
    default_detail = f"That is more than {MOST_BYTES:,} bytes; a hand needs a few hundred."


class SmallJSONParser(JSONParser):
    """Takes at most 100,000 bytes, a few levels deep, and only text that a database keeps."""

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,  # noqa: ARG002
        parser_context: Mapping[str, Any] | None = None,  # noqa: ARG002
    ) -> Any:
        """What was sent; raises ``ParseError`` (400) or ``TooLarge`` (413)."""
        sent = stream.read(MOST_BYTES + 1)
        if len(sent) > MOST_BYTES:
            raise TooLarge
        told = _loaded(sent)
        if not all(_can_be_stored(text) for text in _texts(told)):
            raise ParseError("There is a character in this that no text can hold.")
        return told


def _loaded(sent: bytes) -> Any:
    try:
        return json.loads(sent)
    except json.JSONDecodeError as bad:
        where = f"line {bad.lineno}, column {bad.colno}"
        raise ParseError(f"This is not JSON: it cannot be read beyond {where}.") from bad
    except (ValueError, RecursionError) as bad:
        raise ParseError("This is not JSON that can be read here.") from bad


def _texts(told: Any, depth: int = 0) -> Iterator[str]:
    """Every text in it, the names of fields among them."""
    if depth > DEEPEST:
        raise ParseError("This is nested deeper than any hand.")
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        yield from told
        told = list(told.values())
    if isinstance(told, list):
        for inner in told:
            yield from _texts(inner, depth + 1)


def _can_be_stored(text: str) -> bool:
    """Neither NUL nor half a pair of surrogates."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)
