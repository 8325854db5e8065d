/* What needs the player, in the title and the icon of a game with other players, and as a sound. Loaded on demand. */
import * as act from './act.js';
import { loadPress, press } from './panels.js';
import { game, onChange, ownPowers, settings, showTitle } from './state.js';
import { countUnvoted, hasVotes, loadVotes } from './votes.js';

/** How often a page that nobody looks at asks for news, in milliseconds. */
const HIDDEN_INTERVAL = 60_000;

const link = document.querySelector('link[rel=icon]');
const plain = link.href;
const badged = fetch(plain).then((answer) => answer.text()).then((svg) =>
  `data:image/svg+xml,${encodeURIComponent(svg.replace('</svg>', '<circle cx="24" cy="8" r="7.5" fill="#ffd166" stroke="#221b15" stroke-width="2"/></svg>'))}`);

/** Count what waits for the player: own powers without orders, unread threads, and open votes. */
function countWaiting() {
  if (game.view.over) return press()?.unreadThreads() ?? 0;
  const powers = ownPowers().filter((power) => power.status === 'waiting').length;
  return powers + (press()?.unreadThreads() ?? 0) + (hasVotes() ? countUnvoted() : 0);
}

/** Play two short notes; a browser that has not been touched yet stays silent. */
function playSound() {
  try {
    const audio = new AudioContext();
    for (const [at, pitch] of [[0, 660], [0.16, 880]]) {
      const note = audio.createOscillator();
      const volume = audio.createGain();
      note.frequency.value = pitch;
      volume.gain.setValueAtTime(0.12, audio.currentTime + at);
      volume.gain.exponentialRampToValueAtTime(0.001, audio.currentTime + at + 0.3);
      note.connect(volume).connect(audio.destination);
      note.start(audio.currentTime + at);
      note.stop(audio.currentTime + at + 0.3);
    }
    setTimeout(() => audio.close(), 1000);
  } catch {
    // without sound the title and the icon remain
  }
}

let waiting = -1;
let phase = game.view.phase_number;

async function update() {
  const now = countWaiting();
  const news = game.view.phase_number !== phase || now > waiting;
  if (settings.sound && waiting >= 0 && news) playSound();
  phase = game.view.phase_number;
  if (now === waiting) return;
  waiting = now;
  game.waiting = now;
  showTitle();
  if (now) navigator.setAppBadge?.(now).catch(() => null);
  else navigator.clearAppBadge?.().catch(() => null);
  link.href = now ? await badged.catch(() => plain) : plain;
}

onChange(update);
update();
// a hidden page has no stream of events
setInterval(() => {
  if (document.hidden && !game.view.over) act.refresh().then(loadPress).then(loadVotes).catch(() => null);
}, HIDDEN_INTERVAL);
