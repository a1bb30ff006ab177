"""An example for every operation of the description that brings none of its own."""

from collections.abc import Mapping
from typing import Any, Final

Schema = Mapping[str, Any]

DEEPEST: Final = 8
WORDS: Final = {
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
NONE: Final = {"next", "previous"}
FORMATS: Final = {
    "date": "2026-11-17",
    "date-time": "2026-11-17T19:45:00Z",
    "time": "19:30:00",
    "uuid": "6f2f1f0e-5a0c-4d2c-9a53-0d7d5f0f7a10",
    "email": "ann@example.org",
    "uri": "https://example.org/heard/",
    "decimal": "2.50",
}


def give_examples(result: dict[str, Any], **about: Any) -> dict[str, Any]:  # noqa: ARG001
    """What is sent and what is answered, each with an example made from its shape."""
    shapes = result["components"]["schemas"]
    for operations in result["paths"].values():
        for operation in operations.values():
            sent = [operation["requestBody"]] if "requestBody" in operation else []
            for told in (*sent, *operation["responses"].values()):
                _exampled(told.get("content", {}).get("application/json"), shapes)
    return result


def _exampled(media: dict[str, Any] | None, shapes: Schema) -> None:
    if media is None or media.keys() & {"example", "examples"}:
        return
    media["examples"] = {"Example": {"value": value_of(media.get("schema", {}), shapes)}}


def value_of(schema: Schema, shapes: Schema, name: str = "", depth: int = 0) -> Any:
    """A value of this shape, in the words of the game; ``name`` is the field's."""
    if name in NONE and schema.get("format") == "uri":
        return None
    if "$ref" in schema:
        schema = shapes[schema["$ref"].rpartition("/")[2]]
        return value_of(schema, shapes, name, depth)
    for one in ("example", "const", "default"):
        if schema.get(one) not in (None, [], {}, ""):
            return schema[one]
    if "enum" in schema:
        return next((value for value in schema["enum"] if value not in ("", None)), None)
    for of in ("allOf", "oneOf", "anyOf"):
        if of in schema:
            return _chosen(schema[of], shapes, name, depth)
    return _made(schema, shapes, name, depth)


def _chosen(ways: list[Schema], shapes: Schema, name: str, depth: int) -> Any:
    told = [way for way in ways if way.get("type") != "null"]
    values = (value_of(way, shapes, name, depth) for way in told)
    return next((value for value in values if value is not None), None)


def _made(schema: Schema, shapes: Schema, name: str, depth: int) -> Any:
    kind = schema.get("type", "object")
    if isinstance(kind, list):
        kind = next(one for one in kind if one != "null")
    if kind == "object":
        return _object(schema, shapes, depth)
    if kind == "array":
        few = depth < DEEPEST
        return [value_of(schema.get("items", {}), shapes, name, depth + 1)] if few else []
    if kind == "string":
        return _text(schema, name)
    return {"boolean": True, "number": 2.5}.get(kind, _number(schema))


def _object(schema: Schema, shapes: Schema, depth: int) -> dict[str, Any]:
    if depth > DEEPEST:
        return {}
    fields = schema.get("properties", {})
    inner = schema.get("additionalProperties")
    if not fields and isinstance(inner, Mapping) and inner:
        return {"1": value_of(inner, shapes, "", depth + 1)}
    return {
        name: value_of(field, shapes, name, depth + 1)
        for name, field in fields.items()
        if not field.get("writeOnly") or name in schema.get("required", ())
    }


def _text(schema: Schema, name: str) -> str:
    said = FORMATS.get(schema.get("format", "")) or WORDS.get(name, "")
    if not said:
        said = "2.50" if "pattern" in schema else name.replace("_", " ") or "words"
    return said[: schema.get("maxLength", len(said))]


def _number(schema: Schema) -> int:
    return int(max(schema.get("minimum", 1), min(1, schema.get("maximum", 1))))
