"""``tongbox``, or ``python -m tongbox``: Django's commands, for whoever runs a club."""

import os
import sys
import traceback
from argparse import Namespace
from collections.abc import Sequence
from difflib import get_close_matches
from pathlib import Path
from tempfile import TemporaryFile
from typing import Any, Final, NoReturn

import django
from django.core.exceptions import ImproperlyConfigured
from django.core.management import (
    CommandError,
    call_command,
    execute_from_command_line,
    get_commands,
)

from tongbox import __version__, places
from tongbox.words import COMMANDS, command_parser, data_parser

INTERRUPTED: Final = 130  # what shells call a program that Ctrl-C has ended
NEED_A_CLUB: Final = {"backup", "verify"}
LOG_FILE, ERROR_FILE = "tongbox.log", "tongbox-error.log"


def main(arguments: Sequence[str] | None = None) -> None:
    """Do what the command line says; every fault is one sentence, and exit status 1.

    A word that is none of ours is a command of Django's, which our own processes use, too.
    """
    _write_utf8()
    data_options, command_arguments = data_parser().parse_known_args(arguments)
    is_ours = (
        not command_arguments
        or command_arguments[0].startswith("-")
        or command_arguments[0] in COMMANDS
    )
    options = command_parser().parse_args(command_arguments if is_ours else [])
    options.command = options.command or "start"
    if options.command == "version":
        print(f"Tongbox {__version__}")  # noqa: T201
        return
    folder = _data_folder(data_options.data, is_sample=options.command == "sample")
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    try:
        if is_ours:
            _run_command(options, folder)
        else:
            _run_django_command(command_arguments)
    except KeyboardInterrupt:
        sys.exit(INTERRUPTED)
    except (CommandError, ImproperlyConfigured) as why:
        sys.exit(str(why))
    except Exception as why:
        _report_crash(why, folder)


def _run_command(options: Namespace, folder: Path) -> None:
    if options.command == "backup" and options.to:
        os.environ["TONGBOX_BACKUPS"] = str(options.to.absolute())
    has_data = bool(os.environ.get("DATABASE_URL")) or (folder / "tongbox.sqlite3").exists()
    if options.command in NEED_A_CLUB and not has_data:
        sys.exit(f"There is no club in {folder} yet. Start Tongbox to set one up: tongbox")
    django.setup()
    options.folder = folder
    for name, *arguments in COMMANDS[options.command].steps(options):
        call_command(name, *arguments)


def _run_django_command(command_arguments: list[str]) -> None:
    django.setup()
    command_names = {*COMMANDS, *get_commands(), "help"}
    if command_arguments == ["help"]:
        command_parser().print_help()
    elif command_arguments[0] in command_names:
        execute_from_command_line(["tongbox", *command_arguments])
    else:
        close_matches = get_close_matches(command_arguments[0], sorted(command_names), n=1)
        hint = (
            f"Did you mean “tongbox {close_matches[0]}”?"
            if close_matches
            else "tongbox --help lists them."
        )
        sys.exit(f"Tongbox has no command “{command_arguments[0]}”. {hint}")


def _data_folder(chosen_folder: Path | None, *, is_sample: bool) -> Path:
    """The data folder, made if it is not there; our children read it in the environment."""
    usual = places.sample_folder() if is_sample else places.usual_folder()
    folder = Path(chosen_folder or os.environ.get(places.FOLDER_VARIABLE) or usual).absolute()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with TemporaryFile(dir=folder):
            pass
    except OSError as why:
        sys.exit(f"Tongbox cannot write to {folder}: {why.strerror}. Choose another with --data.")
    os.environ[places.FOLDER_VARIABLE] = str(folder)
    if sys.stdout is None:  # a program that has no window to write to
        sys.stdout = sys.stderr = (folder / LOG_FILE).open("a", encoding="utf-8", buffering=1)
    return folder


def _write_utf8() -> None:
    """Print “quotation marks” and QR codes on every system, and let our children do so."""
    os.environ.setdefault("PYTHONUTF8", "1")
    streams: list[Any] = [sys.stdout, sys.stderr]
    for stream in streams:
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(encoding="utf-8", errors="replace", line_buffering=True)
    if getattr(sys, "frozen", False) and "LD_LIBRARY_PATH_ORIG" in os.environ:
        # Other programs that we start, such as the browser, have libraries of their own.
        os.environ["LD_LIBRARY_PATH"] = os.environ["LD_LIBRARY_PATH_ORIG"]


def _report_crash(error: Exception, folder: Path) -> NoReturn:
    """Nobody foresaw this: the details go to a file, for whoever helps."""
    file = folder / ERROR_FILE
    with file.open("a", encoding="utf-8") as details:
        traceback.print_exception(error, file=details)
    first = str(error).partition("\n")[0]
    sys.exit(f"Something went wrong: {first} ({type(error).__name__}). The details are in {file}")


if __name__ == "__main__":
    main()
