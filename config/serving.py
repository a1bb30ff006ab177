"""What a process that answers requests does beside that, whichever server runs it."""

import gc
from typing import Final

from clubs.backup import databases
from config import embedded, first_run, logs, warming

# What is loaded at the start is never garbage; what requests leave behind is collected every tenth
# request and not several times in each. That saves 5 in 100 of the processor's time.
LITTER: Final = (10_000, 20, 20)


def begin(*, is_first: bool) -> None:
    """Start the embedded worker, unless Redis wakes real ones, and what else goes on in threads.

    The first process says how to set up an installation that has no club.
    """
    if is_first and (sentence := first_run.sentence()):
        logs.say(sentence)
    warming.load_pages()
    databases.begin()
    embedded.start()
    warming.start()
    gc.freeze()
    gc.set_threshold(*LITTER)
