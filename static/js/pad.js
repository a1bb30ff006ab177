// The number pad below the scores: it types into the row that is active, and leads from row to row.
self.Pad = (() => {
  const MOST_DIGITS = 6;
  const MOST_AT_FULL_SIZE = 4; // digits of a figure: one of more is written smaller
  const MOST_BESIDE = 66; // characters that stand between the two buttons of the head
  const figures = (form) => [...form.querySelectorAll(".entry input[type=text]")];
  const check = (form) => form.querySelector('.thumb-bar [value="check"]');
  const rowOf = (figure) => figure.closest(".entry__row");
  const active = (form) => form.querySelector('[data-active] input[type="text"]');
  const isTapped = (figure) => rowOf(figure).querySelector(".tapped__state") !== null; // counted by its tiles
  const isOpen = (figure) => !figure.value.trim() && !isTapped(figure);
  const after = (form) => figures(form).slice(figures(form).indexOf(active(form)) + 1);
  const isLast = (form) => !after(form).some(isOpen);

  function begin(form, keys) {
    check(form).before(keys);
    keys.parentElement.classList.add("pad");
    for (const figure of figures(form)) figure.inputMode = "none";
    if (!form.querySelector("[data-may-owe]")) keys.querySelector(".pad__key--minus").remove();
    keys.parentElement.addEventListener("pointerdown", keepFocus);
    keys.addEventListener("click", press);
    form.addEventListener("focusin", ({ target }) => figures(form).includes(target) && activate(form, target));
    form.addEventListener("click", ({ target }) => target === begun && begun.select());
    form.addEventListener("input", () => tellNext(form));
    form.addEventListener("htmx:oobAfterSwap", () => say(form));
    form.addEventListener("keydown", hear);
  }

  // A key does not take the focus away from the figure that it changes.
  function keepFocus(event) {
    if (event.target.closest("button")) event.preventDefault();
  }

  let begun = null; // the figure that has just become active: what is typed first takes its place

  function activate(form, figure) {
    if (active(form) === figure) return;
    begun = figure;
    for (const row of form.querySelectorAll("[data-active]")) delete row.dataset.active;
    rowOf(figure).dataset.active = "";
    figure.select();
    say(form);
    tellNext(form);
  }

  // A phone has no room among the rows: what the active one has to say takes the place of the question.
  function say(form) {
    const words = form.querySelector("[data-active] :is(.field__error, .tapped__lacking)");
    const said = form.querySelector(".flow-head__say");
    said.textContent = words?.textContent ?? "";
    said.classList.toggle("flow-head__say--wrong", Boolean(words?.matches(".field__error")));
    said.classList.toggle("flow-head__say--long", said.textContent.length > MOST_BESIDE);
  }

  function ready(form) {
    const all = figures(form);
    const first = all.find((figure) => figure.ariaInvalid === "true") ?? active(form) ?? all.find(isOpen) ?? all[0];
    if (first) activate(form, first);
    tellNext(form);
  }

  // Once the winner’s hand is known the rest may stay empty: then the hand can be checked at once.
  function isKnown(form) {
    const { score, winner } = form.elements;
    const own = score ?? form.elements[`score_${winner.value}`];
    return Boolean(own?.value.trim() || form.querySelector(`#tapped_${winner.value} .tapped__state`));
  }

  function tellNext(form) {
    for (const figure of figures(form)) figure.classList.toggle("input--long", figure.value.length > MOST_AT_FULL_SIZE);
    form.toggleAttribute("data-last", isLast(form));
    form.toggleAttribute("data-known", isKnown(form));
  }

  function next(form) {
    after(form).find((figure) => !isTapped(figure))?.focus();
  }

  function hear(event) {
    const form = event.currentTarget;
    if (event.key !== "Enter" || event.target.type !== "text") return;
    event.preventDefault();
    if (isLast(form)) form.requestSubmit(check(form));
    else next(form);
  }

  function press(event) {
    const form = event.currentTarget.closest("form");
    const { key } = event.target.closest("[data-key]")?.dataset ?? {};
    if (key) type(active(form), key);
    else if (event.target.closest("[data-pad-next]")) next(form);
  }

  function type(figure, key) {
    const { value, selectionStart: from, selectionEnd: to } = figure;
    if (key === "-") figure.value = value.startsWith("-") ? value.slice(1) : `-${value}`;
    else if (key === "erase") figure.setRangeText("", from === to ? Math.max(0, from - 1) : from, to, "end");
    else if (value.length - (to - from) < MOST_DIGITS) figure.setRangeText(key, from, to, "end");
    begun = null;
    figure.dispatchEvent(new Event("input", { bubbles: true }));
  }

  return { begin, ready, figures, active, check };
})();
