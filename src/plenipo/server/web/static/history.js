/* The history slider, the three moments of a turn, and the picture of each on the map. */
import * as act from './act.js';
import { requestJson, requestText, withQuery } from './api.js';
import { listMovements } from './board.js';
import { parseSvg, h, icon, refill } from './dom.js';
import { t, tx } from './i18n.js';
import { drawnPlan } from './panel-hints.js';
import { emitChange, viewpoint, game, GAME_MASTER, orderSet, orderSetOf, settings } from './state.js';
import { phaseKind, abbreviatePhase, phaseDate } from './words.js';

/** The distance of ticks below which they are lines and not dots, in pixels. */
const CROWDED = 13;
/** The room that the text below a tick takes with the gap beside it, in pixels. */
const widthOf = (text) => 7 * text.length + 9;

const theme = () => document.documentElement.dataset.theme;
const hasPatterns = () => ['safe', 'safe-dark', 'print'].includes(theme());

/** Return the address of the picture of a moment. */
function pictureAddress(moment) {
  const { view } = game;
  const common = { bare: 1, theme: hasPatterns() ? theme() : 'light', seat: viewpoint(), influence: settings.influence ? 1 : undefined };
  const base = (id) => `/games/${encodeURIComponent(id)}/picture.svg`;
  if (!moment) {
    // the game master has nothing to draw on the map, and does not see the orders of others
    const seat = game.seat === GAME_MASTER ? 'observer' : game.seat;
    return withQuery(base(view.id), { ...common, orders: drawsArrows() ? 0 : 1, seat: drawsArrows() ? viewpoint() : seat ?? viewpoint() });
  }
  const id = moment.original ? view.fork_of.id : view.id;
  if (moment.part === 'after') return withQuery(base(id), { ...common, turn: moment.turn + 1, results: 0, orders: 0 });
  return withQuery(base(id), { ...common, turn: moment.turn, results: moment.part === 'orders' ? 1 : 0, orders: 0 });
}

const pictures = new Map();

async function loadPicture(moment) {
  const from = pictureAddress(moment);
  const key = pictureKey(moment);
  if (!pictures.has(key)) {
    if (pictures.size > 24) pictures.delete(pictures.keys().next().value);
    pictures.set(key, requestText(from).catch((error) => {
      pictures.delete(key);
      throw error;
    }));
  }
  return pictures.get(key);
}

let shown = '';
let drawn = '';
let turnNow = 0;

const drawsArrows = () => ['movement', 'retreats'].includes(game.view.phase.kind);

/** Return a key that is the same only for the same picture of a moment. */
function pictureKey(moment) {
  const from = pictureAddress(moment);
  if (moment) return `${from} `;
  const drawn = drawsArrows() ? '' : `${game.seat} ${orderSet().version} ${orderSet().orders.map((one) => one.text)}`;
  return `${from} ${game.view.phase_number} ${drawn}`;
}

/** Mark the picture that came with the page as shown, unless the power in the seat may see less of it. */
export function adoptPicture() {
  const others = Object.entries(game.view.order_sets ?? {}).filter(([power]) => power !== game.seat);
  if (!game.moment && !settings.influence && (drawsArrows() || others.every(([, one]) => !one.orders.length))) shown = pictureKey(null);
}

/** Draw the orders over the current position. */
function drawArrows(board) {
  const names = game.everyone ? Object.keys(game.view.order_sets ?? {}) : [game.seat];
  const orderSets = game.curtain ? [] : names.filter(Boolean).map(orderSetOf);
  const plan = game.curtain ? null : game.proposal ?? drawnPlan();
  const key = JSON.stringify([shown, plan?.orders, orderSets.map((one) => [one.version, one.orders.map((order) => order.text)])]);
  if (key === drawn) return;
  drawn = key;
  board.setArrows(plan ? [plan.arrows] : orderSets.map((one) => one.arrows));
  board.svg?.classList.toggle('proposing', plan !== null && plan === game.proposal);
}

/** Show the selected moment on the map. */
export async function showPicture(board) {
  const { moment } = game;
  const turning = (turnNow += 1);
  try {
    const want = moment ? `${pictureKey(moment)} ${moment.part} ${moment.plan?.key ?? ''}` : pictureKey(null);
    if (want !== shown) {
      const text = await loadPicture(moment);
      if (turning !== turnNow) return;
      board.setPicture(text);
      shown = want;
      drawn = '';
      if (moment?.part === 'after') await drawTraces(board, moment, turning);
      if (moment?.plan) board.setArrows([moment.plan.arrows]);
    }
    if (!moment && drawsArrows()) drawArrows(board);
    if (moment?.fresh && turning === turnNow) {
      moment.fresh = false;
      await replayTurn(board, moment);
    }
  } catch (error) {
    act.showError(error);
  }
}

/** Draw the orders of the turn faintly under the position after it. */
async function drawTraces(board, moment, turning) {
  const text = await loadPicture({ ...moment, part: 'orders' });
  if (turning !== turnNow) return;
  const orders = parseSvg(text)?.querySelector('#m-layer-orders');
  if (!orders) return;
  orders.removeAttribute('id');
  board.layers.traces.replaceChildren(orders);
  board.scaleSigns();
}

/** Replay a turn once, then show the position after it. */
export async function replayTurn(board, moment) {
  const turn = game.turns.get(moment.turn);
  if (!turn || moment.original) return;
  if (moment.part !== 'orders') {
    game.moment = { ...moment, part: 'orders' };
    await showPicture(board);
  }
  const here = game.moment;
  await board.animate(listMovements(turn));
  if (game.moment === here && here?.part === 'orders' && !matchMedia('(prefers-reduced-motion:reduce)').matches) {
    game.moment = { turn: here.turn, part: 'after' };
    emitChange();
  }
}

