"""What is wrong with how a page is laid out: unsized pictures, cut figures, broken names."""

from collections.abc import Iterator
from itertools import count
from pathlib import Path
from typing import Any, Final

from django.conf import settings
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

# The longest figure in every numeric field and cell, one after another; each is put back.
CUT_FIGURES: Final = """(longest) => {
  const found = [];
  const fields = "input[inputmode=numeric], input[inputmode=none], .entry input[type=text]";
  const put = (field, value) => {
    field.value = value;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  };
  for (const field of document.querySelectorAll(fields)) {
    if (!field.checkVisibility()) continue;
    const { value, maxLength } = field;
    put(field, maxLength > 0 && maxLength < longest.length ? "8".repeat(maxLength) : longest);
    if (field.scrollWidth > field.clientWidth) {
      found.push(`${field.name}: ${field.clientWidth} px for ${field.scrollWidth}`);
    }
    put(field, value);
  }
  const isFigure = (node) => node.nodeType === 3 && /^[+−-]?[0-9,]+$/.test(node.data.trim());
  const cells = "td, dd, .num, .total, .agree__gain, .seat__score, .settle__amount";
  for (const cell of document.querySelectorAll(cells)) {
    const node = [...cell.childNodes].find(isFigure);
    if (!node || !cell.checkVisibility() || cell.closest(".scroll")) continue;
    const { data } = node;
    node.data = longest;
    const range = document.createRange();
    range.selectNodeContents(node);
    const { left, right } = range.getBoundingClientRect();
    const clipping = (box) => getComputedStyle(box).overflowX !== "visible";
    let [least, most] = [0, document.documentElement.clientWidth];
    for (let box = cell; box !== document.body; box = box.parentElement) {
      if (!clipping(box)) continue;
      const edges = box.getBoundingClientRect();
      [least, most] = [Math.max(least, edges.left), Math.min(most, edges.right)];
    }
    if (left < least - 0.5 || right > most + 0.5) {
      const name = `${cell.className || cell.tagName} ${data.trim()}`;
      found.push(`${name}: to ${Math.round(right)} of ${Math.round(most)} px`);
    }
    node.data = data;
  }
  return found;
}"""
BROKEN_WORDS: Final = """([names, longest]) => {
  const found = [];
  for (const name of document.querySelectorAll(names)) {
    if (!name.checkVisibility()) continue;
    const texts = document.createTreeWalker(name, NodeFilter.SHOW_TEXT);
    for (let node = texts.nextNode(); node; node = texts.nextNode()) {
      if (node.parentElement.getBoundingClientRect().width <= 1) continue;
      for (const { 0: word, index } of node.data.matchAll(/[^\\s-]+/g)) {
        const range = document.createRange();
        range.setStart(node, index);
        range.setEnd(node, index + word.length);
        const lines = new Set([...range.getClientRects()].map((box) => Math.round(box.top)));
        if (word.length <= longest && lines.size > 1) found.push(`${word}: on ${lines.size} lines`);
      }
    }
  }
  return found;
}"""

# A class of an element that a sheet of ours has a rule for, where no sheet of the page knows it.
MISSING_RULES: Final = r"""(sheets) => {
  const found = new Set();
  const classes = (selector) =>
    [...selector.matchAll(/\.(-?[a-z_][\w-]*)/gi)].map(([, name]) => name);
  const parts = (selector, separator) => {
    const split = [""];
    let depth = 0;
    for (const sign of selector) {
      depth += "([".includes(sign) - ")]".includes(sign);
      if (depth === 0 && separator.includes(sign)) split.push("");
      else split[split.length - 1] += sign;
    }
    return split.map((part) => part.trim()).filter(Boolean);
  };
  function* selectors(rules, parent) {
    for (const rule of rules) {
      if (rule instanceof CSSMediaRule && rule.conditionText === "print") continue;
      const own = rule.selectorText?.replaceAll("&", `:is(${parent})`);
      if (own) yield own;
      if (rule.cssRules) yield* selectors(rule.cssRules, own ?? parent);
    }
  }
  const ruled = new Set();
  for (const { cssRules } of document.styleSheets) {
    for (const one of selectors(cssRules)) classes(one).forEach((name) => ruled.add(name));
  }
  const loaded = [...document.styleSheets].map((sheet) => sheet.href ?? "");
  for (const [name, text] of Object.entries(sheets)) {
    if (loaded.some((href) => href.endsWith(name))) continue;
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(text);
    for (const selector of [...selectors(sheet.cssRules)].flatMap((list) => parts(list, ","))) {
      const missing = classes(parts(selector, " >+~").at(-1)).filter((one) => !ruled.has(one));
      const plain = selector.replace(/::[\w-]+/g, "");
      if (missing.length && document.querySelector(plain)) found.add(`.${missing[0]} of ${name}`);
    }
  }
  return [...found];
}"""

