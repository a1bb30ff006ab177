"""Reading a rehearsal: its evening."""

from clubs.models import Club, Session


def evening_of(club: Club) -> Session | None:
    """The evening that is rehearsed; None in a club that is no rehearsal."""
    if club.rehearsal_of_id is None:
        return None
    evenings = Session.objects.filter(club=club).select_related("club", "season", "book")
    return evenings.order_by("held_on").last()
