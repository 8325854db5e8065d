/* The game page: connects the state, the map and the panels, and listens to the events of the server. */
import * as act from './act.js';
import { Board } from './board.js';
import { announce, h, icon, isPhone, refill, swatch } from './dom.js';
import * as past from './history.js';
import { withQuery } from './api.js';
import { n as plural, translateName, translateSentence, t } from './i18n.js';
import { addKeyListener, openHelp } from './keys.js';
import { footBar } from './panel-orders.js';
import { drawPanel, fetchPanels, hasDeals, loadDeals, loadPress, press } from './panels.js';
import { powersList } from './powers.js';
import { rememberGame, forgetGame } from './recent.js';
import {
  apiPath, CLIENT, emitChange, fetchView, game, GAME_MASTER, hasGameMaster, loadOptions, nameOf, onChange, openTour, orderFor,
  orderSet, orderSetOf, ownPowers, powerOf, readPage, readTour, seatName, seats, setSetting, settings, showsPresent, showTitle, viewpoint,
} from './state.js';
import { stream } from './stream.js';
import { hasVotes, loadVotes, countUnvoted } from './votes.js';
import { setUpThemes } from './theme.js';
import { describeDeadline } from './time.js';
import { clockNode } from './clocks.js';
import { describeEnd, phaseKind, formatOrder, phaseDate } from './words.js';

const byId = (id) => document.getElementById(id);
const places = Object.fromEntries(['map', 'panel', 'pane', 'tabs', 'powers', 'history', 'banner', 'prompt', 'phase', 'seat-now', 'foot-bar'].map((id) => [id, byId(id)]));
let hovered = null;

const board = new Board(places.map, {
  tap: act.tap,
  pull: act.startDrag,
  hover: (space) => {
    if (space === hovered) return;
    hovered = space;
    previewOrder(space ? game.walk.nextAt(space)[0] : null);
  },
});

/** Preview the order that a click would give. */
function previewOrder(node) {
  const { walk } = game;
  if (!showsPresent() || !node?.at || walk.start?.type !== 'unit') return board.drawPreview(null, null);
  if (walk.kind?.label === 'support' || walk.kind?.label === 'convoy') {
    if (!walk.of) return board.drawPreview(walk.start.at, node.at, { dashed: true });
    return board.drawPreview(walk.of.at, node.at, { coast: node.coast, dashed: node.label === 'hold' });
  }
  return board.drawPreview(walk.start.at, node.at, { coast: node.coast });
}

/** Return the box around the spaces that the power in the seat must order, else its units, else its centres. */
function ownBox() {
  const { position } = game.view;
  const asked = showsPresent() ? game.walk.starts.map((start) => start.at).filter(Boolean) : [];
  const units = position.units.filter((unit) => unit.power === game.seat).map((unit) => unit.space);
  const owned = position.centres[game.seat] ?? [];
  const places = [asked, units, owned].find((some) => some.length) ?? [];
  return board.boxAround(places) ?? game.board.focus?.[game.seat];
}

const occupied = (space) => game.view.position.units.some((unit) => unit.space === space) && !game.view.position.dislodged.some((unit) => unit.space === space && unit.power === game.seat);

function matchingNodes() {
  return game.typed ? game.walk.matchTyped(game.typed, nameOf) : [];
}

/** List the spaces to highlight: those where the next click can go. */
function listHighlights() {
  const { walk } = game;
  const picked = game.pick?.highlights?.();
  if (picked) return picked;
  if (!showsPresent() || !game.seat || game.curtain || game.view.over) {
    const processed = game.moment && game.turns.get(game.moment.turn);
    const open = processed?.outcomes.find((outcome) => game.open === `${processed.turn} ${outcome.unit?.text}`);
    return { marked: open?.unit && game.moment.part !== 'after' ? [open.unit.space] : [] };
  }
  const matching = new Set(matchingNodes());
  const nodes = walk.start ? walk.next : walk.starts.filter((start) => start.type === 'place');
  const seen = new Set();
  const places = [];
  for (const node of nodes) {
    const coast = node.role === 'unit' ? '' : node.coast ?? '';
    const key = `${node.at} ${coast}`;
    if (!node.at || seen.has(key) || node.label === 'hold') continue;
    seen.add(key);
    places.push({ space: node.at, coast, occupied: occupied(node.at), faint: Boolean(game.typed) && !matching.has(node) });
  }
  return { lit: places, selected: walk.start && walk.start.type === 'unit' ? walk.start.at : null, of: walk.of?.at ?? null };
}