# Text and controls that cannot be read: cut by an edge that nothing scrolls, or under something
# wherever the page is scrolled to; bars and heads that leave too little of the screen.
UNREAD: Final = r"""([within, shortWord]) => {
  const found = new Set();
  const part = document.querySelector(within);
  const UNSEEN = ".hidden-text, .skip, svg, template, option, script, style, noscript";
  const CODES = "pre, code, .secret, .edition"; // may end a line anywhere
  const range = document.createRange();
  const seen = { visibilityProperty: true, opacityProperty: true };
  const called = (one) => one.id ? `#${one.id}` : [one.localName, ...one.classList].join(".");
  const isForReaders = (one) => {
    for (let box = one; box; box = box.parentElement) {
      if (getComputedStyle(box).clipPath === "inset(50%)") return true;
    }
    return false;
  };
  const boxesOf = (text) => {
    range.selectNodeContents(text);
    return [...range.getClientRects()].filter(({ width, height }) => width > 1 && height > 1);
  };

  // The edge that cuts this box; empty for none.
  function edgeOf(box, one) {
    for (let edge = one; edge !== document.body; edge = edge.parentElement) {
      const { overflowX, overflowY, position } = getComputedStyle(edge);
      if (/auto|scroll/.test(overflowX + overflowY)) return "";
      const { left, right, top, bottom } = edge.getBoundingClientRect();
      const [clipsX, clipsY] = [overflowX !== "visible", overflowY !== "visible"];
      const slack = box.height / 4; // a line is higher than its letters
      if (clipsX && (box.left < left - 1 || box.right > right + 1)) return called(edge);
      if (clipsY && (box.top < top - slack || box.bottom > bottom + slack)) return called(edge);
      if (position === "fixed") return "";
    }
    return "";
  }

  // The box that this text runs out of at a side; empty for none.
  function spillOf(box, one) {
    for (let around = one; around !== document.body; around = around.parentElement) {
      const { display, overflowX, position } = getComputedStyle(around);
      if (overflowX !== "visible") return "";
      const { left, right } = around.getBoundingClientRect();
      const isBox = !/^(inline|contents)$/.test(display);
      if (isBox && (box.left < left - 1 || box.right > right + 1)) return called(around);
      if (/absolute|fixed/.test(position)) return "";
    }
    return "";
  }

  // A word or a figure that is cut in two by the end of its line; empty for none. A long one
  // may be, and an address.
  function brokenWord(text) {
    for (const { 0: token, index } of text.data.matchAll(/[^\s–-]+/gu)) {
      const [, before, word] = token.match(/^([^\p{L}\d+−]*)(.*?)[^\p{L}\d]*$/u);
      const isAddress = !/^([\p{L}’']+|[+−]?[\d,.]+)$/u.test(word);
      if (isAddress || word.length > shortWord) continue;
      range.setStart(text, index + before.length);
      range.setEnd(text, index + before.length + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1) return word;
    }
    return "";
  }

  // The first column of a table stands still while the others pass beneath it.
  function isBeside(over, one) {
    const scroller = one.closest(".scroll");
    for (let box = over; scroller?.contains(box) && box !== scroller; box = box.parentElement) {
      if (getComputedStyle(box).position === "sticky") return true;
    }
    return false;
  }

  function isPainted(over, x, y) {
    const { backgroundColor, backgroundImage } = getComputedStyle(over);
    if (backgroundImage !== "none" || !/, 0\)$/.test(backgroundColor)) return true;
    const at = ({ left, right, top, bottom }) => left < x && x < right && top < y && y < bottom;
    const texts = [...over.childNodes].filter((node) => node.nodeType === 3 && node.data.trim());
    return texts.some((text) => boxesOf(text).some(at));
  }

  function coverOf(text, one) {
    for (const { left, top, width, height } of boxesOf(text)) {
      const [x, y] = [left + width / 2, top + height / 2];
      if (x < 0 || x > innerWidth || y < 0 || y > innerHeight) continue;
      for (const over of document.elementsFromPoint(x, y)) {
        if (over === one || over.contains(one) || one.contains(over)) break;
        if (over.closest("svg") || !over.checkVisibility(seen) || isBeside(over, one)) continue;
        if (isPainted(over, x, y)) return called(over);
      }
    }
    return "";
  }

  function look(text) {
    const one = text.parentElement;
    const words = text.data.trim().replace(/\s+/g, " ").slice(0, 30);
    const edge = boxesOf(text).map((box) => edgeOf(box, one)).find(Boolean);
    if (edge) found.add(`“${words}” is cut by ${edge}`);
    if (!one.closest(CODES)) {
      const spill = boxesOf(text).map((box) => spillOf(box, one)).find(Boolean);
      if (spill) found.add(`“${words}” runs out of ${spill}`);
      const broken = brokenWord(text);
      if (broken) found.add(`“${broken}” is broken in ${called(one)}`);
    }
    let cover = "";
    for (const block of ["center", "start", "end"]) {
      one.scrollIntoView({ block, inline: "center", behavior: "instant" });
      cover = coverOf(text, one);
      if (!cover) return;
    }
    found.add(`“${words}” lies under ${cover}`);
  }

  // Of a menu that is open, each line can be brought onto the screen.
  function isOffScreen(text) {
    const { left, right, top, bottom } = text.parentElement.getBoundingClientRect();
    return left < -1 || right > innerWidth + 1 || top < -1 || bottom > innerHeight + 1;
  }

  const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
  const toLookAt = [];
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const one = text.parentElement;
    const isShown = text.data.trim() && !one.closest(UNSEEN) && one.checkVisibility(seen);
    if (isShown && !isForReaders(one)) toLookAt.push(text);
  }
  for (const text of toLookAt) {
    look(text);
    if (part !== document.body && isOffScreen(text)) {
      found.add(`“${text.data.trim()}” is off the screen`);
    }
  }

  // A list to choose from has its longest choice whole or, on a phone, all the room there is.
  const NARROW = 480;
  function fills(list) {
    const around = list.parentElement;
    const { paddingLeft, paddingRight } = getComputedStyle(around);
    const room = around.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    return innerWidth < NARROW && list.offsetWidth >= room - 1;
  }
  const pen = document.createElement("canvas").getContext("2d");
  for (const list of part.querySelectorAll("select")) {
    if (!list.checkVisibility() || fills(list)) continue;
    const { font, paddingLeft, paddingRight } = getComputedStyle(list);
    const room = list.clientWidth - parseFloat(paddingLeft) - parseFloat(paddingRight);
    pen.font = font;
    const longest = Math.max(...[...list.options].map((one) => pen.measureText(one.label).width));
    const sizes = `${Math.round(room)} px for ${Math.round(longest)}`;
    if (longest > room + 1) found.add(`${list.name}: ${sizes}`);
  }
  for (const field of part.querySelectorAll("input:not([type=hidden], [readonly])")) {
    const isOwn = /text|url|email|search/.test(field.type) && field.value; // as long as they like
    if (isOwn || !field.checkVisibility(seen) || field.clientWidth <= 1) continue;
    if (field.scrollWidth > field.clientWidth + 1) found.add(`${field.name} is too narrow`);
  }

  for (const bar of document.querySelectorAll("body *")) {
    if (!/sticky|fixed/.test(getComputedStyle(bar).position) || bar.closest(".scroll")) continue;
    const { width, height } = bar.getBoundingClientRect();
    const isBar = bar.checkVisibility() && width > innerWidth / 2;
    const much = `${Math.round(height)} px`;
    if (isBar && height > 0.375 * innerHeight) found.add(`${called(bar)} takes ${much}`);
  }
  const head = document.querySelector(".masthead")?.offsetHeight;
  if (innerWidth < NARROW && head > innerHeight / 6) found.add(`the head takes ${head} px`);
  scrollTo(0, 0);
  return [...found];
}"""
# Visible text in smaller letters when larger ones are chosen.
SHRUNK: Final = r"""(looks) => {
  const found = new Set();
  const seen = { visibilityProperty: true, opacityProperty: true };
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const ordinary = new Map();
  const pixels = (one) => parseFloat(getComputedStyle(one).fontSize);
  const isShown = (one) => one.checkVisibility(seen) && one.getBoundingClientRect().width > 1;
  const { letters: chosen } = document.documentElement.dataset;
  delete document.documentElement.dataset.letters;
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const one = text.parentElement;
    if (text.data.trim() && isShown(one)) ordinary.set(text, pixels(one));
  }
  for (const look of looks) {
    document.documentElement.dataset.letters = look;
    for (const [text, before] of ordinary) {
      const one = text.parentElement;
      const after = pixels(one);
      if (after > before - 0.05 || !isShown(one)) continue;
      const words = text.data.trim().replace(/\s+/g, " ").slice(0, 30);
      found.add(`${look}: “${words}” from ${before} px to ${after}`);
    }
  }
  if (chosen) document.documentElement.dataset.letters = chosen;
  else delete document.documentElement.dataset.letters;
  return [...found];
}"""
# Visible text of tables that the largest letters make hardly larger than it ordinarily is.
STUNTED: Final = r"""(least) => {
  const found = new Set();
  const seen = { visibilityProperty: true, opacityProperty: true };
  const isShown = (one) => one.checkVisibility(seen) && one.getBoundingClientRect().width > 1;
  const { letters: chosen } = document.documentElement.dataset;
  const sizes = (letters) => {
    document.documentElement.dataset.letters = letters;
    const sized = new Map();
    for (const table of document.querySelectorAll("main table")) {
      const texts = document.createTreeWalker(table, NodeFilter.SHOW_TEXT);
      for (let text = texts.nextNode(); text; text = texts.nextNode()) {
        const one = text.parentElement;
        if (!text.data.trim() || !isShown(one) || one.closest("svg")) continue;
        sized.set(text, parseFloat(getComputedStyle(one).fontSize));
      }
    }
    return sized;
  };
  const [ordinary, largest] = [sizes("standard"), sizes("largest")];
  for (const [text, before] of ordinary) {
    const after = largest.get(text);
    if (after === undefined || after >= least * before) continue;
    const cell = text.parentElement.closest("td, th, caption");
    const words = text.data.trim().replace(/\s+/g, " ").slice(0, 30);
    found.add(`${cell?.className || cell?.localName}: “${words}” from ${before} px to ${after}`);
  }
  if (chosen) document.documentElement.dataset.letters = chosen;
  else delete document.documentElement.dataset.letters;
  return [...found];
}"""
SHORT_WORD: Final = 11  # letters of a word that is never cut in two
# What opens over the page hides it for as long as it is open, as it should.
OPEN_ALL: Final = """() => {
  const liesOver = (one) => /absolute|fixed/.test(getComputedStyle(one).position);
  const closed = [...document.querySelectorAll("main details:not([open])")];
  const folded = closed.filter((one) => ![...one.children].some(liesOver));
  for (const one of folded) one.open = one.dataset.unfolded = true;
  return folded.length;
}"""
# Opens the menu of that number and what it lies in; whether somebody can, "" where there is none.
OPEN_MENU: Final = """(number) => {
  const menus = [...document.querySelectorAll("details.menu")];
  for (const menu of menus) {
    menu.open = false;
    delete menu.dataset.lookedAt;
  }
  const menu = menus[number];
  for (let box = menu; box; box = box.parentElement.closest("details")) box.open = true;
  const isThere = menu?.querySelector("summary").checkVisibility();
  if (isThere) menu.dataset.lookedAt = "";
  return menu ? String(isThere) : "";
}"""
FOLD_AGAIN: Final = """() => {
  for (const one of document.querySelectorAll("[data-unfolded]")) one.open = false;
}"""


