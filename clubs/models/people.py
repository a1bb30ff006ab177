"""Clubs and their people: sign-ins, players, roles."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, ClassVar

from django.contrib.auth.models import AbstractBaseUser, BaseUserManager, PermissionsMixin
from django.db import models
from django.db.models import UniqueConstraint
from django.utils import timezone

from clubs.tenancy import OfOneClub
from scoring.scorebook.models import AgreementPolicy, Recording


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
        for earlier in super().get_session_auth_fallback_hash():
            yield f"{earlier}{self.signed_out or ''}"


class Club(models.Model):
    name = models.CharField(max_length=80, unique=True)
    slug = models.SlugField(max_length=60, unique=True)
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
    guest_visits = models.PositiveSmallIntegerField(
        null=True, blank=True, default=3, help_text="before a guest is asked to join; empty: any"
    )
    rates = models.BooleanField(default=False, help_text="players' pages show an OpenSkill rating")
    rehearsal_of = models.ForeignKey(
        "self", null=True, blank=True, on_delete=models.CASCADE, related_name="rehearsals"
    )

    def __str__(self) -> str:
        return self.name


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
    wants_results = models.BooleanField(default=False, help_text="each evening's result by email")
    phone = models.CharField(max_length=40, blank=True)
    shown_as = models.CharField(max_length=10, choices=ShownAs.choices, default=ShownAs.FULL)
    is_active = models.BooleanField(default=True)
    joined_on = models.DateField(default=timezone.localdate)
    paid_until = models.DateField(null=True, blank=True, help_text="the last day paid for")
    lapsed_on = models.DateField(null=True, blank=True, help_text="since when no longer a member")
    erased_on = models.DateField(
        null=True, blank=True, help_text="since when only results are kept"
    )

    objects = OfOneClub()

    class Meta:
        ordering = ["name_key"]
        constraints = [UniqueConstraint(name="one_player_of_a_name", fields=["club", "name_key"])]

    def __str__(self) -> str:
        return self.name


class Alias(models.Model):
    """Another name of a person on lists: a nickname or a former name."""

    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="aliases")
    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="aliases")
    name = models.CharField(max_length=80)
    name_key = models.CharField(max_length=80)

    objects = OfOneClub()

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

    objects = OfOneClub()

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

    objects = OfOneClub()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.gone} is {self.kept}"
