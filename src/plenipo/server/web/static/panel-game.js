/* The game panel: result, deadlines, players, settings, files, links, undo and draw. */
import { introduction } from './about.js';
import * as act from './act.js';
import { requestJson, withQuery } from './api.js';
import { h, icon, refill } from './dom.js';
import { t, tx } from './i18n.js';
import { apiPath, emitChange, viewpoint, game, setSetting, settings } from './state.js';
import { toggleField } from './powers.js';
import { notesSection } from './notes.js';
import { endSection } from './panel-end.js';
import { reviewSection } from './panel-review.js';
import { press } from './panels.js';
import { fileName, pictureOf, savePng } from './pictures.js';
import { seatsSection } from './seats.js';
import { timeSection } from './time.js';

let sharedLink = '';
let confirming = '';

async function positionLink() {
  const turn = game.moment ? game.moment.turn + (game.moment.part === 'after' ? 1 : 0) : undefined;
  return (await requestJson(apiPath('/share'), { method: 'POST', body: turn === undefined ? {} : { turn } })).url;
}

const sharePosition = () => act.enqueue(async () => {
  sharedLink = new URL(await positionLink(), location.href).href;
  await navigator.clipboard?.writeText(sharedLink).catch(() => null);
});

const editPosition = () => act.enqueue(async () => {
  location.href = (await positionLink()).replace('/position?', '/position/edit?');
});

/** Write to all players about the moment on the map, with a link to it. */
function discussMoment() {
  const { moment, view } = game;
  const turn = moment ? moment.turn + (moment.part === 'after' ? 1 : 0) : view.turn;
  const address = new URL(withQuery(`/games/${encodeURIComponent(view.id)}`, { turn, results: moment?.part === 'orders' ? 1 : undefined }), location.href);
  const phase = moment ? game.turns.get(moment.turn)?.phase.text : view.phase.text;
  press().discuss(`${phase}: ${address.href}`);
}

/** Return a button that asks for confirmation in place. */
function confirmButton(key, words, question, action) {
  if (confirming !== key) return h('button', { type: 'button', class: 'btn wide', 'data-key': key, onclick: () => { confirming = key; redraw(); } }, words);
  return h('div', { class: 'sure' }, h('p', {}, question),
    h('button', { type: 'button', class: 'btn main', 'data-key': key, onclick: () => { confirming = ''; action(); } }, t('Yes')),
    h('button', { type: 'button', class: 'btn', onclick: () => { confirming = ''; redraw(); } }, t('No')));
}

let pane = null;
const redraw = () => pane && gamePanel(pane);

function factList() {
  const { view } = game;
  const rows = [[t('Variant'), view.title], ...Object.entries(view.options ?? {}), [t('Turns played'), String(view.turn)]];
  if (view.commitment) rows.push([t('Fairness: committed seed'), view.commitment]);
  return h('dl', { class: 'game-facts' }, rows.map(([name, value]) => [h('dt', {}, name), h('dd', {}, String(value))]));
}

/** Return the form for the webhook of the game; null unless you host it. */
function webhookForm() {
  const { view } = game;
  if (!view.viewer.all_seats || !view.time || view.over) return null;
  return h('details', { class: 'agreed' }, h('summary', {}, t('Discord webhook')),
    h('form', { method: 'post', action: `/games/${encodeURIComponent(view.id)}/hook` },
      h('label', { class: 'label', for: 'hook' }, t('Address of a webhook; leave empty for none')),
      h('input', { class: 'field', id: 'hook', name: 'url', type: 'url', maxlength: '320', placeholder: 'https://' }),
      h('p', { class: 'note' }, tx('Posts the results and the map of each turn, never secret information. Signed with {secret} (Standard Webhooks).', {
        secret: h('a', { href: `/games/${encodeURIComponent(view.id)}/hook` }, t('your secret')),
      })),
      h('button', { type: 'submit', class: 'btn tight' }, t('Save'))));
}

/** Fill `place` with the tools of the game. */
export function gamePanel(place) {
  pane = place;
  const { view } = game;
  const moment = game.moment ? game.turns.get(game.moment.turn)?.phase.text : view.phase.text;
  return refill(place,
    h('div', { class: 'pane-head' }, h('h2', {}, t('Game'))),
    endSection({ analyse: false }),
    reviewSection(),
    introduction(),
    timeSection(),
    seatsSection(),
    notesSection(),
    webhookForm(),
    factList(),
    h('section', {}, h('h3', {}, t('Save and share')),
      h('p', { class: 'note' }, t('Pictures and links show the position on the map: {phase}.', { phase: moment })),
      h('div', { class: 'tools' },
        h('a', { class: 'btn', href: apiPath('/record'), download: `${view.variant}-${view.id}.json`, 'data-key': 'record' }, t('Record')),
        h('a', { class: 'btn', href: pictureOf('svg'), download: fileName('svg'), 'data-key': 'svg' }, 'SVG'),
        h('button', { type: 'button', class: 'btn', 'data-key': 'png', onclick: savePng }, 'PNG'),
        view.turn ? h('a', { class: 'btn', href: withQuery(`/games/${encodeURIComponent(view.id)}/report`, { turn: Math.min(game.moment?.turn ?? view.turn, view.turn - 1), seat: viewpoint() }), 'data-key': 'report' }, t('Turn report')) : null,
        h('button', { type: 'button', class: 'btn', 'data-key': 'share', id: 'share', onclick: sharePosition }, t('Link')),
        press()?.canDiscuss() ? h('button', { type: 'button', class: 'btn', 'data-key': 'discuss', onclick: discussMoment }, t('Discuss')) : null),
      sharedLink ? h('p', { class: 'shared' }, h('label', { class: 'label', for: 'shared' }, t('Anyone with this link can see the position')),
        h('input', { class: 'field', id: 'shared', readonly: true, value: sharedLink, onfocus: (event) => event.target.select() })) : null),
    h('section', {}, h('h3', {}, t('What if')),
      h('p', { class: 'note' }, t('Try other orders in a copy of the game and compare.')),
      view.viewer.all_seats && view.seating !== 'links' ? h('button', { type: 'button', class: 'btn wide', 'data-key': 'edit position', onclick: editPosition }, t('Edit the position')) : null,
      h('button', { type: 'button', class: 'btn wide', 'data-key': 'fork', onclick: () => act.fork(game.moment?.turn ?? view.turn) }, icon('fork'), t('What if … from {phase}', { phase: moment }))),
    view.viewer.all_seats && view.seating !== 'links' ? h('section', {}, h('h3', {}, t('Game')),
      h('div', { class: 'stack' },
        view.turn > 0 ? confirmButton('take-back', t('Undo the last turn'), t('Undo the last turn and reopen its orders?'), act.undoTurn) : null,
        view.over ? null : confirmButton('draw', t('Agree to a draw'), t('End the game as a draw between all survivors?'), act.endAsDraw))) : null,
    h('section', {}, h('h3', {}, t('This browser')),
      toggleField(t('Tint provinces by the last unit in them'), settings.influence, (on) => { setSetting('influence', on); emitChange(); }),
      toggleField(t('Single-key shortcuts'), settings.keys, (on) => setSetting('keys', on)),
      view.time ? toggleField(t('Sound for turns, messages and votes'), settings.sound, (on) => setSetting('sound', on)) : null,
      h('p', {}, h('a', { href: '/' }, t('All variants and your games')))));
}
