// A pasted list that is being checked outlasts Reload and Back. They lead to the page by its address, which knows
// nothing of the list: it then offers to go on, with every correction. The list never leaves this tab, belongs to one
// entry of its history, and goes when someone signs out.
// What is typed into a longer form lasts in the same way, and is put back where the page still asks the same.
const PLACE = "list being checked";
const TYPED = "typed words";
const MOST_ENTRIES = 5;
const checked = document.querySelector("form[data-keep]");
const offer = document.querySelector("form[data-kept]");

// What cannot be stored is lost on Reload, as without this script: a browser may forbid it, or have no room.
function read() {
  try {
    return JSON.parse(sessionStorage.getItem(PLACE));
  } catch {
    return null;
  }
}

function keep(entry) {
  try {
    const fields = [...new FormData(checked)].filter(([name]) => name !== "csrfmiddlewaretoken");
    sessionStorage.setItem(PLACE, JSON.stringify({ entry, fields }));
  } catch {
    // As above.
  }
}

if (checked) {
  const entry = Date.now();
  history.replaceState({ ...history.state, list: entry }, "", checked.dataset.keep);
  keep(entry);
  addEventListener("pagehide", () => {
    if (read()?.entry === entry) keep(entry); // gone where its reader has just signed out
  });
}

const kept = read();
if (offer && kept && history.state?.list === kept.entry) {
  for (const [name, value] of kept.fields) {
    const field = document.createElement("input");
    field.type = "hidden";
    field.name = name;
    field.value = value;
    offer.append(field);
  }
  const box = document.querySelector("textarea[name=text]");
  if (box) box.value ||= kept.fields.find(([name]) => name === "text")?.[1] ?? "";
  offer.hidden = false;
}

const typed = document.querySelector("form[data-typed]");
const UNTYPED = new Set(["csrfmiddlewaretoken", "step"]);

const isChoice = (field) => field.type === "checkbox" || field.type === "radio";
const fieldsOf = (name) => [...typed.elements].filter((field) => field.name === name && !["file", "password", "submit"].includes(field.type));

// What stands in the fields of a name, or what the server put there.
function standing(name, isServers) {
  return fieldsOf(name).flatMap((field) => {
    if (isChoice(field)) return (isServers ? field.defaultChecked : field.checked) ? [field.value] : [];
    if (field.tagName === "SELECT") return [...field.options].filter((one) => (isServers ? one.defaultSelected : one.selected)).map((one) => one.value);
    return [isServers && field.type !== "hidden" ? field.defaultValue : field.value];
  });
}

const alike = (one, other) => JSON.stringify(one) === JSON.stringify(other);

function wordsOf() {
  try {
    return JSON.parse(sessionStorage.getItem(TYPED)) ?? {};
  } catch {
    return {};
  }
}

// A page that answers a form has its words from the server; one that was only asked for has the club’s.
const isAnswer = "sent" in document.documentElement.dataset;

function keepWords(entry) {
  const names = new Set([...typed.elements].map((field) => field.name).filter((name) => name && !UNTYPED.has(name)));
  const words = [...names].map((name) => [name, standing(name), isAnswer ? null : standing(name, true)]);
  const changed = words.filter(([, now, before]) => now.length + (before?.length ?? 1) && !alike(now, before));
  const entries = Object.entries(wordsOf()).filter(([other]) => other !== String(entry));
  try {
    sessionStorage.setItem(TYPED, JSON.stringify(Object.fromEntries([...entries, [entry, changed]].slice(-MOST_ENTRIES))));
  } catch {
    // As above.
  }
}

function putBack(name, words, before) {
  if (before && !alike(before, standing(name, true))) return;
  for (const [at, field] of fieldsOf(name).filter(({ type }) => type !== "hidden").entries()) {
    if (isChoice(field)) field.checked = words.includes(field.value);
    else if (field.tagName === "SELECT") for (const one of field.options) one.selected = words.includes(one.value);
    else if (at in words) field.value = words[at];
  }
}

if (typed) {
  const entry = history.state?.typed ?? Date.now();
  history.replaceState({ ...history.state, typed: entry }, "");
  if (!isAnswer) for (const [name, words, before] of wordsOf()[entry] ?? []) putBack(name, words, before);
  keepWords(entry);
  let isSignedOut = false;
  document.addEventListener("submit", ({ target }) => {
    isSignedOut ||= Boolean(target.getAttribute("action")?.endsWith("/logout/"));
  });
  addEventListener("pagehide", () => isSignedOut || keepWords(entry));
}
