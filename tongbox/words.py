"""What can be typed after ``tongbox``, and how ``tongbox --help`` tells it."""

import os
from argparse import ArgumentParser, ArgumentTypeError, Namespace
from collections.abc import Callable
from pathlib import Path
from typing import Final, NamedTuple

from tongbox import __version__, places

PORT: Final = 8000
LARGEST_PORT: Final = 65_535
COLUMN_WIDTH: Final = 24  # characters, up to what a command does


def port_number(text: str) -> int:
    """A number that a program can be reached at."""
    if not text.isdecimal() or not 0 < int(text) <= LARGEST_PORT:
        raise ArgumentTypeError(f"{text} is not a port: choose a number from 1 to {LARGEST_PORT}")
    return int(text)


def _start_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--port", type=port_number, default=PORT, help="the port (usually 8000)")
    parser.add_argument("--no-browser", action="store_true", help="do not open the browser")


def _serve_arguments(parser: ArgumentParser) -> None:
    help_text = "address and port (usually 127.0.0.1:8000); 0.0.0.0:8000 lets others in"
    parser.add_argument("--bind", default="127.0.0.1:8000", help=help_text)


def _found_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("name", help='the club, such as "Riverside Mah-Jong Club"')
    parser.add_argument("email", help="the secretary’s email address, to sign in with")
    parser.add_argument("--rules", default="bmja", help="the rules it plays by (usually bmja)")


def _backup_arguments(parser: ArgumentParser) -> None:
    help_text = "another folder for the backup, such as a USB stick"
    parser.add_argument("--to", type=Path, metavar="FOLDER", help=help_text)


def _restore_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("file", type=Path, nargs="?", help="the backup, tongbox-….tar.gz")
    help_text = "a copy at a place in TONGBOX_BACKUPS_AWAY, with the recovery key"
    parser.add_argument("--from-away", action="store_true", help=help_text)


def _doctor_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("--port", type=port_number, default=PORT, help="the port (usually 8000)")


def _upgrade_arguments(parser: ArgumentParser) -> None:
    help_text = "even if a score on the copy differs from the record"
    parser.add_argument("--anyway", action="store_true", help=help_text)


def _password_arguments(parser: ArgumentParser) -> None:
    parser.add_argument("email", help="the email address they sign in with")


def _no_arguments(parser: ArgumentParser) -> None:
    """It takes nothing but --data."""


def _start_step(options: Namespace) -> list[str]:
    browser = ["--no-browser"] if options.no_browser else []
    return ["start", "--port", str(options.port), *browser]


def _restore_steps(options: Namespace) -> list[list[str]]:
    files = ["--files", str(options.folder / "files")]
    source = [str(options.file)] if options.file else []
    source += ["--from-away"] if options.from_away else []
    return [["restore", *source, *files, "--upgrade"], ["upgrade"]]


class Command(NamedTuple):
    """A word that can follow ``tongbox``, and what else it takes.

    ``steps`` are the management commands, with their words, that it consists of.
    """

    name: str
    help_text: str
    arguments: Callable[[ArgumentParser], None]
    steps: Callable[[Namespace], list[list[str]]]


GROUPS: Final = {
    "Every day": (
        Command(
            "start",
            "Start it and open it in the browser. Ctrl-C stops it.",
            _start_arguments,
            lambda options: [_start_step(options)],
        ),
        Command(
            "backup",
            "Back up everything now, and test the backup.",
            _backup_arguments,
            lambda _: [["upgrade"], ["back_up"]],
        ),
        Command(
            "doctor",
            "Check that all is well, and say what to do if not.",
            _doctor_arguments,
            lambda options: [["doctor", "--port", str(options.port)]],
        ),
    ),
    "To begin": (
        Command(
            "sample",
            "Try Tongbox with a made-up club, apart from yours.",
            _start_arguments,
            lambda options: [["upgrade"], ["sample_data", "--alone"], _start_step(options)],
        ),
        Command(
            "found",
            "Set up a club without a browser.",
            _found_arguments,
            lambda options: [
                ["upgrade"],
                ["found_club", options.name, options.email, "--rules", options.rules],
            ],
        ),
    ),
    "Now and then": (
        Command(
            "restore", "Restore a backup into an empty folder.", _restore_arguments, _restore_steps
        ),
        Command(
            "upgrade",
            "Bring the data up to date; a backup comes first.",
            _upgrade_arguments,
            lambda options: [["upgrade", *(["--anyway"] if options.anyway else [])]],
        ),
        Command(
            "verify",
            "Check that no score was changed outside Tongbox.",
            _no_arguments,
            lambda _: [["verify"]],
        ),
        Command(
            "changepassword",
            "Set a new password for someone who cannot sign in.",
            _password_arguments,
            lambda options: [["changepassword", options.email]],
        ),
        Command("version", "Show which release this is.", _no_arguments, lambda _: []),
    ),
    "On a server": (
        Command(
            "serve",
            "Serve, and open no browser.",
            _serve_arguments,
            lambda options: [["upgrade"], ["serve", "--bind", options.bind]],
        ),
    ),
}
COMMANDS: Final = {command.name: command for group in GROUPS.values() for command in group}


def overview() -> str:
    """What ``tongbox --help`` prints."""
    lines = [
        "Tongbox runs your mah-jong club on this computer.",
        "",
        f"  {'tongbox':<{COLUMN_WIDTH}}starts it and opens it in the browser; phones on the",
        f"  {'':<{COLUMN_WIDTH}}same Wi-Fi can open it too, and need no account",
    ]
    for heading, commands in GROUPS.items():
        lines += ["", heading]
        lines += [
            f"  {f'tongbox {listed_command.name}':<{COLUMN_WIDTH}}{listed_command.help_text}"
            for listed_command in commands
        ]
    lines += [
        "",
        "Each command explains itself:  tongbox backup --help",
        "",
        "All your data is in one folder; --data FOLDER chooses another:",
        f"  {os.environ.get(places.FOLDER_VARIABLE) or places.usual_folder()}",
        "",
    ]
    return "\n".join(lines)


class _Overview(ArgumentParser):
    def format_help(self) -> str:
        return overview()


def command_parser() -> ArgumentParser:
    """What reads the command line behind ``--data``."""
    parser = _Overview(prog="tongbox", usage="tongbox [COMMAND] [--data FOLDER]")
    parser.add_argument("--version", action="version", version=f"Tongbox {__version__}")
    subparsers = parser.add_subparsers(dest="command", parser_class=ArgumentParser, prog="tongbox")
    for command in COMMANDS.values():
        command.arguments(
            subparsers.add_parser(
                command.name, parents=[data_parser()], description=command.help_text
            )
        )
    _start_arguments(parser)  # without a command it starts
    return parser


def data_parser() -> ArgumentParser:
    """What reads ``--data`` alone, wherever it stands."""
    result = ArgumentParser(add_help=False, allow_abbrev=False)
    result.add_argument("--data", type=Path, metavar="FOLDER", help="the folder with your data")
    return result
