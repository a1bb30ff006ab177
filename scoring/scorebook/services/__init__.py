"""Writing in the score book, one room for each kind of writing."""

from scoring.scorebook.ledger import lock_game, lock_games, lock_with_later_games
from scoring.scorebook.services.games import (
    MAX_REASON_LENGTH,
    adjust_points,
    ask_agreement,
    carry_on,
    clean_reason,
    close_games,
    name_first_dealer,
    open_book,
    open_games,
    remove_books,
    remove_games,
    reopen_games,
    replan_games,
    resize_game,
)
from scoring.scorebook.services.recording import (
    USED_SUBMISSION,
    RecordedHand,
    agree_as_sender,
    count_results,
    decide_hand,
    hand_after,
    hand_of_submission,
    is_undone,
    preview_hand,
    record_agreement,
    record_hand,
    undo_hand,
)
from scoring.scorebook.services.rewriting import (
    Mistake,
    RepairResult,
    Replacement,
    correct_hand,
    lock_games_together,
    preview_correction,
    preview_rewrite,
    repair_games,
    rewrite_from_reports,
    undo_repair,
)
