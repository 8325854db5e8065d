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
/** The most answers about one game. */
const MOST_ANSWERS = 40;
/** The most bytes of one answer, and of all games together. */
const LARGEST_ANSWER = 2 ** 21;
const MOST_BYTES = 2 ** 24;
/** The most files whose address has no version. */
const MOST_UNVERSIONED = 24;

const REFUSED = new Set([401, 403, 404]);
const PAGE = /^\/games\/([\w-]+)$/;
/** The answers that the page of a game shows; hints, completions and analyses are not kept. */
const ANSWER = /^\/api\/games\/([\w-]+)(?:\/(?:press|press\/thread|votes|deals|notes|options|history|board|seats|result|turns\/\d+))?$/;
const FILE = /^\/(?:static|languages)\/|^\/map\.css$/;

/** Counts deletions: an answer that was requested before one is not kept after it. */
let generation = 0;

let work = Promise.resolve();
/** Do one change of the caches after another. */
function inTurn(change) {
  const done = work.then(change);
  work = done.catch(() => null);
  return done;
}

const pathOf = (entry) => new URL(entry.url).pathname;
/** Return the id of the game that a path is about, empty without one. */
const gameOf = (path) => /^(?:\/api)?\/games\/([^/?]+)/.exec(path)?.[1] ?? '';
const find = async (name, key) => (await caches.open(name)).match(key, { ignoreVary: true });

/** Return the key of a page: its path, and the seat that the address names. */
function keyOfPage({ pathname, searchParams }) {
  const seat = searchParams.get('seat');
  return seat ? `${pathname}?${new URLSearchParams({ seat })}` : pathname;
}

function forgetEverything() {
  generation += 1;
  return inTurn(() => caches.delete(GAMES));
}

async function deleteGame(game) {
  const cache = await caches.open(GAMES);
  for (const entry of await cache.keys()) if (gameOf(pathOf(entry)) === game) await cache.delete(entry);
}

function forgetGame(game) {
  generation += 1;
  return inTurn(() => deleteGame(game));
}

/** Note who reads now; what is kept for another reader is deleted. Returns whether the answer names a reader. */
async function noteReader(answer) {
  const reader = answer.headers.get('x-reader');
  if (reader === null) return false;
  const known = await (await find(GAMES, READER))?.text();
  if (known === reader) return true;
  if (known !== undefined) await forgetEverything();
  await inTurn(async () => (await caches.open(GAMES)).put(READER, new Response(reader)));
  return true;
}

/** Delete the games that were seen longest ago, and the oldest answers about a game, where there are too many. */
async function trim(cache) {
  const [keys, answers] = await Promise.all([cache.keys(), cache.matchAll()]);
  const games = new Map();
  keys.forEach((key, index) => {
    const game = gameOf(pathOf(key));
    if (!game) return;
    const { headers } = answers[index];
    const found = games.get(game) ?? { newest: 0, bytes: 0, answers: [] };
    const kept = Number(headers.get('x-kept'));
    found.newest = Math.max(found.newest, kept);
    found.bytes += Number(headers.get('x-bytes'));
    if (!PAGE.test(pathOf(key))) found.answers.push({ key, kept });
    games.set(game, found);
  });
  let bytes = 0;
  const byAge = [...games].sort(([, one], [, other]) => other.newest - one.newest);
  for (const [index, [game, found]] of byAge.entries()) {
    bytes += found.bytes;
    if (index >= MOST_GAMES || (index && bytes > MOST_BYTES)) await deleteGame(game);
    found.answers.sort((one, other) => other.kept - one.kept);
    for (const { key } of found.answers.slice(MOST_ANSWERS)) await cache.delete(key);
  }
}

/** Keep an answer with the instant at which it came, unless something was deleted since the generation `started`. */
async function keepAnswer(key, answer, started, more = {}) {
  const body = await answer.blob();
  if (body.size > LARGEST_ANSWER) return;
  const headers = new Headers(answer.headers);
  for (const name of ['content-encoding', 'content-length', 'vary']) headers.delete(name);
  for (const [name, value] of Object.entries({ 'x-kept': Date.now(), 'x-bytes': body.size, ...more })) headers.set(name, String(value));
  await inTurn(async () => {
    if (generation !== started) return;
    const cache = await caches.open(GAMES);
    await cache.put(key, new Response(body, { headers }));
    await trim(cache);
  });
}

const GAME_IN_PAGE = /(<script type="application\/json" id="the-game">)([\s\S]*?)(<\/script>)/;

/** Keep the page of a game as the server shows it now; `view` is the address of the same view as JSON. */
async function keepPage(key, view) {
  const game = gameOf(key);
  const before = generation;
  const answer = await fetch(key);
  if (REFUSED.has(answer.status)) return forgetGame(game);
  if (!answer.ok || answer.redirected || generation !== before || !await noteReader(answer)) return undefined;
  if (!GAME_IN_PAGE.test(await answer.clone().text())) return undefined;
  return keepAnswer(key, answer, generation, { 'x-view': view });
}

/** Keep answers that the page received before this worker saw its requests. */
async function keepAnswers(addresses) {
  await Promise.all(addresses.map(async (address) => {
    const started = generation;
    if (await find(GAMES, address)) return;
    const answer = await fetch(address);
    if (answer.ok) await keepAnswer(address, answer, started);
  }));
}

async function keepFile(address, file) {
  const cache = await caches.open(FILES);
  await cache.put(address, file);
  const unversioned = (await cache.keys()).filter((entry) => !pathOf(entry).startsWith('/static/') && pathOf(entry) !== OFFLINE_PAGE);
  for (const entry of unversioned.slice(0, -MOST_UNVERSIONED)) await cache.delete(entry);
}

