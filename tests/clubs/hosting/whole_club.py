"""A club with at least one row in every table that can hold any of a club's."""

from datetime import date
from typing import Any

from django.core.files.base import ContentFile
from django.utils import timezone

from clubs.accounts.services import make_token
from clubs.evenings.event import EveningTable
from clubs.evenings.services import evenings
from clubs.house.services import play_rehearsal_hands, start_rehearsal
from clubs.models import (
    AgreedTerms,
    Club,
    Erasure,
    FoundingRequest,
    Invitation,
    KeptAnswer,
    Player,
    Retention,
    Role,
    Scope,
    Season,
    SentResult,
    StandBy,
    TwoPeople,
    User,
)
from clubs.table.services import replace_links
from clubs.tenancy import club_scope
from scoring.scorebook.models import TappedHand
from tests.people import make_user
from tests.scoring.scorebook.book import decide, say
from tests.test_other_clubs import make_everything
from tournaments.models import Call, SeatingChange, StepBack, Tournament

DAY = date(2026, 11, 24)


def make_whole_club(slug: str, name: str, terms: AgreedTerms) -> Club:
    """The club; its secretary is in no other one, and a practice evening is being played."""
    club = Club.objects.create(name=name, slug=slug, agreed_to=terms)
    with club_scope(club.pk):
        secretary = make_user(club, f"Sec {slug}".replace(" ", "."), Role.SECRETARY)
        club.founded_by = secretary
        club.save()
        make_everything(club, secretary)
        _add_the_rest(club, secretary, terms)
        practice = start_rehearsal(club=club)
    with club_scope(practice.club_id):
        evenings.seat_session(session=practice)
        play_rehearsal_hands(session=practice, hands=2)
    return club


def _add_the_rest(club: Club, secretary: User, terms: AgreedTerms) -> None:
    player = Player.objects.filter(club=club).latest("pk")
    evening, cup = club.sessions.get(), Tournament.objects.get(club=club)
    season = Season.objects.get(league__club=club)
    table = evening.tables.get()
    make_token(user=secretary, name="Screen", scopes=[Scope.READ], club=club)
    Retention.objects.create(club=club)
    KeptAnswer.objects.create(club=club, owner=club.slug, key="k", asked="a", status=200)
    Erasure.objects.create(club=club, player=player, what="One person")
    season.handicaps.create(player=player, points=3)
    SentResult.objects.create(session=evening, player=player, digest="x")
    replace_links(table=EveningTable(table))
    Invitation.objects.create(club=club, player=player, held_on=DAY)
    StandBy.objects.create(club=club, player=player)
    TwoPeople.objects.create(club=club, one=club.players.earliest("pk"), other=player)
    evening.money.create(player=player, pence=250)
    request: dict[str, Any] = {"name": club.name, "person": "x", "email": secretary.email}
    FoundingRequest.objects.create(
        digest=club.slug, sent_from="x", terms=terms, club=club, **request
    )
    SeatingChange.objects.create(tournament=cup, what="x", before=[], made_by="x")
    round_table = cup.rounds.earliest("number").tables.earliest("number")
    Call.objects.create(table=round_table, called_at=timezone.now())
    StepBack.objects.create(tournament=cup, what="reopened", reason="late", made_by="x")
    TappedHand.objects.create(game=table.game, number=9, seat=1, draft="x")
    cup.rounds.earliest("number").sitting_out.add(cup.entrants.latest("number"))
    hand = round_table.game.hands.get(is_current=True)
    say(hand, 1)
    decide(hand)
    club.audit_entries.create(what="found_club", by="x")
    job = club.jobs.get()
    job.result.save("pack.pdf", ContentFile(b"%PDF"))
    cup.printings.create(job=job, kind="sheets", address="http://localhost:8000")
