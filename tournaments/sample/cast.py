"""Who is in the sample club, and who signs in there."""

from clubs.house import services
from clubs.members.services.people import add_player
from clubs.models import Club, Membership, Player, PlayerKind, Role, ShownAs, User
from clubs.models.tenancy import within
from scoring.house import read_house_rules

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
SHOWN_AS = {"Lin Mei-Hua": ShownAs.INITIAL, "Nuala Ní Bhriain": ShownAs.HIDDEN}
HOUSE_RULES = {
    "base": "bmja",
    "name": "Riverside quick rules",
    "limit": 500,
    "choices": {"knitting_in_any_two_suits": True},
    "points": {"Flower or season": 2},
    "without": ["plucking_the_moon", "twofold_fortune"],
    "specials": [
        {
            "key": "gerties_garter",
            "name": "Gertie’s Garter",
            "tiles": "a1-7 b1-7",
            "won": {"share": [1, 2]},
            "fishing": {"share": [1, 5]},
        }
    ],
}
GUEST = "Beryl Nakamura-Jones"


def make_club() -> Club:
    """The club with all its members and the four who sign in."""
    club = Club.objects.create(
        name=CLUB_NAME,
        slug=CLUB_SLUG,
        shows_results=True,
        shows_league=True,
        shows_calendar=True,
        rates=True,
    )
    with within(club.pk):
        players = {name: _member(club, name) for name in REGULARS}
        for role, (email, name) in SIGN_INS.items():
            user = User.objects.create_user(email, SIGN_IN_WORDS, name=name)
            Membership.objects.create(club=club, user=user, role=role, player=players[name])
    return club


def keep_house_rules(club: Club) -> None:
    """What the club plays otherwise on its quick evenings; kept, and chosen by nobody yet."""
    secretary = User.objects.get(email=SIGN_INS[Role.SECRETARY][0])
    services.keep_house_rules(club=club, declared=read_house_rules(HOUSE_RULES), made_by=secretary)


def _member(club: Club, name: str) -> Player:
    emails = {owner: email for email, owner in SIGN_INS.values()}
    return add_player(
        club=club,
        name=name,
        kind=PlayerKind.MEMBER,
        email=emails.get(name, ""),
        wants_results=name in emails,
        shown_as=SHOWN_AS.get(name, ShownAs.FULL),
    )
