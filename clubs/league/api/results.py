"""What a club and its people have played, over the API."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from django.http import Http404
from django.shortcuts import get_object_or_404
from django.urls import path, reverse
from django.utils import timezone

from clubs.api.base import ClubAPIView, ClubListAPIView, ClubTableAPIView, lists, reads
from clubs.api.fields import days, flag
from clubs.api.papers import PaperAPIView, PaperShape, papers_data, prints
from clubs.core.permissions import SEE_HOME, SEE_LEAGUE, SEE_RESULTS
from clubs.league.papers import special_hands_pdf
from clubs.league.schemas import (
    CareerShape,
    CompanyShape,
    FrontShape,
    PlayedShape,
    RatedShape,
    SpecialBookShape,
    SpecialHandShape,
)
from clubs.league.selectors.players import company_of, player_seasons, rating_of, ratings_of
from clubs.league.selectors.records import best_hand_of, front_page, special_book
from clubs.members.selectors import kept_instead, player_view
from clubs.models import Player
from clubs.paper.formats import Format


class FrontView(ClubAPIView):
    access = SEE_HOME

    @reads(FrontShape)
    def get(self) -> dict[str, Any]:
        """Get a club at a glance: the current evening, last result and leaders you may see."""
        front = front_page(
            self.club, today=timezone.localdate(), sees=self.sees, reader=self.reader
        )
        glance = {name: getattr(front, name) for name in front.__slots__}
        who = {name: getattr(self.club, name) for name in ("slug", "name", "rules")}
        return {**glance, **who}


class OfPlayer(ClubAPIView):
    access = SEE_RESULTS

    @property
    def player(self) -> Player:
        """The person of the address, or the record that theirs was merged into."""
        people = self.club.players.select_related("club")
        shown = get_object_or_404(people, pk=self.kwargs["player"])
        kept = kept_instead(shown)
        return people.get(pk=kept) if kept else shown


class CareerView(OfPlayer):
    @reads(CareerShape)
    def get(self) -> dict[str, Any]:
        """Get a player's numbers for each season and overall, chart, best hand and rating."""
        player = self.player
        seasons = player_seasons(player, reader=self.reader)
        best = best_hand_of(player, seasons.history.best_hand)
        return {
            "history": seasons.history,
            "career": seasons.career,
            "seasons": seasons.seasons,
            "running": seasons.running,
            "best": best and replace(best, name=seasons.history.name),
            "rating": rating_of(player),
        }


class PlayedView(OfPlayer, ClubListAPIView):
    filters = days("held_on")

    @lists(PlayedShape)
    def get(self) -> Any:
        """List the evenings that a person has played, newest first."""
        return player_view(self.player, reader=self.reader).evenings


class CompanyView(OfPlayer, ClubTableAPIView):
    table = "met"

    @reads(CompanyShape)
    def get(self) -> Any:
        """Get a person's opponents, who gained more, and members not yet met."""
        return company_of(self.player, reader=self.reader)


class RatingsView(ClubListAPIView):
    access = SEE_LEAGUE

    @lists(RatedShape)
    def get(self) -> Any:
        """List everyone’s rating, newcomers last. It is 404 if the club has no ratings."""
        if not self.club.rates:
            raise Http404
        lists = ratings_of(self.club, reader=self.reader)
        return (*lists.settled, *lists.newcomers)


class SpecialHandsView(ClubListAPIView):
    access = SEE_RESULTS
    filters = (*days("day"), flag("is_disputed"))

    @lists(SpecialHandShape)
    def get(self) -> Any:
        """List the special hands that went Mah-Jong, with their tiles, newest first."""
        return special_book(self.club, reader=self.reader).hands


class SpecialBookView(ClubTableAPIView):
    access = SEE_RESULTS
    table = "made"

    @reads(SpecialBookShape)
    def get(self) -> Any:
        """Get how often each special hand was made and by whom, and those still to be made."""
        return special_book(self.club, reader=self.reader)


class SpecialHandsPaper(PaperAPIView):
    access = SEE_RESULTS

    @prints()
    def get(self, form: Format) -> tuple[bytes, str]:
        """Print the club’s special hands."""
        book = special_book(self.club, reader=self.reader)
        paper = special_hands_pdf(self.club.name, book, form)
        return paper, f"{self.club.slug}-special-hands"


class ClubPapersView(ClubListAPIView):
    access = SEE_RESULTS

    @lists(PaperShape)
    def get(self) -> Sequence[Any]:
        """List the printouts for the club itself.

        Evenings, seasons and batches of messages each have a list of their own.
        """
        at = reverse("api-special-hands-pdf", args=[self.club.slug])
        return papers_data(self.request, [("Special hands", "Every special hand", at)])


CLUB = "clubs/<slug:club>/"
PERSON = f"{CLUB}players/<int:player>/"
urlpatterns = [
    path(CLUB, FrontView.as_view(), name="api-club"),
    path(f"{PERSON}career/", CareerView.as_view(), name="api-player-career"),
    path(f"{PERSON}evenings/", PlayedView.as_view(), name="api-player-evenings"),
    path(f"{PERSON}company/", CompanyView.as_view(), name="api-player-company"),
    path(f"{CLUB}rating/", RatingsView.as_view(), name="api-rating"),
    path(f"{CLUB}special-hands/", SpecialHandsView.as_view(), name="api-special-hands"),
    path(f"{CLUB}special-hands/book/", SpecialBookView.as_view(), name="api-special-book"),
    path(f"{CLUB}papers/", ClubPapersView.as_view(), name="api-papers"),
    path(
        f"{CLUB}papers/special-hands.pdf", SpecialHandsPaper.as_view(), name="api-special-hands-pdf"
    ),
]
