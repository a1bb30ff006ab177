"""A list of members read in as the secretary chose, and taken back with one press."""

from collections.abc import Mapping
from datetime import date
from typing import Any

from django.db import transaction
from django.db.models import Field
from django.utils import timezone

from clubs.core.locks import lock_club
from clubs.core.people_names import names_held, people_of
from clubs.core.similar_names import words_of
from clubs.memberlines import MemberLine
from clubs.models import Alias, Club, MemberImport, Player, User
from clubs.models.names import name_key
from clubs.person_columns import CELLS, LABELS
from clubs.services.belongings import what_points_to
from clubs.services.importing_plan import PlannedLine, differences, plan_import
from scoring.scorebook.refusals import Finding, Refusal, Refused

Meant = tuple[MemberLine, Player | None]
NEW, LEFT_OUT = "new", "out"
MOST_FILE_NAME = 120


@transaction.atomic
def import_members(
    *,
    club: Club,
    text: str,
    choices: Mapping[int, str] | None = None,
    file_name: str = "",
    made_by: User | None = None,
) -> MemberImport:
    """Store what a list says: people who are new, and what is told of those who are known.

    ``choices`` says by a line's number who it is: a person's key, ``new`` or ``out``; without one
    a line is what ``plan_import`` takes it for. Refuses a doubtful line that nobody chose for, two
    lines for one person, and names that are taken; then nothing is stored.
    """
    lock_club(club.pk)
    meant = _meant(club, plan_import(club=club, text=text), choices or {})
    made = MemberImport(club=club, file_name=file_name[:MOST_FILE_NAME], made_by=made_by)
    made.added, made.before = [], {}
    _refuse_taken(club, meant)
    for line, player in meant:
        if player is None:
            made.added.append(_add(club, line, made).pk)
        else:
            _change(player, line, made)
    made.save()
    return made


@transaction.atomic
def undo_import(*, made: MemberImport) -> None:
    """Put everyone back as they were before the list was read in.

    Refuses when it was undone already, and when something newer stands in its way: each is said.
    """
    lock_club(made.club_id)
    made.refresh_from_db()
    if problems := in_the_way(made):
        raise Refused(problems)
    people = Player.objects.in_bulk([int(key) for key in made.before])
    for key, kept in made.before.items():
        player = people[int(key)]
        Alias.objects.filter(player=player, name_key__in=map(name_key, kept["aliases"])).delete()
        if player.pk in made.added:
            player.delete()
        else:
            put_back(player, kept["fields"])
    made.undone_at = timezone.now()
    made.save(update_fields=["undone_at"])


def in_the_way(made: MemberImport) -> list[Finding]:
    """What has happened since that undoing would lose; empty when it can be undone."""
    if made.undone_at:
        return [Refusal("undone", "This import has already been undone.")]
    people = Player.objects.in_bulk([int(key) for key in made.before])
    done = what_points_to(made.added)
    found = []
    for key, kept in made.before.items():
        player = people.get(int(key))
        if player is None:
            found.append("Someone in this import has since been removed.")
        else:
            found += _changed(player, kept["fields"])
            found += [f"{player.name} {what} since." for what in done.get(player.pk, [])]
    return [Refusal("newer", sentence) for sentence in found]


def put_back(player: Player, fields: Mapping[str, list[Any]]) -> None:
    """Give the player's fields their values of before, where nobody changed them since."""
    unchanged = [
        field for field, (_, became) in fields.items() if stored(getattr(player, field)) == became
    ]
    for field in unchanged:
        setattr(player, field, _unstored(field, fields[field][0]))
    player.save(update_fields=unchanged)


def stored(value: Any) -> Any:
    """A field's value as it is kept in JSON."""
    return value.isoformat() if isinstance(value, date) else value


def _changed(player: Player, fields: Mapping[str, list[Any]]) -> list[str]:
    return [
        f"{player.name}: {_label(field)} was changed since."
        for field, (_, became) in fields.items()
        if stored(getattr(player, field)) != became
    ]


