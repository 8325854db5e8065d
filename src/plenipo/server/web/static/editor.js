/* The editor of positions: units and owners of centres are set on the map with the mouse, touch or keys. The fields of
   the form hold the position; the server reads and draws them. */
import { postForm } from './api.js';
import { Board } from './board.js';
import { h, readJson, token } from './dom.js';
import { t, translateName } from './i18n.js';
import { setUpThemes } from './theme.js';
import { UNIT_NAMES } from './words.js';

const { powers } = readJson('the-powers');
const data = readJson('the-board');
const form = document.getElementById('edit');
const status = document.getElementById('edit-status');
const fault = document.getElementById('edit-fault');
const MOVE = 'move';
const CENTRE = 'centre';
const REMOVE = 'remove';
const DISLODGE = 'dislodge';
const KINDS = Object.keys(data.kinds);
const state = { tool: MOVE, power: powers[0].name, picked: null, undo: [], good: null };
setUpThemes();

const nameOf = (space) => translateName(data.spaces[space]?.name ?? space);

// ---------------------------------------------------------------- the fields of the form

const fieldOf = (what, power) => form.elements[`${what} ${power}`];
const partsOf = (field) => field.value.split(',').map((part) => part.trim()).filter(Boolean);
const write = (field, parts) => { field.value = parts.join(', '); };
const valuesOf = () => [...form.elements].filter((one) => one.name).map((one) => [one, one.value]);
const restore = (values) => values.forEach(([one, value]) => { one.value = value; });
const spaceOf = (unit) => unit.replace(/^\S+ +/, '').replace(/\/\w+$/, '').toUpperCase();

/** Return the unit in a space as {power, text}; undefined for none. */
const unitAt = (space) => powers.map(({ name }) => ({ power: name, text: partsOf(fieldOf('units', name)).find((unit) => spaceOf(unit) === space) })).find(({ text }) => text);
const ownerOf = (space) => powers.find(({ name }) => partsOf(fieldOf('centres', name)).includes(space))?.name;

/** Empty a space, and put a unit there if one is given. */
function setUnit(space, power = '', text = '') {
  for (const { name } of powers) {
    const rest = partsOf(fieldOf('units', name)).filter((unit) => spaceOf(unit) !== space);
    write(fieldOf('units', name), name === power && text ? [...rest, text] : rest);
  }
}

function setOwner(space, power = '') {
  for (const { name } of powers) {
    const rest = partsOf(fieldOf('centres', name)).filter((centre) => centre !== space);
    write(fieldOf('centres', name), name === power ? [...rest, space] : rest);
  }
}

/** List the texts of a unit of a kind in a space: without a coast, and on each. The server knows which can be. */
const listUnits = (kind, space) => ['', ...data.spaces[space].coasts].map((coast) => `${kind} ${space}${coast && `/${coast}`}`);

// ---------------------------------------------------------------- changes

let queue = Promise.resolve();

/** Return the message beside a field of the form that the server refused before. */
const refusal = () => document.getElementById('refused');

function showFault(words) {
  fault.textContent = words;
  fault.hidden = !words;
}

/** Do one thing after the other, so that each begins with a position that the server accepted. */
function enqueue(work, { isFirst = false } = {}) {
  queue = queue.then(() => {
    if (!isFirst) refusal()?.remove();
    return work();
  }).catch((refused) => {
    if (!refusal()) showFault(refused.message);
  });
}

function say(words) {
  showFault('');
  status.textContent = words;
}

/** Draw the position of the fields. Throws `Refused` for one that cannot be. */
async function draw() {
  const picture = await postForm('/position/edit.svg', new FormData(form));
  state.good = valuesOf();
  board.setPicture(picture);
  mark();
}

/** Try changes until the server accepts one; if it accepts none, leave the position as it was and tell the first
    refusal. */
async function attempt(changes, words) {
  const before = valuesOf();
  let first = null;
  for (const change of changes) {
    try {
      change();
      await draw();
      state.undo.push(before);
      say(words);
      return;
    } catch (refused) {
      restore(before);
      first ??= refused;
      if (refused.status !== 422) break;
    }
  }
  throw first;
}

