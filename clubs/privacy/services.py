"""Erasing people, and deleting what the retention schedule says."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from email import message_from_bytes, policy
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.db.models import CharField, F
from django.db.models.functions import Lower
from django.utils import timezone

from clubs.accounts.services import delete_unused_accounts
from clubs.api.retries import forget_answers
from clubs.core.audit_log import RETENTION_SCHEDULE, log_event
from clubs.core.files import refuse_if_unavailable
from clubs.core.locks import lock_club
from clubs.core.mail import FILE_BACKEND
from clubs.core.queue import UNFINISHED_STATES, delete_jobs
from clubs.members.person_columns import ErasedPerson, erased_values
from clubs.models import (
    Alias,
    AuditEntry,
    Batch,
    Club,
    Erasure,
    MemberImport,
    Membership,
    Player,
    PlayerMerge,
    Retention,
    RoleInvitation,
    User,
)
from clubs.models.names import name_key
from clubs.privacy.redaction import NameTraces
from clubs.privacy.selectors import erasure
from clubs.tenancy import across_clubs, club_scope
from scoring.scorebook.refusals import Refused, refuse

EMAIL_SEPARATOR = b"-" * 79 + b"\n"
MONTHS_OF_ENTRIES: Final = 24
log = logging.getLogger(__name__)


def forget_files(*, club: Club, traces: NameTraces) -> None:
    """Delete the club's printouts, and saved emails that name someone, on commit."""
    printout_jobs = club.jobs.exclude(state__in=UNFINISHED_STATES).exclude(result="")
    if delete_jobs(printout_jobs):
        refuse_if_unavailable()

    def delete() -> None:
        if settings.EMAIL_BACKEND != FILE_BACKEND:
            return
        for file in Path(str(getattr(settings, "EMAIL_FILE_PATH", ""))).glob("*.log"):
            # Emails that name nobody who is erased stay in their file.
            emails = [text for text in file.read_bytes().split(EMAIL_SEPARATOR) if text.strip()]
            kept_emails = [email for email in emails if not traces.are_in(email_text(email))]
            if not kept_emails:
                file.unlink()
            elif len(kept_emails) < len(emails):
                file.write_bytes(b"".join(email + EMAIL_SEPARATOR for email in kept_emails))

    transaction.on_commit(delete)


def email_text(letter: bytes) -> str:
    """All text of an email that was written to a file."""
    message = message_from_bytes(letter.lstrip(), policy=policy.default)
    parts = [part for part in message.walk() if part.get_content_maintype() == "text"]
    heads = [str(value) for value in message.values()]
    return "\n".join([*heads, *(str(part.get_content()) for part in parts)])


def erase_player(*, player: Player, today: date, made_by: User | None = None) -> Player:
    """Erase one person; refuses the only secretary, a merged record, and someone already erased."""
    erased_players = erase_people(
        people={player.pk: "One person, on request"}, club=player.club, today=today, made_by=made_by
    )
    return erased_players[0]


@transaction.atomic
def erase_people(
    *, club: Club, people: Mapping[int, str], today: date, made_by: User | None = None
) -> list[Player]:
    """Erase these people (by key, with why) of the club and every record merged into theirs.

    Their names are taken out of all text of the club and of its rehearsals; what the books of
    evenings and tournaments have sealed stays.
    """
    lock_club(club.pk)
    players = list(Player.objects.filter(club=club, pk__in=people).select_related("club"))
    for player in players:
        if why_not := erasure.erasure_refusal(player):
            raise refuse("not_now", why_not)
    # Everyone's records, by their future name.
    names = erasure.former_names(club, len(players))
    records = dict(zip(names, map(erasure.records_of, players), strict=True))
    _erase_records(club, records, today)
    for player in players:
        Erasure.objects.create(club=club, player=player, what=people[player.pk], made_by=made_by)
    # A sign-in goes with its last club.
    all_records = [player for person_records in records.values() for player in person_records]
    memberships = Membership.objects.filter(player__in=all_records)
    if accounts := list(memberships.values_list("user", flat=True)):
        memberships.delete()
        delete_unused_accounts(accounts)
    return list(Player.objects.filter(pk__in=people))


def _erase_records(club: Club, records: Mapping[str, list[Player]], today: date) -> None:
    traces = erasure.traces_of(club, records)
    all_records = [player for person_records in records.values() for player in person_records]
    emails = erasure.addresses_of(all_records)
    namesakes = {name_key(player.name) for player in all_records}
    for rows in erasure.rows_pointing_to(all_records, erasure.DELETED_TABLES):
        if rows.model is not Membership:
            rows.delete()
    Alias.objects.filter(player__in=all_records).delete()
    RoleInvitation.objects.filter(club=club, email__in=emails).delete()
    Club.objects.annotate(to=Lower("contact_email")).filter(pk=club.pk, to__in=emails).update(
        contact_email=""
    )
    forget_answers(club=club, names=traces.are_in)
    for name, person_records in records.items():
        _rename_rows(club, name, person_records)
    _forget_lists(club, {player.pk for player in all_records})
    # A person's row is emptied, but for what ``PERSON_COLUMNS`` keeps.
    spare = iter(erasure.former_names(club, len(all_records))[len(records) :])
    for former, (kept_player, *merged_players) in records.items():
        for record, name in [
            (kept_player, former),
            *((player, next(spare)) for player in merged_players),
        ]:
            Player.objects.filter(pk=record.pk).update(**erased_values(ErasedPerson(name, today)))
    # Every sentence, list and note of the club that names someone erased.
    for naming in list(erasure.rows_naming(club, traces)):
        fields = {}
        for column, value in naming.values.items():
            field, redacted_value = naming.model._meta.get_field(column), traces.out_of(value)
            fields[column] = (
                redacted_value[: field.max_length]
                if isinstance(field, CharField)
                else redacted_value
            )
        naming.model._default_manager.filter(pk=naming.pk).update(**fields)
    _reload_pages(all_records)
    forget_files(club=club, traces=traces)
    _forget_rehearsals(club, namesakes, today)


