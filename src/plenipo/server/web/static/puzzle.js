/* A puzzle: the answer is given with the mouse, touch or keys, and checked on the server. */
import { requestJson } from './api.js';
import { listMovements } from './board.js';
import { announce, h, icon, readJson, refill, token } from './dom.js';
import { n, t, tx, translateName } from './i18n.js';
import { OrderMaker, slugOf } from './order-maker.js';
import { listResults } from './results.js';
import { findNext, ratingFor, storeRating, storeSolved } from './solved.js';
import { setUpThemes } from './theme.js';
import { formatOrder } from './words.js';

const FATES = { succeeds: t('succeeds'), fails: t('fails'), dislodged: t('is dislodged') };

const puzzle = readJson('the-puzzle');
const chapter = readJson('the-chapter');
const state = { answer: null, tries: 0, fates: {}, reasons: {} };
setUpThemes();

const address = (rest = '') => `/api/puzzles/${puzzle.number}${rest}`;
const asksOrders = puzzle.kind === 'order';

const maker = new OrderMaker(readJson('the-board'), {
  address,
  render,
  isOver: () => state.answer !== null || !asksOrders,
  leadsOn: false,
});

const send = (body) => maker.ask(async () => {
  const answer = await requestJson(address(), { method: 'POST', body: { ...body, solver: ratingFor(puzzle.number) } });
  if (answer.solver) storeRating(puzzle.number, answer.solver);
  state.tries += 1;
  state.answer = answer;
  state.reasons = {};
  maker.walk.reset();
  if (answer.solved) storeSolved(puzzle.number, state.tries);
  else if (body.solution || !asksOrders) storeSolved(puzzle.number, 0);
  maker.board.highlight({});
  await maker.board.animate(listMovements({ outcomes: answer.outcomes }));
  maker.board.setPicture(answer.picture);
  document.getElementById('pane').scrollTop = 0;
  announce(answer.words.text);
});

function check() {
  if (asksOrders) return send({ orders: maker.orders });
  if (puzzle.questions.some((question) => !state.fates[question.unit])) {
    maker.fault = t('Answer for every unit.');
    return render();
  }
  return send({ fates: state.fates });
}

const giveAway = () => send({ solution: true });

/** Ask the server which orders would have changed the result of a unit. */
const explain = (unit) => maker.ask(async () => {
  const found = await requestJson(address('/reason'), { method: 'POST', body: { unit, orders: state.answer.solution.length ? state.answer.solution : maker.orders } });
  state.reasons[unit] = found.sentence?.text ?? t('No change of one or two supports would have changed this.');
});

function again() {
  state.answer = null;
  maker.show(puzzle, { focus: asksOrders ? puzzle.focus : undefined });
}

/** Return the question about a unit, with the answers to choose from. */
function question({ unit, power, order }) {
  const right = state.answer?.fates.find((fate) => fate.unit === unit);
  const sign = right && (right.given === right.right ? 'check' : 'cross');
  return h('li', { class: 'question', 'data-unit': unit },
    h('fieldset', {},
      h('legend', {}, token(unit.split(' ')[0], slugOf(power)), h('span', {}, order ? formatOrder(order) : unit), sign ? h('span', { class: `verdict ${sign}` }, icon(sign), h('span', { class: 'sr' }, sign === 'check' ? t('right') : t('wrong'))) : null),
      h('div', { class: 'fates' }, Object.entries(FATES).map(([fate, words]) => h('label', { class: right?.right === fate ? 'fate right' : 'fate' },
        h('input', { type: 'radio', name: unit, value: fate, 'data-key': `fate ${unit} ${fate}`, checked: state.fates[unit] === fate, disabled: Boolean(right), onchange: () => { state.fates[unit] = fate; } }),
        h('span', {}, words))))));
}

