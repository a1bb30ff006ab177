// Which deal follows the hands that wait here, and the form for it; the server told both beforehand.
self.Deals = (() => {
  const OVER = -1;
  const TOTALS_PATIENCE = 120000; // milliseconds
  const WIND_NAMES = { E: "East", S: "South", W: "West", N: "North" };
  const HEAD_WORDS = ".phone-head__hand, .phone-head__more > p:not([data-net-back])";

  function uuid() {
    const bytes = crypto.getRandomValues(new Uint8Array(16));
    bytes[6] = (bytes[6] & 15) | 64;
    bytes[8] = (bytes[8] & 63) | 128;
    const text = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
    return text.replace(/(.{8})(.{4})(.{4})(.{4})(.{12})/, "$1-$2-$3-$4-$5");
  }

  const knows = (table, key) => table?.states?.some((state) => state[0] === key);

  // Asked once for a table, and again when something has changed that a form would show.
  async function load(link, now) {
    const stored = await Outbox.table(link);
    if (stored?.version === now.version && "shares" in stored && knows(stored, now.key)) return stored;
    try {
      const answer = await Sender.ask(`${link}ahead/`);
      if (answer.status !== 200) throw new Error(String(answer.status));
      const table = { link, ...(await answer.json()) };
      await Outbox.keepTable(table);
      return table;
    } catch {
      return knows(stored, now.key) ? stored : null;
    }
  }

  // The totals that can be come later: under house rules the engine needs seconds for them.
  async function loadTotals(link, table) {
    if (!table || table.totals) return;
    const answer = await Sender.ask(`${link}ahead/?totals=yes`, {}, TOTALS_PATIENCE);
    if (answer.status !== 200) return;
    table.totals = await answer.json();
    await Outbox.keepTable(table);
  }

  const playing = (deal) => deal.winds.match(/\d/g);

  // Whoever comes in takes the chair of whoever goes out.
  function passOn(chairs, seats) {
    const freed = Object.keys(chairs).filter((seat) => !seats.includes(seat)).map((seat) => chairs[seat]);
    return Object.fromEntries(seats.map((seat) => [seat, chairs[seat] ?? freed.shift()]));
  }

  // The deal after the waiting hands: `over` where the game has ended, `unknown` where nobody knows.
  function after(table, now, waiting) {
    const ahead = waiting.filter((hand) => hand.number >= now.number);
    const number = now.number + ahead.length;
    if (now.left !== null && ahead.length >= now.left) return { number, over: true };
    let at = table ? table.states.findIndex((state) => state[0] === now.key) : -1;
    if (at < 0) return { number, unknown: true };
    let { chairs } = now;
    for (const hand of ahead) {
      at = table.states[at][2 + hand.outcome];
      if (at === OVER) return { number, over: true };
      if (at === undefined || at === null) return { number, unknown: true };
      chairs = passOn(chairs, playing(table.deals[table.states[at][1]]));
    }
    return { number, chairs, deal: table.deals[table.states[at][1]] };
  }

  function form(table, { number, chairs, deal }, had) {
    const box = document.createElement("template");
    box.innerHTML = table.forms[`${deal.winds}.${deal.dealer}`];
    const made = box.content.firstElementChild;
    renumber(made, Strip.atTable(Number(made.elements.number.value)), Strip.atTable(number));
    made.elements.number.value = number;
    made.elements.submission_id.value = uuid();
    for (const total of made.querySelectorAll("[data-total]")) total.remove();
    for (const seat of made.querySelectorAll("[data-seat]")) setChair(seat, chairs[seat.dataset.seat]);
    box.innerHTML = table.prevailing[deal.prevailing];
    made.querySelector("[data-prevailing]").replaceWith(box.content.querySelector("[data-prevailing]"));
    made.querySelector("[data-goulash]").hidden = !deal.goulash;
    for (const held of made.querySelectorAll(".entry__had")) tellHeld(held, had?.[held.id.match(/count_(\d)/)[1]]);
    return made;
  }

  function tellHeld(held, points) {
    held.textContent = points === undefined ? "" : `had ${points.toLocaleString("en-GB").replace("-", "−")}`;
  }

  // The head of the page counts as its body does, and names the winds of that hand.
  function tellHead(head, was, { number, deal }, seat) {
    for (const part of head.querySelectorAll(HEAD_WORDS)) {
      renumber(part, Strip.atTable(was), Strip.atTable(number));
      if (deal) nameWinds(part, WIND_NAMES[deal.prevailing], WIND_NAMES[deal.winds.match(new RegExp(`${seat}([ESWN])`))?.[1]]);
    }
  }

  function nameWinds(part, prevailing, own) {
    const texts = document.createTreeWalker(part, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      const node = texts.currentNode;
      const follows = node.previousSibling?.textContent.startsWith("prevailing wind");
      if (own) node.data = node.data.replace(/\((East|South|West|North)\)/, `(${own})`);
      if (prevailing && follows) node.data = node.data.replace(/^(East|South|West|North)/, prevailing);
      if (prevailing) node.data = node.data.replace(/(prevailing wind )(East|South|West|North)/, `$1${prevailing}`);
    }
  }

  function setChair(seat, chair) {
    if (chair) seat.className = seat.className.replace(/seat--\d/, `seat--${chair}`);
  }

  // “Hand 5” and “Check hand 5” say another number.
  function renumber(made, was, number) {
    const texts = document.createTreeWalker(made, NodeFilter.SHOW_TEXT);
    const before = new RegExp(`(hand )${was}\\b`, "gi");
    while (texts.nextNode()) texts.currentNode.data = texts.currentNode.data.replace(before, `$1${number}`);
  }

  return { load, loadTotals, after, form, tellHead };
})();
