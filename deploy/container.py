"""What a container does: ``docker run tongbox`` serves, ``docker run tongbox back_up`` backs up.

Words after the image's name are a command of ``manage.py``; of these few programs, that program.
"""

import os
import signal
import subprocess
import sys
import tempfile
from pathlib import Path
from types import FrameType
from typing import Final

from filelock import FileLock

PROGRAMS: Final = {"celery", "gunicorn", "python", "sh"}  # compose.yaml runs them
ON_A_NEW_DATABASE: Final = {"found_club", "sample_data"}
BIND: Final = ("--bind", "0.0.0.0:8000")
SERVE_COMMAND: Final = ["gunicorn", "--config", "config/gunicorn.py", *BIND, "config.wsgi"]
STOP_SIGNALS: Final = {signal.SIGTERM, signal.SIGINT}
DATA_FOLDER: Final = Path(os.environ.get("TONGBOX_VAR", "/data"))
CANNOT_WRITE: Final = """\
Tongbox cannot write to {folder}, so it has not started. It runs as user {user}.
If you gave it a folder of your computer, let that user own it: chown -R {user} FOLDER
Or run it as the user who owns the folder: docker run --user $(id -u):$(id -g) …"""


def main() -> None:
    """Serve, or become the program that was named. Ends with 1 if nothing can be written."""
    command = sys.argv[1:]
    for number in STOP_SIGNALS:
        signal.signal(number, _exit_on_signal)
    try:
        DATA_FOLDER.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=DATA_FOLDER):
            pass
    except OSError:
        user = f"{os.getuid()}:{os.getgid()}"
        sys.exit(CANNOT_WRITE.format(folder=DATA_FOLDER, user=user))
    _use_temp_folder_on_volume()
    if command in ([], ["serve"]):
        _migrate()
        # One that comes before gunicorn listens waits until it does.
        signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        command = SERVE_COMMAND
    elif command[0] not in PROGRAMS:
        if command[0] in ON_A_NEW_DATABASE:
            _migrate()
        command = ["python", "manage.py", *command]
    os.execvp(command[0], command)  # noqa: S606


def _use_temp_folder_on_volume() -> None:
    """In the volume, where everything else is read-only."""
    try:
        tempfile.gettempdir()
    except FileNotFoundError:
        folder = DATA_FOLDER / "tmp"
        folder.mkdir(exist_ok=True)
        os.environ["TMPDIR"] = str(folder)


def _migrate() -> None:
    """Bring the database up to date; a container that starts beside this one waits until it is."""
    command = [sys.executable, "manage.py", "migrate", "--no-input", "--verbosity", "0"]
    with FileLock(DATA_FOLDER / "starting.lock"), subprocess.Popen(command) as migrating:
        try:
            status = migrating.wait()
        except SystemExit:
            migrating.terminate()
            raise
    if status:
        sys.exit("The database could not be brought up to date, so Tongbox has not started.")


def _exit_on_signal(number: int, _: FrameType | None) -> None:
    """The first process of a container ends at a signal only if it listens to it."""
    sys.exit(128 + number)


if __name__ == "__main__":
    main()
