"""What it would cost to move somebody to another seat."""

from collections.abc import Callable, Mapping

from django.db import transaction

from clubs.evenings.selectors.seating import SIZE_NAMES, EveningExplanation, explain_evening
from clubs.language.words import count_words
from clubs.models import Session
from clubs.models.names import ORGANISER_READER
from clubs.seating import SeatingRemark
from clubs.seating.history import shorten_dates, turn_costs
from clubs.seating.why import join_with_and

MAX_PAIRS_NAMED = 4


def cost_of_move(*, session: Session, act: Callable[[], str]) -> tuple[SeatingRemark, ...]:
    """What one of the two would cost: done and rolled back. Refused as they are.

    Wishes first, then turns, then company, then the tables' sizes.
    """
    with transaction.atomic():
        explanation_before = explain_evening(session, reader=ORGANISER_READER, with_wishes=True)
        act()
        explanation_after = explain_evening(session, reader=ORGANISER_READER, with_wishes=True)
        transaction.set_rollback(True)
    wish_sentences = {wish.sentence for wish in explanation_before.wishes}
    costs = [
        SeatingRemark(
            f"A seating preference would {'' if wish.is_kept else 'not '}be met: {wish.sentence}",
            wish.is_kept,
        )
        for wish in explanation_after.wishes
        if wish.sentence not in wish_sentences
    ]
    costs += turn_costs(explanation_before.turns, explanation_after.turns, explanation_after.names)
    costs += _company_costs(
        _pairs_met_before(explanation_before), _pairs_met_before(explanation_after)
    )
    sizes = _table_sizes(explanation_before)
    size_changes = [
        f"table {number} of {SIZE_NAMES[size]}"
        for number, size in _table_sizes(explanation_after).items()
        if size != sizes.get(number)
    ]
    return (
        *costs,
        *(
            [SeatingRemark(f"There would be {join_with_and(size_changes)}.")]
            if size_changes
            else []
        ),
    )


def _company_costs(
    pairs_before: Mapping[str, str], pairs_after: Mapping[str, str]
) -> list[SeatingRemark]:
    new_pairs = [pair for pair in pairs_after if pair not in pairs_before]
    part = [pair for pair in pairs_before if pair not in pairs_after]
    if not new_pairs and not part:
        return [SeatingRemark("No one is seated with someone from a recent evening.", is_kept=True)]
    costs = []
    for pairs, is_kept in ((new_pairs, False), (part, True)):
        for pair in pairs[:MAX_PAIRS_NAMED]:
            text = (
                f"{pair}, who sat together on {pairs_before[pair]}, would no longer be together."
                if is_kept
                else f"{pair} would sit together again; they did on {pairs_after[pair]}."
            )
            costs.append(SeatingRemark(text, is_kept))
        if (unnamed_count := len(pairs) - MAX_PAIRS_NAMED) > 0:
            costs.append(SeatingRemark(f"And {count_words(unnamed_count, 'more pair')}.", is_kept))
    return costs


def _pairs_met_before(explanation: EveningExplanation) -> dict[str, str]:
    """By `Ann and Ben` the earlier evenings on which they sat together, if they do so now."""
    names = explanation.seating.names
    return {
        f"{names[pair.row]} and {names[pair.column]}": join_with_and(shorten_dates(pair.past_dates))
        for pair in explanation.seating.pairs
        if pair.kind == "again"
    }


def _table_sizes(explanation: EveningExplanation) -> dict[int, int]:
    return {
        table.number: len(table.seats) for r in explanation.seating.rounds for table in r.tables
    }
