"""Pictures in the repository stay small, and are written again only when they look different."""

from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from tests.browser.at_the_club import differs, refresh

ROOT = Path(__file__).resolve().parent.parent
KINDS = {".png", ".jpg", ".jpeg", ".gif", ".webp", ".svg", ".ico"}
MOST_BYTES_OF_ALL = 2_000_000
ROOMY = 60_000


@pytest.fixture
def page() -> Image.Image:
    image = Image.new("RGB", (400, 300), "#f4ecdf")
    ImageDraw.Draw(image).rectangle((20, 20, 380, 80), fill="#0b3b2c")
    return image


def test_the_pictures_of_the_repository_stay_within_two_megabytes() -> None:
    folders = [ROOT / name for name in ("docs", "static", "templates", "benchmarks", "deploy")]
    pictures = [path for folder in folders for path in folder.rglob("*") if path.suffix in KINDS]
    assert ROOT / "docs" / "tour" / "first-look.png" in pictures
    assert sum(path.stat().st_size for path in pictures) <= MOST_BYTES_OF_ALL


def test_the_tour_itself_is_not_committed() -> None:
    file_names = {path.name for path in (ROOT / "docs" / "tour").iterdir()}
    assert file_names == {"README.md", "first-look.png"}
    assert "var/" in (ROOT / ".gitignore").read_text().splitlines()


def test_a_page_that_looks_the_same_is_not_written_again(page: Image.Image, tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    assert refresh(path, page, ROOMY)
    content = path.read_bytes()
    page.putpixel((5, 5), (0, 0, 0))
    assert not refresh(path, page, ROOMY)
    assert path.read_bytes() == content


def test_a_page_with_another_word_is_written_again(page: Image.Image, tmp_path: Path) -> None:
    path = tmp_path / "page.png"
    refresh(path, page, ROOMY)
    ImageDraw.Draw(page).text((30, 120), "Check in", fill="black", font_size=24)
    assert refresh(path, page, ROOMY)
    assert not differs(Image.open(path).convert("RGB"), page)


def test_a_page_of_another_size_has_changed(page: Image.Image) -> None:
    assert differs(page, page.crop((0, 0, 400, 299)))


def test_a_picture_gives_up_colours_to_stay_small(tmp_path: Path) -> None:
    path = tmp_path / "noise.png"
    noise = Image.effect_noise((200, 200), 90).convert("RGB")
    refresh(path, noise, 40_000)
    with_all_colours = path.stat().st_size
    path.unlink()
    refresh(path, noise, 10_000)
    assert path.stat().st_size < with_all_colours
