"""What a page’s style sheets lack, as its reader sees it: a picture that nothing sizes."""

from typing import Final

from playwright.sync_api import Page

# A picture has a size of its own, from its attributes or from a rule of the page’s sheets; parts
# of another picture have its size.
UNSIZED_PICTURES: Final = """() => {
  const found = [];
  for (const picture of document.querySelectorAll("svg, img, canvas, video")) {
    if (picture.parentElement.closest("svg") || !picture.checkVisibility()) continue;
    const style = picture.computedStyleMap();
    if (["width", "height"].some((side) => String(style.get(side)) !== "auto")) continue;
    const { width, height } = picture.getBoundingClientRect();
    const name = picture.getAttribute("class") || picture.src || picture.ariaLabel;
    found.push(`${name}: ${Math.round(width)} × ${Math.round(height)}`);
  }
  return found;
}"""


def unsized_pictures(page: Page) -> list[str]:
    """Pictures of which neither side has a declared size, so that they fill what room there is."""
    found: list[str] = page.evaluate(UNSIZED_PICTURES)
    return found
