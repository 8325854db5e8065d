/* The orders panel: every unit with its order; the selected unit shows its kinds of order and spaces. */
import { introduction, mapSymbols } from './about.js';
import * as act from './act.js';
import { conditionalOrders } from './ahead.js';
import { requestJson, withQuery } from './api.js';
import { h, icon, refill, swatch, token } from './dom.js';
import { formatDate, joinNames, translateName, translateSentence, t, tx } from './i18n.js';
import { textLine } from './line.js';
import { kindButtons, orderChip, orderRow } from './order-rows.js';
import { hintsSection } from './panel-hints.js';
import { apiPath, emitChange, orderWarnings, drawProgress, game, GAME_MASTER, ownPowers, nameOf, openTour, orderFor, powerOf, readTour, seatName, seatParameter, settings, orderSet, slugOf, mustDraw, visibleOrders } from './state.js';
import { UNIT_NAMES, describeEnd, formatOrder, phaseDate } from './words.js';

const unitAt = (space) => game.view.position.units.find((unit) => unit.space === space);

function chip(node, hot) {
  const unit = node.at && unitAt(node.at);
  return orderChip(node, {
    unit,
    slug: unit && slugOf(unit.power),
    name: node.at ? nameOf(node.at) : undefined,
    onclick: () => act.finishOrder(game.walk.choose(node)),
    props: {
      class: `chip${hot.includes(node) ? ' hot' : ''}`,
      onpointerenter: () => node.at && document.dispatchEvent(new CustomEvent('point', { detail: node })),
      onpointerleave: () => document.dispatchEvent(new CustomEvent('point', { detail: null })),
    },
  });
}

function chips(nodes, hot) {
  const corner = (node) => game.board.spaces[node.at]?.corner;
  const areas = nodes.filter((node) => !corner(node));
  const corners = nodes.filter(corner);
  const row = (list) => h('div', { class: 'chips' }, list.map((node) => chip(node, hot)));
  return [
    areas.length ? row(areas) : null,
    corners.length ? [h('p', { class: 'edit-head' }, t('Corners')), row(corners)] : null,
  ];
}

/** Return buttons for whole orders that support or convoy orders already given. Convoys are always offered. */
function helpButtons() {
  const { walk } = game;
  if (walk.start?.type !== 'unit' || walk.among) return null;
  const { label } = walk.of ?? {};
  const offered = walk.helpingOrders(visibleOrders()).filter(({ order }) =>
    (order.includes(' C ') || walk.kind?.label === 'support') && (!label || order.includes(` ${label}`)));
  if (!offered.length) return null;
  return [h('p', { class: 'edit-head' }, t('For orders already submitted')), h('div', { class: 'chips' }, offered.map((node) => h('button', {
    type: 'button', class: 'chip whole', 'data-key': `help ${node.order}`, 'data-help': node.order, onclick: () => act.finishOrder(node.order),
  }, h('span', {}, formatOrder(node.order.slice(walk.start.label.length + 1))))))];
}

function editor(hot) {
  const { walk } = game;
  return h('div', { class: 'editor' },
    kindButtons(walk, (kind) => act.finishOrder(walk.chooseKind(kind)), { keys: true }),
    helpButtons(),
    walk.next.length ? [h('p', { class: 'edit-head' }, walk.heading), chips(walk.next, hot)] : null);
}

function unitRow(start, hot) {
  const { walk } = game;
  const order = orderFor(start);
  const on = walk.start?.key === start.key;
  const [kind, ...rest] = start.label.split(' ');
  const words = order
    ? [h('b', {}, start.label), formatOrder(order.text.slice(start.label.length))]
    : h('b', {}, kind, ' ', rest.join(' '));
  return orderRow({
    start,
    on,
    kind,
    slug: slugOf(game.seat),
    words,
    order: order?.text,
    state: on ? nameOf(start.at) : h('span', { class: 'none' }, t('no order')),
    editor: () => editor(hot),
    begin: act.beginOrder,
    clear: () => act.clearOrders([start.label]),
  });
}

