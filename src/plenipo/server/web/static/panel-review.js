/* The analysis of a finished game: each power's expected share as a bar beside the map and as curves, the key turns, the
   accuracy of the orders, and the best plans known at the time. */
import * as act from './act.js';
import { requestJson, withQuery } from './api.js';
import { h, icon, s, swatch } from './dom.js';
import { BAD_GRADES, findDifference, gradeSign, gradeWord } from './grades.js';
import { translateName, formatNumber, formatPercent, formatSigned, t, tx } from './i18n.js';
import { apiPath, emitChange, game, onChange, ownPowers, slugOf } from './state.js';
import { formatOrder, abbreviatePhase } from './words.js';

document.head.append(h('link', { rel: 'stylesheet', href: new URL('review.css', import.meta.url).href }));

const WIDTH = 340;
const HEIGHT = 190;
const LEFT = 37;
const BELOW = 20;
const RIGHT = 8;

/** The largest share that a power must exceed at some time to have a curve. */
const LEAST_SHARE = 0.02;

/** The least share that is a part of the bar. */
const LEAST_PART = 0.005;

/** The number of mistakes that are shown at first. */
const FEW = 5;

/** Return the place in the analysis of the moment on the map. */
function placeOfMoment({ turns }) {
  const { moment } = game;
  if (!moment) return turns.length - 1;
  const turn = moment.turn + (moment.part === 'after' ? 1 : 0);
  return Math.max(0, turns.findLastIndex((one) => one <= turn));
}

/** Show the expected share of each power in the moment on the map, as a bar at the side of the map. */
function showBar() {
  const { review } = game;
  const { powers } = game.view;
  const frame = document.getElementById('map');
  let bar = frame.querySelector('.share-bar');
  if (!review) {
    bar?.remove();
    return;
  }
  if (!bar) {
    bar = h('div', { class: 'share-bar board', role: 'img' }, powers.map(() => h('span')));
    powers.forEach(({ slug }, i) => { bar.children[i].style.background = `var(--land-${slug})`; });
    frame.append(bar);
  }
  const place = placeOfMoment(review);
  const shares = powers.map(({ name }) => review.shares[name]?.[place] ?? 0);
  shares.forEach((share, i) => {
    bar.children[i].style.flexGrow = share;
    bar.children[i].hidden = share < LEAST_PART;
  });
  const words = powers.map(({ name }, i) => (shares[i] < LEAST_PART ? null : t('{power} {share}', { power: translateName(name), share: formatPercent(shares[i]) })));
  bar.setAttribute('aria-label', t('Expected shares of the board: {shares}', { shares: words.filter(Boolean).join(', ') }));
}
onChange(showBar);

/** Request the analysis, which takes the server a moment. */
export const analyse = () => {
  game.isAnalysing = true;
  const done = act.enqueue(async () => {
    game.review = await requestJson(apiPath('/review'));
    game.tab = 'game';
  }, 'review').finally(() => {
    game.isAnalysing = false;
    emitChange();
  });
  emitChange();
  return done;
};

/** Return the button that starts the analysis. */
export const analyseButton = () => h('button', {
  type: 'button', class: 'btn wide', 'data-key': 'look-back', disabled: game.isAnalysing, onclick: analyse,
}, icon('past'), game.isAnalysing ? t('Analysing …') : t('Analyse the game'));