/** Keep files, and delete those of earlier versions of the program. */
async function keepFiles(addresses) {
  const cache = await caches.open(FILES);
  const page = await fetch(OFFLINE_PAGE);
  if (!page.ok) return;
  const text = await page.clone().text();
  await inTurn(() => cache.put(OFFLINE_PAGE, page));
  const linked = [...text.matchAll(/(?:href|src)="(\/static\/[^"]+)"/g)].map(([, address]) => address);
  const version = linked[0]?.split('/')[2];
  for (const entry of await cache.keys()) {
    const path = pathOf(entry);
    if (path.startsWith('/static/') && path.split('/')[2] !== version) await cache.delete(entry);
  }
  await Promise.all([...new Set([...addresses, ...linked])].map(async (address) => {
    if (address.startsWith('/static/') && await cache.match(address, { ignoreVary: true })) return;
    const file = await fetch(address);
    if (file.ok) await inTurn(() => keepFile(address, file));
  }));
}

const phaseOf = (json) => JSON.parse(json).phase_number;

/** Return the kept page of a game with the newest view of its phase, marked with the instant of that. Another seat than
    the one in the address is not shown. */
async function readKept(url) {
  const cache = await caches.open(GAMES);
  const key = keyOfPage(url);
  const pages = (await cache.keys()).filter((entry) => pathOf(entry) === url.pathname);
  const page = await find(GAMES, key) ?? (key === url.pathname && pages.length ? await find(GAMES, pages.at(-1)) : undefined);
  if (!page) return undefined;
  let text = await page.text();
  let known = page.headers.get('x-kept');
  const later = await find(GAMES, page.headers.get('x-view'));
  const inPage = GAME_IN_PAGE.exec(text)?.[2];
  if (later && inPage && Number(later.headers.get('x-kept')) > Number(known)) {
    const view = await later.text();
    if (phaseOf(view) === phaseOf(inPage)) {
      text = text.replace(GAME_IN_PAGE, (_, open, __, close) => open + view.replaceAll('<', '\\u003c') + close);
      known = later.headers.get('x-kept');
    }
  }
  return new Response(text.replace('<html ', `<html data-known="${known}" `), { headers: page.headers });
}

async function answerNavigation(request, url) {
  const before = generation;
  try {
    const answer = await fetch(request);
    if (generation === before) await noteReader(answer);
    if (PAGE.test(url.pathname) && REFUSED.has(answer.status)) await forgetGame(gameOf(url.pathname));
    return answer;
  } catch {
    return (PAGE.test(url.pathname) && await readKept(url)) || await find(FILES, OFFLINE_PAGE) || Response.error();
  }
}

/** Answer a request of a page about a game, and keep the answer beside the page. */
async function answerAboutGame(event, { pathname, search }) {
  const game = gameOf(pathname);
  const key = pathname + search;
  const started = generation;
  try {
    const answer = await fetch(event.request);
    if (answer.status === 401 || answer.status === 403) await forgetGame(game);
    else if (answer.ok) {
      const copy = answer.clone();
      event.waitUntil(isKept(game).then((kept) => kept && keepAnswer(key, copy, started)).catch(() => null));
    }
    return answer;
  } catch (fault) {
    // without an answer about the game itself the page knows that there is no connection
    const kept = pathname !== `/api/games/${game}` && await find(GAMES, key);
    if (kept) return kept;
    throw fault;
  }
}

/** Tell whether a page of a game is kept. */
async function isKept(game) {
  return (await (await caches.open(GAMES)).keys()).some((entry) => pathOf(entry) === `/games/${game}`);
}

/** Answer with a file: those with a version never change. */
async function answerFile(event, { pathname, search }) {
  const { request } = event;
  const kept = await find(FILES, request);
  if (kept && pathname.startsWith('/static/')) return kept;
  try {
    const answer = await fetch(request);
    // the page of a game loads some scripts later, such as its panels
    if (answer.ok && await find(FILES, OFFLINE_PAGE)) {
      const copy = answer.clone();
      event.waitUntil(inTurn(() => keepFile(pathname + search, copy)).catch(() => null));
    }
    return answer;
  } catch (fault) {
    if (kept) return kept;
    throw fault;
  }
}

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  const { pathname } = url;
  if (url.origin !== self.location.origin) return;
  if (request.method === 'POST' && /^\/(?:me\/(?:sign-out|delete|undo)$|sign-in)/.test(pathname)) event.waitUntil(forgetEverything());
  if (request.method !== 'GET') return;
  if (request.mode === 'navigate') event.respondWith(answerNavigation(request, url));
  else if (ANSWER.test(pathname)) event.respondWith(answerAboutGame(event, url));
  else if (FILE.test(pathname)) event.respondWith(answerFile(event, url));
});

/** Return those of some addresses of this server whose path matches. */
const select = (addresses, pattern) => addresses.filter((address) => typeof address === 'string' && pattern.test(new URL(address, self.location.origin).pathname));

// a page asks to be kept, with the files and answers that it has already received
self.addEventListener('message', (event) => {
  const { page, view, files = [], answers = [] } = event.data ?? {};
  const [key] = select([page], PAGE);
  if (!key || !select([view], ANSWER).length) return;
  const game = gameOf(key);
  const own = select(answers, ANSWER).filter((address) => gameOf(address) === game);
  const done = Promise.all([
    keepPage(key, view).then(() => isKept(game)).then((kept) => kept && keepAnswers(own.slice(0, MOST_ANSWERS))),
    files.length ? keepFiles(select(files, FILE)) : null,
  ]);
  event.waitUntil(done.catch(() => null).then(() => event.ports[0]?.postMessage('kept')));
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
