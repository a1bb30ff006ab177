"""Clubs and their people: sign-ins, players, roles, API keys; jobs, backups, the activity log."""

from __future__ import annotations

import secrets
import uuid
from base64 import urlsafe_b64encode
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, ClassVar, Final

from django.conf import settings
from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import CheckConstraint, F, Index, Q, UniqueConstraint
from django.utils import timezone
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.language.moments import logged_moment, long_date
from clubs.tenancy import ClubManager
from scoring.scorebook.models import AgreementPolicy, Recording

LINK_KEY_LENGTH: Final = 16  # letters: 96 random bits
LINK_SEAL_LENGTH: Final = 8  # letters: a 48-bit seal that only this installation can make
LINK_SALT: Final = "clubs.models.accounts"  # the links in use were sealed with it
INVITATION_LASTS = timedelta(days=14)


class UserManager(BaseUserManager["User"]):
    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """Create a user who signs in with the password, or without one only by an emailed code."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save()
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        return self.create_user(email, password, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """Someone who can sign in; memberships say what they may do."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=80)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)
    signed_out = models.PositiveIntegerField(
        default=0, help_text="how often they signed out everywhere"
    )

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    def __str__(self) -> str:
        return self.name or self.email

    def get_session_auth_hash(self) -> str:
        """Part of every session: a new password or signing out everywhere ends them all."""
        return f"{super().get_session_auth_hash()}{self.signed_out or ''}"

    def get_session_auth_fallback_hash(self) -> Iterator[str]:
        """The same with each earlier secret key."""
        for fallback_hash in super().get_session_auth_fallback_hash():
            yield f"{fallback_hash}{self.signed_out or ''}"


class MarkColour(models.TextChoices):
    """The colour of the tile beside the club's name."""

    RED = "red", "Red"
    GREEN = "green", "Green"
    BLUE = "blue", "Blue"
    PLUM = "plum", "Plum"
    BROWN = "brown", "Brown"
    BLACK = "black", "Black"


class Club(models.Model):
    name = models.CharField(max_length=80, unique=True)
    slug = models.SlugField(max_length=60, unique=True)
    uid = models.UUIDField(
        unique=True,
        editable=False,
        default=uuid.uuid4,
        help_text="the same wherever the club moves",
    )
    mark_colour = models.CharField(
        max_length=10, choices=MarkColour.choices, default=MarkColour.RED
    )
    rules = models.CharField(max_length=40, default="bmja", help_text="rule set key")
    record_by = models.CharField(max_length=8, choices=Recording.choices, default=Recording.TOTALS)
    agreement = models.CharField(
        max_length=8, choices=AgreementPolicy.choices, default=AgreementPolicy.ALL
    )
    shows_results = models.BooleanField(
        default=False, help_text="anyone can see evenings, results and tournaments"
    )
    shows_league = models.BooleanField(
        default=False, help_text="anyone can see league tables and ratings"
    )
    shows_calendar = models.BooleanField(
        default=False, help_text="anyone can see the dates of coming evenings"
    )
    table_money = models.PositiveIntegerField(default=0, help_text="pence a head; 0: none is taken")
    year_begins = models.PositiveSmallIntegerField(
        default=1, help_text="the month in which the treasurer's year begins, from 1 to 12"
    )
    guest_visits = models.PositiveSmallIntegerField(
        null=True, blank=True, default=3, help_text="before a guest is asked to join; empty: any"
    )
    rates = models.BooleanField(default=False, help_text="players' pages show an OpenSkill rating")
    shows_first_steps = models.BooleanField(
        default=False, help_text="the home page lists what a new club does first"
    )
    contact_email = models.EmailField(
        blank=True, help_text="where answers to messages go; empty: to who sent them"
    )
    rehearsal_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="rehearsals"
    )
    founded_at = models.DateTimeField(null=True, blank=True, help_text="empty: not known")
    founded_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="founded_clubs"
    )
    agreed_to = models.ForeignKey(
        "clubs.AgreedTerms",
        null=True,
        blank=True,
        on_delete=models.PROTECT,
        related_name="clubs",
        help_text="the terms that its founder agreed to",
    )
    mails_a_day = models.PositiveIntegerField(
        null=True,
        blank=True,
        help_text="emails that an operator lets a hosted club send; empty: nobody has looked yet",
    )
    closed_at = models.DateTimeField(
        null=True, blank=True, help_text="since when nothing can be changed; empty: open"
    )
    closed_until = models.DateField(null=True, blank=True, help_text="as its people read it")
    closed_because = models.CharField(max_length=200, blank=True)
    delete_on = models.DateField(null=True, blank=True, help_text="when it will be deleted")
    is_deletion_by_operator = models.BooleanField(
        default=False, help_text="only an operator can then cancel it"
    )

    def __str__(self) -> str:
        return self.name

    @property
    def closed_sentence(self) -> str:
        """Why nothing can be changed, and until when; empty while the club is open."""
        if self.closed_at is None:
            return ""
        end_phrase = f" until {long_date(self.closed_until)}" if self.closed_until else ""
        because = f" {self.closed_because}" if self.closed_because else ""
        return f"{self.name} is closed{end_phrase}, so nothing can be changed.{because}"

    @property
    def publishes(self) -> bool:
        """Whether anyone can see some of its evenings, league or calendar without signing in."""
        return self.shows_results or self.shows_league or self.shows_calendar