function plot({ turns, phases, shares, turning }) {
  const names = Object.keys(shares).filter((name) => Math.max(...shares[name]) > LEAST_SHARE);
  const most = Math.min(1, Math.ceil(Math.max(...names.flatMap((name) => shares[name])) * 5) / 5);
  const last = Math.max(turns.length - 1, 1);
  const x = (i) => LEFT + ((WIDTH - LEFT - RIGHT) * i) / last;
  const y = (share) => 8 + (HEIGHT - BELOW - 8) * (1 - share / most);
  const grid = [0, most / 2, most].map((share) => [
    s('line', { class: 'grid', x1: LEFT, x2: WIDTH - RIGHT, y1: y(share), y2: y(share) }),
    s('text', { x: LEFT - 5, y: y(share) + 4 }, formatPercent(share)),
  ]);
  const every = Math.max(1, Math.ceil(phases.length / 6));
  const years = phases.map((phase, i) => (i % every === 0 && i < last ? s('text', { class: 'year', x: x(i), y: HEIGHT - 4 }, abbreviatePhase(phase)) : null));
  const marks = turning.map(({ turn }) => s('line', { class: 'mark', x1: x(turns.indexOf(turn) + 0.5), x2: x(turns.indexOf(turn) + 0.5), y1: 8, y2: HEIGHT - BELOW }));
  const nowX = x(placeOfMoment({ turns }));
  const now = s('line', { class: 'now', x1: nowX, x2: nowX, y1: 8, y2: HEIGHT - BELOW });
  const curves = names.map((name) => {
    const points = shares[name].map((share, i) => `${x(i).toFixed(1)},${y(share).toFixed(1)}`).join(' ');
    const line = s('polyline', { points });
    line.style.stroke = `var(--land-${slugOf(name)})`;
    return s('g', {}, s('polyline', { class: 'case', points }), line, s('title', {}, t('{power}: from {first} to {last}', { power: translateName(name), first: formatPercent(shares[name][0]), last: formatPercent(shares[name].at(-1)) })));
  });
  const here = (event) => {
    const box = event.currentTarget.getBoundingClientRect();
    const at = (((event.clientX - box.left) / box.width) * WIDTH - LEFT) / (WIDTH - LEFT - RIGHT);
    const turn = turns[Math.min(Math.max(Math.floor(at * last), 0), turns.length - 2)];
    if (turn !== undefined) act.showMoment({ turn, part: 'orders' });
  };
  return h('figure', { class: 'review-plot' },
    s('svg', { class: 'board curves', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': t('Expected share of the board of each power, from {phase}', { phase: phases[0].text }), onclick: here }, grid, years, marks, now, curves),
    h('figcaption', {}, h('ul', { class: 'review-names' }, names.sort((a, b) => shares[b].at(-1) - shares[a].at(-1))
      .map((name) => h('li', {}, swatch(slugOf(name)), translateName(name), h('b', {}, formatPercent(shares[name].at(-1))))))));
}

/** Draw the best plan that a power could know before a movement. */
const drawPlan = (rated) => act.enqueue(async () => {
  const path = withQuery(apiPath(`/review/${rated.turn}/orders`), { power: rated.power });
  return (await requestJson(path, { method: 'POST', body: { orders: rated.plan } })).arrows;
}).then((arrows) => arrows && act.showMoment({ turn: rated.turn, part: 'before', plan: { key: `${rated.turn} ${rated.power}`, arrows } }));

const joinOrders = (orders) => orders.map(formatOrder).join('; ');

/** Return the loss of orders with the better ones, and buttons to see and to try these. */
function describeMistake(rated) {
  const [given, better] = findDifference(rated);
  const key = `${rated.turn} ${rated.power}`;
  return [
    h('p', {}, gradeSign(rated.grade), ' ', tx('{grade}: {loss} of the board lost.', { grade: h('b', {}, gradeWord(rated.grade)), loss: formatPercent(rated.loss) }),
      ' ', given.length ? t('Given: {orders}.', { orders: joinOrders(given) }) : null, ' ', better.length ? tx('Better: {orders}.', { orders: h('b', {}, joinOrders(better)) }) : null),
    h('div', { class: 'mistake-tools' },
      h('button', { type: 'button', class: 'btn tight', 'data-key': `plan ${key}`, onclick: () => drawPlan(rated) }, icon('eye'), t('Show the plan')),
      h('button', { type: 'button', class: 'btn tight', 'data-key': `try ${key}`, onclick: () => act.fork(rated.turn, { power: rated.power, orders: rated.plan }) }, icon('fork'), t('Try it'))),
  ];
}

/** Return the judgement of a power's orders in a turn, for the results; null without one or for good orders. */
export function judgementNote(turn, power) {
  const rated = game.review?.rated.find((one) => one.turn === turn && one.power === power && one.grade !== 'good');
  return rated ? h('div', { class: 'judgement', 'data-grade': rated.grade }, describeMistake(rated)) : null;
}

/** Return the sign of the grade of a power's orders in a turn; null without an analysis or for good orders. */
export const judgementSign = (turn, power) => gradeSign(game.review?.rated.find((one) => one.turn === turn && one.power === power)?.grade);

const phaseOf = (turn) => game.review.phases[game.review.turns.indexOf(turn)];

const mistakeItem = (rated) => h('li', { class: 'mistake', 'data-grade': rated.grade, 'data-turn': rated.turn },
  h('button', { type: 'button', class: 'turned', 'data-key': `mistake ${rated.turn} ${rated.power}`, onclick: () => act.showMoment({ turn: rated.turn, part: 'orders' }) },
    h('b', {}, phaseOf(rated.turn).text), h('span', {}, h('span', { class: 'change' }, swatch(slugOf(rated.power)), translateName(rated.power)))),
  describeMistake(rated));

function turningPoint({ turn, phase, change }) {
  const ranked = Object.entries(change).sort((a, b) => b[1] - a[1]);
  return h('li', { 'data-turn': turn },
    h('button', { type: 'button', class: 'turned', 'data-key': `turned ${turn}`, onclick: () => act.showMoment({ turn, part: 'orders' }) },
      h('b', {}, phase.text), h('span', {}, ranked.map(([name, share]) => h('span', { class: 'change' }, swatch(slugOf(name)), h('span', { class: 'sr' }, translateName(name)), formatSigned(share * 100))))));
}

function accuracyTable({ accuracies, accuracy, openings }) {
  const row = (head, one) => h('tr', {}, h('th', { scope: 'row' }, head), h('td', {}, h('b', {}, formatNumber(Math.round(one.accuracy)))), BAD_GRADES.map((grade) => h('td', {}, one.grades ? formatNumber(one.grades[grade]) : '')));
  return h('table', { class: 'scores accuracies' }, h('caption', { class: 'sr' }, t('Accuracy')),
    h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('Power')), h('th', { scope: 'col' }, t('Accuracy')), BAD_GRADES.map((grade) => h('th', { scope: 'col' }, gradeSign(grade))))),
    h('tbody', {}, accuracies.map((one) => row([swatch(slugOf(one.power)), translateName(one.power), openings[one.power] ? h('span', { class: 'note' }, openings[one.power]) : null], one)), row(t('All powers'), { accuracy })));
}

