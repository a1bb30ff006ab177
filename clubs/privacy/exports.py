"""Everything held on a person as one file: a page that any browser opens, and data inside it."""

import json
import re
from dataclasses import asdict, replace
from typing import Any

from django.template.loader import render_to_string

from clubs.privacy.selectors.data_export import Dossier

LOSS = re.compile(r"-\d+")


def everything_page(dossier: Dossier) -> bytes:
    """One HTML file without anything from elsewhere; the data stand in it a second time."""
    data = everything_json(dossier).decode()
    safe = data.replace("<", "\\u003c").replace(">", "\\u003e").replace("&", "\\u0026")
    parts = [replace(part, rows=tuple(map(_row, part.rows))) for part in dossier.told]
    context = {"found": dossier, "parts": parts, "data": safe}
    return render_to_string("clubs/privacy/file.html", context).encode()


def everything_json(dossier: Dossier) -> bytes:
    """The same for another program, as a file."""
    return json.dumps(everything_told(dossier), ensure_ascii=False, indent=1).encode()


def everything_told(dossier: Dossier) -> dict[str, Any]:
    """The same as plain values: each heading with its columns, and rows by column."""
    return {
        "club": dossier.club,
        "name": dossier.name,
        "made_at": dossier.made_at.isoformat(timespec="seconds"),
        "parts": [_part(asdict(part)) for part in dossier.parts],
        "left_out": dict(dossier.left_out),
    }


def _row(row: tuple[str, ...]) -> tuple[str, ...]:
    """A loss has a minus sign for people, and a hyphen for programs."""
    return tuple(f"−{cell[1:]}" if LOSS.fullmatch(cell) else cell for cell in row)


def _part(fields: dict[str, Any]) -> dict[str, Any]:
    rows = [dict(zip(fields["columns"], row, strict=True)) for row in fields["rows"]]
    return {**fields, "rows": rows}
