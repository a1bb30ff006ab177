"""A club with one of everything that the API of a club can point to."""

from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any

from django.urls import get_resolver, reverse
from django.utils import timezone

from clubs.accounts.services import invite
from clubs.core.queue import make_job
from clubs.evenings.services import calendar
from clubs.house.services import keep_house_rules
from clubs.members.services import import_members, merge_players, tell_apart
from clubs.messages.selectors import batch_view
from clubs.models import (
    Batch,
    Club,
    Delivery,
    HouseRules,
    Job,
    Message,
    Player,
    PlayerMerge,
    Role,
    Session,
    TwoPeople,
    WishKind,
)
from clubs.webhooks.services import add_webhook, try_webhook
from scoring.house import read_house_rules
from tests.clubs.nights import SECOND_WINS, make_season, post
from tests.clubs.outbox import write
from tests.clubs.tables import seated_evening
from tests.clubs.year import make_series
from tests.people import Cast, make_player
from tests.test_doors import patterns

PURBECK = {"base": "bmja", "name": "Purbeck", "limit": 500}


@dataclass(frozen=True)
class Office:
    """The rows that addresses point to, each by the name that it has there."""

    cast: Cast
    evening: Session
    pat: Player
    twin: Player
    merge: PlayerMerge
    pair: TwoPeople
    batch: Batch
    job: Job
    rules: HouseRules
    delivery: Delivery
    day: date

    @property
    def club(self) -> Club:
        """The cast's club."""
        return self.cast.club

    @property
    def message(self) -> Message:
        """Message to Pat."""
        return self.batch.messages.get()

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
            "repair": 1,
            "season": self.evening.season_id,
            "credit": 1,
            "code": "0" * 32,
            "key": table.link_key,
            "player": self.pat.pk,
            "merge": self.merge.pk,
            "pair": self.pair.pk,
            "made": self.club.imports.get().pk,
            "wish": self.club.wishes.get().pk,
            "series": self.club.series.get().pk,
            "holiday": self.club.holidays.get().pk,
            "batch": self.batch.pk,
            "message": self.message.pk,
            "job": self.job.pk,
            "rules": self.rules.pk,
            "webhook": self.delivery.webhook_id,
            "person": self.club.memberships.get(user=self.cast.player).pk,
            "invitation": self.club.role_invitations.get().pk,
            "delivery": self.delivery.pk,
            "year": 2026,
            "day": self.day.isoformat(),
        }

    def address(self, name: str, **instead: Any) -> str:
        """Where that is for these rows; ``instead`` are other values of its parts."""
        keys = {**self.keys, **instead}
        if name == "api-wall":
            keys["key"] = self.evening.wall_key
        elif name in PAPERS:
            keys = {"paper": PAPERS[name], **keys}
        elif name.startswith(("api-score", "api-rules", "api-house-book")):
            keys["key"] = "bmja"
        return reverse(name, kwargs={part: keys[part] for part in parts_of(name)})

    @property
    def seen(self) -> str:
        """What the batch tells of itself."""
        return batch_view(self.batch).seen


# The printout that each list of addresses tries; the others have tables of their own.
PAPERS = {
    "api-evening-paper": "why",
    "api-club-paper": "special-hands",
    "api-season-paper": "table",
    "api-batch-paper": "letters",
}


@cache
def parts_of(name: str) -> tuple[str, ...]:
    """What the address of that name asks for."""
    found = next(one for one in patterns(get_resolver()) if one.name == name)
    return tuple(found.pattern.converters)


def make_office(cast: Cast) -> Office:
    """One of everything, in the cast's club."""
    club, day = cast.club, timezone.localdate() + timedelta(days=7)
    pat = club.players.get(name="Pat")
    Player.objects.filter(pk=pat.pk).update(email="pat@example.org")
    make_season(club)
    make_series(club)
    calendar.add_holiday(club=club, name="Half-term", first_on=day, last_on=day)
    club.holidays.exclude(name="Half-term").delete()
    calendar.set_stand_by(player=pat, is_glad=True)
    calendar.set_price(club=club, pence=250)
    calendar.add_wish(club=club, kind=WishKind.TABLE, player=pat, table=1)
    import_members(club=club, text="name\nOlwen", file_name="list.csv")
    kept, gone = make_player(club, "Maud Hill"), make_player(club, "M Hill")
    evening = seated_evening(club)
    webhook = add_webhook(club=club, address="https://tongbox.invalid/", kinds=["hand.recorded"])
    invite(club=club, email="bea@example.org", role=Role.SCORER, invited_by=cast.secretary)
    post(evening.tables.get(), SECOND_WINS)
    return Office(
        cast=cast,
        evening=evening,
        pat=pat,
        twin=make_player(club, "Patricia"),
        merge=merge_players(kept=kept, gone=gone),
        pair=tell_apart(one=kept, other=pat),
        batch=write(club, [pat], cast.secretary),
        job=make_job(club=club, kind="season pack", about=club.leagues.get().pk),
        rules=keep_house_rules(club=club, declared=read_house_rules(PURBECK)),
        delivery=try_webhook(webhook=webhook),
        day=day,
    )
