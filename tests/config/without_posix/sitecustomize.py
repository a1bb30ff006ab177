"""Python loads this first where its folder is on PYTHONPATH: nothing is left that only POSIX has.

Libraries that look at ``sys.platform`` still see Linux. Ours must name the encoding of every text.
"""

import builtins
import os
import select
import signal
import socket
import sys
import time
import warnings
from typing import Any

import platformdirs.unix  # noqa: F401 (it looks at the platform when it is loaded, so it is now)

MODULES = "crypt fcntl grp nis pty pwd readline resource spwd syslog termios tty"
BY_PLATFORM = {"billiard.compat"}  # on Windows it would not ask
NAMES = {
    os: "fork forkpty register_at_fork getuid geteuid getgid getegid setuid setgid killpg setsid "
    "getpgid chown fchmod fchown getloadavg sysconf mkfifo nice O_DIRECTORY O_NOFOLLOW",
    select: "poll epoll",
    signal: "SIGHUP SIGQUIT SIGKILL SIGUSR1 SIGUSR2 SIGALRM SIGCHLD alarm setitimer pause "
    "pthread_sigmask",
    socket: "AF_UNIX",
    time: "tzset",
}
if sys.version_info >= (3, 14):
    import asyncio  # noqa: F401 (its half for Linux asks for what is taken away below)
load = builtins.__import__


def load_if_it_is_everywhere(name: str, *arguments: Any, **keywords: Any) -> Any:
    """What ``import`` calls: with the importing module's globals first, and ``level`` last."""
    importer = (arguments[0] or {}).get("__name__") if arguments else None
    is_relative = bool(arguments[3] if len(arguments) > 3 else keywords.get("level"))
    if name in MODULES.split() and not is_relative and importer not in BY_PLATFORM:
        raise ModuleNotFoundError(f"No module named {name!r}", name=name)
    return load(name, *arguments, **keywords)


builtins.__import__ = load_if_it_is_everywhere
for module, names in NAMES.items():
    for name in filter(lambda name: hasattr(module, name), names.split()):
        delattr(module, name)
warnings.filterwarnings("ignore", "only soft file lock is available")  # Windows has its own
warnings.filterwarnings(
    "error", category=EncodingWarning, module=r"(clubs|config|scoring|tongbox|tournaments)\b"
)
