"""What ``tongbox`` says to a secretary: in a sentence, whatever is wrong."""

import os
import socket
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.config.served import free_port
from tests.config.test_without_server import WITHOUT_SERVER
from tests.stores import program_written
from tongbox.__main__ import main
from tongbox.words import COMMANDS


def tongbox(
    data: Path, *arguments: str, input_text: str = "", **environment: str
) -> tuple[int, str]:
    """Exit status and everything that is printed, far from the checkout."""
    inherited_variables = {
        name: os.environ[name] for name in ("PATH", "SYSTEMROOT") if name in os.environ
    }
    base_environment = inherited_variables | {"PYTHONPATH": str(Path(__file__).parents[2])}
    result = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "tongbox", "--data", str(data), *arguments],
        cwd=data.parent,
        env=base_environment | environment,
        input=input_text,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        encoding="utf-8",
        check=False,
    )
    assert "Traceback" not in result.stdout
    return result.returncode, result.stdout


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The data of a club that was set up by the command."""
    data = tmp_path_factory.mktemp("home") / "our club"
    plain = "django.contrib.staticfiles.storage.StaticFilesStorage"
    status, output = tongbox(data, "found", "Hill Top", "ann@example.org", TONGBOX_STATIC=plain)
    assert status == 0
    assert "ann@example.org signs in with the password" in output
    return data


@pytest.fixture
def taken_port() -> Iterator[int]:
    """A port at which another program listens."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        yield listener.getsockname()[1]


def test_the_help_names_every_command(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    output = capsys.readouterr().out
    assert all(f"  tongbox {name} " in output for name in COMMANDS)
    assert max(map(len, output.splitlines())) < 80


def test_the_help_names_the_folder_in_use(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("TONGBOX_VAR", "/srv/our club")
    with pytest.raises(SystemExit, match="0"):
        main(["--help"])
    assert capsys.readouterr().out.rstrip().endswith("\n  /srv/our club")


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_explains_itself(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit, match="0"):
        main([name, "--help"])
    output = capsys.readouterr().out
    assert output.startswith(f"usage: tongbox {name} [-h] [--data FOLDER]")
    assert COMMANDS[name].help_text.split()[0] in output


def test_nobody_gets_a_new_password_for_an_address_without_an_account(club: Path) -> None:
    status, output = tongbox(club, "changepassword", "nobody@example.org")
    assert (status, output) == (1, "user 'nobody@example.org' does not exist\n")


def test_a_word_that_is_no_command_is_answered_with_the_nearest(tmp_path: Path) -> None:
    message = "Tongbox has no command “bakcup”. Did you mean “tongbox backup”?\n"
    assert tongbox(tmp_path / "data", "bakcup") == (1, message)


def test_where_there_is_no_club_nothing_is_backed_up_nor_made(tmp_path: Path) -> None:
    data = tmp_path / "data"
    message = f"There is no club in {data} yet. Start Tongbox to set one up: tongbox\n"
    assert tongbox(data, "backup") == (1, message)
    assert list(data.iterdir()) == []


def test_a_folder_that_is_none_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    status, output = tongbox(tmp_path / "file", "doctor")
    message = f"Tongbox cannot write to {tmp_path / 'file'}: File exists. Choose another"
    assert (status, output) == (1, f"{message} with --data.\n")


def test_a_port_of_another_program_is_named_and_another_offered(
    club: Path, taken_port: int
) -> None:
    message = (
        f"Port {taken_port} is used by another program. Stop that first, or choose another port: "
        f"tongbox --port {taken_port + 1}\n"
    )
    assert tongbox(club, "--port", str(taken_port)) == (1, message)


def test_a_number_that_is_no_port_is_refused(club: Path) -> None:
    status, output = tongbox(club, "--port", "70000")
    assert (status, output.splitlines()[-1]) == (
        2,
        "tongbox: error: argument --port: 70000 is not a port: choose a number from 1 to 65535",
    )


def test_a_server_that_cannot_be_used_is_one_sentence(tmp_path: Path) -> None:
    packages = f"{WITHOUT_SERVER['PYTHONPATH']}{os.pathsep}{Path(__file__).parents[2]}"
    url = "postgres://tongbox@127.0.0.1/tongbox"
    message = (
        "DATABASE_URL names a PostgreSQL database, which needs more than is installed here: "
        "install tongbox[server].\n"
    )
    result = tongbox(tmp_path / "data", "upgrade", PYTHONPATH=packages, DATABASE_URL=url)
    assert result == (1, message)


def test_what_nobody_foresaw_is_a_sentence_and_its_details_a_file(tmp_path: Path) -> None:
    data = tmp_path / "data"
    data.mkdir()
    (data / "tongbox.sqlite3").write_text("This is a letter." * 100)
    status, output = tongbox(data, "verify")
    assert status == 1
    file = data / "tongbox-error.log"
    assert output == (
        f"Something went wrong: file is not a database (DatabaseError). The details are in {file}\n"
    )
    assert "Traceback" in file.read_text()


def test_the_sample_does_not_join_a_real_club(club: Path) -> None:
    status, output = tongbox(club, "sample", "--no-browser", "--port", str(free_port()))
    assert status == 1
    assert output.endswith("There is a real club in this folder; the sample was not added.\n")


def test_the_doctor_finds_a_club_ready_for_an_evening(club: Path) -> None:
    status, output = tongbox(club, "doctor", "--port", str(free_port()))
    assert (status, output.splitlines()[-1]) == (0, "Tongbox is ready for an evening.")
    assert "Readable and up to date, 1 club." in output


def test_another_laptop_needs_only_the_address_and_the_paper(club: Path, tmp_path: Path) -> None:
    environment = {"TONGBOX_BACKUPS_AWAY": program_written(tmp_path / "away").address}
    plain = {"TONGBOX_STATIC": "django.contrib.staticfiles.storage.StaticFilesStorage"}
    _, paper = tongbox(club, "recovery_key")
    assert tongbox(club, "backup", **environment)[0] == 0
    assert tongbox(club, "send_away", **environment)[0] == 0
    arguments, input_text = ("restore", "--from-away"), f"\n{paper.split()[0]}\n"
    status, output = tongbox(
        tmp_path / "new", *arguments, input_text=input_text, **environment, **plain
    )
    assert (status, "The digest is the same" in output) == (0, True)
    assert (tmp_path / "new" / "secret_key").read_bytes() == (club / "secret_key").read_bytes()
    status, output = tongbox(tmp_path / "newer", "restore")
    assert (status, output) == (1, "Give the backup file, or use --from-away.\n")


def test_other_commands_of_django_are_there_too(club: Path) -> None:
    assert tongbox(club, "recount") == (0, "0 games, 0 hands, 0 differences\n")


def test_a_program_without_a_window_writes_to_a_file(club: Path) -> None:
    code = (
        "import sys; sys.stdout = sys.stderr = None; from tongbox.__main__ import main;"
        f"main(['--data', {str(club)!r}, 'verify'])"
    )
    environment = {"PATH": os.environ["PATH"], "PYTHONPATH": str(Path(__file__).parents[2])}
    subprocess.run([sys.executable, "-c", code], env=environment, check=True)  # noqa: S603
    message = "0 books, 0 links: nothing was changed outside Tongbox.\n"
    assert (club / "tongbox.log").read_text() == message
