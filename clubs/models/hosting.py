"""Clubs that people found by themselves: requests, the terms they agreed to, deleted clubs."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Index, UniqueConstraint
from django.utils import timezone

from clubs import databases

OPEN_FOR = timedelta(hours=24)


class AgreedTerms(models.Model):
    """The terms and the privacy notice as they were when a club first agreed to them."""

    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of both texts")
    terms = models.TextField()
    privacy = models.TextField()
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "agreed terms"

    def __str__(self) -> str:
        return f"{self.digest[:12]} of {self.made_at:%Y-%m-%d}"

    def copy_here(self) -> None:
        """Keep a copy where the clubs that agreed to it can refer to it."""
        if databases.current() != databases.MAIN:
            databases.copy_here(self)


class FoundingRequest(models.Model):
    """Someone asked to start a club; deleted after two days, whatever became of it.

    The emailed link is stored as a digest, the network address as one that only this installation
    can compare.
    """

    name = models.CharField(max_length=80, help_text="of the club")
    person = models.CharField(max_length=80)
    email = models.EmailField()
    digest = models.CharField(max_length=64, unique=True, help_text="SHA-256 of the link's key")
    sent_from = models.CharField(max_length=64, help_text="keyed digest of the network address")
    terms = models.ForeignKey("clubs.AgreedTerms", on_delete=models.PROTECT, related_name="+")
    asked_at = models.DateTimeField(default=timezone.now)
    used_at = models.DateTimeField(null=True, blank=True)
    club = models.ForeignKey(
        "clubs.Club",
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        db_constraint=False,  # it may be in another database
        related_name="+",
    )

    class Meta:
        ordering = ["-pk"]
        indexes = [Index(name="founding_requests_by_age", fields=["asked_at"])]

    def __str__(self) -> str:
        return f"{self.name}, asked for at {self.asked_at}"

    @property
    def ends_at(self) -> datetime:
        return self.asked_at + OPEN_FOR

    @property
    def has_ended(self) -> bool:
        return timezone.now() >= self.ends_at


class SentMails(models.Model):
    """How many emails a hosted club sent on a day, or an address got from new ones."""

    about = models.CharField(max_length=64, help_text="keyed digest of the club or the address")
    on = models.DateField()
    number = models.PositiveIntegerField(default=0)

    class Meta:
        ordering = ["-pk"]
        verbose_name_plural = "sent mails"
        constraints = [UniqueConstraint(name="one_count_a_day", fields=["about", "on"])]

    def __str__(self) -> str:
        return f"{self.number} on {self.on}"


class DeletedClub(models.Model):
    """A club that was deleted: enough to delete it again after a backup is restored."""

    name = models.CharField(max_length=80)
    slug = models.SlugField(max_length=60)
    founded_at = models.DateTimeField(null=True, blank=True)
    is_by_operator = models.BooleanField(help_text="otherwise the club asked for it")
    deleted_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return f"{self.name}, deleted at {self.deleted_at}"


class ClubDatabase(models.Model):
    """A database of TONGBOX_CLUB_DATABASES that was set up.

    Rows that are made there have keys of its own (``KEYS_EACH``), so that a club keeps its keys
    when it is moved.
    """

    name = models.CharField(max_length=40, unique=True, help_text="in TONGBOX_CLUB_DATABASES")
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.name


class ClubPlace(models.Model):
    """In which database a club is; a club without a row is in the main one."""

    slug = models.SlugField(max_length=60, unique=True, help_text="the club’s name in its address")
    club = models.PositiveBigIntegerField(unique=True, help_text="its key")
    database = models.ForeignKey(
        ClubDatabase, to_field="name", db_column="database", on_delete=models.PROTECT
    )
    since = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["slug"]

    def __str__(self) -> str:
        return f"{self.slug} in {self.database_id}"
