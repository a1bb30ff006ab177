"""Clubs, their people, evenings and leagues; jobs that run behind the pages."""

from __future__ import annotations

import secrets
import uuid
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import F, Q
from django.utils import timezone

from scoring.scorebook.models import Edition, Game, Seat


def link_key() -> str:
    """A secret of 96 bits for an address that is printed as a QR code."""
    return secrets.token_urlsafe(12)


class UserManager(BaseUserManager["User"]):
    """Makes users known by their e-mail address."""

    def create_user(self, email: str, password: str | None = None, **fields: Any) -> User:
        """A user who can sign in with the password, or only by a mailed code without one."""
        user = self.model(email=self.normalize_email(email).lower(), **fields)
        user.set_password(password)
        user.save()
        return user

    def create_superuser(self, email: str, password: str | None = None, **fields: Any) -> User:
        """A user who may do everything in every club."""
        return self.create_user(email, password, is_superuser=True, **fields)


class User(AbstractBaseUser, PermissionsMixin):
    """Somebody who can sign in; what they may do is their memberships."""

    email = models.EmailField(unique=True)
    name = models.CharField(max_length=80)
    is_active = models.BooleanField(default=True)
    date_joined = models.DateTimeField(default=timezone.now)

    objects: ClassVar[UserManager] = UserManager()

    USERNAME_FIELD = "email"
    REQUIRED_FIELDS = ["name"]

    def __str__(self) -> str:
        return self.name or self.email


class Club(models.Model):
    """A club and how it plays."""

    name = models.CharField(max_length=80, unique=True)
    slug = models.SlugField(max_length=60, unique=True)
    rules = models.CharField(max_length=40, default="bmja", help_text="rule set key")
    shows_results = models.BooleanField(
        default=False, help_text="results and league can be seen without signing in"
    )

    def __str__(self) -> str:
        return self.name


class HouseRules(models.Model):
    """House rules that a club has kept: they can be chosen until they are retired."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="house_rules")
    edition = models.ForeignKey(Edition, on_delete=models.PROTECT, related_name="clubs")
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)
    retired_at = models.DateTimeField(null=True, blank=True, help_text="since when not offered")

    class Meta:
        ordering = ["-pk"]
        constraints = [
            models.UniqueConstraint(name="one_edition_once_in_a_club", fields=["club", "edition"]),
        ]

    def __str__(self) -> str:
        return f"{self.edition} of {self.club}"


class PlayerKind(models.TextChoices):
    """A member, or somebody who came along."""

    MEMBER = "member", "member"
    GUEST = "guest", "guest"


class Player(models.Model):
    """A person in a club, whether or not they have a sign-in."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="players")
    name = models.CharField(max_length=80)
    name_key = models.CharField(max_length=80, help_text="the name without accents and capitals")
    kind = models.CharField(max_length=10, choices=PlayerKind.choices, default=PlayerKind.MEMBER)
    email = models.EmailField(blank=True)
    wants_results = models.BooleanField(default=False, help_text="each evening's result by e-mail")
    is_active = models.BooleanField(default=True)
    joined_on = models.DateField(default=timezone.localdate)

    class Meta:
        ordering = ["name_key"]
        constraints = [
            models.UniqueConstraint(name="one_player_of_a_name", fields=["club", "name_key"]),
        ]

    def __str__(self) -> str:
        return self.name


class Role(models.TextChoices):
    """What a person does in a club."""

    SECRETARY = "secretary", "secretary"
    DIRECTOR = "director", "tournament director"
    SCORER = "scorer", "scorer"
    PLAYER = "player", "player"


class Membership(models.Model):
    """A sign-in's role in a club, and which player they are there."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="memberships")
    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="memberships")
    role = models.CharField(max_length=10, choices=Role.choices, default=Role.PLAYER)
    player = models.OneToOneField(
        Player, null=True, blank=True, on_delete=models.SET_NULL, related_name="membership"
    )

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_role_in_a_club", fields=["club", "user"]),
        ]

    def __str__(self) -> str:
        return f"{self.user}, {self.get_role_display()} of {self.club}"


class League(models.Model):
    """A competition that a club runs season after season."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="leagues")
    name = models.CharField(max_length=80)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_league_of_a_name", fields=["club", "name"]),
        ]

    def __str__(self) -> str:
        return self.name


class RanksBy(models.TextChoices):
    """What puts a player above another in a season."""

    TOTAL = "total", "total of all evenings"
    AVERAGE = "average", "average of an evening"
    BEST = "best", "best evenings only"


