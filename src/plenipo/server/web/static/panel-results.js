/* The results panel: every order with its result, reason, strengths, and the changes that would have altered it. */
import * as act from './act.js';
import { h, icon, refill, swatch } from './dom.js';
import { joinNames, n as plural, translateName, t, tx } from './i18n.js';
import { judgementNote, judgementSign } from './panel-review.js';
import { emitChange, game, ownPowers, slugOf } from './state.js';
import { describeEnd, formatOrder, describeResult, formatStrength, phaseDate } from './words.js';

const FEW = 12;

const keyOf = (turn, outcome) => `${turn.turn} ${outcome.unit?.text ?? outcome.order}`;
const hasFailed = (outcome) => !outcome.succeeded || outcome.dislodged_by;

/** Return a line that names the powers without orders; null if all gave some. */
function nmrLine(turn) {
  return turn.nmr?.length ? h('p', { class: 'nmr' }, t('NMR: {powers}', { powers: joinNames(turn.nmr.map(translateName)) })) : null;
}

const FILTERS = {
  all: [t('All'), () => true],
  mine: [t('Mine'), (outcome) => ownPowers().some((power) => power.name === outcome.power)],
  failed: [t('Failed'), (outcome) => !outcome.succeeded],
  dislodged: [t('Dislodged'), (outcome) => outcome.dislodged_by],
};

function strengthRow(title, total, names, scale, share, wrong) {
  return [
    h('dt', {}, names.length ? tx('{strength} {supporters}', { strength: title, supporters: h('span', {}, t('with {units}', { units: joinNames(names) })) }) : title),
    h('dd', {}, h('meter', { class: wrong ? 'weak' : '', min: 0, max: 1, value: share, 'aria-hidden': 'true' }), h('b', {}, formatStrength(total, scale))),
  ];
}

function strengthTable(outcome) {
  const { strength: own, against, scale } = outcome;
  if (own === null || own === undefined || !outcome.by?.length) return null;
  const most = Math.max(own, against, 1);
  const rival = joinNames(outcome.by.map((unit) => t('{unit} ({power})', { unit: unit.text, power: translateName(unit.power) })));
  const holds = outcome.result === 'holds';
  return h('dl', { class: 'sums' },
    strengthRow(holds ? t('Held') : outcome.unit?.text ?? t('This order'), own, outcome.helpers, scale, own / most, own <= against),
    strengthRow(holds ? t('Attacked by {units}', { units: rival }) : t('Against {units}', { units: rival }), against, outcome.against_helpers, scale, against / most, false));
}

function details(turn, outcome) {
  const known = outcome.unit && game.why.get(`${turn.turn} ${outcome.unit.text}`);
  if (outcome.unit && turn.phase.kind === 'movement' && !game.moment?.original) act.loadChanges(turn.turn, outcome.unit);
  return h('div', { class: 'details', id: `d-${keyOf(turn, outcome).replace(/\W+/g, '-')}` },
    strengthTable(outcome),
    outcome.retreats?.length ? h('p', {}, t('Can retreat to: {spaces}', { spaces: joinNames(outcome.retreats) })) : null,
    known?.sentence ? h('p', { class: 'would' }, known.sentence.text) : null,
    h('button', { type: 'button', class: 'btn tight', 'data-key': `fork ${keyOf(turn, outcome)}`, onclick: () => act.fork(turn.turn) }, icon('fork'), t('What if …')));
}

function resultRow(turn, outcome) {
  const key = keyOf(turn, outcome);
  const open = game.open === key;
  const [sign, word] = describeResult(outcome);
  const bad = hasFailed(outcome);
  return h('li', { class: `result${bad ? ' bad' : ''}${open ? ' on' : ''}`, 'data-result': outcome.result, 'data-unit': outcome.unit?.text },
    h('button', {
      type: 'button', class: 'result-button', 'data-key': `result ${key}`, 'aria-expanded': String(open),
      onclick: () => {
        game.open = open ? null : key;
        emitChange();
      },
    }, icon(sign), h('span', { class: 'result-text' },
      h('b', {}, formatOrder(outcome.order ?? outcome.unit?.text ?? '')), ' ', h('span', { class: 'result-word' }, word),
      h('span', { class: 'why' }, outcome.why.text))),
    open ? details(turn, outcome) : null);
}

const CONCERNS = { gained: 'plus', lost: 'minus', dislodged: 'out', disbanded: 'cross', attacked: 'bar', entered: 'flag' };

