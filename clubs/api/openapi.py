"""The API's description: additions to the views, and examples that the tests run."""

import re
from collections.abc import Mapping
from itertools import chain
from typing import Any, Final

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter
from rest_framework.permissions import SAFE_METHODS
from rest_framework.settings import api_settings

from clubs.api.answers import PROBLEM_JSON
from clubs.core.permissions import Permission, scope_for

PROBLEM_CONTENT: Final = {PROBLEM_JSON: {"schema": {"$ref": "#/components/schemas/Problems"}}}
PROBLEM_RESPONSE: Final = {
    "description": "All the errors, in the same form for every status from 400 up.",
    "content": PROBLEM_CONTENT,
}
CONFLICT_TEXT: Final = (
    "It could be done, were things not as they are: the `code` says what is in the way."
)
CHANGED_TEXT: Final = "It has changed since you read it."
KEY_USED_TEXT: Final = "The `Idempotency-Key` was used for another request."
ETAG_HEADER: Final = {
    "description": "identifies this version: send it back as `If-None-Match` or `If-Match`",
    "schema": {"type": "string"},
}
LOCATION_HEADER: Final = {
    "description": "where what was created is read",
    "schema": {"type": "string", "format": "uri"},
}
IDEMPOTENCY_KEY_SCHEMA: Final = {
    "type": "string",
    "minLength": 1,
    "maxLength": 200,
    "pattern": "^[ -~]+$",
}
IDEMPOTENCY_KEY = OpenApiParameter(
    "Idempotency-Key",
    IDEMPOTENCY_KEY_SCHEMA,
    OpenApiParameter.HEADER,
    description="repeating a request with the same key within 24 hours returns the first response",
)

DRY_RUN_PARAMETER = OpenApiParameter(
    "dry_run",
    {"type": "string", "enum": ["1"]},
    description="`1`: answer what would happen, and change nothing",
)

TAGS: Final = {
    "": "The club",
    "evenings printouts": "An evening’s printouts",
    "tournaments entrants": "A tournament’s entries",
    "tournaments printouts": "A tournament’s printouts",
    "tournaments rounds": "A tournament’s rounds",
    "tournaments seating": "A tournament’s seating",
    "w": "Projector screen (public link)",
    "e": "Public links",
    "keys": "API keys",
    "me": "Your own data",
    "money": "Table money",
    "printouts": "The club’s printouts",
    "players": "Members and guests",
    "link": "Games",
    "score": "Score calculator",
    "series": "Regular evenings",
    "token": "Signing in",
    "activity": "Activity log",
}

Schema = Mapping[str, Any]
MAX_DEPTH: Final = 8
FIELD_EXAMPLES: Final = {
    "name": "Ann",
    "held_on": "2026-11-17",
    "email": "ann@example.org",
    "phone": "01632 960001",
    "key": "P4kT9wq2Zb7LmX3c",
    "club": "riverside",
    "slug": "riverside",
    "rules": "bmja/2008",
    "wind": "E",
    "prevailing_wind": "E",
    "code": "bad_score",
    "where": "scores.3",
    "message": "37 cannot be scored under BMJA rules.",
    "reason": "The scorer looked at the tiles again.",
    "average": "245/2",
    "score": "35/2",
    "table_points": "7/3",
    "day": "2026-11-17",
    "state": "playing",
}
NULL_FIELDS: Final = {"next", "previous"}
FORMAT_EXAMPLES: Final = {
    "date": "2026-11-17",
    "date-time": "2026-11-17T19:45:00Z",
    "time": "19:30:00",
    "uuid": "6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10",
    "email": "ann@example.org",
    "uri": "https://example.org/heard/",
    "decimal": "2.50",
}

