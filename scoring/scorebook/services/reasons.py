"""Why something was changed: a few words that the table reads."""

from scoring.scorebook.refusals import refuse

MOST_LETTERS = 200


def reason_of(typed: str) -> str:
    """The reason without stray spaces; it must be there and fit its column."""
    reason = " ".join(typed.split())
    if not reason:
        raise refuse("reason_missing", "Enter a reason for the change.", "reason")
    if len(reason) > MOST_LETTERS:
        sentence = f"Use {MOST_LETTERS} characters or fewer. You entered {len(reason)}."
        raise refuse("reason_too_long", sentence, "reason")
    return reason
