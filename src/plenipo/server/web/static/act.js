/* The actions of a player: give orders, undo, mark ready, process, look at past turns, try other orders. */
import { ask, path, Refused } from './api.js';
import { say } from './dom.js';
import { t } from './i18n.js';
import {
  api, changed, CLIENT, drawing, eyes, fetchView, game, live, loadOptions, MASTER, mine, nameOf, orderFor, powerOf, seatName, orderSet, take, toDraw,
  turn,
} from './state.js';
import { printed } from './words.js';

let hidden = 0;

/** Show an error until the next action, for at most twelve seconds. */
export function complain(error) {
  const toast = document.getElementById('toast');
  toast.textContent = error instanceof Refused ? error.message : String(error.message ?? error);
  toast.hidden = false;
  clearTimeout(hidden);
  hidden = setTimeout(quiet, 12000);
}

export function quiet() {
  const toast = document.getElementById('toast');
  if (toast) toast.hidden = true;
}

let last = Promise.resolve();
let waiting = 0;
const pending = new Set();

async function done(work, once) {
  try {
    return await work();
  } catch (error) {
    complain(error);
    if (error.code === 'stale') await refresh().catch(complain);
    return undefined;
  } finally {
    pending.delete(once);
    waiting -= 1;
    game.busy = waiting > 0;
    if (!game.busy) delete document.body.dataset.busy;
    changed();
  }
}

/** Send a request after the current one is done. Every refusal is shown, and a stale page is updated. While a task with
    the key `once` waits, another one with that key is not started. */
export function doing(work, once = '') {
  if (once && pending.has(once)) return Promise.resolve(undefined);
  if (once) pending.add(once);
  game.busy = true;
  waiting += 1;
  document.body.dataset.busy = 'yes';
  quiet();
  last = last.then(() => done(work, once));
  return last;
}

/** Fetch the view and the options again. */
export async function refresh() {
  await take(await fetchView());
  await loadOptions();
  changed();
}

const snapshot = () => ({ power: game.seat, orders: orderSet().orders.map((order) => order.text), promises: [...orderSet().promises] });

function settle(answer) {
  game.view.order_sets = { ...game.view.order_sets, [answer.order_set.power ?? game.seat]: answer.order_set };
  const power = powerOf(game.seat);
  if (power && ['waiting', 'given', 'ready'].includes(power.status)) {
    power.status = answer.order_set.ready ? 'ready' : answer.order_set.orders.length ? 'given' : 'waiting';
  }
}

async function send(body) {
  const answer = await ask(api('/orders'), {
    method: 'POST',
    body: { phase_number: game.view.phase_number, seat: game.seat, client: CLIENT, ...body },
  });
  settle(answer);
  if (answer.processed) await refresh();
  return answer;
}

function tell(answer, given) {
  const units = game.walk.starts.filter((start) => start.type === 'unit');
  const done = units.filter(orderFor).length;
  const counted = units.length ? t('{done} of {all} ordered.', { done, all: units.length }) : '';
  say([`${given.map(printed).join(', ')}.`, counted, ...(answer.messages ?? []).map((message) => message.text)].filter(Boolean).join(' '));
}

/** Select the next unit after `start` that has no order yet. */
export function selectNext(start) {
  const units = game.walk.starts.filter((one) => one.type === 'unit' && one.node.then?.some((kind) => kind.then));
  const at = units.findIndex((one) => one.key === start?.key);
  const rest = [...units.slice(at + 1), ...units.slice(0, Math.max(at, 0))].filter((one) => !orderFor(one));
  const moved = start && orderFor(start)?.text;
  const carrier = moved && rest.find((one) => game.walk.helping([moved.replace(/ VIA.*$/, '')], one).some(({ order }) => order.includes(' C ')));
  const next = carrier ?? rest[0];
  clearTyping();
  if (next) game.walk.begin(next);
  else game.walk.leave();
  if (carrier) game.walk.take('convoy');
}

export function clearTyping() {
  game.onto = null;
  game.typed = '';
  game.lead = '';
}

/** Give orders for the power in the seat, in any spelling; `clear` lists orders that they replace. */
export const give = (orders, { onward = true, clear: others = [] } = {}) => doing(async () => {
  const before = snapshot();
  const { start } = game.walk;
  const answer = await send({ give: orders, clear: others });
  game.undo.push(before);
  tell(answer, orders);
  // keep a unit that was selected while the request was under way
  if (game.walk.start && game.walk.start.key !== start?.key) return answer;
  if (onward && start?.type === 'unit') selectNext(start);
  else game.walk.leave();
  clearTyping();
  return answer;
});

/** Clear orders: each by its unit or its text, or all with `*`. */
export const clear = (keys) => doing(async () => {
  const before = snapshot();
  await send({ clear: keys });
  game.undo.push(before);
  say(keys.includes('*') ? t('All orders cleared.') : t('{orders} cleared.', { orders: printed(keys.join(', ')) }));
});

/** Give one of several orders that exclude each other, or none. The order to replace is looked up when the request is
    sent, so that of two quick choices the second one counts. */
