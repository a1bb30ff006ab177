"""Changes prizes, and publishes results."""

from collections.abc import Iterator, Mapping
from typing import Final

from django.db import transaction
from django.db.models import Max
from django.utils import timezone

from clubs.core.audit_log import last_entry
from clubs.core.forms import Event, Overtaken, ShownState, done_already_refusal, overtaken_refusal
from clubs.core.locks import reload_or_refuse
from clubs.models import News
from clubs.models.names import MAX_NAME, name_fault, tidy_name
from scoring.scorebook.refusals import Refusal, Refused, refuse
from tournaments.core import emit_tournament_event, lock_tournament, touch
from tournaments.models import Entrant, Prize, PrizeKind, Tournament, TournamentState
from tournaments.results.selectors.results import (
    BEST_OF_METRICS,
    ORDINALS,
    prizes_state,
    rule_state,
    usual_prizes,
)
from tournaments.rounds.steps import check_shown

MOST_GIFT, MOST_PLACE, MOST_PRIZES = 120, 400, 60
TERM_FIELDS = ("kind", "place", "of", "name", "gift", "chosen")
PLACE_KINDS = (PrizeKind.PLACE, PrizeKind.TEAM)
PRIZE_LIST_ACTS: Final = dict.fromkeys(
    ("prizes", "prizes-usual", "prize", "prize-move", "prize-remove"), ""
)


@transaction.atomic
def save_prize(
    *,
    tournament: Tournament,
    kind: str,
    place: int | None = None,
    of: str = "",
    name: str = "",
    gift: str = "",
    chosen: Entrant | None = None,
    prize: Prize | None = None,
) -> Prize:
    """Add a prize at the end, or change this one's terms.

    Without a name it gets the usual one. ``of``: a key of BEST_OF_METRICS, or a club's name (empty:
    the host club).
    """
    tournament = _lock_unpublished(tournament)
    saved_prize = prize or Prize(tournament=tournament, number=_next_number(tournament))
    if prize is not None:
        reload_or_refuse(prize, "That prize has been deleted.")
    saved_prize.kind, saved_prize.gift = kind, gift.strip()
    saved_prize.place = place if kind in PLACE_KINDS else None
    saved_prize.of = tidy_name(of) if kind in {PrizeKind.BEST, PrizeKind.CLUB} else ""
    saved_prize.chosen = chosen if kind == PrizeKind.CHOSEN else None
    if problems := list(_faults(saved_prize)):
        raise Refused(problems)
    saved_prize.name = tidy_name(name) or _usual_name(saved_prize, tournament)
    if not saved_prize.name:
        raise refuse("no_name", "Enter what the prize is for, for example “Best hat”.", "name")
    if fault := name_fault(saved_prize.name):
        raise refuse("bad_name", fault, "name")
    saved_prize.save(update_fields=TERM_FIELDS if prize else None)
    touch(tournament)
    return saved_prize


@transaction.atomic
def move_prize(
    *, tournament: Tournament, prize: Prize, up: bool, page_state: ShownState | None = None
) -> None:
    """Swap the prize with the one before it, or after it; no effect at the ends."""
    tournament = _lock_unpublished(tournament)
    _check_list(tournament, prize, page_state)
    row = list(tournament.prizes.all())
    position = row.index(prize)
    new_position = position - 1 if up else position + 1
    if not 0 <= new_position < len(row):
        return
    first, second = row[position], row[new_position]
    numbers = first.number, second.number
    _set_number(first, _next_number(tournament))
    _set_number(second, numbers[0])
    _set_number(first, numbers[1])
    touch(tournament)


@transaction.atomic
def remove_prize(
    *, tournament: Tournament, prize: Prize, page_state: ShownState | None = None
) -> None:
    """Delete the prize."""
    tournament = _lock_unpublished(tournament)
    _check_list(tournament, prize, page_state)
    tournament.prizes.filter(pk=prize.pk).delete()
    touch(tournament)


@transaction.atomic
def declare_usual_prizes(*, tournament: Tournament) -> int:
    """Declare first, second, third, highest hand and most Mah-Jongs; with teams, the best team too.

    Refused if there are prizes already. Returns how many there are now.
    """
    tournament = _lock_unpublished(tournament)
    if tournament.prizes.exists():
        raise refuse("has_prizes", "There are already prizes. Add more one at a time.")
    prizes = usual_prizes(with_teams=tournament.entrants.entered().exclude(team="").exists())
    for number, prize in enumerate(prizes, 1):
        prize.tournament, prize.number = tournament, number
    Prize.objects.bulk_create(prizes)
    touch(tournament)
    return len(prizes)


@transaction.atomic
def set_prize_rule(
    *, tournament: Tournament, one_each: bool, page_state: ShownState | None = None
) -> None:
    """Set whether someone may win several prizes, or passes the others on."""
    tournament = _lock_unpublished(tournament)
    if page_state is not None and page_state.state and page_state.state != rule_state(tournament):
        already = f"“One prize per person” was already {rule_state(tournament)}"
        done_sentence = already if tournament.one_prize_each == one_each else ""
        raise overtaken_refusal(_event(tournament, {"prizes-rule": done_sentence}), page_state)
    tournament.one_prize_each = one_each
    tournament.save(update_fields=["one_prize_each"])
    touch(tournament)


def removed_before(tournament: Tournament, prize: int) -> Overtaken | None:
    """Who deleted a prize, and when; None if nobody did."""
    act = "prize-remove"
    event = _event(tournament, {act: "This prize was already deleted"}, {"prize": prize})
    last = last_entry(event.club, event.kind, event.pk, [act], **event.log_lookup)
    return None if last is None else done_already_refusal(event, ShownState(act), last)


