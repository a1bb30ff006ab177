// A search box over a list that stands on the page: two letters of a name are enough.
for (const box of document.querySelectorAll("[data-find]")) {
  const list = document.getElementById(box.dataset.find);
  const input = box.querySelector("input");
  if (!list) continue;
  const told = box.querySelector("[role=status]");
  box.hidden = false;
  input.addEventListener("input", () => show(list, input.value, told));
  // What another device has changed is looked through again.
  document.addEventListener("htmx:oobAfterSwap", (event) => event.detail.target === list && show(list, input.value, told));
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter") return;
    event.preventDefault();
    const found = matching(list, input.value);
    const only = found.length === 1 && (found[0].matches("button") ? found[0] : found[0].querySelector("a"));
    if (!only) return;
    only.click();
    input.value = "";
    show(list, "", told);
  });
}

function show(list, typed, told) {
  const found = new Set(matching(list, typed));
  for (const row of rows(list)) row.hidden = !found.has(row);
  const count = `${found.size} ${found.size === 1 ? "name" : "names"}`;
  told.textContent = plain(typed) ? (found.size ? count : "No matching names") : "";
}

function matching(list, typed) {
  const wanted = plain(typed);
  return rows(list).filter((row) => plain(row.dataset.name).split(" ").some((word, at, words) => words.slice(at).join(" ").startsWith(wanted)));
}

function rows(list) {
  return [...list.querySelectorAll("[data-name]")];
}

function plain(text) {
  return text.normalize("NFKD").replace(/\p{M}/gu, "").replaceAll("ł", "l").replaceAll("Ł", "L").toLowerCase().trim();
}
