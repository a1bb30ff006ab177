"""The program age, of other people, opens a copy with the key file as it lies there."""

import subprocess
import tarfile
from io import BytesIO
from pathlib import Path

from clubs.backup.sealing import make_key, seal


def test_a_copy_is_opened_without_tongbox(tmp_path: Path) -> None:
    key_file, copy = tmp_path / "recovery_key", tmp_path / "copy.tar.age"
    backup = tmp_path / "tongbox-2026-11-27-030000.tar.gz"
    backup.write_bytes(b"dragons" * 50_000)
    seal(backup, "the secret key", copy, make_key(key_file))
    command = ["age", "--decrypt", "--identity", str(key_file), str(copy)]
    process = subprocess.run(command, capture_output=True, check=True)  # noqa: S603
    with tarfile.open(fileobj=BytesIO(process.stdout)) as tar:
        contents = {name: tar.extractfile(name).read() for name in tar.getnames()}  # type: ignore[union-attr]
    assert contents == {backup.name: backup.read_bytes(), "secret_key": b"the secret key"}
