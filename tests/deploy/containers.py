"""An image of Tongbox and its containers, made by podman on a Debian fetched with debootstrap.

No registry of images is asked: ``deploy/Containerfile`` takes its base as an argument. The base's
Python is that of the Debian that the Containerfile names.
"""

import re
import shutil
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final
from urllib.error import HTTPError, URLError
from urllib.request import Request, urlopen

from django.conf import settings

from tests.config.served import free_port, wait_until

FILE: Final = settings.BASE_DIR / "deploy" / "Containerfile"
BASE, IMAGE = "localhost/base", "localhost/tongbox"
NEEDED: Final = ("podman", "debootstrap", "runc")
TO_REACH_PACKAGES: Final = {"cert", "index-url", "extra-index-url", "proxy", "trusted-host"}
ARCHIVE: Final = ["indextargets", "--format", "$(REPO_URI) $(CODENAME)", "Created-By: Packages"]
LIMITS: Final = ("--ulimit", "nofile=1024:1024", "--ulimit", "nproc=1024:1024")
HARDENED: Final = (
    *("--read-only", "--read-only-tmpfs=false", "--cap-drop", "all"),
    *("--security-opt", "no-new-privileges"),
)


def run(*arguments: str | Path, is_good: bool = True) -> subprocess.CompletedProcess[str]:
    """A command to its end, with all that it said as one text; it must not fail, unless it may."""
    result = subprocess.run(  # noqa: S603
        arguments, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    assert not is_good or result.returncode == 0, result.stdout
    return result


class Engine:
    """Podman with a store of its own in a folder."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.command = [
            *("podman", "--root", str(folder / "store"), "--runroot", str(folder / "run")),
            *("--tmpdir", str(folder / "tmp"), "--cgroup-manager", "cgroupfs", "--runtime", "runc"),
        ]
        store = run(*self.command, "--storage-driver", "overlay", "info", is_good=False)
        # The other way copies the whole image for each container.
        self.command += ["--storage-driver", "vfs" if store.returncode else "overlay"]

    def do(self, *arguments: str, is_good: bool = True) -> subprocess.CompletedProcess[str]:
        """One command of podman."""
        return run(*self.command, *arguments, is_good=is_good)

    def run(self, *arguments: str, is_good: bool = True) -> subprocess.CompletedProcess[str]:
        """A container to its end: options, the image's name, words."""
        return self.do("run", "--rm", *LIMITS, *arguments, is_good=is_good)

    def close(self) -> None:
        """End what runs, and delete the store."""
        self.do("rm", "--force", "--all", "--time", "1", is_good=False)
        shutil.rmtree(self.folder, ignore_errors=True)

    def make_base(self) -> None:
        """A small Debian with Python, of the release that the Containerfile builds on."""
        (release,) = re.findall(r"^ARG BASE=\S+-(\w+)$", FILE.read_text("utf-8"), re.MULTILINE)
        lines = run("apt-get", *ARCHIVE).stdout.splitlines()
        archive = next(site for site, name in map(str.split, lines) if "-" not in name)
        tree, base_archive = self.folder / "debian", self.folder / "base.tar"
        include = "--include=python3,python3-venv"
        run("debootstrap", "--variant=minbase", include, release, tree, archive)
        excluded_paths = ("./proc/*", "./sys/*", "./dev/*", "./var/cache/apt/archives/*.deb")
        run(
            "tar",
            "-C",
            tree,
            *(f"--exclude={name}" for name in excluded_paths),
            "-cf",
            base_archive,
            ".",
        )
        shutil.rmtree(tree)
        self.do("import", str(base_archive), BASE)
        base_archive.unlink()

    def build(self) -> None:
        """The image; pip's way to its packages is lent for the time of building."""
        pip = [sys.executable, "-m", "pip", "config", "list"]
        pip_settings = re.findall(r"^[\w:]+\.([\w-]+)='(.*)'$", run(*pip).stdout, re.MULTILINE)
        config = {key: value for key, value in pip_settings if key in TO_REACH_PACKAGES}
        config = {key: value for key, value in config.items() if "file:" not in value}
        volume_options = []
        if certificates := config.get("cert"):
            volume_options = ["--volume", f"{certificates}:/etc/lent.crt:ro"]
            config["cert"] = "/etc/lent.crt"
        lines = "".join(f"{key} = {value}\n" for key, value in config.items())
        (self.folder / "pip.conf").write_text(f"[global]\n{lines}", encoding="utf-8")
        volume_options += ["--volume", f"{self.folder / 'pip.conf'}:/etc/pip.conf:ro"]
        options = ["--layers=false", "--isolation", "chroot", "--format", "docker"]
        options += ["--build-arg", f"BASE={BASE}", "--file", str(FILE), "--tag", IMAGE]
        self.do("build", *options, *volume_options, str(settings.BASE_DIR))


class Container:
    """One that serves, with its volume, at a port of this machine."""

    def __init__(self, engine: Engine, name: str, *options: str) -> None:
        self.engine, self.name = engine, name
        self.port = free_port()
        self.address = f"http://127.0.0.1:{self.port}"
        port_options = ("--publish", f"127.0.0.1:{self.port}:8000")
        engine.do("run", "--detach", "--name", name, *LIMITS, *port_options, *options, IMAGE)
        self.opens()

    def opens(self) -> None:
        """Wait until it answers."""
        assert wait_until(lambda: self.status() == 200, seconds=90), self.log()

    def status(self, path: str = "/healthz/", host: str = "127.0.0.1") -> int:
        """What it answers somebody who asks for this host; 0: nothing."""
        request = Request(self.address + path, headers={"Host": host})  # noqa: S310
        try:
            with urlopen(request, timeout=20) as answer:  # noqa: S310
                return int(answer.status)
        except HTTPError as refused:
            refused.close()
            return refused.code
        except (URLError, OSError):
            return 0

    def log(self) -> str:
        """All that it has printed."""
        return self.engine.do("logs", self.name).stdout

    def inside(self, *arguments: str) -> str:
        """What a command in it prints."""
        return self.engine.do("exec", self.name, *arguments).stdout

    def stop(self) -> tuple[int, float]:
        """Its exit status, and the seconds that it took to stop; it is killed after a minute."""
        start_time = time.monotonic()
        self.engine.do("stop", "--time", "60", self.name)
        seconds = time.monotonic() - start_time
        state = self.engine.do("inspect", "--format", "{{.State.ExitCode}}", self.name)
        return int(state.stdout.split()[-1]), seconds

    def start(self) -> None:
        """Start it again, as after a restart of the machine."""
        self.engine.do("start", self.name)
        self.opens()


def missing(programs: Sequence[str] = NEEDED) -> list[str]:
    """What this machine lacks to build and run an image."""
    return [name for name in programs if shutil.which(name) is None]
