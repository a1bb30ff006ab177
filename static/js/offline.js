// In the place of a page that could not be loaded: what waits on this device, and that page when it is back.
{
  const EVERY = 5000;
  const { offlineAddress } = document.querySelector("[data-offline-address]").dataset;

  async function show() {
    for (const link of await Outbox.links()) {
      const { length } = await Outbox.all(link);
      const { hands, are } = Outbox.inWords(length);
      const row = document.querySelector("template").content.firstElementChild.cloneNode(true);
      row.querySelector("span").textContent = `${hands} ${are} waiting on this phone.`;
      row.querySelector("a").href = link;
      document.querySelector("[data-waiting]").append(row);
    }
  }

  // A hotel's sign-in page is no server of ours.
  async function look() {
    const answer = await fetch("/healthz/", { cache: "no-store" });
    if ((await answer.text()) === "ok") location.reload();
  }

  show().catch(() => {});
  if (location.pathname !== offlineAddress) {
    document.querySelector("[data-again]").hidden = false;
    setInterval(() => look().catch(() => {}), EVERY);
  }
}
