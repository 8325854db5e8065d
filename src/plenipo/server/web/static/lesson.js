/* A lesson: exercises on the board, one after the other. Orders are made with the mouse, touch or keys, and played on the
   server, which stores nothing. */
import { requestJson } from './api.js';
import { Board, listMovements } from './board.js';
import { announce, h, icon, isPhone, readJson, refill, token } from './dom.js';
import { t, tx, n, translateName } from './i18n.js';
import { loadStars, starRow, storeStars } from './stars.js';
import { setUpThemes } from './theme.js';
import { KINDS, Walk } from './walk.js';
import { describeResult, formatOrder, UNIT_NAMES } from './words.js';

const page = readJson('the-lesson');
setUpThemes();

const state = { exercise: readJson('the-exercise'), walk: null, orders: [], answer: null, tries: 0, busy: false, fault: '' };
const boardData = readJson('the-board');

const path = (rest = '') => `/api/lessons/${page.id}/${state.exercise.number}${rest}`;
const nameOf = (space) => translateName(boardData.spaces[space]?.name ?? space);
const slugOf = (power) => power.toLowerCase().replace(/[^a-z]+/g, '-');
const unitAt = (space) => state.exercise.position.units.find((unit) => unit.space === space);
const subjectOf = (order) => /^(?:BUILD |REMOVE )?([A-Z]+ (?:[A-Z]{3}|\[[^\]]+\]))/.exec(order)?.[1] ?? order;
const orderOf = (start) => state.orders.find((order) => (start.type === 'place' ? start.leaves.some((leaf) => leaf.order === order) : subjectOf(order) === subjectOf(start.label)));

const frame = document.getElementById('map');
const first = frame?.querySelector(':scope > svg');
const board = page && new Board(frame, { tap, hover, pull });

/** Send a request; show a refusal beside the exercise. */
async function ask(work) {
  if (state.busy) return undefined;
  state.busy = true;
  state.fault = '';
  try {
    return await work();
  } catch (refused) {
    state.fault = refused.message;
    return undefined;
  } finally {
    state.busy = false;
    render();
  }
}

/** Replace the orders of the learner; the server reads and draws them. */
const setOrders = (orders) => ask(async () => {
  const found = await requestJson(path('/orders'), { method: 'POST', body: { orders } });
  state.orders = found.orders;
  board.setArrows([found.arrows]);
  return found;
});

async function give(order) {
  const { start } = state.walk;
  const done = await setOrders([...state.orders, order]);
  if (!done) return;
  announce(formatOrder(order));
  const open = state.walk.starts.find((other) => other.key !== start?.key && !orderOf(other));
  if (open && state.orders.length < state.exercise.needed) begin(open);
  else state.walk.reset();
  render();
}

const clear = (order) => setOrders(state.orders.filter((one) => one !== order));

function finish(order) {
  if (order) give(order);
  else render();
}

function begin(start) {
  state.fault = '';
  if (isPhone()) foldRule();
  if (!start) {
    state.walk.reset();
    return render();
  }
  return finish(state.walk.select(start));
}

function tap({ space, coast, drop }) {
  const { walk } = state;
  if (state.answer || !space) return state.answer ? undefined : begin(null);
  if (walk.start) {
    const exact = coast ? walk.nextAt(space).find((node) => node.coast === coast) : null;
    const order = exact ? walk.choose(exact) : walk.chooseAt(space);
    if (order !== undefined) return finish(order);
  }
  const own = walk.startAt(space);
  if (drop) return render();
  return own === walk.start ? begin(null) : begin(own);
}

function pull(space) {
  const start = state.answer ? null : state.walk.startAt(space);
  if (start?.type !== 'unit') return false;
  if (state.walk.start !== start) begin(start);
  return true;
}

function hover(space) {
  const { walk } = state;
  const can = space && walk.start?.type === 'unit' && walk.nextAt(space).length;
  board.drawPreview(can ? walk.of?.at ?? walk.start.at : null, space, { dashed: Boolean(walk.of) });
}

