"""What it would cost to move somebody to another seat."""

from collections.abc import Callable, Mapping

from django.db import transaction

from clubs.evenings.selectors.seating import SIZES, EveningExplained, why_this_evening
from clubs.language.words import counted
from clubs.models import Session
from clubs.models.names import ORGANISER
from clubs.seating import Said
from clubs.seating.history import in_short, turn_costs
from clubs.seating.why import listed

MOST_NAMED = 4


def cost_of_move(*, session: Session, act: Callable[[], str]) -> tuple[Said, ...]:
    """What one of the two would cost: done and rolled back. Refused as they are.

    Wishes first, then turns, then company, then the tables' sizes.
    """
    with transaction.atomic():
        before = why_this_evening(session, reader=ORGANISER, with_wishes=True)
        act()
        after = why_this_evening(session, reader=ORGANISER, with_wishes=True)
        transaction.set_rollback(True)
    known = {wish.sentence for wish in before.wishes}
    costs = [
        Said(
            f"A seating preference would {'' if wish.is_kept else 'not '}be met: {wish.sentence}",
            wish.is_kept,
        )
        for wish in after.wishes
        if wish.sentence not in known
    ]
    costs += turn_costs(before.turns, after.turns, after.names)
    costs += _of_company(_together(before), _together(after))
    sizes = _sizes(before)
    other = [
        f"table {number} of {SIZES[size]}"
        for number, size in _sizes(after).items()
        if size != sizes.get(number)
    ]
    return (*costs, *([Said(f"There would be {listed(other)}.")] if other else []))


def _of_company(before: Mapping[str, str], after: Mapping[str, str]) -> list[Said]:
    come = [pair for pair in after if pair not in before]
    part = [pair for pair in before if pair not in after]
    if not come and not part:
        return [Said("No one is seated with someone from a recent evening.", is_kept=True)]
    costs = []
    for pairs, is_kept in ((come, False), (part, True)):
        for pair in pairs[:MOST_NAMED]:
            sentence = (
                f"{pair}, who sat together on {before[pair]}, would no longer be together."
                if is_kept
                else f"{pair} would sit together again; they did on {after[pair]}."
            )
            costs.append(Said(sentence, is_kept))
        if (more := len(pairs) - MOST_NAMED) > 0:
            costs.append(Said(f"And {counted(more, 'more pair')}.", is_kept))
    return costs


def _together(explained: EveningExplained) -> dict[str, str]:
    """By `Ann and Ben` the earlier evenings on which they sat together, if they do so now."""
    names = explained.seating.names
    return {
        f"{names[pair.row]} and {names[pair.column]}": listed(in_short(pair.past))
        for pair in explained.seating.pairs
        if pair.kind == "again"
    }


def _sizes(explained: EveningExplained) -> dict[int, int]:
    return {table.number: len(table.seats) for r in explained.seating.rounds for table in r.tables}
