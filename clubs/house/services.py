"""Creates clubs; changes settings and house rules; runs background jobs and practice evenings."""

import logging
import secrets
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from functools import partial
from itertools import count
from typing import IO, Final
from uuid import UUID

from django.conf import settings
from django.core.exceptions import ValidationError
from django.core.validators import validate_email
from django.db import IntegrityError, transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.text import slugify

from clubs.clubfile.services import ImportedClub, import_read_file, make_club_file, read_club_file
from clubs.core.audit_log import log_event
from clubs.core.club_rows import books_of_club, tables_of_club
from clubs.core.locks import lock_club
from clubs.core.permissions import ORGANISERS
from clubs.core.queue import CLUB_FILE, TakenOver, TryLater, finish_job
from clubs.evenings.event import EveningTable
from clubs.evenings.practice_play import Dealer, play_hands
from clubs.evenings.selectors.calendar import Pattern
from clubs.evenings.services import evenings
from clubs.evenings.services.calendar import save_series
from clubs.house.first_run import founder_sentence, is_new_installation, only_club, recent_founder
from clubs.house.mail_checks import MailCheck, check_mail
from clubs.league.selectors.seasons import current_season, rules_of
from clubs.league.services import make_book, make_pack, save_season
from clubs.members.services.people import add_player
from clubs.messages.selectors import SENDING_JOB
from clubs.messages.services import send_batch
from clubs.models import (
    Club,
    HouseRules,
    Installation,
    Job,
    JobState,
    Membership,
    Role,
    Session,
    User,
)
from clubs.models.names import club_name_fault, name_fault, tidy_name
from clubs.paper.formats import BOOK_JOB, PACK_JOB
from clubs.tenancy import across_clubs, club_scope
from scoring import house, rule_set_keys
from scoring.scorebook.editions import store_edition
from scoring.scorebook.models import PATHS_TO_BOOK, Edition, Game, Hand, Recording
from scoring.scorebook.refusals import refuse
from scoring.scorebook.services import remove_books

NAME_TAKEN_MESSAGE: Final = "There is already a club with that name."
JOB_SILENT_AFTER: Final = timedelta(minutes=2)
MOST_TRIES: Final = 3
JOB_FUNCTIONS: Final[dict[str, Callable[[Job], str]]] = {
    PACK_JOB: make_pack,
    BOOK_JOB: make_book,
    SENDING_JOB: send_batch,
    CLUB_FILE: make_club_file,
}

log = logging.getLogger(__name__)

PRACTICE_MEMBERS = (
    "Bertie Bamboo",
    "Connie Circle",
    "Dora Dragon",
    "Edie East",
    "Freddie Flower",
    "Kitty Kong",
    "Ned North",
    "Olive Orchid",
    "Percy Pung",
    "Sally South",
    "Wendy West",
    "Winston Wall",
)
REHEARSAL_KEPT_FOR = timedelta(days=7)
MAX_NAME_LENGTH: Final = 80
COPIED_FIELDS = (
    *("mark_colour", "rules", "record_by", "agreement"),
    *("table_money", "year_begins", "guest_visits", "rates"),
)


@dataclass(frozen=True, slots=True)
class GrantedRole:
    """The result of giving a role; the password is None if the person could already sign in."""

    membership: Membership
    password: str | None


@dataclass(frozen=True, slots=True)
class WeeklyEvening:
    """When and where a new club meets; ``weekday``: 0 is Monday."""

    weekday: int
    starts_at: time
    ends_at: time
    place: str = ""

    def pattern(self, today: date) -> Pattern:
        """A year of evenings from the next such day on."""
        first_on = today + timedelta(days=(self.weekday - today.weekday()) % 7)
        return Pattern(first_on, first_on + timedelta(weeks=51))


@transaction.atomic
def set_up(
    *,
    name: str,
    rules: str,
    person: str,
    email: str,
    password: str,
    evening: WeeklyEvening | None = None,
    address: str = "",
) -> Membership:
    """Found the first club of this installation, with its calendar and the address for phones.

    Raises ``Refused`` if someone was first: also the same person, who pressed twice.
    """
    Installation.objects.get_or_create(pk=1)
    installation = Installation.objects.select_for_update().get(pk=1)
    if not is_new_installation():
        raise refuse("set_up_already", founder_sentence(recent_founder(now=timezone.now())))
    installation.address = address
    installation.save(update_fields=["address"])
    return found_with_evening(
        name=name, rules=rules, person=person, email=email, password=password, evening=evening
    )


