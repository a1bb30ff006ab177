// What is typed of a hand stays on this device until it is saved or thrown away. It belongs to one table, one hand
// and the people who play it: it never goes to others. Browsers keep it over plain http as well.
self.Draft = (() => {
  const PLACE = "typed ";
  const AN_EVENING = 24 * 3600 * 1000; // milliseconds: nobody types on after that
  const TYPED = /^(winner|last_tile|pays_for_all|as_counted|score|count)/;
  const { asOf } = document.documentElement.dataset;

  const linkOf = (form) => new URL(form.getAttribute("action"), location).pathname;
  const numberOf = (form) => Number(form.elements.number.value);
  const wayOf = (form) => form.elements.way?.value;

  // What cannot be stored lives as long as the page: a phone may forbid it.
  function read(link) {
    try {
      return JSON.parse(localStorage.getItem(PLACE + link)) ?? [];
    } catch {
      return [];
    }
  }

  function write(link, drafts) {
    try {
      if (drafts.length) localStorage.setItem(PLACE + link, JSON.stringify(drafts));
      else localStorage.removeItem(PLACE + link);
    } catch {
      // As above.
    }
  }

  const change = (link, act) => write(link, act(read(link)));
  const drop = (link, number) => change(link, (drafts) => drafts.filter((draft) => draft.number !== number || draft.isOfOthers));

  function namesOf(form) {
    const seats = [...form.querySelectorAll("label[data-seat]")];
    return Object.fromEntries(seats.map((seat) => [seat.dataset.seat, seat.querySelector(".seat__name").textContent.trim()]));
  }

  const playersOf = (form) => JSON.stringify([form.elements.company.value.split(".")[0], ...Object.entries(namesOf(form)).sort().flat()]);

  function keep(form) {
    const link = linkOf(form);
    const number = numberOf(form);
    const fields = [...new FormData(form)].filter(([name, value]) => TYPED.test(name) && value);
    const draft = { number, players: playersOf(form), names: namesOf(form), way: wayOf(form), fields, typedAt: Date.now() };
    change(link, (drafts) => [...drafts.filter((other) => other.number !== number || other.isOfOthers), ...(fields.length ? [draft] : [])]);
  }

  // “Margaret 60 (Mah-Jong), Dilip 8.”
  function sentence({ names, fields }) {
    const typed = Object.fromEntries(fields);
    const figures = Object.entries(names).map(([seat, name]) => {
      const isWinner = typed.winner === seat;
      const figure = typed[`score_${seat}`] ?? typed[`count_${seat}`] ?? (isWinner ? typed.score : undefined);
      return [...(figure || isWinner ? [name] : []), ...(figure ? [figure] : []), ...(isWinner ? ["(Mah-Jong)"] : [])].join(" ");
    });
    return `${figures.filter(Boolean).join(", ")}.`;
  }

  function tell(text, throwAway) {
    const notice = document.createElement("p");
    notice.className = "notice notice--warning notice--typed";
    notice.append(document.createElement("span"));
    notice.firstChild.textContent = text;
    if (throwAway) {
      const button = document.createElement("button");
      button.className = "button";
      button.type = "button";
      button.textContent = "Delete";
      button.addEventListener("click", () => {
        throwAway();
        notice.remove();
      });
      notice.append(button);
    }
    const messages = document.getElementById("messages");
    messages.classList.add("notices");
    messages.append(notice);
  }

  function tellOfOthers(link, draft) {
    tell(`The players have changed. Entered before that: ${sentence(draft)}`, () => {
      change(link, (drafts) => drafts.filter((other) => other.typedAt !== draft.typedAt));
    });
  }

  function tellOfSaved(draft) {
    const atTable = Number(document.querySelector("[data-entry]").dataset.before) + draft.number;
    tell(`Hand ${atTable} has been saved by someone else. Yours was not: ${sentence(draft)}`);
  }

  const isSavedHere = (draft) => !draft.isOfOthers && new URLSearchParams(location.search).get("saved") === String(draft.number);

  // What becomes of a draft now that this hand is next: it stays, or it is told of once and goes.
  function settle(draft, form) {
    const number = numberOf(form);
    if (Date.now() - draft.typedAt > AN_EVENING || isSavedHere(draft)) return [];
    if (draft.isOfOthers) return draft.before === number ? [draft] : [];
    if (draft.players !== playersOf(form)) return [{ ...draft, isOfOthers: true, before: number }];
    if (draft.number >= number) return [draft];
    tellOfSaved(draft);
    return [];
  }

  // Tiles that were tapped elsewhere may already say who won; a figure in the form is newer than any draft.
  function fill(form, { fields }) {
    const isTyped = [...form.querySelectorAll(".entry input[type=text]")].some((figure) => figure.value);
    if (isTyped) return;
    for (const [name, value] of fields) {
      const field = form.elements[name];
      if (field instanceof RadioNodeList) field.value ||= value;
      else if (field?.type === "checkbox") field.checked = true;
      else if (field && !field.value) field.value = value;
    }
  }

  // The form for another way of telling the hand is the server's.
  function isElsewhere(form, draft) {
    if (draft.way === wayOf(form) || asOf || location.search) return false;
    location.replace(`${linkOf(form)}?${new URLSearchParams([["number", draft.number], ["way", draft.way], ...draft.fields])}`);
    return true;
  }

  // A page that was put away earlier does not know what has become of a hand.
  function begin(form) {
    const link = linkOf(form);
    if (!asOf) change(link, (drafts) => drafts.flatMap((draft) => settle(draft, form)));
    const drafts = read(link);
    for (const draft of drafts.filter((other) => other.isOfOthers)) tellOfOthers(link, draft);
    const own = drafts.find((draft) => !draft.isOfOthers && draft.number === numberOf(form) && draft.players === playersOf(form));
    const isAnswer = "answer" in form.dataset; // the server’s, to what was sent: newer than any draft
    if (own && !isAnswer && isElsewhere(form, own)) return;
    if (own && !isAnswer) fill(form, own);
    keep(form);
    for (const event of ["input", "change"]) form.addEventListener(event, () => keep(form));
  }

  // Of a card that was replaced: what was typed under the old link goes with the new one.
  function move(from, to) {
    const moved = read(from);
    change(to, (drafts) => [...drafts, ...moved]);
    write(from, []);
    return moved.length > 0;
  }

  function links() {
    try {
      return Object.keys(localStorage).filter((key) => key.startsWith(PLACE)).map((key) => key.slice(PLACE.length));
    } catch {
      return [];
    }
  }

  return { begin, keep, drop, move, links };
})();
