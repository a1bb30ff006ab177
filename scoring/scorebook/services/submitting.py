"""Whoever takes in hands for an event counts each that was sent, and how it went."""

from collections.abc import Callable
from functools import wraps
from time import perf_counter
from typing import ParamSpec

from scoring.scorebook import metrics
from scoring.scorebook.refusals import AlreadyStands, Refused
from scoring.scorebook.services.recording import Recorded

Sent = ParamSpec("Sent")


def counted(post: Callable[Sent, Recorded]) -> Callable[Sent, Recorded]:
    """The same service, its answers and refusals counted, with the time of each new hand."""

    @wraps(post)
    def timed(*args: Sent.args, **kwargs: Sent.kwargs) -> Recorded:
        begun = perf_counter()
        try:
            told = post(*args, **kwargs)
        except AlreadyStands:
            metrics.conflicting()
            raise
        except Refused as why:
            metrics.refused(str(why.problems[0].code))
            raise
        if told.is_new:
            metrics.recorded(perf_counter() - begun)
        else:
            metrics.sent_again()
        return told

    return timed
