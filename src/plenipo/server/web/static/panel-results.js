/* What happened: every order with its result, the sentence of its cause, its numbers, and what would have changed it. */
import * as act from './act.js';
import { h, icon, refill, swatch } from './dom.js';
import { changed, game, mine, slugOf } from './state.js';
import { count, printed, result, strength, when } from './words.js';

const FEW = 12;

const keyOf = (turn, outcome) => `${turn.turn} ${outcome.unit?.text ?? outcome.order}`;
const failed = (outcome) => !outcome.succeeded || outcome.dislodged_by;

const FILTERS = {
  all: ['All', () => true],
  mine: ['Mine', (outcome) => mine().some((power) => power.name === outcome.power)],
  failed: ['Failed', (outcome) => !outcome.succeeded],
  dislodged: ['Dislodged', (outcome) => outcome.dislodged_by],
};

function side(title, total, names, scale, share, wrong) {
  return [
    h('dt', {}, title, names.length ? h('span', {}, ` with ${names.join(', ')}`) : null),
    h('dd', {}, h('meter', { class: wrong ? 'weak' : '', min: 0, max: 1, value: share, 'aria-hidden': 'true' }), h('b', {}, strength(total, scale))),
  ];
}

function numbers(outcome) {
  const { strength: own, against, scale } = outcome;
  if (own === null || own === undefined || !outcome.by?.length) return null;
  const most = Math.max(own, against, 1);
  const rival = outcome.by.map((unit) => `${unit.text} of ${unit.power}`).join(', ');
  const first = outcome.result === 'holds' ? ['Held with', 'Attacked by'] : [outcome.unit?.text ?? 'This', 'Against'];
  return h('dl', { class: 'sums' },
    side(first[0], own, outcome.helpers, scale, own / most, own <= against),
    side(`${first[1]} ${rival}`, against, outcome.against_helpers, scale, against / most, false));
}

function details(turn, outcome) {
  const known = outcome.unit && game.why.get(`${turn.turn} ${outcome.unit.text}`);
  if (outcome.unit && turn.phase.kind === 'movement' && !game.moment?.original) act.why(turn.turn, outcome.unit);
  return h('div', { class: 'details', id: `d-${keyOf(turn, outcome).replace(/\W+/g, '-')}` },
    numbers(outcome),
    outcome.retreats?.length ? h('p', {}, `May retreat to ${outcome.retreats.join(', ')}.`) : null,
    known?.sentence ? h('p', { class: 'would' }, known.sentence) : null,
    h('button', { type: 'button', class: 'btn tight', 'data-key': `fork ${keyOf(turn, outcome)}`, onclick: () => act.fork(turn.turn) }, icon('fork'), 'What if …'));
}

function row(turn, outcome) {
  const key = keyOf(turn, outcome);
  const open = game.open === key;
  const [sign, word] = result(outcome);
  const bad = failed(outcome);
  return h('li', { class: `result${bad ? ' bad' : ''}${open ? ' on' : ''}`, 'data-result': outcome.result, 'data-unit': outcome.unit?.text },
    h('button', {
      type: 'button', class: 'result-button', 'data-key': `result ${key}`, 'aria-expanded': String(open),
      onclick: () => {
        game.open = open ? null : key;
        changed();
      },
    }, icon(sign), h('span', { class: 'result-text' },
      h('b', {}, printed(outcome.order ?? outcome.unit?.text ?? '')), ' ', h('span', { class: 'result-word' }, word),
      h('span', { class: 'why' }, outcome.why))),
    open ? details(turn, outcome) : null);
}

const CONCERNS = { gained: 'plus', lost: 'minus', dislodged: 'out', disbanded: 'cross', attacked: 'bar', entered: 'flag' };

/** What matters to the power in the seat, before everything else. */
function concerns(turn) {
  const list = turn.concerns?.[game.seat] ?? [];
  if (!list.length) return null;
  return h('section', { class: 'concerns', 'data-power': game.seat, 'aria-label': `For ${game.seat}` },
    h('h3', {}, swatch(slugOf(game.seat)), `For ${game.seat}`),
    h('ul', {}, list.map(({ kind, text }) => h('li', { 'data-kind': kind }, icon(CONCERNS[kind] ?? 'flag'), h('span', {}, text)))));
}

/** The results of one power; those of others are folded until somebody asks for them. */
function group(turn, name, outcomes, own) {
  const good = outcomes.filter((outcome) => !failed(outcome)).length;
  const head = [swatch(slugOf(name)), name, h('span', { class: 'tally' }, `${good} of ${outcomes.length} succeeded`)];
  const list = h('ul', {}, outcomes.map((outcome) => row(turn, outcome)));
  const props = { class: 'result-group', 'data-power': name };
  if (own) return h('section', props, h('h3', {}, head), list);
  const asked = game.filter !== 'all' || outcomes.some((outcome) => game.open === keyOf(turn, outcome)) || game.unfolded.has(name);
  return h('details', { ...props, open: asked, ontoggle: (event) => game.unfolded[event.target.open ? 'add' : 'delete'](name) },
    h('summary', { 'data-key': `group ${name}` }, h('h3', {}, head)), list);
}