async function moveUnit(from, to) {
  const unit = unitAt(from);
  state.picked = null;
  mark();
  if (!unit || from === to) return;
  const kind = unit.text.split(' ')[0];
  await attempt(listUnits(kind, to).map((text) => () => {
    setUnit(from);
    setUnit(to, unit.power, text);
  }), t('{unit} is now in {space}.', { unit: unit.text, space: nameOf(to) }));
}

async function placeUnit(kind, space) {
  const { power } = state;
  const texts = listUnits(kind, space);
  const here = unitAt(space);
  const at = here?.power === power ? texts.indexOf(here.text) : -1;
  const rest = texts.slice(at + 1);
  const place = (text) => () => setUnit(space, power, text);
  const changes = at < 0 ? texts.map(place) : [...rest.map(place), () => setUnit(space)];
  await attempt(changes, '');
  const now = unitAt(space);
  say(now ? t('{unit} of {power} is in {space}.', { unit: now.text, power: translateName(power), space: nameOf(space) }) : t('{space} is empty.', { space: nameOf(space) }));
}

async function changeOwner(space) {
  if (!data.spaces[space].centre) throw new Error(t('{place} is not a supply centre.', { place: nameOf(space) }));
  const power = ownerOf(space) === state.power ? '' : state.power;
  await attempt([() => setOwner(space, power)], power ? t('{space} belongs to {power}.', { space: nameOf(space), power: translateName(power) }) : t('{space} belongs to nobody.', { space: nameOf(space) }));
}

/** Return the dislodged unit of a space as {power, text}; undefined for none. */
const dislodgedAt = (space) => powers.map(({ name }) => ({ power: name, text: partsOf(fieldOf('dislodged', name)).find((unit) => spaceOf(unit.replace(/ from .*$/, '')) === space) })).find(({ text }) => text);

/** Dislodge the unit in a space, or put the dislodged one back. */
async function changeDislodged(space) {
  const unit = unitAt(space);
  const gone = dislodgedAt(space);
  if (!unit && !gone) throw new Error(t('There is no unit in {space}.', { space: nameOf(space) }));
  if (unit && gone) throw new Error(t('{unit} is dislodged already; remove the other unit first to put it back.', { unit: gone.text }));
  const { power, text } = unit ?? gone;
  const field = fieldOf('dislodged', power);
  await attempt([() => {
    setUnit(space, ...(unit ? [] : [power, text.replace(/ from .*$/, '')]));
    write(field, unit ? [...partsOf(field), text] : partsOf(field).filter((one) => one !== text));
  }], unit ? t('{unit} is dislodged.', { unit: text }) : t('{unit} is no longer dislodged.', { unit: text }));
}

async function removeUnit(space) {
  const unit = unitAt(space);
  if (!unit) throw new Error(t('There is no unit in {space}.', { space: nameOf(space) }));
  await attempt([() => setUnit(space)], t('{unit} is removed.', { unit: unit.text }));
}

/** Use the tool on a space. */
async function useTool(space) {
  const { tool, picked } = state;
  if (tool === CENTRE) return changeOwner(space);
  if (tool === REMOVE) return removeUnit(space);
  if (tool === DISLODGE) return changeDislodged(space);
  if (tool !== MOVE) return placeUnit(tool, space);
  if (picked) return moveUnit(picked, space);
  const unit = unitAt(space);
  if (!unit) throw new Error(t('There is no unit in {space}.', { space: nameOf(space) }));
  state.picked = space;
  mark();
  return say(t('Where does {unit} go?', { unit: unit.text }));
}

const undo = () => enqueue(async () => {
  const isTyped = state.good.some(([one, value]) => one.value !== value); // and the server refused it
  const last = isTyped ? state.good : state.undo.pop();
  if (!last) return say(t('Nothing to undo.'));
  state.picked = null;
  restore(last);
  await draw();
  return say(t('Last change undone.'));
});

// ---------------------------------------------------------------- the map

let pulled = null;