def _check_list(tournament: Tournament, prize: Prize, page_state: ShownState | None) -> None:
    """Refuses, under the lock, an act on a deleted prize, or on prizes that have changed."""
    if not tournament.prizes.filter(pk=prize.pk).exists():
        refusal = refuse("no_prize", "That prize has been deleted.")
        raise removed_before(tournament, prize.pk) or refusal
    if page_state is not None and page_state.state and page_state.state != prizes_state(tournament):
        raise overtaken_refusal(_event(tournament, PRIZE_LIST_ACTS), page_state)


def _event(
    tournament: Tournament,
    done_sentences: Mapping[str, str],
    row_keys: Mapping[str, int] | None = None,
) -> Event:
    return Event(tournament.club, "tournament", tournament.pk, done_sentences, row_keys or {})


def _lock_unpublished(tournament: Tournament) -> Tournament:
    """The tournament, locked; refused once its results are published."""
    tournament = lock_tournament(tournament.pk)
    if tournament.published_at is not None:
        raise refuse(
            "published",
            "The results are published, so you cannot change the prizes. Unpublish them first; "
            "you can publish again later.",
        )
    return tournament


def _set_number(prize: Prize, number: int) -> None:
    prize.number = number
    prize.save(update_fields=["number"])


def _next_number(tournament: Tournament) -> int:
    last: int | None = tournament.prizes.aggregate(last=Max("number"))["last"]
    return (last or 0) + 1


def _faults(prize: Prize) -> Iterator[Refusal]:
    if prize._state.adding and prize.tournament.prizes.count() >= MOST_PRIZES:
        yield Refusal("too_many", f"A tournament can have at most {MOST_PRIZES} prizes.", "kind")
    if prize.kind not in PrizeKind.values:
        yield Refusal("bad_value", "Choose what the prize is for.", "kind")
    if prize.kind in PLACE_KINDS and not 1 <= (prize.place or 0) <= MOST_PLACE:
        yield Refusal("bad_value", f"Enter a place from 1 to {MOST_PLACE}.", "place")
    if prize.kind == PrizeKind.BEST and prize.of not in BEST_OF_METRICS:
        yield Refusal("bad_value", "Choose what the prize is for.", "of")
    if len(prize.of) > MAX_NAME:
        message = f"Use {MAX_NAME} characters or fewer for a club’s name."
        yield Refusal("bad_value", message, "of")
    if len(prize.gift) > MOST_GIFT:
        yield Refusal("too_long", f"Use {MOST_GIFT} characters or fewer.", "gift")
    entrant = prize.chosen
    if entrant and (entrant.tournament_id != prize.tournament_id or entrant.is_house):
        yield Refusal("bad_value", "Choose one of the players of this tournament.", "chosen")


def _usual_name(prize: Prize, tournament: Tournament) -> str:
    """The usual name of a prize; empty for one whose winner is chosen."""
    place = prize.place or 0
    ordinal = ORDINALS[place - 1] if 0 < place <= len(ORDINALS) else f"Place {place}"
    names = {
        PrizeKind.PLACE: ordinal,
        PrizeKind.TEAM: "Best team" if place == 1 else f"{ordinal} among the teams",
        PrizeKind.BEST: BEST_OF_METRICS.get(prize.of, ("", ""))[0],
        PrizeKind.CLUB: f"Best of {prize.of or tournament.club.name}"[:MAX_NAME],
        PrizeKind.LAST: "The last place",
    }
    return names.get(PrizeKind(prize.kind), "")


@transaction.atomic
def hide_last_round(*, tournament: Tournament, page_state: ShownState | None = None) -> None:
    """Hide the last round from everyone but officials; refused once it is published."""
    tournament = lock_tournament(tournament.pk)
    check_shown(tournament, page_state)
    if tournament.published_at is not None:
        raise refuse("published", "The results are published, so there is nothing left to hide.")
    _set_last_round_hidden(tournament, hides_last_round=True)


@transaction.atomic
def release_results(*, tournament: Tournament, page_state: ShownState | None = None) -> None:
    tournament = lock_tournament(tournament.pk)
    check_shown(tournament, page_state)
    _set_last_round_hidden(tournament, hides_last_round=False)


@transaction.atomic
def publish_results(*, tournament: Tournament, page_state: ShownState | None = None) -> None:
    """Publish the final results to everyone with the link; releases what was hidden."""
    tournament = lock_tournament(tournament.pk)
    check_shown(tournament, page_state)
    if tournament.state != TournamentState.FINISHED:
        raise refuse(
            "not_finished",
            "You can publish results once the tournament is finished. Close the last round and "
            "finish the tournament first.",
        )
    tournament.published_at = tournament.published_at or timezone.now()
    tournament.save(update_fields=["published_at"])
    _set_last_round_hidden(tournament, hides_last_round=False)
    emit_tournament_event(News.STANDINGS_PUBLISHED, tournament)


@transaction.atomic
def withdraw_results(*, tournament: Tournament, page_state: ShownState | None = None) -> None:
    """Close the page of the results; its link stays the same."""
    tournament = lock_tournament(tournament.pk)
    check_shown(tournament, page_state)
    tournament.published_at = None
    tournament.save(update_fields=["published_at"])
    touch(tournament)


def _set_last_round_hidden(tournament: Tournament, *, hides_last_round: bool) -> None:
    tournament.hides_last_round = hides_last_round
    tournament.save(update_fields=["hides_last_round"])
    touch(tournament)
