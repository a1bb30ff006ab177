"""Writing in the score book, one room for each kind of writing."""

from scoring.scorebook.ledger import lock_game, lock_games, lock_line
from scoring.scorebook.services.games import (
    MOST_LETTERS,
    adjust,
    ask_agreement,
    carry_on,
    close_games,
    name_first_dealer,
    open_book,
    open_games,
    reason_of,
    remove_books,
    remove_games,
    reopen_games,
    replan_games,
    resize_game,
)
from scoring.scorebook.services.recording import (
    USED_SUBMISSION,
    Recorded,
    agree_as_sent,
    counted,
    decide,
    hand_after,
    is_taken_back,
    preview_hand,
    record_hand,
    say,
    sent_again,
    take_back,
)
from scoring.scorebook.services.rewriting import (
    Mistake,
    Repaired,
    Replacement,
    correct_hand,
    lock_together,
    preview_correction,
    preview_telling,
    repair,
    tell_anew,
    undo_repair,
)
