// A paper sheet typed on a number pad: Enter goes on, a point marks the winner, and the focus stays where it is.
const form = document.querySelector("[data-sheet]");
const DASHES = ["-", "–", "−"];
let waiting = null;

if (form) {
  quietMarks();
  form.addEventListener("keydown", onKey);
  form.addEventListener("change", (event) => isCell(event.target) && settle(event.target));
  document.addEventListener("htmx:oobBeforeSwap", keepAnswers);
  document.addEventListener("htmx:afterSettle", afterNews);
}

// With a number pad the marks are typed; the Tab key goes from figure to figure.
function quietMarks() {
  for (const mark of form.querySelectorAll(".paper__row .mark input")) mark.tabIndex = -1;
}

function isCell(field) {
  return field.matches("[data-cell], [data-total]");
}

function fields() {
  return [...form.querySelectorAll("[data-cell], [data-total]")];
}

function rowOf(cell) {
  return cell.closest("[data-row]");
}

function onKey(event) {
  const cell = event.target;
  if (!isCell(cell) || event.ctrlKey || event.altKey || event.metaKey) return;
  if (event.key === "Enter") goOn(event, cell);
  else if (event.key === "ArrowDown" || event.key === "ArrowUp") upOrDown(event, cell);
  else if (event.key === "ArrowLeft" || event.key === "ArrowRight") sideways(event, cell);
  else if (cell.matches("[data-cell]")) mark(event, cell);
}

function mark(event, cell) {
  if (event.key === "." || event.key === ",") {
    event.preventDefault();
    toggle(cell.closest("td").querySelector(".mark--won input"));
  } else if (/^[dg]$/i.test(event.key)) {
    event.preventDefault();
    const kind = event.key.toLowerCase() === "d" ? "[data-drawn]" : "[data-goulash]";
    toggle(rowOf(cell).querySelector(kind));
  }
}

function toggle(box) {
  if (!box) return;
  box.checked = !box.checked;
  box.dispatchEvent(new Event("change", { bubbles: true }));
}

// A sign that stands alone is a mark: what it means depends on the rest of the row.
function settle(cell) {
  const sign = cell.value.trim();
  if (!cell.matches("[data-cell]")) return "";
  const row = rowOf(cell);
  if (sign === "+") {
    cell.value = "";
    toggle(row.querySelector("[data-goulash]"));
    return "goulash";
  }
  if (DASHES.includes(sign) && isEmpty(row, cell)) {
    cell.value = "";
    row.querySelector("[data-drawn]").checked = true;
    return "drawn";
  }
  return "";
}

function isEmpty(row, but) {
  const typed = [...row.querySelectorAll("[data-cell]")].some((cell) => cell !== but && cell.value.trim());
  return !typed && !row.querySelector(".mark--won input:checked");
}

function goOn(event, cell) {
  event.preventDefault();
  if (cell.value.trim() === "++") {
    cell.value = "";
    cell.dispatchEvent(new Event("change", { bubbles: true }));
    focusOn(form.querySelector("[data-total]"));
    return;
  }
  const became = settle(cell);
  if (became === "goulash") return;
  if (became) cell.dispatchEvent(new Event("change", { bubbles: true }));
  if (became === "drawn") nextRow(cell);
  else next(cell);
}

function next(cell) {
  const all = fields();
  const after = all[all.indexOf(cell) + 1];
  if (cell.matches("[data-cell]") && !rowOf(cell).contains(after || null)) nextRow(cell);
  else focusOn(after || document.getElementById("save"));
}

function nextRow(cell) {
  const row = rowOf(cell).nextElementSibling;
  if (row && row.matches("[data-row]")) {
    focusOn(row.querySelector("[data-cell]"));
    return;
  }
  if (form.dataset.grows !== "yes") {
    focusOn(form.querySelector("[data-total]"));
    return;
  }
  waiting = cell;
  cell.dispatchEvent(new Event("change", { bubbles: true }));
}

function upOrDown(event, cell) {
  const lines = [...form.querySelectorAll(".paper__row, .paper__totals")];
  const line = cell.closest("tr");
  const place = [...line.querySelectorAll("input[type=text]")].indexOf(cell);
  const beside = lines[lines.indexOf(line) + (event.key === "ArrowDown" ? 1 : -1)];
  if (!beside) return;
  event.preventDefault();
  focusOn(beside.querySelectorAll("input[type=text]")[place]);
}

function sideways(event, cell) {
  const isLeft = event.key === "ArrowLeft";
  const edge = isLeft ? 0 : cell.value.length;
  const all = cell.selectionEnd - cell.selectionStart === cell.value.length;
  if (!all && cell.selectionStart !== edge) return;
  const list = fields();
  const beside = list[list.indexOf(cell) + (isLeft ? -1 : 1)];
  if (!beside) return;
  event.preventDefault();
  focusOn(beside);
}

function focusOn(field) {
  if (!field) return;
  field.focus();
  if (field.select) field.select();
}

// What was chosen after the rows were sent stays chosen when the answer to them arrives.
function keepAnswers({ detail: { target, fragment } }) {
  for (const box of target.querySelectorAll("input[id]:checked")) {
    const fresh = fragment.querySelector(`#${CSS.escape(box.id)}`);
    if (fresh) fresh.checked = true;
  }
}

function afterNews() {
  quietMarks();
  const row = waiting && rowOf(waiting).nextElementSibling;
  if (!row || !row.matches("[data-row]")) return;
  if (document.activeElement === waiting) focusOn(row.querySelector("[data-cell]"));
  waiting = null;
}
