"""What `manage.py check` says of an installation that should let people start clubs.

Only what is in the settings and in the texts is looked at: a database may not be there yet.
"""

from typing import Any, Final

from django.conf import settings
from django.core.checks import CheckMessage, Error, Warning as CheckWarning

from clubs.hosting.texts import FOUNDING_OPEN, founding_faults

FOUNDING_VALUES: Final = (FOUNDING_OPEN, "closed")


def check_founding(**_: Any) -> list[CheckMessage]:
    """An error for an unknown value of TONGBOX_FOUNDING; a warning for each thing that is missing.

    Until nothing is missing, no one can start a club. Everything else works.
    """
    if settings.FOUNDING not in FOUNDING_VALUES:
        message = f"TONGBOX_FOUNDING is “{settings.FOUNDING}”. It can be “open” or “closed”."
        return [Error(message, id="clubs.E001")]
    if settings.FOUNDING != FOUNDING_OPEN:
        return []
    hint = "No one can start a club here until this is set. deploy/hosted.md says how."
    return [CheckWarning(fault, hint=hint, id="clubs.W001") for fault in founding_faults()]
