"""Members and guests: added, changed, renewed; lists imported; two records merged into one."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, timedelta
from typing import Any
from uuid import UUID

from django.apps import apps
from django.db import IntegrityError, transaction
from django.db.models import F, Field, Model
from django.utils import timezone

from clubs.core.audit_log import log_created_key
from clubs.core.locks import CHANGED_SINCE, lock_club, lock_player
from clubs.core.people_names import (
    distinguished_name,
    name_words,
    owners_of_names,
    people_of,
    read_one_name,
)
from clubs.core.queue import emit_event
from clubs.language.moments import long_date, readable_value
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
from clubs.members.person_columns import COLUMN_LABELS, FILE_COLUMNS, PERSON_COLUMNS
from clubs.members.selectors import Relation, details_of, imported_by, merged_into, relations
from clubs.models import (
    Alias,
    Club,
    MemberImport,
    Membership,
    News,
    Player,
    PlayerKind,
    PlayerMerge,
    Session,
    ShownAs,
    TwoPeople,
    User,
)
from clubs.models.names import name_fault, name_key, tidy_name
from clubs.seating.why import join_with_and
from scoring.scorebook.refusals import ProblemLike, Refusal, Refused, refuse

LEAP_DAY = (2, 29)
LAST_RENEWABLE_YEAR = 9_000
Details = dict[str, Any]  # by the names of the form's fields; what is left out stays as it is

ACTIVITY_WORDS = {
    "attendance": "was here on an evening",
    "sessionseat": "sat at a table",
    "entrant": "was entered for a tournament",
    "membership": "can sign in",
    "playermerge": "was merged with another record",
    "tablemoney": "paid table money",
    "invitation": "was asked to come",
    "message": "was written to",
    "roleinvitation": "is invited to take a role",
    "standby": "is on the substitutes list",
}

MatchedLine = tuple[MemberLine, Player | None]
MOST_FILE_NAME = 120
EVENT_FIELDS = ("session", "tournament")
MERGE_SENTENCES = {
    "sessionseat": "Both sat at a table",
    "attendance": "Both were checked in",
    "entrant": "Both were entered for the tournament",
    "tablemoney": "Both paid table money",
}
IGNORED_TABLES = {"sentresult", "message", "credit"}

TABLE_NOUNS = {
    "attendance": ("evening when they were checked in", "evenings when they were checked in"),
    "sessionseat": ("seat at a table, with its result", "seats at tables, with their results"),
    "entrant": ("entry for a tournament", "entries for tournaments"),
    "membership": ("sign-in", "sign-ins"),
    "tablemoney": ("payment of table money", "payments of table money"),
    "message": ("message from the club", "messages from the club"),
    "sentresult": ("result that was sent", "results that were sent"),
    "roleinvitation": ("invitation to take a role", "invitations to take roles"),
    "wish": ("seating preference", "seating preferences"),
    "twopeople": (
        "note that they and someone else are two people",
        "notes that they and someone else are two people",
    ),
}


@transaction.atomic
def add_player(*, club: Club, name: str, **details: Any) -> Player:
    """A new person in the club, with these columns; refuses a faulty name and one that is taken.

    The name is read as somebody writes it: ``Doe, Jane`` is Jane Doe, and Margaret (Peg) Hill is
    known as Peg too.
    """
    lock_club(club.pk)
    read = read_one_name(name)
    spoken = distinguished_name(read)
    _refuse_name(club, spoken, None)
    names = {"name": tidy_name(spoken), "name_key": name_key(spoken)}
    player = Player.objects.create(club=club, **names, **details)
    add_other_names(player, (it for it in read.nicknames if f"({it})" not in spoken))
    log_created_key(player.pk)
    emit_event(
        News.MEMBER_ADDED, club=club.pk, route=("api-player-detail", player.pk), player=player.pk
    )
    return player


@transaction.atomic
def change_player(
    *, player: Player, changes: Details, shown_details: Details | None = None
) -> Player:
    """Change these details of a person and no others; results stay as they are.

    ``shown_details`` is what a page showed of them: a detail that someone else has changed since is
    refused at its field. Refuses a name or nickname that is someone else's.
    """
    lock_player(player)
    shown_details, now = shown_details or {}, details_of(player)
    if overtaken := [
        Refusal(CHANGED_SINCE, _changed_to(now[name]), name)
        for name, value in changes.items()
        if name in shown_details and now[name] not in (shown_details.get(name), value)
    ]:
        raise Refused(overtaken)
    columns = {name: value for name, value in changes.items() if name != "nicknames"}
    if "name" in changes:
        _refuse_name(player.club, changes["name"], player)
        columns["name"] = tidy_name(changes["name"])
        columns["name_key"] = name_key(changes["name"])
    if changes.get("is_active"):
        columns["lapsed_on"] = None
    if changes.get("wants_results", player.wants_results) != player.wants_results:
        columns["refuses_results"] = player.wants_results
    _save_columns(player, **columns)
    if "nicknames" in changes:
        _set_nicknames(player, changes["nicknames"])
    return player


def _changed_to(value: Any) -> str:
    text = "; ".join(value) if isinstance(value, tuple) else readable_value(value)
    change = f"changed this to “{text}”" if text else "emptied this"
    return (
        f"While this page was open, someone else {change}. What you typed is not saved yet: "
        "press Save again to use it instead."
    )


def _save_columns(player: Player, **columns: Any) -> None:
    """Save these columns alone; the row is locked and ``player`` as it is."""
    for name, value in columns.items():
        setattr(player, name, value)
    player.save(update_fields=list(columns))


@transaction.atomic
def show_name(*, player: Player, shown_as: ShownAs) -> Player:
    _save_columns(lock_player(player), shown_as=shown_as)
    return player


@transaction.atomic
def choose_emails(*, player: Player, **choices: bool) -> Player:
    """Set what someone wants by email: ``wants_messages``, ``wants_results``, or both."""
    if "wants_results" in choices:
        choices["refuses_results"] = not choices["wants_results"]
    _save_columns(lock_player(player), **choices)
    return player


@transaction.atomic
def note_failed_email(*, player: Player, email: str, today: date) -> bool:
    """Note that emails to this address come back; False if it is no longer the person's."""
    lock_player(player)
    if player.email != email:
        return False
    since = player.email_failed_on if player.email_fails else today
    _save_columns(player, failed_email=email, email_failed_on=since)
    return True


