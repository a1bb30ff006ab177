// A hand is checked by the server without leaving the page: what is typed waits behind the check, and if the one
// request is lost, or a proxy answers in the server's place, the table's page is still there.
self.Checking = (() => {
  const PATIENCE = 10000;
  const OURS = 'id="content"'; // every page of ours has it, a proxy's or a hotel's has not
  const main = document.getElementById("content");
  let behind = null; // the page with the form, while the check stands in its place
  let isAsking = false;

  function fieldsOf(form, submitter) {
    const fields = new URLSearchParams(new FormData(form));
    if (submitter?.name) fields.append(submitter.name, submitter.value);
    return fields;
  }

  // The page that answers; null where the server could not be asked or was not the one who answered.
  async function ask(form, body) {
    const answer = await Sender.ask(form.getAttribute("action"), { method: "POST", body, redirect: "manual" }, PATIENCE);
    if (answer.type === "opaqueredirect") return { isElsewhere: true };
    const text = await answer.text();
    return answer.status < 500 && text.includes(OURS) ? { text } : null;
  }

  // Whether the server has answered, as far as this page knows.
  async function send(form, submitter) {
    if (isAsking) return true;
    isAsking = true;
    const body = fieldsOf(form, submitter);
    setBusy(form, true);
    setSaving(true, "Checking…");
    const answer = await ask(form, body).catch(() => null);
    isAsking = false;
    setSaving(false);
    setBusy(form, false);
    if (answer?.isElsewhere) location.assign(Table.link);
    else if (answer) show(answer.text, submitter);
    return answer !== null;
  }

  function show(text, submitter) {
    const page = new DOMParser().parseFromString(text, "text/html");
    const before = { nodes: [...main.childNodes], title: document.title, isOld: /^(put|type)/.test(submitter?.name === "step" ? submitter.value : submitter?.name) };
    main.replaceChildren(...page.getElementById("content").childNodes);
    document.title = page.title;
    self.htmx?.process(main);
    if (Table.form()) mend();
    else wait(before);
    Flow.look();
  }

  // A form with a fault takes the place of the one that was sent.
  function mend() {
    behind = null;
    Flow.begin(Table.form());
  }

  // A check stands before the form, which is there again for “Edit”.
  function wait(before) {
    behind = before;
    history.pushState({ ...history.state, isDeeper: true }, "");
    scrollTo({ top: 0, behavior: "instant" });
    (main.querySelector("[data-kept] .button--primary") ?? main).focus({ preventScroll: true });
  }

  function goBack() {
    main.replaceChildren(...behind.nodes);
    document.title = behind.title;
    behind = null;
    const form = Table.form();
    Flow.look();
    Flow.show(form, form.dataset.flow);
    Flow.attend(form);
  }

  // Back to what was typed. A figure that was put in by a press is in the server’s form only.
  async function edit(form, submitter) {
    if (!behind) return false;
    if (!behind.isOld || !(await Line.answers()) || !(await send(form, submitter))) history.back();
    return true;
  }

  addEventListener("popstate", (event) => {
    if (!behind) return;
    event.stopImmediatePropagation();
    goBack();
  }, true);

  return { send, edit, forget: () => (behind = null) };
})();
