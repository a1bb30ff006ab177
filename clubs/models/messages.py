"""Messages to members, and webhooks."""

import uuid

from django.db import models
from django.db.models import Index, UniqueConstraint

from clubs.models.people import Club, Player, User
from clubs.tenancy import BatchManager, ClubManager, WebhookManager


class MessageState(models.TextChoices):
    DRAFT = "draft", "draft"
    WAITING = "waiting", "being sent"
    SENT = "sent", "sent"
    REFUSED = "refused", "not delivered"
    DROPPED = "dropped", "excluded"


class Batch(models.Model):
    """Messages created together: one subject, to many people."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="batches")
    kind = models.CharField(max_length=40)
    about = models.PositiveBigIntegerField(null=True, blank=True, help_text="the row, by kind")
    title = models.CharField(max_length=120)
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)

    objects = ClubManager()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title


class Message(models.Model):
    """One person's message, as text; ``key`` identifies the email however often it is sent."""

    batch = models.ForeignKey(Batch, on_delete=models.CASCADE, related_name="messages")
    player = models.ForeignKey(Player, on_delete=models.CASCADE, related_name="messages")
    key = models.UUIDField(default=uuid.uuid4, unique=True)
    email = models.EmailField(blank=True, help_text="empty: a letter is printed, or a call is made")
    subject = models.CharField(max_length=160)
    body = models.TextField()
    state = models.CharField(
        max_length=10, choices=MessageState.choices, default=MessageState.DRAFT
    )
    answer = models.CharField(max_length=200, blank=True, help_text="what the mail server said")
    sent_at = models.DateTimeField(null=True, blank=True)

    objects = BatchManager()

    class Meta:
        ordering = ["pk"]
        constraints = [UniqueConstraint(name="one_message_each", fields=["batch", "player"])]

    def __str__(self) -> str:
        return f"{self.subject}, to {self.player}"


class News(models.TextChoices):
    """Events of a club that a webhook can receive."""

    EVENING_OPENED = "evening.opened", "an evening is opened"
    EVENING_SEATED = "evening.seated", "an evening’s tables are seated"
    EVENING_CLOSED = "evening.closed", "an evening is finished"
    EVENING_CANCELLED = "evening.cancelled", "an evening is cancelled"
    EVENING_RESTORED = "evening.restored", "a cancelled evening is restored"
    HAND_RECORDED = "hand.recorded", "a hand is recorded"
    HAND_CORRECTED = "hand.corrected", "a hand is corrected"
    HAND_DISPUTED = "hand.disputed", "a player disputes a hand"
    HAND_DECIDED = "hand.decided", "the scorer keeps a disputed hand as entered"
    HAND_UNDONE = "hand.undone", "a table undoes its last hand"
    HANDS_REPAIRED = "hands.repaired", "several hands are corrected together"
    ROUND_STARTED = "round.started", "a round of a tournament is started"
    ROUND_CLOSED = "round.closed", "a round is closed"
    TOURNAMENT_FINISHED = "tournament.finished", "a tournament is finished"
    STANDINGS_PUBLISHED = "standings.published", "a tournament’s results are published"
    MEMBER_ADDED = "member.added", "a member or guest is added"
    TRIED = "tried", "you press “Send a test”"


class Webhook(models.Model):
    """A URL that receives its kinds of events, signed with its secret."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="webhooks")
    address = models.URLField(max_length=500)
    secret = models.CharField(max_length=64, help_text="signs what is sent; shown once")
    former_secret = models.CharField(max_length=64, blank=True, help_text="signs beside the new")
    former_until = models.DateTimeField(null=True, blank=True)
    kinds = models.JSONField(default=list, help_text="the kinds of event it receives")
    is_active = models.BooleanField(default=True)
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)
    stopped_because = models.CharField(max_length=200, blank=True)

    objects = ClubManager()

    class Meta:
        ordering = ["pk"]

    def __str__(self) -> str:
        return self.address


class Delivery(models.Model):
    """One event for one webhook, with its number of tries and the last response."""

    webhook = models.ForeignKey(Webhook, on_delete=models.CASCADE, related_name="deliveries")
    kind = models.CharField(max_length=40)
    payload = models.JSONField()
    made_at = models.DateTimeField(auto_now_add=True)
    tries = models.PositiveSmallIntegerField(default=0)
    try_at = models.DateTimeField(
        null=True, blank=True, help_text="when it is tried next; empty: no more"
    )
    done_at = models.DateTimeField(null=True, blank=True)
    answer = models.CharField(max_length=200, blank=True, help_text="the last one, in words")

    objects = WebhookManager()

    class Meta:
        ordering = ["-pk"]
        indexes = [Index(name="deliveries_by_time", fields=["try_at"])]

    def __str__(self) -> str:
        return f"{self.kind} to {self.webhook}"

    @property
    def in_words(self) -> str:
        """The event, as in “It is told when …”."""
        return str(News(self.kind).label)
