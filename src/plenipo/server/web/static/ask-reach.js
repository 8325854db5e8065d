/* The question how a player is reached, beside the board: put off with a click, and back before the deadline. Loaded on demand. */
import { serverTime } from './api.js';
import { game, onChange } from './state.js';

/** The longest time for which the question is put off, in milliseconds. */
const AWAY = 12 * 3_600_000;
/** The time between two checks of whether the question is due again, in milliseconds. */
const INTERVAL = 15_000;

const bar = document.getElementById('ask-reach');
const key = `plenipo.reach.${game.view.id}`;

/** Return the instant at which the question comes back: half of the time to the deadline from now. */
function comeBackAt() {
  const now = serverTime();
  const left = new Date(game.view.time?.due ?? now + 2 * AWAY) - now;
  return now + Math.min(AWAY, Math.max(0, left) / 2);
}

function show() {
  bar.hidden = game.view.over || serverTime() < Number(localStorage.getItem(key));
}

bar.querySelector('button').addEventListener('click', () => {
  localStorage.setItem(key, comeBackAt());
  show();
  document.getElementById('phase').focus();
});
show();
onChange(show);
setInterval(show, INTERVAL);
