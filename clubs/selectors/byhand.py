"""Those who cannot be reached by email: whom to call, and what to say in one line."""

from dataclasses import dataclass

from clubs.matters import INVITATION, OF_RESULTS
from clubs.models import Invitation
from clubs.selectors.letter_fields import day_of, session_of, told_result
from clubs.selectors.outbox import BatchView


@dataclass(frozen=True, slots=True)
class Call:
    """Someone to be told by letter or telephone; ``link`` is where their yes or no is noted.

    ``why``: what the mail server said, where an email did not arrive.
    """

    pk: int
    player_id: int
    name: str
    phone: str
    say: str
    link: str
    why: str


@dataclass(frozen=True, slots=True)
class Calls:
    """Who can be telephoned, and who has no number either."""

    to_call: tuple[Call, ...]
    to_write: tuple[Call, ...]

    @property
    def everybody(self) -> tuple[Call, ...]:
        """All of them, those with a number first."""
        return self.to_call + self.to_write


def calls_of(view: BatchView) -> Calls:
    """Everyone of a batch who is to be told by hand; at most two queries."""
    said, links = _said(view), _links(view)
    calls = [
        Call(
            one.pk,
            one.player_id,
            one.name,
            one.phone,
            said.get(one.player_id) or one.subject,
            links.get(one.player_id, ""),
            one.answer,
        )
        for one in view.by_hand
    ]
    return Calls(
        tuple(call for call in calls if call.phone), tuple(call for call in calls if not call.phone)
    )


def _said(view: BatchView) -> dict[int, str]:
    if view.batch.kind not in OF_RESULTS or not view.by_hand:
        return {}
    result = told_result(session_of(view.batch))
    return {one.player_id: result.place_of(one.player_id) for one in view.by_hand}


def _links(view: BatchView) -> dict[int, str]:
    if view.batch.kind != INVITATION.key or not view.by_hand:
        return {}
    asked = Invitation.objects.filter(
        club=view.batch.club_id,
        held_on=day_of(view.batch.about or 0),
        player__in=[one.player_id for one in view.by_hand],
    )
    return dict(asked.values_list("player_id", "key"))
