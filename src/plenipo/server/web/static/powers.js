/* The powers: whose turn it is to order, what each has, and the switch between the seats of this screen. */
import * as act from './act.js';
import { h, icon, refill, swatch } from './dom.js';
import { changed, mine, settings, table } from './state.js';
import { count } from './words.js';

const STATUS = {
  waiting: ['clock', 'no orders yet'],
  given: ['check', 'orders given'],
  ready: ['check', 'ready'],
  nothing: ['', 'nothing to order'],
  out: ['cross', 'eliminated'],
};

const byPoints = () => table.view.powers.some((power) => power.points !== null && power.points !== undefined);

function who(power) {
  const { viewer } = table.view;
  if (viewer.holds.length === 1 && viewer.holds[0] === power.name) return 'you';
  return power.by === 'nobody' ? 'nobody' : '';
}

function row(power, goal, points) {
  const [sign, words] = table.view.over ? ['', ''] : STATUS[power.status] ?? ['', power.status];
  const measure = points ? power.points ?? 0 : power.centres;
  const current = table.seat === power.name;
  const own = mine().some((one) => one.name === power.name) && mine().length > 1;
  const inside = [
    swatch(power.slug),
    h('span', { class: 'power-name' }, power.name, who(power) ? h('small', {}, who(power)) : null,
      power.by === 'computer' ? [icon('chip'), h('span', { class: 'sr' }, ', a computer player')] : null),
    h('b', { class: 'power-count' }, String(measure), h('span', { class: 'sr' }, points ? ' points' : ' centres')),
    h('meter', { class: 'power-bar', min: 0, max: goal || 1, value: Math.min(measure, goal || 1), 'aria-hidden': 'true' }),
    h('span', { class: 'power-units' }, points ? count(power.centres, 'centre') : count(power.units, 'unit'), sign ? [icon(sign), h('span', { class: 'sr' }, words)] : null),
  ];
  const props = { class: `power${current ? ' now' : ''}${power.status === 'out' ? ' gone' : ''}`, 'data-power': power.name, 'data-status': power.status };
  return h('li', {}, own
    ? h('button', { ...props, type: 'button', 'data-key': `power ${power.name}`, 'aria-pressed': String(current), onclick: () => act.seat(power.name, { curtain: settings.curtain && power.name !== table.seat }) }, inside)
    : h('div', props, inside));
}

function unowned() {
  const { owners } = table.view.position;
  const free = Object.entries(table.board.spaces).filter(([code, space]) => space.centre && !owners[code]).map(([, space]) => space.name).sort();
  if (!free.length) return null;
  const few = free.length <= 14;
  return h('div', { class: 'unowned' }, h('h3', {}, few ? 'Unowned' : `${free.length} centres unowned`), few ? h('p', {}, free.join(', ')) : null);
}

/** Fill a list of powers; in the rail on a desk, in the sheet on a phone. */
export function powersList(place, { heading = 'h2' } = {}) {
  const { view } = table;
  const points = byPoints();
  const goal = view.to_win;
  const sorted = [...view.powers].filter((power) => power.played || power.centres || power.units)
    .sort((a, b) => (points ? (b.points ?? 0) - (a.points ?? 0) : b.centres - a.centres));
  const many = mine().length > 1;
  return refill(place,
    h('div', { class: 'rail-head' }, h(heading, {}, points ? 'Points' : 'Supply centres'), goal ? h('span', {}, `${goal} win`) : null),
    h('ul', { class: 'powers' }, sorted.map((power) => row(power, goal, points))),
    unowned(),
    many ? h('div', { class: 'rail-tools' },
      toggle('Draw the orders of all seats', table.everyone, (on) => { table.everyone = on; changed(); }),
      toggle('Curtain between players', settings.curtain, (on) => document.dispatchEvent(new CustomEvent('curtain', { detail: on })))) : null);
}

export function toggle(words, on, set) {
  return h('label', { class: 'toggle' }, h('input', { type: 'checkbox', checked: on, 'data-key': `toggle ${words}`, onchange: (event) => set(event.target.checked) }), h('span', {}, words));
}
