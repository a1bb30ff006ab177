"""What the API's description adds to what is read off the views."""

from typing import Any

PROBLEMS = {
    "description": "Everything that is wrong, in one shape whatever the status (400 and up).",
    "content": {"application/json": {"schema": {"$ref": "#/components/schemas/ProblemsShape"}}},
}


def tell_problems(result: dict[str, Any], **about: Any) -> dict[str, Any]:  # noqa: ARG001
    """Every operation can answer with problems: one line for all, as OpenAPI's ``default``."""
    for operations in result["paths"].values():
        for operation in operations.values():
            operation["responses"]["default"] = PROBLEMS
    return result
