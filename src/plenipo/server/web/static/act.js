/* The actions of a player: give orders, undo, mark ready, process, look at past turns, try other orders. */
import { requestJson, serverTime, withQuery, Refused } from './api.js';
import { announce } from './dom.js';
import { translateSentence, t } from './i18n.js';
import {
  apiPath, applyView, CLIENT, drawProgress, emitChange, fetchView, game, GAME_MASTER, loadOptions, loadTurn, mustDraw,
  nameOf, orderFor, orderSet, ownPowers, powerOf, seatName, seats, showsPresent, viewpoint,
} from './state.js';
import { describeEnd, formatOrder } from './words.js';

let hideTimer = 0;

/** Show an error until the next action, for at most twelve seconds. */
export function showError(error) {
  const toast = document.getElementById('toast');
  toast.textContent = error instanceof Refused ? error.message : String(error.message ?? error);
  toast.hidden = false;
  clearTimeout(hideTimer);
  hideTimer = setTimeout(hideError, 12000);
}

export function hideError() {
  const toast = document.getElementById('toast');
  if (toast) toast.hidden = true;
}

let queue = Promise.resolve();
let waiting = 0;
const pending = new Set();

async function runTask(work, once) {
  try {
    return await work();
  } catch (error) {
    showError(error);
    if (error.code === 'stale') await refresh().catch(showError);
    return undefined;
  } finally {
    pending.delete(once);
    waiting -= 1;
    game.busy = waiting > 0;
    if (!game.busy) delete document.body.dataset.busy;
    emitChange();
  }
}

/** Send a request after the current one is done. Every refusal is shown, and a stale page is updated. While a task with
    the key `once` waits, another one with that key is not started. */
export function enqueue(work, once = '') {
  if (once && pending.has(once)) return Promise.resolve(undefined);
  if (once) pending.add(once);
  game.busy = true;
  waiting += 1;
  document.body.dataset.busy = 'yes';
  hideError();
  queue = queue.then(() => runTask(work, once));
  return queue;
}

/** Leave a seat that is no longer yours, and go to the sentence that says what happened to it. */
function leaveLostSeat() {
  const { viewer } = game.view;
  if (!game.seat || viewer.seats.includes(game.seat)) return;
  game.seat = seats()[0] ?? null;
  game.walk.reset();
  clearTyping();
  if (game.seat || !viewer.former) return;
  game.moment = null;
  game.tab = 'orders';
  announce(translateSentence(viewer.former.sentence));
}

/** Fetch the view and the options again. */
export async function refresh() {
  await applyView(await fetchView());
  leaveLostSeat();
  await loadOptions();
  emitChange();
}

const snapshot = () => ({ power: game.seat, orders: orderSet().orders.map((order) => order.text), promises: [...orderSet().promises] });

function applyOrderSet(answer) {
  game.saved.set(answer.order_set.power ?? game.seat, serverTime());
  game.view.order_sets = { ...game.view.order_sets, [answer.order_set.power ?? game.seat]: answer.order_set };
  const power = powerOf(game.seat);
  if (power && ['waiting', 'given', 'ready'].includes(power.status)) {
    power.status = answer.order_set.ready ? 'ready' : answer.order_set.orders.length ? 'given' : 'waiting';
  }
}

async function postOrders(body) {
  const { phase_number } = game.view;
  const { seat } = game;
  const answer = await requestJson(apiPath('/orders'), { method: 'POST', body: { phase_number, seat, client: CLIENT, ...body } }).catch((error) => {
    if (error.code === 'offline') game.keepUnsent?.({ phase_number, seat, ...body });
    throw error;
  });
  applyOrderSet(answer);
  if (answer.processed) await refresh();
  return answer;
}

function announceOrders(answer, given) {
  const units = game.walk.starts.filter((start) => start.type === 'unit');
  const done = units.filter(orderFor).length;
  const counted = units.length ? t('{done} of {all} ordered.', { done, all: units.length }) : '';
  announce([`${given.map(formatOrder).join(', ')}.`, counted, ...(answer.messages ?? []).map((message) => message.text)].filter(Boolean).join(' '));
}