def unsized_pictures(page: Page) -> list[str]:
    """Pictures of which neither side has a declared size, so that they fill what room there is."""
    pictures: list[str] = page.evaluate(UNSIZED_PICTURES)
    return pictures


def our_sheets() -> dict[str, str]:
    """The text of each of our style sheets, by its path below ``css/``."""
    folder = Path(settings.BASE_DIR) / "static" / "css"
    return {f"/css/{path.relative_to(folder)}": path.read_text() for path in folder.rglob("*.css")}


UNSAID_SLIDES = """() => [...document.querySelectorAll(".scroll:not(pre)")]
  .filter((box) => box.scrollWidth > box.clientWidth + 1 && box.checkVisibility())
  .filter((box) => !box.previousElementSibling?.matches(".scroll-hint"))
  .map((box) => `${box.ariaLabel}: ${box.scrollWidth} in ${box.clientWidth}`)"""


def unsaid_slides(page: Page) -> list[str]:
    """Tables and pictures wider than the page that no line above them says to swipe."""
    return measure(page, UNSAID_SLIDES)


def missing_rules(page: Page, sheets: dict[str, str]) -> list[str]:
    """Classes on the page that only sheets which it does not load have rules for."""
    classes: list[str] = page.evaluate(MISSING_RULES, sheets)
    return classes