/** Return the question to show before a unit or space is selected. */
function firstQuestion({ starts }) {
  const kinds = starts.flatMap((start) => (start.type === 'unit' ? start.node.then ?? [] : [{ label: start.kind }])).map((kind) => kind.label);
  if (kinds.includes('retreat')) return t('Choose a unit to retreat');
  if (kinds.includes('remove')) return t('Choose a unit to remove');
  if (kinds.includes('build')) return t('Choose where to build');
  return starts.some((start) => start.type === 'unit') ? t('Choose a unit') : t('Choose a space');
}

/** Show the title of the drawn proposal over the map; a click returns to its message. */
function showProposalTitle() {
  places.prompt.hidden = false;
  places.prompt.classList.add('pill');
  places.prompt.replaceChildren(h('button', {
    type: 'button', 'data-key': 'pill', onclick: () => {
      game.proposal = null;
      if (isPhone()) places.panel.dataset.stop = byId('game').dataset.stop = 'half';
      openTab('press');
    },
  }, t('{proposal}, drawn dashed', { proposal: game.proposal.title })), h('kbd', {}, t('Esc')));
}

function showPrompt() {
  if (game.proposal && showsPresent()) return showProposalTitle();
  places.prompt.classList.remove('pill');
  return showQuestion();
}

function showQuestion() {
  const { walk } = game;
  const units = walk.starts.filter((start) => start.type === 'unit');
  const most = game.options.get(game.seat)?.at_once ?? 0;
  const full = orderSet().orders.length >= Math.max(most, 1);
  const open = units.some((start) => !orderFor(start)) && !(most && full);
  const vacant = walk.starts.some((start) => start.type === 'place') && !full;
  const show = showsPresent() && game.seat && !game.curtain && !game.view.over && (game.pick || walk.start || open || vacant);
  places.prompt.hidden = !show;
  if (!show) return;
  const question = walk.question((name) => h('b', {}, name)) ?? game.pick?.question;
  const typed = game.typed ? h('span', { class: 'typed' }, ` ${game.typed.toUpperCase()}…`) : null;
  const words = question ?? [firstQuestion(walk)];
  const again = game.repeatMove ? h('span', { class: 'again' }, t('Click it again: {order}', { order: formatOrder(game.repeatMove.order) })) : null;
  places.prompt.replaceChildren(h('span', {}, words, typed), again ?? '', h('kbd', {}, walk.start ? t('Esc') : '?'));
}

function showHeading() {
  const { view, moment } = game;
  const phase = moment ? game.turns.get(moment.turn)?.phase ?? view.phase : view.phase;
  const more = moment ? { before: t('before'), orders: t('processed'), after: t('after') }[moment.part] : '';
  const words = [phaseKind(phase), more].filter(Boolean).join(', ');
  refill(places.phase, h('span', { class: 'phase-when', title: phaseDate(phase) }, phaseDate(phase)), ' ',
    h('span', { class: 'phase-kind', title: words }, words), ' ',
    clockNode(),
    describeDeadline() ? h('span', { class: 'phase-more phase-due', title: translateSentence(view.time.reason) }, describeDeadline()) : null,
    view.over && !moment ? h('span', { class: 'phase-more' }, t('game over')) : moment ? h('span', { class: 'phase-more' }, t('now: {phase}', { phase: view.phase.text })) : null);
  showTitle(phase);
}