const leafWords = (leaf) => {
  const [kindLetter] = leaf.label.split(' ');
  const word = UNIT_NAMES[kindLetter] ?? leaf.label;
  return leaf.coast ? `${word} (${leaf.coast.toLowerCase()})` : word;
};

function placeCard(start, orders) {
  const held = start.leaves.filter((leaf) => orders.has(leaf.order));
  const on = game.walk.start?.key === start.key;
  return h('li', { class: `card-choice${held.length ? ' held' : ''}${on ? ' on' : ''}`, 'data-place': start.at },
    h('h3', {}, nameOf(start.at), h('span', { class: 'code' }, start.at)),
    h('div', { class: 'chips' }, start.leaves.map((leaf) => {
      const chosen = orders.has(leaf.order);
      const [kindLetter] = leaf.label.split(' ');
      return h('button', {
        type: 'button',
        class: 'chip',
        'data-key': `leaf ${leaf.order}`,
        'data-order': leaf.order,
        'aria-pressed': String(chosen),
        'aria-label': `${leafWords(leaf)}, ${nameOf(start.at)}`,
        onclick: () => (chosen ? act.clearOrders([leaf.order]) : act.giveOrders([leaf.order])),
      }, kindLetter in UNIT_NAMES ? token(kindLetter, slugOf(game.seat)) : null,
      h('span', {}, start.kind === 'choose' && !(kindLetter in UNIT_NAMES) ? t('Choose') : leafWords(leaf)),
      chosen ? icon('check') : null);
    })));
}

function placeCards(starts) {
  const orders = new Set(orderSet().orders.map((order) => order.text));
  return h('ul', { class: 'choices' }, starts.map((start) => placeCard(start, orders)));
}

const AMOUNT = /^(.*\S) (\d+)$/;

/** Return a menu for orders that differ only in their amount, of which one or none can be chosen. */
function amountMenu(words, starts, orders) {
  const all = starts.map((start) => start.node.order);
  const chosen = all.filter((order) => orders.has(order));
  const [verb, ...rest] = words.split(' ');
  return h('label', { class: `amount${chosen.length ? ' held' : ''}` },
    h('span', {}, [verb[0] + verb.slice(1).toLowerCase(), ...rest].join(' ')),
    h('select', {
      class: 'field', 'data-key': `amount ${words}`,
      onchange: ({ target }) => act.giveOneOf(all, target.value),
    }, h('option', { value: '' }, t('none')), starts.map((start) => h('option', {
      value: start.node.order, selected: chosen.includes(start.node.order),
    }, AMOUNT.exec(start.label)[2]))));
}

/** Return the orders without a unit: a menu for each kind with amounts, chips for the rest. */
function looseOrders(starts) {
  const orders = new Set(orderSet().orders.map((order) => order.text));
  const byWords = new Map();
  for (const start of starts.filter(({ label }) => AMOUNT.test(label))) {
    const [, words] = AMOUNT.exec(start.label);
    byWords.set(words, [...(byWords.get(words) ?? []), start]);
  }
  const others = starts.filter((start) => !AMOUNT.test(start.label));
  return [
    byWords.size ? h('div', { class: 'amounts' }, [...byWords].map(([words, some]) => amountMenu(words, some, orders))) : null,
    others.length ? looseChips(others, orders) : null,
  ];
}

const MANY = 3;

/** Return orders without a unit as chips; three or more that differ only in their last word share a line. */
function looseChips(starts, orders) {
  const alike = new Map();
  for (const start of starts) {
    const words = start.label.replace(/ \S+$/, '');
    alike.set(words, [...(alike.get(words) ?? []), start]);
  }
  const lines = [...alike].filter(([, some]) => some.length >= MANY);
  const others = starts.filter((start) => !lines.some(([, some]) => some.includes(start)));
  return [
    lines.length ? h('div', { class: 'loose alike' }, lines.map(([words, some]) => h('div', { role: 'group', 'aria-label': words },
      h('span', {}, spell(words)), some.map((start) => looseChip(start, orders, start.label.slice(words.length + 1)))))) : null,
    others.length ? h('div', { class: 'chips loose' }, others.map((start) => looseChip(start, orders, waiveText(start.label)))) : null,
  ];
}

