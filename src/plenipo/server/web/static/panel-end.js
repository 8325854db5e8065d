/* The end of a game: the winner, what the players may do now, a chart of the counts by year, the score of each power with
   its calculation, and the key turns. */
import { requestJson, withQuery } from './api.js';
import { h, icon, s, swatch } from './dom.js';
import { joinNames, formatNumber, translateName, translateSentence, t } from './i18n.js';
import { keyTurns } from './key-turns.js';
import { analyseButton } from './panel-review.js';
import { press } from './panels.js';
import { sharePicture } from './pictures.js';
import { apiPath, emitChange, viewpoint, game, ownPowers, powerOf, slugOf } from './state.js';
import { currentVotes } from './votes.js';
import { describeEnd, scoreTitle, yearText } from './words.js';

let result = null;
/** The key of the end whose result was asked for: a game on one screen may be undone, and end otherwise. */
let asked = '';

/** Return the result of the game; null until it is loaded, and offline. */
function loadResult() {
  const { id, phase_number: phase, drawn } = game.view;
  const key = [id, phase, ...drawn].join(' ');
  if (asked === key) return result;
  asked = key;
  result = null;
  requestJson(withQuery(apiPath('/result'), { seat: viewpoint() })).then((found) => {
    if (asked !== key) return;
    result = found;
    emitChange();
  }).catch(() => { asked = ''; });
  return null;
}

const WIDE = 340;
const HIGH = 150;

/** The most powers whose colours stand before the sentence on the end. */
const MOST_MARKS = 3;

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

/** Return the button for a rematch; null unless you played, and in a what-if. */
function rematchButton() {
  const { viewer, id, seating, fork_of: original } = game.view;
  if (original || (!viewer.seats.length && !viewer.all_seats)) return null;
  return h('form', { class: 'again-form', method: 'post', action: `/games/${encodeURIComponent(id)}/again` },
    h('button', { type: 'submit', class: 'btn main wide', 'data-key': 'again' }, t('Rematch')),
    h('p', { class: 'note' }, seating === 'links' ? t('Opens a new lobby with the same settings and invites the other players.') : t('Starts a new game with the same settings.')));
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

/** Return who played a power: the names of its players, the computer, or you. */
function playerOf({ power, names }) {
  if (names.length) return joinNames(names);
  if (powerOf(power)?.by === 'computer') return t('computer player');
  return ownPowers().length === 1 && ownPowers()[0].name === power ? t('you') : '';
}

/** Return the scores of the powers, best first, each with its calculation. */
function scoreTable({ counted, system, seats }) {
  const row = (seat) => h('tr', {},
    h('th', { scope: 'row' }, swatch(slugOf(seat.power)), translateName(seat.power), playerOf(seat) ? h('span', { class: 'note' }, playerOf(seat)) : null),
    h('td', {}, formatNumber(seat.count)), h('td', {}, h('b', {}, seat.points), h('span', { class: 'note sum' }, seat.sum)));
  return [
    h('table', { class: 'scores' }, h('caption', { class: 'sr' }, t('Scores')),
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('Power')), h('th', { scope: 'col' }, scoreTitle(counted)), h('th', { scope: 'col' }, t('Points')))),
      h('tbody', {}, seats.map(row))),
    h('p', { class: 'note' }, t('Scoring system: {system}', { system: translateSentence({ text: system }) })),
  ];
}

/** Return the winner, or the powers that share the draw, with their colours. */
function winnerLine() {
  const { winners, drawn } = game.view;
  const names = drawn.length ? drawn : winners;
  const marks = names.length <= MOST_MARKS ? names.map((power) => swatch(slugOf(power))) : [];
  return h('p', { class: 'big-note winner' }, marks.length ? h('span', { class: 'winner-marks' }, marks) : null, h('span', {}, describeEnd(game.view)));
}

/** Return the result section of a finished game; null for other games. */
export function endSection({ analyse = true } = {}) {
  const { view, review, history } = game;
  if (!view.over) return null;
  const loaded = loadResult();
  return h('section', { class: 'end', 'aria-labelledby': 'end-head' }, h('h3', { id: 'end-head' }, t('Result')),
    winnerLine(), rematchButton(),
    analyse && view.turn && !review ? analyseButton() : null,
    h('button', { type: 'button', class: 'btn wide', 'data-key': 'end picture', onclick: () => sharePicture(describeEnd(view)) }, icon('map'), t('Picture of the end')),
    pressButton(), openMessagesButton(),
    history.turns.length > 1 ? scoreChart() : null,
    loaded ? scoreTable(loaded) : null,
    keyTurns());
}
