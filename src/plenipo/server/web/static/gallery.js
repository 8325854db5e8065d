/* The start page. It works without this script, which adds the games of this browser, the upload and the theme menu. */
import { ask } from './api.js';
import { h, icon } from './dom.js';
import { t } from './i18n.js';
import { instants } from './instants.js';
import { recent } from './recent.js';
import { stream } from './stream.js';
import { colours, repaint } from './theme.js';

function resume() {
  const mine = new Set([...document.querySelectorAll('.my-games a')].map((link) => link.pathname));
  const games = recent().filter((game) => !game.over && !mine.has(`/games/${game.id}`)).slice(0, 2);
  const place = document.getElementById('resume');
  place.hidden = games.length === 0;
  place.replaceChildren(...games.map((game) =>
    h('a', { href: `/games/${encodeURIComponent(game.id)}` },
      h('span', {}, h('b', {}, t('Resume {game}', { game: game.name })), game.phase), icon('right'))));
}

async function upload(event) {
  event.preventDefault();
  const fault = document.getElementById('upload-fault');
  const [file] = document.getElementById('upload-file').files;
  if (!file) return;
  fault.textContent = '';
  try {
    const game = await ask('/api/games/upload', { method: 'POST', body: await file.text() });
    location.href = game.url ?? `/games/${game.id}`;
  } catch (refused) {
    fault.textContent = refused.message;
  }
}

colours();
instants();
resume();
repaint();
const form = document.getElementById('upload');
form.addEventListener('submit', upload);
document.getElementById('upload-open').addEventListener('click', () => {
  form.hidden = !form.hidden;
  if (!form.hidden) document.getElementById('upload-file').focus();
});
addEventListener('pageshow', resume);

/** Update the list of your games. */
async function myGames() {
  const page = new DOMParser().parseFromString(await (await fetch('/')).text(), 'text/html');
  const fresh = page.getElementById('mine');
  if (!fresh) return;
  instants(fresh);
  document.getElementById('mine').replaceWith(fresh);
}
if (document.getElementById('mine')) stream(() => '/api/me/events', { games: () => myGames().catch(() => null) });
