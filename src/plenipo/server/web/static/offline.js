/* A game without a connection: the last known state is marked as such, and changes of orders and messages are kept.
   Loaded with the page of a game with other players, since nothing can be loaded when the connection is gone.

   A change of orders that fails while the page is open is sent as soon as the server answers again. One that the page
   had kept from before, or that was made on a kept page, is a draft: it is sent only when the player says so. So is a
   message. */
import * as act from './act.js';
import { requestJson, withQuery } from './api.js';
import { h, icon } from './dom.js';
import { formatDate, n, t } from './i18n.js';
import { fetchPanels, loadPress, press } from './panels.js';
import { apiPath, CLIENT, fetchView, game, onChange, ownPowers, viewpoint } from './state.js';
import { loadVotes } from './votes.js';
import { formatOrder } from './words.js';

/** The interval at which a page without a connection tries to reach the server, in milliseconds. */
const RETRY_INTERVAL = 10_000;
/** The time without a change after which the service worker keeps the game anew, in milliseconds. */
const QUIET = 4000;
/** The time over which spectators fetch the page of a new phase, in milliseconds. */
const SPREAD = 10_000;

const ORDERS = `plenipo.unsent.${game.view.id}`;
const MESSAGES = `plenipo.unsent.${game.view.id} messages`;

/** The instant of a page that the service worker kept, in milliseconds; NaN for one from the server. */
const keptAt = Number(document.documentElement.dataset.known ?? NaN);

let bar = null;
let known = keptAt || Date.now();
let retry = 0;

function readKept(place) {
  try {
    const found = JSON.parse(localStorage.getItem(place)) ?? [];
    return Array.isArray(found) ? found : [];
  } catch {
    return [];
  }
}

function storeKept(place, list) {
  try {
    if (list.length) localStorage.setItem(place, JSON.stringify(list));
    else localStorage.removeItem(place);
  } catch {
    // without storage they last as long as the page
  }
}

let kept = readKept(ORDERS);
/** The messages that could not be sent, as {thread, title}; their texts are drafts of the press panel. */
let messages = readKept(MESSAGES);
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

const describeMessages = () => n('{count} message is not sent: {recipients}.', '{count} messages are not sent: {recipients}.', messages.length, { recipients: messages.map(({ title }) => title).join('; ') });

/** Show the bar above the game: without a connection, or with a question about what is kept. */
function draw() {
  bar ??= h('div', { class: 'offline-bar', role: 'status' });
  bar.replaceChildren(icon(retry ? 'out' : 'send'), h('p', {},
    retry ? t('Offline. Last known state, from {time}.', { time: formatKnown() }) : null,
    kept.length ? [' ', describeKept()] : null, messages.length ? [' ', describeMessages()] : null),
  !retry && messages.length ? h('button', { type: 'button', class: 'btn tight', onclick: openMessage }, t('Open message')) : '',
  ...(retry || !kept.length ? [] : [
    h('button', { type: 'button', class: 'btn tight', onclick: sendNow }, t('Send')),
    h('button', { type: 'button', class: 'btn tight', onclick: discard }, t('Discard'))]));
  if (!bar.isConnected) document.getElementById('game').before(bar);
}

/** Remove the bar if it has nothing to say. */
function finish() {
  if (kept.length || messages.length) return draw();
  asks = false;
  return bar?.remove();
}

function markOffline() {
  retry ||= setInterval(tryAgain, RETRY_INTERVAL);
  draw();
}

/** Take out the changes of a phase that is over, and return them in words. */
function dropLate(now) {
  const late = kept.filter((change) => change.phase_number !== now).flatMap(wordsOf);
  kept = kept.filter((change) => change.phase_number === now);
  storeKept(ORDERS, kept);
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
    storeKept(ORDERS, kept);
  }
  return refused;
}

function tellResult(late, sent) {
  if (late.length) act.showError({ message: t('You are online again. Not sent, because the phase was over or the order is not allowed: {orders}.', { orders: late.join(', ') }) });
  else if (sent) act.showError({ message: t('You are online again. Everything is sent.') });
  else act.showError({ message: t('You are online again.') });
}

let trying = false;

async function tryAgain() {
  if (trying) return;
  trying = true;
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
    finish();
    if (wasOffline && keptAt) {
      dispatchEvent(new Event('online')); // the events of the server begin
      keepGame({ withFiles: true }).catch(() => null);
    }
    if (!kept.length || late.length) tellResult(late, sends && !messages.length);
  } catch (error) {
    if (error.code === 'offline') markOffline();
    else if (keptAt && [401, 403, 404].includes(error.status)) location.reload(); // the server says what has changed
    else act.showError(error);
  } finally {
    trying = false;
  }
}

