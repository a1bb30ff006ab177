"""What the sample club's secretary has noted for the seating."""

from clubs.evenings.services.seating import add_wish
from clubs.models import Club, Role, WishKind

WISHES = (
    (WishKind.APART, "Gwilym Rhys", "Tom Postlethwaite", None, "Asked by both of them"),
    (WishKind.TOGETHER, "Frances Pemberton-Hale", "Maureen Stubbs", None, "One lift home"),
    (WishKind.HELPER, "Yasmin Qureshi", "Iris Thackeray", None, "Began in September"),
    (WishKind.HELPER, "Yasmin Qureshi", "Kenneth Ogilvie", None, ""),
    (WishKind.TABLE, "Doreen Atkinson", "", 1, "Cannot manage the steps to the back room"),
)


def note_wishes(club: Club) -> None:
    """Two apart, two together, a beginner with two helpers, and a table without steps."""
    players = {player.name: player for player in club.players.all()}
    secretary = club.memberships.get(role=Role.SECRETARY).user
    for kind, name, other, table, reason in WISHES:
        add_wish(
            club=club,
            kind=kind,
            player=players[name],
            other=players.get(other),
            table=table,
            reason=reason,
            made_by=secretary,
        )
