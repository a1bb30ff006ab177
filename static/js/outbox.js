// The table's page without a network: shows what waits, sends it, and goes on with the next hand.
self.Table = (() => {
  const EVERY = 15000;
  const { net } = Strip;
  const { link } = net.dataset;
  const { asOf } = document.documentElement.dataset;
  let now = JSON.parse(document.getElementById("table-now")?.textContent ?? "null");
  const seen = new Map();
  const gained = new Map();
  let counted = Number(net.dataset.next); // the hand of which the head speaks
  let table;
  let sending = null;
  let sent = 0;

  // The check takes the place of all that the page has below its head.
  const troubles = () => document.querySelector("[data-net-trouble]");
  const form = () => document.querySelector("[data-entry]");
  const template = (name) => document.querySelector(`template[data-net-${name}]`).content.firstElementChild.cloneNode(true);

  async function refresh(begin = form()) {
    const waiting = await Outbox.all(link);
    for (const hand of waiting) note(hand);
    net.toggleAttribute("data-waiting", waiting.length > 0);
    if (!sending) Strip.show(waiting, Line.isUp(), sent);
    showTrouble(waiting);
    for (const last of document.querySelectorAll("#said")) last.hidden = waiting.length > 0;
    tellUncounted(waiting.length);
    if (waiting.length || seen.has(now?.number) || counted < now?.number) goOn(waiting, begin);
  }

  // A page of scores or of hands says what it cannot have yet.
  function tellUncounted(number) {
    const notice = document.querySelector("[data-net-uncounted]");
    if (!notice) return;
    const from = asOf ? ` What is below is from ${Strip.clock(Number(asOf))}.` : "";
    notice.hidden = !number;
    const { hands, are } = Outbox.inWords(number);
    notice.firstElementChild.textContent = `${hands} on this phone ${are} not ${notice.dataset.netUncounted} yet.${from}`;
  }

  function note(hand) {
    seen.set(hand.number, hand.outcome);
    gained.set(hand.number, hand.gains);
  }

  function showTrouble(waiting) {
    const trouble = troubles();
    const stuck = waiting.find((hand) => hand.trouble);
    const known = trouble.dataset.of ?? "";
    trouble.hidden = !stuck || isChanging(stuck);
    trouble.dataset.of = stuck?.id ?? "";
    if (!stuck || known === stuck.id) return;
    if (stuck.trouble.page) trouble.innerHTML = stuck.trouble.page;
    else trouble.replaceChildren(template("void"));
    tellOf(trouble, stuck);
    const note = trouble.querySelector("[data-net-note]");
    if (note) note.value = stuck.words.slice(0, 150);
    const after = waiting.length - 1;
    const rest = trouble.querySelector("[data-net-after]");
    if (rest && after) rest.textContent = after === 1 ? "One more hand will be sent after it." : `${after} more hands will be sent after it.`;
  }

  function tellOf(part, hand) {
    for (const words of part.querySelectorAll("[data-net-words]")) words.textContent = hand.words;
    for (const number of part.querySelectorAll("[data-net-number]")) number.textContent = hand.atTable ?? hand.number;
  }

  // A hand in trouble that stands in the form of this very page, to be changed. A page of before is no
  // answer to “Change it”, though its form may carry the number under which the hand was kept.
  let changing = asOf ? "" : document.querySelector("[data-entry], [data-kept]")?.elements.submission_id?.value;
  const isChanging = (hand) => hand.trouble && hand.id === changing;

  // The form of the hand after those that wait; who has begun to fill it is not disturbed.
  function goOn(waiting, begin) {
    if (!now || table === undefined || waiting.some(isChanging)) return;
    const next = nextOf();
    tellHead(next);
    if (!begin) return;
    if (begin.matches("[data-entry]") && Number(begin.elements?.number.value) === next.number) return;
    const made = next.deal ? Deals.form(table, next, had()) : template(next.over ? "over" : "unknown");
    if (!next.deal) made.dataset.entry = "";
    begin.replaceWith(made);
    self.htmx?.process(made);
    Flow.begin(made);
  }

  function nextOf() {
    const ahead = [];
    for (let number = now.number; seen.has(number); number += 1) ahead.push({ number, outcome: seen.get(number) });
    return Deals.after(table, now, ahead);
  }

  function tellHead(next) {
    Deals.tellHead(net, counted, next, now.seat);
    counted = next.number;
  }

  // What everybody has before the next hand; nothing where a hand that waits was not settled here.
  function had() {
    let points = now?.had ?? null;
    for (let number = now.number; points && seen.has(number); number += 1) {
      const gains = gained.get(number);
      points = gains ? Object.fromEntries(Object.entries(points).map(([seat, held]) => [seat, held + (gains[seat] ?? 0)])) : null;
    }
    return points;
  }

  // The deal of the hand in this form, if this phone was told of it.
  function dealOf(entry) {
    if (!table || !now) return null;
    const next = nextOf();
    return next.number === Number(entry.elements.number.value) ? (next.deal ?? null) : null;
  }

  function settle(entry, told) {
    const deal = dealOf(entry);
    return deal && Settling.settle(table, deal, told, had());
  }

  function faults(entry, told, nameOf) {
    const deal = dealOf(entry);
    return deal ? Settling.faults(table, deal, told, had(), nameOf) : [];
  }

  async function keep(hand, begin = form()) {
    await Outbox.keep(hand);
    changing = "";
    await refresh(begin);
  }

  // One sending at a time; whoever comes meanwhile has a turn of his own.
  async function send() {
    while (sending) await sending;
    sending = Sender.sendAll(link, Strip.sending).catch(() => "lost");
    const result = await sending;
    sending = null;
    if (result === "lost") Line.lost();
    if (result === "sent") sent = Date.now();
    await refresh();
    return result;
  }

  // Everything is in the book: the page shows what the server makes of it.
  async function deliver() {
    const result = Line.isUp() ? await send() : "lost";
    if (result === "trouble") troubles().focus();
    const isDone = result === "sent" || (result === "empty" && seen.size > 0);
    if (isDone && form() && isUntouched()) location.assign(link);
  }

  async function drop(hand, { closeUp = false } = {}) {
    await Outbox.drop(hand.id);
    seen.delete(hand.number);
    gained.delete(hand.number);
    if (!closeUp) return;
    for (const later of await Outbox.all(link)) {
      const number = later.number - 1;
      const fields = later.fields.map(([name, value]) => [name, name === "number" ? String(number) : value]);
      await Outbox.keep({ ...later, number, atTable: (later.atTable ?? later.number) - 1, fields });
    }
  }

  async function takeBack() {
    const last = (await Outbox.all(link)).at(-1);
    if (!last || Line.isUp()) return;
    await drop(last);
    const made = Deals.form(table, nextOf(), had());
    form().replaceWith(made);
    Words.fill(made, last.fields.filter(([name]) => name !== "submission_id"));
    Flow.begin(made);
    await refresh();
    Flow.attend(made);
  }

  async function act(event) {
    const button = event.target.closest("button");
    if (button?.closest("[data-net-back]")) await takeBack();
    else if (button && ("netAgain" in button.dataset || "netDrop" in button.dataset)) await answer(button.dataset);
  }

  async function answer({ netAgain, netDrop }) {
    const stuck = (await Outbox.all(link)).find((hand) => hand.trouble);
    if (netAgain === "") await Outbox.keep({ ...stuck, trouble: null });
    else await drop(stuck, { closeUp: netDrop === "all" });
    await moveOn();
  }

  // The rest is sent; then the page shows what the server makes of it.
  async function moveOn() {
    delete troubles().dataset.of;
    const result = await send();
    if (result === "trouble" || (result === "lost" && !Strip.lasts())) return;
    location.assign(link);
  }

  // “Mine is right” goes to the scorer first; only then is it no longer kept here.
  async function dispute(event) {
    if (!event.target.matches("[data-net-dispute]")) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    const stuck = (await Outbox.all(link)).find((hand) => hand.trouble);
    try {
      const body = new URLSearchParams(new FormData(event.target));
      if (event.submitter?.name) body.set(event.submitter.name, event.submitter.value);
      const answer = await Sender.ask(event.target.action, { method: "POST", body, redirect: "manual" });
      if (answer.type !== "opaqueredirect") throw new Error(String(answer.status));
      await drop(stuck);
      await moveOn();
    } catch {
      Line.lost();
    }
  }

  // What was sent is forgotten once the table's own page has come that was put away after it; until
  // then that page, put away before, would ask for the same hand again.
  async function remember() {
    for (const hand of await Outbox.sent(link)) {
      if (asOf) note(hand);
      else if ("whole" in net.dataset) await Outbox.drop(hand.id);
    }
  }

  // A hand that could not be saved was put right on a page whose scripts had not come yet, or on another
  // phone: the server is asked again, and knows its own hand by the id.
  async function retryPassed() {
    const passed = (await Outbox.all(link)).filter((hand) => hand.trouble?.status === 422 && hand.number < counted);
    for (const hand of passed) await Outbox.keep({ ...hand, trouble: null, isPutRight: true });
    return passed.length;
  }

  // A card that was replaced: what this phone kept under the old link goes with the new one.
  async function adopt() {
    let adopted = 0;
    for (const other of new Set([...(await Outbox.links()), ...(self.Draft?.links() ?? [])])) {
      if (other === link) continue;
      const answer = await Sender.ask(`${link}formerly/${other.split("/").at(-2)}/`).catch(() => null);
      if (answer?.status !== 204) continue;
      if (self.Draft?.move(other, link) && form() && isUntouched()) {
        history.replaceState(null, "");
        location.replace(link);
      }
      for (const hand of await Outbox.all(other)) {
        await Outbox.keep({ ...hand, link, trouble: null });
        adopted += 1;
      }
    }
    return adopted;
  }

  // Whoever still has the old card's page open reads it before typing on.
  function tellReplaced() {
    const messages = document.getElementById("messages");
    if (messages.querySelector("[data-replaced]")) return;
    messages.classList.add("notices");
    messages.append(template("replaced"));
  }

  // The page of the hand tells this phone how the table stands.
  async function learn() {
    table = await Deals.load(link, now);
    if (table && !asOf) {
      table.now = now;
      await Outbox.keepTable(table);
    }
    net.toggleAttribute("data-knows", Boolean(table));
    Deals.loadTotals(link, table).then(() => net.toggleAttribute("data-knows-totals", Boolean(table?.totals)), () => {});
  }

  // Its other pages go by what was told last.
  async function recall() {
    table = await Outbox.table(link);
    now = table?.now ?? null;
  }

  async function begin() {
    if (asOf) document.getElementById("messages").replaceChildren();
    document.addEventListener("click", act);
    document.addEventListener("submit", dispute, true);
    document.addEventListener("tongbox:replaced", tellReplaced);
    Line.onChange(() => refresh().then(deliver).catch(Strip.cannotKeep));
    Outbox.onNews(() => refresh());
    Line.start(link, net.dataset.mark, !asOf);
    await remember();
    const adopted = await adopt();
    const retried = asOf ? 0 : await retryPassed();
    setInterval(deliver, EVERY);
    if (now) await learn();
    else await recall();
    await refresh();
    if (adopted || retried) await deliver();
  }

  begin().catch(Strip.cannotKeep);
  return { link, get now() { return now; }, form, template, tellOf, settle, faults, keep, send, deliver, drop, refresh };
})();
