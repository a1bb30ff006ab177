{% load static %}// Keeps the wall's last picture and its parts, so that it can be shown after a reload without a line.
const PICTURES = "tongbox-wall";
const WALL = /^\/[ew]\/[\w-]+\/$/;

self.addEventListener("install", () => self.skipWaiting());
self.addEventListener("activate", (event) => event.waitUntil(self.clients.claim()));

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.method !== "GET" || origin !== self.location.origin) return;
  const isWall = request.mode === "navigate" && WALL.test(pathname);
  if (isWall || pathname.startsWith("{% get_static_prefix %}")) event.respondWith(fromTheLineOrKept(request));
});

async function fromTheLineOrKept(request) {
  const kept = () => caches.match(request, { ignoreVary: true });
  try {
    const answer = await fetch(request);
    return answer.status < 500 ? answer : ((await kept()) ?? answer);
  } catch (lost) {
    const picture = await kept();
    if (picture) return picture;
    throw lost;
  }
}