HAND_INPUT: dict[str, Any] = {
    "submission_id": "6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10",
    "number": 1,
    "winner": 2,
    "scores": {"1": 20, "2": 60, "3": 8, "4": 4},
}
DRAWN_HAND_INPUT: dict[str, Any] = {
    "submission_id": "0b9c3d64-3f0e-4a55-8a53-6f1f2c1f9d11",
    "number": 2,
    "winner": None,
}
HAND_OUTPUT: dict[str, Any] = {
    "id": 1,
    "number": 1,
    "outcome": "Ben (South) went Mah-Jong with 60",
    "winner": 2,
    "entered_as": "totals",
    "scores": {"1": 20, "2": 60, "3": 8, "4": 4},
    "gains": {"1": -64, "2": 240, "3": -80, "4": -96},
    "winds": {"1": "E", "2": "S", "3": "W", "4": "N"},
    "dealer": 1,
    "prevailing_wind": "E",
    "goulash": False,
    "state": "reported",
    "sent_at": "2026-11-17T19:45:00Z",
    "payments": [
        {"payer": 1, "payee": 2, "points": 120},
        {"payer": 3, "payee": 2, "points": 60},
        {"payer": 4, "payee": 2, "points": 60},
        {"payer": 3, "payee": 1, "points": 24},
        {"payer": 4, "payee": 1, "points": 32},
        {"payer": 4, "payee": 3, "points": 4},
    ],
    "lines": {},
    "notices": [],
}
NEXT_DEAL: dict[str, Any] = {
    "number": 2,
    "winds": {"1": "N", "2": "E", "3": "S", "4": "W"},
    "dealer": 2,
    "prevailing_wind": "E",
    "goulash": False,
    "sits_out": None,
}
GAME_OUTPUT: dict[str, Any] = {
    "id": 1,
    "kind": "evening",
    "club": "riverside",
    "evening": 1,
    "tournament": None,
    "round": None,
    "table": 1,
    "held_on": "2026-11-17",
    "event": "Tuesday 17 November",
    "is_current": True,
    "continues": None,
    "hands_before": 0,
    "rules": "bmja/2008",
    "seats": [
        {
            "seat": 1,
            "player_id": 11,
            "entrant_id": None,
            "name": "Ann",
            "wind": "N",
            "is_dealer": False,
            "points": -64,
        },
        {
            "seat": 2,
            "player_id": 12,
            "entrant_id": None,
            "name": "Ben",
            "wind": "E",
            "is_dealer": True,
            "points": 240,
        },
        {
            "seat": 3,
            "player_id": 13,
            "entrant_id": None,
            "name": "Cy",
            "wind": "S",
            "is_dealer": False,
            "points": -80,
        },
        {
            "seat": 4,
            "player_id": 14,
            "entrant_id": None,
            "name": "Di",
            "wind": "W",
            "is_dealer": False,
            "points": -96,
        },
    ],
    "hands": [HAND_OUTPUT],
    "next_hand": NEXT_DEAL,
}
ODD_SCORE: Final = "37 cannot be scored under BMJA rules by South in the East round; 36 and 38 can."
PROBLEMS_OUTPUT: dict[str, Any] = {
    "type": "about:blank",
    "title": "Bad Request",
    "status": 400,
    "detail": ODD_SCORE,
    "problems": [{"code": "bad_score", "where": "scores.3", "message": ODD_SCORE}],
    "request_id": "f3a9c1d27b0e4c5f8a6d1e2b3c4d5e6f",
}

HAND_INPUT_EXAMPLE = OpenApiExample("Four scores and a winner", value=HAND_INPUT, request_only=True)
DRAWN_HAND_EXAMPLE = OpenApiExample("A drawn hand", value=DRAWN_HAND_INPUT, request_only=True)
HAND_EXAMPLE = OpenApiExample(
    "The hand as kept", value=HAND_OUTPUT, response_only=True, status_codes=["200", "201"]
)
GAME_EXAMPLE = OpenApiExample("After one hand", value=GAME_OUTPUT, response_only=True)
PROBLEM_EXAMPLES = OpenApiExample(
    "An odd score", value=PROBLEMS_OUTPUT, response_only=True, status_codes=["400"]
)
SIGN_IN_EXAMPLE = OpenApiExample(
    "Signing in",
    value={
        "email": "ann@example.org",
        "password": "four winds blow",
        "name": "The clubhouse screen",
        "scopes": ["read"],
        "club": "riverside",
        "days": 365,
    },
    request_only=True,
)
TOKEN_EXAMPLE = OpenApiExample(
    "The token",
    value={
        "token": "tbx_w3Kc0mY5vX1hQ8sZ2nT7bR4jL6pD9fGa0eUiVoSd",
        "id": 7,
        "name": "The clubhouse screen",
        "beginning": "tbx_w3Kc0mY5",
        "scopes": ["read"],
        "club": "riverside",
        "made_at": "2026-11-17T19:30:00Z",
        "used_at": None,
        "ends_at": "2027-11-17T19:30:00Z",
    },
    response_only=True,
    status_codes=["201"],
)