const spell = (words) => words.replace(/^[A-Z]{2,}\b/, (word) => word[0] + word.slice(1).toLowerCase()).replace(/^(.*) R$/, (_, unit) => t('{unit} retreats to', { unit }));

const waiveText = (label) => (label.toUpperCase() === 'WAIVE' ? t('Waive one build') : label.replace(/^WAIVE/i, t('Waive')));

function looseChip({ node, label }, orders, words) {
  const chosen = orders.has(node.order);
  return h('button', {
    type: 'button', class: 'chip', 'data-key': `leaf ${node.order}`, 'data-order': node.order, 'aria-pressed': String(chosen),
    'aria-label': words === waiveText(label) ? null : label,
    onclick: () => (chosen ? act.clearOrders([node.order]) : act.giveOrders([node.order])),
  }, h('span', {}, words), chosen ? icon('check') : null);
}

let waiting = 0;
let lastReading = { text: '', words: '', understood: true };

/** Ask the server how it understands the promise that is being written. */
async function readPromise() {
  const text = game.drafts.promise.trim();
  const found = text ? await requestJson(withQuery(apiPath('/complete'), { seat: seatParameter(game.seat), text: `PROMISE ${text}` })).catch(() => null) : null;
  if (text !== game.drafts.promise.trim()) return;
  lastReading = { text, words: (found?.reading?.words ?? found?.error?.sentence)?.text ?? '', understood: Boolean(found?.reading?.understood) };
  // replace only this line, so that the cursor keeps its place in the text
  document.getElementById('promise-read')?.replaceWith(promiseReading());
}

/** Return a line with the server's reading of the promise, or why it is not understood. */
function promiseReading() {
  const known = lastReading.text && lastReading.text === game.drafts.promise.trim();
  return h('p', { class: `note promise-read${known && !lastReading.understood ? ' not' : ''}`, id: 'promise-read', role: 'status' }, known ? lastReading.words : '');
}

function promises() {
  if (!game.options.get(game.seat)?.promises && !game.view.asks?.promises) return null;
  const written = orderSet().promises;
  const settles = game.seat === GAME_MASTER;
  const add = (event) => {
    event.preventDefault();
    const text = game.drafts.promise.trim();
    if (!text) return;
    game.drafts.promise = '';
    act.setPromises([...written, text]);
  };
  return h('section', { class: 'promises', 'aria-labelledby': 'promises-head' },
    h('h3', { id: 'promises-head' }, t('Promises')),
    h('ol', {}, written.map((text, i) => h('li', {}, h('q', {}, text), h('button', {
      type: 'button', class: 'round', 'data-key': `promise ${i}`, 'aria-label': t('Withdraw: {promise}', { promise: text }),
      onclick: () => act.setPromises(written.filter((_, j) => j !== i)),
    }, icon('cross'))))),
    h('form', { class: 'promise-form', onsubmit: add },
      h('label', { class: 'label', for: 'promise' }, settles ? t('Settle a promise: “Italy gives France 2 points.”') : t('New promise, in your own words')),
      h('textarea', {
        id: 'promise', class: 'field', rows: 2, 'data-key': 'promise', value: game.drafts.promise, 'aria-describedby': 'promise-read',
        oninput: (event) => {
          game.drafts.promise = event.target.value;
          clearTimeout(waiting);
          waiting = setTimeout(readPromise, 250);
        },
      }),
      promiseReading(),
      h('button', { type: 'submit', class: 'btn tight', 'data-key': 'promise add' }, t('Promise'))),
    settles ? null : h('p', { class: 'note' }, t('Secret until the results. Promises are paid in the order in which you wrote them.')));
}

const headingText = (choosing) => {
  if (ownPowers().length < 2) return choosing ? t('Your choice') : t('Your orders');
  return choosing ? t('Choices of {power}', { power: translateName(game.seat) }) : t('Orders of {power}', { power: translateName(game.seat) });
};

