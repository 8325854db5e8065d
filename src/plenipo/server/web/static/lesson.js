/* A lesson: exercises on the board, one after the other, which are played on the server. */
import { requestJson } from './api.js';
import { listMovements } from './board.js';
import { announce, h, isPhone, readJson, refill } from './dom.js';
import { t, tx, n, translateName } from './i18n.js';
import { OrderMaker } from './order-maker.js';
import { listResults } from './results.js';
import { loadStars, starRow, storeStars } from './stars.js';
import { setUpThemes } from './theme.js';

const page = readJson('the-lesson');
setUpThemes();

const state = { exercise: readJson('the-exercise'), answer: null, tries: 0, stars: 0 };

const path = (rest = '') => `/api/lessons/${page.id}/${state.exercise.number}${rest}`;

/** Hide the text of the rule, so that the exercise has the room. */
function foldRule() {
  document.getElementById('lesson-text').open = false;
}

const maker = page && new OrderMaker(readJson('the-board'), {
  address: path,
  render,
  begun: () => isPhone() && foldRule(),
  isOver: () => state.answer !== null,
});

const play = () => maker.ask(async () => {
  const answer = await requestJson(path(), { method: 'POST', body: { orders: maker.orders } });
  state.tries += 1;
  state.answer = answer;
  maker.walk.reset();
  state.stars = answer.solved ? Math.max(1, answer.stars - (state.tries - 1)) : 0;
  if (answer.solved) storeStars(page.id, state.exercise.number, state.stars);
  maker.board.highlight({});
  await maker.board.animate(listMovements({ outcomes: answer.outcomes }));
  maker.board.setPicture(answer.picture);
  announce(answer.solved ? t('Solved. {words}', { words: answer.words }) : t('Not yet. {words}', { words: answer.words }));
});

/** Show an exercise from its beginning. */
function show(exercise) {
  Object.assign(state, { exercise, answer: null });
  maker.show(exercise);
}

const again = () => show(state.exercise);

/** Show another exercise of the lesson, counted from 1, which the server has. */
async function load(number) {
  const exercise = await requestJson(`/api/lessons/${page.id}/${number}`);
  state.tries = 0;
  show(exercise);
}

const goOn = () => maker.ask(async () => {
  await load(state.exercise.number + 1);
  foldRule();
});

/** Begin with the first exercise without stars, or with the first of all, which is on the page. */
function begin() {
  show(state.exercise);
  const place = loadStars(page.id, state.exercise.count).indexOf(0);
  if (place > 0) maker.ask(() => load(place + 1));
}

function results() {
  const { answer, exercise } = state;
  return h('div', { class: `outcome-box${answer.solved ? ' solved' : ''}`, id: 'outcome-box', tabindex: '-1' },
    h('h3', {}, answer.solved ? t('Solved') : t('Not yet'), answer.solved ? starRow(state.stars) : null),
    h('p', {}, answer.words),
    answer.solved && answer.orders.length > exercise.needed ? h('p', { class: 'note' }, n('It can be done with {count} order.', 'It can be done with {count} orders.', exercise.needed)) : null,
    listResults(answer.outcomes));
}

function render() {
  const { exercise, answer } = state;
  const others = exercise.count > 1 ? h('span', { class: 'count-of' }, t('{number} of {count}', { number: exercise.number, count: exercise.count })) : null;
  refill(document.getElementById('exercise'),
    h('div', { class: 'pane-head' }, h('h2', {}, t('Exercise')), others),
    h('p', { class: 'task' }, exercise.task),
    h('p', { class: 'note' }, tx('You play {power}.', { power: h('b', {}, translateName(exercise.power)) })),
    answer ? results() : maker.list(),
    maker.fault ? h('p', { class: 'fault', role: 'alert' }, maker.fault) : null);
  refill(document.getElementById('foot-bar'), buttons());
  if (!answer) maker.mark();
}

function buttons() {
  const { answer, exercise } = state;
  if (!answer) return h('button', { type: 'button', class: 'btn main wide', id: 'play', 'data-key': 'play', onclick: play }, t('Play the turn'));
  const retry = h('button', { type: 'button', class: `btn wide${answer.solved ? '' : ' main'}`, id: 'again', 'data-key': 'again', onclick: again }, t('Try again'));
  if (!answer.solved) return retry;
  const last = exercise.number === exercise.count;
  const onward = last
    ? h('a', { class: 'btn main wide', id: 'onward', href: page.next ? `/learn/${page.next}` : '/learn' }, page.next ? t('Next lesson') : t('All lessons'))
    : h('button', { type: 'button', class: 'btn main wide', id: 'onward', 'data-key': 'onward', onclick: goOn }, t('Next exercise'));
  const more = loadStars(page.id, exercise.count)[exercise.number - 1] < 3 ? retry : null;
  return h('div', { class: 'lesson-foot' }, onward, more);
}

if (page) begin();
