"""What an installation without a club says when it starts."""

import logging
from typing import Final

from django.db import DatabaseError, connection

from clubs.house.first_run import is_new_installation, set_up_code

SET_UP_MESSAGE: Final = (
    "There is no club yet: open Tongbox in a browser to set it up. It may ask for the set-up "
    "code, which is {code}"
)

log = logging.getLogger(__name__)


def set_up_sentence() -> str:
    """How to set it up, with the code; empty once there is a club.

    A database that cannot be read yet must not keep the server from starting.
    """
    try:
        return SET_UP_MESSAGE.format(code=set_up_code()) if is_new_installation() else ""
    except DatabaseError:
        log.warning("Whether there is a club yet could not be read.", exc_info=True)
        return ""
    finally:
        connection.close()