def _rename_rows(club: Club, former: str, person_records: Sequence[Player]) -> None:
    """Names beside a link to a person, and those written before there was such a link."""
    keys = {name_key(player.name) for player in person_records}
    for rows in erasure.rows_pointing_to(person_records, erasure.KEPT_TABLES):
        if not erasure.has_field(rows.model, "name_key"):
            continue
        rows.update(name=former, name_key=name_key(former))
        unlinked_rows = rows.model._default_manager.filter(
            tournament__club=club, player=None, from_club="", name_key__in=keys
        )
        unlinked_rows.update(name=former, name_key=name_key(former))


def _forget_lists(club: Club, people: set[int]) -> None:
    """The former values that imports and merges have kept."""
    for member_import in MemberImport.objects.filter(club=club):
        snapshots = {
            key: snapshot
            for key, snapshot in member_import.before.items()
            if int(key) not in people
        }
        added_keys = [key for key in member_import.added if key not in people]
        if (snapshots, added_keys) != (member_import.before, member_import.added):
            member_import.before, member_import.added = snapshots, added_keys
            member_import.save(update_fields=["before", "added"])
    merges = PlayerMerge.objects.filter(club=club)
    merges.filter(kept__in=people).update(moved={})
    merges.filter(gone__in=people).update(moved={})


def _reload_pages(people: Iterable[Player]) -> None:
    """Make pages that show an evening or tournament of theirs reload."""
    for rows in erasure.rows_pointing_to(people, erasure.KEPT_TABLES):
        for occasion in ("session", "tournament"):
            if erasure.has_field(rows.model, occasion):
                event: Any = rows.model._meta.get_field(occasion).related_model
                events = event._default_manager.filter(pk__in=rows.values(occasion))
                events.update(version=F("version") + 1)


def _forget_rehearsals(club: Club, namesakes: set[str], today: date) -> None:
    """Erase the same people in the club's practice copies."""
    for copy in club.rehearsals.all():
        with club_scope(copy.pk):
            players = Player.objects.filter(club=copy, name_key__in=namesakes, erased_on=None)
            keys = players.values_list("pk", flat=True)
            if people := dict.fromkeys(keys, "As in the club itself"):
                erase_people(club=copy, people=people, today=today)


@transaction.atomic
def agree_to_schedule(*, club: Club, terms: Mapping[str, int | None], today: date) -> Retention:
    """Turn on the schedule with these terms (months by name; None: kept), from tomorrow."""
    lock_club(club.pk)
    retention, _ = Retention.objects.update_or_create(
        club=club, defaults={**terms, "ran_on": today}
    )
    return retention


@transaction.atomic
def stop_schedule(*, club: Club) -> None:
    lock_club(club.pk)
    Retention.objects.filter(club=club).delete()


def run_due_schedules(*, today: date) -> int:
    """Run the schedule of each club that is due; returns how many ran. Failures are tried again."""
    ran = 0
    delete_old_entries(today=today)
    with across_clubs():
        terms = Retention.objects.filter(ran_on__lt=today, club__rehearsal_of=None).order_by("pk")
        clubs = [retention.club for retention in terms.select_related("club")]
    for club in clubs:
        try:
            with club_scope(club.pk):
                ran += run_schedule(club=club, today=today)
        except Refused as refused:
            log.warning("%s keeps everything for now: %s", club, refused)
        except Exception:
            log.exception("the timetable of %s could not be run", club)
    return ran


def delete_old_entries(*, today: date) -> int:
    """Delete entries of the activity log after two years; returns how many.

    For clubs without a schedule, and for clubs that are gone.
    """
    first = datetime.combine(erasure.months_before(today, MONTHS_OF_ENTRIES), time())
    first_kept = timezone.make_aware(first)
    with across_clubs():
        deleted_count, _ = AuditEntry.objects.filter(
            club__retention=None, at__lt=first_kept
        ).delete()
    return deleted_count


@transaction.atomic
def run_schedule(*, club: Club, today: date) -> bool:
    """Delete what the club's terms say, once a day; returns whether it was done now."""
    lock_club(club.pk)
    terms = Retention.objects.filter(club=club).first()
    if terms is None or terms.ran_on is None or terms.ran_on >= today:
        return False
    deletion = erasure.due_deletion(club, terms, today)
    if not deletion.is_nothing:
        log_event(club=club.pk, act_name="timetable", actor=RETENTION_SCHEDULE)
    if deletion.people:
        reasons = {person.player_id: person.reason.partition(";")[0] for person in deletion.people}
        erase_people(club=club, people=reasons, today=today)
    if count_texts := deletion.row_counts:
        Erasure.objects.create(club=club, what=", ".join(count_texts))
    batch_keys = list(
        Batch.objects.filter(messages__in=deletion.messages).values_list("pk", flat=True)
    )
    for rows in deletion.rows:
        rows.delete()
    Batch.objects.filter(pk__in=batch_keys, messages=None).delete()
    terms.ran_on = today
    terms.save(update_fields=["ran_on"])
    return True