export const giveOneOf = (among, order) => doing(async () => {
  const standing = orderSet().orders.map(({ text }) => text).filter((text) => among.includes(text));
  if (!order && !standing.length) return;
  const before = snapshot();
  const answer = await send(order ? { give: [order], clear: standing } : { clear: standing });
  game.undo.push(before);
  if (order) tell(answer, [order]);
  else say(t('{orders} cleared.', { orders: printed(standing.join(', ')) }));
  game.walk.leave();
  clearTyping();
});

/** Enter the result of a draw as the game master. */
export const enter = (label, result) => doing(async () => {
  const before = snapshot();
  await send({ give: [`DRAW ${label}: ${result}`] });
  game.undo.push(before);
  const { due } = drawing() ?? {};
  say(`${label}: ${result}. ${due ? t('Next: {draw}.', { draw: due.label }) : t('All draws are entered.')}`);
});

/** Replace the promises of the power in the seat. */
export const promise = (promises) => doing(async () => {
  const before = snapshot();
  await send({ promises });
  game.undo.push(before);
});

/** Undo the last change of orders. */
export const undo = () => doing(async () => {
  const last = game.undo.pop();
  if (!last) return say(t('Nothing to undo.'));
  if (last.power !== game.seat) await sit(last.power);
  const { phase_number } = game.view;
  const body = { phase_number, seat: last.power, orders: last.orders, client: CLIENT };
  if (game.view.asks?.promises) body.promises = last.promises;
  settle(await ask(api('/orders'), { method: 'PUT', body }));
  game.walk.leave();
  clearTyping();
  return say(t('Last change undone.'));
});

export const ready = (value) => doing(async () => {
  const answer = await ask(api('/ready'), { method: 'POST', body: { phase_number: game.view.phase_number, seat: game.seat, ready: value, client: CLIENT } });
  settle(answer);
  say(value ? t('{power} is ready.', { power: seatName(game.seat) }) : t('{power} is not ready.', { power: seatName(game.seat) }));
  if (answer.processed) await arrived(await fetchView());
});

async function sit(power) {
  game.seat = power;
  game.walk.leave();
  clearTyping();
  game.drafts.line = '';
  // the game master's draws may depend on the choices of the players
  if (eyes() === power || power === MASTER) game.view = await fetchView();
  await loadOptions();
}

/** Select the unit of an order, and first the seat of its power. */
export const review = (power, order) => doing(async () => {
  if (power !== game.seat) await sit(power);
  clearTyping();
  const start = game.walk.starts.find((one) => one.type === 'unit' && order.startsWith(`${one.label} `));
  if (start) game.walk.begin(start);
});

/** Change to another seat of this screen. */
export const seat = (power, { curtain = false } = {}) => doing(async () => {
  if (power !== game.seat) await sit(power);
  game.curtain = curtain;
  game.moment = null;
  game.tab = 'orders';
  say(power === MASTER ? t('You are the game master.') : t('You play {power}.', { power: seatName(power) }));
});

/** Return the powers of this screen without orders, beginning with the one after the present seat. */
export function others() {
  const all = mine();
  const at = all.findIndex((power) => power.name === game.seat);
  return [...all.slice(at + 1), ...all.slice(0, Math.max(at, 0))].filter((power) => power.status === 'waiting');
}

async function arrived(view, result) {
  const processed = result ?? view.last;
  if (processed) game.turns.set(processed.turn, processed);
  await take(view);
  const before = game.seat;
  const open = mine().filter((power) => ['waiting', 'given'].includes(power.status));
  if (open.length && !open.some((power) => power.name === before)) game.seat = open[0].name;
  else if (!open.length && toDraw()) game.seat = MASTER;
  await loadOptions();
  if (processed) {
    game.moment = { turn: processed.turn, part: 'orders', fresh: true };
    game.tab = 'results';
    game.filter = 'all';
    game.open = firstFailure(processed, before);
    say([t('Results of {phase} are in.', { phase: processed.phase.text }), ...processed.summary.map((line) => line.text)].join(' '));
  }
}

/** Return the key of the first failed order of the power in the seat, else of another power of this screen; null if
    none failed. */
function firstFailure(processed, seated) {
  const own = [seated, ...mine().map((power) => power.name)];
  const wrong = processed.outcomes.filter((outcome) => outcome.unit && (!outcome.succeeded || outcome.dislodged_by));
  const first = own.map((name) => wrong.find((outcome) => outcome.power === name)).find(Boolean);
  return first ? `${processed.turn} ${first.unit.text}` : null;
}

/** Process the phase. */
export const process = () => doing(async () => {
  const answer = await ask(api('/process'), { method: 'POST', body: { phase_number: game.view.phase_number } });
  await arrived(answer.view, answer.result);
}, 'process');

/** Undo the last turn. */
export const takeBack = () => doing(async () => {
  const { view } = await ask(api('/undo'), { method: 'POST', body: { phase_number: game.view.phase_number } });
  game.turns.delete(view.turn);
  game.why.clear();
  await take(view);
  await loadOptions();
  game.moment = null;
  game.tab = 'orders';
  say(t('{phase} is open again.', { phase: view.phase.text }));
}, 'process');