def measure(page: Page, script: str, argument: Any = None) -> list[str]:
    """What a script finds, once the page has its styles, and its own letters in their widths."""
    page.wait_for_load_state()
    page.evaluate("document.fonts.ready.then(() => true)")
    findings: list[str] = page.evaluate(script, argument)
    return findings


def cut_figures(page: Page, longest: str) -> list[str]:
    """Numeric fields and cells that do not hold this figure whole."""
    return measure(page, CUT_FIGURES, longest)


def broken_words(page: Page, names: str, longest: int) -> list[str]:
    """Words of up to so many letters, within the elements of a selector, that run over a line."""
    return measure(page, BROKEN_WORDS, [names, longest])


def shrunk(page: Page, looks: tuple[str, ...]) -> list[str]:
    """Text that one of these sizes of letters makes smaller than it ordinarily is."""
    return measure(page, SHRUNK, list(looks))


def stunted_texts(page: Page, least: float) -> list[str]:
    """Text of tables that the largest letters make less than so many times as large."""
    return measure(page, STUNTED, least)


def unread(page: Page, short_word: int = SHORT_WORD) -> list[str]:
    """What is cut or covered on the page as it is, and what more with all its folds open.

    No word of up to ``short_word`` letters is cut in two.
    """
    faults = measure(page, UNREAD, ["body", short_word])
    if page.evaluate(OPEN_ALL):
        unfolded_faults = measure(page, UNREAD, ["body", short_word])
        faults += [f"opened: {fault}" for fault in unfolded_faults if fault not in faults]
        page.evaluate(FOLD_AGAIN)
    return faults


def unread_in_menus(page: Page) -> Iterator[str]:
    """What is cut, covered or out of reach in each menu of the masthead."""
    for number in count():
        is_there = page.evaluate(OPEN_MENU, number)
        if not is_there:
            return
        if is_there == "true":
            yield from measure(page, UNREAD, ["[data-looked-at]", SHORT_WORD])
