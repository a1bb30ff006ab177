"""Which refusals are conflicts (409): what was sent could be done, were things not as they are.

All other refusals find fault with what was sent (400). A code is always one of the two. Where the
request named a version (``If-Match``) and someone was faster, the status is 412.
"""

from http import HTTPStatus
from typing import Final

OVERTAKEN_CODES: Final = """
    already_corrected already_done already_stands at_once changed changed_meanwhile changed_since
    hand_corrected hand_decided hand_has_moved_on hand_undone list_changed overtaken rounds_changed
    seating_changed shown_has_changed standings_changed submission_used table_changed tiles_changed
    used_submission
"""
DUPLICATE_CODES: Final = """
    address_taken day_taken email_taken has_a_role has_a_seat has_prizes here_already is_joined
    is_member is_seated name_taken noted overlap pays_already ruled_already set_up_already
    two_people used_link was_there
"""
TOO_LATE_CODES: Final = """
    after_the_bell after_the_end bell_rung day_over erased evening_cancelled game_closed gone
    is_cancellation merged no_game no_prize published round_begun rounds_begun session_cancelled
    session_closed settled stopped too_late tournament_finished undone undone_already
"""
TOO_EARLY_CODES: Final = """
    disputed evening_open no_clock no_hands no_mail_server no_price no_round nobody_due
    nobody_entered nobody_here nobody_left nobody_seated not_finished not_here not_now not_seated
    not_unused round_incomplete round_not_begun round_not_open round_open
"""
DEPENDENCY_CODES: Final = """
    announced by_operator dealer_fixed fixed_address hand_counts hands_recorded is_house
    money_recorded no_change not_the_last nothing_to_undo only_secretary rules_played
    something_counts still_plays under_another
"""
PRACTICE_CODES: Final = ("is_rehearsal", "not_a_rehearsal", "rehearsal")
CONFLICT_CODES: Final = frozenset(PRACTICE_CODES).union(
    f"{OVERTAKEN_CODES} {DUPLICATE_CODES} {TOO_LATE_CODES} {TOO_EARLY_CODES}"
    f" {DEPENDENCY_CODES}".split()
)


def status_of(codes: frozenset[str], *, names_version: bool) -> HTTPStatus:
    """The status of a refusal with these codes: 409 if all that is in the way is how things are."""
    if not codes or not codes <= CONFLICT_CODES:
        return HTTPStatus.BAD_REQUEST
    is_late = names_version and codes <= frozenset(OVERTAKEN_CODES.split())
    return HTTPStatus.PRECONDITION_FAILED if is_late else HTTPStatus.CONFLICT
