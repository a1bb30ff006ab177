"""Members and guests: add, change, let go, read in from a file."""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass

from django.core.exceptions import ValidationError
from django.core.validators import EmailValidator
from django.db import transaction

from clubs.models import Club, Player, PlayerKind
from clubs.names import name_fault, name_key, tidy_name
from clubs.services.lists import csv_rows
from clubs.services.locks import lock_club
from scoring.scorebook.refusals import Finding, Refusal, Refused, refuse

EMAIL = EmailValidator()


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
    lock_club(club.pk)
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
    lock_club(player.club_id)
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


@dataclass(frozen=True, slots=True)
class MemberLine:
    """One person of a file, and the line on which they end."""

    number: int
    name: str
    email: str

    def faults(self) -> Iterator[str]:
        """What is wrong with the name and the address."""
        if fault := name_fault(self.name):
            yield fault
        try:
            EMAIL(self.email or "nobody@example.org")
        except ValidationError:
            yield f"{self.email[:80]} is not an e-mail address."


@transaction.atomic
def import_members(*, club: Club, text: str) -> Imported:
    """Add the people of a CSV file with the columns name and (if wanted) email; all or nothing.

    People who are on the list already are left as they are. Raises ``Refused`` with a
    sentence for every line that cannot be read.
    """
    lines = _lines(text)
    problems: list[Finding] = []
    seen = Counter(name_key(line.name) for line in lines)
    for line in lines:
        where = f"lines.{line.number}"
        problems += [
            Refusal("bad_line", f"Line {line.number}: {fault}", where) for fault in line.faults()
        ]
        if line.name and seen[name_key(line.name)] > 1:
            sentence = f"Line {line.number}: {line.name} is in the file twice."
            problems.append(Refusal("name_twice", sentence, where))
    if problems:
        raise Refused(problems)
    return _add_unknown(club, lines)


def _lines(text: str) -> list[MemberLine]:
    return [
        MemberLine(line, tidy_name(row["name"]), row.get("email", "").strip())
        for line, row in csv_rows(text, columns="name, and email if you have it")
    ]


def _add_unknown(club: Club, lines: list[MemberLine]) -> Imported:
    there = set(Player.objects.filter(club=club).values_list("name_key", flat=True))
    known = [line for line in lines if name_key(line.name) in there]
    added = tuple(
        add_player(club=club, name=line.name, email=line.email)
        for line in lines
        if line not in known
    )
    return Imported(added, tuple(line.name for line in known))
