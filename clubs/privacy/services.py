"""Files on this machine that may hold a name: papers that were made, letters that were not sent."""

import logging
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, datetime, time
from email import message_from_bytes, policy
from functools import partial
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.core.files.storage import default_storage
from django.db import transaction
from django.db.models import CharField, F, Model
from django.utils import timezone

from clubs.accounts.services import KEEPS_LETTERS
from clubs.core.audit_log import TIMETABLE, note
from clubs.core.locks import lock_club
from clubs.members.person_columns import Former, erased_values
from clubs.models import (
    Alias,
    Batch,
    Club,
    Deed,
    Erasure,
    Job,
    JobState,
    MemberImport,
    Membership,
    Player,
    PlayerMerge,
    Retention,
    RoleInvitation,
    User,
)
from clubs.models.names import name_key
from clubs.privacy.redaction import Traces
from clubs.privacy.selectors.erasure import (
    due,
    former_names,
    has,
    months_before,
    records_of,
    rows_naming,
    rows_to_keep,
    rows_to_let_go,
    traces_of,
    what_forbids,
)
from clubs.tenancy import across_clubs, within
from scoring.scorebook.refusals import Refused, refuse

BETWEEN_LETTERS = b"-" * 79 + b"\n"


def forget_files(*, club: Club, traces: Traces) -> None:
    """Take away the club's papers, and letters that name someone, once this is stored."""
    papers = Job.objects.filter(club=club, state__in=[JobState.DONE, JobState.FAILED])
    made = list(papers.exclude(result="").values_list("result", flat=True))
    papers.filter(result__in=made).delete()
    transaction.on_commit(partial(_away, made, traces))


def _away(papers: list[str], traces: Traces) -> None:
    for name in papers:
        default_storage.delete(name)
    if settings.EMAIL_BACKEND == KEEPS_LETTERS:
        for file in Path(str(getattr(settings, "EMAIL_FILE_PATH", ""))).glob("*.log"):
            # Leave in a file of letters those that name nobody who is gone.
            letters = file.read_bytes().split(BETWEEN_LETTERS)
            kept = [
                letter
                for letter in letters
                if letter.strip() and not traces.are_in(words_of(letter))
            ]
            if not kept:
                file.unlink()
            elif len(kept) < len([letter for letter in letters if letter.strip()]):
                file.write_bytes(b"".join(letter + BETWEEN_LETTERS for letter in kept))


def words_of(letter: bytes) -> str:
    """Everything that stands in an email as it was written to a file, readable."""
    message = message_from_bytes(letter.lstrip(), policy=policy.default)
    parts = [part for part in message.walk() if part.get_content_maintype() == "text"]
    heads = [str(value) for value in message.values()]
    return "\n".join([*heads, *(str(part.get_content()) for part in parts)])


OCCASIONS = ("session", "tournament")


def erase_player(*, player: Player, today: date, made_by: User | None = None) -> Player:
    """One person; refuses the only secretary, a record under another, and who is erased."""
    erased = erase_people(
        people={player.pk: "One person, on request"},
        club=player.club,
        today=today,
        made_by=made_by,
    )
    return erased[0]


@transaction.atomic
def erase_people(
    *, club: Club, people: Mapping[int, str], today: date, made_by: User | None = None
) -> list[Player]:
    """These people (by key, with why) of the club, each with every record made one with theirs.

    What names them in words is said without them, in the club and in its rehearsals; what the
    books of evenings and tournaments have sealed stays as it was sealed.
    """
    lock_club(club.pk)
    players = list(Player.objects.filter(club=club, pk__in=people).select_related("club"))
    for player in players:
        if why_not := what_forbids(player):
            raise refuse("not_now", why_not)
    # Everyone's records by the name that they will have.
    names = former_names(club, len(players))
    records = {name: records_of(player) for name, player in zip(names, players, strict=True)}
    _forget(club, records, today)
    for player in players:
        Erasure.objects.create(club=club, player=player, what=people[player.pk], made_by=made_by)
    _close_sign_ins([player for theirs in records.values() for player in theirs])
    return list(Player.objects.filter(pk__in=people))


def _forget(club: Club, records: Mapping[str, list[Player]], today: date) -> None:
    traces = traces_of(club, records)
    everybody = [player for theirs in records.values() for player in theirs]
    namesakes = {name_key(player.name) for player in everybody}
    for rows in rows_to_let_go(everybody):
        if rows.model is not Membership:
            rows.delete()
    Alias.objects.filter(player__in=everybody).delete()
    emails = {player.email.lower() for player in everybody if player.email}
    RoleInvitation.objects.filter(club=club, email__in=emails).delete()
    for name, theirs in records.items():
        _rename_rows(club, name, theirs)
    _forget_lists(club, {player.pk for player in everybody})
    _empty_rows(club, records, today)
    # Every sentence, list and note of the club that names someone who is erased.
    for naming in list(rows_naming(club, traces)):
        fields = {
            column: _fitting(naming.model, column, traces.out_of(value))
            for column, value in naming.values.items()
        }
        naming.model._default_manager.filter(pk=naming.pk).update(**fields)
    _tell_pages(everybody)
    forget_files(club=club, traces=traces)
    _forget_rehearsals(club, namesakes, today)


def _rename_rows(club: Club, former: str, theirs: Sequence[Player]) -> None:
    """Names beside a link to a person, and those written before there was such a link."""
    keys = {name_key(player.name) for player in theirs}
    for rows in rows_to_keep(theirs):
        if not has(rows.model, "name_key"):
            continue
        rows.update(name=former, name_key=name_key(former))
        unlinked = rows.model._default_manager.filter(
            tournament__club=club, player=None, from_club="", name_key__in=keys
        )
        unlinked.update(name=former, name_key=name_key(former))


