"""Everything held on a person as one file: a page that any browser opens, and data inside it."""

import json
from dataclasses import asdict
from typing import Any

from django.template.loader import render_to_string

from clubs.selectors.dossier import Dossier


def everything_page(found: Dossier) -> bytes:
    """One HTML file without anything from elsewhere; the data stand in it a second time."""
    data = everything_json(found).decode()
    safe = data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    return render_to_string("keeping/file.html", {"found": found, "data": safe}).encode()


def everything_json(found: Dossier) -> bytes:
    """The same for another program: each heading with its columns, and rows by column."""
    told = {
        "club": found.club,
        "name": found.name,
        "made_at": found.made_at.isoformat(timespec="seconds"),
        "parts": [_part(asdict(part)) for part in found.parts],
        "left_out": dict(found.left_out),
    }
    return json.dumps(told, ensure_ascii=False, indent=1).encode()


def _part(told: dict[str, Any]) -> dict[str, Any]:
    rows = [dict(zip(told["columns"], row, strict=True)) for row in told["rows"]]
    return {**told, "rows": rows}
