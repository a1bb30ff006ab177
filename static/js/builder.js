// The tile builder: a tile stands in the hand the moment it is tapped; the server says what it makes.
const MOST = 18;
const MOST_TAPS = 40;
const ALONE = /^([FS]\d|JK)$/;
const SEVERAL = { tile: 1, pair: 2, pung: 3, kong: 4, chow: 1 };
const form = document.querySelector("[data-builder]");
const root = form.closest("[data-built]");
const isKept = form.method === "post";
const place = `taps ${location.pathname}`;
const pending = kept();
let leaving = null;
let asking = false;
let sentence = "";
let lifted = Promise.resolve();

form.addEventListener("submit", (event) => {
  event.preventDefault();
  const button = event.submitter;
  if (button?.name === "tap") tap(button);
});
form.addEventListener("change", () => {
  remember();
  forgetRefusals();
});
window.addEventListener("online", ask);
window.addEventListener("popstate", () => {
  remember();
  forgetRefusals();
});
root.addEventListener("pointerdown", hold);
root.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button?.dataset.copy) copy(button);
  if (button && "screenNext" in button.dataset) forgetRefusals();
  leave(event);
});
unhide();
setKeys(form.dataset.keys);
recall();
if (pending.length) goOn();

function tap(button) {
  const isKey = button.classList.contains("key");
  const adding = new FormData(form).get("add");
  forgetRefusals();
  pending.push(isKey && adding !== "tile" ? `${adding}:${button.value}` : button.value);
  keep();
  if (isKey) steadily(() => showAtOnce(button, adding));
  else if (button.ariaPressed === "false") press(button);
  ask();
}

// What the tap will have done, before the server has said so.
function showAtOnce(key, adding) {
  const number = ALONE.test(key.value) ? 1 : SEVERAL[adding];
  const held = key.querySelector("[data-held]");
  setKey(key, Number(held.textContent) + number, Number(key.dataset.left) - number);
  for (const place of root.querySelectorAll("[data-coming]")) {
    for (let one = 0; one < number && place.childElementCount < MOST; one += 1) {
      place.append(key.querySelector(".tile").cloneNode(true));
    }
  }
}

function press(button) {
  const group = button.closest(".chips");
  if (!button.value.startsWith("fact:")) for (const other of group.querySelectorAll("[aria-pressed]")) other.ariaPressed = "false";
  button.ariaPressed = "true";
}

// One question at a time, about all taps since the last answer: no answer can come out of order.
async function ask() {
  if (asking || !pending.length) return;
  asking = true;
  root.dataset.busy = "";
  const taps = pending.slice(0, MOST_TAPS);
  try {
    const answer = await (isKept ? send(taps) : fetch(address(taps), { headers: { "HX-Request": "true" }, cache: "no-store" }));
    if (answer.status === 409) return goBack(await answer.text());
    if (answer.status !== 200 && answer.status !== 422) throw new Error(String(answer.status));
    const text = await answer.text();
    await lifted;
    pending.splice(0, taps.length);
    steadily(() => show(text));
    keep();
    delete root.dataset.busy;
    if (leaving && !pending.length && !asksFirst(leaving)) return location.assign(leaving.href);
  } catch {
    say("You are offline. Your tiles are saved here and will be scored when you are back online.");
    setTimeout(ask, 4000);
  }
  asking = false;
  if (!root.hasAttribute("data-busy")) ask();
}

// A button that is replaced under a finger hears no click: the page waits until the finger is lifted.
function hold() {
  lifted = new Promise((resolve) => {
    for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(resolve), { once: true });
  });
}

// At a table the taps are kept there: the hand as it was goes with them, so that nothing is tapped twice.
function send(taps) {
  const body = new FormData(form);
  for (const one of taps) body.append("tap", one);
  return fetch(form.action.split("#")[0], { method: "POST", body, headers: { "HX-Request": "true" }, cache: "no-store" });
}

// Taps that the table does not have yet outlive a closed page.
function keep() {
  if (!isKept) return;
  const told = Object.fromEntries(["number", "hand", "was"].map((name) => [name, form.elements[name].value]));
  if (pending.length) localStorage.setItem(place, JSON.stringify({ ...told, taps: pending }));
  else localStorage.removeItem(place);
}

function kept() {
  const told = isKept ? JSON.parse(localStorage.getItem(place) ?? "{}") : {};
  return told.number === form.elements.number?.value ? (told.taps ?? []) : [];
}

function goOn() {
  const told = JSON.parse(localStorage.getItem(place));
  for (const name of ["hand", "was"]) form.elements[name].value = told[name];
  ask();
}

function goBack(to) {
  localStorage.removeItem(place);
  location.replace(to);
}

