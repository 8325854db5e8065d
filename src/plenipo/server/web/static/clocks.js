/* Live games: clocks that tick by the server's time, a phase's and those of the seats, and their marks said aloud. */
import { now } from './api.js';
import { h, say } from './dom.js';
import { game, mine } from './state.js';

const MARKS = [60, 15];
let said = null;

/** A length of time as a clock shows it: `4:05`, `1:04:05`. */
export function clocked(seconds) {
  const whole = Math.max(Math.ceil(seconds), 0);
  const two = (number) => String(number).padStart(2, '0');
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
  return hours ? `${hours}:${two(minutes)}:${two(whole % 60)}` : `${minutes}:${two(whole % 60)}`;
}

const ownTimeOf = (power) => (game.view.over ? null : game.view.time?.own_time.find((own) => own.power === power) ?? null);
const running = (own) => Boolean(own?.runs_from) && new Date(own.runs_from) <= now();
const left = (own) => Math.max(own.left - (running(own) ? (now() - new Date(own.runs_from)) / 1000 : 0), 0);

/** Whether seats have time of their own here. */
export const hasOwnTime = () => !game.view.over && Boolean(game.view.time?.own_time.length);

/** The own time of a power, to stand beside its name. */
export function ownTimeNode(power) {
  const own = ownTimeOf(power);
  return own ? h('span', { class: 'power-own-time', 'data-own-time': power, title: 'Time of its own that is left' },
    h('span', { class: 'sr' }, 'own time '), h('span', { class: 'own-time-left' }, clocked(left(own)))) : null;
}

/** Seconds until the open phase is due; null if it is not counted. */
function toDue() {
  const { time, over } = game.view;
  if (over || !time?.due || time.state !== 'running' || !time.own_time.length) return null;
  return (new Date(time.due) - now()) / 1000;
}

const mineOwn = () => (mine().length === 1 ? ownTimeOf(mine()[0].name) : null);

/** What the clock in the header shows: the time of the phase, then one's own. */
function shown() {
  const due = toDue();
  if (due === null) return null;
  if (due > 0) return { seconds: due, words: 'left', said: 'left in this phase', mine: false };
  const own = mineOwn();
  if (running(own)) return { seconds: left(own), words: 'own time', said: 'of your own time left', mine: true };
  return { seconds: 0, words: 'others think', said: '', mine: false };
}

/** The clock of the header of a live game; null elsewhere. */
export function clockNode() {
  const now = shown();
  return now ? h('span', { class: 'live-clock', role: 'timer', 'aria-live': 'off', 'data-mine': String(now.mine) },
    h('b', {}, clocked(now.seconds)), h('small', {}, now.words)) : null;
}

/** Say a mark that is passed, once: sixty and fifteen seconds before one's own time, or that of the phase, is over. */
function announce(now) {
  const mark = MARKS.findLast((one) => now.seconds <= one);
  const waits = mine().some((power) => power.status === 'waiting' || power.status === 'given');
  const name = `${game.view.phase_number} ${now.mine} ${mark}`;
  if (!mark || !waits || now.seconds <= 0 || said === name) return;
  said = name;
  say(`${mark} seconds ${now.said}.`);
}

function tick() {
  if (!hasOwnTime()) return;
  const now = shown();
  const place = document.querySelector('.live-clock');
  if (now && place) {
    place.dataset.mine = String(now.mine);
    place.firstChild.textContent = clocked(now.seconds);
    place.lastChild.textContent = now.words;
    announce(now);
  }
  for (const node of document.querySelectorAll('[data-own-time]')) {
    const own = ownTimeOf(node.dataset.ownTime);
    if (!own) continue;
    node.lastChild.textContent = clocked(left(own));
    node.classList.toggle('runs', running(own) && left(own) > 0);
  }
}
setInterval(tick, 500);