@transaction.atomic
def try_email_again(*, player: Player) -> Player:
    """Emails go to the person's address again, though some came back from it."""
    _save_columns(lock_player(player), failed_email="", email_failed_on=None)
    return player


@transaction.atomic
def renew_subscription(
    *, player: Player, today: date, shown_details: Details | None = None
) -> Player:
    """Renew for a year from the last day paid for; a lapsed member is a member again.

    The year begins today for whoever has paid nothing yet, or not for a year. ``shown_details``
    holds ``paid_until`` as the page showed it; where that has changed, the button was pressed twice
    or someone else was first, and it is refused.
    """
    lock_player(player)
    until = player.paid_until
    if shown_details is not None and until != shown_details.get("paid_until"):
        paid = f"is paid until {readable_value(until)}" if until else "has not paid"
        raise refuse(CHANGED_SINCE, f"{player.name} {paid}. No further year was added.")
    if until and until.year >= LAST_RENEWABLE_YEAR:
        message = f"{player.name} has already paid for more than a year ahead."
        raise refuse("paid_for_long", message, "paid_until")
    renewed = until and a_year_after(until)
    if not renewed or renewed < today:
        renewed = a_year_after(today - timedelta(days=1))
    _save_columns(
        player, paid_until=renewed, kind=PlayerKind.MEMBER, is_active=True, lapsed_on=None
    )
    return player


@transaction.atomic
def end_membership(*, player: Player, today: date) -> Player:
    """No longer a member from today on: off the list at the door, with every result kept."""
    lock_player(player)
    _save_columns(player, is_active=False, lapsed_on=player.lapsed_on or today)
    return player


@transaction.atomic
def make_member(*, player: Player, today: date) -> Player:
    """Make a guest a member from today; refuses someone who is already one."""
    lock_player(player)
    if player.kind == PlayerKind.MEMBER:
        raise refuse("is_member", f"{player.name} is already a member.")
    _save_columns(player, kind=PlayerKind.MEMBER, joined_on=today, is_active=True, lapsed_on=None)
    return player


