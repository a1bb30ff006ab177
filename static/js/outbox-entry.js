// A hand is checked and saved: by the server where it answers, on this phone where it does not.
{
  const passed = new WeakSet();

  // First of all that hears of a press; what may go to the server as ever is pressed again.
  document.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    if (passed.delete(target) || target.method !== "post" || !target.action.includes(Table.link)) return;
    const act = target.matches("[data-entry]") ? check : target.matches("[data-kept]") ? saveOrEdit : others;
    event.preventDefault();
    event.stopImmediatePropagation();
    act(target, submitter);
  }, true);

  // Not before the first press is over: a form that is just being sent cannot be sent again.
  function pass(form, submitter) {
    setTimeout(() => {
      passed.add(form);
      form.requestSubmit(submitter);
    });
  }

  async function check(form, submitter) {
    const waiting = await Outbox.all(Table.link).catch(() => []);
    const isFirst = waiting.every((hand) => hand.id === form.elements.submission_id.value);
    const isCheck = !submitter?.name || submitter.name === "drawn" || submitter.value === "check";
    const isToTiles = submitter?.value.startsWith("tiles:");
    if (isFirst && (await Line.answers())) {
      if (isToTiles) return (await Line.check()) ? pass(form, submitter) : needsTheNetwork();
      if (await Checking.send(form, submitter)) return;
      Line.lost();
    }
    if (!isCheck) return needsTheNetwork();
    const told = Words.fields(form, submitter);
    const faults = Words.faults(form, told);
    if (!faults.length) faults.push(...Table.faults(form, told, (seat) => Words.nameOf(form, seat)));
    form.querySelector(".error-summary")?.remove();
    if (faults.length) showFaults(form, faults);
    else ask(form, told, isFirst);
  }

  function needsTheNetwork() {
    Strip.say("You need to be online for that. Enter the scores for now.");
  }

  function showFaults(form, faults) {
    const box = Table.template("faults");
    for (const [id, sentence] of faults) {
      const link = document.createElement("a");
      link.href = `#${id}`;
      link.textContent = sentence;
      box.querySelector("ul").append(document.createElement("li"));
      box.querySelector("li:last-child").append(link);
    }
    form.prepend(box);
    box.focus();
  }

  // The question before a hand is kept, once however often it is pressed; the form waits behind it, as it was filled.
  function ask(form, told, isFirst) {
    if (form.hidden) return;
    const panel = Table.template("check");
    const settled = Table.settle(form, told);
    const hand = { ...handOf(form, told, Words.sentence(form, told)), gains: settled?.gains };
    Table.tellOf(panel, hand);
    panel.querySelector(isFirst ? "[data-net-behind]" : "[data-net-none]").remove();
    if (settled && hand.outcome) showSettled(panel, form, told, settled);
    for (const other of panel.querySelectorAll(settled ? "[data-net-later]" : "[data-net-soon]")) other.remove();
    panel.querySelector("[data-net-open]").hidden = Strip.lasts();
    panel.querySelector("[data-net-race]").hidden = !Table.now?.race;
    form.hidden = true;
    form.after(panel);
    panel.querySelector("h2").focus();
    panel.querySelector("[data-net-change]").addEventListener("click", () => {
      panel.remove();
      form.hidden = false;
      Flow.show(form, "scores");
      Flow.attend(form);
    });
    panel.querySelector("[data-net-keep]").addEventListener("click", () => keep(panel, form, hand), { once: true });
  }

  // As the server shows a hand to be checked: who pays whom, and what it brings each.
  function showSettled(panel, form, told, settled) {
    const box = panel.querySelector("[data-net-settle]");
    const nameOf = (seat) => Words.nameOf(form, seat);
    const winner = Object.fromEntries(told).winner;
    box.hidden = false;
    const score = settled.isCounted ? undefined : settled.scores[winner];
    panel.querySelector("[data-net-words]").textContent = `${nameOf(winner)} went Mah-Jong${score === undefined ? "" : ` with ${Words.figure(score)}`}.`;
    box.querySelector("[data-net-pays]").textContent = Words.payments(settled, winner, nameOf);
    for (const seat of [...form.querySelectorAll("label[data-seat]")].map((label) => label.dataset.seat)) {
      const row = box.querySelector("template").content.firstElementChild.cloneNode(true);
      const [who, scored, gain] = row.children;
      who.querySelector("[data-net-wind]").replaceWith(form.querySelector(`[data-seat="${seat}"] .wind`).cloneNode(true));
      who.querySelector("[data-net-name]").textContent = nameOf(seat);
      if (seat !== winner) who.querySelector(".sums__won").remove();
      scored.textContent = Words.figure(settled.scores[seat]);
      gain.textContent = Words.signed(settled.gains[seat]);
      if (settled.isAdded) gain.remove();
      box.querySelector("tbody").append(row);
    }
    if (settled.isCounted) box.querySelector("[data-net-scored]").textContent = "Has now";
    if (settled.isAdded) box.querySelector("[data-net-gain]").remove();
  }

  function handOf(form, fields, words) {
    const { submission_id: id, number } = Object.fromEntries(fields);
    return { id, link: Table.link, number: Number(number), atTable: Strip.atTable(Number(number)), fields, outcome: Words.outcome(fields), words, keptAt: Date.now(), trouble: null };
  }

  async function keep(panel, form, hand) {
    const taken = (await Outbox.all(Table.link)).some((other) => other.number === hand.number && other.id !== hand.id);
    Draft.drop(Table.link, hand.number);
    try {
      if (!taken) await Table.keep(hand);
    } catch {
      Draft.keep(form);
      return Strip.cannotKeep();
    }
    navigator.storage?.persist?.();
    navigator.serviceWorker?.ready.then((worker) => worker.sync?.register("outbox")).catch(() => {});
    panel.remove();
    form.hidden = false;
    Flow.attend(Table.form());
    Table.deliver();
  }

  async function saveOrEdit(form, submitter) {
    if (submitter?.value === "save") return save(form, submitter);
    return (await Checking.edit(form, submitter)) || pass(form, submitter);
  }

  // Saved on the phone before it is sent: whatever happens on the way, it is not lost.
  async function save(form, submitter) {
    setBusy(form, true);
    setSaving(true);
    const words = document.querySelector("[data-net-said], .settle h2, h2")?.textContent.replace(/\s+/g, " ").trim() ?? "";
    const told = Words.fields(form, null);
    const hand = { ...handOf(form, told, words), gains: Table.settle(form, told)?.gains };
    try {
      await Outbox.keep(hand);
    } catch {
      setSaving(false);
      setBusy(form, false);
      return pass(form, submitter);
    }
    Draft.drop(Table.link, hand.number);
    if (await Line.answers()) await Table.send();
    const mine = (await Outbox.all(Table.link)).find((other) => other.id === hand.id);
    if (!mine) return location.assign(`${Table.link}?saved=${hand.number}`);
    setSaving(false);
    if (mine.trouble) {
      await Table.drop(mine);
      setBusy(form, false);
      return pass(form, submitter);
    }
    return leave(form, hand);
  }

  // Without a network the next page is made here.
  async function leave(form, hand) {
    if (Strip.lasts()) return location.assign(Table.link);
    Checking.forget();
    const page = form.closest("main");
    for (const part of [...page.children]) {
      if (!part.contains(form) && !part.matches(".page-head, [data-net], [data-net-trouble], #table-now, template")) part.remove();
    }
    page.querySelector("h1").textContent = Strip.net.dataset.title;
    page.querySelector(".page-head .eyebrow")?.remove();
    history.replaceState(null, "", Table.link);
    await Table.keep(hand, form);
  }

  // Agreeing, calling the director: there is nothing to keep of it.
  async function others(form, submitter) {
    if (await Line.answers()) return pass(form, submitter);
    return Strip.say("You need to be online for that. Try again when this says ONLINE.");
  }
}