class PlayerKind(models.TextChoices):
    MEMBER = "member", "member"
    GUEST = "guest", "guest"


class ShownAs(models.TextChoices):
    """How a person's name is shown to readers who are not organisers."""

    FULL = "full", "Full name"
    INITIAL = "initial", "First name and initial"
    HIDDEN = "hidden", "Hidden"


class Player(models.Model):
    """A person in a club, whether or not they have a sign-in."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    name = models.CharField(max_length=80)
    name_key = models.CharField(max_length=80, help_text="the name without accents and capitals")
    kind = models.CharField(max_length=10, choices=PlayerKind.choices, default=PlayerKind.MEMBER)
    email = models.EmailField(blank=True)
    wants_messages = models.BooleanField(default=True, help_text="the club's messages by email")
    wants_results = models.BooleanField(default=False, help_text="each evening's result by email")
    refuses_results = models.BooleanField(
        default=False, help_text="wants no result by email, even one sent to everyone"
    )
    failed_email = models.EmailField(blank=True, help_text="an address that emails come back from")
    email_failed_on = models.DateField(
        null=True, blank=True, help_text="since when they come back from there"
    )
    phone = models.CharField(max_length=40, blank=True)
    second_phone = models.CharField(max_length=40, blank=True)
    shown_as = models.CharField(max_length=10, choices=ShownAs.choices, default=ShownAs.FULL)
    is_active = models.BooleanField(default=True)
    joined_on = models.DateField(null=True, blank=True, help_text="empty: nobody has said")
    added_on = models.DateField(
        default=timezone.localdate, editable=False, help_text="since when on the club's list"
    )
    paid_until = models.DateField(null=True, blank=True, help_text="the last day paid for")
    lapsed_on = models.DateField(null=True, blank=True, help_text="since when no longer a member")
    erased_on = models.DateField(
        null=True, blank=True, help_text="since when only results are kept"
    )

    objects = ClubManager()

    class Meta:
        ordering = ["name_key"]
        constraints = [UniqueConstraint(name="one_player_of_a_name", fields=["club", "name_key"])]

    def __str__(self) -> str:
        return self.name

    @property
    def email_fails(self) -> bool:
        """Whether emails to the address of today come back; another address is tried afresh."""
        return bool(self.email) and self.email == self.failed_email


class Alias(models.Model):
    """Another name of a person on lists: a nickname or a former name."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="aliases")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="aliases")
    name = models.CharField(max_length=80)
    name_key = models.CharField(max_length=80)

    objects = ClubManager()

    class Meta:
        ordering = ["name_key"]
        constraints = [UniqueConstraint(name="one_person_of_an_alias", fields=["club", "name_key"])]

    def __str__(self) -> str:
        return f"{self.name}, {self.player}"


class Role(models.TextChoices):
    SECRETARY = "secretary", "secretary"
    DIRECTOR = "director", "tournament director"
    SCORER = "scorer", "scorer"
    PLAYER = "player", "player"


