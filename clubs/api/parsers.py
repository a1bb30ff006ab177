"""Reading what a client sends: JSON that is small, flat and can be stored as it came."""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from itertools import chain
from typing import IO, Any, Final

from rest_framework.exceptions import APIException, ParseError
from rest_framework.parsers import JSONParser

MOST_BYTES = 100_000
DEEPEST = 10
ODD: Final = re.compile(rb"\\u|\xed|\x00")  # what may be NUL or half a pair of surrogates


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
        _refuse_what_is_deep(told)
        if ODD.search(sent) and not all(map(_can_be_stored, _texts(told))):
            raise ParseError("This contains a character that text cannot contain.")
        return told


def _loaded(sent: bytes) -> Any:
    try:
        return json.loads(sent)
    except json.JSONDecodeError as bad:
        where = f"line {bad.lineno}, column {bad.colno}"
        raise ParseError(f"This is not valid JSON: it cannot be read beyond {where}.") from bad
    except (ValueError, RecursionError) as bad:
        raise ParseError("This is not valid JSON.") from bad


def _refuse_what_is_deep(told: Any) -> None:
    level = [told]
    for _ in range(DEEPEST + 1):
        level = list(chain.from_iterable(map(_inside, level)))
    if level:
        raise ParseError("This JSON is nested too deeply.")


def _inside(told: Any) -> Iterable[Any]:
    """What a list or an object holds."""
    if isinstance(told, dict):
        return told.values()
    return told if isinstance(told, list) else ()


def _texts(told: Any) -> Iterator[str]:
    """Every text in it, the names of fields among them."""
    if isinstance(told, str):
        yield told
    elif isinstance(told, dict):
        yield from told
    for inner in _inside(told):
        yield from _texts(inner)


def _can_be_stored(text: str) -> bool:
    """Neither NUL nor half a pair of surrogates."""
    return "\0" not in text and not any("\ud800" <= letter <= "\udfff" for letter in text)