def _if_match_parameter(reading: str) -> OpenApiParameter:
    description = (
        f"ETag of {reading}; 412 if what matters here has changed since, with who changed it"
    )
    if not reading:
        description = "ETag of the version you read; 412 if it has changed since"
    return OpenApiParameter("If-Match", str, OpenApiParameter.HEADER, description=description)


def handler_of(view: Any, method: str) -> Any:
    """What answers this method: a viewset's action, or the view's method of that name."""
    return getattr(view, getattr(view, "action", None) or method.lower(), None)


def takes_if_match(view: Any, method: str) -> bool:
    """Whether an operation of the view compares the ETag of a reading."""
    reading = getattr(handler_of(view, method), "reading", "")
    return method in {*SAFE_METHODS, "PATCH"} or bool(reading)


def tag_of(path: str) -> str:
    """What an address is about: the first word of it below the club, of some the first two."""
    relative_path = path.removeprefix("/api/v1/").removeprefix("clubs/{club}/")
    word, _, part, *_ = [*relative_path.split("/"), "", ""]
    title = word.replace("-", " ").capitalize()
    return TAGS.get(f"{word} {part}", TAGS.get(word, title))


class DescribedSchema(AutoSchema):
    """A view's description with its filters, headers and permissions."""

    view: Any

    def _is_list_view(self, serializer: Any = None) -> bool:
        """A viewset's ``list`` may be one object, such as the prizes with how they are given."""
        if getattr(self.view, "action", "") == "list" and not self.view.offers_files:
            return False
        return bool(super()._is_list_view(serializer))

    def get_override_parameters(self) -> list[Any]:
        """What every change takes."""
        if self.method == "GET":
            return []
        handler = handler_of(self.view, str(self.method))
        headers = [] if getattr(handler, "answers_secret", False) else [IDEMPOTENCY_KEY]
        dry_run = [DRY_RUN_PARAMETER] if getattr(handler, "has_dry_run", False) else []
        if takes_if_match(self.view, str(self.method)):
            headers.append(_if_match_parameter(getattr(handler, "reading", "")))
        return [*dry_run, *headers]

    def _get_format_parameters(self) -> list[Any]:
        """The file formats in which a list can be downloaded."""
        rows: list[Any] = super()._get_format_parameters()
        description = "the whole list as a spreadsheet file, or as one page of JSON"
        offers_files = self.method == "GET" and self.view.offers_files
        return [{**item, "description": description} for item in rows if offers_files]

    def get_tags(self) -> list[str]:
        """What the operation is about, as the pages for developers group it."""
        return [tag_of(self.path)]

    def get_summary(self) -> str:
        """The first sentence of what the view says of itself."""
        text = super().get_summary() or " ".join(self.get_description().split("\n\n")[0].split())
        return re.split(r"(?<=[.])\s", text)[0].rstrip(".") or self.get_operation_id()

    def get_operation(self, *args: Any, **kwargs: Any) -> Any:
        """The operation, with who may and what a key must be good for."""
        operation = super().get_operation(*args, **kwargs)
        scope = self._scope()
        description = (
            f"{self._who_may()} A key needs the scope `{scope}`." if scope else self._who_may()
        )
        description = description.strip()
        if operation is not None and description:
            operation["description"] = (
                f"{operation.get('description', '')}\n\n{description}".strip()
            )
        return operation

    def _who_may(self) -> str:
        if hasattr(self.view, "who_may"):
            return str(self.view.who_may(self.method))
        permission = self._permission()
        if permission is None:
            return ""
        text = f"For a {permission.people} of the club."
        if switches := permission.public_by:
            public_parts = " or ".join(switch.removeprefix("shows_") for switch in switches)
            text += f" Anyone may if the club has made its {public_parts} public."
        return text

    def get_auth(self) -> list[Any]:
        """Each way to say who asks, with the scope that a key needs."""
        scope = self._scope()
        return [
            {
                name: [scope] if scope and name == "key" else scopes
                for name, scopes in scheme.items()
            }
            for scheme in super().get_auth()
        ]

    def _permission(self) -> Permission | None:
        access_for = getattr(self.view, "access_for", None)
        permission = access_for(self.method) if access_for else None
        return permission if isinstance(permission, Permission) else None

    def _scope(self) -> str:
        permission, writes = self._permission(), self.method not in SAFE_METHODS
        if permission is not None:
            return scope_for(permission, writes=writes).value
        if hasattr(self.view, "writing_scope"):
            return str(self.view.writing_scope if writes else "read")
        return ""

    def _get_response_for_code(self, *args: Any, **kwargs: Any) -> Any:
        """A file for a spreadsheet is bytes, not the schema of its rows."""
        response = super()._get_response_for_code(*args, **kwargs)  # type: ignore[no-untyped-call]
        for media_type in set(response.get("content", ())) - {"application/json"}:
            response["content"][media_type] = {"schema": {"type": "string", "format": "binary"}}
        return response


