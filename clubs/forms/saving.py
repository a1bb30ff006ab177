"""A form is saved over what its page showed; whoever comes second reads what the other changed."""

from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from django.db import transaction

from clubs.forms.problems import add_problems
from clubs.forms.shown import ChangeForm
from clubs.language.moments import moment
from clubs.selectors.deeds import last_deed
from clubs.services.shown import CHANGED, Event, Overtaken
from scoring.scorebook.refusals import Refused

Saved = TypeVar("Saved")


def save_over(
    form: ChangeForm,
    event: Event,
    *,
    lock: Callable[[], object],
    held: Callable[[], Mapping[str, Any]],
    save: Callable[[], Saved],
) -> Saved | None:
    """What ``save`` returns; None where the form is not valid or says why it was refused.

    ``held`` is read once ``lock`` is there: what the form holds, by the names of its fields.
    """
    if not form.is_valid():
        return None
    try:
        with transaction.atomic():
            lock()
            refuse_overtaken(form, event, held())
            return save()
    except Overtaken:
        return None
    except Refused as refused:
        add_problems(form, refused)
        return None


def refuse_overtaken(form: ChangeForm, event: Event, held: Mapping[str, Any]) -> None:
    """Raises ``Overtaken`` where someone has changed the same since; the form says who and what."""
    if names := form.overtaken(held):
        last = last_deed(event.club, event.kind, event.pk, tuple(event.done), **event.about)
        who, at = (last.who, moment(last.at)) if last else ("", "")
        form.show_now(held, names, who, at)
        raise Overtaken(CHANGED, is_done=False)
