// Adds to whatever the server sends the headers that isolate a page, and keeps a copy for when there is no network.
'use strict';

const kept = 'headcount';
self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

function withHeaders(response) {
    if (response.status === 0) return response;  // of another site, unseen
    const headers = new Headers(response.headers);
    headers.set('Cross-Origin-Opener-Policy', 'same-origin');
    headers.set('Cross-Origin-Embedder-Policy', 'require-corp');
    // Within another page: one that is isolated takes only what says that it may be there; in one that is not, some
    // browsers isolate it by itself.
    headers.set('Cross-Origin-Resource-Policy', 'cross-origin');
    headers.set('Document-Isolation-Policy', 'isolate-and-require-corp');
    return new Response(response.body, {status: response.status, statusText: response.statusText, headers});
}

// Where there is no room for it, or no keeping at all, the page is shown all the same.
async function keep(request, response) {
    try {
        await (await caches.open(kept)).put(request, response);
    } catch {
        return;
    }
}

async function answer(event) {
    const {request} = event;
    try {
        const response = await fetch(request);
        if (response.ok) event.waitUntil(keep(request, response.clone()));
        return withHeaders(response);
    } catch (noNetwork) {
        const copy = await (await caches.open(kept)).match(request, {ignoreSearch: true});
        if (copy) return withHeaders(copy);
        throw noNetwork;
    }
}

self.addEventListener('fetch', (event) => {
    const own = new URL(event.request.url).origin === self.location.origin;
    if (own && event.request.method === 'GET') event.respondWith(answer(event));
});
