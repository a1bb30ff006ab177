"""How other programs come in: tokens with scopes, and answers kept for whoever asks again."""

from django.db import models

from clubs.models.people import Club, User


class Scope(models.TextChoices):
    """What a key for a program may be good for; what its person may do bounds it besides."""

    READ = "read", "View what you can see"
    OWN = "own", "Change your own settings: your name as shown, your keys"
    PEOPLE = "people", "Members: view all details, add and edit"
    EVENINGS = "evenings", "Run evenings: check in, seat, preferences, calendar, table money"
    HANDS = "hands", "Enter and correct hands"
    LEAGUE = "league", "Change seasons, rules and the club’s settings"
    MESSAGES = "messages", "Send messages"
    PAPERS = "papers", "Download printouts"
    TOURNAMENTS = "tournaments", "Run tournaments"
    WEBHOOKS = "webhooks", "Manage webhooks"


class ApiToken(models.Model):
    """A person's key for a program, for what its scopes name; only its digest is kept."""

    user = models.ForeignKey(User, on_delete=models.CASCADE, related_name="api_tokens")
    club = models.ForeignKey(
        Club,
        null=True,
        blank=True,
        on_delete=models.CASCADE,
        related_name="api_tokens",
        help_text="empty: every club in which the person has a role",
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
        """What it is good for, in words."""
        return [Scope(name).label for name in self.scopes]


class KeptAnswer(models.Model):
    """What a request with an ``Idempotency-Key`` was answered; empty while it is being answered."""

    owner = models.CharField(max_length=80, help_text="token, account or table link that asked")
    key = models.CharField(max_length=200)
    asked = models.CharField(max_length=64, help_text="SHA-256 of method, path and body")
    status = models.PositiveSmallIntegerField(null=True, blank=True)
    body = models.TextField(blank=True)
    made_at = models.DateTimeField(auto_now_add=True)

    class Meta:
        constraints = [
            models.UniqueConstraint(name="one_answer_to_a_key", fields=["owner", "key"]),
        ]
        indexes = [models.Index(name="kept_answers_by_age", fields=["made_at"])]

    def __str__(self) -> str:
        return f"{self.key}: {self.status}"