@transaction.atomic
def set_guest_visits(*, club: Club, visits: int | None) -> None:
    """Set the visit from which a guest is asked to join; None: never."""
    locked = lock_club(club.pk)
    locked.guest_visits = club.guest_visits = visits
    locked.save(update_fields=["guest_visits"])


def a_year_after(day: date) -> date:
    """The same day of the next year; after 29 February the 28th."""
    return day.replace(year=day.year + 1, day=28 if (day.month, day.day) == LEAP_DAY else day.day)


def _refuse_name(club: Club, name: str, player: Player | None) -> None:
    """Refuse what cannot be a name, and one that is someone else's."""
    if fault := name_fault(name):
        raise refuse("bad_name", fault, "name")
    owner = owners_of_names(club).get(name_key(name))
    if owner is not None and owner != (player and player.pk):
        raise refuse("name_taken", _name_taken_sentence(owner, name), "name")


def _name_taken_sentence(owner: int, name: str) -> str:
    player, name = Player.objects.get(pk=owner), tidy_name(name)
    if player.name_key == name_key(name):
        status, another = "already a member", "a middle name"
    else:
        status, another = f"already on the list as {player.name}", "a second name"
    return f"{name} is {status}. If this is someone else, add an initial or {another}."


def _set_nicknames(player: Player, nicknames: Sequence[str]) -> None:
    """Set the player's other names; refuses those that are someone else's."""
    owners = owners_of_names(player.club)
    names_by_key = {name_key(name): tidy_name(name) for name in nicknames}
    names_by_key.pop(player.name_key, None)
    for key, name in names_by_key.items():
        if fault := name_fault(name):
            raise refuse("bad_name", fault, "nicknames")
        if owners.get(key, player.pk) != player.pk:
            raise refuse("name_taken", _name_taken_sentence(owners[key], name), "nicknames")
    player.aliases.exclude(name_key__in=names_by_key).delete()
    for key, name in names_by_key.items():
        player.aliases.get_or_create(club=player.club, name_key=key, defaults={"name": name})


@transaction.atomic
def delete_player(*, player: Player) -> None:
    """Delete a record that was made by mistake; refuses someone who has done anything."""
    lock_club(player.club_id)
    if why_not := deletion_refusal(player):
        raise refuse("not_unused", why_not)
    player.delete()


def deletion_refusal(player: Player) -> str:
    """Why a record cannot be deleted as a mistake, in a sentence; empty if it can; queries."""
    deeds = list(dict.fromkeys(activities_of([player.pk])[player.pk]))
    return (
        f"{player.name} {join_with_and(deeds)}, so this record cannot be deleted." if deeds else ""
    )


def rows_pointing_at(player: Player) -> Iterator[tuple[str, str, list[Any]]]:
    """Each table's label, its column and the rows that point to the player; one query a table."""
    for model, name in relations():
        rows = list(model._default_manager.filter(**{name: player.pk}).order_by("pk"))
        if rows:
            yield model._meta.label, name, rows


def activities_of(players: Iterable[int]) -> dict[int, list[str]]:
    """By a person's key in words what they have done: ``sat at a table``; a query a table."""
    keys = list(players)
    deeds: dict[int, list[str]] = {key: [] for key in keys}
    merges: list[Relation] = [(PlayerMerge, "kept"), (PlayerMerge, "gone")]
    for model, name in [*relations(), *merges]:
        if model is TwoPeople:
            continue  # it goes with them
        activity = ACTIVITY_WORDS.get(
            model._meta.model_name or "", f"has a {model._meta.verbose_name}"
        )
        player_keys = model._default_manager.filter(**{f"{name}__in": keys}).values_list(
            name, flat=True
        )
        for key in set(player_keys):
            deeds[key].append(activity)
    return deeds


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
    member_import.added = [player.pk for added in couples.values() for player in added]
    for first, *partners in couples.values():
        for other in partners:
            TwoPeople.objects.create(club=club, one=first, other=other, made_by=made_by)
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
    done = activities_of(member_import.added)
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
                f"{player.name} {activity} since." for activity in done.get(player.pk, [])
            ]
    return [Refusal("newer", message) for message in sentences]


