// The table's page and all its parts are put away on the phone, so that it opens without a network.
// Browsers allow this over https and on the computer that serves the pages, nowhere else.
{
  const PAGES = "tongbox-tables";
  const net = document.querySelector("[data-net]");
  const { link } = net.dataset;
  const UNSEEN = { headers: { "X-Put-Away": "yes" } };

  async function settleIn() {
    if (!("serviceWorker" in navigator)) return;
    const isNew = !navigator.serviceWorker.controller;
    await navigator.serviceWorker.register(new URL("../table-worker.js", location.origin + link));
    await navigator.serviceWorker.ready;
    // The worker keeps what passes it; it may have come while this page was on its way.
    const store = await caches.open(PAGES);
    if (isNew || !(await store.match(link))) await putAway(store);
    net.setAttribute("data-put-away", "");
  }

  async function putAway(store) {
    const parts = performance.getEntriesByType("resource").map((part) => part.name);
    await store.put(link, await fetch(link, UNSEEN));
    await store.addAll([...new Set(parts.filter((part) => part.startsWith(location.origin) && part.includes("/static/")))]);
  }

  settleIn().catch(() => {});
}
