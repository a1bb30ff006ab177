// For every page without a worker of its own: the line always, and one page of words where it fails.
// Nothing else is kept on a device. A new page of words, or new parts of it, make a new worker.
const OFFLINE = "{{ address }}";
const PARTS = {{ parts|safe }};
const FAMILY = "tongbox-offline-";
const STORE = `${FAMILY}{{ mark }}`;

self.addEventListener("install", (event) => event.waitUntil(putAway()));
self.addEventListener("activate", (event) => event.waitUntil(clearOut()));

// What is posted is left to the browser, which can send it again.
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.mode === "navigate") {
    if (request.method === "GET") event.respondWith(page(event));
  } else if (PARTS.includes(new URL(request.url).pathname)) event.respondWith(part(request));
});

async function putAway() {
  const store = await caches.open(STORE);
  await store.addAll([OFFLINE, ...PARTS]);
  await self.skipWaiting();
}

async function clearOut() {
  const old = (await caches.keys()).filter((name) => name.startsWith(FAMILY) && name !== STORE);
  await Promise.all(old.map((name) => caches.delete(name)));
  await self.registration.navigationPreload?.enable(); // the line is asked while this wakes up
}

async function page({ request, preloadResponse }) {
  try {
    return (await preloadResponse) ?? (await fetch(request));
  } catch (lost) {
    return (await caches.match(OFFLINE, { cacheName: STORE })) ?? Promise.reject(lost);
  }
}

async function part(request) {
  try {
    return await fetch(request);
  } catch (lost) {
    return (await caches.match(request, { cacheName: STORE })) ?? Promise.reject(lost);
  }
}
