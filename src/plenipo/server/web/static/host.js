/* The page that opens a game for people: its hours are those of this browser's zone. */
import { h } from './dom.js';
import { colours } from './theme.js';

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (timeZone) {
  document.getElementById('zone').value = timeZone;
  document.getElementById('zone-words').textContent = `Hours are in your time zone, ${timeZone.replaceAll('_', ' ')}.`;
}
colours();

const form = document.getElementById('new-game');
const words = document.getElementById('schedule-words');
const WHEN = { weekday: 'long', day: 'numeric', month: 'long', hour: '2-digit', minute: '2-digit' };
let asked = 0;

/** What the schedule means that stands in the form now, with its next three dates. */
async function explain() {
  const mine = ++asked;
  const answer = await fetch('/host/schedule', { method: 'POST', body: new URLSearchParams(new FormData(form)) });
  const found = await answer.json();
  if (mine !== asked) return;
  words.replaceChildren(...(found.fault ? [h('p', { class: 'fault' }, found.fault)] : [
    ...found.words.map((sentence) => h('p', { class: 'note' }, sentence)),
    ...(found.next.length ? [h('p', { class: 'note' }, 'If it began now, moves would be due ',
      found.next.map((instant) => new Date(instant).toLocaleString('en-GB', WHEN)).join('; '), '.')] : []),
  ]));
}
form.addEventListener('change', () => explain().catch(() => null));
explain().catch(() => null);
