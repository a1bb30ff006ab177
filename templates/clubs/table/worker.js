{% load static %}// Keeps the pages of this phone's table and their parts, for when the network hangs or is gone.
importScripts("{% static 'js/outbox-store.js' %}", "{% static 'js/outbox-send.js' %}");

const PAGES = "tongbox-tables";
const PATIENCE = 4000;
const PAGE = /^(\/[tr]\/[\w-]+\/)(standings\/|hands\/|more\/)?$/;
const BELOW = /^\/[tr]\/[\w-]+\//;
const FOR_EVER = /\.[0-9a-f]{12}\.\w+$/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));
self.addEventListener("sync", (event) => event.waitUntil(sendAll()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.mode !== "navigate") {
    if (request.method === "GET" && pathname.startsWith("{% get_static_prefix %}")) event.respondWith(part(request));
  } else if (request.method === "POST") {
    if (BELOW.test(pathname)) event.respondWith(posted(request, pathname));
  } else if (PAGE.test(pathname)) event.respondWith(page(request));
});

// The line first; what was kept where it fails, or says nothing for long.
async function page(request) {
  const kept = await caches.match(request, { cacheName: PAGES, ignoreSearch: true, ignoreVary: true });
  try {
    const answer = await Sender.ask(request, {}, kept ? PATIENCE : 10 * PATIENCE);
    if (answer.status >= 500 && kept) return old(kept);
    const { pathname, search, searchParams } = new URL(request.url);
    if (answer.ok && (!search || searchParams.has("saved"))) await keep(pathname, answer);
    return answer;
  } catch (lost) {
    if (kept) return old(kept);
    throw lost;
  }
}

// What was typed is kept by the page itself; it is shown again instead of the browser's own regret.
async function posted(request, pathname) {
  try {
    return await fetch(request);
  } catch {
    return Response.redirect(BELOW.exec(pathname)[0], 303);
  }
}

async function part(request) {
  const kept = await caches.match(request, { cacheName: PAGES, ignoreVary: true });
  if (kept && FOR_EVER.test(request.url)) return kept;
  try {
    const answer = kept ? await Sender.ask(request, { cache: "default" }, PATIENCE) : await fetch(request);
    if (answer.ok) await keep(request, answer);
    return answer;
  } catch (lost) {
    if (kept) return kept;
    throw lost;
  }
}

async function keep(request, answer) {
  const copy = answer.clone();
  const store = await caches.open(PAGES);
  await store.put(request, copy);
}

// A page that was put away says of when it is.
async function old(kept) {
  const from = Date.parse(kept.headers.get("Date")) || Date.now();
  const text = await kept.text();
  const headers = new Headers({ "Content-Type": "text/html; charset=utf-8" });
  const policy = kept.headers.get("Content-Security-Policy");
  if (policy) headers.set("Content-Security-Policy", policy);
  return new Response(text.replace("<html ", `<html data-as-of="${from}" `), { headers });
}

async function sendAll() {
  for (const link of await Outbox.links()) {
    if ((await Sender.sendAll(link)) === "lost") throw new Error("later");
  }
}