class Season(models.Model):
    """A run of sessions with a rule for ranking."""

    league = models.ForeignKey(League, on_delete=models.PROTECT, related_name="seasons")
    name = models.CharField(max_length=80)
    rules = models.CharField(
        max_length=40, blank=True, help_text="rule set key; empty: as the club plays"
    )
    starts_on = models.DateField()
    ends_on = models.DateField()
    ranks_by = models.CharField(max_length=10, choices=RanksBy.choices, default=RanksBy.TOTAL)
    best_of = models.PositiveSmallIntegerField(
        null=True, blank=True, help_text="how many evenings count, for best evenings only"
    )
    least_attendance = models.PositiveSmallIntegerField(
        default=0, help_text="evenings needed to be ranked"
    )

    class Meta:
        ordering = ["-starts_on"]
        constraints = [
            models.UniqueConstraint(name="one_season_of_a_name", fields=["league", "name"]),
            models.CheckConstraint(
                name="season_ends_after_it_starts", condition=Q(ends_on__gte=F("starts_on"))
            ),
            models.CheckConstraint(
                name="best_evenings_say_how_many",
                condition=~Q(ranks_by=RanksBy.BEST) | Q(best_of__gte=1),
            ),
        ]

    def __str__(self) -> str:
        return f"{self.league}, {self.name}"

    @property
    def plays(self) -> str:
        """The key of the rule set that the season's evenings play."""
        return self.rules or self.league.club.rules


class SessionState(models.TextChoices):
    """How far an evening has come."""

    ARRIVING = "arriving", "people are arriving"
    PLAYING = "playing", "being played"
    CLOSED = "closed", "finished"


class Session(models.Model):
    """One club night."""

    club = models.ForeignKey(Club, on_delete=models.PROTECT, related_name="sessions")
    season = models.ForeignKey(
        Season, null=True, blank=True, on_delete=models.PROTECT, related_name="sessions"
    )
    held_on = models.DateField()
    state = models.CharField(
        max_length=10, choices=SessionState.choices, default=SessionState.ARRIVING
    )
    version = models.PositiveIntegerField(default=0, help_text="goes up with every change shown")
    wall_key = models.CharField(max_length=24, unique=True, default=link_key)

    class Meta:
        ordering = ["-held_on", "-pk"]
        constraints = [
            models.UniqueConstraint(name="one_session_a_day", fields=["club", "held_on"]),
        ]

    def __str__(self) -> str:
        return f"{self.club}, {self.held_on:%d %B %Y}"

    @property
    def plays(self) -> str:
        """The key of the rule set that its tables are laid for: the season's, else the club's."""
        return (self.season and self.season.rules) or self.club.rules


class Attendance(models.Model):
    """Somebody came to a session."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="attendances")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="attendances")

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_tick_each", fields=["session", "player"]),
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.session}"


class SessionTable(models.Model):
    """A table of an evening, the game it plays, and its secret link."""

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="tables")
    number = models.PositiveSmallIntegerField()
    game = models.OneToOneField(Game, on_delete=models.PROTECT, related_name="session_table")
    link_key = models.CharField(max_length=24, unique=True, default=link_key)

    class Meta:
        ordering = ["number"]
        constraints = [
            models.UniqueConstraint(name="one_table_of_a_number", fields=["session", "number"]),
        ]

    def __str__(self) -> str:
        return f"table {self.number}, {self.session}"


class SessionSeat(models.Model):
    """Who sat in a seat of the score book on that evening."""

    session = models.ForeignKey(Session, on_delete=models.PROTECT, related_name="places")
    table = models.ForeignKey(SessionTable, on_delete=models.CASCADE, related_name="places")
    player = models.ForeignKey(Player, on_delete=models.PROTECT, related_name="places")
    seat = models.OneToOneField(Seat, on_delete=models.PROTECT, related_name="session_place")

    class Meta:
        ordering = ["table__number", "seat__number"]
        constraints = [
            models.UniqueConstraint(name="one_seat_each_evening", fields=["session", "player"]),
        ]

    def __str__(self) -> str:
        return f"{self.player} at {self.table}"


class SentResult(models.Model):
    """A member has been sent an evening's result; a corrected one has another digest."""

    session = models.ForeignKey(Session, on_delete=models.CASCADE, related_name="sent_results")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="sent_results")
    digest = models.CharField(max_length=64, help_text="of the places and gains that were sent")
    sent_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(
                name="one_result_is_sent_once", fields=["session", "player", "digest"]
            ),
        ]

    def __str__(self) -> str:
        return f"result of {self.session} to {self.player}"


class JobState(models.TextChoices):
    """How far a piece of background work has come."""

    WAITING = "waiting", "waiting"
    RUNNING = "running", "being made"
    DONE = "done", "ready"
    FAILED = "failed", "could not be made"


class Job(models.Model):
    """Background work as a row: the broker only wakes a worker, the truth is here."""

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
    asked_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)
    heard_at = models.DateTimeField(auto_now=True, help_text="last sign of life")

    class Meta:
        ordering = ["-made_at"]

    def __str__(self) -> str:
        return f"{self.kind} ({self.get_state_display()})"