/** Select the next unit after `start` that has no order yet. */
export function selectNext(start) {
  const units = game.walk.starts.filter((one) => one.type === 'unit' && one.node.then?.some((kind) => kind.then));
  const at = units.findIndex((one) => one.key === start?.key);
  const rest = [...units.slice(at + 1), ...units.slice(0, Math.max(at, 0))].filter((one) => !orderFor(one));
  const moved = start && orderFor(start)?.text;
  const carrier = moved && rest.find((one) => game.walk.helpingOrders([moved.replace(/ VIA.*$/, '')], one).some(({ order }) => order.includes(' C ')));
  const next = carrier ?? rest[0];
  clearTyping();
  if (next) game.walk.select(next);
  else game.walk.reset();
  if (carrier) game.walk.chooseKind('convoy');
}

export function clearTyping() {
  game.repeatMove = null;
  game.typed = '';
  game.lead = '';
}

/** Give orders for the power in the seat, in any spelling; `clear` lists orders that they replace. */
export const giveOrders = (orders, { onward = true, clear: others = [] } = {}) => (game.pick ? game.pick.take(orders[0]) : enqueue(async () => {
  const before = snapshot();
  const { start } = game.walk;
  const answer = await postOrders({ give: orders, clear: others });
  game.undo.push(before);
  announceOrders(answer, orders);
  // keep a unit that was selected while the request was under way
  if (game.walk.start && game.walk.start.key !== start?.key) return answer;
  if (onward && start?.type === 'unit') selectNext(start);
  else game.walk.reset();
  clearTyping();
  return answer;
}));

/** Clear orders: each by its unit or its text, or all with `*`. */
export const clearOrders = (keys) => enqueue(async () => {
  const before = snapshot();
  await postOrders({ clear: keys });
  game.undo.push(before);
  announce(keys.includes('*') ? t('All orders cleared.') : t('{orders} cleared.', { orders: formatOrder(keys.join(', ')) }));
});

/** Give one of several orders that exclude each other, or none. The order to replace is looked up when the request is
    sent, so that of two quick choices the second one counts. */
export const giveOneOf = (among, order) => enqueue(async () => {
  const standing = orderSet().orders.map(({ text }) => text).filter((text) => among.includes(text));
  if (!order && !standing.length) return;
  const before = snapshot();
  const answer = await postOrders(order ? { give: [order], clear: standing } : { clear: standing });
  game.undo.push(before);
  if (order) announceOrders(answer, [order]);
  else announce(t('{orders} cleared.', { orders: formatOrder(standing.join(', ')) }));
  game.walk.reset();
  clearTyping();
});

/** Enter the result of a draw as the game master. */
export const enterDraw = (label, result) => enqueue(async () => {
  const before = snapshot();
  await postOrders({ give: [`DRAW ${label}: ${result}`] });
  game.undo.push(before);
  const { due } = drawProgress() ?? {};
  announce(`${label}: ${result}. ${due ? t('Next: {draw}.', { draw: due.label }) : t('All draws are entered.')}`);
});

/** Replace the promises of the power in the seat. */
export const setPromises = (promises) => enqueue(async () => {
  const before = snapshot();
  await postOrders({ promises });
  game.undo.push(before);
});

/** Undo the last change of orders. */
export const undo = () => enqueue(async () => {
  const last = game.undo.pop();
  if (!last) return announce(t('Nothing to undo.'));
  if (last.power !== game.seat) await changeSeat(last.power);
  await putOrders(last);
  return announce(t('Last change undone.'));
});

/** Replace the orders and promises of the seat. */
async function putOrders({ orders, promises }) {
  const body = { phase_number: game.view.phase_number, seat: game.seat, orders, client: CLIENT };
  if (game.view.asks?.promises) body.promises = promises;
  applyOrderSet(await requestJson(apiPath('/orders'), { method: 'PUT', body }));
  game.walk.reset();
  clearTyping();
}

/** Give these orders in place of all others. */
export const replaceOrders = (orders) => enqueue(async () => {
  const before = snapshot();
  await putOrders({ ...before, orders });
  game.undo.push(before);
});

export const setReady = (value) => enqueue(async () => {
  const answer = await requestJson(apiPath('/ready'), { method: 'POST', body: { phase_number: game.view.phase_number, seat: game.seat, ready: value, client: CLIENT } });
  applyOrderSet(answer);
  announce(value ? t('{power} is ready.', { power: seatName(game.seat) }) : t('{power} is not ready.', { power: seatName(game.seat) }));
  if (answer.processed) await showResults(await fetchView());
});

async function changeSeat(power) {
  game.seat = power;
  game.walk.reset();
  clearTyping();
  game.drafts.line = '';
  // the game master's draws may depend on the choices of the players
  if (viewpoint() === power || power === GAME_MASTER) game.view = await fetchView();
  await loadOptions();
}