def fixed_address_reason(club: Club) -> str:
    """Why the club cannot choose the address for phones, in a sentence; empty: it can.

    The only club of an installation can, unless TONGBOX_ADDRESS says it.
    """
    if settings.SITE_ADDRESS:
        return f"Your Tongbox administrator has set the address for phones: {settings.SITE_ADDRESS}"
    if only_club() != club:
        return "Several clubs share this Tongbox, so its administrator sets the address for phones."
    return ""


def send_test_mail(*, club: Club, recipient: str) -> list[MailCheck]:
    """Send a test email, and say what is wrong with how emails are sent: ``check_mail``."""
    return check_mail(club=club.name, recipient=recipient, runs_server=only_club() == club)


def choose_address(*, club: Club, address: str) -> Installation:
    """Have links, table cards and QR codes lead there; empty: to this computer.

    Raises ``Refused`` where it is not the club's to choose.
    """
    if fixed := fixed_address_reason(club):
        raise refuse("fixed_address", fixed, "address")
    installation, _ = Installation.objects.update_or_create(pk=1, defaults={"address": address})
    return installation


@transaction.atomic
def found_with_evening(
    *,
    name: str,
    rules: str,
    person: str,
    email: str,
    password: str | None = None,
    evening: WeeklyEvening | None = None,
) -> Membership:
    """Found a club in a browser, with a year of its weekly evening in its calendar."""
    if fault := name_fault(person):
        raise refuse("bad_name", fault, "person")
    granted_role = found_club(name=name, email=email, rules=rules, person=person, password=password)
    club = granted_role.membership.club
    if evening:
        with club_scope(club.pk):
            save_series(
                club=club,
                series=None,
                name="Club evening",
                place=evening.place,
                pattern=evening.pattern(timezone.localdate()),
                starts_at=evening.starts_at,
                ends_at=evening.ends_at,
            )
    log_event(club=club.pk, act_name="found_club", actor=person)
    return granted_role.membership


def import_first_club(
    *, file: IO[bytes], person: str, email: str, password: str, address: str = ""
) -> ImportedClub:
    """Bring the first club of this installation from its file, and its secretary's account.

    Raises ``Refused`` if someone else was first, or with what is wrong with the file.
    """
    if fault := name_fault(person):
        raise refuse("bad_name", fault, "person")
    with read_club_file(file) as club_file, transaction.atomic():
        Installation.objects.get_or_create(pk=1)
        installation = Installation.objects.select_for_update().get(pk=1)
        if not is_new_installation():
            raise refuse("set_up_already", founder_sentence(recent_founder(now=timezone.now())))
        installation.address = address
        installation.save(update_fields=["address"])
        user = User.objects.create_user(email, password, name=tidy_name(person))
        return import_read_file(club_file, user=user, actor=person)


@transaction.atomic
def found_club(
    *, name: str, email: str, rules: str = "bmja", person: str = "", password: str | None = None
) -> GrantedRole:
    """Create a club with these rules, and its secretary with this address."""
    slug = free_slug(name)
    if rules not in rule_set_keys():
        known_keys = ", ".join(rule_set_keys())
        raise refuse("bad_value", f"There are no rules “{rules}”; there are {known_keys}.", "rules")
    club = Club(name=tidy_name(name), slug=slug, rules=rules, shows_first_steps=True)
    club.founded_at = timezone.now()
    try:
        with transaction.atomic():
            club.save()
    except IntegrityError as taken:  # by a club that was founded at the same moment
        raise refuse("name_taken", NAME_TAKEN_MESSAGE, "name") from taken
    granted_role = give_role(
        club=club, email=email, role=Role.SECRETARY, name=person, password=password
    )
    club.founded_by = granted_role.membership.user
    club.save(update_fields=["founded_by"])
    return granted_role


def free_slug(name: str) -> str:
    """An address for a new club of that name; raises ``Refused`` if the name cannot be used.

    Names that differ only in what no address shows get a number: ``hill-top-2``.
    """
    if fault := club_name_fault(name):
        raise refuse("bad_name", fault, "name")
    name = tidy_name(name)
    slug = slugify(name)[:60].strip("-")
    if not slug:
        raise refuse("bad_name", "The club’s name needs at least one letter from A to Z.", "name")
    if Club.objects.filter(name__iexact=name).exists():
        raise refuse("name_taken", NAME_TAKEN_MESSAGE, "name")
    taken_slugs = set(
        Club.objects.filter(slug__startswith=slug[:50]).values_list("slug", flat=True)
    )
    numbered_slugs = (f"{slug[:55]}-{number}" for number in count(2))
    return (
        slug
        if slug not in taken_slugs
        else next(candidate for candidate in numbered_slugs if candidate not in taken_slugs)
    )


