/* The tour of the first turn: eight steps beside the orders, which the player can skip and resume. Loaded on demand. */
import { h, icon, announce } from './dom.js';
import { t } from './i18n.js';
import { press } from './panels.js';
import { game, onChange, orderSet, readTour, seatName } from './state.js';

const firstPhase = game.view.phase_number;

/** The steps: a title, words, the part of the page they are about, and the condition under which it counts as done. */
const STEPS = [
  {
    title: () => t('Your power'),
    words: () => t('You play {power}. The list shows your units; each of them gets one order.', { power: seatName(game.seat) }),
    target: '.order-list',
  },
  {
    title: () => t('Select a unit'),
    words: () => t('Select a unit on the map or in the list, or press the down arrow.'),
    target: '.order-list',
    done: () => game.walk.start,
  },
  {
    title: () => t('Give an order'),
    words: () => t('The spaces the unit can reach are highlighted. Choose one on the map or in the list, or type its name and press Enter.'),
    target: '.order-row.on, .order-list',
    done: () => orderSet().orders.length,
  },
  {
    title: () => t('Support'),
    words: () => t('A unit can support another instead of moving, and two are stronger than one. Choose Support, then the other unit, then its destination.'),
    target: '.kinds, .order-list',
  },
  {
    title: () => t('Change your mind'),
    words: () => t('Orders are saved at once and stay secret. You can change or undo them until the turn is processed.'),
    target: '[data-key=undo]',
  },
  {
    title: () => t('Talk'),
    words: () => (press()?.hasPress()
      ? t('Players make deals in the Press tab. Nothing forces anybody to keep one.')
      : t('In games with other players there is a Press tab, in which you make deals. Nothing forces anybody to keep one.')),
    target: '#tab-press:not([hidden])',
  },
  {
    title: () => t('End your turn'),
    words: () => t('When all your units have orders, use the button below the list. The page checks your orders before it goes on.'),
    target: '#foot-bar .btn.main, #foot-bar .btn',
    done: () => game.view.phase_number !== firstPhase,
  },
  {
    title: () => t('Read the results'),
    words: () => t('After each turn, every order shows whether it succeeded and why. The Results tab and the line below the map take you back to any turn.'),
    target: '#history:not([hidden]), #tab-results',
  },
];

let step = 0;
let card = null;

function storeTour(state) {
  try {
    localStorage.setItem('plenipo.tour', JSON.stringify(state));
  } catch {
    // without storage the tour begins again on the next page
  }
}

function markTarget() {
  for (const old of document.querySelectorAll('.tour-target')) old.classList.remove('tour-target');
  if (card) document.querySelector(STEPS[step].target)?.classList.add('tour-target');
}

function close(rest) {
  storeTour({ step, ...rest });
  card?.remove();
  card = null;
  markTarget();
  document.getElementById('panel').focus({ preventScroll: true });
}

function draw({ moved = true } = {}) {
  const { title, words } = STEPS[step];
  const number = t('Step {number} of {count}', { number: step + 1, count: STEPS.length });
  const last = step === STEPS.length - 1;
  const had = card.contains(document.activeElement) ? document.activeElement.dataset.tour : '';
  card.replaceChildren(
    h('div', { class: 'tour-head' }, h('h2', { id: 'tour-title' }, title()), h('span', { class: 'note' }, number)),
    h('p', {}, words()),
    h('div', { class: 'tour-row' },
      step ? h('button', { type: 'button', class: 'btn tight', 'data-tour': 'back', onclick: () => go(step - 1) }, icon('left'), t('Back')) : null,
      h('button', { type: 'button', class: 'btn tight main', 'data-tour': 'next', onclick: () => (last ? close({ done: true }) : go(step + 1)) }, last ? t('Finish') : t('Next')),
      last ? null : h('button', { type: 'button', class: 'btn tight plain', 'data-tour': 'skip', onclick: () => close({ skipped: true }) }, t('Skip the tour'))));
  if (had) (card.querySelector(`[data-tour=${had}]`) ?? card.querySelector('[data-tour=next]')).focus({ preventScroll: true });
  if (moved) announce(`${number}: ${title()}. ${words()}`);
  markTarget();
  document.querySelector('.tour-target')?.scrollIntoView({ block: 'nearest' });
}

function go(to) {
  step = to;
  storeTour({ step });
  draw();
}

/** After every change of the page: go on when the step is done, and mark its part of the page again. */
function follow() {
  if (!card) return;
  const { done } = STEPS[step];
  if (done?.()) go(step + 1);
  else markTarget();
}
onChange(follow);

/** Show the tour where it was left, or from the beginning; `focus` if the player has asked for it. */
export function startTour({ focus = true } = {}) {
  const kept = readTour();
  step = kept.done ? 0 : Math.min(kept.step ?? 0, STEPS.length - 1);
  storeTour({ step });
  if (!card) {
    card = h('section', { class: 'tour', 'aria-labelledby': 'tour-title' });
    document.getElementById('pane').before(card);
    if (!document.getElementById('tour-style')) {
      document.head.append(h('link', { id: 'tour-style', rel: 'stylesheet', href: new URL('tour.css', import.meta.url).href }));
    }
  }
  draw({ moved: focus });
  if (focus) card.querySelector('[data-tour=next]').focus({ preventScroll: true });
}
