"""A seat's whole hand of tiles put in the place of what was tapped before."""

from collections.abc import Sequence

from django.db import transaction

from scoring.building import Draft, Steps
from scoring.scorebook.refusals import Refusal, Refused
from scoring.scorebook.services.tapping import Tapped, put_tiles_away, tap_tiles


@transaction.atomic
def put_tiles(*, game_id: int, number: int, seat: int, taps: Sequence[str]) -> Tapped:
    """These taps from an empty rack on, all of them or none.

    Raises ``Refused`` with a sentence for each tap that can do nothing, and as ``tap_tiles`` does.
    """
    put_tiles_away(game_id=game_id, number=number, seat=seat)
    tapped = tap_tiles(
        game_id=game_id, number=number, seat=seat, sent=Steps(Draft(won=False)), taps=taps
    )
    if tapped.played.refused:
        raise Refused([Refusal("bad_tap", said, "taps") for said in tapped.played.refused])
    return tapped
