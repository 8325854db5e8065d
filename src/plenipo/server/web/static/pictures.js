/* Pictures of the map: their addresses and file names, and saving or sharing one as PNG. */
import * as act from './act.js';
import { withQuery } from './api.js';
import { h } from './dom.js';
import { game, viewpoint } from './state.js';

/** Return the address of a picture of the moment on the map; `extra` has more or other options. */
export const pictureOf = (kind, extra = {}) => {
  const { moment, view } = game;
  const question = moment ? { turn: moment.part === 'after' ? moment.turn + 1 : moment.turn, results: moment.part === 'orders' ? 1 : 0 } : {};
  return withQuery(`/games/${encodeURIComponent(view.id)}/picture.${kind}`, { ...question, theme: document.documentElement.dataset.theme, seat: viewpoint(), ...extra });
};

/** Return the name of the file of a picture of the moment on the map. */
export const fileName = (kind) => `${game.view.variant}-${(game.moment ? game.turns.get(game.moment.turn)?.phase : game.view.phase)?.code ?? 'map'}.${kind}`;

function save(blob, name) {
  const link = h('a', { href: URL.createObjectURL(blob), download: name });
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 30000);
}

/** Return a picture as PNG: the server's, or one drawn by this browser where the server cannot. */
async function fetchPng(extra) {
  const answer = await fetch(pictureOf('png', { ...extra, width: 1600 }));
  if (answer.ok) return answer.blob();
  const text = await (await fetch(pictureOf('svg', extra))).text();
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], { type: 'image/svg+xml' }));
  await image.decode();
  const [, , w, h2] = /viewBox="([^"]+)"/.exec(text)[1].split(' ').map(Number);
  const canvas = Object.assign(document.createElement('canvas'), { width: 1600, height: Math.round((1600 * h2) / w) });
  canvas.getContext('2d').drawImage(image, 0, 0, canvas.width, canvas.height);
  return new Promise((done) => { canvas.toBlob(done, 'image/png'); });
}

/** Save the picture of the moment on the map as PNG. */
export const savePng = () => act.enqueue(async () => save(await fetchPng({}), fileName('png')));

/** Share the picture of the position now, with some words, where the device can share files; else save it. */
export const sharePicture = (words) => act.enqueue(async () => {
  const name = `${game.view.variant}-${game.view.phase.code ?? 'map'}.png`;
  const blob = await fetchPng({ turn: undefined, results: undefined, legend: true });
  const file = new File([blob], name, { type: 'image/png' });
  if (!navigator.canShare?.({ files: [file] })) return save(blob, name);
  // closing the menu of the device is no fault
  return navigator.share({ files: [file], text: words }).catch((error) => (error.name === 'AbortError' ? null : save(blob, name)));
});