// Whoever leaves the page while taps are on their way goes when they have come.
function leave(event) {
  const link = event.target.closest("a[data-leave]");
  if (!link) return;
  if (pending.length) {
    event.preventDefault();
    leaving = link;
    say("Saving your last taps…");
  } else if (asksFirst(link)) event.preventDefault();
}

// “Done” says once what the hand lacks; pressed again it leads on.
function asksFirst(link) {
  const unfinished = root.querySelector("[data-unfinished][hidden]");
  if (!unfinished || !link.classList.contains("dock__done")) return false;
  leaving = null;
  forgetRefusals();
  unfinished.hidden = false;
  say(unfinished.textContent);
  return true;
}

// What a tap could not do is of no use once the hand, the screen or what a tap adds has changed.
function forgetRefusals() {
  for (const refusal of root.querySelectorAll("[data-refused]")) refusal.remove();
  const state = root.querySelector(".dock__state > template");
  state?.parentElement.replaceChildren(state.content);
}

function address(taps) {
  const query = new URLSearchParams(["hand", "was"].map((name) => [name, form.elements[name].value]));
  for (const one of taps) query.append("tap", one);
  return `${form.action.split("#")[0]}?${query}`;
}

function show(text) {
  const box = document.createElement("template");
  box.innerHTML = text;
  const fresh = box.content.querySelector("[data-keys]");
  const focused = document.activeElement?.value;
  const part = document.activeElement?.closest("[data-part]")?.dataset.part;
  for (const old of root.querySelectorAll("[data-part]")) {
    const now = fresh.querySelector(`[data-part="${old.dataset.part}"]`);
    if (now) replace(old, now);
  }
  if (part && focused !== undefined) refocus(part, focused);
  say(root.querySelector("[data-say]").dataset.say);
  remember();
  unhide();
  setKeys(fresh.dataset.keys);
  for (const one of pending) showAgain(one);
}

// What a page that is loaded again would not know: the hands to undo to, and what a tap adds.
function remember() {
  const { hand, was, add } = Object.fromEntries(new FormData(form));
  const follows = root.dataset.built === "address" && history.state?.hand !== hand;
  const address = follows ? `?${new URLSearchParams({ hand })}` : location.href;
  history.replaceState({ ...history.state, hand, was, add }, "", address);
}

function recall() {
  const { hand, was, add } = history.state ?? {};
  if (hand !== form.elements.hand.value) return;
  form.elements.add.value = add;
  if (!was) return;
  form.elements.was.value = was;
  for (const undo of form.querySelectorAll('[value="undo"]')) undo.disabled = false;
}

// The hand above the keys grows: whoever is tapping keys finds them where they were.
function steadily(change) {
  const keys = form.querySelector(".builder__keys");
  const stood = keys.getBoundingClientRect().top;
  change();
  const moved = keys.getBoundingClientRect().top - stood;
  if (scrollY && moved) scrollBy({ top: moved, behavior: "instant" });
}

function replace(old, now) {
  if (old.tagName === "DETAILS") now.open = old.open;
  old.replaceWith(now);
}

function setKeys(text) {
  const keys = new Map([...form.querySelectorAll(".key")].map((key) => [key.value, key]));
  for (const one of text.split(" ")) {
    const [code, held, left] = one.split(":");
    if (!keys.has(code)) return reload();
    setKey(keys.get(code), Number(held), Number(left));
    keys.delete(code);
  }
  if (keys.size) reload();
}

function reload() {
  location.replace(isKept ? form.action : address([]));
}

function setKey(key, held, left) {
  key.dataset.left = left;
  key.disabled = left <= 0;
  key.querySelector("[data-held]").textContent = held;
  key.querySelector(".key__held").hidden = !held;
  key.querySelector(".key__gone").hidden = left > 0;
}

function showAgain(one) {
  const [code, adding = "tile"] = one.split(":").reverse();
  const key = [...form.querySelectorAll(".key")].find((other) => other.value === code);
  if (key && adding in SEVERAL) showAtOnce(key, adding);
}

function refocus(part, value) {
  const place = root.querySelector(`[data-part="${part}"]`);
  const buttons = [...place.querySelectorAll("button:not(:disabled)")];
  const turned = value.replace(/^(expose|conceal):[-~]?/, "");
  const same = buttons.find((button) => button.value === value) ?? buttons.find((button) => /^(expose|conceal):/.test(button.value) && button.value.endsWith(turned));
  (same ?? buttons[0])?.focus({ preventScroll: true });
}

function say(text) {
  const told = root.querySelector("[data-said]");
  // The same sentence twice is read twice.
  sentence = text === sentence ? `${text}\u00a0` : text;
  told.textContent = sentence;
}

async function copy(button) {
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
    root.querySelector("[data-copied]").textContent = "The link is copied.";
  } catch {
    location.assign(root.querySelector("[data-part=share] a").href);
  }
}

function unhide() {
  for (const button of root.querySelectorAll("[data-copy]")) button.hidden = false;
}
