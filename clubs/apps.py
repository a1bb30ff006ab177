"""Clubs as a Django app."""

from django.apps import AppConfig


class ClubsConfig(AppConfig):
    """Members, evenings, leagues."""

    name = "clubs"
