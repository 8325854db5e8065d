/* A shared position: shows the map, and starts a game from it. */
import { requestJson } from './api.js';
import { Board } from './board.js';
import { readJson } from './dom.js';
import { setUpThemes } from './theme.js';

const frame = document.getElementById('map');
const picture = frame.querySelector(':scope > svg');
const board = new Board(frame, { tap: () => null, hover: () => null, pull: () => false });
board.setData(readJson('the-board'));
board.setPicture(picture);
setUpThemes();

document.querySelector('.zoom').addEventListener('click', (event) => {
  const how = event.target.closest('[data-zoom]')?.dataset.zoom;
  if (how === 'fit') board.fit();
  else if (how) board.zoom(how === 'in' ? 1 / 1.4 : 1.4);
});

document.getElementById('play-on').addEventListener('click', async () => {
  const { variant, code } = readJson('the-shared');
  const fault = document.getElementById('play-fault');
  fault.textContent = '';
  try {
    const game = await requestJson('/api/games', { method: 'POST', body: { variant, position: code, computers: 'none', seating: 'hotseat' } });
    location.href = game.url ?? `/games/${game.id}`;
  } catch (refused) {
    fault.textContent = refused.message;
  }
});
