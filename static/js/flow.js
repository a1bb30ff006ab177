// A hand is entered one question at a time, and agreed before the next is asked for. Without this
// script every question is on one page.
self.Flow = (() => {
  const SCREENS = { who: ".deal__who", last: ".deal__last", scores: ".deal__scores" };
  const ARROWS = /^(Arrow|Home|End|Page)/;
  const { body } = document;
  const parts = document.querySelector("template[data-flow-parts]");
  let isLater; // whether this phone has left the last hand to be agreed later; nothing until it is asked
  let isByArrow = false;

  const entry = () => document.querySelector("form[data-entry]");
  const agreeing = () => document.querySelector("#said:not([hidden]) [data-agreeing]");
  const titleOf = (form) => form.querySelector(".flow-head__title");
  const numberOf = (form) => Number(form.elements.number.value);
  const screensOf = (form) => Object.keys(SCREENS).filter((name) => form.querySelector(SCREENS[name]));
  const isChosen = (form, name) => form.querySelector(`${SCREENS[name]} :checked`) !== null;
  const isWrong = (form, name) => form.querySelector(`${SCREENS[name]} .field__error`) !== null;
  const isBegun = (form) => isChosen(form, "who") || form.querySelector(".error-summary") !== null || Pad.figures(form).some((figure) => figure.value);

  function begin(form) {
    if (!parts || form?.tagName !== "FORM" || form.dataset.flow) return;
    const made = parts.content.cloneNode(true);
    form.querySelector(".deal__who").before(made.querySelector(".flow-head"));
    if (Pad.figures(form).length) Pad.begin(form, made.querySelector(".pad__keys"));
    const other = form.querySelector("[data-other]");
    other.open = other.querySelector(".field__error") !== null;
    const wrong = form.querySelector(".error-summary");
    wrong?.classList.toggle("error-summary--beside", [...wrong.querySelectorAll("li")].every((line) => line.querySelector("a")));
    form.addEventListener("keydown", hear);
    form.addEventListener("click", choose);
    form.addEventListener("focusin", ({ target }) => {
      if (!other.contains(target)) other.open = false;
    });
    Draft.begin(form);
    show(form, firstOf(form));
    look();
    if (form.querySelector(".field__error")) attend(form);
  }

  function firstOf(form) {
    const screens = screensOf(form);
    const wrong = screens.find((name) => isWrong(form, name));
    const { screen, hand } = history.state ?? {};
    const open = screens.find((name) => name !== "scores" && !isChosen(form, name)) ?? "scores";
    const left = hand === numberOf(form) && screens.indexOf(screen) <= screens.indexOf(open) ? screen : null;
    return wrong ?? left ?? open;
  }

  function show(form, name) {
    form.dataset.flow = name;
    titleOf(form).textContent = form.querySelector(`${SCREENS[name]} legend`).textContent.replace(/\s+/g, " ").trim();
    const isFirst = name === "who" && !agreeing();
    form.querySelector("[data-flow-back]").hidden = isFirst;
    history.replaceState({ ...history.state, screen: name, hand: numberOf(form) }, "");
    if (name === "scores") Pad.ready(form);
  }

  function goTo(form, name) {
    history.pushState({ isDeeper: true }, "");
    show(form, name);
    attend(form);
  }

  // Whoever hears the page, or has no finger on it, goes on where the screen begins.
  function attend(form) {
    scrollTo({ top: 0, behavior: "instant" });
    if (!form?.dataset.flow) return;
    const figure = form.dataset.flow === "scores" && Pad.active(form);
    (figure || titleOf(form)).focus({ preventScroll: !figure });
  }

  function goOn(form) {
    const screens = screensOf(form);
    const next = screens[screens.indexOf(form.dataset.flow) + 1];
    if (next === "scores" && !Pad.figures(form).length) form.requestSubmit(Pad.check(form));
    else if (next) goTo(form, next);
  }

  function goBack(form) {
    if (history.state?.isDeeper) return history.back();
    const screens = screensOf(form);
    const before = screens[screens.indexOf(form.dataset.flow) - 1];
    if (before) show(form, before);
    else isLater = false;
    look();
    return attendStage();
  }

  // An arrow key only looks at the choices; a touch, the space bar and Enter choose.
  function hear(event) {
    isByArrow = ARROWS.test(event.key);
    if (event.key !== "Enter" || event.target.type !== "radio") return;
    event.preventDefault();
    if (event.target.checked) goOn(event.currentTarget);
  }

  // Where a field is that is wrong, on whichever screen.
  function lead(form, id) {
    const name = screensOf(form).find((screen) => form.querySelector(`${SCREENS[screen]}#${id}, ${SCREENS[screen]} #${id}`));
    if (name && name !== form.dataset.flow) show(form, name);
    form.querySelector(`#${id}`)?.focus();
  }

  function choose(event) {
    const form = event.currentTarget;
    const mend = event.target.closest(".error-summary a");
    if (mend) {
      event.preventDefault();
      lead(form, mend.hash.slice(1));
    } else if (event.target.closest("[data-flow-back]")) goBack(form);
    else if (event.target.type === "radio" && !isByArrow) goOn(form);
    isByArrow = false;
  }

  // The hand that was entered last comes first, until it is agreed or left for later.
  function look() {
    const open = agreeing();
    const form = entry();
    const isAgreed = body.dataset.stage === "agree" && !open;
    const isFirst = open && (!form || (!form.hidden && !(isLater ?? isBegun(form))));
    body.dataset.stage = isFirst ? "agree" : "enter";
    if (form?.dataset.flow) form.querySelector("[data-flow-back]").hidden = form.dataset.flow === "who" && !open;
    // That it was saved would hide that it is agreed; beside hands that wait, only the message says so.
    if (isAgreed && !document.querySelector(".said__waiting")) document.querySelector("#messages > .notice--success:only-child")?.remove();
    if (isAgreed && form) attend(form);
  }

  function attendStage() {
    if (body.dataset.stage === "agree") document.getElementById("agreeing")?.focus({ preventScroll: true });
    else if (entry()) attend(entry());
  }

  function leaveForLater() {
    isLater = true;
    document.getElementById("messages").replaceChildren();
    history.pushState({ isDeeper: true, isLater }, "");
    show(entry(), "who");
    look();
    attend(entry());
  }

  document.addEventListener("click", (event) => {
    if (event.target.closest("[data-next-hand]")) leaveForLater();
  });

  addEventListener("popstate", ({ state }) => {
    const form = entry();
    if (!form?.dataset.flow) return;
    const change = document.querySelector("[data-net-change]");
    if (change) {
      change.click();
      history.pushState({ isDeeper: true }, "");
      return show(form, form.dataset.flow);
    }
    if (state?.screen === "who" && agreeing()) isLater = Boolean(state.isLater);
    show(form, state?.hand === numberOf(form) ? state.screen : "who");
    look();
    return attendStage();
  });

  // One after another: the next who has to agree is where the last one was.
  document.addEventListener("htmx:afterSettle", ({ detail }) => {
    look();
    if (detail.requestConfig?.verb === "post" && agreeing()) document.querySelector(".agree__one, #agreeing").focus({ preventScroll: true });
  });
  document.addEventListener("htmx:oobAfterSwap", look);
  addEventListener("load", () => document.activeElement.matches(".entry input") && document.activeElement.scrollIntoView({ block: "nearest" }));
  begin(entry());
  look();
  return { begin, show, attend, look };
})();