/** Return the events that concern your power. */
function ownEvents(turn) {
  const list = turn.concerns?.[game.seat] ?? [];
  if (!list.length) return null;
  return h('section', { class: 'concerns', 'data-power': game.seat, 'aria-label': t('For {power}', { power: translateName(game.seat) }) },
    h('h3', {}, swatch(slugOf(game.seat)), t('For {power}', { power: translateName(game.seat) })),
    h('ul', {}, list.map(({ kind, sentence }) => h('li', { 'data-kind': kind }, icon(CONCERNS[kind] ?? 'flag'), h('span', {}, sentence.text)))));
}

/** Return the results of one power; those of other powers are folded. */
function resultGroup(turn, name, outcomes, own) {
  const good = outcomes.filter((outcome) => !hasFailed(outcome)).length;
  const tally = turn.nmr?.includes(name) ? t('NMR: no orders') : t('{count} of {total} succeeded', { count: good, total: outcomes.length });
  const head = [swatch(slugOf(name)), translateName(name), judgementSign(turn.turn, name), h('span', { class: 'tally' }, tally)];
  const list = [judgementNote(turn.turn, name), h('ul', {}, outcomes.map((outcome) => resultRow(turn, outcome)))];
  const props = { class: 'result-group', 'data-power': name };
  if (own) return h('section', props, h('h3', {}, head), list);
  const asked = game.filter !== 'all' || game.onlyPower || outcomes.some((outcome) => game.open === keyOf(turn, outcome)) || game.unfolded.has(name);
  return h('details', { ...props, open: asked, ontoggle: (event) => game.unfolded[event.target.open ? 'add' : 'delete'](name) },
    h('summary', { 'data-key': `group ${name}` }, h('h3', {}, head)), list);
}

/** Tell whether an outcome passes the filters. */
const isShown = (outcome) => (FILTERS[game.filter]?.[1] ?? (() => true))(outcome) && (!game.onlyPower || outcome.power === game.onlyPower);

/** Return the menu that shows one power alone, in this turn and the others. */
function powerFilter(turn) {
  const names = game.view.powers.map((power) => power.name).filter((name) => name === game.onlyPower || turn.outcomes.some((outcome) => outcome.power === name));
  if (names.length < 2) return null;
  return h('select', {
    class: 'field', 'data-key': 'filter power', 'aria-label': t('Power'),
    onchange: (event) => {
      game.onlyPower = event.target.value;
      emitChange();
    },
  }, h('option', { value: '' }, t('All powers')), names.map((name) => h('option', { value: name, selected: name === game.onlyPower }, translateName(name))));
}

function resultGroups(turn) {
  const by = new Map();
  for (const outcome of turn.outcomes.filter(isShown)) by.set(outcome.power, [...(by.get(outcome.power) ?? []), outcome]);
  const own = ownPowers().map((power) => power.name);
  const first = game.seat ? [game.seat, ...own] : own;
  const order = [...new Set([...first, ...game.view.powers.map((power) => power.name), ...by.keys()])].filter((name) => by.has(name));
  return order.map((name) => resultGroup(turn, name, by.get(name), !own.length || own.includes(name)));
}

function filterChips(turn) {
  const shown = Object.entries(FILTERS).map(([key, [word, keep]]) => [key, word, turn.outcomes.filter(keep).length])
    .filter(([key, , n]) => key === 'all' || (n && n < turn.outcomes.length) || game.filter === key);
  if (shown.length < 2) return null;
  return h('div', { class: 'filters', role: 'group', 'aria-label': t('Filter results') }, shown.map(([key, word, n]) => h('button', {
    type: 'button', class: 'filter', 'data-key': `filter ${key}`, 'aria-pressed': String(game.filter === key),
    onclick: () => {
      game.filter = key;
      emitChange();
    },
  }, word, key === 'failed' || key === 'dislodged' ? h('span', {}, String(n)) : null)));
}

/** Return the result of a draw, with its draw pile. */
function drawItem(one) {
  const slips = one.slips ?? [];
  const results = [one.result].flat().map(String);
  const list = h('ul', { class: 'slips' }, slips.map((slip) => {
    const hit = results.includes(String(slip));
    return h('li', { class: hit ? 'slip hit' : 'slip' }, String(slip), hit ? h('span', { class: 'sr' }, ' ', t('(drawn)')) : null);
  }));
  const many = slips.length > FEW;
  return h('div', { class: 'draw' },
    h('p', {}, one.label.split('|').at(-1).trim(), many || !slips.length ? [': ', h('b', {}, results.join(', '))] : null),
    many ? h('details', {}, h('summary', {}, plural('Draw pile: {count} slip', 'Draw pile: {count} slips', slips.length)), list) : slips.length ? list : null,
    one.entered ? h('p', { class: 'note' }, t('Entered by the game master.')) : null);
}

