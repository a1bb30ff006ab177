"""A form carries the state it was shown for; who comes second reads what the other did."""

from collections.abc import Mapping
from dataclasses import dataclass, field

from clubs.language.moments import moment
from clubs.models import Club
from clubs.selectors.deeds import DeedRow, last_deed
from clubs.shown import Shown
from scoring.scorebook.refusals import Refusal, Refused

CHANGED = "This was changed after you opened it. Check it again before you continue."


@dataclass(frozen=True, slots=True)
class Event:
    """An evening or a tournament whose state a form changes.

    ``kind`` is the name of its key in addresses of the API; ``done`` has for each act that changes
    the state what it did, such as ``The evening was already finished``, and nothing where the same
    act can be wanted again. ``about`` is what else the lines must name, such as an entrant.
    """

    club: Club
    kind: str
    pk: int
    done: Mapping[str, str]
    about: Mapping[str, int] = field(default_factory=dict)


class Overtaken(Refused):
    """Someone else was first; ``is_done`` where they did what was wanted."""

    def __init__(self, sentence: str, *, is_done: bool) -> None:
        super().__init__([Refusal("already_done" if is_done else "overtaken", sentence)])
        self.is_done = is_done


def overtaken(event: Event, shown: Shown) -> Overtaken:
    """Names who changed the event last, what they did, and when; one or two queries."""
    last = last_deed(event.club, event.kind, event.pk, tuple(event.done), **event.about)
    if last is None:
        return Overtaken(CHANGED, is_done=False)
    if last.is_act(shown.act) and event.done[shown.act]:
        return done_already(event, shown, last)
    did = f"{last.sentence.removesuffix('.')} at {moment(last.at)}"
    again = "after you opened this. Check it again before you continue."
    return Overtaken(f"{did}, {again}", is_done=False)


def done_already(event: Event, shown: Shown, last: DeedRow | None) -> Overtaken:
    """The wanted step was taken before: by whom and when, where that is written down."""
    words = event.done[shown.act].replace("{round}", str(shown.round))
    by = f" by {last.who} at {moment(last.at)}" if last else ""
    return Overtaken(f"{words}{by}.", is_done=True)
