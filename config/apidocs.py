"""The API's description as pages for developers, made from the OpenAPI document."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from itertools import groupby
from operator import attrgetter
from typing import Any

from django.utils.text import slugify
from drf_spectacular.generators import SchemaGenerator

Schema = Mapping[str, Any]
_BRACES = str.maketrans("", "", "{}")


@dataclass(frozen=True, slots=True)
class ApiField:
    """A parameter or a field: its name, the kind of its value, and what it means."""

    name: str
    kind: str
    is_required: bool
    description: str


@dataclass(frozen=True, slots=True)
class Operation:
    """One request: what is sent, an example, and what comes back; ``description`` follow the title.

    ``area`` is what it is about, its tag in the document.
    """

    area: str
    method: str
    path: str
    title: str
    description: str
    fields: tuple[ApiField, ...]
    example: str
    answers: tuple[tuple[str, str], ...]

    @property
    def anchor(self) -> str:
        """The operation's name within the page."""
        return f"{self.method}{self.path}".strip("/").replace("/", "-").translate(_BRACES)


@cache
def operations() -> tuple[Operation, ...]:
    """Every operation, area by area in the order of its address."""
    generator: Any = SchemaGenerator
    document: Schema = generator().get_schema(request=None, public=True)
    operations = []
    for path, methods in document["paths"].items():
        for method, schema in methods.items():
            json_body = schema.get("requestBody", {}).get("content", {}).get("application/json", {})
            examples = [item["value"] for item in json_body.get("examples", {}).values()]
            answers = schema["responses"].items()
            title = schema.get("summary", "")
            operation = Operation(
                area=schema["tags"][0],
                method=method.upper(),
                path=path,
                title=title,
                description=schema.get("description", "").removeprefix(f"{title}.").strip(),
                fields=tuple(_api_fields(document, schema, json_body.get("schema", {}))),
                example=json.dumps(examples[0], indent=2) if examples else "",
                answers=tuple((code, _answer_text(answer)) for code, answer in answers),
            )
            operations.append(operation)
    return tuple(sorted(operations, key=lambda operation: (operation.area, operation.path)))


@dataclass(frozen=True, slots=True)
class Area:
    """What is about the same, on a page of its own."""

    title: str
    operations: tuple[Operation, ...]

    @property
    def slug(self) -> str:
        """Its part of the page's address."""
        return slugify(self.title.replace("’", ""))


@cache
def areas() -> tuple[Area, ...]:
    result = groupby(operations(), key=attrgetter("area"))
    return tuple(Area(title, tuple(area_operations)) for title, area_operations in result)


def _api_fields(document: Schema, schema: Schema, body: Schema) -> Iterator[ApiField]:
    """The parameters in the address and the query, then the fields of the body."""
    for item in schema.get("parameters", ()):
        location = "address" if item["in"] == "path" else "query"
        description = item.get("description") or f"in the {location}"
        yield ApiField(
            item["name"], _kind_text(item["schema"]), item.get("required", False), description
        )
    if "$ref" in body:
        body = document["components"]["schemas"][body["$ref"].rpartition("/")[2]]
    for name, field in body.get("properties", {}).items():
        is_required = name in body.get("required", ())
        yield ApiField(name, _kind_text(field), is_required, field.get("description", ""))


def _kind_text(schema: Schema) -> str:
    kind = schema.get("format") or schema.get("type") or schema.get("$ref", "object")
    kind_name = " or ".join(kind) if isinstance(kind, list) else str(kind).rpartition("/")[2]
    return f"{kind_name} or null" if schema.get("nullable") else kind_name


def _answer_text(answer: Schema) -> str:
    schema = answer.get("content", {}).get("application/json", {}).get("schema", {})
    if schema.get("type") == "array":
        return f"a list of {_kind_text(schema['items'])}"
    return _kind_text(schema) if schema else answer.get("description", "")
