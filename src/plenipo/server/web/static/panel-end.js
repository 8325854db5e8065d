/* The result of a finished game: the score of each power with its calculation, a chart of the counts by year, and
   what the players may do now. */
import { requestJson, withQuery } from './api.js';
import { h, icon, s, swatch } from './dom.js';
import { joinNames, formatNumber, translateName, translateSentence, t } from './i18n.js';
import { keyTurns } from './key-turns.js';
import { press } from './panels.js';
import { apiPath, emitChange, viewpoint, game, slugOf } from './state.js';
import { currentVotes } from './votes.js';
import { scoreTitle, yearText } from './words.js';

let result = null;
let isLoading = false;

function load() {
  if (isLoading) return;
  isLoading = true;
  requestJson(withQuery(apiPath('/result'), { seat: viewpoint() })).then((found) => {
    result = found;
    emitChange();
  }).catch(() => null);
}

const WIDE = 340;
const HIGH = 150;

/** Return a chart of the centres or units of each power, by year. */
function scoreChart() {
  const moments = [...game.history.turns, game.history.now].filter((moment, i, all) => i === 0 || moment.phase.year !== all[i - 1].phase.year || i === all.length - 1);
  const most = Math.max(1, ...moments.flatMap((moment) => Object.values(moment.score)));
  const x = (i) => 20 + ((WIDE - 26) * i) / Math.max(1, moments.length - 1);
  const y = (count) => HIGH - 18 - ((HIGH - 30) * count) / most;
  const powers = game.view.powers.filter((power) => power.played);
  return h('figure', { class: 'review-plot' },
    s('svg', { class: 'curves board', viewBox: `0 0 ${WIDE} ${HIGH}`, role: 'img', 'aria-label': t('Score of each power by year; the table below shows the end.') },
      [0, most].map((count) => [s('line', { class: 'grid', x1: 20, x2: WIDE - 6, y1: y(count), y2: y(count) }), s('text', { x: 16, y: y(count) + 4 }, formatNumber(count))]),
      powers.map((power) => {
        const points = moments.map((moment, i) => `${x(i)},${y(moment.score[power.name] ?? 0)}`).join(' ');
        const line = s('polyline', { points });
        line.style.stroke = `var(--land-${power.slug})`;
        return s('g', {}, s('polyline', { class: 'case', points }), line, s('title', {}, translateName(power.name)));
      }),
      moments.map((moment, i) => (i % Math.ceil(moments.length / 6) || i === moments.length - 1 ? null : s('text', { class: 'year', x: x(i), y: HIGH - 3 }, yearText(moment.phase.year))))));
}

/** Return the button for a rematch; null unless you played. */
function rematchButton() {
  const { viewer, id } = game.view;
  if (!viewer.seats.length && !viewer.all_seats) return null;
  return h('form', { class: 'again-form', method: 'post', action: `/games/${encodeURIComponent(id)}/again` },
    h('button', { type: 'submit', class: 'btn main wide', 'data-key': 'again' }, t('Rematch')),
    h('p', { class: 'note' }, t('Opens a new lobby with the same settings and invites the other players.')));
}

/** Return the button that opens the press, which is public after the game. */
const pressButton = () => (press()?.hasPress() ? h('button', { type: 'button', class: 'btn wide', 'data-key': 'end messages', onclick: () => { game.tab = 'press'; emitChange(); } }, icon('message'), t('Read the press')) : null);

/** Return the button that leads to the vote on opening the private messages; null where there is none. */
function openMessagesButton() {
  const votes = currentVotes();
  const asked = votes?.motions.some((motion) => motion.kind === 'reveal' && motion.state === 'open');
  if (!asked && !votes?.may.some((choice) => choice.kind === 'reveal')) return null;
  return [
    h('button', { type: 'button', class: 'btn wide', 'data-key': 'end reveal', onclick: () => { game.tab = 'votes'; emitChange(); } }, icon('ballot'), asked ? t('Vote on opening the private messages') : t('Propose to open the private messages')),
    h('p', { class: 'note' }, t('They are opened to the players if all of them agree.')),
  ];
}

/** Return the result section of a finished game; null for other games and until it is loaded. */
export function endSection() {
  if (!game.view.over || !game.view.time) return null;
  if (!result) {
    load();
    return null;
  }
  return h('section', { class: 'end', 'aria-labelledby': 'end-head' }, h('h3', { id: 'end-head' }, t('Result')),
    h('p', { class: 'note' }, t('Scoring system: {system}', { system: translateSentence({ text: result.system }) })),
    game.history.turns.length > 1 ? scoreChart() : null,
    h('table', { class: 'scores' }, h('caption', { class: 'sr' }, t('Scores')),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('Power')), h('th', { scope: 'col' }, scoreTitle(result.counted)), h('th', { scope: 'col' }, t('Points')))),
      h('tbody', {}, result.seats.map((seat) => h('tr', {}, h('th', { scope: 'row' }, swatch(slugOf(seat.power)), translateName(seat.power), seat.names.length ? h('span', { class: 'note' }, joinNames(seat.names)) : null),
        h('td', {}, formatNumber(seat.count)), h('td', {}, h('b', {}, seat.points), h('span', { class: 'note sum' }, seat.sum)))))),
    keyTurns(), rematchButton(), pressButton(), openMessagesButton(),
    h('a', { class: 'btn wide', 'data-key': 'end picture', download: `${game.view.variant}-${game.view.id}.svg`, href: withQuery(`/games/${encodeURIComponent(game.view.id)}/picture.svg`, { legend: true, theme: document.documentElement.dataset.theme, seat: viewpoint() }) }, t('Picture of the end')));
}
