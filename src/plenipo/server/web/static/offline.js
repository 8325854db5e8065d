/* A game without a connection: the last known state is marked as such, and changes of orders are kept. Loaded with the
   page of a game with other players, since nothing can be loaded when the connection is gone.

   A change that fails while the page is open is sent as soon as the server answers again. One that the page had kept
   from before, or that was made on a kept page, is a draft: it is sent only when the player says so. */
import * as act from './act.js';
import { requestJson } from './api.js';
import { h, icon } from './dom.js';
import { formatDate, n, t } from './i18n.js';
import { apiPath, CLIENT, fetchView, game, onChange, ownPowers } from './state.js';
import { formatOrder } from './words.js';

/** The interval at which a page without a connection tries to reach the server, in milliseconds. */
const RETRY_INTERVAL = 10_000;
/** The time without a change after which the service worker keeps the game anew, in milliseconds. */
const QUIET = 4000;
/** The time over which spectators fetch the page of a new phase, in milliseconds. */
const SPREAD = 10_000;

const PLACE = `plenipo.unsent.${game.view.id}`;

/** The instant of a page that the service worker kept, in milliseconds; NaN for one from the server. */
const keptAt = Number(document.documentElement.dataset.known ?? NaN);

let bar = null;
let known = keptAt || Date.now();
let retry = 0;

