/* The analysis of a finished game: each power's expected share, the turning points, and the best orders missed. */
import * as act from './act.js';
import { requestJson } from './api.js';
import { h, icon, s, swatch } from './dom.js';
import { translateName, formatPercent, formatSigned, t, tx } from './i18n.js';
import { apiPath, emitChange, game, ownPowers, slugOf } from './state.js';
import { formatOrder, abbreviatePhase } from './words.js';

const WIDTH = 340;
const HEIGHT = 190;
const LEFT = 37;
const BELOW = 20;
const RIGHT = 8;

/** The largest share that a power must exceed at some time to have a curve. */
const LEAST_SHARE = 0.02;

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
    s('svg', { class: 'board curves', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: 'img', 'aria-label': t('Expected share of the board of each power, from {phase}', { phase: phases[0].text }), onclick: here }, grid, years, marks, curves),
    h('figcaption', {}, h('ul', { class: 'review-names' }, names.sort((a, b) => shares[b].at(-1) - shares[a].at(-1))
      .map((name) => h('li', {}, swatch(slugOf(name)), translateName(name), h('b', {}, formatPercent(shares[name].at(-1))))))));
}

function missedItem(turn, one) {
  return h('li', { class: 'missed' },
    h('p', {}, tx('{power} could have gained {gain} with {better} instead of {given}.', {
      power: h('b', {}, translateName(one.power)), gain: formatSigned(one.gain * 100), better: h('b', {}, formatOrder(one.better)), given: formatOrder(one.given),
    })),
    h('button', {
      type: 'button', class: 'btn tight', 'data-key': `missed ${turn} ${one.power}`,
      onclick: () => act.fork(turn, { power: one.power, orders: [one.better] }),
    }, icon('fork'), t('Try it')));
}

function turningPoint({ turn, phase, change, missed: misses }) {
  const ranked = Object.entries(change).sort((a, b) => b[1] - a[1]);
  return h('li', { 'data-turn': turn },
    h('button', { type: 'button', class: 'turned', 'data-key': `turned ${turn}`, onclick: () => act.showMoment({ turn, part: 'orders' }) },
      h('b', {}, phase.text), h('span', {}, ranked.map(([name, share]) => h('span', { class: 'change' }, swatch(slugOf(name)), h('span', { class: 'sr' }, translateName(name)), formatSigned(share))))),
    misses.length ? h('ul', {}, misses.slice(0, 2).map((one) => missedItem(turn, one))) : null);
}

const GRADES = { inaccuracy: t('Inaccuracy'), mistake: t('Mistake'), blunder: t('Blunder') };

/** The largest number of mistakes that are shown at first. */
const MISTAKES = 5;

function mistakeItem({ turn, phase, power, loss, grade, given, better }) {
  return h('li', { class: 'missed', 'data-grade': grade },
    h('p', {}, tx('{grade} by {power} in {phase}, {loss} of the board: {given}. Better: {better}.', {
      grade: h('b', {}, GRADES[grade]), power: h('b', {}, translateName(power)), phase: phase.text, loss: formatPercent(-loss), given: given.map(formatOrder).join('; '), better: h('b', {}, better.map(formatOrder).join('; ')),
    })),
    h('div', { class: 'proposal-tools' },
      h('button', { type: 'button', class: 'btn tight', 'data-key': `see ${turn} ${power}`, onclick: () => act.showMoment({ turn, part: 'orders' }) }, icon('eye'), t('Show')),
      h('button', { type: 'button', class: 'btn tight', 'data-key': `better ${turn} ${power}`, onclick: () => act.fork(turn, { power, orders: better }) }, icon('fork'), t('Try it'))));
}

/** Return the accuracy of each power, and the worst orders: those of your powers first. */
function accuracySection({ accuracy, judged }) {
  if (!accuracy.length) return null;
  const mine = new Set(ownPowers().map((power) => power.name));
  const ranked = [...judged.filter((one) => mine.has(one.power)), ...judged.filter((one) => !mine.has(one.power))];
  return [
    h('h4', {}, t('Accuracy')),
    h('p', { class: 'note' }, t('How close the orders came to the best plan that could be known at the time, from 0 to 100.')),
    h('table', { class: 'scores' },
      h('thead', {}, h('tr', {}, h('th', { scope: 'col' }, t('Power')), h('th', { scope: 'col' }, t('Accuracy')), h('th', { scope: 'col', title: t('Inaccuracies') }, '?!'), h('th', { scope: 'col', title: t('Mistakes') }, '?'), h('th', { scope: 'col', title: t('Blunders') }, '??'))),
      h('tbody', {}, accuracy.map((one) => h('tr', {}, h('th', { scope: 'row' }, swatch(slugOf(one.power)), ' ', translateName(one.power)), h('td', {}, formatPercent(one.accuracy / 100)),
        ['inaccuracy', 'mistake', 'blunder'].map((grade) => h('td', {}, String(one.grades[grade]))))))),
    ranked.length ? h('ol', { class: 'turnings' }, ranked.slice(0, MISTAKES).map(mistakeItem)) : null,
    ranked.length > MISTAKES ? h('details', { class: 'agreed' }, h('summary', {}, t('More')), h('ol', { class: 'turnings' }, ranked.slice(MISTAKES).map(mistakeItem))) : null,
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
      h('h4', {}, t('Turning points')),
      h('ol', { class: 'turnings' }, review.turning.map(turningPoint)),
      accuracySection(review),
    ] : [
      h('p', { class: 'note' }, t('Shows the expected share of each power by turn, the turning points, and the best orders missed.')),
      analyseButton(),
    ]);
}
