"""The wheel: what is in it, and an evening with it in an empty environment."""

import os
import subprocess
import sys
import venv
from pathlib import Path
from zipfile import ZipFile

import pytest

from tests.package.playing import Installed, play_a_first_evening

ROOT = Path(__file__).parents[2]
WHEELS = Path(os.environ["TONGBOX_WHEELS"]).absolute()
ONLY_ON_SERVERS = ("prometheus_client", "psycopg", "redis")


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("dist")
    build = [
        sys.executable,
        "-m",
        "hatchling",
        "build",
        "--target",
        "wheel",
        "--directory",
        str(folder),
    ]
    subprocess.run(build, cwd=ROOT, check=True, capture_output=True)  # noqa: S603
    (file,) = folder.glob("tongbox-*-py3-none-any.whl")
    return file


def test_it_holds_what_an_installation_reads_and_nothing_of_a_checkout(wheel: Path) -> None:
    with ZipFile(wheel) as zip_file:
        names = zip_file.namelist()
        (metadata,) = [name for name in names if name.endswith("/METADATA")]
        metadata_text = zip_file.read(metadata).decode()
    tops = {name.partition("/")[0] for name in names}
    packages = {"clubs", "config", "scoring", "tongbox", "tournaments"}
    assert {top for top in tops if not top.endswith(".dist-info")} == packages
    shipped_names = {name.removeprefix("config/shipped/") for name in names if "/shipped/" in name}
    folders = [*ROOT.glob("templates"), *ROOT.glob("static"), *ROOT.glob("docs/guide")]
    files = {file for folder in folders for file in folder.rglob("*") if file.is_file()}
    assert shipped_names == {file.relative_to(ROOT).as_posix() for file in files}
    assert not [name for name in names if "/tests/" in name or "test_" in name.split("/")[-1]]
    assert "Provides-Extra: server" in metadata_text


def test_an_evening_with_it(wheel: Path, tmp_path: Path) -> None:
    """Installed from a folder, without the internet, and without what only servers need."""
    environment = tmp_path / "environment"
    venv.create(environment, with_pip=False)
    python = environment / "bin" / "python"
    pip = [sys.executable, "-m", "pip", "--python", str(python), "--quiet", "--no-input"]
    subprocess.run(  # noqa: S603
        [*pip, "install", "--no-index", "--find-links", str(WHEELS), str(wheel)], check=True
    )
    for package in ONLY_ON_SERVERS:
        assert not [*environment.glob(f"lib/*/site-packages/{package}")]
    home = tmp_path / "home"
    home.mkdir()
    installation = Installed(environment / "bin" / "tongbox", home)
    assert installation.output_of("version") == "Tongbox 0.1.0\n"
    assert f"{home}/.local/share/Tongbox" in installation.output_of("--help")
    play_a_first_evening(installation, tmp_path / "our club", tmp_path / "another laptop")