def known_parameters(view: Any, method: str) -> list[str]:
    """The names of the parameters that the view takes by this method, as it is described."""
    handler = handler_of(view, method)
    kind = getattr(handler, "kwargs", {}).get("schema") or type(view.schema)
    if not issubclass(kind, DescribedSchema):
        return []
    schema = kind()
    schema.view, schema.method = view, method
    parameter_names: list[str] = []
    for parameter in schema.get_override_parameters():
        if not isinstance(parameter, OpenApiParameter):
            parameter_names += (parameter() if isinstance(parameter, type) else parameter).fields
        elif parameter.location == OpenApiParameter.QUERY:
            parameter_names.append(parameter.name)
    if method in {"GET", "HEAD"} and view.offers_files:
        parameter_names += getattr(getattr(view, "filterset_class", None), "base_filters", ())
        if pages := getattr(view, "pagination_class", None):
            parameter_names += [
                item["name"] for item in pages().get_schema_operation_parameters(view)
            ]
        parameter_names.append(str(api_settings.URL_FORMAT_OVERRIDE))
    return parameter_names


def _forbid_other_fields(schema: Any, schemas: dict[str, Any]) -> None:
    if isinstance(schema, list):
        for item in schema:
            _forbid_other_fields(item, schemas)
    if not isinstance(schema, dict) or schema.get("additionalProperties") is False:
        return
    if "$ref" in schema:
        _forbid_other_fields(schemas[schema["$ref"].rpartition("/")[2]], schemas)
    if "properties" in schema:
        schema["additionalProperties"] = False
        _forbid_other_fields(list(schema["properties"].values()), schemas)
    for inner in ("items", "allOf", "oneOf", "anyOf"):
        _forbid_other_fields(schema.get(inner), schemas)


def complete_schema(result: dict[str, Any], **kwargs: Any) -> dict[str, Any]:  # noqa: ARG001
    """Add to every operation its problems, that it takes no other fields, and examples.

    The problems are one line for all, as OpenAPI's ``default``; an example is made of its schema.
    """
    schemas = result["components"]["schemas"]
    operation_items = list(chain.from_iterable(map(dict.items, result["paths"].values())))
    operations = [operation for _, operation in operation_items]
    tags = sorted({tag for operation in operations for tag in operation["tags"]})
    result["tags"] = [{"name": tag} for tag in tags]
    for method, operation in operation_items:
        operation["responses"]["default"] = PROBLEM_RESPONSE
        _add_statuses(method, operation)
        for status, answer in operation["responses"].items():
            if status.startswith("4") and PROBLEM_JSON not in answer["content"]:
                answer["content"] = {PROBLEM_JSON: answer["content"]["application/json"]}
        request_body = operation.get("requestBody", {})
        for media in request_body.get("content", {}).values():
            _forbid_other_fields(media.get("schema", {}), schemas)
        for value in (request_body, *operation["responses"].values()):
            media = value.get("content", {}).get("application/json")
            if media is not None and not media.keys() & {"example", "examples"}:
                example = example_value(media.get("schema", {}), schemas)
                media["examples"] = {"Example": {"value": example}}
    return result