function readKept() {
  try {
    const found = JSON.parse(localStorage.getItem(PLACE)) ?? [];
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function storeKept(changes) {
  try {
    if (changes.length) localStorage.setItem(PLACE, JSON.stringify(changes));
    else localStorage.removeItem(PLACE);
  } catch {
    // without storage they last as long as the page
  }
}

let kept = readKept();
/** True if the player must say whether the kept changes are sent. */
let asks = Boolean(keptAt) || kept.length > 0;

const wordsOf = ({ give = [], clear = [], promises }) =>
  [...give.map(formatOrder), ...clear.map((order) => t('{orders} cleared', { orders: formatOrder(order) })), ...(promises ? [t('Promises')] : [])];

const formatKnown = () => formatDate(known, new Date(known).toDateString() === new Date().toDateString() ? 'time' : 'instant');

function describeKept() {
  const orders = kept.flatMap(wordsOf).join(', ');
  if (!asks) return n('{count} change is kept on this device and sent when you are back: {orders}.', '{count} changes are kept on this device and sent when you are back: {orders}.', kept.length, { orders });
  return n('{count} change is kept on this device and not sent: {orders}.', '{count} changes are kept on this device and not sent: {orders}.', kept.length, { orders });
}

/** Show the bar above the game: without a connection, or with a question about the kept changes. */
function draw() {
  bar ??= h('div', { class: 'offline-bar', role: 'status' });
  bar.replaceChildren(icon(retry ? 'out' : 'send'), h('p', {},
    retry ? t('Offline. Last known state, from {time}.', { time: formatKnown() }) : null,
    kept.length ? [' ', describeKept()] : null),
  ...(retry ? [] : [
    h('button', { type: 'button', class: 'btn tight', onclick: sendNow }, t('Send')),
    h('button', { type: 'button', class: 'btn tight', onclick: discard }, t('Discard'))]));
  if (!bar.isConnected) document.getElementById('game').before(bar);
}

function markOffline() {
  retry ||= setInterval(tryAgain, RETRY_INTERVAL);
  draw();
}

/** Take out the changes of a phase that is over, and return them in words. */
function dropLate(now) {
  const late = kept.filter((change) => change.phase_number !== now).flatMap(wordsOf);
  kept = kept.filter((change) => change.phase_number === now);
  storeKept(kept);
  return late;
}

/** Send the kept changes one after another; returns those that are refused. */
async function sendKept() {
  const refused = [];
  while (kept.length) {
    const [{ phase_number, seat, ...body }] = kept;
    try {
      await requestJson(apiPath('/orders'), { method: 'POST', body: { phase_number, seat, client: CLIENT, ...body } });
    } catch (error) {
      if (error.code === 'offline') throw error;
      refused.push(...wordsOf(body));
    }
    kept = kept.slice(1);
    storeKept(kept);
  }
  return refused;
}

function tellResult(late, sent) {
  if (late.length) act.showError({ message: t('You are online again. Not sent, because the phase was over or the order is not allowed: {orders}.', { orders: late.join(', ') }) });
  else if (sent) act.showError({ message: t('You are online again. Everything is sent.') });
  else act.showError({ message: t('You are online again.') });
}

async function tryAgain() {
  try {
    const { phase_number: now } = await fetchView();
    const late = dropLate(now);
    const sends = !asks && kept.length > 0;
    if (sends) late.push(...await sendKept());
    await act.refresh();
    const wasOffline = retry;
    clearInterval(retry);
    retry = 0;
    known = Date.now();
    if (kept.length) draw();
    else {
      bar?.remove();
      asks = false;
    }
    if (wasOffline && keptAt) {
      dispatchEvent(new Event('online')); // the events of the server begin
      keepGame({ withFiles: true }).catch(() => null);
    }
    if (!kept.length || late.length) tellResult(late, sends);
  } catch (error) {
    if (error.code === 'offline') markOffline();
    else act.showError(error);
  }
}

/** Send the kept changes, because the player says so. */
function sendNow() {
  asks = false;
  return tryAgain();
}

function discard() {
  kept = [];
  storeKept(kept);
  asks = false;
  bar.remove();
  document.getElementById('phase').focus();
}

/** Keep a change of orders that could not be sent. */
game.keepUnsent = (body) => {
  kept = [...kept, body];
  storeKept(kept);
  markOffline();
};

addEventListener('offline', markOffline);
addEventListener('online', () => retry && tryAgain());
setInterval(() => {
  if (!retry && navigator.onLine) known = Date.now();
}, 5000);

// ---------------------------------------------------------------- the page in the service worker

const FILE = /^\/(?:static|languages)\/|^\/map\.css$/;

/** Let the service worker keep this game, with the files that it needs. */
async function keepGame({ withFiles = false } = {}) {
  const { active } = await navigator.serviceWorker.ready;
  const files = performance.getEntriesByType('resource').map(({ name }) => new URL(name))
    .filter(({ origin, pathname }) => origin === location.origin && FILE.test(pathname)).map(({ pathname, search }) => pathname + search);
  const seat = new URLSearchParams(location.search).get('seat');
  const { port1, port2 } = new MessageChannel();
  const done = new Promise((resolve) => {
    port1.onmessage = resolve;
  });
  active.postMessage({ keep: game.view.id, query: seat ? `?${new URLSearchParams({ seat })}` : '', files: withFiles ? files : undefined }, [port2]);
  await done;
  document.body.dataset.kept = game.view.phase_number;
}

let keptPhase = game.view.phase_number;
let keptOrders = JSON.stringify(game.view.order_sets);
let quiet = 0;

/** Keep the page of a new phase at once, and the view after a change of orders once nothing more changes. */
function keepChange() {
  if (retry) return;
  const { phase_number: phase, order_sets: orderSets } = game.view;
  if (phase !== keptPhase) {
    keptPhase = phase;
    keptOrders = JSON.stringify(orderSets);
    // spectators, who may be many, do not all ask in the same moment
    setTimeout(() => keepGame().catch(() => null), ownPowers().length ? 0 : Math.random() * SPREAD);
    return;
  }
  const orders = JSON.stringify(orderSets);
  if (orders === keptOrders) return;
  keptOrders = orders;
  clearTimeout(quiet);
  // the answer passes through the service worker, which keeps it beside the page
  quiet = setTimeout(() => fetchView().catch(() => null), QUIET);
}

if (window.isSecureContext && 'serviceWorker' in navigator) {
  navigator.serviceWorker.register('/worker.js').then(() => !keptAt && keepGame({ withFiles: true })).catch(() => null);
  onChange(keepChange);
}

if (keptAt || !navigator.onLine) markOffline();
if (keptAt || kept.length) tryAgain();