/** Send the kept changes, because the player says so. */
function sendNow() {
  asks = false;
  return tryAgain();
}

function discard() {
  kept = [];
  storeKept(ORDERS, kept);
  finish();
  document.getElementById('phase').focus();
}

const openMessage = () => loadPanel().then(({ showThread }) => showThread(messages[0].thread)).catch(act.showError);

/** Keep a change of orders that could not be sent. */
game.keepUnsent = (body) => {
  kept = [...kept, body];
  storeKept(ORDERS, kept);
  markOffline();
};

/** Note a message that could not be sent; it is offered when the connection returns. */
game.keepUnsentMessage = (message) => {
  messages = [...messages.filter(({ title }) => title !== message.title), message];
  storeKept(MESSAGES, messages);
  loadPanel();
  markOffline();
};

let panel = null;
const loadPanel = async () => (panel ??= await import('./panel-press.js'));

/** Forget the messages that have been sent or emptied since. */
function forgetSent() {
  if (!messages.length || !panel) return;
  const left = messages.filter(({ thread }) => panel.hasDraft(thread));
  if (left.length === messages.length) return;
  messages = left;
  storeKept(MESSAGES, messages);
  if (!retry) finish();
}

onChange(forgetSent);
addEventListener('offline', markOffline);
addEventListener('online', () => retry && tryAgain());
setInterval(() => {
  if (!retry && navigator.onLine) known = Date.now();
}, 5000);

// ---------------------------------------------------------------- the page in the service worker

const FILE = /^\/(?:static|languages)\/|^\/map\.css$/;

/** List the addresses on this server that this page has fetched, of those whose path matches. */
const listFetched = (pattern) => performance.getEntriesByType('resource').map(({ name }) => new URL(name))
  .filter(({ origin, pathname }) => origin === location.origin && pattern.test(pathname)).map(({ pathname, search }) => pathname + search);

/** Let the service worker keep this game; the first time with the files and answers that the page has received. */
async function keepGame({ withFiles = false } = {}) {
  const { active } = await navigator.serviceWorker.ready;
  if (withFiles) await Promise.all([fetchPanels(), import('./attention.js'), press()?.hasPress() ? import('./notes.js') : null]);
  const page = withQuery(`/games/${game.view.id}`, { seat: new URLSearchParams(location.search).get('seat') });
  const received = withFiles ? { files: listFetched(FILE), answers: listFetched(/^\/api\/games\//) } : {};
  const { port1, port2 } = new MessageChannel();
  const done = new Promise((resolve) => {
    port1.onmessage = resolve;
  });
  active.postMessage({ page, view: withQuery(apiPath(), { seat: viewpoint() }), ...received }, [port2]);
  await done;
  document.body.dataset.kept = game.view.phase_number;
}

let keptPhase = game.view.phase_number;
let keptOrders = JSON.stringify(game.view.order_sets);
let quiet = 0;

/** Keep the page of a new phase at once, and the view after a change of orders once nothing more changes. */
function keepChange() {
  if (retry) return;
  const { phase, phase_number: number, order_sets: orderSets } = game.view;
  if (number !== keptPhase) {
    keptPhase = number;
    keptOrders = JSON.stringify(orderSets);
    // spectators, who may be many, do not all ask in the same moment
    setTimeout(() => keepGame().catch(() => null), ownPowers().length ? 0 : Math.random() * SPREAD);
    return;
  }
  const orders = JSON.stringify(orderSets);
  if (orders === keptOrders) return;
  keptOrders = orders;
  clearTimeout(quiet);
  // the view passes through the service worker, which keeps it beside the page; builds are drawn on the map in the page
  const keep = ['movement', 'retreats'].includes(phase.kind) ? fetchView : keepGame;
  quiet = setTimeout(() => keep().catch(() => null), QUIET);
}

if (window.isSecureContext && 'serviceWorker' in navigator) {
  navigator.serviceWorker.register('/worker.js').then(() => !keptAt && keepGame({ withFiles: true })).catch(() => null);
  onChange(keepChange);
}

// without the events of the server nothing else asks for the messages and votes that are kept
if (keptAt) Promise.all([loadPress(), loadVotes()]).catch(() => null);
if (messages.length) await loadPanel().then(forgetSent).catch(() => null);
if (keptAt || !navigator.onLine) markOffline();
if (keptAt || kept.length) tryAgain();
else if (messages.length && !retry) draw();
