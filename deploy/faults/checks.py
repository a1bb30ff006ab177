"""What must be so afterwards, counted in the database and by the program's own commands."""

from collections.abc import Iterator

from django.db import connection
from django.db.models import F, Q, Sum
from django.db.models.functions import Coalesce

from deploy.faults import Line
from deploy.faults.phones import Heard
from deploy.stack.asking import Installation
from scoring.scorebook.models import Hand, Seat


def everything_holds(stack: Installation, heard: Heard) -> Iterator[Line]:
    """Every acknowledged hand once and no other, and three ways of counting again."""
    connection.close()
    yield Line(not heard.given_up, f"answers: {heard.said}; slowest {heard.slowest:.1f} s")
    yield from (Line(holds=False, words=f"not taken: {words}") for words in heard.given_up[:3])
    yield _hands(heard)
    yield _totals()
    yield from counted_again(stack)


def counted_again(stack: Installation) -> Iterator[Line]:
    """What the program's own commands find."""
    for command in ("recount", "verify"):
        said = stack.manage(command, check=False).strip().splitlines()[-1]
        good = ", 0 differences" in said or "nothing was changed" in said
        yield Line(good, f"{command}: {said}")


def _hands(heard: Heard) -> Line:
    stored = {
        str(key): number for key, number in Hand.objects.values_list("submission_id", "number")
    }
    lost = heard.kept.keys() - stored.keys()
    moved = [key for key in heard.kept.keys() & stored.keys() if heard.kept[key] != stored[key]]
    more = Hand.objects.count() - len(heard.kept)
    words = (
        f"{len(heard.kept):,} hands acknowledged: {len(lost)} lost, {len(moved)} out of place, "
        f"{more} beside them"
    )
    return Line(not (lost or moved or more), words)


def _totals() -> Line:
    """The running totals from which standings are drawn, against the ledger."""
    ledger = Coalesce(Sum("ledger__points"), 0)
    wrong = Seat.objects.annotate(in_ledger=ledger).filter(~Q(points=F("in_ledger"))).count()
    words = f"{Seat.objects.count():,} seats' totals against the ledger: {wrong} differ"
    return Line(wrong == 0, words)