@transaction.atomic
def give_role(
    *, club: Club, email: str, role: Role, name: str = "", password: str | None = None
) -> GrantedRole:
    """Give someone a role in the club, replacing any other, and a sign-in if they have none.

    Without a password one is drawn.
    """
    try:
        validate_email(email)
    except ValidationError as error:
        raise refuse("bad_email", f"{email} is not a valid email address.", "email") from error
    user = User.objects.filter(email=email.lower()).first()
    password = None if user else password or secrets.token_urlsafe(9)
    user = user or User.objects.create_user(email, password, name=tidy_name(name))
    membership, _ = Membership.objects.update_or_create(
        club=club, user=user, defaults={"role": role}
    )
    return GrantedRole(membership, password)


@transaction.atomic
def save_house_rules(
    *, club: Club, declared_rules: house.HouseRules, made_by: User | None = None
) -> HouseRules:
    """Save house rules for the club; identical ones are only made available again."""
    if fault := name_fault(declared_rules.name):
        raise refuse("bad_name", fault, "name")
    lock_club(club.pk)
    house_rules, _ = HouseRules.objects.update_or_create(
        club=club,
        edition=store_edition(declared_rules),
        defaults={"retired_at": None},
        create_defaults={"made_by": made_by},
    )
    return house_rules


@transaction.atomic
def retire_house_rules(*, club: Club, pk: int) -> HouseRules:
    """Retire house rules: they can no longer be chosen; games that use them keep them."""
    club = lock_club(club.pk)
    house_rules = club.house_rules.select_related("edition").get(pk=pk)
    if club.rules == house_rules.edition.key:
        message = (
            f"The club plays {house_rules.edition.name}. Choose different rules for the club first."
        )
        raise refuse("rules_played", message)
    house_rules.retired_at = house_rules.retired_at or timezone.now()
    house_rules.save(update_fields=["retired_at"])
    return house_rules


@transaction.atomic
def offer_house_rules(*, club: Club, pk: int) -> HouseRules:
    house_rules = lock_club(club.pk).house_rules.select_related("edition").get(pk=pk)
    house_rules.retired_at = None
    house_rules.save(update_fields=["retired_at"])
    return house_rules


@transaction.atomic
def set_public_parts(
    *, club: Club, shows_results: bool, shows_league: bool, shows_calendar: bool
) -> list[str]:
    """Open or close parts of the club's pages to everyone; returns the changed switches."""
    locked_club = lock_club(club.pk)
    switches = {
        "shows_results": shows_results,
        "shows_league": shows_league,
        "shows_calendar": shows_calendar,
    }
    changed_switches = [
        name for name, value in switches.items() if getattr(locked_club, name) != value
    ]
    for name in changed_switches:
        setattr(locked_club, name, switches[name])
        setattr(club, name, switches[name])
    locked_club.save(update_fields=changed_switches)
    return changed_switches


@transaction.atomic
def change_club(*, club: Club, name: str, mark_colour: str) -> Club:
    """Change the name and mark of the club and its practice evening; every address stays as it is.

    Raises ``Refused`` for an invalid name, another club's, and in a practice club.
    """
    locked_club, name = lock_club(club.pk), tidy_name(name)
    if locked_club.rehearsal_of_id is not None:
        raise refuse("is_rehearsal", "A practice evening takes these from its club.", "name")
    if name != locked_club.name and (fault := club_name_fault(name)):
        raise refuse("bad_name", fault, "name")
    if Club.objects.filter(name__iexact=name).exclude(pk=club.pk).exists():
        raise refuse("name_taken", NAME_TAKEN_MESSAGE, "name")
    locked_club.name, locked_club.mark_colour = name, mark_colour
    try:
        with transaction.atomic():
            locked_club.save(update_fields=["name", "mark_colour"])
            Club.objects.filter(rehearsal_of=locked_club).update(
                name=_practice_name(locked_club), mark_colour=mark_colour
            )
    except IntegrityError as taken:  # by a club that was renamed at the same moment
        raise refuse("name_taken", NAME_TAKEN_MESSAGE, "name") from taken
    club.name, club.mark_colour = name, mark_colour
    return locked_club


