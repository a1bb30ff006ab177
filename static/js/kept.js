// A pasted list that is being checked outlasts Reload and Back. They lead to the page by its address, which knows
// nothing of the list: it then offers to go on, with every correction. The list never leaves this tab, belongs to one
// entry of its history, and goes when someone signs out.
const PLACE = "list being checked";
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
