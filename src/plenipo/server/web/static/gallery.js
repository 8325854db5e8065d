/* The start page works without this; it adds the games of this browser, the upload and the colours. */
import { ask } from './api.js';
import { h, icon } from './dom.js';
import { recent } from './recent.js';
import { colours, repaint } from './theme.js';

function resume() {
  const games = recent().filter((game) => !game.over).slice(0, 2);
  const place = document.getElementById('resume');
  place.hidden = games.length === 0;
  place.replaceChildren(...games.map((game) =>
    h('a', { href: `/games/${encodeURIComponent(game.id)}` },
      h('span', {}, h('b', {}, `Go on with ${game.name}`), game.phase), icon('right'))));
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
resume();
repaint();
const form = document.getElementById('upload');
form.addEventListener('submit', upload);
document.getElementById('upload-open').addEventListener('click', () => {
  form.hidden = !form.hidden;
  if (!form.hidden) document.getElementById('upload-file').focus();
});
addEventListener('pageshow', resume);
