"""The list of members on paper: names, membership, phone numbers."""

from collections.abc import Iterable, Sequence

from clubs.language.moments import short_date
from clubs.members.selectors import MemberRow, people_count_words
from clubs.models import PlayerKind
from clubs.paper.document import Column, ListPart, draw_list, title_drawer
from clubs.paper.formats import DEFAULT_FORMAT, Format
from clubs.paper.page import Paper

TITLE = "Members"
NOTE = "Names, membership and phone numbers"


def members_pdf(
    club: str, people: Sequence[MemberRow], day: str, form: Format = DEFAULT_FORMAT
) -> bytes:
    """A PDF of everyone who has not left, the guests below the members; ``day`` is today.

    A club that records no payments has no column for them.
    """
    paper = Paper(f"{club}: members", form)
    active_people = [row for row in people if row.player.is_active]
    pays = any(row.player.paid_until for row in active_people)
    parts = []
    for heading, are_members in (("", True), ("Guests", False)):
        of_kind = [
            row for row in active_people if (row.player.kind == PlayerKind.MEMBER) == are_members
        ]
        if of_kind:
            parts.append(ListPart(heading, tuple(_member_cells(of_kind, pays=pays))))
    draw_list(
        paper,
        columns=(
            Column("Name", 44, "left", wraps=True, holds="surnames"),
            *([Column("Membership", 28, "left", wraps=True)] if pays else []),
            Column("Phone", 28, "left", wraps=True),
        ),
        parts=parts,
        top=title_drawer(paper, club, day, TITLE, people_count_words(active_people)),
        footer=TITLE,
    )
    return paper.finish()


def _member_cells(people: Iterable[MemberRow], *, pays: bool) -> Iterable[tuple[str, ...]]:
    """Name, ``paid until 31 Aug 2027``, and both phone numbers."""
    for row in people:
        player, paid_until = row.player, row.player.paid_until
        membership = [f"paid until {short_date(paid_until)}" if paid_until else ""] if pays else []
        yield row.name, *membership, ", ".join(filter(None, (player.phone, player.second_phone)))
