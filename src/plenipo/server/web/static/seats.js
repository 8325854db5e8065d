/* Who plays what in a game between people, what may be done with a seat, and what happened beside the moves. */
import * as act from './act.js';
import { ask } from './api.js';
import { h } from './dom.js';
import { api, changed, game, take } from './state.js';

let offered = null;
let sure = '';
let journal = null;

const doing = (power, what, more = {}) => act.doing(async () => {
  sure = '';
  const found = await ask(api('/seats'), { method: 'POST', body: { power, act: what, ...more } });
  offered = found.link ? { power, what, link: new URL(found.link, location.href).href } : null;
  await take(found.view);
  changed();
});

const button = (power, what, words, more) =>
  h('button', { type: 'button', class: 'btn tight', 'data-key': `seat ${power} ${what}`, onclick: () => doing(power, what, more) }, words);

/** Something that cannot be undone is asked about once, in place. */
const careful = (power, what, words, question) => (sure === `${power} ${what}`
  ? h('span', { class: 'sure' }, question, ' ', button(power, what, 'Yes'),
    h('button', { type: 'button', class: 'btn tight', onclick: () => { sure = ''; changed(); } }, 'No'))
  : h('button', { type: 'button', class: 'btn tight', 'data-key': `ask ${power} ${what}`, onclick: () => { sure = `${power} ${what}`; changed(); } }, words));

const KINDS = { substitute: 'took over', sitter: 'for a while' };

function line(power) {
  const { viewer, players, time } = game.view;
  const here = players.filter((player) => player.power === power.name);
  const sitter = here.find((player) => player.kind === 'sitter');
  const own = here.some((player) => player.me && player.kind !== 'sitter');
  const vacant = time?.vacant.includes(power.name);
  const who = here.length ? here.map((player) => `${player.name}${KINDS[player.kind] ? `, ${KINDS[player.kind]}` : ''}`).join('; ')
    : power.computer ? 'a computer' : vacant ? 'nobody' : 'whoever has the link';
  const tools = [];
  if (own && !sitter) tools.push(button(power.name, 'lend', 'Lend it'));
  if (sitter && (own || sitter.me || viewer.all_seats)) tools.push(button(power.name, 'take back', sitter.me ? 'Give it back' : 'Take it back'));
  if (own || viewer.all_seats) tools.push(button(power.name, 'offer', power.computer ? 'Find a player' : 'Find a substitute'));
  if (own) tools.push(careful(power.name, 'resign', 'Resign', `Leave ${power.name} for good?`));
  if (viewer.all_seats && here.length && !own) tools.push(careful(power.name, 'remove', 'Take the seat', `Take ${power.name} from ${here[0].name}?`));
  if (viewer.all_seats && vacant) tools.push(button(power.name, 'computer', 'A computer plays'));
  if (!here.length && viewer.seats.includes(power.name) && !viewer.all_seats && game.view.seating === 'links') {
    tools.push(h('form', { class: 'claim', method: 'post', action: `/games/${encodeURIComponent(game.view.id)}/claim` },
      h('input', { type: 'hidden', name: 'power', value: power.name }),
      h('label', { class: 'label', for: 'claim' }, 'Put your name to it'),
      h('input', { class: 'field', id: 'claim', name: 'name', required: true, maxlength: 40, autocomplete: 'nickname' }),
      h('button', { class: 'btn tight', type: 'submit' }, 'That is me')));
  }
  const link = offered?.power === power.name ? h('p', { class: 'shared' },
    h('label', { class: 'label', for: 'offer' }, offered.what === 'lend' ? `Whoever opens this link looks after ${power.name}` : `Whoever opens this link plays ${power.name} from then on`),
    h('input', { class: 'field', id: 'offer', readonly: true, value: offered.link, onfocus: (event) => event.target.select() })) : null;
  return h('li', {}, h('b', {}, power.name), h('span', { class: 'note' }, who), tools.length ? h('span', { class: 'tools' }, tools) : null, link);
}

const showJournal = () => act.doing(async () => {
  journal = (await ask(api('/journal'))).entries;
  changed();
});

const when = (instant) => new Date(instant).toLocaleString('en-GB', { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' });

/** Who plays what, for games in which people sit by name. */
export function seatsSection() {
  const { time, players, powers, over } = game.view;
  if (!time && !players.length) return null;
  return h('section', {}, h('h3', {}, 'Seats'),
    over ? h('ul', { class: 'seat-list' }, powers.filter((power) => players.some((player) => player.power === power.name)).map((power) =>
      h('li', {}, h('b', {}, power.name), h('span', { class: 'note' }, players.filter((player) => player.power === power.name).map((player) => player.name + (player.wishes.length ? ` (wished for ${player.wishes.join(', ')})` : '')).join(', ')))))
      : h('ul', { class: 'seat-list' }, powers.map(line)),
    journal ? h('div', {}, h('h3', {}, 'Journal'), journal.length
      ? h('ol', { class: 'journal' }, [...journal].reverse().map((entry) => h('li', {}, h('span', { class: 'note' }, when(entry.at)), ' ', entry.sentence)))
      : h('p', { class: 'note' }, 'Nothing has happened beside the moves.'))
      : h('button', { type: 'button', class: 'btn', 'data-key': 'journal', onclick: showJournal }, 'What happened beside the moves'));
}
