// What a form of a hand says: its fields to keep, its words to read, its slips to mend.
self.Words = (() => {
  const NOT_OURS = new Set(["csrfmiddlewaretoken", "step"]);
  const MOST_DIGITS = 6;
  const plain = (element) => element.textContent.replace(/\s+/g, " ").trim();
  const entries = (form) => [...form.querySelectorAll("input[type=text]")];
  const labelOf = (entry) => plain(entry.labels[0].querySelector(".entry__had")?.previousElementSibling ?? entry.labels[0]);
  const digits = (typed) => typed.replace(/[\s,]/g, "");

  function fields(form, submitter) {
    const told = [...new FormData(form)].filter(([name]) => !NOT_OURS.has(name));
    if (submitter?.name === "drawn") told.push(["drawn", submitter.value]);
    return told;
  }

  // The seat that went Mah-Jong, 0 for a drawn hand, nothing where it is not told.
  function outcome(told) {
    const asked = Object.fromEntries(told);
    if ("drawn" in asked || asked.winner === "nobody") return 0;
    return asked.winner ? Number(asked.winner) : undefined;
  }

  const nameOf = (form, seat) => plain(form.querySelector(`[data-seat="${seat}"] .seat__name`));

  // “Dilip went Mah-Jong. Margaret 20, Dilip 60.”
  function sentence(form, told) {
    const winner = outcome(told);
    if (!winner) return "Nobody went Mah-Jong: a drawn hand.";
    const scores = entries(form).filter((entry) => entry.value.trim()).map((entry) => `${labelOf(entry)} ${entry.value.trim()}`);
    const chosen = [...form.querySelectorAll("fieldset input[type=radio]:checked:not([name=winner])")];
    const said = chosen.map((radio) => `${plain(radio.closest("fieldset").querySelector("legend"))} ${plain(radio.labels[0])}.`);
    const picked = [...form.querySelectorAll("select")].filter((select) => select.value);
    said.push(...picked.map((select) => `${plain(select.labels[0])} ${plain(select.selectedOptions[0])}.`));
    const lead = `${nameOf(form, winner)} went Mah-Jong.`;
    return [lead, ...(scores.length ? [`${scores.join(", ")}.`] : []), ...said].join(" ");
  }

  function faultOf(entry) {
    const typed = digits(entry.value);
    if (typed && !/^\d+$/.test(typed)) return `“${entry.value.slice(0, 20)}” is not a number. Enter points as a number, for example 64.`;
    return typed.length > MOST_DIGITS ? "That is more than any hand can score. Check the number." : "";
  }

  // What the form itself shows to be wrong: pairs of field and sentence. The rules are the server's.
  function faults(form, told) {
    const winner = outcome(told);
    if (winner === 0) return [];
    if (!winner) return [["id_winner", "Choose who went Mah-Jong, or choose “Nobody (drawn hand)”."]];
    const found = entries(form).map((entry) => [entry.id, faultOf(entry)]).filter(([, sentence]) => sentence);
    const own = form.elements[`score_${winner}`] ?? form.elements.score;
    if (own?.type === "text" && !own.value.trim()) found.push([own.id, `Enter what ${nameOf(form, winner)} scored for the Mah-Jong.`]);
    const last = form.querySelector("[name=last_tile]");
    if (last && !form.querySelector("[name=last_tile]:checked")) found.push(["id_last_tile", "Choose who discarded the last tile, or say it was drawn from the wall."]);
    return found;
  }

  // What was told goes back into the form.
  function fill(form, told) {
    for (const [name, value] of told) {
      const field = form.elements[name];
      if (field instanceof RadioNodeList) field.value = value;
      else if (field?.type === "radio" || field?.type === "checkbox") field.checked = field.value === value;
      else if (field && field.type !== "submit") field.value = value;
    }
  }

  const figure = (points) => (points === undefined ? "–" : points.toLocaleString("en-GB").replace("-", "−"));
  const signed = (points) => `${points > 0 ? "+" : ""}${figure(points)}`;
  const listed = (names) => new Intl.ListFormat("en-GB").format(names);

  // “Margaret pays Dilip 120; Zoë and Ngaio pay 60 each. Zoë pays Ngaio 12.”
  function payments(settled, winner, nameOf) {
    if (settled.isAdded) return "No one pays: each player adds their own score.";
    const alike = new Map();
    const others = new Map();
    for (const { payer, payee, points } of settled.payments) {
      if (payee === winner) alike.set(points, [...(alike.get(points) ?? []), nameOf(payer)]);
      else others.set(payer, [...(others.get(payer) ?? []), `${nameOf(payee)} ${figure(points)}`]);
    }
    const parts = [...alike].sort(([one], [other]) => other - one).map(([points, payers], place) => {
      const [verb, each] = payers.length > 1 ? ["pay", " each"] : ["pays", ""];
      return `${listed(payers)} ${verb}${place ? "" : ` ${nameOf(winner)}`} ${figure(points)}${each}`;
    });
    const rest = [...others].map(([payer, owed]) => `${nameOf(payer)} pays ${listed(owed)}.`);
    return [...(parts.length ? [`${parts.join("; ")}.`] : []), ...rest].join(" ");
  }

  return { fields, outcome, sentence, faults, fill, nameOf, payments, figure, signed };
})();
