"""Whether this installation has a club yet, and what a new club still has to do."""

from base64 import b32encode
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.utils.crypto import constant_time_compare, salted_hmac

from clubs.language.moments import moment
from clubs.models import Club, Membership, User

LATELY: Final = timedelta(hours=1)
SALT: Final = "clubs.house.first_run.set_up_code"
BYTES, GROUP = 10, 4  # 80 bits: sixteen letters and digits in four groups


def is_new() -> bool:
    """Whether there is no club, nor anyone who could sign in."""
    return not (Club.objects.exists() or User.objects.exists())


def founder_lately(*, now: datetime) -> Membership | None:
    """The first person here, if they founded the only club within the last hour."""
    people = Membership.objects.filter(user__date_joined__gte=now - LATELY)
    is_only = Club.objects.filter(rehearsal_of=None).count() == 1
    return people.select_related("user", "club").order_by("pk").first() if is_only else None


def who_was_first(founder: Membership | None) -> str:
    """For someone who pressed the button a moment later."""
    if founder is None:
        return "Tongbox has been set up already. Sign in, or ask the club’s secretary."
    at = moment(founder.user.date_joined)
    return (
        f"{founder.user} set up {founder.club.name} at {at}, so nothing of yours was saved. Sign "
        "in, or ask them to invite you."
    )


def set_up_code() -> str:
    """What someone must know to set up Tongbox from the internet: printed when it starts."""
    drawn = salted_hmac(SALT, "", secret=settings.SECRET_KEY, algorithm="sha256").digest()
    letters = b32encode(drawn[:BYTES]).decode()
    return "-".join(letters[at : at + GROUP] for at in range(0, len(letters), GROUP))


def is_set_up_code(text: str) -> bool:
    typed = "".join(letter for letter in text.upper() if letter.isalnum())
    return constant_time_compare(typed, set_up_code().replace("-", ""))
