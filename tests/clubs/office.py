"""A club with one of everything that the API of a club can point to."""

from dataclasses import dataclass
from datetime import timedelta
from functools import cache
from typing import Any

from django.urls import get_resolver, reverse
from django.utils import timezone

from clubs.core.queue import make_job
from clubs.evenings.services import calendar
from clubs.house.services import save_house_rules
from clubs.members.services.imports import import_members
from clubs.models import Batch, Club, Delivery, HouseRules, Job, Player, Session
from clubs.webhooks.services import add_webhook, try_webhook
from scoring.house import read_house_rules
from tests.clubs.nights import SECOND_WINS, make_season, post
from tests.clubs.outbox import write
from tests.clubs.tables import seated_evening
from tests.clubs.year import make_series
from tests.people import Cast
from tests.test_doors import patterns

PURBECK = {"base": "bmja", "name": "Purbeck", "limit": 500}


@dataclass(frozen=True)
class Office:
    """The rows that addresses point to, each by the name that it has there."""

    cast: Cast
    evening: Session
    pat: Player
    batch: Batch
    job: Job
    rules: HouseRules
    delivery: Delivery

    @property
    def club(self) -> Club:
        """The cast's club."""
        return self.cast.club

    @property
    def keys(self) -> dict[str, Any]:
        """What each part of an address is called there, and what it is here."""
        table = self.evening.tables.get()
        return {
            "club": self.club.slug,
            "evening": self.evening.pk,
            "number": table.number,
            "seat": 1,
            "hand": table.game.hands.get().pk,
            "season": self.evening.season_id,
            "code": "0" * 32,
            "key": table.link_key,
            "player": self.pat.pk,
            "made": self.club.imports.get().pk,
            "series": self.club.series.get().pk,
            "holiday": self.club.holidays.get().pk,
            "batch": self.batch.pk,
            "job": self.job.pk,
            "rules": self.rules.pk,
            "webhook": self.delivery.webhook_id,
            "delivery": self.delivery.pk,
            "year": 2026,
        }

    def address(self, name: str, **overrides: Any) -> str:
        """Where that is for these rows; ``overrides`` are other values of its parts."""
        keys = {**self.keys, **overrides}
        if name == "api-wall":
            keys["key"] = self.evening.wall_key
        elif name in PAPERS:
            keys = {"printout": PAPERS[name], **keys}
        elif name.startswith(("api-score", "api-rules")):
            keys["key"] = "bmja"
        return reverse(name, kwargs={part: keys[part] for part in parts_of(name)})


# The printout that each list of addresses tries; the others have tables of their own.
PAPERS = {
    "api-evening-paper": "why",
    "api-club-paper": "special-hands",
    "api-season-paper": "table",
}


@cache
def parts_of(name: str) -> tuple[str, ...]:
    """What the address of that name asks for."""
    pattern = next(candidate for candidate in patterns(get_resolver()) if candidate.name == name)
    return tuple(pattern.pattern.converters)


def make_office(cast: Cast) -> Office:
    """One of everything, in the cast's club."""
    club, day = cast.club, timezone.localdate() + timedelta(days=7)
    pat = club.players.get(name="Pat")
    Player.objects.filter(pk=pat.pk).update(email="pat@example.org")
    make_season(club)
    make_series(club)
    calendar.add_holiday(club=club, name="Half-term", first_on=day, last_on=day)
    club.holidays.exclude(name="Half-term").delete()
    calendar.set_table_money(club=club, pence=250)
    import_members(club=club, text="name\nOlwen", file_name="list.csv")
    evening = seated_evening(club)
    webhook = add_webhook(club=club, address="https://tongbox.invalid/", kinds=["hand.recorded"])
    post(evening.tables.get(), SECOND_WINS)
    return Office(
        cast=cast,
        evening=evening,
        pat=pat,
        batch=write(club, [pat], cast.secretary),
        job=make_job(club=club, kind="season pack", subject_key=club.leagues.get().pk),
        rules=save_house_rules(club=club, declared_rules=read_house_rules(PURBECK)),
        delivery=try_webhook(webhook=webhook),
    )