function groups(turn) {
  const keep = FILTERS[game.filter]?.[1] ?? (() => true);
  const by = new Map();
  for (const outcome of turn.outcomes.filter(keep)) by.set(outcome.power, [...(by.get(outcome.power) ?? []), outcome]);
  const own = mine().map((power) => power.name);
  const first = game.seat ? [game.seat, ...own] : own;
  const order = [...new Set([...first, ...game.view.powers.map((power) => power.name), ...by.keys()])].filter((name) => by.has(name));
  return order.map((name) => group(turn, name, by.get(name), !own.length || own.includes(name)));
}

function chips(turn) {
  const shown = Object.entries(FILTERS).map(([key, [word, keep]]) => [key, word, turn.outcomes.filter(keep).length])
    .filter(([key, , n]) => key === 'all' || (n && n < turn.outcomes.length) || game.filter === key);
  if (shown.length < 2) return null;
  return h('div', { class: 'filters', role: 'group', 'aria-label': 'Which results' }, shown.map(([key, word, n]) => h('button', {
    type: 'button', class: 'filter', 'data-key': `filter ${key}`, 'aria-pressed': String(game.filter === key),
    onclick: () => {
      game.filter = key;
      changed();
    },
  }, word, key === 'failed' || key === 'dislodged' ? h('span', {}, String(n)) : null)));
}

/** What was drawn, and on demand all it was drawn from. */
function draw(one) {
  const slips = one.slips ?? [];
  const results = [one.result].flat().map(String);
  const list = h('ul', { class: 'slips' }, slips.map((slip) => {
    const hit = results.includes(String(slip));
    return h('li', { class: hit ? 'slip hit' : 'slip' }, String(slip), hit ? h('span', { class: 'sr' }, ', drawn') : null);
  }));
  const many = slips.length > FEW;
  return h('div', { class: 'draw' },
    h('p', {}, one.label.split('|').at(-1).trim(), many || !slips.length ? [': ', h('b', {}, results.join(', '))] : null),
    many ? h('details', {}, h('summary', {}, `Drawn from ${slips.length}`), list) : slips.length ? list : null,
    one.entered ? h('p', { class: 'note' }, 'Entered by the game master.') : null);
}

function drawn(turn) {
  return turn.draws?.length ? h('section', { class: 'draws' }, h('h3', {}, 'Drawn'), turn.draws.map(draw)) : null;
}

function told(title, sentences) {
  if (!sentences?.length) return null;
  const list = h('ul', {}, sentences.map((text) => h('li', {}, text)));
  const head = h('h3', {}, title, h('span', { class: 'tally' }, String(sentences.length)));
  return sentences.length > FEW
    ? h('details', { class: 'followed' }, h('summary', {}, head), list)
    : h('section', { class: 'followed' }, head, list);
}

/** How this turn of a what-if differs from what was played, as lines. */
export function differences(turn, original) {
  const lines = [];
  const there = new Map(original.outcomes.map((outcome) => [outcome.unit?.text ?? outcome.order, outcome]));
  for (const outcome of turn.outcomes) {
    const other = there.get(outcome.unit?.text ?? outcome.order);
    if (!other) lines.push({ power: outcome.power, here: `${outcome.order}, ${result(outcome)[1]}`, there: 'not there' });
    else if (other.order !== outcome.order || other.result !== outcome.result || Boolean(other.dislodged_by) !== Boolean(outcome.dislodged_by)) {
      const say = (one) => `${printed(one.order ?? `${one.unit?.text} no order`)}, ${result(one)[1]}`;
      lines.push({ power: outcome.power, here: say(outcome), there: say(other) });
    }
  }
  return lines;
}

function comparison(turn) {
  const original = game.originals?.get(turn.turn);
  if (!original || !game.view.fork_of) return null;
  const lines = differences(turn, original);
  return h('section', { class: 'compare' }, h('h3', {}, 'Against what was played'),
    lines.length
      ? h('ul', {}, lines.map((line) => h('li', {}, h('span', { class: 'here' }, swatch(slugOf(line.power)), line.here), h('span', { class: 'there' }, `played: ${line.there}`))))
      : h('p', {}, 'Every order came out as it was played.'));
}

/** Fill `pane` with the results of the turn on the map, or of the last one. */
export function resultsPanel(pane) {
  const n = game.moment?.turn ?? game.view.last?.turn;
  const turn = game.turns.get(n);
  if (!turn) return refill(pane, h('h2', {}, 'Results'), h('p', { class: 'big-note' }, 'Nothing has been judged yet. Results come here, each with its reason.'));
  const wrong = turn.outcomes.filter((outcome) => !outcome.succeeded).length;
  const total = turn.outcomes.length;
  return refill(pane,
    h('div', { class: 'pane-head' }, h('h2', {}, 'What happened'),
      h('p', { class: 'count-of' }, `${count(total, 'order')}${wrong ? `, ${wrong} failed` : ''}`)),
    h('p', { class: 'which' }, turn.phase.text),
    concerns(turn),
    turn.summary?.length ? h('div', { class: 'summary-lines' }, turn.summary.map((line) => h('p', {}, line))) : null,
    drawn(turn),
    comparison(turn),
    chips(turn),
    groups(turn),
    told('What followed', (turn.notes ?? []).filter((note) => !(turn.summary ?? []).includes(note))),
    told('Not counted', turn.errors),
    h('div', { class: 'pane-act' },
      h('button', { type: 'button', class: 'btn', 'data-key': 'fork-here', id: 'fork-here', onclick: () => act.fork(turn.turn) }, icon('fork'), `What if … from ${when(turn.phase)}`)));
}