/** Select the unit of an order, and first the seat of its power. */
export const selectUnitOf = (power, order) => enqueue(async () => {
  if (power !== game.seat) await changeSeat(power);
  clearTyping();
  const start = game.walk.starts.find((one) => one.type === 'unit' && order.startsWith(`${one.label} `));
  if (start) game.walk.select(start);
});

/** Change to another seat of this screen. */
export const selectSeat = (power, { curtain = false } = {}) => enqueue(async () => {
  if (power !== game.seat) await changeSeat(power);
  game.curtain = curtain;
  game.moment = null;
  game.tab = 'orders';
  announce(power === GAME_MASTER ? t('You are the game master.') : t('You play {power}.', { power: seatName(power) }));
});

/** Return the powers of this screen without orders, beginning with the one after the present seat. */
export function powersWithoutOrders() {
  const all = ownPowers();
  const at = all.findIndex((power) => power.name === game.seat);
  return [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))].filter((power) => power.status === 'waiting');
}

async function showResults(view, result) {
  const processed = result ?? view.last;
  if (processed) game.turns.set(processed.turn, processed);
  await applyView(view);
  const before = game.seat;
  const open = ownPowers().filter((power) => ['waiting', 'given'].includes(power.status));
  if (open.length && !open.some((power) => power.name === before)) game.seat = open[0].name;
  else if (!open.length && mustDraw()) game.seat = GAME_MASTER;
  await loadOptions();
  if (processed) {
    game.moment = { turn: processed.turn, part: 'orders', fresh: true };
    game.tab = 'results';
    game.filter = 'all';
    game.open = firstFailure(processed, before);
    announce([t('Results of {phase} are in.', { phase: processed.phase.text }), ...processed.summary.map((line) => line.text), view.over ? describeEnd(view) : ''].join(' '));
  }
}

/** Return the key of the first failed order of the power in the seat, else of another power of this screen; null if
    none failed. */
function firstFailure(processed, seated) {
  const own = [seated, ...ownPowers().map((power) => power.name)];
  const wrong = processed.outcomes.filter((outcome) => outcome.unit && (!outcome.succeeded || outcome.dislodged_by));
  const first = own.map((name) => wrong.find((outcome) => outcome.power === name)).find(Boolean);
  return first ? `${processed.turn} ${first.unit.text}` : null;
}

/** Process the phase. */
export const processPhase = () => enqueue(async () => {
  const answer = await requestJson(apiPath('/process'), { method: 'POST', body: { phase_number: game.view.phase_number } });
  await showResults(answer.view, answer.result);
}, 'process');

/** Undo the last turn. */
export const undoTurn = () => enqueue(async () => {
  const { view } = await requestJson(apiPath('/undo'), { method: 'POST', body: { phase_number: game.view.phase_number } });
  game.turns.delete(view.turn);
  game.why.clear();
  await applyView(view);
  await loadOptions();
  game.moment = null;
  game.tab = 'orders';
  announce(t('{phase} is open again.', { phase: view.phase.text }));
}, 'process');

export const endAsDraw = () => enqueue(async () => {
  const { view } = await requestJson(apiPath('/draw'), { method: 'POST', body: { phase_number: game.view.phase_number } });
  await applyView(view);
  game.moment = null;
  game.tab = 'orders';
  announce(t('The game ended in a draw.'));
}, 'process');

/** Show a moment of a past turn; null shows the present. */
export const showMoment = (moment) => enqueue(async () => {
  if (!moment) {
    game.moment = null;
    if (game.tab === 'results') game.tab = 'orders';
    await loadOptions();
    return;
  }
  await loadTurn(moment.turn);
  game.moment = moment;
  if (!['board', 'results', 'powers', 'game'].includes(game.tab)) game.tab = 'results';
});

/** Fetch the smallest changes of orders that would have altered the outcome of a unit, once for each unit and turn. */
export async function loadChanges(n, unit) {
  const key = `${n} ${unit.text}`;
  if (!game.why.has(key)) {
    game.why.set(key, null);
    const space = unit.space;
    try {
      game.why.set(key, await requestJson(withQuery(apiPath(`/turns/${n}/why`), { unit: space, seat: viewpoint() })));
    } catch (error) {
      game.why.set(key, { sentence: null, changes: [] });
    }
    emitChange();
  }
}

