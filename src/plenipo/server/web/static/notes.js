/* Private notes about the game, a power or a thread: kept by the server, and read by their writer alone. */
import * as act from './act.js';
import { requestJson } from './api.js';
import { h } from './dom.js';
import { translateName, t } from './i18n.js';
import { apiPath, emitChange, game } from './state.js';

/** The most characters of a note. */
const LONGEST = 4000;

const keyOf = (about) => [...about].sort().join('+');
const texts = new Map();
const unfolded = new Set();
let state = '';

/** Tell whether this page may keep notes: its reader plays or hosts a game among people. */
export const canKeepNotes = () => game.view.seating === 'links' && Boolean(game.view.time) && (game.view.viewer.all_seats || game.view.players.some((one) => one.me));

async function load() {
  state = 'loading';
  try {
    const { notes } = await requestJson(apiPath('/notes'));
    for (const { about, text } of notes) if (!texts.has(keyOf(about))) texts.set(keyOf(about), text);
    state = 'loaded';
  } catch (error) {
    state = '';
    act.showError(error);
    return;
  }
  emitChange();
}

const save = (about, text) => act.enqueue(() => requestJson(apiPath('/notes'), { method: 'PUT', body: { about, text } }));

/** Return the note about something, folded while it is empty; it is saved when the field is left. */
export function noteField(about, title) {
  if (!state) load();
  const key = keyOf(about);
  const id = `note-${key.replace(/\W+/g, '-')}`;
  const text = texts.get(key) ?? '';
  return h('details', { class: 'agreed', open: Boolean(text) || unfolded.has(key), ontoggle: (event) => unfolded[event.target.open ? 'add' : 'delete'](key) },
    h('summary', { 'data-key': `fold ${id}` }, title),
    h('label', { class: 'sr', for: id }, t('{title}, only you can read this', { title })),
    h('textarea', {
      class: 'field', id, rows: '2', maxlength: String(LONGEST), value: text, disabled: state !== 'loaded', 'data-key': id, placeholder: t('Only you can read this'),
      oninput: (event) => texts.set(key, event.target.value),
      onchange: (event) => save(about, event.target.value),
    }));
}

/** Return the section with the notes about the game and its powers. */
export function notesSection() {
  if (!canKeepNotes()) return null;
  return h('section', {}, h('h3', {}, t('Private notes')), noteField([], t('The game')),
    game.view.powers.filter((power) => power.played).map((power) => noteField([power.name], translateName(power.name))));
}
