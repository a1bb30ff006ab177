"""Every kind of link opens from the club's database, also one printed before the club was moved."""

from django.test import Client
from django.urls import reverse

from clubs.databases import MAIN
from clubs.hosting.services.moving import move_club
from clubs.messages.mail import stop_key
from clubs.messages.message_kinds import Topic
from clubs.models import (
    AgreedTerms,
    Club,
    Invitation,
    Player,
    ReplacedLink,
    RoleInvitation,
    Series,
    SessionTable,
)
from clubs.table.event import seat_key
from config.placing import LINKS, place_of
from scoring.scorebook.models import Hand
from scoring.scorebook.selectors import address_of
from tests.clubs.hosting.whole_club import make_whole_club
from tournaments.models import Table, Tournament


def links_of(club: Club) -> dict[str, str]:
    """An address of every kind that opens without a sign-in, by what it is."""
    table = SessionTable.objects.get(session__club=club)
    seated = Table.objects.filter(game__isnull=False).earliest("pk")
    cup, player = Tournament.objects.get(), Player.objects.filter(club=club).latest("pk")
    hands = Hand.objects.filter(is_current=True).order_by("pk")
    return {
        "table": reverse("table", args=[table.link_key]),
        "table, to a program": reverse("api-table", args=[table.link_key]),
        "seat": reverse("table", args=[seat_key(table, 2)]),
        "replaced": reverse("table", args=[ReplacedLink.objects.get().key]),
        "table of a round": reverse("round-table", args=[seated.link_key]),
        "seat of a round": reverse("round-table", args=[seat_key(seated, 1)]),
        "receipt": reverse("table-receipt", args=[address_of(hands.filter(game=table.game)[0])]),
        "receipt of a round": reverse(
            "round-table-receipt", args=[address_of(hands.filter(game=seated.game)[0])]
        ),
        "wall": reverse("wall", args=[table.session.wall_key]),
        "wall of a tournament": reverse("tournament-wall", args=[cup.wall_key]),
        "answer": reverse("standby-answer", args=[Invitation.objects.get().key]),
        "calendar": reverse("calendar-feed", args=[Series.objects.get().feed_key]),
        "role": reverse("role-invitation", args=[RoleInvitation.objects.get().key]),
        "no emails": reverse("stop-emails", args=[stop_key(player.pk, Topic.MESSAGES)]),
        "house rules": reverse("rules", args=[club.house_rules.get().edition.key]),
    }


def test_every_link_opens_from_wherever_the_club_is() -> None:
    terms = AgreedTerms.objects.create(digest="1", terms="t", privacy="p")
    links = links_of(make_whole_club("riverside", "Riverside", terms))
    phone = Client()
    before = {what: phone.get(link).status_code for what, link in links.items()}
    assert set(before.values()) == {200, 410}, before
    for name in ("north", "south", MAIN):
        move_club("riverside", to=name)
        assert {what: phone.get(link).status_code for what, link in links.items()} == before


def test_every_kind_of_link_is_tried() -> None:
    terms = AgreedTerms.objects.create(digest="1", terms="t", privacy="p")
    links = links_of(make_whole_club("riverside", "Riverside", terms)).values()
    tried = {"/".join(link.strip("/").split("/")[:2]) for link in links}
    assert set(LINKS) == {kind for kind in LINKS if any(link.startswith(kind) for link in tried)}


def test_a_link_that_opens_nothing_is_looked_for_everywhere() -> None:
    key = SessionTable(link_key="x" * 16).link_key
    assert place_of(f"/t/{key}/", {"key": key}, writes=False) is None
    assert Client().get(f"/t/{key}/").status_code == 404