def _add_statuses(method: str, operation: dict[str, Any]) -> None:
    """What a change may be refused for, and the headers of answers."""
    responses = operation["responses"]
    headers = {item["name"] for item in operation.get("parameters", ()) if item["in"] == "header"}
    if method != "get":
        refusals = {"409": CONFLICT_TEXT}
        refusals |= {"412": CHANGED_TEXT} if "If-Match" in headers else {}
        refusals |= {"422": KEY_USED_TEXT} if IDEMPOTENCY_KEY.name in headers else {}
        for status, description in refusals.items():
            responses.setdefault(status, {"description": description, "content": PROBLEM_CONTENT})
    if "201" in responses:
        responses["201"]["headers"] = {"Location": LOCATION_HEADER}
    names = {item["name"] for item in operation.get("parameters", ())}
    if (method == "get" or names >= {DRY_RUN_PARAMETER.name, "If-Match"}) and "200" in responses:
        responses["200"]["headers"] = {"ETag": ETAG_HEADER}


def example_value(schema: Schema, schemas: Schema, name: str = "", depth: int = 0) -> Any:
    """A value of this schema, in the words of the game; ``name`` is the field's."""
    if name in NULL_FIELDS and schema.get("format") == "uri":
        return None
    if "$ref" in schema:
        schema = schemas[schema["$ref"].rpartition("/")[2]]
        return example_value(schema, schemas, name, depth)
    for item in ("example", "const", "default"):
        if schema.get(item) not in (None, [], {}, ""):
            return schema[item]
    if "enum" in schema:
        return next((value for value in schema["enum"] if value not in ("", None)), None)
    for keyword in ("allOf", "oneOf", "anyOf"):
        if keyword in schema:
            subschemas = [
                subschema for subschema in schema[keyword] if subschema.get("type") != "null"
            ]
            values = (example_value(subschema, schemas, name, depth) for subschema in subschemas)
            return next((value for value in values if value is not None), None)
    return _make_example(schema, schemas, name, depth)


def _make_example(schema: Schema, schemas: Schema, name: str, depth: int) -> Any:
    kind = schema.get("type", "object")
    if isinstance(kind, list):
        kind = next(item for item in kind if item != "null")
    if kind == "object":
        return _object_example(schema, schemas, depth)
    if kind == "array":
        is_shallow = depth < MAX_DEPTH
        return (
            [example_value(schema.get("items", {}), schemas, name, depth + 1)] if is_shallow else []
        )
    if kind == "string":
        text = FORMAT_EXAMPLES.get(schema.get("format", "")) or FIELD_EXAMPLES.get(name, "")
        if not text:
            text = "2.50" if "pattern" in schema else name.replace("_", " ") or "words"
        return text[: schema.get("maxLength", len(text))]
    return {"boolean": True, "number": 2.5}.get(
        kind, int(max(schema.get("minimum", 1), min(1, schema.get("maximum", 1))))
    )


def _object_example(schema: Schema, schemas: Schema, depth: int) -> dict[str, Any]:
    if depth > MAX_DEPTH:
        return {}
    fields = schema.get("properties", {})
    inner = schema.get("additionalProperties")
    if not fields and isinstance(inner, Mapping) and inner:
        return {"1": example_value(inner, schemas, "", depth + 1)}
    return {
        name: example_value(field, schemas, name, depth + 1)
        for name, field in fields.items()
        if not field.get("writeOnly") or name in schema.get("required", ())
    }