const play = () => ask(async () => {
  const answer = await requestJson(path(), { method: 'POST', body: { orders: state.orders } });
  state.tries += 1;
  state.answer = answer;
  state.walk.reset();
  const stars = answer.solved ? Math.max(1, answer.stars - (state.tries - 1)) : 0;
  if (answer.solved) storeStars(page.id, state.exercise.number, stars);
  state.stars = stars;
  board.highlight({});
  await board.animate(listMovements({ outcomes: answer.outcomes }));
  board.setPicture(answer.picture);
  announce(answer.solved ? t('Solved. {words}', { words: answer.words }) : t('Not yet. {words}', { words: answer.words }));
});

/** Show an exercise from its beginning. */
function show(exercise) {
  Object.assign(state, { exercise, walk: new Walk({ choices: exercise.choices ?? [] }), orders: [], answer: null, fault: '' });
  board.setPicture(exercise.picture || first.cloneNode(true));
  const spaces = [...exercise.position.units, ...exercise.position.dislodged].map((unit) => unit.space);
  const places = state.walk.starts.map((start) => start.at).filter(Boolean);
  board.focus(board.boxAround([...new Set([...spaces, ...places])]));
  render();
}

const again = () => show(state.exercise);

/** Hide the text of the rule, so that the exercise has the room. */
function foldRule() {
  document.getElementById('lesson-text').open = false;
}

const goOn = () => ask(async () => {
  const next = await requestJson(`/api/lessons/${page.id}/${state.exercise.number + 1}`);
  state.tries = 0;
  foldRule();
  show(next);
});

const chip = (node) => {
  const unit = node.at && unitAt(node.at);
  return h('button', { type: 'button', class: 'chip', 'data-key': `chip ${node.label}`, 'data-chip': node.label, title: node.at ? nameOf(node.at) : undefined, onclick: () => finish(state.walk.choose(node)) },
    unit && node.label !== 'hold' ? token(unit.kind, slugOf(unit.power)) : null,
    h('span', {}, node.label === 'hold' ? t('to hold') : node.label),
    node.at && node.label !== 'hold' ? h('span', { class: 'sr' }, `, ${nameOf(node.at)}`) : null);
};

function editor() {
  const { walk } = state;
  return h('div', { class: 'editor' },
    walk.kinds.length ? h('div', { class: 'kinds', role: 'group', 'aria-label': t('Order type') }, walk.kinds.map((kind) => {
      const { icon: sign = 'check', word = kind.label } = KINDS[kind.label] ?? {};
      return h('button', { type: 'button', class: 'kind', 'data-key': `kind ${kind.label}`, 'data-kind': kind.label, 'aria-pressed': String(walk.kind?.label === kind.label), onclick: () => finish(walk.chooseKind(kind.label)) }, icon(sign), h('span', {}, word));
    })) : null,
    walk.next.length ? [h('p', { class: 'edit-head' }, walk.heading), h('div', { class: 'chips' }, walk.next.map(chip))] : null);
}

/** Return the words for a unit or place that can be ordered. */
function startWords(start) {
  if (start.type === 'unit') return start.label;
  const [kind] = start.leaves[0].label.split(' ');
  return start.leaves.length > 1 || !UNIT_NAMES[kind] ? nameOf(start.at) : `${UNIT_NAMES[kind]} ${nameOf(start.at)}`;
}

function row(start) {
  const on = state.walk.start?.key === start.key;
  const order = orderOf(start);
  const kind = start.type === 'unit' ? start.label.split(' ')[0] : start.leaves?.[0].label.split(' ')[0];
  return h('li', { class: `order-row${on ? ' on' : ''}`, 'data-unit': start.label },
    h('div', { class: 'order-line' },
      h('button', { type: 'button', class: 'order-button', 'data-key': `unit ${start.key}`, 'data-lead': on, 'aria-expanded': String(on), onclick: () => begin(on ? null : start) },
        token(kind, slugOf(state.exercise.power)),
        h('span', { class: 'order-text' }, order ? formatOrder(order) : h('b', {}, startWords(start))),
        h('span', { class: 'order-state' }, order ? [icon('check'), h('span', { class: 'sr' }, t('ordered'))] : h('span', { class: 'none' }, on && start.at ? nameOf(start.at) : t('no order')))),
      order ? h('button', { type: 'button', class: 'round clear', 'data-key': `clear ${start.key}`, 'aria-label': t('Clear {order}', { order }), onclick: () => clear(order) }, icon('cross')) : null),
    on ? editor() : null);
}