def restore_fields(player: Player, fields: Mapping[str, list[Any]]) -> None:
    """Give the player's fields their values of before, where nobody changed them since."""
    unchanged = []
    for field, (was, became) in fields.items():
        if json_value(getattr(player, field)) == became:
            column = Player._meta.get_field(field)
            setattr(player, field, column.to_python(was) if isinstance(column, Field) else was)
            unchanged.append(field)
    player.save(update_fields=unchanged)


def json_value(value: Any) -> Any:
    """A field's value as it is kept in JSON."""
    return value.isoformat() if isinstance(value, date) else value


def _match_people(
    club: Club, planned: tuple[PlannedLine, ...], choices: Mapping[int, str]
) -> list[MatchedLine]:
    """Each line to import with its person; None for someone new."""
    people = people_of(club)
    matched_lines: list[MatchedLine] = []
    problems: list[ProblemLike] = []
    lines_by_player: dict[int, int] = {}
    for plan in planned:
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


def add_other_names(player: Player, names: Iterable[str]) -> list[str]:
    """Give the player these other names; those that they did not have yet."""
    fresh = []
    for name in names:
        key = name_key(name)
        if key == player.name_key:
            continue
        _, is_fresh = Alias.objects.get_or_create(
            club_id=player.club_id, name_key=key, defaults={"player": player, "name": name}
        )
        if is_fresh:
            fresh.append(name)
    return fresh


@dataclass(frozen=True, slots=True)
class RowsToMove:
    """So many rows of a table that would become the first record's."""

    count: int
    model: type[Model]

    @property
    def text(self) -> str:
        """``7 evenings when they were checked in``."""
        meta = self.model._meta
        usual = (str(meta.verbose_name), str(meta.verbose_name_plural))
        singular, many = TABLE_NOUNS.get(meta.model_name or "", usual)
        return f"{self.count} {singular if self.count == 1 else many}"


@transaction.atomic
def merge_players(
    *, kept_player: Player, merged_player: Player, made_by: User | None = None
) -> PlayerMerge:
    """Make everything of ``merged_player`` the ``kept_player``'s, its name as another of theirs.

    What is empty of ``kept_player`` is filled. Refuses two who were at one evening or tournament,
    two who can both sign in, and a record that was made one with another already.
    """
    lock_club(kept_player.club_id)
    kept_player.refresh_from_db()
    merged_player.refresh_from_db()
    if problems := merge_problems(kept_player, merged_player):
        raise Refused(problems)
    moved = {
        "rows": {
            f"{label}.{name}": _move_rows(rows, name, kept_player)
            for label, name, rows in rows_pointing_at(merged_player)
        },
        "aliases": list(merged_player.aliases.values_list("pk", flat=True)),
        "filled": _merge_columns(kept_player, merged_player),
        "was_active": merged_player.is_active,
    }
    merged_player.aliases.update(player=kept_player)
    alias, _ = Alias.objects.get_or_create(
        club_id=kept_player.club_id,
        name_key=merged_player.name_key,
        defaults={"player": kept_player, "name": merged_player.name},
    )
    Player.objects.filter(pk=merged_player.pk).update(is_active=False)
    _touch_evenings(kept_player)
    moved["alias"] = alias.pk
    return PlayerMerge.objects.create(
        club_id=kept_player.club_id,
        kept=kept_player,
        gone=merged_player,
        moved=moved,
        made_by=made_by,
    )


@transaction.atomic
def undo_merge(*, merge: PlayerMerge) -> None:
    """Undo a merge; refuses one that was undone already, or that a newer one builds on."""
    lock_club(merge.club_id)
    merge.refresh_from_db()
    kept_player, merged_player = merge.kept, merge.gone
    if merge.undone_at:
        raise refuse(
            "undone", f"{merged_player.name} and {kept_player.name} are already separate records."
        )
    if kept_player.erased_on or merged_player.erased_on:
        raise refuse("erased", "This person’s data has been deleted, in both records.")
    if merged_into(kept_player):
        message = (
            f"{kept_player.name} has since been merged with someone else. Undo that merge first."
        )
        raise refuse("under_another", message)
    for key, numbers in merge.moved["rows"].items():
        label, column = key.rsplit(".", 1)
        rows = apps.get_model(label)._default_manager.filter(
            pk__in=numbers, **{column: kept_player.pk}
        )
        rows.update(**{column: merged_player.pk})
    Alias.objects.filter(pk=merge.moved["alias"]).delete()
    Alias.objects.filter(pk__in=merge.moved["aliases"], player=kept_player).update(
        player=merged_player
    )
    restore_fields(kept_player, merge.moved["filled"])
    Player.objects.filter(pk=merged_player.pk).update(is_active=merge.moved["was_active"])
    _touch_evenings(merged_player)
    merge.undone_at = timezone.now()
    merge.save(update_fields=["undone_at"])


