/* The key turns of a finished game: the greatest changes of the counts; an analysis finds better ones. */
import { showMoment } from './act.js';
import { h } from './dom.js';
import { formatSigned, joinNames, t, translateName } from './i18n.js';
import { game } from './state.js';
import { phaseDate } from './words.js';

/** The most turns that are listed. */
const MOST = 5;
/** The least change of one power's count that makes a turn a key turn. */
const LEAST = 2;

/** Return the power with the highest count, empty in a tie. */
function findLeader(score) {
  const [first, second] = Object.entries(score).sort(([, one], [, other]) => other - one);
  return first && first[1] > (second?.[1] ?? 0) ? first[0] : '';
}

/** Return what a turn changed: {turn, phase, lead, out, changes, weight}. */
function describeChange(before, after, lastLeader) {
  const changes = Object.keys({ ...before.score, ...after.score })
    .map((power) => [power, (after.score[power] ?? 0) - (before.score[power] ?? 0)]).filter(([, change]) => change);
  const out = changes.filter(([power]) => !after.score[power]).map(([power]) => power);
  const leader = findLeader(after.score);
  const lead = leader && lastLeader && leader !== lastLeader ? leader : '';
  const most = Math.max(0, ...changes.map(([, change]) => Math.abs(change)));
  return { turn: before.turn, phase: before.phase, lead, out, changes: changes.filter(([, change]) => Math.abs(change) >= LEAST), weight: (lead ? 3 : 0) + 2 * out.length + (most >= LEAST ? most : 0) };
}

/** Return the turns of a history that changed most, in their order. */
export function findKeyTurns({ turns, now }) {
  let leader = '';
  const found = turns.map((before, i) => {
    const after = turns[i + 1] ?? now;
    const change = describeChange(before, after, leader);
    leader = findLeader(after.score) || leader;
    return change;
  });
  const key = found.filter(({ weight }) => weight).sort((one, other) => other.weight - one.weight || one.turn - other.turn).slice(0, MOST);
  return key.sort((one, other) => one.turn - other.turn);
}

function describe({ lead, out, changes }) {
  const gone = new Set(out);
  const signed = changes.filter(([power]) => !gone.has(power)).sort(([, one], [, other]) => other - one)
    .map(([power, change]) => `${translateName(power)} ${formatSigned(change)}`);
  return [
    lead ? t('{power} takes the lead', { power: translateName(lead) }) : '',
    out.length ? t('Eliminated: {powers}', { powers: joinNames(out.map(translateName)) }) : '',
    signed.join(', '),
  ].filter(Boolean).join('. ');
}

/** Return the section of the key turns, each of which a click shows on the map; null without any, or with an analysis. */
export function keyTurns() {
  const turns = findKeyTurns(game.history);
  if (game.review || !turns.length) return null;
  return h('section', { 'aria-labelledby': 'key-turns-head' }, h('h3', { id: 'key-turns-head' }, t('Key turns')),
    h('ol', { class: 'key-turns' }, turns.map((one) => h('li', {},
      h('button', { type: 'button', 'data-key': `key turn ${one.turn}`, onclick: () => showMoment({ turn: one.turn, part: 'orders' }) },
        h('b', {}, phaseDate(one.phase)), ' ', h('span', {}, describe(one)))))));
}
