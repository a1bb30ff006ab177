// The connection in the head of the table's pages: always one of four words, and what they mean just now.
self.Strip = (() => {
  const net = document.querySelector("[data-net]");
  const part = (name) => net.querySelector(`[data-net-${name}]`);
  const twelveHours = { hour: "numeric", minute: "2-digit", hourCycle: "h12" };
  const clock = (time) => new Date(time).toLocaleTimeString("en-GB", twelveHours).replace(/:00|\s/g, "");
  const hands = (number) => Outbox.inWords(number).hands;
  // Whether the table's own worker brings this page back after a reload offline.
  const lasts = () => Boolean(navigator.serviceWorker?.controller?.scriptURL.endsWith("/table-worker.js"));

  // `brief` stands beside the word while the head is folded.
  function say(state, word, more, brief = "") {
    net.dataset.state = state;
    for (const [name, text] of Object.entries({ word, more, brief })) {
      if (part(name).textContent !== text) part(name).textContent = text;
    }
  }

  function unfold() {
    net.open = true;
    net.scrollIntoView({ block: "nearest" });
  }

  function offline(waiting) {
    const { asOf } = document.documentElement.dataset;
    const stale = asOf ? ` Last updated at ${clock(Number(asOf))}.` : "";
    if (!document.getElementById("table-now")) return `You are offline.${stale}`;
    const { are, they } = Outbox.inWords(waiting.length);
    const open = lasts() ? "" : ` Keep this page open until ${they} ${are} sent.`;
    if (!waiting.length) return `You are offline. Hands you enter are saved on this phone.${open}${stale}`;
    const last = clock(waiting.at(-1).keptAt);
    return `${hands(waiting.length)}, the last at ${last}. Once you are back online, ${they} will be sent automatically.${open}`;
  }

  function briefly(waiting) {
    const { asOf } = document.documentElement.dataset;
    const what = waiting.length ? hands(waiting.length) : asOf ? `as of ${clock(Number(asOf))}` : "";
    return lasts() ? what : `${what && `${what}. `}Keep this page open.`;
  }

  function list(waiting) {
    const box = part("list");
    box.hidden = !waiting.length;
    box.querySelector("strong").textContent = `${hands(waiting.length)} saved on this phone`;
    box.querySelector("ol").replaceChildren(...waiting.map(line));
  }

  function line(hand) {
    const item = document.createElement("li");
    item.textContent = `Hand ${hand.atTable ?? hand.number}, ${clock(hand.keptAt)}. ${hand.words}`;
    return item;
  }

  function back(last, mayUndo) {
    part("back").hidden = !mayUndo;
    if (last) part("back").firstElementChild.textContent = `Undo hand ${last.atTable ?? last.number}`;
  }

  // People count the hands of the table, those before a change of players too.
  const atTable = (number) => Number(net.dataset.before) + number;

  return {
    net,
    atTable,
    clock,
    lasts,
    // `up`: the server answers. What waits is told whatever the network does.
    show(waiting, up, sent) {
      const stuck = waiting.find((hand) => hand.trouble);
      if (stuck) say("kept", "SAVED ON THIS PHONE", `${hands(waiting.length)}. Hand ${stuck.atTable ?? stuck.number} needs your attention. See below.`, hands(waiting.length));
      else if (!up) say("kept", waiting.length ? "SAVED ON THIS PHONE" : "OFFLINE", offline(waiting), briefly(waiting));
      else if (waiting.length) say("sending", "SENDING", "", hands(waiting.length));
      else say("online", "ONLINE", sent ? `Everything saved here was sent at ${clock(sent)}.` : "");
      list(waiting);
      back(waiting.at(-1), waiting.length > 0 && !up);
    },
    sending: (place, number) => say("sending", "SENDING", "", `${place} of ${number}`),
    cannotKeep() {
      unfold();
      if (Line.isUp()) say("online", "ONLINE", "This phone cannot save hands offline.");
      else say("kept", "OFFLINE", "This phone cannot save hands offline. Write them down until you are back online.");
    },
    say: (more) => {
      part("more").textContent = more;
      unfold();
    },
  };
})();