export const draw = () => doing(async () => {
  const { view } = await ask(api('/draw'), { method: 'POST', body: { phase_number: game.view.phase_number } });
  await take(view);
  say(t('The game ended in a draw.'));
}, 'process');

/** Show a moment of a past turn; null shows the present. */
export const show = (moment) => doing(async () => {
  if (!moment) {
    game.moment = null;
    if (game.tab === 'results') game.tab = 'orders';
    await loadOptions();
    return;
  }
  await turn(moment.turn);
  game.moment = moment;
  if (!['board', 'results', 'powers', 'game'].includes(game.tab)) game.tab = 'results';
});

/** Fetch the smallest changes of orders that would have altered the outcome of a unit, once for each unit and turn. */
export async function why(n, unit) {
  const key = `${n} ${unit.text}`;
  if (!game.why.has(key)) {
    game.why.set(key, null);
    const space = unit.space;
    try {
      game.why.set(key, await ask(path(api(`/turns/${n}/why`), { unit: space, seat: eyes() })));
    } catch (error) {
      game.why.set(key, { sentence: null, changes: [] });
    }
    changed();
  }
}

/** Copy the game up to a turn and open the copy with the orders of that turn. `change` is an order to give in place of
    a power's own, as {power, order}. */
export const fork = (n, change = null) => doing(async () => {
  const given = game.turns.get(n)?.orders ?? (n < game.view.turn ? (await turn(n)).orders : {});
  const made = await ask(api('/fork'), { method: 'POST', body: { turn: n } });
  const there = `/api/games/${encodeURIComponent(made.id)}`;
  const { phase_number, viewer } = await ask(there);
  for (const [power, orders] of Object.entries(given)) {
    if (!orders.length || !viewer.seats.includes(power)) continue;
    // an order that was refused in the game is refused here as well; the others are accepted
    await ask(`${there}/orders`, { method: 'POST', body: { phase_number, seat: power, give: orders } }).catch(() => null);
  }
  if (change) await ask(`${there}/orders`, { method: 'POST', body: { phase_number, seat: change.power, give: [change.order] } });
  location.href = made.url ?? `/games/${made.id}`;
}, 'fork');

export const throwAway = () => doing(async () => {
  const from = game.view.fork_of;
  await ask(api(), { method: 'DELETE' });
  location.href = `/games/${encodeURIComponent(from.id)}`;
});

/** Give a completed order, or clear it if it was given already; without an order only redraw the page. */
export function finish(order) {
  clearTyping();
  if (order === undefined || order === null) return changed();
  if (orderSet().orders.some((one) => one.text === order) && game.walk.start?.type !== 'unit') return clear([order]);
  return give([order]);
}

/** Start an order at a unit or place of the option tree, given as a start of the walk. */
export function begin(start) {
  clearTyping();
  if (!start) {
    game.walk.leave();
    return changed();
  }
  const order = game.walk.begin(start);
  if (!order) return changed();
  const given = orderSet().orders.some((one) => one.text === order);
  return given ? clear([order]) : give([order], { onward: false });
}

/** Handle a click or drop on the map. */
export function tap({ space, coast, drop }) {
  if (!live() || !game.seat) return look(space);
  const { walk } = game;
  quiet();
  if (!space) return begin(null);
  const own = walk.startAt(space);
  const { onto } = game;
  if (!drop && onto?.space === space && walk.start === own) {
    return give([onto.order], { onward: false }).then((answer) => answer && begin(walk.startOf(own.key)));
  }
  if (!drop && walk.travels && own?.type === 'unit' && own !== walk.start) {
    const [move, ...more] = walk.nextAt(space);
    const { label: who } = walk.start;
    begin(own);
    if (move?.order && !more.length) game.onto = { space, order: move.order, who };
    return changed();
  }
  if (walk.start) {
    const exact = coast ? walk.nextAt(space).find((node) => node.coast === coast) : null;
    const order = exact ? walk.choose(exact) : walk.chooseAt(space);
    if (order !== undefined) return finish(order);
    const hold = walk.of?.at === space && walk.next.find((node) => node.label === 'hold');
    if (hold) return finish(walk.choose(hold));
  }
  if (drop) return changed();
  if (own) game.tab = 'orders';
  return own && own === walk.start ? changed() : begin(own);
}

/** Open the result of the unit in a space, in the turn on the map. */
function look(space) {
  const processed = game.moment && game.turns.get(game.moment.turn);
  const found = processed?.outcomes.find((outcome) => outcome.unit?.space === space);
  if (!found) return undefined;
  game.tab = 'results';
  game.filter = 'all';
  game.open = `${processed.turn} ${found.unit.text}`;
  say(`${nameOf(space)}: ${found.why.text}`);
  return changed();
}

/** Select the unit in a space for dragging; returns whether there is one that can be ordered. */
export function pull(space) {
  if (!live() || !space) return false;
  const { walk } = game;
  const start = walk.startAt(space);
  if (!start || start.type !== 'unit') return false;
  if (walk.start !== start) walk.begin(start);
  changed();
  return Boolean(walk.kind);
}
