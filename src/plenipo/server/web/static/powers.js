/* The list of powers: who must order, the score of each, and the switch between the seats of this screen. */
import { mapSymbols } from './about.js';
import * as act from './act.js';
import { timeBankNode } from './clocks.js';
import { h, icon, refill, swatch } from './dom.js';
import { n as plural, translateName, formatNumber, t } from './i18n.js';
import { emitChange, game, GAME_MASTER, hasGameMaster, ownPowers, nameOf, ownerOf, seats, settings, mustDraw } from './state.js';
import { votesRail } from './votes.js';
import { scoreTitle, describeScore } from './words.js';

const STATUS = {
  waiting: ['clock', t('no orders yet')],
  given: ['check', t('orders submitted')],
  ready: ['check', t('ready')],
  asked: ['', ''],
  nothing: ['', t('nothing to order')],
  out: ['cross', t('eliminated')],
};

/** Tell whether the number of owned centres decides the victory. */
const byCentres = () => game.view.counted === 'centre';

function playerName(power) {
  if (game.view.time?.vacant.includes(power.name)) return t('vacant');
  const player = game.view.players.find((one) => one.power === power.name);
  if (player) return player.name;
  if (ownPowers().length === 1 && ownPowers()[0].name === power.name) return t('you');
  return power.by === 'nobody' ? t('no player') : '';
}

function powerRow(power, goal) {
  const [sign, words] = game.view.over ? ['', ''] : STATUS[power.status] ?? ['', power.status];
  const current = game.seat === power.name;
  const own = ownPowers().some((one) => one.name === power.name) && seats().length > 1;
  const inside = [
    swatch(power.slug),
    h('span', { class: 'power-name' }, translateName(power.name), playerName(power) ? h('small', {}, playerName(power)) : null,
      power.by === 'computer' ? [icon('chip'), h('span', { class: 'sr' }, `, ${t('computer player')}`)] : null),
    timeBankNode(power.name),
    h('b', { class: 'power-count' }, h('span', { 'aria-hidden': 'true' }, formatNumber(power.score)), h('span', { class: 'sr' }, describeScore(game.view.counted, power.score))),
    h('meter', { class: 'power-bar', min: 0, max: power.to_win || goal || 1, value: Math.min(power.score, power.to_win || goal || 1), 'aria-hidden': 'true' }),
    h('span', { class: 'power-units' }, byCentres() ? plural('{count} unit', '{count} units', power.units) : plural('{count} centre', '{count} centres', power.centres), power.balance ? `, ${power.balance.text}` : '', sign ? [icon(sign), h('span', { class: 'sr' }, words)] : null),
  ];
  const props = { class: `power${current ? ' now' : ''}${power.status === 'out' ? ' gone' : ''}`, 'data-power': power.name, 'data-status': power.status };
  return h('li', {}, own
    ? h('button', { ...props, type: 'button', 'data-key': `power ${power.name}`, 'aria-pressed': String(current), onclick: () => act.selectSeat(power.name, { curtain: settings.curtain && power.name !== game.seat }) }, inside)
    : h('div', props, inside));
}

/** Return the row of the game master, below those of the powers. */
function masterRow() {
  const current = game.seat === GAME_MASTER;
  const [sign, words] = mustDraw() ? ['clock', t('must draw')] : ['', t('nothing to draw')];
  return h('li', {}, h('button', {
    type: 'button', class: `power master${current ? ' now' : ''}`, 'data-power': GAME_MASTER, 'data-key': `power ${GAME_MASTER}`, 'aria-pressed': String(current),
    onclick: () => act.selectSeat(GAME_MASTER, { curtain: settings.curtain && !current }),
  }, icon('seal'), h('span', { class: 'power-name' }, t('Game master')), h('span', { class: 'power-units' }, sign ? icon(sign) : null, h('span', { class: 'sr' }, words))));
}

function unownedCentres() {
  const free = Object.entries(game.board.spaces).filter(([code, space]) => space.centre && !ownerOf(game.view.position, code)).map(([code]) => nameOf(code)).sort();
  if (!free.length) return null;
  const few = free.length <= 14;
  return h('div', { class: 'unowned' }, h('h3', {}, few ? t('Unowned') : plural('{count} unowned centre', '{count} unowned centres', free.length)), few ? h('p', {}, free.join(', ')) : null);
}

/** Fill a list of powers: beside the map on a wide screen, in the drawer on a phone. */
export function powersList(place, { heading = 'h2' } = {}) {
  const { view } = game;
  const goal = view.to_win;
  const sorted = [...view.powers].filter((power) => power.played || power.centres || power.units)
    .sort((a, b) => b.score - a.score);
  const many = ownPowers().length > 1;
  return refill(place,
    h('div', { class: 'rail-head' }, h(heading, {}, scoreTitle(game.view.counted)), goal ? h('span', { title: t('{condition} win', { condition: view.victory.text }) }, t('{count} win', { count: goal })) : null),
    h('ul', { class: 'powers' }, sorted.map((power) => powerRow(power, goal)), hasGameMaster() ? masterRow() : null),
    votesRail(),
    game.warmUpNote ? h('p', { class: 'warmth' }, icon('chip'), h('span', {}, game.warmUpNote)) : null,
    unownedCentres(),
    mapSymbols(t('Map symbols')),
    many ? h('div', { class: 'rail-tools' },
      toggleField(t("Show everyone's orders"), game.everyone, (on) => { game.everyone = on; emitChange(); }),
      toggleField(t('Hide orders between players'), settings.curtain, (on) => document.dispatchEvent(new CustomEvent('curtain', { detail: on })))) : null);
}

export function toggleField(words, on, set) {
  return h('label', { class: 'toggle' }, h('input', { type: 'checkbox', checked: on, 'data-key': `toggle ${words}`, onchange: (event) => set(event.target.checked) }), h('span', {}, words));
}