/** Return the sentence that the orders are saved, with the time if it is known. */
function savedWords() {
  const at = game.saved.get(game.seat);
  return at ? t('Your orders are saved ({time}).', { time: formatDate(at, 'time') }) : t('Your orders are saved.');
}

function heading() {
  const units = game.walk.starts.filter((start) => start.type === 'unit');
  const done = units.filter(orderFor).length;
  const power = powerOf(game.seat);
  const most = game.options.get(game.seat)?.at_once ?? 0;
  const choosing = game.view.asks?.choice;
  const secret = t('Choose on the map or here. Your choice stays secret until all players have chosen; until then you can change it.');
  const todo = choosing ? [game.view.asks.about?.text, secret].filter(Boolean).join(' ') : power?.todo ? `${power.todo.text}.` : '';
  const so = (done, all) => h('p', { class: 'count-of' }, choosing
    ? tx('{done} of {all} chosen', { done: h('b', {}, String(done)), all: h('b', {}, String(all)) })
    : tx('{done} of {all} ordered', { done: h('b', {}, String(done)), all: h('b', {}, String(all)) }));
  const given = orderSet().orders.length;
  const counted = most ? so(given, most) : units.length && !power?.due ? so(done, units.length) : null;
  return [
    h('div', { class: 'pane-head' },
      h('h2', {}, headingText(choosing)),
      counted,
      h('button', {
        type: 'button', class: 'round', 'data-key': 'undo', 'aria-label': t('Undo the last change of orders'), title: t('Undo (U)'),
        disabled: game.undo.length === 0, onclick: act.undo,
      }, icon('undo'))),
    todo ? h('p', { class: 'todo' }, todo) : null,
    given ? h('p', { class: 'note saved' }, savedWords()) : null,
  ];
}

/** Tell whether a movement phase has been played; until then the panel introduces the variant. */
const hasMoved = () => game.history.turns.some((turn) => turn.phase.kind === 'movement');

/** Return a button for the tour of the first turn, and where it was left. */
function tourButton() {
  const { step, done } = readTour();
  return h('p', { class: 'to-tour' }, h('button', { type: 'button', class: 'btn tight', 'data-key': 'tour', onclick: () => openTour() }, step && !done ? t('Continue the tour') : t('Tour of the first turn')));
}

/** List what other powers must order or choose while the seat has nothing to do. */
function otherTasks() {
  const busy = game.view.powers.filter((power) => power.name !== game.seat && power.todo);
  if (!busy.length) return null;
  return h('ul', { class: 'asked' }, busy.map((power) => h('li', {}, swatch(power.slug), h('span', {}, h('b', {}, translateName(power.name)), ` ${power.todo.text}.`))));
}

const parts = {};

/** Return a part of the panel from a module that is loaded when it is first needed; null until then. */
function lazyPart(file, name) {
  if (!(file in parts)) {
    parts[file] = null;
    import(file).then((module) => {
      parts[file] = module;
      emitChange();
    }).catch(() => delete parts[file]);
  }
  return parts[file]?.[name]() ?? null;
}

function idlePanel() {
  const { view } = game;
  if (view.over) {
    return [h('h2', { tabindex: -1, 'data-lead': true }, t('The game is over')), lazyPart('./panel-end.js', 'endSection') ?? h('p', { class: 'big-note' }, describeEnd(view))];
  }
  const waiting = view.powers.filter((power) => power.status === 'waiting').map((power) => translateName(power.name));
  const drawn = view.phase.kind === 'draws' ? ` ${t('The game master draws.')}` : '';
  const { former } = view.viewer;
  const words = !game.seat
    ? `${view.spectating ? translateSentence(view.spectating) : t('You are spectating.')} ${t('Orders appear after adjudication.')}`
    : waiting.length ? t('{power} has nothing to order in this phase. Waiting for {powers}.', { power: translateName(game.seat), powers: joinNames(waiting) }) : t('{power} has nothing to order in this phase.', { power: translateName(game.seat) });
  return [h('h2', {}, phaseDate(view.phase)),
    former && !game.seat ? [h('p', { class: 'big-note', 'data-former': former.power }, translateSentence(former.sentence)), h('p', {}, h('a', { class: 'btn', href: '/find' }, t('Find a game')))] : null,
    h('p', { class: 'big-note' }, words, drawn),
    !game.seat && view.viewer.all_seats && view.time ? h('p', {}, h('a', { class: 'btn main', href: `/games/${encodeURIComponent(view.id)}/gm-tools`, 'data-key': 'to the GM tools' }, t('GM tools'))) : null, otherTasks(), hasMoved() ? null : introduction(), hasMoved() ? null : mapSymbols(t('Map symbols of this variant'))];
}

