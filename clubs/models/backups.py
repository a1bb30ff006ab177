"""Backups of the whole installation, each put back into an empty database and compared."""

from django.db import models

from clubs.moments import logged_moment


class Backup(models.Model):
    """One backup: what was written, and whether it gave the same digest when it was put back."""

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
