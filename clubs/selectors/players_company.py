"""Whom a player has sat with, who gained more then, and whom the player has not met yet."""

from collections import defaultdict
from dataclasses import dataclass, field

from clubs.core.people_names import names_of, person_of, standing
from clubs.models import Player, PlayerKind, SessionSeat, ShownAs
from clubs.models.names import EVERYBODY, Reader, name_key
from scoring.scorebook.models import SEAT_NUMBERS, Hand

A_FEW = 5
PLAYED = ("game_id", "deal", *(f"gain_{seat}" for seat in SEAT_NUMBERS))


@dataclass(frozen=True, slots=True)
class Companion:
    """Someone a player has sat with: the hands that both played, and what each gained in them."""

    player_id: int
    name: str
    evenings: int
    hands: int
    own: int
    theirs: int

    @property
    def ahead(self) -> int:
        """By how many points the player did better; below 0 the other did."""
        return self.own - self.theirs


@dataclass(frozen=True, slots=True)
class Company:
    """Everyone a player has sat with, the most often met first, and who is still to be met."""

    met: tuple[Companion, ...]
    not_met: tuple[str, ...]

    @property
    def least_met(self) -> tuple[str, ...]:
        """Who was met least, where that is a few and the others were met more often."""
        least = tuple(one.name for one in self.met if one.evenings == self.fewest)
        return least if len(least) <= min(A_FEW, len(self.met) - 1) else ()

    @property
    def fewest(self) -> int:
        """How many evenings those had who were met least."""
        return min((one.evenings for one in self.met), default=0)


@dataclass(slots=True)
class _Met:
    player: Player
    sessions: set[int] = field(default_factory=set)
    hands: int = 0
    own: int = 0
    theirs: int = 0

    def play(self, own: int, theirs: int) -> None:
        """One hand that both played."""
        self.hands += 1
        self.own += own
        self.theirs += theirs


def company_of(player: Player, *, reader: Reader = EVERYBODY) -> Company:
    """A player's record against everyone else; three queries.

    Who is not named to the reader is not named as still to be met.
    """
    met = {key: one for key, one in _met(player).items() if one.hands}
    members = standing(player.club).filter(is_active=True, kind=PlayerKind.MEMBER)
    rest = [one for one in members.exclude(pk=player.pk) if one.pk not in met]
    names = names_of([*(one.player for one in met.values()), *rest], reader)
    found = [
        Companion(key, names[key], len(one.sessions), one.hands, one.own, one.theirs)
        for key, one in met.items()
    ]
    named = [names[one.pk] for one in rest if reader.way(person_of(one)) != ShownAs.HIDDEN]
    return Company(
        met=tuple(sorted(found, key=lambda one: (-one.evenings, -one.hands, one.name))),
        not_met=tuple(sorted(named, key=name_key)),
    )


def _met(player: Player) -> dict[int, _Met]:
    """By player: everyone who had a seat at one of the player's tables."""
    seats: dict[int, dict[int, int]] = defaultdict(dict)
    sessions: dict[int, int] = {}
    met: dict[int, _Met] = {}
    places = SessionSeat.objects.filter(table__places__player=player)
    for place in places.select_related("player", "seat"):
        game, number = place.seat.game_id, place.seat.number
        seats[game][number] = place.player_id
        sessions[game] = place.session_id
        met.setdefault(place.player_id, _Met(place.player))
    hands = Hand.objects.filter(is_current=True, game__session_table__places__player=player)
    for game, deal, *gains in hands.values_list(*PLAYED):
        at = seats[game]
        played = {at[int(seat)]: gains[int(seat) - 1] for seat in deal["winds"]}
        for other, gain in played.items():
            if player.pk in played and other != player.pk:
                met[other].sessions.add(sessions[game])
                met[other].play(played[player.pk], gain)
    return met
