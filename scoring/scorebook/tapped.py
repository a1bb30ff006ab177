"""What each seat has tapped of the hand that is being played, before anything is in the book."""

from collections.abc import Mapping
from typing import Any

from scoring import Deal, RuleSet
from scoring.building import (
    BadNotation,
    Draft,
    drafted,
    fitted,
    read_draft,
    seated,
    to_hand,
    written,
)
from scoring.hands.problems import BadHand
from scoring.reading.notation import hand_as_json, hand_from_json
from scoring.scorebook.editions import rule_set
from scoring.scorebook.models import Game
from scoring.scorebook.reckoning.answer import placed
from scoring.scorebook.reports import TOLD_OF_TILES, Report

SAYS_MAHJONG = "won:yes"
TAKES_MAHJONG_OVER = "won:over"


def drafts_of(game: Game, deal: Deal) -> dict[int, Draft]:
    """The draft of each seat that has tapped at this deal's hand, as the deal has it; one query."""
    rules = rule_set(game.rules)
    rows = game.tapped.filter(number=deal.number, seat__in=list(deal.winds))
    return {
        seat: seated(read_draft(text), seat, deal, rules)
        for seat, text in rows.values_list("seat", "draft")
    }


def winner_of(drafts: Mapping[int, Draft]) -> int | None:
    """Which seat has said Mah-Jong, if one has."""
    return next((seat for seat, draft in drafts.items() if draft.won), None)


def drafts_told(report: Report, deal: Deal, rules: RuleSet) -> dict[int, Draft]:
    """The drafts that a report's tiles were tapped as, as far as taps can make them."""
    drafts = {}
    for seat, tiles in report.tiles.items():
        try:
            hand = hand_from_json(placed(tiles, seat, report, deal), rules)
            drafts[seat] = read_draft(written(drafted(hand)))
        except (BadHand, BadNotation):
            continue
    return {seat: draft for seat, draft in drafts.items() if draft.held}


def tiles_of(draft: Draft, rules: RuleSet) -> dict[str, Any]:
    """The draft's tiles as a report tells them."""
    hand = hand_as_json(to_hand(fitted(draft, rules), rules))
    return {name: hand[name] for name in TOLD_OF_TILES}