@transaction.atomic
def change_contact(*, club: Club, contact_email: str) -> Club:
    """Set where answers to the club's emails go; empty: to who sent the message."""
    locked_club = lock_club(club.pk)
    locked_club.contact_email = club.contact_email = contact_email
    locked_club.save(update_fields=["contact_email"])
    return locked_club


def hide_first_steps(*, club: Club) -> None:
    locked_club = lock_club(club.pk)
    if locked_club.shows_first_steps:
        locked_club.shows_first_steps = False
        locked_club.save(update_fields=["shows_first_steps"])


def run_job(job_id: UUID) -> None:
    """Claim a waiting job and run it; a failure is stored on the row in words and logged."""
    with across_clubs():
        claimed_count = Job.objects.filter(pk=job_id, state=JobState.WAITING).update(
            state=JobState.RUNNING, tries=F("tries") + 1, done=0, heard_at=timezone.now()
        )
        job = Job.objects.select_related("club").get(pk=job_id) if claimed_count else None
    if job is not None:
        with club_scope(job.club_id):
            try:
                finish_job(job, JobState.DONE, JOB_FUNCTIONS[job.kind.split(", ")[0]](job))
            except TakenOver:
                log.warning("job %s was taken over by another worker", job.pk)
            except TryLater as later:
                log.warning("job %s is put off: %s", job.pk, later, exc_info=True)
                is_last_try = job.tries >= MOST_TRIES
                finish_job(job, JobState.FAILED if is_last_try else JobState.WAITING, str(later))
            except Exception:
                log.exception("job %s failed", job.pk)
                finish_job(job, JobState.FAILED, "Something went wrong. Please try again.")


def waiting_jobs(*, now: datetime) -> list[UUID]:
    """The keys of waiting jobs; those whose worker fell silent are reset, or have failed."""
    with across_clubs():
        silent = Job.objects.filter(state=JobState.RUNNING, heard_at__lt=now - JOB_SILENT_AFTER)
        silent.filter(tries__gte=MOST_TRIES).update(
            state=JobState.FAILED, message="This was tried three times without success."
        )
        silent.update(state=JobState.WAITING, heard_at=F("heard_at"))
        return list(Job.objects.filter(state=JobState.WAITING).values_list("pk", flat=True))


@transaction.atomic
def start_rehearsal(*, club: Club) -> Session:
    """The club's practice evening: the current one, or a new one with everyone checked in.

    The user has the same role there; nobody else has any. Idempotent.
    """
    if club.rehearsal_of_id is not None:
        raise refuse("is_rehearsal", "This is already a practice evening.")
    club = lock_club(club.pk)
    result = Club.objects.filter(rehearsal_of=club).first() or _make_rehearsal(club)
    result.memberships.all().delete()
    Membership.objects.bulk_create(
        Membership(club=result, user_id=membership.user_id, role=membership.role)
        for membership in club.memberships.filter(role__in=ORGANISERS)
    )
    with club_scope(result.pk):
        if current_session := result.sessions.order_by("held_on").last():
            return current_session
        session = evenings.open_session(club=result, held_on=timezone.localdate())
        for player in result.players.filter(is_active=True):
            evenings.tick(session=session, player=player, is_here=True)
        return session


def _make_rehearsal(club: Club) -> Club:
    """Create a club like the real one, with fictional members and its own season.

    The season ranks like the real one, but one evening is enough for a place.
    """
    fields = {name: getattr(club, name) for name in COPIED_FIELDS}
    name, today = _practice_name(club), timezone.localdate()
    slug = f"rehearsal-{club.pk}-{secrets.token_hex(3)}"
    rehearsal = Club.objects.create(name=name, slug=slug, rehearsal_of=club, **fields)
    rules, season = list(club.house_rules.order_by("pk")), current_season(club)
    ranking = replace(rules_of(season), least=None) if season else None
    with club_scope(rehearsal.pk):
        HouseRules.objects.bulk_create(
            HouseRules(
                club=rehearsal, edition_id=house_rules.edition_id, retired_at=house_rules.retired_at
            )
            for house_rules in rules
        )
        for member in PRACTICE_MEMBERS:
            add_player(club=rehearsal, name=member)
        save_season(
            club=rehearsal,
            season=None,
            name=season.name if season else "First season",
            starts_on=today,
            ends_on=today + timedelta(weeks=26),
            ranking=ranking,
            rules=season.rules if season else "",
            league=season.league.name if season else "Club league",
        )
    return rehearsal