const seatTitle = (seat) => (seat === GAME_MASTER ? t('Game master') : translateName(seat));

function showSeatMenu() {
  const power = powerOf(game.seat);
  const all = seats();
  if (!all.includes(game.seat)) return refill(places['seat-now'], h('span', { class: 'seat-name' }, icon('eye'), game.view.late ? h('span', {}, h('span', { class: 'roomy' }, t('Spectating'), ' '), t('with delay')) : h('span', { title: t('Spectating') }, t('Spectating'))));
  const mark = power ? swatch(power.slug) : icon('seal');
  if (all.length < 2) return refill(places['seat-now'], h('span', { class: 'seat-name' }, mark, h('span', { title: seatTitle(game.seat) }, seatTitle(game.seat))));
  return refill(places['seat-now'], h('label', { class: 'sr', for: 'seat-select' }, t('Power being played')),
    mark, h('select', {
      id: 'seat-select', class: 'seat-select', 'data-key': 'seat',
      onchange: (event) => act.selectSeat(event.target.value, { curtain: settings.curtain }),
    }, all.map((one) => h('option', { value: one, selected: one === game.seat }, seatTitle(one)))));
}

/** Label a tab, with the number of things that wait there. */
const labelTab = (tab, sign, word, number, waiting) =>
  refill(tab, icon(sign), h('span', {}, word), number ? h('span', { class: 'unread' }, h('span', { 'aria-hidden': 'true' }, String(number)), h('span', { class: 'sr' }, ` ${waiting}`)) : null);

function showTabs() {
  for (const tab of places.tabs.querySelectorAll('[role=tab]')) {
    const chosen = tab.dataset.tab === game.tab;
    if (tab.dataset.tab === 'press') {
      const written = press()?.hasPress();
      tab.hidden = !written && !hasDeals();
      const unread = press()?.unreadThreads() ?? 0;
      labelTab(tab, 'message', written ? t('Press') : t('Deals'), unread, plural('{count} unread thread', '{count} unread threads', unread));
    } else if (tab.dataset.tab === 'votes') {
      tab.hidden = !hasVotes();
      labelTab(tab, 'ballot', t('Votes'), countUnvoted(), plural('{count} motion without your vote', '{count} motions without your vote', countUnvoted()));
    }
    tab.setAttribute('aria-selected', String(chosen));
    tab.tabIndex = chosen ? 0 : -1;
  }
  places.pane.setAttribute('aria-labelledby', `tab-${game.tab}`);
  places.panel.dataset.tab = game.tab;
}

let shownSeat = '';
const seatKey = () => `${game.seat} ${game.pick?.power ?? ''} ${game.view.phase_number} ${showsPresent()}`;

/** On a small screen, show the power in the seat, or the one whose order is chosen, whenever that or the phase
    changes. */
function followSeat() {
  if (!isPhone()) return;
  const now = seatKey();
  if (now !== shownSeat) board.focus(ownBox());
  shownSeat = now;
}

let wasTab = '';
let wasMoment = null;

const narrow = matchMedia('(max-width:900px)');
narrow.addEventListener('change', () => emitChange()); // the list of powers moves between the panel and the side

function render() {
  if (game.tab === 'powers' && !isPhone()) game.tab = 'orders';
  if (game.tab !== 'press') game.pick?.cancel();
  showHeading();
  showSeatMenu();
  showTabs();
  if (game.tab !== wasTab || game.moment !== wasMoment) places.pane.scrollTop = 0;
  wasTab = game.tab;
  wasMoment = game.moment;
  drawPanel(game.tab, places.pane, matchingNodes());
  if (!isPhone()) powersList(places.powers);
  if (game.tab === 'press' && press()) press().fillWritingBar(places['foot-bar']);
  else footBar(places['foot-bar']);
  past.fillHistory(places.history, board);
  past.fillBanner(places.banner);
  showPrompt();
  const own = game.view.position.units.filter((unit) => unit.power === game.seat).map((unit) => unit.space);
  past.showPicture(board).then(() => board.highlight({ ...listHighlights(), own }));
  board.highlight({ ...listHighlights(), own });
  previewOrder(null);
  followSeat();
  const here = game.walk.start?.at;
  if (here && here !== render.last) board.reveal(here);
  render.last = here;
  places.panel.querySelector('.order-row.on')?.scrollIntoView({ block: 'nearest' });
  past.compareWithOriginal();
  const { view } = game;
  rememberGame({ id: view.id, name: view.name || view.title, phase: `${view.title}, ${view.phase.text}`, over: view.over });
}

