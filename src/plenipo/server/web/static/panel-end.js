/* After the end: what the game is worth to each seat with its sum, and what each had of what is counted, as lines. */
import { ask, path } from './api.js';
import { h, icon, s, swatch } from './dom.js';
import { press } from './panels.js';
import { api, changed, eyes, game, slugOf } from './state.js';
import { yearText } from './words.js';

let result = null;
let asking = false;

function load() {
  if (asking) return;
  asking = true;
  ask(path(api('/result'), { seat: eyes() })).then((found) => {
    result = found;
    changed();
  }).catch(() => null);
}

const WIDE = 340;
const HIGH = 150;

/** What each power had of what is counted, turn by turn. */
function lines() {
  const moments = [...game.history.turns, game.history.now].filter((moment, i, all) => i === 0 || moment.phase.year !== all[i - 1].phase.year || i === all.length - 1);
  const most = Math.max(1, ...moments.flatMap((moment) => Object.values(moment.score)));
  const x = (i) => 20 + ((WIDE - 26) * i) / Math.max(1, moments.length - 1);
  const y = (count) => HIGH - 18 - ((HIGH - 30) * count) / most;
  const powers = game.view.powers.filter((power) => power.played);
  return h('figure', { class: 'review-plot' },
    s('svg', { class: 'curves board', viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'img', 'aria-label': 'What each power had, year by year; the table below has the end.' },
      [0, most].map((count) => [s('line', { class: 'grid', x1: 20, x2: WIDE - 6, y1: y(count), y2: y(count) }), s('text', { x: 16, y: y(count) + 4 }, String(count))]),
      powers.map((power) => {
        const points = moments.map((moment, i) => `${x(i)},${y(moment.score[power.name] ?? 0)}`).join(' ');
        const line = s('polyline', { points });
        line.style.stroke = `var(--land-${power.slug})`;
        return s('g', {}, s('polyline', { class: 'case', points }), line, s('title', {}, power.name));
      }),
      moments.map((moment, i) => (i % Math.ceil(moments.length / 6) || i === moments.length - 1 ? null : s('text', { class: 'year', x: x(i), y: HIGH - 3 }, yearText(moment.phase.year))))));
}

/** The way to a new lobby with the same settings, for those who played. */
function againButton() {
  const { viewer, id } = game.view;
  if (!viewer.seats.length && !viewer.all_seats) return null;
  return h('form', { class: 'again-form', method: 'post', action: `/games/${encodeURIComponent(id)}/again` },
    h('button', { type: 'submit', class: 'btn main wide', 'data-key': 'again' }, 'Again with the same people'),
    h('p', { class: 'note' }, 'A new lobby with the same settings; the others are told, and have the same button.'));
}

/** The way to the letters, where all may be read now. */
const lettersButton = () => (press()?.hasPress() ? h('button', { type: 'button', class: 'btn wide', 'data-key': 'end letters', onclick: () => { game.tab = 'press'; changed(); } }, icon('letter'), 'The letters') : null);

/** What is shown of a game that is over. */
export function endSection() {
  if (!game.view.over || !game.view.time) return null;
  if (!result) {
    load();
    return null;
  }
  return h('section', { class: 'end', 'aria-labelledby': 'end-head' }, h('h3', { id: 'end-head' }, 'The result'),
    h('p', { class: 'note' }, `Scored by: ${result.system}.`),
    game.history.turns.length > 1 ? lines() : null,
    h('table', { class: 'scores' }, h('caption', { class: 'sr' }, 'What the game is worth to each seat'),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, 'Power'), h('th', { scope: 'col' }, `${result.counted}s`), h('th', { scope: 'col' }, 'Points'))),
      h('tbody', {}, result.seats.map((seat) => h('tr', {}, h('th', { scope: 'row' }, swatch(slugOf(seat.power)), seat.power, seat.names.length ? h('span', { class: 'note' }, seat.names.join(', ')) : null),
        h('td', {}, String(seat.count)), h('td', {}, h('b', {}, seat.points), h('span', { class: 'note sum' }, seat.sum)))))),
    againButton(), lettersButton());
}