function curtain() {
  return h('div', { class: 'curtain' }, h('h2', {}, t('Pass the screen to {power}', { power: seatName(game.seat) })),
    h('p', { class: 'big-note' }, t('Orders of other players are hidden.')),
    h('button', { type: 'button', class: 'btn main', 'data-lead': true, onclick: () => act.selectSeat(game.seat) }, t('I am {power}', { power: seatName(game.seat) })));
}

/** Return a link to ask the game master about the selected order. */
function askSection() {
  const { view, walk } = game;
  if (!view.master || !orderSet().orders.length) return null;
  const order = walk.start && orderFor(walk.start)?.text;
  return h('p', {}, h('a', { class: 'btn tight', 'data-key': 'ask the master', href: withQuery(`/games/${encodeURIComponent(view.id)}/questions`, order ? { order } : {}) }, t('Ask the game master')));
}

let drafts = null;
let draftsOpen = false;

/** Return the folded drafts of the orders, whose script is fetched when they are unfolded. */
function draftsSection() {
  const unfold = async (event) => {
    draftsOpen = event.target.open;
    if (!draftsOpen || drafts) return;
    drafts = await import('./order-drafts.js').catch(act.showError);
    emitChange();
  };
  return h('details', { class: 'ahead', open: draftsOpen, ontoggle: unfold }, h('summary', { 'data-key': 'drafts' }, t('Drafts of these orders')), draftsOpen && drafts ? drafts.draftList() : null);
}

/** Return the note for a player whose seat is vacant after too many NMRs; null for others. */
const vacantNote = () => (game.view.time?.vacant.includes(game.seat) && game.view.players.some((one) => one.me && one.power === game.seat)
  ? h('p', { class: 'note', 'data-vacant': game.seat }, t('Your seat is vacant after too many NMRs in a row. Submit orders to take it back, or a replacement player may take it.')) : null);

/** Fill `pane` with the orders of the power in the seat. */
export function ordersPanel(pane, hot) {
  if (game.curtain) return refill(pane, curtain());
  const { starts } = game.walk;
  if (game.seat === GAME_MASTER && !game.view.over) return refill(pane, lazyPart('./panel-draws.js', 'drawsPanel'), promises(), textLine());
  if (!game.seat || game.view.over || (!starts.length && !game.view.asks?.promises)) return refill(pane, idlePanel());
  const of = (type) => starts.filter((start) => start.type === type);
  const units = of('unit');
  return refill(pane,
    heading(),
    vacantNote(),
    units.length ? h('ul', { class: 'order-list', 'aria-label': t('Units') }, units.map((start) => unitRow(start, hot))) : null,
    of('place').length ? placeCards(of('place')) : null,
    of('loose').length ? looseOrders(of('loose')) : null,
    promises(),
    textLine(),
    askSection(),
    conditionalOrders(),
    units.length ? draftsSection() : null,
    hintsSection(),
    hasMoved() ? null : [tourButton(), introduction(), mapSymbols(t('Map symbols of this variant'))]);
}

/** Return a key of the current warnings, so that warnings already seen do not stop the player again. */
const warningKey = () => JSON.stringify(orderWarnings().map(({ power, sentence }) => [power, sentence.text]));

/** Run the action that ends the phase for this screen; if there are warnings, show them first. */
function submitOrders(action) {
  if (!orderWarnings().length || game.warningsSeen === warningKey()) return action();
  game.warningsSeen = warningKey();
  return emitChange();
}

