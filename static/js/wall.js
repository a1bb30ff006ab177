// The wall: asks for news, turns its pages, and keeps the last picture when the line drops.
const ASK_EVERY = 4000;
const TURN_EVERY = 10000;
const told = document.getElementById("wall-told");
let paused = false;
let heard = new Date();
let isLost = false;

setInterval(ask, ASK_EVERY);
setInterval(() => paused || turn(1), TURN_EVERY);

document.addEventListener("keydown", (event) => {
  if (event.key === " ") {
    event.preventDefault();
    paused = !paused;
    tell();
  }
  if (event.key === "ArrowRight") turn(1);
  if (event.key === "ArrowLeft") turn(-1);
});

async function ask() {
  const wall = document.getElementById("wall");
  try {
    const answer = await fetch(`?v=${wall.dataset.version}`, { cache: "no-store", signal: AbortSignal.timeout(ASK_EVERY) });
    if (!answer.ok) throw new Error(answer.statusText);
    if (answer.status !== 204) show(wall, await answer.text());
    heard = new Date();
    isLost = false;
  } catch {
    isLost = true;
  }
  tell();
}

function show(wall, picture) {
  const at = shown(pages(wall));
  const box = document.createElement("template");
  box.innerHTML = picture;
  const next = box.content.querySelector("#wall");
  reveal(pages(next), Math.min(at, pages(next).length - 1));
  wall.replaceWith(next);
}

function turn(step) {
  const all = pages(document.getElementById("wall"));
  reveal(all, (shown(all) + step + all.length) % all.length);
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

function tell() {
  const time = heard.toLocaleTimeString("en-GB", { hour: "2-digit", minute: "2-digit" });
  told.classList.toggle("notice", isLost);
  const words = isLost ? `${told.dataset.lost} ${time}` : `Last update ${time}`;
  const sentence = paused ? `${words}. ${told.dataset.paused}` : words;
  if (told.textContent !== sentence) told.textContent = sentence;
}
