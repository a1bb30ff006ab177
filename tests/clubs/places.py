"""What each address of a club asks for, with the rows that it points to."""

from typing import Any

from clubs.members.services.imports import import_members
from clubs.members.services.merging import mark_as_two_people, merge_players
from clubs.models import Club, MemberImport, PlayerMerge, Webhook, Wish, WishKind
from clubs.webhooks.services import add_webhook
from tests.people import make_player

EVERYTHING = ("everything", "everything-file", "everything-data")
PERSONS = (
    "player",
    "member-change",
    "member-email-again",
    "member-renew",
    "member-lapse",
    "member-join",
    "member-merge",
    "member-apart",
    "member-erase",
    "member-delete",
    "member-me",
    *EVERYTHING,
)


def table_places(key: str) -> dict[str, list[Any]]:
    """What each address of a table asks for, by the key of its link."""
    plain = ("aid", "standings", "seats", "hands", "more", "ahead", "send", "tapped")
    acts = ("agree", "dispute", "undo", "hand-receipt", "tiles")
    return {
        "table": [key],
        **{f"table-{page}": [key] for page in plain},
        **{f"table-{act}": [key, 1] for act in acts},
        "table-formerly": [key, "x"],
        "table-worker": [],
        "table-receipt": ["0" * 32],
    }


def wish_places(club: Club) -> dict[str, list[Any]]:
    """Where the pages of wishes are; one is noted."""
    pat = club.players.get(name="Pat")
    wish, _ = Wish.objects.get_or_create(club=club, kind=WishKind.TABLE, player=pat, table=1)
    return {"wish-add": [club.slug, "apart"], "wish-back": [club.slug, wish.pk]}


def program_places(club: Club) -> dict[str, list[Any]]:
    """Where the programs are that are told; one is noted, which nobody hears."""
    webhook = Webhook.objects.filter(club=club).first() or add_webhook(
        club=club, address="https://tongbox.invalid/heard/", kinds=["hand.recorded"]
    )
    return {
        f"webhook-{act}": [club.slug, webhook.pk] for act in ("test", "secret", "switch", "remove")
    }


def people_places(club: Club, player: list[Any]) -> dict[str, list[Any]]:
    """Where the pages of people are: a list was read in, and two records were made one."""
    member_import = MemberImport.objects.filter(club=club).first()
    member_import = member_import or import_members(club=club, text="name\nNgaio")
    merge = PlayerMerge.objects.filter(club=club).first()
    if merge is None:
        kept_player, merged_player = (make_player(club, name) for name in ("Maud Hill", "M Hill"))
        merge = merge_players(kept_player=kept_player, merged_player=merged_player)
    pair = club.two_people.first()
    if pair is None:
        member, other_member = (make_player(club, name) for name in ("Enid Moss", "Edna Moss"))
        pair = mark_as_two_people(person=member, other_person=other_member)
    return {
        "members-take-back": [club.slug, member_import.pk],
        "merge-undo": [club.slug, merge.pk],
        "two-people-undo": [club.slug, pair.pk],
        **dict.fromkeys(PERSONS, player),
    }


def calendar_places(club: Club) -> dict[str, list[Any]]:
    """Where the pages of the club's year are; the series has one evening."""
    series, holiday = club.series.get(), club.holidays.get()
    return {
        "calendar-feed": [series.feed_key],
        "standby": [club.slug, "2026-11-17"],
        "standby-answer": [club.invitations.get().key],
        "calendar-day": [series.feed_key, "2026-11-17"],
        **{name: [club.slug, series.pk] for name in ("series-change", "series-remove")},
        "holiday-remove": [club.slug, holiday.pk],
    }


def of_season(season: list[Any], player: object) -> dict[str, list[Any]]:
    """What each address of a season asks for."""
    printouts = ("pack", "book", "papers", "poster-pdf", "pdf")
    plain = ("change", *printouts, "rules", "given", "handicap", "credit")
    return {
        "season": season,
        **{f"season-{page}": season for page in plain},
        **{f"season-{page}": [*season, 1] for page in ("try", "adopt")},
        **{f"season-{page}": [*season, player] for page in ("why", "credit-back")},
    }