function results() {
  const { answer, exercise } = state;
  return h('div', { class: `outcome-box${answer.solved ? ' solved' : ''}`, id: 'outcome-box', tabindex: '-1' },
    h('h3', {}, answer.solved ? t('Solved') : t('Not yet'), answer.solved ? starRow(state.stars) : null),
    h('p', {}, answer.words),
    answer.solved && answer.orders.length > exercise.needed ? h('p', { class: 'note' }, n('It can be done with {count} order.', 'It can be done with {count} orders.', exercise.needed)) : null,
    h('ul', { class: 'came' }, answer.outcomes.filter((outcome) => outcome.unit || outcome.order).map((outcome) => {
      const [sign] = describeResult(outcome);
      return h('li', {}, icon(sign), h('span', {}, outcome.why.text));
    })));
}

function render() {
  const { exercise, walk, answer } = state;
  const starts = walk.starts.filter((start) => start.type !== 'loose');
  const others = exercise.count > 1 ? h('span', { class: 'count-of' }, t('{number} of {count}', { number: exercise.number, count: exercise.count })) : null;
  refill(document.getElementById('exercise'),
    h('div', { class: 'pane-head' }, h('h2', {}, t('Exercise')), others),
    h('p', { class: 'task' }, exercise.task),
    h('p', { class: 'note' }, tx('You play {power}.', { power: h('b', {}, translateName(exercise.power)) })),
    answer ? results() : h('ul', { class: 'order-list', 'aria-label': t('Units') }, starts.map(row)),
    state.fault ? h('p', { class: 'fault', role: 'alert' }, state.fault) : null);
  refill(document.getElementById('foot-bar'), buttons());
  if (answer) return;
  const nodes = walk.next.filter((node) => node.at);
  board.highlight({
    lit: walk.start ? nodes.map((node) => ({ space: node.at, coast: node.coast ?? '', occupied: Boolean(unitAt(node.at)) })) : [],
    selected: walk.start?.at ?? null,
    of: walk.of?.at ?? null,
    marked: walk.start ? [] : starts.filter((start) => !orderOf(start)).map((start) => start.at),
    own: starts.map((start) => start.at),
  });
}

function buttons() {
  const { answer, exercise } = state;
  if (!answer) return h('button', { type: 'button', class: 'btn main wide', id: 'play', 'data-key': 'play', onclick: play }, t('Play the turn'));
  const retry = h('button', { type: 'button', class: `btn wide${answer.solved ? '' : ' main'}`, id: 'again', 'data-key': 'again', onclick: again }, t('Try again'));
  if (!answer.solved) return retry;
  const last = exercise.number === exercise.count;
  const onward = last
    ? h('a', { class: 'btn main wide', id: 'onward', href: page.next ? `/learn/${page.next}` : '/learn' }, page.next ? t('Next lesson') : t('All lessons'))
    : h('button', { type: 'button', class: 'btn main wide', id: 'onward', 'data-key': 'onward', onclick: goOn }, t('Next exercise'));
  const more = loadStars(page.id, exercise.count)[exercise.number - 1] < 3 ? retry : null;
  return h('div', { class: 'lesson-foot' }, onward, more);
}

if (page) {
  board.setData(boardData);
  first.remove();
  show(state.exercise);
  document.querySelector('.zoom').addEventListener('click', (event) => {
    const how = event.target.closest('[data-zoom]')?.dataset.zoom;
    if (how === 'fit') board.fit();
    else if (how) board.zoom(how === 'in' ? 1 / 1.4 : 1.4);
  });
}
