/* The game itself: files, sharing, taking back, agreeing a draw, and what it is played by. */
import { introduction } from './about.js';
import * as act from './act.js';
import { ask, path } from './api.js';
import { h, icon, refill } from './dom.js';
import { api, eyes, game, setSetting, settings } from './state.js';
import { toggle } from './powers.js';
import { endSection } from './panel-end.js';
import { reviewSection } from './panel-review.js';
import { seatsSection } from './seats.js';
import { timeSection } from './time.js';

let shared = '';
let sure = '';

const pictureOf = (kind, extra = {}) => {
  const { moment, view } = game;
  const question = moment ? { turn: moment.part === 'after' ? moment.turn + 1 : moment.turn, results: moment.part === 'orders' ? 1 : 0 } : {};
  return path(`/games/${encodeURIComponent(view.id)}/picture.${kind}`, { ...question, theme: document.documentElement.dataset.theme, seat: eyes(), ...extra });
};

const nameOf = (kind) => `${game.view.variant}-${(game.moment ? game.turns.get(game.moment.turn)?.phase : game.view.phase)?.code ?? 'map'}.${kind}`;

function save(blob, name) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 30000);
}

/** The picture as pixels: the server's, or drawn by this browser where the server cannot. */
const png = () => act.doing(async () => {
  const answer = await fetch(pictureOf('png', { width: 1600 }));
  if (answer.ok) return save(await answer.blob(), nameOf('png'));
  const text = await (await fetch(pictureOf('svg'))).text();
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  await image.decode();
  const [, , w, h2] = /viewBox="([^"]+)"/.exec(text)[1].split(' ').map(Number);
  const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: Math.round((1600 * h2) / w) });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return save(await new Promise((done) => { canvas.toBlob(done, 'image/png'); }), nameOf('png'));
});

const share = () => act.doing(async () => {
  const turn = game.moment ? game.moment.turn + (game.moment.part === 'after' ? 1 : 0) : undefined;
  const found = await ask(api('/share'), { method: 'POST', body: turn === undefined ? {} : { turn } });
  shared = new URL(found.url, location.href).href;
  await navigator.clipboard?.writeText(shared).catch(() => null);
});

/** A deed that is asked about once, in place. */
function careful(key, words, question, deed) {
  if (sure !== key) return h('button', { type: 'button', class: 'btn wide', 'data-key': key, onclick: () => { sure = key; redraw(); } }, words);
  return h('div', { class: 'sure' }, h('p', {}, question),
    h('button', { type: 'button', class: 'btn main', 'data-key': key, onclick: () => { sure = ''; deed(); } }, 'Yes'),
    h('button', { type: 'button', class: 'btn', onclick: () => { sure = ''; redraw(); } }, 'No'));
}

let pane = null;
const redraw = () => pane && gamePanel(pane);

function facts() {
  const { view } = game;
  const rows = [['Variant', view.title], ...Object.entries(view.options ?? {}), ['Turns played', String(view.turn)]];
  if (view.commitment) rows.push(['Seed, committed', view.commitment]);
  return h('dl', { class: 'game-facts' }, rows.map(([name, value]) => [h('dt', {}, name), h('dd', {}, String(value))]));
}

/** Where the game tells of itself; its keeper says it. */
function hookSection() {
  const { view } = game;
  if (!view.viewer.all_seats || !view.time || view.over) return null;
  return h('details', { class: 'agreed' }, h('summary', {}, 'Tell a channel of each turn'),
    h('form', { method: 'post', action: `/games/${encodeURIComponent(view.id)}/hook` },
      h('label', { class: 'label', for: 'hook' }, 'Address of a webhook, as Discord has them; empty for none'),
      h('input', { class: 'field', id: 'hook', name: 'url', type: 'url', maxlength: '320', placeholder: 'https://' }),
      h('p', { class: 'note' }, 'Results go there with the picture of the turn; never anything secret. They are signed as Standard Webhooks has it: ',
        h('a', { href: `/games/${encodeURIComponent(view.id)}/hook` }, 'the secret'), '.'),
      h('button', { type: 'submit', class: 'btn tight' }, 'Keep it')));
}

/** Fill `place` with the tools of the game. */
export function gamePanel(place) {
  pane = place;
  const { view } = game;
  const moment = game.moment ? game.turns.get(game.moment.turn)?.phase.text : view.phase.text;
  return refill(place,
    h('div', { class: 'pane-head' }, h('h2', {}, 'The game')),
    endSection(),
    reviewSection(),
    introduction(),
    timeSection(),
    seatsSection(),
    hookSection(),
    facts(),
    h('section', {}, h('h3', {}, 'Save and share'),
      h('p', { class: 'note' }, `Pictures and links are of the moment on the map: ${moment}.`),
      h('div', { class: 'tools' },
        h('a', { class: 'btn', href: api('/record'), download: `${view.variant}-${view.id}.json`, 'data-key': 'record' }, 'Record'),
        h('a', { class: 'btn', href: pictureOf('svg'), download: nameOf('svg'), 'data-key': 'svg' }, 'SVG'),
        h('button', { type: 'button', class: 'btn', 'data-key': 'png', onclick: png }, 'PNG'),
        view.turn ? h('a', { class: 'btn', href: path(`/games/${encodeURIComponent(view.id)}/report`, { turn: Math.min(game.moment?.turn ?? view.turn, view.turn - 1), seat: eyes() }), 'data-key': 'report' }, 'Report') : null,
        h('button', { type: 'button', class: 'btn', 'data-key': 'share', id: 'share', onclick: share }, 'Link')),
      shared ? h('p', { class: 'shared' }, h('label', { class: 'label', for: 'shared' }, 'Whoever opens this link sees the position'),
        h('input', { class: 'field', id: 'shared', readonly: true, value: shared, onfocus: (event) => event.target.select() })) : null),
    h('section', {}, h('h3', {}, 'What if'),
      h('p', { class: 'note' }, 'A game apart from here on: try orders, compare, throw it away.'),
      h('button', { type: 'button', class: 'btn wide', 'data-key': 'fork', onclick: () => act.fork(game.moment?.turn ?? view.turn) }, icon('fork'), `What if … from ${moment}`)),
    view.viewer.all_seats && view.seating !== 'links' ? h('section', {}, h('h3', {}, 'The game'),
      h('div', { class: 'stack' },
        view.turn > 0 ? careful('take-back', 'Take the last turn back', 'The last turn is undone and its orders come back. Take it back?', act.takeBack) : null,
        view.over ? null : careful('draw', 'Agree a draw', 'The game ends here, drawn between all who are left. Agree?', act.draw))) : null,
    h('section', {}, h('h3', {}, 'This browser'),
      toggle('Single keys (without Ctrl) give orders', settings.keys, (on) => setSetting('keys', on)),
      h('p', {}, h('a', { href: '/' }, 'All variants and your other games'))));
}
