/* A game without a connection: the last known state is marked as such, and orders are kept and sent later. Loaded with
   the page of a game with other players, since nothing can be loaded when the connection is gone. */
import * as act from './act.js';
import { requestJson } from './api.js';
import { h, icon } from './dom.js';
import { formatDate, n, t } from './i18n.js';
import { apiPath, CLIENT, fetchView, game } from './state.js';
import { formatOrder } from './words.js';

/** How often a page without a connection tries to reach the server, in milliseconds. */
const RETRY_INTERVAL = 10_000;

const PLACE = `plenipo.unsent.${game.view.id}`;

let bar = null;
let known = Date.now();
let retry = 0;

function readKept() {
  try {
    const kept = JSON.parse(localStorage.getItem(PLACE)) ?? [];
    return Array.isArray(kept) ? kept : [];
  } catch {
    return [];
  }
}

function storeKept(kept) {
  try {
    if (kept.length) localStorage.setItem(PLACE, JSON.stringify(kept));
    else localStorage.removeItem(PLACE);
  } catch {
    // without storage they last as long as the page
  }
}

let kept = readKept();

const wordsOf = ({ give = [], clear = [], promises }) =>
  [...give.map(formatOrder), ...clear.map((order) => t('{orders} cleared', { orders: formatOrder(order) })), ...(promises ? [t('Promises')] : [])];

function draw() {
  bar ??= h('div', { class: 'offline-bar', role: 'status' });
  bar.replaceChildren(icon('out'), h('p', {},
    t('Offline. You see the game as it was at {time}.', { time: formatDate(known, 'time') }),
    kept.length ? [' ', n('{count} change is kept on this device and sent when you are back: {orders}.', '{count} changes are kept on this device and sent when you are back: {orders}.', kept.length, { orders: kept.flatMap(wordsOf).join(', ') })] : null));
  if (!bar.isConnected) document.getElementById('game').before(bar);
}

function markOffline() {
  draw();
  retry ||= setInterval(tryAgain, RETRY_INTERVAL);
}

/** Send the kept changes one after another; those of a phase that is over are named and dropped. */
async function sendKept(now) {
  const late = [];
  while (kept.length) {
    const [{ phase_number, seat, ...body }] = kept;
    if (phase_number !== now) late.push(...wordsOf(body));
    else {
      try {
        await requestJson(apiPath('/orders'), { method: 'POST', body: { phase_number, seat, client: CLIENT, ...body } });
      } catch (error) {
        if (error.code === 'offline') throw error;
        late.push(...wordsOf(body));
      }
    }
    kept = kept.slice(1);
    storeKept(kept);
  }
  return late;
}

async function tryAgain() {
  try {
    const { phase_number: now } = await fetchView();
    const late = await sendKept(now);
    await act.refresh();
    known = Date.now();
    clearInterval(retry);
    retry = 0;
    bar?.remove();
    act.showError({ message: late.length ? t('You are online again. Not sent, because the phase was over or the order is not allowed: {orders}.', { orders: late.join(', ') }) : t('You are online again. Everything is sent.') });
  } catch (error) {
    if (error.code === 'offline') draw();
    else act.showError(error);
  }
}

/** Keep a change of orders that could not be sent. */
game.keepUnsent = (body) => {
  kept = [...kept, body];
  storeKept(kept);
  markOffline();
};

addEventListener('offline', markOffline);
addEventListener('online', () => (retry || kept.length) && tryAgain());
setInterval(() => {
  if (!retry && navigator.onLine) known = Date.now();
}, 5000);
if (kept.length) tryAgain();
if (!navigator.onLine) markOffline();
