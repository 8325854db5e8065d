/* The page for hosting a game; its times are in the time zone of this browser. */
import { requestJson } from './api.js';
import { h } from './dom.js';
import { formatDate, joinNames, translateSentence, t } from './i18n.js';
import { setUpThemes } from './theme.js';

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (timeZone) {
  document.getElementById('zone').value = timeZone;
  document.getElementById('zone-words').textContent = t('Times are in your time zone, {zone}.', { zone: timeZone.replaceAll('_', ' ') });
}
setUpThemes();

const form = document.getElementById('new-game');
const words = document.getElementById('schedule-words');
let asked = 0;

/** Explain the schedule in the form, with its next three deadlines. */
async function explain() {
  const mine = ++asked;
  const answer = await fetch('/host/schedule', { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  const found = await answer.json();
  if (mine !== asked) return;
  words.replaceChildren(...(found.fault ? [h('p', { class: 'fault' }, translateSentence(found.refusal))] : [
    ...found.sentences.map((one) => h('p', { class: 'note' }, translateSentence(one))),
    ...(found.next.length ? [h('p', { class: 'note' }, t('If the game started now, the first deadlines would be {times}.', {
      times: joinNames(found.next.map((instant) => formatDate(instant, 'long'))),
    }))] : []),
  ]));
}
const usualOption = (select) => [...select.options].find((option) => option.defaultSelected) ?? select.options[0];

const wordsOf = (element) => element?.textContent.split(':')[0].trim();
const labelWords = (box) => wordsOf(box.closest('label').querySelector('b') ?? box.closest('label').querySelector('span'));

/** Return the words of the choices that a part of the form has at present; of some parts only those that are not usual. */
function chosenWords(part) {
  if (part.matches('select')) return part.dataset.line === 'changed' && part.value === usualOption(part).value ? [] : [wordsOf(part.selectedOptions[0])];
  const boxes = part.querySelectorAll('.preset :is(input[type=radio],input[type=checkbox]):checked, input[type=radio]:checked');
  return [...boxes].map(labelWords);
}

/** Show in one line on each card what it sets. */
function summarise() {
  for (const card of document.querySelectorAll('.host-card')) {
    card.querySelector('.host-line').textContent = [...card.querySelectorAll('[data-line]')].flatMap(chosenWords).filter(Boolean).join(' · ');
  }
}

/** Return the fields of the cards that differ from their defaults; the name and the last day are of one game only. */
function changedFields() {
  const fields = {};
  const boxes = {};
  for (const one of document.querySelectorAll('.host-card :is(input,select)[name]')) {
    if (one.id === 'game-title' || one.id === 'end-at') continue;
    if (one.type === 'checkbox') (boxes[one.name] ??= []).push(one);
    else if (one.type === 'radio') {
      if (one.checked && !one.defaultChecked) fields[one.name] = one.value;
    } else if (one.value !== (one.matches('select') ? usualOption(one).value : one.defaultValue)) fields[one.name] = one.value;
  }
  for (const [name, some] of Object.entries(boxes)) {
    if (some.some((one) => one.checked !== one.defaultChecked)) fields[name] = some.filter((one) => one.checked).map((one) => one.value);
  }
  return fields;
}

/** Set the fields of a preset; all others of the cards go back to their defaults. */
function applyPreset(button) {
  const fields = JSON.parse(button.dataset.fields);
  for (const one of document.querySelectorAll('.host-card :is(input,select)')) {
    if (one.id === 'game-title') continue;
    const wanted = fields[one.name];
    if (one.type === 'radio' || one.type === 'checkbox') one.checked = wanted === undefined ? one.defaultChecked : [wanted].flat().includes(one.value);
    else if (one.matches('select')) one.value = [...one.options].some((option) => option.value === wanted) ? wanted : usualOption(one).value;
    else one.value = wanted ?? one.defaultValue;
  }
  for (const other of presets.children) other.setAttribute('aria-pressed', String(other === button));
  form.dispatchEvent(new Event('change'));
}

const presets = document.getElementById('host-presets');
presets.hidden = false;
presets.addEventListener('click', (event) => {
  const button = event.target.closest('[data-fields]');
  if (button) applyPreset(button);
});
const saving = document.getElementById('save-preset');
const said = document.getElementById('preset-said');

/** Show the saved presets as buttons after the others. */
function showPresets(list) {
  for (const old of presets.querySelectorAll('[data-saved]')) old.remove();
  presets.append(...list.map(({ name, fields }) => h('button', {
    class: 'chip', type: 'button', 'aria-pressed': 'false', 'data-saved': name, 'data-fields': JSON.stringify(fields),
  }, name)));
}

async function savePreset() {
  const name = document.getElementById('preset-name').value.trim();
  try {
    showPresets((await requestJson('/api/me/presets', { method: 'POST', body: { name, fields: changedFields() } })).presets);
    said.textContent = t('Saved: {name}', { name });
  } catch (error) {
    said.textContent = error.message;
  }
}

if (saving) {
  saving.hidden = false;
  document.getElementById('preset-save').addEventListener('click', savePreset);
  document.getElementById('preset-name').addEventListener('keydown', (event) => {
    if (event.key !== 'Enter') return;
    event.preventDefault();
    savePreset();
  });
}
// a field that the browser refuses is shown, even in a closed card
form.addEventListener('invalid', (event) => { const fold = event.target.closest('details'); if (fold) fold.open = true; }, true);
form.addEventListener('change', summarise);
summarise();
form.addEventListener('change', () => explain().catch(() => null));
explain().catch(() => null);
