// A hand is checked and saved: by the server where it answers, on this phone where it does not.
{
  const passed = new WeakSet();

  // First of all that hears of a press; what may go to the server as ever is pressed again.
  document.addEventListener("submit", (event) => {
    const { target, submitter } = event;
    if (passed.delete(target) || target.method !== "post" || !target.action.includes(Table.link)) return;
    const act = target.matches("[data-entry]") ? check : target.matches("[data-kept]") && submitter?.value === "save" ? save : others;
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
    if (isFirst && (await Line.answers())) return pass(form, submitter);
    const isCheck = !submitter?.name || submitter.name === "drawn" || submitter.value === "check";
    if (!isCheck) return Strip.say("You need to be online for that. Enter the scores for now.");
    const told = Words.fields(form, submitter);
    const faults = Words.faults(form, told);
    form.querySelector(".error-summary")?.remove();
    if (faults.length) showFaults(form, faults);
    else ask(form, told, isFirst);
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
    const hand = handOf(form, told, Words.sentence(form, told));
    Table.tellOf(panel, hand);
    panel.querySelector(isFirst ? "[data-net-behind]" : "[data-net-none]").remove();
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

  function handOf(form, fields, words) {
    const { submission_id: id, number } = Object.fromEntries(fields);
    return { id, link: Table.link, number: Number(number), fields, outcome: Words.outcome(fields), words, keptAt: Date.now(), trouble: null };
  }

  async function keep(panel, form, hand) {
    const taken = (await Outbox.all(Table.link)).some((other) => other.number === hand.number && other.id !== hand.id);
    try {
      if (!taken) await Table.keep(hand);
    } catch {
      return Strip.cannotKeep();
    }
    navigator.storage?.persist?.();
    navigator.serviceWorker?.ready.then((worker) => worker.sync?.register("outbox")).catch(() => {});
    panel.remove();
    form.hidden = false;
    Flow.attend(Table.form());
    Table.deliver();
  }

  // Saved on the phone before it is sent: whatever happens on the way, it is not lost.
  async function save(form, submitter) {
    setBusy(form, true);
    setSaving(true);
    const words = document.querySelector("[data-net-said], .settle h2, h2")?.textContent.replace(/\s+/g, " ").trim() ?? "";
    const hand = handOf(form, Words.fields(form, null), words);
    try {
      await Outbox.keep(hand);
    } catch {
      setSaving(false);
      setBusy(form, false);
      return pass(form, submitter);
    }
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