class Membership(models.Model):
    """A user's role in a club, and their player record there."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.PLAYER)
    player = models.OneToOneField(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="membership"
    )

    class Meta:
        constraints = [UniqueConstraint(name="one_role_in_a_club", fields=["club", "user"])]

    def __str__(self) -> str:
        return f"{self.user}, {self.get_role_display()} of {self.club}"


class MemberImport(models.Model):
    """An imported file; ``before`` has the former fields of each person it changed."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="imports")
    file_name = models.CharField(max_length=120)
    added = models.JSONField(default=list, help_text="keys of the people who were new")
    before = models.JSONField(default=dict, help_text="fields of before, by a person's key")
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)
    press = models.UUIDField(null=True, editable=False, help_text="the check page that sent it")

    objects = ClubManager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.file_name}, {self.club}"


class PlayerMerge(models.Model):
    """A merge of two records of one person; ``moved`` lists what was the second's, by table."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="merges")
    kept = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="merges")
    gone = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="merged_into")
    moved = models.JSONField(default=dict)
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)
    undone_at = models.DateTimeField(null=True, blank=True)

    objects = ClubManager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.gone} is {self.kept}"


class TwoPeople(models.Model):
    """The answer that two records with similar names are two people: they are not asked about."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="two_people")
    one = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="not_the_other")
    other = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="not_the_one")
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(default=timezone.now)

    objects = ClubManager()

    class Meta:
        ordering = ["pk"]
        verbose_name = "answer that two records are two people"
        verbose_name_plural = "answers that two records are two people"
        constraints = [
            UniqueConstraint(name="two_people_once", fields=["one", "other"]),
            CheckConstraint(name="two_people_are_not_one", condition=~Q(one=F("other"))),
        ]

    def __str__(self) -> str:
        return f"{self.one} is not {self.other}"


class Scope(models.TextChoices):
    """What an API key may be used for, within what its owner may do."""

    READ = "read", "View what you can see"
    OWN = "own", "Change your own settings: your name as shown, your keys"
    PEOPLE = "people", "Members: view all details, add and edit"
    EVENINGS = "evenings", "Run evenings: check in, seat, calendar, table money"
    HANDS = "hands", "Enter and correct hands"
    LEAGUE = "league", "Change seasons, rules and the club’s settings"
    MESSAGES = "messages", "View messages"
    PRINTOUTS = "printouts", "Download printouts"
    TOURNAMENTS = "tournaments", "Run tournaments"
    WEBHOOKS = "webhooks", "Manage webhooks"


