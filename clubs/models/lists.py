"""What was done to the list of members in one go, kept so that it can be undone."""

from django.db import models

from clubs.apart import OfOneClub
from clubs.models.people import Club, Player, User


class MemberImport(models.Model):
    """A file that was read in; ``before`` holds what each person it changed was before."""

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
    """Two records of one person made one; ``moved`` holds what was the second's, by table."""

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
