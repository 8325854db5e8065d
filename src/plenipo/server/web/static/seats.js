/* The players of a game, the actions on a seat, and the game log. */
import * as act from './act.js';
import { requestJson } from './api.js';
import { h } from './dom.js';
import { formatDate, joinNames, translateSentence, t, tx } from './i18n.js';
import { apiPath, emitChange, game, applyView } from './state.js';

let offer = null;
let confirming = '';
let log = null;

const changeSeat = (power, what, more = {}) => act.enqueue(async () => {
  confirming = '';
  const found = await requestJson(apiPath('/seats'), { method: 'POST', body: { power, act: what, ...more } });
  offer = found.link ? { power, what, link: new URL(found.link, location.href).href } : null;
  await applyView(found.view);
  emitChange();
});

const button = (power, what, words, more) =>
  h('button', { type: 'button', class: 'btn tight', 'data-key': `seat ${power} ${what}`, onclick: () => changeSeat(power, what, more) }, words);

/** Return a button that asks for confirmation in place. */
const confirmButton = (power, what, words, question) => (confirming === `${power} ${what}`
  ? h('span', { class: 'sure' }, question, ' ', button(power, what, t('Yes')),
    h('button', { type: 'button', class: 'btn tight', onclick: () => { confirming = ''; emitChange(); } }, t('No')))
  : h('button', { type: 'button', class: 'btn tight', 'data-key': `ask ${power} ${what}`, onclick: () => { confirming = `${power} ${what}`; emitChange(); } }, words));

const KINDS = { substitute: (player) => t('{player} (replacement)', { player }), sitter: (player) => t('{player} (sitter)', { player }) };

function seatItem(power) {
  const { viewer, players, time } = game.view;
  const here = players.filter((player) => player.power === power.name);
  const sitter = here.find((player) => player.kind === 'sitter');
  const own = here.some((player) => player.me && player.kind !== 'sitter');
  const vacant = time?.vacant.includes(power.name);
  const names = vacant ? t('vacant') : here.length ? joinNames(here.map((player) => KINDS[player.kind]?.(player.name) ?? player.name))
    : power.computer ? t('computer') : t('anyone with the link');
  const tools = [];
  if (own && !sitter) tools.push(button(power.name, 'lend', t('Ask a sitter')));
  if (sitter && (own || sitter.me || viewer.all_seats)) tools.push(button(power.name, 'take back', sitter.me ? t('Return the seat') : t('Take the seat back')));
  if (own || viewer.all_seats) tools.push(button(power.name, 'offer', power.computer ? t('Find a player') : t('Find a replacement')));
  if (own) tools.push(confirmButton(power.name, 'resign', t('Resign'), t('Leave {power} for good?', { power: power.name })));
  if (viewer.all_seats && here.length && !own) tools.push(confirmButton(power.name, 'remove', t('Remove {player}', { player: here[0].name }), t('Remove {player} from {power}?', { player: here[0].name, power: power.name })));
  if (viewer.all_seats && vacant) tools.push(button(power.name, 'computer', t('Replace with a computer')));
  if (!here.length && viewer.seats.includes(power.name) && !viewer.all_seats && game.view.seating === 'links') {
    tools.push(h('form', { class: 'claim', method: 'post', action: `/games/${encodeURIComponent(game.view.id)}/claim` },
      h('input', { type: 'hidden', name: 'power', value: power.name }),
      h('label', { class: 'label', for: 'claim' }, t('Your name')),
      h('input', { class: 'field', id: 'claim', name: 'name', required: true, maxlength: 40, autocomplete: 'nickname' }),
      h('button', { class: 'btn tight', type: 'submit' }, t('Claim seat'))));
  }
  const link = offer?.power === power.name ? h('p', { class: 'shared' },
    h('label', { class: 'label', for: 'offer' }, offer.what === 'lend' ? t('Anyone who opens this link plays {power} until you take the seat back', { power: power.name }) : t('Anyone who opens this link takes over {power}', { power: power.name })),
    h('input', { class: 'field', id: 'offer', readonly: true, value: offer.link, onfocus: (event) => event.target.select() })) : null;
  return h('li', {}, h('b', {}, power.name), h('span', { class: 'note' }, names), tools.length ? h('span', { class: 'tools' }, tools) : null, link);
}

const showLog = () => act.enqueue(async () => {
  log = (await requestJson(apiPath('/journal'))).entries;
  emitChange();
});

/** Return the name of a player of a finished game, with the powers that the player preferred. */
const describePreferences = ({ name, preferences: powers }) => (powers.length ? t('{player} (preferred {powers})', { player: name, powers: joinNames(powers) }) : name);

/** Return the section of the players, with the game log on demand. */
export function seatsSection() {
  const { time, players, powers, over } = game.view;
  if (!time && !players.length) return null;
  return h('section', {}, h('h3', {}, t('Players')),
    over ? h('ul', { class: 'seat-list' }, powers.filter((power) => players.some((player) => player.power === power.name)).map((power) =>
      h('li', {}, h('b', {}, power.name), h('span', { class: 'note' }, joinNames(players.filter((player) => player.power === power.name).map(describePreferences))))))
      : h('ul', { class: 'seat-list' }, powers.map(seatItem)),
    log ? h('div', {}, h('h3', {}, t('Game log')), log.length
      ? h('ol', { class: 'journal' }, [...log].reverse().map((entry) => h('li', {}, tx('{time} {event}', { time: h('span', { class: 'note' }, formatDate(entry.at)), event: translateSentence(entry.said) }))))
      : h('p', { class: 'note' }, t('The game log is empty.')))
      : h('button', { type: 'button', class: 'btn', 'data-key': 'journal', onclick: showLog }, t('Game log')));
}