const board = new Board(document.getElementById('map'), {
  tap({ space, drop }) {
    if (!space || !data.spaces[space]) return;
    const from = pulled;
    enqueue(() => (drop ? moveUnit(from, space) : useTool(space)));
  },
  hover(space) {
    const from = pulled ?? state.picked;
    board.drawPreview(from, from ? space : null);
  },
  pull(space) {
    pulled = unitAt(space) ? space : null;
    return pulled !== null;
  },
  pullsByTouch: true,
  /** Tell whether a pointer means the space under it, and not a unit near it. */
  isExact: (pulls) => pulls || state.picked !== null || ![MOVE, REMOVE, DISLODGE].includes(state.tool),
});

for (const end of ['pointerup', 'pointercancel']) {
  document.getElementById('map').addEventListener(end, () => {
    pulled = null;
    board.drawPreview(null);
  });
}

const mark = () => board.highlight({ selected: state.picked });

// ---------------------------------------------------------------- the tools

const HINTS = {
  [MOVE]: t('Drag a unit to another space, or choose it and then the space.'),
  [CENTRE]: t('Choose a centre for the power; choose it again to free it.'),
  [REMOVE]: t('Choose the unit to remove.'),
  [DISLODGE]: t('In a retreat phase, choose the unit that must retreat; choose it again to put it back.'),
};
const hint = () => HINTS[state.tool] ?? t('Choose the space of the unit; choose it again for another coast, or to remove the unit.');

function chooseTool(tool) {
  Object.assign(state, { tool, picked: null });
  mark();
  showTools();
  say(hint());
}

const spaces = Object.keys(data.spaces).filter((space) => !data.spaces[space].impassable)
  .map((space) => [nameOf(space), space]).sort(([a], [b]) => a.localeCompare(b, document.documentElement.lang));
const spaceMenu = h('select', { class: 'field', id: 'edit-space' }, spaces.map(([name, space]) => h('option', { value: space }, name)));
const powerMenu = h('select', { class: 'field', id: 'edit-power', onchange: () => { state.power = powerMenu.value; showTools(); } },
  powers.map(({ name }) => h('option', { value: name }, translateName(name))));
const toolBox = h('div', { class: 'edit-tools', role: 'group', 'aria-label': t('Tool') });

/** Show the tools, with the units in the colours of the power. */
function showTools() {
  const focused = document.activeElement?.dataset.tool;
  const { slug } = powers.find(({ name }) => name === state.power);
  const button = (tool, ...content) => h('button', { type: 'button', class: 'chip', 'data-tool': tool, 'aria-pressed': String(state.tool === tool), onclick: () => chooseTool(tool) }, content);
  toolBox.replaceChildren(
    button(MOVE, t('Move unit')),
    ...KINDS.map((kind) => button(kind, token(kind, slug), UNIT_NAMES[kind] ?? translateName(data.kinds[kind]))),
    button(CENTRE, t('Own centre')),
    button(REMOVE, t('Remove unit')),
    button(DISLODGE, t('Dislodge unit')),
  );
  if (focused) toolBox.querySelector(`[data-tool="${CSS.escape(focused)}"]`)?.focus();
}

document.getElementById('tools').append(
  h('label', { class: 'label', for: 'edit-power' }, t('Power')), powerMenu, toolBox,
  h('label', { class: 'label', for: 'edit-space' }, t('Space')),
  h('div', { class: 'edit-by-name' }, spaceMenu, h('button', { type: 'button', class: 'btn', id: 'edit-use', onclick: () => enqueue(() => useTool(spaceMenu.value)) }, t('Choose'))),
);
document.getElementById('edit-undo').addEventListener('click', undo);
for (const hidden of document.querySelectorAll('[data-with-script]')) hidden.hidden = false;

document.querySelector('.zoom').addEventListener('click', (event) => {
  const how = event.target.closest('[data-zoom]')?.dataset.zoom;
  if (how === 'fit') board.fit();
  else if (how) board.zoom(how === 'in' ? 1 / 1.4 : 1.4);
});

const picture = document.querySelector('#map > svg');
board.setData(data);
board.setPicture(picture);
state.good = valuesOf();
chooseTool(MOVE);

/** Draw what was typed; a refusal leaves it in the field. A refused form is filled in again by another script, which tells
    so by a `change` of the form itself. */
const drawTyped = (how) => enqueue(async () => {
  const before = state.good;
  await draw();
  state.undo.push(before);
  say(hint());
}, how);
form.addEventListener('change', (event) => drawTyped({ isFirst: event.target === form }));
