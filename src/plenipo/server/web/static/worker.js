/* The service worker: shows push notifications and opens the game when one is clicked, and keeps the games that were
   open here, so that they can be seen without a connection.

   It keeps only what the server answers to this browser, and only for the reader whom the server names in `x-reader`.
   For any other reader, at a sign-out, and where the server refuses a game, it deletes what it has before. */

/** Games and what is known of them: the secrets of one reader. */
const GAMES = 'plenipo.games';
/** Scripts, styles, fonts and the offline page: the same for everyone. */
const FILES = 'plenipo.files';
/** The entry that names the reader of all the others. */
const READER = '/kept/reader';
const OFFLINE_PAGE = '/offline';
const MOST_GAMES = 12;
const REFUSED = new Set([401, 403, 404]);

/** Counts deletions: what was requested before one is not kept after it. */
let generation = 0;

const pathOf = (entry) => new URL(entry.url).pathname;
/** Return the id of the game that a path is about, empty without one. */
const gameOf = (path) => /^(?:\/api)?\/games\/([^/]+)/.exec(path)?.[1] ?? '';
const isPageOf = (path) => /^\/games\/[^/]+$/.test(path);
const find = async (name, key) => (await caches.open(name)).match(key, { ignoreVary: true });

async function forgetEverything() {
  generation += 1;
  await caches.delete(GAMES);
}

async function forgetGame(game) {
  generation += 1;
  const cache = await caches.open(GAMES);
  for (const entry of await cache.keys()) if (gameOf(pathOf(entry)) === game) await cache.delete(entry);
}

/** Note who reads now; what is kept for another reader is deleted. */
async function noteReader(answer) {
  const reader = answer.headers.get('x-reader');
  if (reader === null) return;
  const known = await (await find(GAMES, READER))?.text();
  if (known === reader) return;
  if (known !== undefined) await forgetEverything();
  await (await caches.open(GAMES)).put(READER, new Response(reader));
}

/** Keep an answer with the instant at which it came, unless something was deleted since `started`. */
async function keepAnswer(key, answer, started) {
  const body = await answer.blob();
  if (generation !== started) return;
  const headers = new Headers(answer.headers);
  for (const name of ['content-encoding', 'content-length', 'vary']) headers.delete(name);
  headers.set('x-kept', String(Date.now()));
  await (await caches.open(GAMES)).put(key, new Response(body, { headers }));
  if (generation !== started) await forgetEverything();
}

/** Keep the page of a game as the server shows it now. */
async function keepPage(game, query) {
  const before = generation;
  const answer = await fetch(`/games/${game}${query}`);
  if (REFUSED.has(answer.status)) return forgetGame(game);
  if (!answer.ok || answer.redirected || generation !== before) return undefined;
  await noteReader(answer);
  await keepAnswer(`/games/${game}`, answer, generation);
  const cache = await caches.open(GAMES);
  await cache.delete(`/api/games/${game}`);
  const pages = (await cache.keys()).filter((entry) => isPageOf(pathOf(entry)));
  for (const entry of pages.slice(0, -MOST_GAMES)) await forgetGame(gameOf(pathOf(entry)));
  return undefined;
}

/** Keep files, and delete those of earlier versions of the program. */
async function keepFiles(addresses) {
  const cache = await caches.open(FILES);
  const page = await fetch(OFFLINE_PAGE);
  if (page.ok) await cache.put(OFFLINE_PAGE, page.clone());
  const linked = [...(await page.text()).matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map(([, address]) => address);
  const wanted = new Set([...addresses, ...linked]);
  const version = linked[0]?.split('/')[2];
  for (const entry of await cache.keys()) {
    const path = pathOf(entry);
    if (path.startsWith('/static/') && path.split('/')[2] !== version) await cache.delete(entry);
  }
  await Promise.all([...wanted].map(async (address) => {
    if (address.startsWith('/static/') && await cache.match(address, { ignoreVary: true })) return;
    const file = await fetch(address);
    if (file.ok) await cache.put(address, file);
  }));
}

const phaseOf = (json) => JSON.parse(json).phase_number;
const GAME_IN_PAGE = /(<script type="application\/json" id="the-game">)([\s\S]*?)(<\/script>)/;

/** Return the kept page of a game, with the newest view of its phase, marked with the instant of that. */
async function readKept(game) {
  const page = await find(GAMES, `/games/${game}`);
  if (!page) return undefined;
  let text = await page.text();
  let known = page.headers.get('x-kept');
  const later = await find(GAMES, `/api/games/${game}`);
  const inPage = GAME_IN_PAGE.exec(text)?.[2];
  if (later && inPage) {
    const view = await later.text();
    if (phaseOf(view) === phaseOf(inPage)) {
      text = text.replace(GAME_IN_PAGE, (_, open, __, close) => open + view.replaceAll('<', '\\u003c') + close);
      known = later.headers.get('x-kept');
    }
  }
  return new Response(text.replace('<html ', `<html data-known="${known}" `), { headers: page.headers });
}

async function answerNavigation(request, path) {
  const game = gameOf(path);
  const before = generation;
  try {
    const answer = await fetch(request);
    if (generation === before) await noteReader(answer);
    if (game && REFUSED.has(answer.status)) await forgetGame(game);
    return answer;
  } catch {
    return (isPageOf(path) && await readKept(game)) || await find(FILES, OFFLINE_PAGE) || Response.error();
  }
}

/** Answer a request of a page about a game, and keep the answer beside the page. */
async function answerAboutGame(request, path) {
  const game = gameOf(path);
  const before = generation;
  try {
    const answer = await fetch(request);
    if (answer.status === 401 || answer.status === 403) await forgetGame(game);
    else if (answer.ok && await find(GAMES, `/games/${game}`)) {
      const key = path === `/api/games/${game}` ? path : request.url;
      await keepAnswer(key, answer.clone(), before);
    }
    return answer;
  } catch (fault) {
    // without an answer about the game itself the page knows that there is no connection
    const kept = path !== `/api/games/${game}` && await find(GAMES, request.url);
    if (kept) return kept;
    throw fault;
  }
}

/** Answer with a file: those with a version never change. */
async function answerFile(request, path) {
  if (path.startsWith('/static/')) return await find(FILES, request) ?? fetch(request);
  return fetch(request).catch(async (fault) => {
    const kept = await find(FILES, request);
    if (kept) return kept;
    throw fault;
  });
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const { origin, pathname: path } = new URL(request.url);
  if (origin !== self.location.origin) return;
  if (request.method === 'POST' && /^\/(?:me\/(?:sign-out|delete|undo)$|sign-in)/.test(path)) event.waitUntil(forgetEverything());
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') event.respondWith(answerNavigation(request, path));
  else if (path.startsWith('/api/games/') && gameOf(path) && !path.endsWith('/events')) event.respondWith(answerAboutGame(request, path));
  else if (path.startsWith('/static/') || path === '/map.css' || path.startsWith('/languages/')) event.respondWith(answerFile(request, path));
});

self.addEventListener('message', (event) => {
  const { keep, query = '', files } = event.data ?? {};
  if (typeof keep !== 'string' || !/^[\w-]+$/.test(keep)) return;
  const work = files ? Promise.all([keepPage(keep, query), keepFiles(files)]) : keepPage(keep, query);
  event.waitUntil(work.catch(() => null).then(() => event.ports[0]?.postMessage('kept')));
});

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