def _forget_lists(club: Club, people: set[int]) -> None:
    """What lists that were read in and merges have kept of before."""
    for made in MemberImport.objects.filter(club=club):
        before = {key: kept for key, kept in made.before.items() if int(key) not in people}
        added = [key for key in made.added if key not in people]
        if (before, added) != (made.before, made.added):
            made.before, made.added = before, added
            made.save(update_fields=["before", "added"])
    merges = PlayerMerge.objects.filter(club=club)
    merges.filter(kept__in=people).update(moved={})
    merges.filter(gone__in=people).update(moved={})


def _empty_rows(club: Club, records: Mapping[str, Sequence[Player]], today: date) -> None:
    """Nothing is left of a person's row but what ``PERSON_COLUMNS`` keeps."""
    count = sum(map(len, records.values()))
    spare = iter(former_names(club, count)[len(records) :])
    for former, (kept, *gone) in records.items():
        for record, name in [(kept, former), *((player, next(spare)) for player in gone)]:
            Player.objects.filter(pk=record.pk).update(**erased_values(Former(name, today)))


def _fitting(model: type[Model], column: str, value: Any) -> Any:
    field = model._meta.get_field(column)
    most = field.max_length if isinstance(field, CharField) else None
    return value if most is None else value[:most]


def _tell_pages(people: Iterable[Player]) -> None:
    """Pages that show an evening or tournament of theirs are to ask anew."""
    for rows in rows_to_keep(people):
        for occasion in OCCASIONS:
            if has(rows.model, occasion):
                event: Any = rows.model._meta.get_field(occasion).related_model
                shown = event._default_manager.filter(pk__in=rows.values(occasion))
                shown.update(version=F("version") + 1)


def _close_sign_ins(people: Iterable[Player]) -> None:
    """A sign-in goes with its last club; that of whoever looks after the machine stays."""
    for membership in Membership.objects.filter(player__in=list(people)).select_related("user"):
        membership.delete()
        if not membership.user.is_superuser and not membership.user.memberships.exists():
            membership.user.delete()


def _forget_rehearsals(club: Club, namesakes: set[str], today: date) -> None:
    """Copies of the club in which something is tried out hold the same people."""
    for copy in club.rehearsals.all():
        with within(copy.pk):
            players = Player.objects.filter(club=copy, name_key__in=namesakes, erased_on=None)
            keys = players.values_list("pk", flat=True)
            if people := dict.fromkeys(keys, "As in the club itself"):
                erase_people(club=copy, people=people, today=today)


MONTHS_OF_DEEDS: Final = 24

log = logging.getLogger(__name__)


@transaction.atomic
def agree(*, club: Club, terms: Mapping[str, int | None], today: date) -> Retention:
    """Keep to these terms (months by name; None: kept) from tomorrow on, never on the same day."""
    lock_club(club.pk)
    agreed, _ = Retention.objects.update_or_create(club=club, defaults={**terms, "ran_on": today})
    return agreed


@transaction.atomic
def stop(*, club: Club) -> None:
    """Let nothing go by itself any more."""
    lock_club(club.pk)
    Retention.objects.filter(club=club).delete()


def run_all(*, today: date) -> int:
    """Every club whose day has come, each by itself; how many ran. One that fails is tried anew."""
    ran = 0
    let_go_of_deeds(today=today)
    for club in _waiting(today):
        try:
            with within(club.pk):
                ran += run(club=club, today=today)
        except Refused as refused:
            log.warning("%s keeps everything for now: %s", club, refused)
        except Exception:
            log.exception("the timetable of %s could not be run", club)
    return ran


def let_go_of_deeds(*, today: date) -> int:
    """Who did what goes after two years where a club agreed to no timetable; how many lines went.

    What the machine writes down by itself it lets go by itself, and so for clubs that are gone.
    """
    first_kept = datetime.combine(months_before(today, MONTHS_OF_DEEDS), time())
    with across_clubs():
        old = Deed.objects.filter(club__retention=None, at__lt=timezone.make_aware(first_kept))
        gone, _ = old.delete()
    return gone


def _waiting(today: date) -> list[Club]:
    with across_clubs():
        terms = Retention.objects.filter(ran_on__lt=today, club__rehearsal_of=None).order_by("pk")
        return [retention.club for retention in terms.select_related("club")]


@transaction.atomic
def run(*, club: Club, today: date) -> bool:
    """Let go what the club's terms say, unless that was done today; whether it was done now."""
    lock_club(club.pk)
    terms = Retention.objects.filter(club=club).first()
    if terms is None or terms.ran_on is None or terms.ran_on >= today:
        return False
    value = due(club, terms, today)
    if not value.is_nothing:
        note(club=club.pk, what="timetable", by=TIMETABLE)
    if value.people:
        why = {
            due_person.player_id: due_person.why.partition(";")[0] for due_person in value.people
        }
        erase_people(club=club, people=why, today=today)
    if words := value.counted:
        Erasure.objects.create(club=club, what=", ".join(words))
    emptied = list(Batch.objects.filter(messages__in=value.messages).values_list("pk", flat=True))
    for rows in value.rows:
        rows.delete()
    Batch.objects.filter(pk__in=emptied, messages=None).delete()
    terms.ran_on = today
    terms.save(update_fields=["ran_on"])
    return True
