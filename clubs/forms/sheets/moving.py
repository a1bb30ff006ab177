"""What the buttons below a sheet do to what was typed: rows put in and taken out, all choices."""

import re
from collections.abc import Mapping
from typing import Final

from clubs.forms.hands import told_number
from clubs.forms.sheets.rows import ALL

OF_A_ROW: Final = re.compile(r"(\d{1,3})-(\w+)")


def row_put_in(sent: Mapping[str, str], at: str) -> dict[str, str]:
    """What was typed with an empty row at that number; those from it on move down by one."""
    number = told_number({"number": at})
    if not number:
        return dict(sent)
    moved = {_moved(name, from_row=number, by=1): value for name, value in sent.items()}
    return moved | {"count": _counted(sent, 1)}


def row_taken_out(sent: Mapping[str, str], at: str) -> dict[str, str]:
    """What was typed without the row of that number; those below it move up by one."""
    number = told_number({"number": at})
    if not number:
        return dict(sent)
    kept = {name: value for name, value in sent.items() if _row_of(name) != number}
    return {_moved(name, from_row=number, by=-1): value for name, value in kept.items()}


def choosing_all(sent: Mapping[str, str], made: str) -> dict[str, str]:
    """Every question between paper and book answered alike, those already answered too."""
    kept = {name: value for name, value in sent.items() if not name.startswith("choose-")}
    return kept | {ALL: made}


def _row_of(name: str) -> int:
    found = OF_A_ROW.fullmatch(name)
    return int(found[1]) if found else 0


def _moved(name: str, *, from_row: int, by: int) -> str:
    number = _row_of(name)
    if number < from_row or not number:
        return name
    return f"{number + by}-{name.partition('-')[2]}"


def _counted(sent: Mapping[str, str], more: int) -> str:
    count = told_number({"number": sent.get("count", "")})
    return str(count + more) if count else ""
