// Whether the server answers: heard from it, not what the phone thinks of its network.
self.Line = (() => {
  const FRESH = 5000;
  const SILENCE = 9000;
  const PATIENCE = 4000;
  const REPLACED = 410;
  const OURS = new Set([204, 404, REPLACED]); // nothing new, no such card, a card that was replaced
  const listeners = [];
  let heard = 0;
  let asked = 0;
  let asking = null;
  let up = null;
  let address = "";

  function set(answers) {
    if (answers) heard = Date.now();
    if (up === answers) return;
    up = answers;
    for (const act of listeners) act(up);
  }

  // Only the table's own answer counts: a hotel's sign-in page is no server of ours.
  async function ping() {
    asked = Date.now();
    try {
      const answer = await Sender.ask(address, { redirect: "manual" }, PATIENCE);
      if (answer.status === REPLACED) document.dispatchEvent(new CustomEvent("tongbox:replaced"));
      set(OURS.has(answer.status) || (answer.ok && (await answer.text()).includes("data-news")));
    } catch {
      set(false);
    }
    asking = null;
    return up;
  }

  function check() {
    asking ??= ping();
    return asking;
  }

  function watch() {
    if (document.hidden) return;
    const now = Date.now();
    if (up ? now - heard > SILENCE : now - asked > PATIENCE) check();
  }

  return {
    // A page that has just come has heard from the server; one that was put away has not.
    start(link, mark, isNew) {
      address = `${link}?v=${encodeURIComponent(mark)}`;
      window.addEventListener("offline", () => set(false));
      window.addEventListener("online", check);
      document.addEventListener("visibilitychange", watch);
      for (const failed of ["htmx:sendError", "htmx:responseError"]) document.addEventListener(failed, check);
      document.addEventListener("htmx:afterRequest", (event) => event.detail.successful && set(true));
      setInterval(watch, 1000);
      set(isNew);
      check();
    },
    check,
    isUp: () => up === true,
    // Lately heard, or heard now: before something is sent that only the server can answer.
    answers: async () => (up && Date.now() - heard < FRESH ? true : check()),
    onChange: (act) => listeners.push(act),
    lost: () => set(false),
  };
})();
