/* The lobby: copies the link, and is shown anew when somebody sits down, gets up or begins. */
import { stream } from './stream.js';
import { colours } from './theme.js';
import { instants } from './instants.js';

colours();
instants();
const link = document.getElementById('link');
document.getElementById('copy')?.addEventListener('click', async (event) => {
  link.select();
  await navigator.clipboard?.writeText(link.value).catch(() => document.execCommand('copy'));
  event.target.textContent = 'Copied';
});
const share = document.getElementById('share');
if (share && navigator.share) {
  share.hidden = false;
  share.addEventListener('click', () => navigator.share({ title: document.title, url: link.value }).catch(() => null));
}

const main = document.querySelector('main');
let waiting = false;
let leaving = false;
// what is on its way must not be stopped by showing the page anew: the answer says who one is
document.addEventListener('submit', () => { leaving = true; });
addEventListener('pageshow', () => { leaving = false; });

const inHand = () => [...main.querySelectorAll('input:not([readonly]):not([type=hidden])')]
  .some((field) => field === document.activeElement || field.value !== field.defaultValue || field.checked !== field.defaultChecked);

/** Shows the page anew, unless somebody fills in a form: then once nothing of his is in it. */
function again() {
  if (waiting || leaving) return;
  if (!inHand()) {
    location.reload();
    return;
  }
  waiting = true;
  setTimeout(() => {
    waiting = false;
    again();
  }, 1000);
}
stream(() => `/api/games/${encodeURIComponent(main.dataset.game)}/events`, {
  lobby: again,
  phase: again,
  behind: again,
  // what happened between the page and the first word of its stream
  hello: ({ players, forming }) => (players !== Number(main.dataset.players) || forming !== (main.dataset.forming === 'yes')) && again(),
});
