// Sends what waits, one hand at a time and in order; stops at the first that is not simply saved.
self.Sender = (() => {
  const PATIENCE = 20000;
  const LATER = new Set([408, 425, 429]);
  const BUSY = 503;
  const SOON = 2; // seconds: a server that asks for no longer is only busy
  const TIMES = 10;

  // A line that hangs counts as gone.
  async function ask(address, options = {}, patience = PATIENCE) {
    const giveUp = new AbortController();
    const timer = setTimeout(() => giveUp.abort(), patience);
    try {
      return await fetch(address, { cache: "no-store", ...options, signal: giveUp.signal });
    } finally {
      clearTimeout(timer);
    }
  }

  // A server that is busy is asked again, after as long as it says.
  async function askWhileBusy(address, options) {
    for (let left = TIMES; ; left -= 1) {
      const answer = await ask(address, options);
      const wait = Number(answer.headers.get("Retry-After"));
      if (answer.status !== BUSY || !wait || wait > SOON || !left) return answer;
      await new Promise((resolve) => setTimeout(resolve, 1000 * wait));
    }
  }

  // What the server says of the hand: saved, or in trouble; null where it could not be asked.
  async function post(hand) {
    const body = new URLSearchParams([...hand.fields, ["kept_for", String(Math.round((Date.now() - hand.keptAt) / 1000))]]);
    if (hand.isPutRight) body.set("put_right", "1");
    try {
      const answer = await askWhileBusy(`${hand.link}send/`, { method: "POST", body });
      if (answer.status >= 500 || LATER.has(answer.status)) return null;
      if (answer.status === 404) return { status: 404, page: "" };
      const told = await answer.json();
      if (answer.ok) return told.saved === hand.id ? { saved: hand.id } : null;
      return "page" in told ? { status: answer.status, page: told.page } : null;
    } catch {
      return null;
    }
  }

  async function inTurn(link, tell) {
    const waiting = await Outbox.all(link);
    for (const [place, hand] of waiting.entries()) {
      if (hand.trouble) return "trouble";
      tell(place + 1, waiting.length);
      const answer = await post(hand);
      if (answer === null) return "lost";
      if (!answer.saved) {
        await Outbox.keep({ ...hand, trouble: answer });
        return "trouble";
      }
      await Outbox.isSent(hand);
    }
    return waiting.length ? "sent" : "empty";
  }

  return {
    ask,
    // Two tabs take turns where the browser can make them; where not, the hand's id makes twice once.
    sendAll(link, tell = () => {}) {
      const act = () => inTurn(link, tell);
      return navigator.locks ? navigator.locks.request(`outbox ${link}`, act) : act();
    },
  };
})();
