"use strict";

// Keeps the page for use without a network. With one, the page is always the newest.
self.addEventListener("install", (event) => {
    event.waitUntil(caches.open("tracer").then((cache) => cache.addAll(["./", "app.webmanifest", "icon.svg"])));
});

self.addEventListener("fetch", (event) => {
    if (event.request.method !== "GET") return;
    event.respondWith(fetch(event.request).then(async (response) => {
        if (response.ok) await (await caches.open("tracer")).put(event.request, response.clone());
        return response;
    }, async () => await caches.match(event.request, { ignoreSearch: true })
        ?? (event.request.mode === "navigate" ? caches.match("./") : Response.error())));
});
