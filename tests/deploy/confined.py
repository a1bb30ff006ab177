"""Start a program under the system-call filters of one of the units, as systemd loads them.

``python -m tests.deploy.confined tongbox-worker.service celery --app config worker``

Needs libseccomp, and ``systemd-analyze``, which lists groups such as ``@privileged``.
"""

import ctypes
import errno
import mmap
import os
import socket
import subprocess
import sys
from collections.abc import Iterable, Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
UNITS = ROOT / "deploy" / "systemd"
BIN = Path(sys.executable).parent
KILL_PROCESS, ERRNO, ALLOW = 0x80000000, 0x00050000, 0x7FFF0000  # SCMP_ACT_… of <seccomp.h>
EQUAL, GREATER_OR_EQUAL, MASKED_EQUAL = 4, 5, 7  # SCMP_CMP_… of <seccomp.h>
MOST_FAMILIES = 64  # more than Linux knows


class Argument(ctypes.Structure):
    """What one argument of a call must be: ``struct scmp_arg_cmp`` of <seccomp.h>."""

    _fields_ = [
        ("number", ctypes.c_uint),
        ("comparison", ctypes.c_int),
        ("first", ctypes.c_uint64),
        ("second", ctypes.c_uint64),
    ]


Rule = tuple[int, str, Argument | None]  # what happens, to which system call, with which argument


def settings(unit: Path, name: str) -> list[str]:
    """Every value that the unit gives this setting, in its order."""
    lines = [line.partition("=") for line in unit.read_text().splitlines()]
    return [value for key, _, value in lines if key == name]


def members(group: str) -> Iterator[str]:
    """The system calls of a group, from the systemd of this machine."""
    command = ["systemd-analyze", "syscall-filter", group]
    listing = subprocess.run(command, check=True, capture_output=True, text=True)  # noqa: S603
    for name in filter(None, (line.strip() for line in listing.stdout.splitlines()[1:])):
        if name.startswith("@"):
            yield from members(name)
        elif not name.startswith("#"):
            yield name


def allowed_calls(unit: Path) -> set[str]:
    """The system calls that ``SystemCallFilter=`` leaves: lines add, those with ``~`` take away."""
    calls = set(members("@default"))
    for value in settings(unit, "SystemCallFilter"):
        entries = value.removeprefix("~").split()
        listed_calls = {
            call for word in entries for call in (members(word) if word[0] == "@" else [word])
        }
        calls = calls - listed_calls if value.startswith("~") else calls | listed_calls
    return calls


def memory_rules() -> Iterator[Rule]:
    """``MemoryDenyWriteExecute=yes``: nothing that was written is run."""
    refusal_action, write_exec_flags = ERRNO | errno.EPERM, mmap.PROT_WRITE | mmap.PROT_EXEC
    yield refusal_action, "mmap", Argument(2, MASKED_EQUAL, write_exec_flags, write_exec_flags)
    for call in ("mprotect", "pkey_mprotect"):
        yield refusal_action, call, Argument(2, MASKED_EQUAL, mmap.PROT_EXEC, mmap.PROT_EXEC)


def family_rules(unit: Path) -> Iterator[Rule]:
    """``RestrictAddressFamilies=``: sockets of other families are not to be had."""
    family_names = " ".join(settings(unit, "RestrictAddressFamilies")).split()
    allowed_families = {int(getattr(socket, word)) for word in family_names}
    refusal_action = ERRNO | errno.EAFNOSUPPORT
    for family in set(range(MOST_FAMILIES)) - allowed_families:
        yield refusal_action, "socket", Argument(0, EQUAL, family, 0)
    yield refusal_action, "socket", Argument(0, GREATER_OR_EQUAL, MOST_FAMILIES, 0)


def load(otherwise: int, rules: Iterable[Rule]) -> None:
    """Load a filter into this process, for it and all that it starts."""
    seccomp = ctypes.CDLL("libseccomp.so.2")
    seccomp.seccomp_init.restype = ctypes.c_void_p
    context = ctypes.c_void_p(seccomp.seccomp_init(ctypes.c_uint32(otherwise)))
    for action, name, argument in rules:
        number = seccomp.seccomp_syscall_resolve_name(name.encode())
        arguments = (Argument * 1)(argument) if argument else None
        outcome = seccomp.seccomp_rule_add_array(
            context, ctypes.c_uint32(action), number, len(arguments or ()), arguments
        )
        if outcome and number >= 0:  # a call of other processors alone has no number here
            raise OSError(-outcome, f"no rule for {name}")
    if outcome := seccomp.seccomp_load(context):
        raise OSError(-outcome, "the filter cannot be loaded")


def confine(unit: Path) -> None:
    """All that the unit takes from its program by system calls."""
    (refusal,) = settings(unit, "SystemCallErrorNumber") or ["KILL"]
    otherwise = KILL_PROCESS if refusal == "KILL" else ERRNO | int(getattr(errno, refusal))
    calls = [(ALLOW, name, None) for name in sorted(allowed_calls(unit))]
    load(ALLOW, family_rules(unit))
    if settings(unit, "MemoryDenyWriteExecute") == ["yes"]:
        load(ALLOW, memory_rules())
    load(otherwise, calls)


def confined_command(unit: str, program: str, *arguments: str) -> list[str]:
    """A command of our environment, or by its path, under the unit's filters."""
    return [sys.executable, "-m", "tests.deploy.confined", unit, str(BIN / program), *arguments]


if __name__ == "__main__":
    confine(UNITS / sys.argv[1])
    os.execvp(sys.argv[2], sys.argv[2:])  # noqa: S606
