/* Learn from your mistakes: the movements in which orders lost much are ordered again, and rated on the server. */
import { requestJson } from './api.js';
import { announce, h, readJson, refill } from './dom.js';
import { BAD_GRADES, findDifference, gradeSign, gradeWord } from './grades.js';
import { formatPercent, t, tx, translateName } from './i18n.js';
import { OrderMaker } from './order-maker.js';
import { setUpThemes } from './theme.js';
import { formatOrder } from './words.js';

const page = readJson('the-game');
const state = { review: null, power: '', list: [], at: 0, verdict: null, isShown: false };
setUpThemes();

const apiPath = (rest = '') => `/api/games/${encodeURIComponent(page.id)}/review${rest}`;
const mistake = () => state.list[state.at];
const address = (rest = '') => apiPath(`/${mistake().turn}${rest}?power=${encodeURIComponent(mistake().power)}`);

const maker = new OrderMaker(readJson('the-board'), {
  address,
  render,
  begun: () => { if (!isSolved()) state.verdict = null; },
  isOver: () => !mistake() || state.isShown || isSolved(),
  leadsOn: false,
});

const isSolved = () => state.verdict?.grade === 'good';

/** Show the movement of a mistake, with the orders that were given. */
async function show(at) {
  Object.assign(state, { at, verdict: null, isShown: false });
  if (!mistake()) return render();
  const moment = await maker.ask(() => requestJson(address()));
  if (!moment) return undefined;
  maker.boardData = moment.board;
  maker.board.setData(moment.board);
  maker.show({ ...moment, needed: 0 }, { focus: moment.position.units.filter((unit) => unit.power === moment.power).map((unit) => unit.space) });
  document.getElementById('pane').scrollTop = 0;
  return maker.setOrders(mistake().given);
}

/** Choose whose mistakes are shown; all without a power. */
function choose(power) {
  state.power = power;
  state.list = state.review.rated.filter((one) => one.grade !== 'good' && (!power || one.power === power));
  return show(0);
}

const load = () => maker.ask(async () => {
  state.review = await requestJson(apiPath());
}).then(() => state.review && choose(page.own.length === 1 ? page.own[0] : ''));

const check = () => maker.ask(async () => {
  const { rated, words } = await requestJson(address(), { method: 'POST', body: { orders: maker.orders } });
  if (!rated) throw new Error(words?.text ?? '');
  state.verdict = rated;
  maker.walk.reset();
  announce(describeVerdict());
});

/** Draw the best plan that was known at the time. */
async function showPlan() {
  state.isShown = true;
  maker.walk.reset();
  await maker.setOrders(mistake().plan);
}

function describeVerdict() {
  const { grade, loss } = state.verdict;
  if (loss === 0) return t('You found the best plan.');
  if (grade === 'good') return t('Good: as good as the best plan, but for {loss} of the board.', { loss: formatPercent(loss) });
  const words = { grade: gradeWord(grade), loss: formatPercent(loss), before: formatPercent(mistake().loss) };
  return loss < mistake().loss ? t('Better, but still: {grade}. These orders lose {loss} of the board, the ones given lost {before}.', words) : t('Not better: {grade}. These orders lose {loss} of the board, the ones given lost {before}.', words);
}

const joinOrders = (orders) => orders.map(formatOrder).join('; ');

function verdict() {
  if (!state.verdict && !state.isShown) return null;
  const [, better] = findDifference(mistake());
  return h('div', { class: `outcome-box${isSolved() ? ' solved' : ''}`, id: 'outcome-box', tabindex: '-1' },
    state.verdict ? h('p', { class: 'verdict-words' }, describeVerdict()) : null,
    state.isShown ? [
      h('p', {}, t('The best plan known at the time is drawn on the map.')),
      better.length ? h('p', {}, tx('Better: {orders}.', { orders: h('b', {}, joinOrders(better)) })) : null,
    ] : null);
}

/** Return the menu of the powers that made mistakes; null if there is only one. */
function powerMenu() {
  const names = Object.keys(state.review.shares).filter((name) => state.review.rated.some((one) => one.power === name && one.grade !== 'good'));
  if (names.length < 2) return null;
  return h('select', { class: 'field', 'data-key': 'power', 'aria-label': t('Power'), onchange: (event) => choose(event.target.value) },
    h('option', { value: '', selected: !state.power }, t('All powers')),
    names.map((name) => h('option', { value: name, selected: name === state.power }, translateName(name))));
}

function task() {
  const one = mistake();
  const [given] = findDifference(one);
  const phase = state.review.phases[state.review.turns.indexOf(one.turn)];
  return [
    h('p', { class: 'task' }, gradeSign(one.grade), ' ', tx('{phase}: {power} lost {loss} of the board.', { phase: phase.text, power: translateName(one.power), loss: formatPercent(one.loss) })),
    given.length ? h('p', { class: 'note' }, t('Given: {orders}.', { orders: joinOrders(given) })) : null,
    state.verdict || state.isShown ? null : h('p', { class: 'note' }, t('Find better orders for the units of this power, against any orders of the others.')),
  ];
}

function content() {
  const { review, list } = state;
  if (!review) return maker.fault ? null : h('p', { class: 'note', role: 'status' }, t('Analysing the game. This takes a few seconds.'));
  if (review.words) return h('p', { class: 'note' }, review.words.text);
  if (!list.length) return h('p', { class: 'verdict-words' }, t('No mistakes.'));
  return [task(), verdict(), state.isShown || !maker.walk ? null : maker.list()];
}

function render() {
  const { list, at } = state;
  refill(document.getElementById('exercise'),
    h('div', { class: 'pane-head' }, h('h2', {}, mistake() ? gradeWord(mistake().grade) : t('Analysis')), list.length ? h('span', { class: 'count-of' }, t('{number} of {count}', { number: at + 1, count: list.length })) : null),
    state.review && !state.review.words ? powerMenu() : null,
    content(),
    maker.fault ? h('p', { class: 'fault', role: 'alert' }, maker.fault) : null);
  refill(document.getElementById('foot-bar'), buttons());
  if (mistake() && maker.walk && !state.isShown && !isSolved()) maker.mark();
  else maker.board.highlight({});
}

const button = (id, words, onclick, main) => h('button', { type: 'button', class: `btn wide${main ? ' main' : ''}`, id, 'data-key': id, onclick }, words);

function buttons() {
  const back = (main) => h('a', { class: `btn wide${main ? ' main' : ''}`, id: 'back', href: `/games/${encodeURIComponent(page.id)}` }, t('Back to the game'));
  if (!mistake()) return back(true);
  const isLast = state.at + 1 >= state.list.length;
  const onward = (main) => (isLast ? back(main) : button('onward', t('Next mistake'), () => show(state.at + 1), main));
  const plan = state.isShown ? null : button('give-away', t('Show the best plan'), showPlan, false);
  if (state.isShown || isSolved()) return h('div', { class: 'lesson-foot' }, onward(true), plan);
  return h('div', { class: 'lesson-foot' }, button('check', t('Check'), check, true), plan);
}

render();
load();