const goToTurn = (n) => {
  const last = game.history.turns.length;
  if (n < 0 || n > last) return undefined;
  return n === last ? act.showMoment(null) : act.showMoment({ turn: n, part: 'orders' });
};

export const shownTurn = () => game.moment?.turn ?? game.history.turns.length;
export const earlierTurn = () => goToTurn(shownTurn() - 1);
export const laterTurn = () => goToTurn(shownTurn() + 1);

function momentButtons() {
  const { moment, view } = game;
  if (!moment) return null;
  const words = { before: t('Before'), orders: t('Orders'), after: t('After') };
  const original = view.fork_of && moment.turn >= view.fork_of.turn && game.originals?.has(moment.turn);
  return [
    h('div', { class: 'segments', role: 'group', 'aria-label': t('Moment of the turn') }, Object.entries(words).map(([key, word]) => h('button', {
      type: 'button', 'data-key': `part ${key}`, 'aria-pressed': String(moment.part === key && !moment.original),
      onclick: () => act.showMoment({ turn: moment.turn, part: key }),
    }, word))),
    original ? h('button', {
      type: 'button', class: 'btn tight', 'data-key': 'as-played', 'aria-pressed': String(Boolean(moment.original)),
      onclick: () => act.showMoment({ turn: moment.turn, part: 'orders', original: !moment.original }),
    }, icon('eye'), t('As played')) : null,
  ];
}

/** Fill the strip under the map. */
export function fillHistory(place, board) {
  const { turns, now } = game.history;
  place.hidden = turns.length === 0;
  if (place.hidden) return;
  const last = turns.length;
  const value = shownTurn();
  const phase = (n) => (n === last ? now.phase : turns[n].phase);
  const ticks = Array.from({ length: last + 1 }, (_, n) => {
    const major = phase(n).kind === 'movement';
    const tick = h('span', { class: `tick${n === value ? ' here' : ''}${n === last ? ' open' : ''}${major ? '' : ' minor'}` });
    tick.style.left = `${(n / last) * 100}%`;
    return tick;
  });
  const words = (n) => (n === last ? t('Now: {phase}', { phase: phase(n).text }) : phase(n).text);
  const step = (key, sign, label, disabled, onclick) => h('button', { type: 'button', class: 'round', 'data-key': key, 'aria-label': label, title: label, disabled, onclick }, icon(sign));
  refill(place,
    step('past-back', 'left', t('Earlier ([)'), value === 0, earlierTurn),
    h('div', { class: 'slider' },
      h('div', { class: 'ticks', 'aria-hidden': 'true' }, ticks),
      h('input', {
        type: 'range', min: 0, max: last, step: 1, value, 'aria-label': t('Turn'), 'aria-valuetext': words(value), 'data-key': 'slider', id: 'slider',
        oninput: (event) => goToTurn(Number(event.target.value)),
      })),
    step('past-on', 'right', t('Later (])'), value === last, laterTurn),
    step('past-play', 'play', t('Play this turn'), !game.moment, () => replayTurn(board, game.moment)),
    momentButtons());
  labelTicks(place.querySelector('.slider'), ticks, ticks.map((_, n) => abbreviatePhase(phase(n))), value);
}

/** Write below the ticks: the moment shown, the present, and as many others as have room, at equal distances. */
function labelTicks(slider, ticks, texts, value) {
  const last = ticks.length - 1;
  const room = slider.clientWidth / last;
  slider.classList.toggle('many', room < CROWDED);
  const every = Math.ceil(Math.max(...texts.map(widthOf)) / room);
  const regular = texts.map((_, i) => last - i * every).filter((n) => n >= 0);
  const written = [];
  for (const n of [value, last, ...regular]) {
    if (!written.every((other) => Math.abs(n - other) * room >= (widthOf(texts[n]) + widthOf(texts[other])) / 2)) continue;
    written.push(n);
    ticks[n].append(h('i', {}, texts[n]));
  }
}

let slid = null;

/** Write the ticks anew when the strip gets another width. */
export function followWidth(place, change) {
  new ResizeObserver(() => {
    const wide = place.clientWidth;
    if (slid !== null && wide !== slid && !place.hidden) change();
    slid = wide;
  }).observe(place);
}

/** Fetch the same turn of the game that this what-if was copied from, once for each turn. */
export async function compareWithOriginal() {
  const { fork_of: from } = game.view;
  if (!from || !game.moment || game.moment.turn < from.turn) return;
  game.originals ??= new Map();
  const { turn } = game.moment;
  if (game.originals.has(turn)) return;
  try {
    const found = await requestJson(`/api/games/${encodeURIComponent(from.id)}/turns/${turn}`);
    game.originals.set(turn, found);
    emitChange();
  } catch {
    // the original game has not reached this turn, or was deleted
  }
}

/** Fill the banner over the map that marks a what-if. */
export function fillBanner(place) {
  const { fork_of: from } = game.view;
  place.hidden = !from;
  if (!from) return;
  const start = game.history.turns[from.turn]?.phase ?? game.history.now.phase;
  refill(place, icon('fork'), h('p', {}, tx('{title} from {phase} ({kind})', { title: h('b', {}, t('What if')), phase: phaseDate(start), kind: phaseKind(start) })),
    h('a', { class: 'btn tight', href: `/games/${encodeURIComponent(from.id)}`, 'data-key': 'fork-back' }, t('Back to the game')),
    h('button', { type: 'button', class: 'btn tight', 'data-key': 'fork-away', id: 'throw-away', onclick: act.deleteFork }, t('Delete')));
}