function drawSection(turn) {
  return turn.draws?.length ? h('section', { class: 'draws' }, h('h3', {}, t('Random draws')), turn.draws.map(drawItem)) : null;
}

function noteList(title, sentences) {
  if (!sentences?.length) return null;
  const list = h('ul', {}, sentences.map(({ text }) => h('li', {}, text)));
  const head = h('h3', {}, title, h('span', { class: 'tally' }, String(sentences.length)));
  return sentences.length > FEW
    ? h('details', { class: 'followed' }, h('summary', {}, head), list)
    : h('section', { class: 'followed' }, head, list);
}

/** List the differences between this turn of a what-if and the same turn of the original game. */
export function listDifferences(turn, original) {
  const lines = [];
  const there = new Map(original.outcomes.map((outcome) => [outcome.unit?.text ?? outcome.order, outcome]));
  for (const outcome of turn.outcomes) {
    const other = there.get(outcome.unit?.text ?? outcome.order);
    if (!other) lines.push({ power: outcome.power, here: t('{order}: {result}', { order: outcome.order, result: describeResult(outcome)[1] }), there: t('no such unit') });
    else if (other.order !== outcome.order || other.result !== outcome.result || Boolean(other.dislodged_by) !== Boolean(outcome.dislodged_by)) {
      const say = (one) => t('{order}: {result}', { order: one.order ? formatOrder(one.order) : t('{unit} no order', { unit: one.unit?.text }), result: describeResult(one)[1] });
      lines.push({ power: outcome.power, here: say(outcome), there: say(other) });
    }
  }
  return lines;
}

function comparison(turn) {
  const original = game.originals?.get(turn.turn);
  if (!original || !game.view.fork_of) return null;
  const lines = listDifferences(turn, original);
  return h('section', { class: 'compare' }, h('h3', {}, t('Compared with the game')),
    lines.length
      ? h('ul', {}, lines.map((line) => h('li', {}, h('span', { class: 'here' }, swatch(slugOf(line.power)), line.here), h('span', { class: 'there' }, t('Game: {outcome}', { outcome: line.there })))))
      : h('p', {}, t('Every order had the same result.')));
}

/** Fill `pane` with the results of the turn on the map, or of the last one. */
export function resultsPanel(pane) {
  const n = game.moment?.turn ?? game.view.last?.turn;
  const turn = game.turns.get(n);
  if (!turn) return refill(pane, h('h2', {}, t('Results')), h('p', { class: 'big-note' }, t('No results yet. They appear here after the first turn, each with its reason.')));
  const wrong = turn.outcomes.filter((outcome) => !outcome.succeeded).length;
  const total = turn.outcomes.length;
  return refill(pane,
    h('div', { class: 'pane-head' }, h('h2', {}, t('Results')),
      h('p', { class: 'count-of' }, wrong ? plural('{count} order, {failed} failed', '{count} orders, {failed} failed', total, { failed: wrong }) : plural('{count} order', '{count} orders', total))),
    h('p', { class: 'which' }, turn.phase.text),
    game.view.over && turn.turn === game.view.turn - 1 ? h('p', { class: 'big-note end-line' }, describeEnd(game.view)) : null,
    nmrLine(turn),
    ownEvents(turn),
    turn.summary?.length ? h('div', { class: 'summary-lines' }, turn.summary.map((line) => h('p', {}, line.text))) : null,
    drawSection(turn),
    comparison(turn),
    filterChips(turn),
    powerFilter(turn),
    resultGroups(turn),
    game.onlyPower && !turn.outcomes.some(isShown) ? h('p', { class: 'note' }, t('{power} has no such orders in this turn.', { power: translateName(game.onlyPower) })) : null,
    noteList(t('Events'), (turn.notes ?? []).filter((note) => !(turn.summary ?? []).some((line) => line.text === note.text))),
    noteList(t('Ignored orders'), turn.errors),
    h('div', { class: 'pane-act' },
      h('button', { type: 'button', class: 'btn', 'data-key': 'fork-here', id: 'fork-here', onclick: () => act.fork(turn.turn) }, icon('fork'), t('What if … from {phase}', { phase: phaseDate(turn.phase) }))));
}
