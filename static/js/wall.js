// The wall: asks for news, turns its pages, and keeps the last picture when the line drops.
const ASK_EVERY = 4000;
const KEEP_EVERY = 60000;
const AWAKE_FOR = 4000;
const PICTURES = "tongbox-wall";
const told = document.getElementById("wall-told");
const { kept } = document.documentElement.dataset;
let paused = false;
let heard = new Date(Number(kept) || Date.now());
let isLost = Boolean(kept);
let waking;

delete document.documentElement.dataset.kept;
document.querySelector(".wall__hold").hidden = false;
tell();
ask();
Pace.every(ASK_EVERY, ask);
wait();
settleIn();

document.addEventListener("keydown", (event) => {
  if (event.target.closest("button")) return;
  if (event.key === " ") {
    event.preventDefault();
    pause();
  }
  if (event.key === "ArrowRight") turn(1);
  if (event.key === "ArrowLeft") turn(-1);
  if (event.key === "f") fill();
});
document.addEventListener("click", (event) => {
  const button = event.target.closest("[data-wall]");
  if (button) ({ pause, fill })[button.dataset.wall]();
});
document.addEventListener("pointermove", () => {
  document.body.classList.add("is-awake");
  clearTimeout(waking);
  waking = setTimeout(() => document.body.classList.remove("is-awake"), AWAKE_FOR);
});

// When the bell rings everyone looks up: the clock is what hangs there.
document.addEventListener("tongbox:bell", () => {
  const all = pages(document.getElementById("wall"));
  const at = all.findIndex((page) => page.dataset.page === "now");
  if (at >= 0) reveal(all, at);
});

async function ask() {
  const wall = document.getElementById("wall");
  const address = new URL(location);
  address.searchParams.set("v", wall.dataset.version);
  try {
    const answer = await fetch(address, { cache: "no-store", signal: AbortSignal.timeout(ASK_EVERY) });
    Pace.hear({ isNews: answer.status === 200, retryAfter: answer.headers.get("Retry-After") });
    if (!answer.ok) throw new Error(answer.statusText);
    if (answer.status !== 204) show(wall, await answer.text());
    heard = new Date();
    isLost = false;
  } catch {
    isLost = true;
  }
  tell();
}

// The same page stays, or one of its kind; where there is none any more it begins anew.
function show(wall, picture) {
  const before = pages(wall);
  const at = shown(before);
  const box = document.createElement("template");
  box.innerHTML = picture;
  const next = box.content.querySelector("#wall");
  const kinds = pages(next).map((page) => page.dataset.page);
  const kind = before[at].dataset.page;
  reveal(pages(next), kinds[at] === kind ? at : Math.max(0, kinds.indexOf(kind)));
  wall.replaceWith(next);
  keep();
}

function turn(step) {
  const all = pages(document.getElementById("wall"));
  reveal(all, (shown(all) + step + all.length) % all.length);
}

function wait() {
  const all = pages(document.getElementById("wall"));
  setTimeout(() => {
    if (!paused) turn(1);
    wait();
  }, 1000 * Number(all[shown(all)].dataset.seconds));
}

function pages(wall) {
  return [...wall.querySelectorAll("[data-page]")];
}

function shown(all) {
  return Math.max(0, all.findIndex((page) => !page.hidden));
}

function reveal(all, at) {
  all.forEach((page, index) => {
    page.hidden = index !== at;
  });
}

function pause() {
  paused = !paused;
  document.querySelector("[data-wall=pause]").setAttribute("aria-pressed", String(paused));
  tell();
}

function fill() {
  if (document.fullscreenElement) document.exitFullscreen();
  else document.documentElement.requestFullscreen();
}

function tell() {
  const time = heard.toLocaleTimeString("en-GB", { hour: "numeric", minute: "2-digit", hourCycle: "h12" }).replace(/:00|\s/g, "");
  told.classList.toggle("notice", isLost);
  const words = isLost ? `${told.dataset.lost} ${time}` : `Last update ${time}`;
  const sentence = paused ? `${words}. ${told.dataset.paused}` : words;
  if (told.textContent !== sentence) told.textContent = sentence;
}

// Browsers allow this over https and on the computer that serves the pages, nowhere else.
async function settleIn() {
  if (!("serviceWorker" in navigator)) return;
  await navigator.serviceWorker.register(new URL("../wall-worker.js", location.origin + location.pathname));
  await navigator.serviceWorker.ready;
  await keep();
  setInterval(() => isLost || keep(), KEEP_EVERY);
}

// Puts the page away as it is, with all its parts, for a reload while the line is down.
async function keep() {
  if (!("caches" in window)) return;
  const copy = document.documentElement.cloneNode(true);
  copy.dataset.kept = String(heard.getTime());
  const headers = { "Content-Type": "text/html; charset=utf-8" };
  const store = await caches.open(PICTURES);
  await store.put(location.href, new Response(`<!doctype html>${copy.outerHTML}`, { headers }));
  const parts = performance.getEntriesByType("resource").map((part) => part.name);
  const known = new Set((await store.keys()).map((request) => request.url));
  await store.addAll([...new Set(parts)].filter((part) => part.includes("/static/") && !known.has(part)));
}
