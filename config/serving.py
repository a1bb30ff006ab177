"""What a process that answers requests does beside that, whichever server runs it."""

import gc
from typing import Final

from clubs.backup import databases
from config import embedded, first_run, logs, warming

# What is loaded at the start is never garbage; what requests leave behind is collected every tenth
# request and not several times in each. That saves 5 in 100 of the processor's time.
GC_THRESHOLDS: Final = (10_000, 20, 20)


def start_services(*, is_first: bool) -> None:
    """Start the embedded worker, unless Redis wakes real ones, and what else goes on in threads.

    The first process says how to set up an installation that has no club.
    """
    if is_first and (message := first_run.set_up_sentence()):
        logs.print_line(message)
    warming.load_pages()
    databases.mark_as_served()
    embedded.start_worker()
    warming.start_warming()
    gc.freeze()
    gc.set_threshold(*GC_THRESHOLDS)
