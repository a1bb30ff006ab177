"""What the club says to its people: written first, looked at, then sent."""

import uuid

from django.db import models

from clubs.apart import OfABatch, OfOneClub
from clubs.models.people import Club, Player, User


class MessageState(models.TextChoices):
    """How far a message has come."""

    DRAFT = "draft", "draft"
    WAITING = "waiting", "being sent"
    SENT = "sent", "sent"
    REFUSED = "refused", "not delivered"
    DROPPED = "dropped", "excluded"


class Batch(models.Model):
    """Messages that were written together: one matter, to many people."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="batches")
    kind = models.CharField(max_length=40)
    about = models.PositiveBigIntegerField(null=True, blank=True, help_text="the row, by kind")
    title = models.CharField(max_length=120)
    made_by = models.ForeignKey(User, null=True, blank=True, on_delete=models.SET_NULL)
    made_at = models.DateTimeField(auto_now_add=True)

    objects = OfOneClub()

    class Meta:
        ordering = ["-pk"]

    def __str__(self) -> str:
        return self.title


class Message(models.Model):
    """One person's message, as text; ``key`` makes it the same email however often it is sent."""

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

    objects = OfABatch()

    class Meta:
        ordering = ["pk"]
        constraints = [
            models.UniqueConstraint(name="one_message_each", fields=["batch", "player"]),
        ]

    def __str__(self) -> str:
        return f"{self.subject}, to {self.player}"