function openTab(tab) {
  game.tab = tab;
  if (tab === 'results' && showsPresent() && game.view.last) {
    act.showMoment({ turn: game.view.last.turn, part: 'orders' });
    return;
  }
  if (tab === 'orders' && game.moment) {
    act.showMoment(null);
    return;
  }
  if (isPhone() && places.panel.dataset.stop === 'peek') places.panel.dataset.stop = 'half';
  emitChange();
  if (tab === 'press') press()?.reopenThread();
}

// ---------------------------------------------------------------- the drawer on a phone

const STOPS = ['peek', 'half', 'full'];

function moveDrawer(by) {
  const next = STOPS[Math.min(Math.max(STOPS.indexOf(places.panel.dataset.stop) + by, 0), 2)];
  places.panel.dataset.stop = next;
  byId('game').dataset.stop = next;
}

function setUpDrawer() {
  let from = null;
  const handle = byId('grip');
  handle.addEventListener('pointerdown', (event) => {
    from = event.clientY;
    handle.setPointerCapture(event.pointerId);
  });
  handle.addEventListener('pointerup', (event) => {
    const moved = from === null ? 0 : event.clientY - from;
    from = null;
    if (Math.abs(moved) > 24) moveDrawer(moved < 0 ? 1 : -1);
    else moveDrawer(places.panel.dataset.stop === 'full' ? -1 : 1);
  });
  handle.addEventListener('keydown', (event) => {
    if (event.key === 'Enter' || event.key === ' ') {
      event.preventDefault();
      moveDrawer(places.panel.dataset.stop === 'full' ? -2 : 1);
    }
  });
}

// ---------------------------------------------------------------- events of the server

function listenToServer() {
  const loadPressAndVotes = () => Promise.all([loadPress(), loadVotes()]).catch(act.showError);
  const fetchLater = (words) => act.refresh().then(() => words && act.showError({ message: words })).catch(act.showError);
  const warmth = (words) => {
    if (words === game.warmUpNote) return;
    if (game.warmUpNote && !words) act.showError({ message: t('The computer players are ready and now play at full strength.') });
    game.warmUpNote = words;
    emitChange();
  };
  const close = stream(() => withQuery(apiPath('/events'), { seat: viewpoint() }), {
    hello: ({ phase_number: now, order_sets: orderSets, computers }) => {
      warmth(computers);
      const known = Object.entries(orderSets ?? {}).every(([power, version]) => orderSetOf(power).version === version);
      if (now !== game.view.phase_number || !known) fetchLater('');
      loadPressAndVotes();
    },
    message: () => loadPress().catch(act.showError),
    deal: () => loadDeals().catch(act.showError),
    question: () => act.showError({ message: game.view.viewer.all_seats ? t('A player asked a question. Answer it in the GM tools.') : t('The game master answered your question.') }),
    vote: () => loadVotes().catch(act.showError),
    order_set: (submitted) => {
      if (submitted.client === CLIENT) return;
      const power = powerOf(submitted.power);
      const own = game.view.viewer.seats.includes(submitted.power);
      if (own) fetchLater(t('The orders of {power} were changed in another window. Showing the latest.', { power: seatName(submitted.power) }));
      else if (submitted.power === null) fetchLater('');
      else if (power) {
        power.status = submitted.status;
        // once no player has to order, the game master may see the open draws
        if (hasGameMaster() && submitted.status === 'ready') fetchLater('');
        emitChange();
      }
    },
    phase: ({ phase_number: now }) => {
      loadPressAndVotes();
      // an event during a request waits for its answer, which may show the phase already
      act.enqueue(async () => {
        if (now === game.view.phase_number) return;
        await act.refresh();
        const { last, over, drawn } = game.view;
        if (over && drawn.length) {
          Object.assign(game, { moment: null, tab: 'orders' });
          announce(describeEnd(game.view));
          emitChange();
        } else if (last) {
          game.turns.set(last.turn, last);
          act.showMoment({ turn: last.turn, part: 'orders', fresh: true });
        }
      }, `phase ${now}`);
    },
    computers: ({ words }) => warmth(words),
    time: ({ why, sentence: said }) => {
      fetchLater(said ? translateSentence(said) : why);
      loadPressAndVotes();
    },
    behind: () => {
      fetchLater('');
      loadPressAndVotes();
    },
    gone: () => {
      close();
      forgetGame(game.view.id);
      act.showError({ message: t('This game was deleted.') });
    },
  });
}

