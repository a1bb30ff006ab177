// How often a page asks for news: often while something happens, less often while nothing does or nobody looks.
self.Pace = (() => {
  const MINUTE = 60_000; // milliseconds, like all times here
  // At a table in play a hand comes every few minutes. What has been quiet for longer can wait longer.
  const QUIET = [{ after: 45 * MINUTE, pause: 15_000 }, { after: 20 * MINUTE, pause: 8_000 }];
  const UNSEEN = MINUTE; // nobody looks: the page asks at once when somebody does
  const LONGEST = MINUTE; // more than the server may ask for
  const PATIENCE = 30_000; // then a question that hangs does not keep another back
  const LOOK_EVERY = 250;
  const ONLINE_WITHIN = 1000; // phones that come back together do not ask together
  const asked = new WeakMap(); // by element, or by the function of a page that asks by itself
  const open = new WeakSet(); // questions without an answer yet
  const askers = [];
  let changed = performance.now(); // when there was news, or somebody did something here
  let wished = 0; // the pause that the server asks for

  function pause(usual) {
    const quiet = performance.now() - changed;
    const slower = QUIET.find(({ after }) => quiet >= after)?.pause ?? 0;
    return Math.max(usual, wished, document.hidden ? UNSEEN : slower);
  }

  // Never later than the pause. The first question of a page comes at any moment of its second half.
  const note = (asker, least) => asked.set(asker, { at: performance.now(), share: least + (1 - least) * Math.random() });

  function isDue(asker, usual) {
    if (!asked.has(asker)) note(asker, 0.5);
    const { at, share } = asked.get(asker);
    const now = performance.now();
    return now >= at + pause(usual) * share && (!open.has(asker) || now >= at + PATIENCE);
  }

  function look() {
    for (const element of document.querySelectorAll("[data-news-every]")) {
      if (!isDue(element, 1000 * Number(element.dataset.newsEvery))) continue;
      note(element, 0.9);
      open.add(element);
      element.dispatchEvent(new CustomEvent("news"));
    }
    for (const { ask, usual } of askers) {
      if (!isDue(ask, usual)) continue;
      note(ask, 0.9);
      open.add(ask);
      ask().finally(() => open.delete(ask));
    }
  }

  function hear({ isNews, retryAfter }) {
    if (isNews) changed = performance.now();
    wished = Math.min(LONGEST, 1000 * (Number(retryAfter) || 0));
  }

  function every(usual, ask) {
    askers.push({ ask, usual });
  }

  function act() {
    changed = performance.now();
  }

  function again() {
    for (const asker of [...document.querySelectorAll("[data-news-every]"), ...askers.map(({ ask }) => ask)]) asked.set(asker, { at: -LONGEST, share: 1 });
    look();
  }

  document.addEventListener("htmx:afterRequest", ({ detail: { requestConfig, xhr } }) => {
    if (!open.delete(requestConfig.elt)) return;
    hear({ isNews: xhr.status === 200, retryAfter: xhr.getResponseHeader("Retry-After") });
  });
  for (const event of ["pointerdown", "keydown", "submit"]) document.addEventListener(event, act, { capture: true, passive: true });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) act();
    look();
  });
  addEventListener("pageshow", ({ persisted }) => persisted && again());
  addEventListener("online", () => setTimeout(again, ONLINE_WITHIN * Math.random()));
  setInterval(look, LOOK_EVERY);
  return { every, hear };
})();
