"""Lists of members: imported with the answers to what is doubtful, and undone."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import replace
from uuid import UUID

from django.db import transaction
from django.utils import timezone

from clubs.core.locks import lock_club
from clubs.core.people_names import name_words, people_of
from clubs.language.words import whole_number
from clubs.members.files import MemberLine
from clubs.members.import_plan import (
    NEW_CHOICE,
    NO_ANSWERS,
    SKIP_CHOICE,
    TWO_CHOICE,
    Answers,
    PlannedLine,
    choice_of,
    differences,
    names_of_two,
    plan_import,
)
from clubs.members.person_columns import COLUMN_LABELS, FILE_COLUMNS
from clubs.members.selectors import imported_by
from clubs.members.services.people import activities_of, add_other_names, json_value, restore_fields
from clubs.models import Alias, Club, MemberImport, Player, TwoPeople, User
from clubs.models.names import name_key
from scoring.scorebook.refusals import ProblemLike, Refusal, Refused

MatchedLine = tuple[MemberLine, Player | None]
MOST_FILE_NAME = 120


@transaction.atomic
def import_members(
    *,
    club: Club,
    text: str,
    answers: Answers = NO_ANSWERS,
    file_name: str = "",
    made_by: User | None = None,
    press: UUID | None = None,
) -> MemberImport:
    """Import a list: add new people, and change what it says of people already known.

    Without an answer a line is what ``plan_import`` takes it for. Two people of one line are two,
    and are not offered as duplicates. Refuses a doubtful line that
    nobody chose for, two lines for one person, a line with a fault that is not left out, and names
    that are taken; then nothing is stored. A second press of the same page changes nothing.
    """
    lock_club(club.pk)
    if member_import := imported_by(club, press):
        return member_import
    plan = plan_import(club=club, text=text, answers=answers)
    if plan.problems:
        raise Refused([Refusal("wrong_columns", problem, "columns") for problem in plan.problems])
    matched_lines = _match_people(club, plan.lines, answers.choices)
    member_import = MemberImport(
        club=club, file_name=file_name[:MOST_FILE_NAME], made_by=made_by, press=press
    )
    member_import.before = {}
    couples = defaultdict[int, list[Player]](list)
    for line, player in matched_lines:
        if player is None:
            couples[line.number].append(_add_from_line(club, line, member_import))
        else:
            _change_from_line(player, line, member_import)
    member_import.added = [
        player.pk for line_players in couples.values() for player in line_players
    ]
    for first, *partners in couples.values():
        for partner in partners:
            TwoPeople.objects.create(club=club, one=first, other=partner, made_by=made_by)
    member_import.save()
    return member_import


@transaction.atomic
def undo_import(*, member_import: MemberImport) -> None:
    """Put everyone back as they were before the import.

    Refuses when it was undone already, and when something newer stands in its way: each is said.
    """
    lock_club(member_import.club_id)
    member_import.refresh_from_db()
    if problems := undo_problems(member_import):
        raise Refused(problems)
    people = Player.objects.in_bulk([int(key) for key in member_import.before])
    for key, snapshot in member_import.before.items():
        player = people[int(key)]
        Alias.objects.filter(
            player=player, name_key__in=map(name_key, snapshot["aliases"])
        ).delete()
        if player.pk in member_import.added:
            player.delete()
        else:
            restore_fields(player, snapshot["fields"])
    member_import.undone_at = timezone.now()
    member_import.save(update_fields=["undone_at"])


def undo_problems(member_import: MemberImport) -> list[ProblemLike]:
    """What undoing would lose of later changes; empty if it can be undone."""
    if member_import.undone_at:
        return [Refusal("undone", "This import has already been undone.")]
    people = Player.objects.in_bulk([int(key) for key in member_import.before])
    activities = activities_of(member_import.added)
    sentences = []
    for key, snapshot in member_import.before.items():
        player = people.get(int(key))
        if player is None:
            sentences.append("Someone in this import has since been removed.")
        else:
            labels = {**COLUMN_LABELS, "name": "the name"}
            sentences += [
                f"{player.name}: {labels[field]} was changed since."
                for field, (_, became) in snapshot["fields"].items()
                if json_value(getattr(player, field)) != became
            ]
            sentences += [
                f"{player.name} {activity} since." for activity in activities.get(player.pk, [])
            ]
    return [Refusal("newer", message) for message in sentences]


def _match_people(
    club: Club, planned_lines: tuple[PlannedLine, ...], choices: Mapping[int, str]
) -> list[MatchedLine]:
    """Each line to import with its person; None for someone new."""
    people = people_of(club)
    matched_lines: list[MatchedLine] = []
    problems: list[ProblemLike] = []
    lines_by_player: dict[int, int] = {}
    for plan in planned_lines:
        number = plan.line.number
        choice = choice_of(plan, choices)
        player = people.get(whole_number(choice) or 0)
        two = names_of_two(plan.line) if choice == TWO_CHOICE else ()
        if player is None and not two and choice not in (NEW_CHOICE, SKIP_CHOICE):
            names = " or ".join(player.name for player in plan.people)
            message = f"Line {number}: choose whether {plan.line.name} is {names}, or a new person."
            problems.append(Refusal("choose", message, f"lines.{number}"))
        elif player and (first := lines_by_player.setdefault(player.pk, number)) != number:
            message = (
                f"Lines {first} and {number} are both for {player.name}. "
                "Exclude one of them, or make it a new person."
            )
            problems.append(Refusal("twice", message, f"lines.{number}"))
        elif choice != SKIP_CHOICE:
            lines = [replace(plan.line, name=name, nicknames=()) for name in two] or [plan.line]
            matched_lines += [(line, player) for line in lines]
            problems += [
                Refusal(fault.code, f"Line {number}: {fault.message}", f"lines.{number}")
                for fault in plan.faults
            ]
    if problems:
        raise Refused(problems)
    return matched_lines


def _add_from_line(club: Club, line: MemberLine, member_import: MemberImport) -> Player:
    player = Player(club=club, name=line.name, name_key=name_key(line.name))
    for field, value in line.fields.items():
        setattr(player, field, value)
    player.save()
    fields = {field: [None, json_value(getattr(player, field))] for field in FILE_COLUMNS}
    member_import.before[str(player.pk)] = {
        "fields": fields,
        "aliases": add_other_names(player, line.nicknames),
    }
    return player


def _change_from_line(player: Player, line: MemberLine, member_import: MemberImport) -> None:
    fields = {}
    for field, value in differences(line, player).items():
        fields[field] = [json_value(getattr(player, field)), json_value(value)]
        setattr(player, field, value)
    player.save(update_fields=list(fields))
    names, name_parts = list(line.nicknames), name_words(line.name)
    # The name as the list has it is another name of theirs, unless it only has initials.
    if sorted(name_parts) != sorted(name_words(player.name)) and min(map(len, name_parts)) > 1:
        names.append(line.name)
    if (aliases := add_other_names(player, names)) or fields:
        member_import.before[str(player.pk)] = {"fields": fields, "aliases": aliases}
