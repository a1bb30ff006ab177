"""What stands in the fields of each message: the reader's own name, place, day or link."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from hashlib import sha256
from uuid import UUID

from django.conf import settings
from django.urls import reverse

from clubs.core.merge_fields import Values
from clubs.core.people_names import names_of
from clubs.evenings.selectors.evenings import ResultRow, result_of
from clubs.language.moments import long_date
from clubs.matters import INVITATION, OF_RESULTS, RENEWAL
from clubs.models import Batch, Invitation, Message, Player, Session
from clubs.models.names import Reader
from clubs.table.rows import tallied

DIGEST = 16


@dataclass(frozen=True, slots=True)
class ToldResult:
    """An evening's result as messages tell it; ``players`` are those of its rows."""

    rows: tuple[ResultRow, ...]
    players: tuple[Player, ...]

    @property
    def digest(self) -> str:
        """What stands in it; another one when a place or a gain changes."""
        told = [(row.place, row.player_id, row.points) for row in self.rows]
        return sha256(repr(told).encode()).hexdigest()

    def table_for(self, player_id: int) -> str:
        """Every row in letters of one width, with the names as this reader may read them."""
        names = names_of(self.players, Reader(player=player_id))
        longest = max(map(len, names.values()), default=0)
        return "\n".join(_line(row, names[row.player_id], longest) for row in self.rows)

    def place_of(self, player_id: int) -> str:
        """``Your place: 1 of 4, with +240.``; empty for someone who did not play."""
        own = next((row for row in self.rows if row.player_id == player_id), None)
        if own is None:
            return ""
        points = tallied(own.points, pays=own.pays)
        return f"Your place: {own.place}{'=' * own.is_tied} of {len(self.rows)}, with {points}."

    def key_for(self, message: Message) -> UUID:
        """The message's key: this result, this reader. So one result has one email a reader."""
        reader = sha256(f"{message.batch.about}.{message.player_id}".encode()).hexdigest()
        return UUID(hex=self.digest[:DIGEST] + reader[:DIGEST])


def _line(row: ResultRow, name: str, longest: int) -> str:
    place = f"{row.place}{'=' if row.is_tied else ''}"
    return f"{place:>4}  {name:<{longest}}  {tallied(row.points, pays=row.pays):>7}"


def told_result(session: Session) -> ToldResult:
    """The evening's result as it stands; two queries."""
    return ToldResult(result_of(session), tuple(Player.objects.filter(places__session=session)))


def session_of(batch: Batch) -> Session:
    """The evening whose result a batch tells."""
    return Session.objects.get(pk=batch.about or 0, club=batch.club_id)


def day_key(day: date) -> int:
    """A day as a batch notes what it is about: 20261117."""
    return int(f"{day:%Y%m%d}")


def day_of(key: int) -> date:
    """The day of such a key."""
    return date.fromisoformat(str(key))


def values_of(batch: Batch, messages: Sequence[Message]) -> dict[int, Values]:
    """By a person's key what stands in the fields; at most three queries however many there are."""
    players = [message.player for message in messages]
    own = {player.pk: {"name": player.name} for player in players}
    more = {INVITATION.key: _links, RENEWAL.key: _paid, **dict.fromkeys(OF_RESULTS, _results)}
    for name, told in more[batch.kind](batch, players) if batch.kind in more else ():
        for player, value in told.items():
            own[player][name] = value
    return dict(own)


Told = Iterable[tuple[str, dict[int, str]]]


def _links(batch: Batch, players: Sequence[Player]) -> Told:
    asked = Invitation.objects.filter(
        club=batch.club_id, held_on=day_of(batch.about or 0), player__in=players
    )
    found = dict(asked.values_list("player_id", "key"))
    yield "answer link", {player: answer_link(key) for player, key in found.items()}


def answer_link(key: str) -> str:
    """The full address at which someone says yes or no."""
    return settings.SITE_ADDRESS + reverse("standby-answer", args=[key])


def _paid(batch: Batch, players: Sequence[Player]) -> Told:  # noqa: ARG001 - as the others
    days = {player.pk: player.paid_until for player in players}
    told = {key: long_date(day) if day else "" for key, day in days.items()}
    yield "paid until", told


def _results(batch: Batch, players: Sequence[Player]) -> Told:
    result = told_result(session_of(batch))
    yield "your place", {player.pk: result.place_of(player.pk) for player in players}
    yield "result", {player.pk: result.table_for(player.pk) for player in players}
