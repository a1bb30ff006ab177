"""Writing in the score book, one room for each kind of writing."""

from scoring.scorebook.services.adjusting import adjust
from scoring.scorebook.services.correcting import Replacement, correct_hand, preview_correction
from scoring.scorebook.services.games import (
    ask_agreement,
    close_games,
    lock_game,
    lock_games,
    name_first_dealer,
    open_book,
    open_game,
    open_games,
    remove_games,
    reopen_games,
    replan_games,
    resize_game,
)
from scoring.scorebook.services.judging import agree_as_sent, decide, say
from scoring.scorebook.services.reasons import MOST_LETTERS, reason_of
from scoring.scorebook.services.recording import (
    USED_SUBMISSION,
    Recorded,
    hand_after,
    preview_hand,
    record_hand,
    sent_again,
)
from scoring.scorebook.services.repairing import Repaired, lock_together, repair
from scoring.scorebook.services.restoring import undo_repair
from scoring.scorebook.services.retelling import preview_telling, tell_anew
from scoring.scorebook.services.rewriting import Change
from scoring.scorebook.services.submitting import counted
from scoring.scorebook.services.undoing import is_taken_back, take_back
from scoring.scorebook.services.wiping import remove_books

__all__ = [
    "MOST_LETTERS",
    "USED_SUBMISSION",
    "Change",
    "Recorded",
    "Repaired",
    "Replacement",
    "adjust",
    "agree_as_sent",
    "ask_agreement",
    "close_games",
    "correct_hand",
    "counted",
    "decide",
    "hand_after",
    "is_taken_back",
    "lock_game",
    "lock_games",
    "lock_together",
    "name_first_dealer",
    "open_book",
    "open_game",
    "open_games",
    "preview_correction",
    "preview_hand",
    "preview_telling",
    "reason_of",
    "record_hand",
    "remove_books",
    "remove_games",
    "reopen_games",
    "repair",
    "replan_games",
    "resize_game",
    "say",
    "sent_again",
    "take_back",
    "tell_anew",
    "undo_repair",
]
