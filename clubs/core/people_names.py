"""The names by which a club's people are known, and how each is shown to a reader."""

from collections.abc import Iterable

from django.db.models import Exists, OuterRef, QuerySet

from clubs.core.similar_names import Known
from clubs.models import Alias, Club, Player, PlayerMerge
from clubs.models.names import Person, Reader, shown_names


def names_of(players: Iterable[Player], reader: Reader) -> dict[int, str]:
    """The players of one list by their keys, as the reader may read them; no query."""
    return shown_names(map(person_of, players), reader)


def person_of(player: Player) -> Person:
    """The player as lists name them."""
    return Person(player.pk, player.name, player.shown_as, player.pk)


def standing(club: Club) -> QuerySet[Player]:
    """The club's people by name, without those erased and records made one with another."""
    merged = PlayerMerge.objects.filter(gone=OuterRef("pk"), undone_at=None)
    return Player.objects.filter(~Exists(merged), club=club, erased_on=None)


def people_of(club: Club) -> dict[int, Player]:
    """Everyone of the club by key; one query."""
    return {player.pk: player for player in standing(club)}


def known_names(club: Club, people: Iterable[Player]) -> list[Known]:
    """Every name by which these people of the club are known, their own first; one query."""
    own = [Known(player.pk, player.name) for player in people]
    keys = {entry.person for entry in own}
    aliases = Alias.objects.filter(club=club).values_list("player_id", "name")
    others = [Known(person, name, is_alias=True) for person, name in aliases if person in keys]
    return [*own, *others]


def names_held(club: Club) -> dict[str, int]:
    """Whose each name is, by the name's key; three queries."""
    every = dict(Player.objects.filter(club=club).values_list("name_key", "pk"))
    aliases = dict(Alias.objects.filter(club=club).values_list("name_key", "player_id"))
    own = dict(standing(club).values_list("name_key", "pk"))
    return every | aliases | own
