"""Why something was changed: a few words that the table reads."""

from scoring.scorebook.refusals import refuse

MOST_LETTERS = 200


def reason_of(typed: str) -> str:
    """The reason without stray spaces; it must be there and fit its column."""
    reason = " ".join(typed.split())
    if not reason:
        raise refuse("reason_missing", "Say in a few words why this is changed.", "reason")
    if len(reason) > MOST_LETTERS:
        sentence = f"That reason has {len(reason)} letters; at most {MOST_LETTERS} fit."
        raise refuse("reason_too_long", sentence, "reason")
    return reason
