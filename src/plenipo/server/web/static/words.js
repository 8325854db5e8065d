/* The words and icons of results, phases and orders. */
import { joinNames, n, translateName, formatNumber, t } from './i18n.js';

const RESULTS = {
  moves: ['check', t('moved')],
  fails: ['bar', t('bounced')],
  holds: ['hold', t('held')],
  supports: ['check', t('supported')],
  cut: ['cut', t('support cut')],
  convoys: ['check', t('convoyed')],
  disrupted: ['cut', t('convoy disrupted')],
  void: ['cross', t('void')],
  converts: ['check', t('converted')],
  retreats: ['retreat', t('retreated')],
  disbanded: ['disband', t('disbanded')],
  builds: ['plus', t('built')],
  removed: ['disband', t('removed')],
  waived: ['minus', t('waived')],
  chosen: ['check', t('chosen')],
};

/** Return the icon and the word of an outcome. */
export function describeResult(outcome) {
  const [icon, word] = RESULTS[outcome.result] ?? ['check', outcome.result];
  if (outcome.dislodged_by) return ['out', t('{result}, dislodged', { result: word })];
  if (outcome.result === 'fails' && outcome.reason === 'stood off') return [icon, t('bounced')];
  if (outcome.result === 'convoys' && !outcome.succeeded) return [RESULTS.disrupted[0], t('did not convoy')];
  return [icon, word];
}

/** Write an order with dashes for print. */
export const formatOrder = (order) => order.replace(/ - /g, ' – ');

/** Format a year: `1901`, `48 BC`. */
export const yearText = (year) => (year < 0 ? t('{year} BC', { year: String(-year) }) : String(year));

/** Abbreviate a phase to about five characters: `S 01`; a year before 1000 is written in full. */
export function abbreviatePhase(phase) {
  const initial = phase.code?.match(/^[A-Za-z]+/)?.[0]?.slice(0, 2) ?? phase.season.slice(0, 2);
  return `${initial.length > 1 && !/^[A-Z]{2}$/.test(initial) ? initial : initial[0]} ${phase.year > 999 ? String(phase.year).slice(-2) : yearText(phase.year)}`;
}

const PHASE_NAMES = { movement: t('Movement'), retreats: t('Retreats'), adjustments: t('Adjustments'), choice: t('Choice') };
export const phaseKind = (phase) => PHASE_NAMES[phase.kind] ?? phase.kind[0].toUpperCase() + phase.kind.slice(1);
export const phaseDate = (phase) => `${translateName(phase.season)} ${yearText(phase.year)}`;

/** The names of unit types by their code; a board may add its own. */
export const UNIT_NAMES = { A: t('Army'), F: t('Fleet') };
export const unitWords = (unit, nameOf) =>
  `${UNIT_NAMES[unit.kind] ?? t('Unit')} ${nameOf(unit.space)}${unit.coast ? ` (${unit.coast.toLowerCase()})` : ''}`;

/** The things that a victory condition counts: a heading, and a text with the number. */
const SCORES = {
  centre: [t('Supply centres'), (count) => n('{count} centre', '{count} centres', count)],
  piece: [t('Units'), (count) => n('{count} unit', '{count} units', count)],
  unit: [t('Units'), (count) => n('{count} unit', '{count} units', count)],
  point: [t('Points'), (count) => n('{count} point', '{count} points', count)],
  space: [t('Spaces'), (count) => n('{count} space', '{count} spaces', count)],
  rival: [t('Eliminated rivals'), (count) => n('{count} eliminated rival', '{count} eliminated rivals', count)],
};
const OTHER = [t('Score'), (count) => formatNumber(count)];

/** Return the heading for the units of a victory condition. */
export const scoreTitle = (noun) => (SCORES[noun] ?? OTHER)[0];

/** Describe a score: `12 centres`. */
export const describeScore = (noun, count) => (SCORES[noun] ?? OTHER)[1](count);

/** Describe the end of a game: who won with which score, or which powers share the draw. */
export function describeEnd({ winners, drawn, counted, powers }) {
  if (drawn.length === 1) return t('{winner} won: all others conceded.', { winner: translateName(drawn[0]) });
  if (drawn.length) return t('Draw: {powers}.', { powers: joinNames(drawn.map(translateName)) });
  if (!winners.length) return t('The game is over.');
  const score = powers.find((power) => power.name === winners[0])?.score ?? 0;
  return t('{winners} won with {score}.', { winners: joinNames(winners.map(translateName)), score: describeScore(counted, score) });
}

/** Format a strength, given in units of its scale. */
export const formatStrength = (value, scale) => formatNumber(Math.round((value / (scale || 1)) * 100) / 100);
