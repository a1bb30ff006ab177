"""A tournament from the entry list to the last standing: each call one transaction."""

from tournaments.services.byhand import Weighed, mark_of, seat_as_written, seat_by_hand, weigh
from tournaments.services.calls import answer_call, call_director
from tournaments.services.changes import swap, undo_change
from tournaments.services.changing import Changed, change_tournament
from tournaments.services.clock import (
    add_minutes,
    pause_clock,
    play_on,
    resume_clock,
    ring_bell,
    stop_table,
    take_bell_back,
)
from tournaments.services.entering import (
    Entry,
    enter,
    enter_entries,
    enter_many,
    note,
    readmit,
    set_entry_rules,
    withdraw,
)
from tournaments.services.hands import (
    correct_hand,
    name_first_dealer,
    post_hand,
    preview_hand,
)
from tournaments.services.importing import preview_entries, read_entries
from tournaments.services.locks import lock, touch
from tournaments.services.making import make_tournament
from tournaments.services.planlist import read_plan
from tournaments.services.prizes import (
    declare_usual_prizes,
    move_prize,
    remove_prize,
    removed_before,
    save_prize,
    set_prize_rule,
)
from tournaments.services.reseating import Choice, reseat_rounds, weigh_reseating
from tournaments.services.returning import reopen_round, reopen_tournament, unstart_round
from tournaments.services.rounds import close_round, finish_tournament, start_round
from tournaments.services.rulings import (
    Case,
    adjust_points,
    charge_for_all,
    penalise,
    rule_at_table,
    take_back,
)
from tournaments.services.seating import clear_rounds, seat_rounds
from tournaments.services.showing import (
    hide_last_round,
    publish_results,
    release_results,
    withdraw_results,
)
from tournaments.services.stages import withdrawn_before
from tournaments.services.standing import Proposal, preview_round, seat_by_standing
from tournaments.services.substitutes import substitute
from tournaments.services.takingover import take_over
from tournaments.services.written import WrittenRound, WrittenTable

__all__ = [
    "Case",
    "Changed",
    "Choice",
    "Entry",
    "Proposal",
    "Weighed",
    "WrittenRound",
    "WrittenTable",
    "add_minutes",
    "adjust_points",
    "answer_call",
    "call_director",
    "change_tournament",
    "charge_for_all",
    "clear_rounds",
    "close_round",
    "correct_hand",
    "declare_usual_prizes",
    "enter",
    "enter_entries",
    "enter_many",
    "finish_tournament",
    "hide_last_round",
    "lock",
    "make_tournament",
    "mark_of",
    "move_prize",
    "name_first_dealer",
    "note",
    "pause_clock",
    "penalise",
    "play_on",
    "post_hand",
    "preview_entries",
    "preview_hand",
    "preview_round",
    "publish_results",
    "read_entries",
    "read_plan",
    "readmit",
    "release_results",
    "remove_prize",
    "removed_before",
    "reopen_round",
    "reopen_tournament",
    "reseat_rounds",
    "resume_clock",
    "ring_bell",
    "rule_at_table",
    "save_prize",
    "seat_as_written",
    "seat_by_hand",
    "seat_by_standing",
    "seat_rounds",
    "set_entry_rules",
    "set_prize_rule",
    "start_round",
    "stop_table",
    "substitute",
    "swap",
    "take_back",
    "take_bell_back",
    "take_over",
    "touch",
    "undo_change",
    "unstart_round",
    "weigh",
    "weigh_reseating",
    "withdraw",
    "withdraw_results",
    "withdrawn_before",
]