/** Return the accuracy of each power and the worst orders, those of your powers first. */
function accuracySection(review) {
  if (!review.accuracies.length) return review.words ? [h('p', { class: 'note' }, review.words.text), analyseButton()] : null;
  const own = new Set(ownPowers().map((power) => power.name));
  const rank = (one) => one.loss + (own.has(one.power) ? 1 : 0);
  const bad = review.rated.filter((one) => one.grade !== 'good').sort((a, b) => rank(b) - rank(a));
  const list = (some) => h('ol', { class: 'turnings' }, some.map(mistakeItem));
  return [
    h('h4', {}, t('Accuracy')),
    h('p', { class: 'note' }, t('How close the orders came to the best plan known at the time, from 0 to 100. What the others then ordered does not count.')),
    accuracyTable(review),
    bad.length ? [
      h('a', { class: 'btn main wide', 'data-key': 'learn', href: `/games/${encodeURIComponent(game.view.id)}/learn` }, t('Learn from your mistakes')),
      h('h4', {}, t('Greatest losses')), list(bad.slice(0, FEW)),
      bad.length > FEW ? h('details', { class: 'agreed' }, h('summary', {}, t('All mistakes ({count})', { count: formatNumber(bad.length) })), list(bad.slice(FEW))) : null,
    ] : h('p', {}, t('No mistakes.')),
  ];
}

/** Return the analysis, or the button that starts it; null for a game that is not over. */
export function reviewSection() {
  if (!game.view.over || !game.view.turn) return null;
  const { review } = game;
  return h('section', { class: 'review' }, h('h3', {}, t('Analysis')),
    review ? [
      h('p', { class: 'note' }, t('Expected share of the board of each power. Click to show a turn.')),
      plot(review),
      h('h4', {}, t('Key turns')),
      h('ol', { class: 'turnings' }, review.turning.map(turningPoint)),
      accuracySection(review),
    ] : [
      h('p', { class: 'note' }, t('Shows the expected share of each power by turn, the key turns, the accuracy of the orders, and better plans.')),
      analyseButton(),
    ]);
}
