"""Who is in the sample club, and who signs in there."""

from clubs.models import Club, Membership, Player, PlayerKind, Role, User
from clubs.services.people import add_player

CLUB_NAME, CLUB_SLUG = "Riverside Mah-Jong Club", "riverside"
SIGN_IN_WORDS = "east wind prevails"

SIGN_INS = {
    Role.SECRETARY: ("secretary@example.org", "Margaret Hargreaves"),
    Role.DIRECTOR: ("director@example.org", "Dilip Chaudhuri"),
    Role.SCORER: ("scorer@example.org", "Siân Llewellyn"),
    Role.PLAYER: ("player@example.org", "Zoë Łukasiewicz"),
}
REGULARS = (
    *(name for _, name in SIGN_INS.values()),
    "Alan Whitcombe",
    "Bronagh O’Rourke",
    "Callum MacAskill",
    "Doreen Atkinson",
    "Efua Mensah",
    "Frances Pemberton-Hale",
    "Gwilym Rhys",
    "Harpreet Gill",
    "Iris Thackeray",
    "Joan Barraclough",
    "Kenneth Ogilvie",
    "Lin Mei-Hua",
    "Llŷr Prydderch",
    "Maureen Stubbs",
    "Nuala Ní Bhriain",
    "Oluwaseun Adeyemi",
    "Patricia Fairweather",
    "René Duquesne",
    "Tom Postlethwaite",
    "Yasmin Qureshi",
)
GUEST = "Beryl Nakamura-Jones"


def make_club() -> Club:
    """The club with all its members and the four who sign in."""
    club = Club.objects.create(name=CLUB_NAME, slug=CLUB_SLUG, shows_results=True)
    players = {name: _member(club, name) for name in REGULARS}
    for role, (email, name) in SIGN_INS.items():
        user = User.objects.create_user(email, SIGN_IN_WORDS, name=name)
        Membership.objects.create(club=club, user=user, role=role, player=players[name])
    return club


def _member(club: Club, name: str) -> Player:
    emails = {owner: email for email, owner in SIGN_INS.values()}
    return add_player(
        club=club,
        name=name,
        kind=PlayerKind.MEMBER,
        email=emails.get(name, ""),
        wants_results=name in emails,
    )