@transaction.atomic
def mark_as_two_people(*, person: Player, other: Player, made_by: User | None = None) -> TwoPeople:
    """Keep the answer that these two are two people: they are not offered as duplicates again.

    They can still be merged. The same answer again changes nothing.
    """
    lock_club(person.club_id)
    earlier_answer = TwoPeople.objects.filter(
        one__in=(person, other), other__in=(person, other)
    ).first()
    return earlier_answer or TwoPeople.objects.create(
        club_id=person.club_id, one=person, other=other, made_by=made_by
    )


@transaction.atomic
def undo_two_people(*, pair: TwoPeople) -> None:
    """Undo the answer that two records are two people: they may be offered again."""
    lock_club(pair.club_id)
    pair.delete()


def merge_problems(kept_player: Player, merged_player: Player) -> list[ProblemLike]:
    """Why the two cannot be one person; empty if they can."""
    if kept_player.pk == merged_player.pk or kept_player.club_id != merged_player.club_id:
        return [Refusal("same", "Choose another record of this club.")]
    if merged_into(kept_player) or merged_into(merged_player):
        return [Refusal("gone", "One of these has already been merged with another record.")]
    if kept_player.erased_on or merged_player.erased_on:
        return [Refusal("erased", "One of these has had its personal data deleted.")]
    met: dict[date, str] = {}
    for model, column in relations():
        fields = {field.name for field in model._meta.get_fields()}
        occasion = next((name for name in EVENT_FIELDS if name in fields), None)
        name = model._meta.model_name or ""
        if occasion is None or name in IGNORED_TABLES:
            continue
        theirs = model._default_manager.filter(**{column: merged_player.pk}).values(occasion)
        both = model._default_manager.filter(**{column: kept_player.pk, f"{occasion}__in": theirs})
        for day in both.values_list(f"{occasion}__held_on", flat=True):
            met[day] = MERGE_SENTENCES.get(name, f"Both have a {model._meta.verbose_name}")
    sentences = [f"{met[day]} on {long_date(day)}." for day in sorted(met)]
    if Membership.objects.filter(player__in=(kept_player, merged_player)).count() > 1:
        sentences.append("Both can sign in, each with their own email address.")
    return [Refusal("two_people", message) for message in sentences]


def rows_to_move(merged_player: Player, *, kept_player: Player) -> tuple[RowsToMove, ...]:
    """What would move to the other record; one query per table."""
    moving = Counter(
        type(row)
        for _, _, rows in rows_pointing_at(merged_player)
        for row in rows
        if not (isinstance(row, TwoPeople) and kept_player.pk in (row.one_id, row.other_id))
    )
    return tuple(RowsToMove(count, model) for model, count in moving.items())


def _move_rows(rows: list[Any], column: str, kept_player: Player) -> list[int]:
    """The keys of the rows that are the other's now; who has such a row already keeps their own."""
    moved = []
    for row in rows:
        try:
            with transaction.atomic():
                type(row)._default_manager.filter(pk=row.pk).update(**{column: kept_player.pk})
        except IntegrityError:
            continue
        moved.append(row.pk)
    return moved


def _merge_columns(kept_player: Player, merged_player: Player) -> dict[str, list[Any]]:
    """Merge each column of the two as it is declared; what changed, with its value of before."""
    changes = {}
    for column in PERSON_COLUMNS:
        kept_value = getattr(kept_player, column.name)
        merged = column.merge(kept_value, getattr(merged_player, column.name))
        if merged != kept_value:
            changes[column.name] = [json_value(kept_value), json_value(merged)]
            setattr(kept_player, column.name, merged)
    kept_player.save(update_fields=list(changes))
    return changes


def _touch_evenings(player: Player) -> None:
    """Raise the version of the player's evenings, so that their pages reload."""
    Session.objects.filter(places__player=player).update(version=F("version") + 1)
