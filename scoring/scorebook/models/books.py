"""The book of an event: a chain of links, each sealed over the one before it."""

from django.db import models


class Book(models.Model):
    """Everything that was written about the games of one evening or tournament, in its order."""

    length = models.PositiveIntegerField(default=0)
    head = models.CharField(max_length=64, blank=True, help_text="the last link's digest")

    def __str__(self) -> str:
        return f"book {self.pk}"
