/* The page for hosting a game; its times are in the time zone of this browser. */
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
form.addEventListener('change', () => explain().catch(() => null));
explain().catch(() => null);
