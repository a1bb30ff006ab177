"""Presses of a hand's form that send nothing: another way of telling, a figure that was meant."""

from typing import Any

from django.http import QueryDict


def retold(sent: QueryDict) -> dict[str, Any]:
    """What was typed, for the form to show again; ``tell:tallies`` shows it in that way."""
    typed = {name: value for name, value in sent.items() if name != "csrfmiddlewaretoken"}
    step, _, way = sent.get("step", "").partition(":")
    return typed | {"way": way} if step == "tell" else typed


def with_figure(sent: QueryDict) -> QueryDict:
    """What was sent, with the figure of the button that was pressed: ``put=score_3:36``."""
    name, _, figure = sent.get("put", "").partition(":")
    if not figure:
        return sent
    changed = sent.copy()
    changed[name] = figure
    return changed