/** Tell whether the warnings are shown now. */
const showsWarnings = () => orderWarnings().length > 0 && game.warningsSeen === warningKey();

function warningList() {
  const open = showsWarnings();
  const list = open ? orderWarnings() : orderSet().doubts.map((doubt) => ({ power: game.seat, ...doubt }));
  if (!list.length || (game.walk.start && !open)) return null;
  const many = new Set(list.map(({ power }) => power)).size > 1;
  const words = open ? t('Check your orders, or continue:') : t('Check your orders:');
  return h('div', { class: 'doubts', id: 'doubts', role: open ? 'alert' : undefined },
    h('p', {}, icon('warn'), words),
    h('ul', {}, list.map(({ power, orders, sentence: { text } }) => h('li', {}, h('button', {
      type: 'button', 'data-key': `doubt ${text}`, onclick: () => act.selectUnitOf(power, orders[0]),
    }, many ? `${translateName(power)}: ${text}` : text)))));
}

/** Fill the bar under the panel with the next action. */
export function footBar(bar) {
  const { view } = game;
  if (view.over) {
    const end = () => act.showMoment(null).then(() => { game.tab = 'orders'; emitChange(); });
    return refill(bar, game.moment || game.tab === 'results' ? h('button', { type: 'button', class: 'btn main wide', 'data-key': 'go-on', 'data-lead': '', id: 'go-on', onclick: end }, t('Result of the game')) : null);
  }
  if (game.curtain || !view.viewer.seats.length) return refill(bar);
  if (game.moment) {
    const next = view.phase;
    return refill(bar, h('button', { type: 'button', class: 'btn main wide', 'data-key': 'go-on', 'data-lead': '', id: 'go-on', onclick: () => act.showMoment(null).then(() => document.getElementById('phase').focus({ preventScroll: true })) }, t('Continue to {phase}', { phase: next.text })));
  }
  const current = powerOf(game.seat);
  const buttons = [];
  const draws = game.seat === GAME_MASTER && mustDraw();
  const drawn = game.seat === GAME_MASTER && drawProgress()?.entered.length > 0 && !draws;
  if (view.viewer.all_seats && view.seating !== 'links') {
    const open = act.powersWithoutOrders().map((power) => power.name);
    if (!open.length && game.seat !== GAME_MASTER && mustDraw()) open.push(GAME_MASTER);
    const done = !draws && !game.walk.starts.some((start) => start.type === 'unit' && start.node.then?.length && !orderFor(start) && !current?.due) && (orderSet().orders.length > 0 || current?.status !== 'waiting');
    if (open.length) {
      buttons.push(h('button', {
        type: 'button', class: `btn wide${done ? ' main' : ''}`, 'data-key': 'next', id: 'next-power',
        onclick: () => act.selectSeat(open[0], { curtain: settings.curtain }),
      }, t('Next: {power}', { power: seatName(open[0]) })));
    }
    buttons.push(h('button', {
      type: 'button', class: `btn${open.length ? '' : ' wide'}${done && !open.length ? ' main' : ''}`, 'data-key': 'process', id: 'process',
      onclick: () => submitOrders(act.processPhase),
    }, showsWarnings() ? t('Process anyway') : open.length ? t('Process') : t('Process the turn')));
  } else if (drawn || (current && current.status !== 'nothing' && current.status !== 'out')) {
    const is = orderSet().ready;
    buttons.push(h('button', { type: 'button', class: `btn wide${is ? '' : ' main'}`, 'data-key': 'ready', id: 'ready', 'aria-pressed': String(is), onclick: () => (is ? act.setReady(false) : submitOrders(() => act.setReady(true))) },
      is ? t('Not ready') : showsWarnings() ? t('Ready anyway') : t('Ready')));
  }
  const left = orderSet().left;
  if (!buttons.length && !left) return refill(bar);
  return refill(bar, warningList(), h('div', { class: 'foot-row' }, buttons), left && !game.walk.start ? h('p', { class: 'note left' }, left.text) : null);
}
