// The table's places and all their parts are put away on the phone, so that they open without a network.
// Browsers allow this over https and on the computer that serves the pages, nowhere else.
{
  const PAGES = "tongbox-tables";
  const net = document.querySelector("[data-net]");
  const { link } = net.dataset;
  const UNSEEN = { headers: { "X-Put-Away": "yes" } };

  async function settleIn() {
    if (!("serviceWorker" in navigator)) return;
    const isNew = !Strip.lasts();
    await navigator.serviceWorker.register(new URL("../table-worker.js", location.origin + link));
    await navigator.serviceWorker.ready;
    // The worker keeps what passes it; it may have come while this page was on its way.
    const store = await caches.open(PAGES);
    if (isNew || !(await store.match(link))) await putAway(store);
    await renew(store);
    net.setAttribute("data-put-away", "");
  }

  // The other places are put away, too: once, and the hands whenever there is news of one.
  async function renew(store) {
    if (document.documentElement.dataset.asOf) return;
    for (const place of document.querySelectorAll(".places a:not([aria-current])")) {
      const { pathname } = new URL(place.href);
      const isNews = "hands" in place.dataset && sessionStorage.getItem(pathname) !== net.dataset.mark;
      if (!isNews && (await store.match(pathname))) continue;
      const answer = await fetch(pathname, UNSEEN);
      if (answer.ok) await store.put(pathname, answer);
      if (isNews) sessionStorage.setItem(pathname, net.dataset.mark);
    }
  }

  async function putAway(store) {
    const parts = performance.getEntriesByType("resource").map((part) => part.name);
    await store.put(link, await fetch(link, UNSEEN));
    await store.addAll([...new Set(parts.filter((part) => part.startsWith(location.origin) && part.includes("/static/")))]);
  }

  settleIn().catch(() => {});
}