class ApiToken(models.Model):
    """A person's API key, limited to its scopes; only its digest is stored."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    club = models.ForeignKey(
        Club,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="api_tokens",
        help_text="empty: every club in which the person has a role",
    )
    parent = models.ForeignKey(
        "self",
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        db_column="parent",
        related_name="+",
        help_text="the API key that created it; empty: a person",
    )
    name = models.CharField(max_length=80, help_text="what it is for, in the person's words")
    beginning = models.CharField(max_length=12, help_text="to know it again by")
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the whole key")
    scopes = models.JSONField(default=list, help_text="names of what it may do")
    made_at = models.DateTimeField(auto_now_add=True)
    used_at = models.DateTimeField(null=True, blank=True, help_text="to the nearest minute")
    ends_at = models.DateTimeField(null=True, blank=True, help_text="empty: until it is revoked")
    revoked_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name} ({self.beginning}…)"

    @property
    def may_do(self) -> list[str]:
        return [Scope(name).label for name in self.scopes]


class KeptAnswer(models.Model):
    """The answer to a request with an ``Idempotency-Key``.

    It is empty while it is in progress, and once someone whom it names was erased.
    """

    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.CASCADE, related_name="kept_answers"
    )
    owner = models.CharField(max_length=80, help_text="token, account or table link that asked")
    key = models.CharField(max_length=200)
    asked = models.CharField(max_length=64, help_text="SHA-256 of method, path and body")
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    body = models.TextField(blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        verbose_name, verbose_name_plural = "answer to a program", "answers to programs"
        constraints = [UniqueConstraint(name="one_answer_to_a_key", fields=["owner", "key"])]
        indexes = [Index(name="kept_answers_by_age", fields=["made_at"])]

    def __str__(self) -> str:
        return f"{self.key}: {self.status}"


def link_key() -> str:
    """A secret for an address printed as a QR code: 96 random bits, then a seal."""
    random_part = secrets.token_urlsafe(LINK_KEY_LENGTH * 3 // 4)
    return random_part + _seal_of(random_part, settings.SECRET_KEY)


def is_own_link_key(key: str) -> bool:
    """Whether the key may be ours: it has our seal, or predates seals.

    No query. Earlier SECRET_KEYs that are still configured count too.
    """
    if len(key) == LINK_KEY_LENGTH:
        return True
    random_part, seal = key[:LINK_KEY_LENGTH], key[LINK_KEY_LENGTH:]
    return any(
        constant_time_compare(seal, _seal_of(random_part, secret)) for secret in secret_keys()
    )


def secret_keys() -> Iterator[str]:
    """The secret key, then the earlier ones that are still valid."""
    yield settings.SECRET_KEY
    yield from settings.SECRET_KEY_FALLBACKS


def _seal_of(random_part: str, secret: str) -> str:
    digest = salted_hmac(LINK_SALT, random_part, secret=secret, algorithm="sha256").digest()
    return urlsafe_b64encode(digest[: LINK_SEAL_LENGTH * 3 // 4]).decode()


class RoleInvitation(models.Model):
    """An emailed invitation to take a role; deleted once it is accepted or withdrawn."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="role_invitations")
    email = models.EmailField()
    role = models.CharField(max_length=10, choices=Role.choices)
    player = models.ForeignKey(
        Player,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="role_invitations",
        help_text="who they are on the list of members",
    )
    key = models.CharField(max_length=32, unique=True, default=link_key)
    invited_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="+"
    )
    sent_at = models.DateTimeField(default=timezone.now)

    objects = ClubManager()

    class Meta:
        ordering = ["email"]
        constraints = [
            UniqueConstraint(name="one_invitation_of_an_address", fields=["club", "email"])
        ]

    def __str__(self) -> str:
        return f"{self.email}: {self.get_role_display()}"

    @property
    def ends_at(self) -> datetime:
        return self.sent_at + INVITATION_LASTS

    @property
    def has_ended(self) -> bool:
        return timezone.now() >= self.ends_at


class AuditEntry(models.Model):
    """An entry of the audit log: a change and who made it; its sentence is built when read."""

    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.CASCADE, related_name="audit_entries"
    )
    made_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="audit_entries"
    )
    by = models.CharField(max_length=80, blank=True, help_text="program or command, if no browser")
    what = models.CharField(max_length=60, help_text="the name of the address or of the event")
    about = models.JSONField(default=dict, help_text="what the address named: numbers and keys")
    request_id = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    objects = ClubManager()

    class Meta:
        db_table = "clubs_deed"
        verbose_name, verbose_name_plural = "activity log entry", "activity log entries"
        ordering = ["-pk"]
        indexes = [Index(name="deeds_of_a_club", fields=["club", "-at"])]

    def __str__(self) -> str:
        return f"{self.what} at {logged_moment(self.at)}"


class JobState(models.TextChoices):
    WAITING = "waiting", "waiting"
    RUNNING = "running", "being created"
    DONE = "done", "ready"
    FAILED = "failed", "could not be created"


class Job(models.Model):
    """A background job; its state is stored here, the broker only wakes a worker."""

    id = models.UUIDField(primary_key=True, default=uuid.uuid4)
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="jobs")
    kind = models.CharField(max_length=40)
    about = models.PositiveBigIntegerField(help_text="the row the work is about, by kind")
    state = models.CharField(max_length=10, choices=JobState.choices, default=JobState.WAITING)
    done = models.PositiveIntegerField(default=0)
    total = models.PositiveIntegerField(default=0)
    tries = models.PositiveSmallIntegerField(default=0)
    message = models.CharField(max_length=200, blank=True)
    result = models.FileField(upload_to="results/", blank=True)
    bytes = models.PositiveBigIntegerField(
        null=True, blank=True, help_text="how large the result is; empty: none, or not known"
    )
    asked_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)
    heard_at = models.DateTimeField(auto_now=True, help_text="last sign of life")

    objects = ClubManager()

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.kind} ({self.get_state_display()})"


