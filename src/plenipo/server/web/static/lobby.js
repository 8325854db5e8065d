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
/** Shows the page anew, unless somebody is typing: then as soon as the field is left. */
function again() {
  const typing = document.activeElement?.matches('input:not([readonly])') && document.activeElement.value;
  if (typing) document.activeElement.addEventListener('blur', () => location.reload(), { once: true });
  else location.reload();
}
stream(() => `/api/games/${encodeURIComponent(main.dataset.game)}/events`, {
  lobby: again,
  phase: again,
  behind: again,
  // what happened between the page and the first word of its stream
  hello: ({ players, forming }) => (players !== Number(main.dataset.players) || forming !== (main.dataset.forming === 'yes')) && again(),
});
