"""Who did what: a line for every change that someone signed in has made."""

from django.db import models

from clubs.apart import OfOneClub
from clubs.models.people import Club, User
from clubs.moments import logged_moment


class Deed(models.Model):
    """One change, by whom and by which door; the sentence is made when it is read."""

    club = models.ForeignKey(
        Club, null=True, blank=True, on_delete=models.CASCADE, related_name="deeds"
    )
    made_by = models.ForeignKey(
        User, null=True, blank=True, on_delete=models.SET_NULL, related_name="deeds"
    )
    by = models.CharField(max_length=80, blank=True, help_text="program or command, if no browser")
    what = models.CharField(max_length=60, help_text="the name of the address or of the event")
    about = models.JSONField(default=dict, help_text="what the address named: numbers and keys")
    request_id = models.CharField(max_length=64, blank=True)
    at = models.DateTimeField(auto_now_add=True)

    objects = OfOneClub()

    class Meta:
        ordering = ["-pk"]
        indexes = [models.Index(name="deeds_of_a_club", fields=["club", "-at"])]

    def __str__(self) -> str:
        return f"{self.what} at {logged_moment(self.at)}"
