"""The cast: who tries every door. Each is made in the same club, but for the stranger."""

from dataclasses import dataclass

from django.conf import settings
from django.test import Client

from clubs.models import Club, Membership, Player, Role, User
from clubs.models.names import name_key

PASSWORD = "four winds blow"


@dataclass(frozen=True, slots=True)
class Cast:
    """The people of one club and one from elsewhere."""

    club: Club
    secretary: User
    director: User
    scorer: User
    player: User
    stranger: User

    def people(self) -> dict[str, User | None]:
        """Each person by what they are; None for someone not signed in."""
        return {
            "secretary": self.secretary,
            "director": self.director,
            "scorer": self.scorer,
            "player": self.player,
            "member of another club": self.stranger,
            "nobody": None,
        }


def make_club(name: str = "Riverside Mah-Jong Club", slug: str = "riverside") -> Club:
    """A club that plays BMJA rules."""
    return Club.objects.create(name=name, slug=slug)


def make_player(club: Club, name: str, **fields: object) -> Player:
    """A member of the club."""
    return Player.objects.create(club=club, name=name, name_key=name_key(name), **fields)


def make_user(club: Club, name: str, role: Role) -> User:
    """Someone who signs in with ``<name>@example.org`` and PASSWORD."""
    user = User.objects.create_user(f"{name.casefold()}@example.org", PASSWORD, name=name)
    player = make_player(club, name)
    Membership.objects.create(club=club, user=user, role=role, player=player)
    return user


def browser_of(user: User | None) -> Client:
    """A browser in which someone is signed in, without a password typed; None: nobody is."""
    client = Client()
    if user is not None:
        client.force_login(user, backend="django.contrib.auth.backends.ModelBackend")
    return client


def session_key_of(user: User) -> str:
    """What the cookie of a browser carries in which this user is signed in."""
    return browser_of(user).cookies[settings.SESSION_COOKIE_NAME].value


def make_cast() -> Cast:
    """Everyone, in two clubs."""
    club = make_club()
    elsewhere = make_club("Hill Top Tiles", "hill-top")
    return Cast(
        club=club,
        secretary=make_user(club, "Alice", Role.SECRETARY),
        director=make_user(club, "Dev", Role.DIRECTOR),
        scorer=make_user(club, "Sunil", Role.SCORER),
        player=make_user(club, "Pat", Role.PLAYER),
        stranger=make_user(elsewhere, "Carol", Role.SECRETARY),
    )
