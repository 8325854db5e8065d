/* The service worker: shows push notifications from the server, and opens the game when one is clicked. */

self.addEventListener('install', () => self.skipWaiting());
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()));

self.addEventListener('push', (event) => {
  let said = {};
  try {
    said = event.data.json();
  } catch {
    said = {};
  }
  const { title = 'Plenipo', body = '', url = '/', tag = '' } = said;
  event.waitUntil(self.registration.showNotification(title, { body, tag, data: url, icon: '/static/icon-192.png' }));
});

self.addEventListener('notificationclick', (event) => {
  event.notification.close();
  const to = new URL(event.notification.data || '/', self.location.origin);
  if (to.origin !== self.location.origin) return;
  event.waitUntil((async () => {
    const open = await self.clients.matchAll({ type: 'window', includeUncontrolled: true });
    const there = open.find((page) => new URL(page.url).pathname === to.pathname);
    return there ? there.focus() : self.clients.openWindow(to.href);
  })());
});
