/* The board as text: the units and centres of each power, with orders and results. */
import { h, refill, swatch } from './dom.js';
import { joinNames, n, translateName, t } from './i18n.js';
import { game, showsPresent, nameOf, ownerOf, orderSetOf, slugOf } from './state.js';
import { formatOrder, describeResult, unitWords, phaseDate } from './words.js';

/** Return the position at the moment shown, its turn and its title. */
function shownPosition() {
  if (showsPresent()) return { position: game.view.position, turn: null, title: game.view.phase.text };
  const turn = game.turns.get(game.moment.turn);
  const after = game.moment.part === 'after';
  return {
    position: after ? turn.after : turn.before,
    turn: after ? null : turn,
    title: after ? t('After {phase}', { phase: turn.phase.text }) : turn.phase.text,
  };
}

function orderWords(unit, turn) {
  if (turn) {
    const outcome = turn.outcomes.find((one) => one.unit?.text === unit.text && one.power === unit.power);
    return outcome ? t('{order}: {result}', { order: outcome.order ? formatOrder(outcome.order) : t('no order'), result: describeResult(outcome)[1] }) : '';
  }
  if (!showsPresent()) return '';
  const order = orderSetOf(unit.power).orders.find((one) => one.space === unit.space);
  return order ? formatOrder(order.text) : '';
}

function unitLine(unit, position, turn, more = '') {
  const centre = game.board.spaces[unit.space]?.centre;
  const owner = ownerOf(position, unit.space);
  const on = centre ? (owner === unit.power ? t('own centre') : owner ? t('centre of {power}', { power: translateName(owner) }) : t('neutral centre')) : '';
  return h('li', {}, h('b', {}, unitWords(unit, nameOf)), h('span', {}, [on, more, orderWords(unit, turn)].filter(Boolean).join('; ')));
}

function powerSection(name, position, turn) {
  const units = position.units.filter((unit) => unit.power === name);
  const beaten = position.dislodged.filter((unit) => unit.power === name);
  const centres = position.centres[name] ?? [];
  const empty = centres.filter((code) => !units.some((unit) => unit.space === code));
  return h('section', { class: 'board-power' },
    h('h3', {}, swatch(slugOf(name)), translateName(name), h('span', { class: 'tally' }, t('{centres}, {units}', { centres: n('{count} centre', '{count} centres', centres.length), units: n('{count} unit', '{count} units', units.length) }))),
    units.length || beaten.length
      ? h('ul', { class: 'board-list' },
        units.map((unit) => unitLine(unit, position, turn)),
        beaten.map((unit) => unitLine(unit, position, turn, unit.by ? t('dislodged by {unit} ({power})', { unit: unit.by.text, power: translateName(unit.by.power) }) : t('dislodged'))))
      : h('p', { class: 'note' }, t('No units')),
    empty.length ? h('p', { class: 'note' }, t('Other centres: {spaces}', { spaces: joinNames(empty.map(nameOf).sort()) })) : null);
}

/** Fill `pane` with the board as lists. */
export function boardPanel(pane) {
  const { position, turn, title } = shownPosition();
  const names = game.view.powers.map((power) => power.name);
  const strangers = [...position.units, ...position.dislodged].map((unit) => unit.power).filter((name) => !names.includes(name));
  const unowned = Object.entries(game.board.spaces).filter(([code, space]) => space.centre && !ownerOf(position, code)).map(([code]) => nameOf(code));
  const marked = Object.entries(position.marks ?? {});
  return refill(pane,
    h('div', { class: 'pane-head' }, h('h2', {}, t('Board'))),
    h('p', { class: 'which' }, title === game.view.phase.text ? title : title || phaseDate(game.view.phase)),
    [...names, ...new Set(strangers)].map((name) => powerSection(name, position, turn)),
    unowned.length ? h('section', { class: 'board-power' }, h('h3', {}, t('Neutral centres')), h('p', {}, joinNames(unowned.sort()))) : null,
    marked.length ? h('section', { class: 'board-power' }, h('h3', {}, t('Marks')), h('ul', { class: 'board-list' }, marked.map(([code, mark]) => h('li', {}, h('b', {}, nameOf(code)), h('span', {}, mark))))) : null);
}
