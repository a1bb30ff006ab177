// At the table: one press sends once, and a page that nobody has typed in shows news by itself.
const sent = new WeakSet();
const AT_ONCE = 250; // milliseconds: what takes longer says that it goes on
let isLeaving = false; // a press that is on its way is not cut off by news
let slow = 0;

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.matches("[data-once]")) return;
  if (sent.has(form)) {
    event.preventDefault();
    return;
  }
  sent.add(form);
  setTimeout(() => {
    setBusy(form, true);
    isLeaving ||= !event.defaultPrevented;
    const isSaved = !form.matches("[data-entry]") && event.submitter?.value !== "change";
    if (isSaved && (!event.defaultPrevented || form.matches("[hx-post]"))) setSaving(true);
  });
});

// Back from another page: the buttons work again.
window.addEventListener("pageshow", (event) => {
  if (!event.persisted) return;
  isLeaving = false;
  setSaving(false);
  for (const form of document.querySelectorAll("[data-once]")) release(form);
});

// What a home screen would keep is the club, not this table, so nobody is asked in the middle of a game.
window.addEventListener("beforeinstallprompt", (event) => event.preventDefault());

// What did not come through can be pressed again.
for (const failed of ["htmx:sendError", "htmx:responseError"]) {
  document.addEventListener(failed, ({ target }) => target.matches("[data-once]") && release(target));
}

document.addEventListener("htmx:afterRequest", ({ detail }) => detail.requestConfig.verb === "post" && setSaving(false));

document.addEventListener("htmx:afterSwap", () => {
  const link = document.querySelector("a[data-news]");
  if (!link || isLeaving || !isUntouched()) return;
  if (document.documentElement.dataset.asOf) location.reload();
  else location.assign(link.href);
});

// A list that comes anew keeps open what someone has opened.
let opened = [];

document.addEventListener("htmx:beforeSwap", ({ target }) => {
  opened = [...target.querySelectorAll("details[id][open]")].map((fold) => fold.id);
});

document.addEventListener("htmx:afterSwap", () => {
  for (const id of opened) document.getElementById(id)?.setAttribute("open", "");
  opened = [];
});

function release(form) {
  sent.delete(form);
  setBusy(form, false);
}

function setSaving(isSaving, word = "Saving…") {
  clearTimeout(slow);
  const status = document.querySelector("[data-saving]");
  if (!status) return;
  if (isSaving) slow = setTimeout(() => (status.textContent = word), AT_ONCE);
  else status.textContent = "";
}

function setBusy(form, busy) {
  form.toggleAttribute("data-busy", busy); // a press that is on its way without leaving the page
  for (const button of form.querySelectorAll("button")) button.disabled = busy;
}

function isUntouched() {
  if (document.querySelector("[data-kept], [data-waiting], [data-busy]")) return false;
  const fields = document.querySelectorAll("[data-entry] input:not([type=hidden])");
  return [...fields].every((field) => field.checked === field.defaultChecked && field.value === field.defaultValue && !field.checked && (field.type === "radio" || !field.value));
}