def _unstored(field: str, kept: Any) -> Any:
    """The value that ``stored`` kept."""
    column = Player._meta.get_field(field)
    return column.to_python(kept) if isinstance(column, Field) else kept


def _label(field: str) -> str:
    return "the name" if field == "name" else LABELS[field]


def _meant(club: Club, planned: tuple[PlannedLine, ...], choices: Mapping[int, str]) -> list[Meant]:
    """Each line that is read in with the person it is; None is someone new."""
    people = people_of(club)
    meant: list[Meant] = []
    problems: list[Finding] = []
    taken: dict[int, int] = {}
    for one in planned:
        choice = choices.get(one.line.number) or _usual(one)
        player = people.get(int(choice)) if choice.isdecimal() else None
        if player is None and choice not in (NEW, LEFT_OUT):
            problems.append(_asked(one))
        elif player and taken.setdefault(player.pk, one.line.number) != one.line.number:
            problems.append(_both(one.line.number, taken[player.pk], player))
        elif choice != LEFT_OUT:
            meant.append((one.line, player))
    if problems:
        raise Refused(problems)
    return meant


def _usual(one: PlannedLine) -> str:
    """What becomes of a line that nobody chose for; empty: someone must."""
    if one.is_new:
        return NEW
    return f"{one.person.pk}" if one.person else ""


def _asked(one: PlannedLine) -> Refusal:
    names, number = " or ".join(player.name for player in one.people), one.line.number
    sentence = f"Line {number}: choose whether {one.line.name} is {names}, or a new person."
    return Refusal("choose", sentence, f"lines.{number}")


def _both(line: int, first: int, player: Player) -> Refusal:
    sentence = (
        f"Lines {first} and {line} are both for {player.name}. "
        "Leave one of them out, or make it a new person."
    )
    return Refusal("twice", sentence, f"lines.{line}")


def _refuse_taken(club: Club, meant: list[Meant]) -> None:
    """Names of new people and nicknames must be nobody else's."""
    owners = names_held(club)
    problems: list[Finding] = []
    for line, player in meant:
        own = player.pk if player else -line.number
        claimed = line.nicknames if player else (line.name, *line.nicknames)
        problems += [
            _taken(line, name) for name in claimed if owners.setdefault(name_key(name), own) != own
        ]
    if problems:
        raise Refused(problems)


def _taken(line: MemberLine, name: str) -> Refusal:
    sentence = f"Line {line.number}: {name} is already the name of another member."
    return Refusal("name_taken", sentence, f"lines.{line.number}")


def _add(club: Club, line: MemberLine, made: MemberImport) -> Player:
    player = Player(club=club, name=line.name, name_key=name_key(line.name))
    for field, value in line.fields.items():
        setattr(player, field, value)
    player.save()
    fields = {field: [None, stored(getattr(player, field))] for field in CELLS}
    made.before[str(player.pk)] = {"fields": fields, "aliases": _know_by(player, line.nicknames)}
    return player


def _change(player: Player, line: MemberLine, made: MemberImport) -> None:
    fields = {}
    for field, value in differences(line, player).items():
        fields[field] = [stored(getattr(player, field)), stored(value)]
        setattr(player, field, value)
    player.save(update_fields=list(fields))
    names = [*line.nicknames, *_written_otherwise(line, player)]
    if (aliases := _know_by(player, names)) or fields:
        made.before[str(player.pk)] = {"fields": fields, "aliases": aliases}


def _written_otherwise(line: MemberLine, player: Player) -> list[str]:
    """The name as the list has it, where it is kept to know the person by: no mere initials."""
    words = words_of(line.name)
    is_told = sorted(words) == sorted(words_of(player.name)) or min(map(len, words)) == 1
    return [] if is_told else [line.name]


def _know_by(player: Player, names: list[str] | tuple[str, ...]) -> list[str]:
    """Give the player these other names; those that they did not have yet."""
    found = []
    for name in names:
        key = name_key(name)
        if key == player.name_key:
            continue
        _, is_fresh = Alias.objects.get_or_create(
            club_id=player.club_id, name_key=key, defaults={"player": player, "name": name}
        )
        if is_fresh:
            found.append(name)
    return found
