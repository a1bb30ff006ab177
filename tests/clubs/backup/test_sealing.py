"""Copies are encrypted to a key on paper; what was changed or cut off is refused."""

import tarfile
from io import BytesIO
from pathlib import Path

import pyrage
import pytest
from pyrage import x25519

from clubs.backup import BackupError
from clubs.backup.papers import GROUP_LENGTH, GROUPS_PER_LINE, KEY_PREFIX, recovery_sheet
from clubs.backup.sealing import keep_key, make_key, read_key, seal, unseal
from clubs.paper.formats import Format
from tests.clubs.paper.test_paper_names import every_format, wrong_with
from tests.paper import overlapping, pages_of, words_of

SECRET = "the key that signs the links"
PLACES = [
    "webdavs://USER:PASSWORD@cloud.example.org/remote.php/dav/files/secretary/Tongbox/riverside",
    "s3://USER:PASSWORD@s3.eu-west-2.amazonaws.com/riverside-backups/tongbox?region=eu-west-2",
    "command:/srv/tongbox/away.sh b2:club",
]


@pytest.fixture
def key(tmp_path: Path) -> str:
    return make_key(tmp_path / "recovery_key")


@pytest.fixture
def backup(tmp_path: Path) -> Path:
    file = tmp_path / "tongbox-2026-11-27-030000.tar.gz"
    file.write_bytes(b"Margaret Ellis" * 20_000)
    return file


@pytest.fixture
def sealed_copy(tmp_path: Path, key: str, backup: Path) -> Path:
    file = tmp_path / "copy.tar.age"
    seal(backup, SECRET, file, key)
    return file


def test_a_copy_opens_with_its_key_and_shows_nothing_without(
    sealed_copy: Path, backup: Path, key: str, tmp_path: Path
) -> None:
    data = sealed_copy.read_bytes()
    assert data.startswith(b"age-encryption.org/v1\n")
    for plain in (b"Margaret", SECRET.encode(), backup.name.encode()):
        assert plain not in data
    assert sealed_copy.stat().st_mode & 0o777 == 0o600
    unsealed_copy = unseal(sealed_copy, tmp_path / "open", key)
    assert unsealed_copy.backup.read_bytes() == backup.read_bytes()
    assert (unsealed_copy.backup.name, unsealed_copy.secret_key) == (backup.name, SECRET)
    assert [path.name for path in unsealed_copy.backup.parent.iterdir()] == [backup.name]


def test_another_key_opens_nothing(sealed_copy: Path, tmp_path: Path) -> None:
    other_key = str(x25519.Identity.generate())
    with pytest.raises(BackupError, match="encrypted with another recovery key"):
        unseal(sealed_copy, tmp_path / "open", other_key)


@pytest.mark.parametrize("position", [0.3, 0.9])
def test_one_bit_that_was_changed_is_noticed(
    sealed_copy: Path, key: str, tmp_path: Path, position: float
) -> None:
    data = bytearray(sealed_copy.read_bytes())
    data[int(len(data) * position)] ^= 1
    sealed_copy.write_bytes(data)
    with pytest.raises(BackupError, match="is incomplete, or has been altered"):
        unseal(sealed_copy, tmp_path / "open", key)


@pytest.mark.parametrize("length", [0, 100, 64 * 1024, -1])
def test_a_copy_that_was_cut_off_is_noticed(
    sealed_copy: Path, key: str, tmp_path: Path, length: int
) -> None:
    sealed_copy.write_bytes(sealed_copy.read_bytes()[:length])
    with pytest.raises(BackupError, match="is incomplete, or has been altered"):
        unseal(sealed_copy, tmp_path / "open", key)


@pytest.mark.parametrize(
    ("name", "kind"), [("../elsewhere", tarfile.REGTYPE), ("link", tarfile.SYMTYPE), ("", None)]
)
def test_an_archive_that_tongbox_did_not_make_lays_nothing_elsewhere(
    key: str, tmp_path: Path, name: str, kind: bytes | None
) -> None:
    forged_archive = BytesIO()
    with tarfile.open(fileobj=forged_archive, mode="w") as tar:
        if kind:
            member = tarfile.TarInfo(name)
            member.type, member.linkname = kind, "/etc/passwd"
            tar.addfile(member, BytesIO(b""))
    recipient = x25519.Identity.from_str(key).to_public()
    sealed_file = tmp_path / "copy.tar.age"
    sealed_file.write_bytes(pyrage.encrypt(forged_archive.getvalue(), [recipient]))
    with pytest.raises(BackupError, match="holds no backup"):
        unseal(sealed_file, tmp_path / "open", key)


def test_the_key_is_made_once_and_only_its_owner_reads_it(tmp_path: Path) -> None:
    file = tmp_path / "new" / "recovery_key"
    key = make_key(file)
    assert file.stat().st_mode & 0o777 == 0o600
    with pytest.raises(FileExistsError):
        make_key(file)
    with pytest.raises(FileExistsError):
        keep_key(file, key)
    assert read_key(file.read_text(encoding="utf-8")) == key


def test_a_key_is_typed_from_paper_in_any_groups(key: str) -> None:
    characters = key.removeprefix(KEY_PREFIX)
    groups = [
        characters[start : start + GROUP_LENGTH]
        for start in range(0, len(characters), GROUP_LENGTH)
    ]
    assert read_key(f" {KEY_PREFIX} {' '.join(groups)}".lower()) == key


def test_a_character_that_was_mistyped_is_noticed(key: str) -> None:
    for index in (20, 50, 73):
        wrong = key[:index] + ("Q" if key[index] != "Q" else "P") + key[index + 1 :]
        with pytest.raises(BackupError, match="compare each one with the paper"):
            read_key(wrong)
    for wrong in ("", key[:-1], "the seven of bamboos"):
        with pytest.raises(BackupError, match="is not the recovery key"):
            read_key(wrong)


@every_format
def test_the_sheet_can_be_read_in_every_format(key: str, form: Format) -> None:
    paper = recovery_sheet(key, places=PLACES, made_on="27 November 2026", form=form)
    assert wrong_with(paper, form) == {}
    assert overlapping(paper) == []
    text = "\n".join(words_of(paper))
    characters = key.removeprefix(KEY_PREFIX)
    for start in range(0, len(characters), GROUP_LENGTH * GROUPS_PER_LINE):
        row = characters[start : start + GROUP_LENGTH * GROUPS_PER_LINE]
        assert (
            " ".join(
                row[offset : offset + GROUP_LENGTH] for offset in range(0, len(row), GROUP_LENGTH)
            )
            in text
        )
    assert text.count("Address") == len(PLACES)
    assert text.count("Password") == 2


def test_the_usual_sheet_is_one_page(key: str) -> None:
    paper = recovery_sheet(key, places=PLACES, made_on="27 November 2026")
    assert len(pages_of(paper)) == 1
    assert len(pages_of(recovery_sheet(key, places=[], made_on="27 November 2026"))) == 1