def _practice_name(club: Club) -> str:
    name = f"Practice: {club.name}"
    return name if len(name) <= MAX_NAME_LENGTH else f"{name[: MAX_NAME_LENGTH - 22]}… ({club.pk})"


def play_rehearsal_hands(*, session: Session, hands: int) -> int:
    """Play so many hands more at every table; returns how many in all.

    Each hand is sent as from a phone, in the club's own way; all but a table's last are agreed.
    """
    _refuse_real(session.club)
    playing = session.tables.filter(game__closed_at=None)
    tables = list(playing.select_related("game", "session__club"))
    if not tables:
        raise refuse("not_seated", "Seat everyone before you play hands.")
    dealer, recording = Dealer(secrets.randbits(64)), Recording(session.club.record_by)
    return sum(
        play_hands(EveningTable(table), dealer, hands, recording=recording) for table in tables
    )


@transaction.atomic
def restart_rehearsal(*, rehearsal: Club) -> Session:
    real = delete_rehearsal(rehearsal=rehearsal)
    with club_scope(real.pk):
        return start_rehearsal(club=real)


@transaction.atomic
def delete_rehearsal(*, rehearsal: Club) -> Club:
    """Delete everything of the rehearsal and nothing else; returns the real club.

    Refused for a club that is not a rehearsal.
    """
    _refuse_real(rehearsal)
    real = lock_club(rehearsal.rehearsal_of_id or 0)
    delete_club_rows(club=lock_club(rehearsal.pk))
    return real


def delete_club_rows(*, club: Club) -> None:
    """Delete a locked club, every row of it in every table, and its files; no other club's.

    For callers that have made sure of it. Whoever enters a hand there waits, and finds no table.
    """
    with club_scope(club.pk):
        files = [job.result for job in club.jobs.exclude(result="")]
        for session in club.sessions.all():
            evenings.lock_with_games(session, None)
        editions = list(club.house_rules.values_list("edition_id", flat=True))
        books = list(books_of_club(club).values_list("pk", flat=True))
        for model, rows in reversed(tables_of_club(club)):
            if model is Club or model in PATHS_TO_BOOK:
                continue
            for field in model._meta.concrete_fields:
                if field.related_model is model:
                    rows.update(**{field.name: None})
            rows.delete()
        remove_books(books)
        # House rules that were created here and are used nowhere else.
        unused_editions = Edition.objects.filter(pk__in=editions, clubs=None)
        unused_editions.exclude(key__in=Game.objects.values("rules")).delete()
    club.delete()
    for file in files:
        transaction.on_commit(partial(file.storage.delete, file.name or ""), robust=True)


def _refuse_real(club: Club) -> None:
    if club.rehearsal_of_id is None:
        raise refuse("not_a_rehearsal", "This is not a practice evening: everything here counts.")


def delete_unused_rehearsals(*, now: datetime) -> int:
    """Delete the rehearsals that were not used for seven days; returns how many."""
    deleted_count = 0
    for rehearsal in Club.objects.exclude(rehearsal_of=None):
        with club_scope(rehearsal.pk):
            if last_used(rehearsal) < now - REHEARSAL_KEPT_FOR:
                delete_rehearsal(rehearsal=rehearsal)
                deleted_count += 1
    return deleted_count


def last_used(rehearsal: Club) -> datetime:
    """When its last hand was played, its tables were last seated, or it was started."""
    games = Game.objects.filter(book__session__club=rehearsal).aggregate(Max("made_at"))
    hands = Hand.objects.filter(game__book__session__club=rehearsal).aggregate(Max("sent_at"))
    last_day = rehearsal.sessions.aggregate(Max("held_on"))["held_on__max"]
    rows = [
        games["made_at__max"],
        hands["sent_at__max"],
        _start_of_day(last_day) if last_day else None,
    ]
    return max(
        (used_at for used_at in rows if used_at is not None), default=_start_of_day(date.min)
    )


def _start_of_day(day: date) -> datetime:
    return datetime.combine(day, time.min, timezone.get_current_timezone())


def practice_evening_of(club: Club) -> Session | None:
    """The practice evening; None in a club that is not a rehearsal."""
    if club.rehearsal_of_id is None:
        return None
    evenings = Session.objects.filter(club=club).select_related("club", "season", "book")
    return evenings.order_by("held_on").last()
