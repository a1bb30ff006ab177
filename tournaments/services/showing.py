"""What is shown of a tournament, and when: the last round kept back, the results published."""

from django.db import transaction
from django.utils import timezone

from clubs.core.stale_forms import Shown
from clubs.models import News
from scoring.scorebook.refusals import refuse
from tournaments.models import Tournament, TournamentState
from tournaments.services.locks import lock, touch
from tournaments.services.stages import check_shown
from tournaments.services.telling import tell_of


@transaction.atomic
def hide_last_round(*, tournament: Tournament, shown: Shown | None = None) -> None:
    """From now on only officials see what the last round does; refused once it is published."""
    tournament = lock(tournament.pk)
    check_shown(tournament, shown)
    if tournament.published_at is not None:
        raise refuse("published", "The results are published, so there is nothing left to hide.")
    _show(tournament, hides_last_round=True)


@transaction.atomic
def release_results(*, tournament: Tournament, shown: Shown | None = None) -> None:
    """Everyone sees the last round too."""
    tournament = lock(tournament.pk)
    check_shown(tournament, shown)
    _show(tournament, hides_last_round=False)


@transaction.atomic
def publish_results(*, tournament: Tournament, shown: Shown | None = None) -> None:
    """Whoever has the link reads the final results, from now on; what was hidden is released."""
    tournament = lock(tournament.pk)
    check_shown(tournament, shown)
    if tournament.state != TournamentState.FINISHED:
        raise refuse(
            "not_finished",
            "You can publish results once the tournament is finished. Close the last round and "
            "finish the tournament first.",
        )
    tournament.published_at = tournament.published_at or timezone.now()
    tournament.save(update_fields=["published_at"])
    _show(tournament, hides_last_round=False)
    tell_of(News.STANDINGS_PUBLISHED, tournament)


@transaction.atomic
def withdraw_results(*, tournament: Tournament, shown: Shown | None = None) -> None:
    """The page of the results is closed again; its link stays the same."""
    tournament = lock(tournament.pk)
    check_shown(tournament, shown)
    tournament.published_at = None
    tournament.save(update_fields=["published_at"])
    touch(tournament)


def _show(tournament: Tournament, *, hides_last_round: bool) -> None:
    tournament.hides_last_round = hides_last_round
    tournament.save(update_fields=["hides_last_round"])
    touch(tournament)