// ---------------------------------------------------------------- start

async function start() {
  readPage();
  setUpThemes();
  game.curtain = settings.curtain && seats().length > 1;
  places.panel.dataset.stop = 'half';
  byId('game').dataset.stop = 'half';
  const came = places.map.querySelector(':scope > svg');
  board.setData(game.board);
  if (came) {
    board.setPicture(came);
    past.adoptPicture();
  }
  onChange(render);
  let boardKey = game.view.board;
  onChange(() => {
    if (boardKey === game.view.board) return;
    boardKey = game.view.board;
    board.setData(game.board);
  });
  setUpDrawer();
  past.followWidth(places.history, emitChange);
  addKeyListener(board, openTab);
  byId('help-open').addEventListener('click', openHelp);
  places.tabs.addEventListener('click', (event) => {
    const tab = event.target.closest('[data-tab]');
    if (tab) openTab(tab.dataset.tab);
  });
  places.tabs.addEventListener('keydown', (event) => {
    const by = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (!by) return;
    const all = [...places.tabs.querySelectorAll('[role=tab]')].filter((tab) => tab.offsetParent);
    const next = all[(all.indexOf(document.activeElement) + by + all.length) % all.length];
    next.focus();
    openTab(next.dataset.tab);
    event.preventDefault();
  });
  document.querySelector('.zoom').addEventListener('click', (event) => {
    const how = event.target.closest('[data-zoom]')?.dataset.zoom;
    if (how === 'in') board.zoom(1 / 1.4);
    else if (how === 'out') board.zoom(1.4);
    else if (how === 'fit') board.fit();
    else if (how === 'mine') board.focus(ownBox());
  });
  document.addEventListener('point', (event) => previewOrder(event.detail));
  document.addEventListener('curtain', (event) => {
    setSetting('curtain', event.detail);
    emitChange();
  });
  document.documentElement.addEventListener('themed', emitChange);
  byId('toast').addEventListener('click', act.hideError);
  try {
    if (ownPowers().some((power) => !game.view.order_sets?.[power.name]) && !viewpoint()) game.view = await fetchView();
    await loadOptions();
  } catch (error) {
    act.showError(error);
  }
  if (game.moment) shownSeat = seatKey();
  emitChange();
  document.body.dataset.ready = 'yes';
  const { step, done, skipped } = readTour();
  if (step !== undefined && !done && !skipped && game.seat && game.view.turn < 2) openTour({ focus: false });
  if (game.view.time) {
    setInterval(showHeading, 30000);
    fetchPanels();
    if (document.getElementById('ask-reach')) import('./ask-reach.js');
    import('./attention.js');
    import('./offline.js');
  }
  listenToServer();
}

start();