class Installation(models.Model):
    """What was chosen in the browser for all clubs: one row. The environment goes before it."""

    address = models.CharField(
        max_length=200, blank=True, help_text="where phones open Tongbox; empty: not known"
    )
    founding_full_on = models.DateField(
        null=True, blank=True, help_text="the last day whose limit of new clubs was reached"
    )

    def __str__(self) -> str:
        return self.address


class Backup(models.Model):
    """One backup: what was written, and whether restoring it gave the same digest."""

    night = models.DateField(
        null=True,
        blank=True,
        unique=True,
        help_text="the first worker of the night makes it; by hand: none",
    )
    made_at = models.DateTimeField()
    file = models.CharField(max_length=300)
    bytes = models.PositiveBigIntegerField(default=0)
    digest = models.CharField(
        max_length=64, blank=True, help_text="of standings and chain heads as they were"
    )
    tried_at = models.DateTimeField(null=True, blank=True, help_text="when it was put back")
    is_good = models.BooleanField(null=True, help_text="empty: not tried yet")
    fault = models.CharField(max_length=300, blank=True, help_text="a sentence, if it is not good")
    put_back_at = models.DateTimeField(
        null=True, blank=True, help_text="when the book that this is in was put back from it"
    )
    let_go_at = models.DateTimeField(null=True, blank=True, help_text="when its file was deleted")
    told_at = models.DateTimeField(
        null=True, blank=True, help_text="when the operators were alerted that something is wrong"
    )

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"backup of {logged_moment(self.made_at)}"


class AwayCopy(models.Model):
    """An encrypted copy of a backup at another place: sent, fetched back, restored and compared."""

    backup = models.ForeignKey(Backup, on_delete=models.CASCADE, related_name="copies")
    place = models.CharField(max_length=300, help_text="its address without the password")
    name = models.CharField(max_length=100, help_text="of the file there")
    bytes = models.PositiveBigIntegerField(default=0)
    sent_at = models.DateTimeField(null=True, blank=True, help_text="when all of it was there")
    tried_at = models.DateTimeField(
        null=True, blank=True, help_text="when it was fetched back and restored"
    )
    is_good = models.BooleanField(default=False, help_text="no: not tried yet, or another")
    fault = models.CharField(max_length=300, blank=True, help_text="a sentence: what went wrong")
    tries = models.PositiveSmallIntegerField(default=0)
    try_at = models.DateTimeField(null=True, blank=True, help_text="the next try; empty: none")
    let_go_at = models.DateTimeField(null=True, blank=True, help_text="when it was deleted there")
    told_at = models.DateTimeField(
        null=True, blank=True, help_text="when the operators were alerted that something is wrong"
    )

    class Meta:
        verbose_name_plural = "away copies"
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(name="one_copy_at_a_place", fields=["backup", "place"])
        ]

    def __str__(self) -> str:
        return f"copy of the {self.backup} at {self.place}"


class Retention(models.Model):
    """A club's retention schedule, in months; empty: kept until someone deletes it by hand."""

    club = models.OneToOneField(Club, on_delete=models.CASCADE, related_name="retention")
    guests = models.PositiveSmallIntegerField(
        null=True, blank=True, default=12, help_text="after a guest's last visit"
    )
    lapsed = models.PositiveSmallIntegerField(
        null=True, blank=True, default=24, help_text="after a member has left"
    )
    letters = models.PositiveSmallIntegerField(
        null=True, blank=True, default=12, help_text="messages, invitations and imports"
    )
    money = models.PositiveSmallIntegerField(
        null=True, blank=True, default=84, help_text="who paid for an evening"
    )
    deeds = models.PositiveSmallIntegerField(
        null=True, blank=True, default=24, help_text="the activity log"
    )
    ran_on = models.DateField(null=True, blank=True, help_text="when it last ran")

    objects = ClubManager()

    def __str__(self) -> str:
        return f"retention schedule of {self.club}"


class Erasure(models.Model):
    """What was deleted, when and by whom; it never names an erased person."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="erasures")
    player = models.ForeignKey(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="erasures"
    )
    what = models.CharField(max_length=200)
    made_by = models.ForeignKey(
        User,
        null=True,
        blank=True,
        on_delete=models.SET_NULL,
        help_text="empty: the retention schedule",
    )
    made_at = models.DateTimeField(auto_now_add=True)

    objects = ClubManager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.what
