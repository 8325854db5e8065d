/* The lobby: copy the link, and reload when a player joins or leaves or the game starts. */
import { t } from './i18n.js';
import { stream } from './stream.js';
import { setUpThemes } from './theme.js';
import { localiseDates } from './instants.js';

setUpThemes();
localiseDates();
const link = document.getElementById('link');
document.getElementById('copy')?.addEventListener('click', async (event) => {
  link.select();
  await navigator.clipboard?.writeText(link.value).catch(() => document.execCommand('copy'));
  event.target.textContent = t('Copied');
});
const share = document.getElementById('share');
if (share && navigator.share) {
  share.hidden = false;
  share.addEventListener('click', () => navigator.share({ title: document.title, url: link.value }).catch(() => null));
}

const main = document.querySelector('main');
let waiting = false;
let leaving = false;
// a reload would cancel a form that is being sent, whose answer sets the cookie
document.addEventListener('submit', () => { leaving = true; });
addEventListener('pageshow', () => { leaving = false; });

const isEditing = () => [...main.querySelectorAll('input:not([readonly]):not([type=hidden])')]
  .some((field) => field === document.activeElement || field.value !== field.defaultValue || field.checked !== field.defaultChecked);

/** Reload the page, or wait while a form is being filled in. */
function reload() {
  if (waiting || leaving) return;
  if (!isEditing()) {
    location.reload();
    return;
  }
  waiting = true;
  setTimeout(() => {
    waiting = false;
    reload();
  }, 1000);
}
stream(() => `/api/games/${encodeURIComponent(main.dataset.game)}/events`, {
  lobby: reload,
  phase: reload,
  behind: reload,
  // catch changes between the page and the first event of its stream
  hello: ({ players, forming }) => (players !== Number(main.dataset.players) || forming !== (main.dataset.forming === 'yes')) && reload(),
});