const whatIf = (outcome) => {
  const unit = outcome.unit && (typeof outcome.unit === 'string' ? outcome.unit : outcome.unit.text);
  if (!unit) return null;
  return state.reasons[unit]
    ? h('span', { class: 'what-if' }, ` ${state.reasons[unit]}`)
    : [' ', h('button', { type: 'button', class: 'linkish', 'data-key': `why ${unit}`, 'data-why': unit, onclick: () => explain(unit) }, t('What if?'), h('span', { class: 'sr' }, ` ${unit}`))];
};

const describeRating = ({ rating, change }) => t('Your puzzle rating: {rating} ({change}). This puzzle: {difficulty}.', { difficulty: String(puzzle.difficulty), rating: String(Math.round(rating)), change: `${change < 0 ? '−' : '+'}${Math.abs(change)}` });

function results() {
  const { answer } = state;
  const links = [
    h('a', { href: '/puzzles' }, t('All puzzles')),
    ...answer.lessons.map((lesson) => h('a', { href: `/learn/${lesson.id}` }, t('Lesson: {title}', { title: lesson.title }))),
    ...answer.paragraphs.map((rule) => h('a', { href: rule.address }, t('Rule: {title}', { title: rule.title }))),
    h('a', { href: answer.rules }, t('Rules of {variant}', { variant: puzzle.title })),
  ];
  return h('div', { class: `outcome-box${answer.solved ? ' solved' : ''}`, id: 'outcome-box', tabindex: '-1' },
    h('p', { class: 'verdict-words' }, answer.words.text),
    answer.solver ? h('p', { class: 'note', id: 'solver' }, describeRating(answer.solver)) : null,
    answer.solution.length && !answer.solved ? h('ul', { class: 'the-solution' }, answer.solution.map((order) => h('li', {}, formatOrder(order)))) : null,
    listResults(answer.outcomes.filter((outcome) => outcome.order || outcome.dislodged_by), whatIf),
    h('p', { class: 'note puzzle-links' }, links.flatMap((link, i) => (i ? [' · ', link] : [link])), answer.source ? ` · ${answer.source}` : null));
}

function render() {
  const { answer } = state;
  const place = chapter.numbers.indexOf(puzzle.number) + 1;
  refill(document.getElementById('exercise'),
    h('div', { class: 'pane-head' }, h('h2', {}, asksOrders ? puzzle.phase.text : puzzle.title), h('span', { class: 'count-of' }, t('{number} of {count}', { number: place, count: chapter.numbers.length }))),
    h('p', { class: 'task' }, puzzle.task.text),
    asksOrders ? h('p', { class: 'note' }, tx('You play {power}.', { power: h('b', {}, translateName(puzzle.power)) }), ' ', n('{count} order is enough; your other units hold.', '{count} orders are enough; your other units hold.', puzzle.needed)) : null,
    answer ? results() : null,
    asksOrders ? (answer ? null : maker.list()) : h('ul', { class: 'questions' }, puzzle.questions.map(question)),
    maker.fault ? h('p', { class: 'fault', role: 'alert' }, maker.fault) : null);
  refill(document.getElementById('foot-bar'), buttons());
  if (!answer && asksOrders) maker.mark();
}

const button = (id, words, onclick, main) => h('button', { type: 'button', class: `btn wide${main ? ' main' : ''}`, id, 'data-key': id, onclick }, words);

function buttons() {
  const { answer } = state;
  if (!answer) return button('check', t('Check'), check, true);
  const next = findNext(chapter.numbers, puzzle.number);
  const onward = (main) => h('a', { class: `btn wide${main ? ' main' : ''}`, id: 'onward', href: next ? `/puzzles/${next}` : '/puzzles' }, next ? t('Next puzzle') : t('All puzzles'));
  if (answer.solved || answer.solution.length || !asksOrders) return onward(true);
  return h('div', { class: 'lesson-foot' }, button('again', t('Try again'), again, true), button('give-away', t('Show the solution'), giveAway, false));
}

again();
