"""Clubs that people found by themselves: requests, the terms they agreed to, deleted clubs."""

from datetime import datetime, timedelta

from django.db import models
from django.db.models import Index, UniqueConstraint
from django.utils import timezone

REQUEST_LASTS = timedelta(hours=24)


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
        "clubs.Club", null=True, blank=True, on_delete=models.CASCADE, related_name="+"
    )

    class Meta:
        ordering = ["-pk"]
        indexes = [Index(name="founding_requests_by_age", fields=["asked_at"])]

    def __str__(self) -> str:
        return f"{self.name}, asked for at {self.asked_at}"

    @property
    def ends_at(self) -> datetime:
        return self.asked_at + REQUEST_LASTS

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
