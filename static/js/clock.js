// Clocks: each counts down from the seconds that the server told, asks again, and rings once.
const ASK_EVERY = 20000;
const LAST_SECONDS = 300;
const APART = 3;
const MOST_APART = 1.5;
// A bell by J.-C. Risset: pitch, beat in Hz, loudness and length of each partial tone.
const PARTIALS = [
  [0.56, 0, 1, 1], [0.56, 1, 0.67, 0.9], [0.92, 0, 1, 0.65], [0.92, 1.7, 1.8, 0.55],
  [1.19, 0, 2.67, 0.325], [1.7, 0, 1.67, 0.35], [2, 0, 1.46, 0.25], [2.74, 0, 1.33, 0.2],
  [3, 0, 1.33, 0.15], [3.76, 0, 1, 0.1], [4.07, 0, 1.33, 0.075],
];
const PITCH = 520;
const SECONDS = 7;
const LEAST_SLEEP = { hidden: 3000, seen: 60000 }; // milliseconds by which the time of day is ahead of the steady clock
const LONGEST_SLEEP = 12 * 3600 * 1000;
const heard = new WeakMap();
let slept = 0;
let looked = look();
const awaited = new Map();
let sound = null;

setInterval(tick, 250);
setInterval(ask, ASK_EVERY);
document.addEventListener("visibilitychange", () => {
  tick();
  if (!document.hidden) ask();
});
window.addEventListener("pageshow", (event) => event.persisted && ask());
document.addEventListener("click", (event) => {
  if (event.target.closest("[data-clock-sound]")) setSound(!isHeard());
});
tick();
if (sessionStorage.getItem("bell") === "on") setSound(true, { quietly: true });
else showSound();

function look() {
  return { day: Date.now(), steady: performance.now(), isHidden: document.hidden };
}

// While a phone sleeps its steady clock may stand still: then the time of day says for how long. A page that is looked
// at counts on, so there a small step is the clock being set, and a step back always is.
function notice() {
  const now = look();
  const missed = now.day - looked.day - (now.steady - looked.steady);
  const least = looked.isHidden || now.isHidden ? LEAST_SLEEP.hidden : LEAST_SLEEP.seen;
  if (missed >= least && missed <= LONGEST_SLEEP) slept += missed;
  looked = now;
}

function steadyTime() {
  return performance.now() + slept;
}

function tick() {
  notice();
  for (const clock of document.querySelectorAll("[data-clock]")) show(clock, leftOf(clock));
}

function leftOf(clock) {
  if (!heard.has(clock)) heard.set(clock, { left: Number(clock.dataset.left) - age(clock), at: steadyTime() });
  const told = heard.get(clock);
  return "runs" in clock.dataset ? told.left - (steadyTime() - told.at) / 1000 : told.left;
}

// A clock that was put away and is shown again later counts since it was read from the server:
// the wall writes that on the clock itself, a phone's table on the page (templates/clubs/table/worker.js).
function age(clock) {
  clock.dataset.since ??= document.documentElement.dataset.asOf ?? String(Date.now());
  return "runs" in clock.dataset ? (Date.now() - Number(clock.dataset.since)) / 1000 : 0;
}

function show(clock, left) {
  const seconds = Math.max(0, Math.ceil(left));
  listen(clock.dataset.clock, left);
  if (!("runs" in clock.dataset)) return;
  write(clock, "digits", `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`);
  write(clock, "words", wordsFor(seconds));
  setFace(clock, seconds === 0 ? "rung" : seconds <= LAST_SECONDS ? "last" : "running");
  if (seconds > 0) return;
  const until = clock.querySelector("[data-clock-until]");
  write(clock, "until", until.textContent.replace("until", "at"));
  write(clock, "then", clock.querySelector("[data-clock-then]").dataset.clockThen);
}

// Two pictures of one clock may differ by a second: their bell is one bell.
function listen(round, left) {
  if (left > APART || (left > 0 && !awaited.has(round))) awaited.set(round, true);
  if (left > 0 || !awaited.get(round)) return;
  awaited.set(round, false);
  ring();
}

function wordsFor(seconds) {
  const minutes = Math.floor(seconds / 60);
  if (seconds === 0) return "The bell has rung";
  if (minutes === 0) return "Less than a minute left";
  return `${minutes} ${minutes === 1 ? "minute" : "minutes"} left`;
}

function write(clock, what, text) {
  const part = clock.querySelector(`[data-clock-${what}]`);
  if (part.textContent !== text) part.textContent = text;
}

function setFace(clock, face) {
  for (const other of ["running", "last", "rung"]) clock.classList.toggle(`clock--${other}`, other === face);
}

async function ask() {
  for (const clock of document.querySelectorAll("[data-clock][data-at]")) {
    try {
      const answer = await fetch(clock.dataset.at, { cache: "no-store", signal: AbortSignal.timeout(ASK_EVERY / 2) });
      if (answer.status === 200) hear(clock, await answer.text());
    } catch {
      // No connection: the clock goes on from what it heard last.
    }
  }
}

function hear(clock, text) {
  const box = document.createElement("template");
  box.innerHTML = text;
  const told = box.content.querySelector("[data-clock]");
  if (!told || !clock.isConnected) return;
  told.dataset.since = String(Date.now());
  const apart = Math.abs(Number(told.dataset.left) - leftOf(clock));
  if (told.dataset.mark !== clock.dataset.mark || apart > MOST_APART) clock.replaceWith(told);
  tick();
}

function ring() {
  document.dispatchEvent(new CustomEvent("tongbox:bell"));
  if (isHeard()) strike();
  setTimeout(ask, 1000 + Math.random() * 2000);
}

function isHeard() {
  return sound !== null && sound.state === "running" && sessionStorage.getItem("bell") === "on";
}

async function setSound(on, { quietly = false } = {}) {
  sessionStorage.setItem("bell", on ? "on" : "off");
  if (on) {
    sound ??= new AudioContext();
    sound.onstatechange = showSound;
    // A browser lets nothing be heard before someone has pressed something.
    const resumed = sound.resume().catch(() => {});
    if (!quietly) await resumed;
    if (isHeard() && !quietly) strike();
  }
  showSound();
}

function showSound() {
  for (const button of document.querySelectorAll("[data-clock-sound]")) {
    button.dataset.off ??= button.textContent;
    button.hidden = false;
    button.setAttribute("aria-pressed", String(isHeard()));
    button.textContent = isHeard() ? button.dataset.on : button.dataset.off;
  }
}

function strike() {
  const now = sound.currentTime;
  const whole = new GainNode(sound, { gain: 0.09 });
  whole.connect(sound.destination);
  for (const [ratio, beat, loudness, length] of PARTIALS) {
    const tone = new OscillatorNode(sound, { frequency: PITCH * ratio + beat });
    const level = new GainNode(sound, { gain: 0 });
    level.gain.setValueAtTime(0, now);
    level.gain.linearRampToValueAtTime(loudness, now + 0.01);
    level.gain.exponentialRampToValueAtTime(0.0001, now + SECONDS * length);
    tone.connect(level).connect(whole);
    tone.start(now);
    tone.stop(now + SECONDS * length);
  }
}
