// News never takes a button away from under a finger: what a page asks for by the clock waits until the press is over.
(() => {
  const LONGEST = 10_000; // milliseconds: then a press that ended outside the page is over, too
  const AFTERWARDS = 350; // on a touch screen the click follows the finger
  let until = 0;
  const lasts = (milliseconds) => () => (until = Date.now() + milliseconds);

  document.addEventListener("pointerdown", lasts(LONGEST));
  for (const end of ["pointerup", "pointercancel"]) document.addEventListener(end, lasts(AFTERWARDS));

  // A swap that is left out is asked for again: the mark of the page has not changed.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const { triggeringEvent } = event.detail.requestConfig;
    const isByTheClock = !triggeringEvent || triggeringEvent.type === "news";
    if (isByTheClock && Date.now() < until) event.detail.shouldSwap = false;
  });
})();
