"""Links that were printed and have been replaced since."""

from django.db import models
from django.utils import timezone

from clubs.models.people import Club
from clubs.moments import long_date


class ReplacedLink(models.Model):
    """A table's link that opens nothing any more, and the one that stands on the card now."""

    club = models.ForeignKey(Club, on_delete=models.CASCADE, related_name="replaced_links")
    key = models.CharField(max_length=24, unique=True)
    stands = models.CharField(max_length=24, db_index=True, help_text="the key that opens it now")
    replaced_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ["-replaced_at"]

    def __str__(self) -> str:
        return f"link of {self.club}, replaced {long_date(self.replaced_at)}"
