// What waits on this phone: each hand stays in the store until the server has said that it has it.
self.Outbox = (() => {
  const NAME = "tongbox";
  const news = "BroadcastChannel" in self ? new BroadcastChannel(NAME) : null;
  let base;

  // So many hands in words, and the words for them that follow: “1 hand is”, “2 hands are”.
  function inWords(number) {
    const [ending, are, they] = number === 1 ? ["", "is", "it"] : ["s", "are", "they"];
    return { hands: `${number} hand${ending}`, are, they };
  }

  function open() {
    return new Promise((done, failed) => {
      const asked = indexedDB.open(NAME, 1);
      asked.onupgradeneeded = () => {
        asked.result.createObjectStore("hands", { keyPath: "id" });
        asked.result.createObjectStore("tables", { keyPath: "link" });
      };
      asked.onsuccess = () => done(asked.result);
      asked.onerror = () => failed(asked.error);
    });
  }

  // Resolves when the phone has written it down for good, not before.
  async function run(store, mode, act) {
    base ??= open();
    const opened = await base;
    return new Promise((done, failed) => {
      const writing = opened.transaction(store, mode, { durability: "strict" });
      const asked = act(writing.objectStore(store));
      writing.oncomplete = () => done(asked.result);
      writing.onabort = () => failed(writing.error);
    });
  }

  async function change(act) {
    await run("hands", "readwrite", act);
    news?.postMessage("changed");
  }

  const stored = () => run("hands", "readonly", (store) => store.getAll());
  const inOrder = (one, other) => one.number - other.number || one.keptAt - other.keptAt;

  // A hand: id, link, number, fields (pairs), outcome (seat, 0: drawn), words, keptAt, trouble, and
  // sentAt once the server has it: an old page of the table still has to know that it was told.
  return {
    inWords,
    all: async (link) => (await stored()).filter((hand) => hand.link === link && !hand.sentAt).sort(inOrder),
    sent: async (link) => (await stored()).filter((hand) => hand.link === link && hand.sentAt),
    links: async () => [...new Set((await stored()).filter((hand) => !hand.sentAt).map((hand) => hand.link))],
    keep: (hand) => change((store) => store.put(hand)),
    isSent: (hand) => change((store) => store.put({ ...hand, sentAt: Date.now() })),
    drop: (id) => change((store) => store.delete(id)),
    table: (link) => run("tables", "readonly", (store) => store.get(link)),
    keepTable: (table) => run("tables", "readwrite", (store) => store.put(table)),
    onNews(act) {
      news?.addEventListener("message", act);
    },
  };
})();