/** Copy the game up to a turn and open the copy with the orders of that turn. `change` are orders to give in place of a
    power's own, as {power, orders}. */
export const fork = (n, change = null) => enqueue(async () => {
  const given = game.turns.get(n)?.orders ?? (n < game.view.turn ? (await loadTurn(n)).orders : {});
  const made = await requestJson(apiPath('/fork'), { method: 'POST', body: { turn: n } });
  const there = `/api/games/${encodeURIComponent(made.id)}`;
  const { phase_number, viewer } = await requestJson(there);
  for (const [power, orders] of Object.entries(given)) {
    if (!orders.length || !viewer.seats.includes(power)) continue;
    // an order that was refused in the game is refused here as well; the others are accepted
    await requestJson(`${there}/orders`, { method: 'POST', body: { phase_number, seat: power, give: orders } }).catch(() => null);
  }
  if (change) await requestJson(`${there}/orders`, { method: 'POST', body: { phase_number, seat: change.power, give: change.orders } });
  location.href = withQuery(made.url ?? `/games/${made.id}`, { seat: viewer.seats.includes(game.seat) ? game.seat : '' });
}, 'fork');

export const deleteFork = () => enqueue(async () => {
  const from = game.view.fork_of;
  await requestJson(apiPath(), { method: 'DELETE' });
  location.href = `/games/${encodeURIComponent(from.id)}`;
});

/** Give a completed order, or clear it if it was given already; without an order only redraw the page. */
export function finishOrder(order) {
  clearTyping();
  if (order === undefined || order === null) return emitChange();
  if (!game.pick && orderSet().orders.some((one) => one.text === order) && game.walk.start?.type !== 'unit') return clearOrders([order]);
  return giveOrders([order]);
}

/** Start an order at a unit or place of the option tree, given as a start of the walk. */
export function beginOrder(start) {
  clearTyping();
  if (!start) {
    game.walk.reset();
    return emitChange();
  }
  const order = game.walk.select(start);
  if (!order) return emitChange();
  const given = !game.pick && orderSet().orders.some((one) => one.text === order);
  return given ? clearOrders([order]) : giveOrders([order], { onward: false });
}

/** Handle a click or drop on the map. */
export function tap({ space, coast, drop }) {
  if (!showsPresent() || !game.seat) return openResult(space);
  if (game.pick?.tap) return game.pick.tap(space);
  const { walk } = game;
  hideError();
  if (!space) return beginOrder(null);
  const own = walk.startAt(space);
  const { repeatMove } = game;
  if (!drop && repeatMove?.space === space && walk.start === own) {
    return giveOrders([repeatMove.order], { onward: false }).then((answer) => answer && beginOrder(walk.startByKey(own.key)));
  }
  if (!drop && walk.choosesDestination && own?.type === 'unit' && own !== walk.start) {
    const [move, ...more] = walk.nextAt(space);
    const { label: who } = walk.start;
    beginOrder(own);
    if (move?.order && !more.length) game.repeatMove = { space, order: move.order, who };
    return emitChange();
  }
  if (walk.start) {
    const exact = coast ? walk.nextAt(space).find((node) => node.coast === coast) : null;
    const order = exact ? walk.choose(exact) : walk.chooseAt(space);
    if (order !== undefined) return finishOrder(order);
    const hold = walk.of?.at === space && walk.next.find((node) => node.label === 'hold');
    if (hold) return finishOrder(walk.choose(hold));
  }
  if (drop) return emitChange();
  if (own && !game.pick) game.tab = 'orders';
  return own && own === walk.start ? emitChange() : beginOrder(own);
}

/** Open the result of the unit in a space, in the turn on the map. */
function openResult(space) {
  const processed = game.moment && game.turns.get(game.moment.turn);
  const found = processed?.outcomes.find((outcome) => outcome.unit?.space === space);
  if (!found) return undefined;
  game.tab = 'results';
  game.filter = 'all';
  game.open = `${processed.turn} ${found.unit.text}`;
  announce(`${nameOf(space)}: ${found.why.text}`);
  return emitChange();
}

/** Select the unit in a space for dragging; returns whether there is one that can be ordered. */
export function startDrag(space) {
  if (!showsPresent() || !space || game.pick?.tap) return false;
  const { walk } = game;
  const start = walk.startAt(space);
  if (!start || start.type !== 'unit') return false;
  if (walk.start !== start) walk.select(start);
  emitChange();
  return Boolean(walk.kind);
}
