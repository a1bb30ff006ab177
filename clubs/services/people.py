"""Members and guests: add, change, let go, read in from a file."""

import csv
import io
from collections import Counter
from dataclasses import dataclass

from django.db import transaction

from clubs.models import Club, Player, PlayerKind
from clubs.names import name_fault, name_key, tidy_name
from scoring.scorebook.refusals import Finding, Refusal, Refused, refuse

CSV_COLUMNS = ("name", "email")


@transaction.atomic
def add_player(
    *,
    club: Club,
    name: str,
    kind: PlayerKind = PlayerKind.MEMBER,
    email: str = "",
    wants_results: bool = False,
) -> Player:
    """A new person in the club; refuses a faulty name and one that is there already."""
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    if Player.objects.filter(club=club, name_key=name_key(name)).exists():
        raise refuse(
            "name_taken",
            f"{tidy_name(name)} is on the list already. If this is somebody else, "
            "add an initial or a second name.",
            "name",
        )
    return Player.objects.create(
        club=club,
        name=tidy_name(name),
        name_key=name_key(name),
        kind=kind,
        email=email,
        wants_results=wants_results,
    )


@transaction.atomic
def change_player(
    *, player: Player, name: str, kind: PlayerKind, email: str, wants_results: bool, is_active: bool
) -> Player:
    """Change what the club holds on a person; results stay as they are."""
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    others = Player.objects.filter(club=player.club, name_key=name_key(name)).exclude(pk=player.pk)
    if others.exists():
        raise refuse("name_taken", f"{tidy_name(name)} is on the list already.", "name")
    player.name, player.name_key = tidy_name(name), name_key(name)
    player.kind, player.email, player.wants_results = kind, email, wants_results
    player.is_active = is_active
    player.save()
    return player


@dataclass(frozen=True, slots=True)
class Imported:
    """What reading a file did."""

    added: tuple[Player, ...]
    known: tuple[str, ...]


@transaction.atomic
def import_members(*, club: Club, text: str) -> Imported:
    """Add the people of a CSV file with the columns name and (if wanted) email; all or nothing.

    People who are on the list already are left as they are. Raises ``Refused`` with a
    sentence for every line that cannot be read.
    """
    rows = _csv_rows(text)
    problems: list[Finding] = []
    names = [tidy_name(row.get("name") or "") for row in rows]
    seen = Counter(name_key(name) for name in names)
    for line, name in enumerate(names, start=2):
        if fault := name_fault(name):
            problems.append(Refusal("bad_name", f"Line {line}: {fault}", f"lines.{line}"))
        elif seen[name_key(name)] > 1:
            problems.append(
                Refusal("name_twice", f"Line {line}: {name} is in the file twice.", f"lines.{line}")
            )
    if problems:
        raise Refused(problems)
    return _add_unknown(club, rows)


def _csv_rows(text: str) -> list[dict[str, str | None]]:
    reader = csv.DictReader(io.StringIO(text.lstrip("\ufeff")))
    columns = [(column or "").strip().casefold() for column in reader.fieldnames or ()]
    if "name" not in columns:
        found = ", ".join(column for column in columns if column) or "nothing"
        raise refuse(
            "wrong_columns",
            "The first line of the file must name its columns: name, and email if you have it. "
            f"This file's first line says: {found[:120]}.",
            "file",
        )
    reader.fieldnames = columns
    try:
        return [row for row in reader if any(row.values())]
    except csv.Error as error:
        raise refuse("bad_file", f"The file cannot be read as CSV: {error}.", "file") from error


def _add_unknown(club: Club, rows: list[dict[str, str | None]]) -> Imported:
    there = set(Player.objects.filter(club=club).values_list("name_key", flat=True))
    new = [row for row in rows if name_key(row["name"] or "") not in there]
    added = tuple(
        add_player(club=club, name=row["name"] or "", email=(row.get("email") or "").strip())
        for row in new
    )
    known = tuple(tidy_name(row["name"] or "") for row in rows if row not in new)
    return Imported(added, known)
