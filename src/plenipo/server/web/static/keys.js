/* The keyboard shortcuts, and the help that lists them. */
import * as act from './act.js';
import { h } from './dom.js';
import * as past from './history.js';
import { t } from './i18n.js';
import { emitChange, game, showsPresent, nameOf, seats, settings } from './state.js';
import { KINDS } from './walk.js';

const HELP = [
  [t('Orders'), [
    ['↓ ↑', t('next or previous unit or space')],
    ['H M S C V', t('hold, move, support, convoy, move by convoy')],
    ['R D', t('retreat, disband or remove')],
    ['A F', t('build an army or a fleet, then Enter')],
    [t('letters'), t('name a space or unit: “mun”, then Enter; a corner: “bur/gas/par”')],
    ['Enter', t('choose the first highlighted space')],
    ['Esc', t('one step back; orders are kept')],
    ['Backspace', t('clear the unit’s order')],
    ['U', t('undo')],
    ['Ctrl Z', t('undo')],
    ['/', t('type an order')],
  ]],
  [t('Game'), [
    [', .', t('previous or next power on this screen')],
    ['Ctrl Enter', t('process the turn, mark ready, or continue')],
    ['[ ]', t('earlier or later turn')],
    ['B W A', t('before, orders, after (past turns)')],
    ['P', t('replay the turn (past turns)')],
    [t('1 to 7'), t('orders, results, powers, board, game, press, votes')],
  ]],
  [t('Map'), [
    ['+ −', t('zoom, while no unit is selected')],
    ['0', t('the whole map')],
    [t('arrows'), t('move the map when it has the focus')],
    ['?', t('this help')],
  ]],
];

const MOUSE = [
  t('Click a unit, then a highlighted space. To support or convoy, choose the order, then the other unit, then its destination. To support a unit to hold, click it twice.'),
  t('Click another of your units to select it; click it again, or drag onto it, to move the first unit there.'),
  t('Drag a unit onto a highlighted space to move it. Drag the map to pan; use the wheel or two fingers to zoom.'),
  t('Everything on the map is also in the list: each highlighted space is a button there.'),
];

/** Open the help with the keyboard shortcuts. */
export function openHelp() {
  const dialog = document.getElementById('help');
  dialog.replaceChildren(
    h('div', { class: 'help-head' }, h('h2', { id: 'help-title' }, t('Help and keyboard shortcuts')),
      h('button', { type: 'button', class: 'btn tight', onclick: () => dialog.close(), autofocus: true }, t('Close'))),
    h('ul', { class: 'help-mouse' }, MOUSE.map((text) => h('li', {}, text))),
    h('div', { class: 'help-keys' }, HELP.map(([title, rows]) => h('section', {}, h('h3', {}, title),
      h('dl', {}, rows.map(([keys, words]) => [h('dt', {}, keys.includes(' ') && !keys.includes('to') ? keys.split(' ').map((key) => h('kbd', {}, key)) : h('kbd', {}, keys)), h('dd', {}, words)]))))),
    h('p', { class: 'note' }, t('You can turn single-key shortcuts off under Game. You can also reach everything with Tab.')));
  dialog.showModal();
}

const showPart = (part) => game.moment && act.showMoment({ turn: game.moment.turn, part });

/** Choose the first space that the typed text matches, in the current kind of order or else as a move. */
function chooseTyped() {
  const { walk } = game;
  let found = walk.matchTyped(game.typed, nameOf);
  if (!found.length && game.lead) {
    walk.chooseKind('move');
    found = walk.matchTyped(game.lead + game.typed, nameOf);
  }
  if (!found.length) return undefined;
  const exact = found.find((node) => node.at === game.typed.toUpperCase()) ?? found[0];
  const twins = walk.next.filter((node) => node.at === exact.at);
  return act.finishOrder(twins.length > 1 && exact.role !== 'unit' ? walk.chooseAt(exact.at) : walk.choose(exact));
}

function selectStep(by) {
  const starts = game.walk.starts.filter((start) => start.type !== 'loose');
  if (!starts.length) return undefined;
  const here = starts.findIndex((start) => start.key === game.walk.start?.key);
  const next = starts[(here + by + starts.length + (here < 0 && by < 0 ? 1 : 0)) % starts.length];
  act.clearTyping();
  game.tab = 'orders';
  game.walk.select(next);
  return emitChange();
}

/** Return the kind of order that a key means for the selected unit; undefined if the unit cannot be given it. */
const kindByKey = (key) => game.walk.kinds.find((kind) => KINDS[kind.label]?.key === key.toLowerCase());

function handleOrderKey(event) {
  const { walk } = game;
  const { key } = event;
  if (key === 'Escape') {
    if (game.proposal) {
      game.proposal = null;
      emitChange();
      return true;
    }
    if (game.typed) act.clearTyping();
    else if (!walk.undoStep()) {
      if (!game.pick) return false;
      game.pick.cancel();
    }
    emitChange();
    return true;
  }
  if (!walk.start) return false;
  if (key === 'Enter') {
    const { leaves } = walk.start;
    if (!game.typed && leaves?.length !== 1) return false;
    if (game.typed) chooseTyped();
    else act.finishOrder(leaves[0].order);
    return true;
  }
  if (key === 'Backspace') {
    if (game.typed) game.typed = game.typed.slice(0, -1);
    else if (walk.start.type === 'unit') act.clearOrders([walk.start.label]);
    emitChange();
    return true;
  }
  if (!game.typed && !game.lead && !event.shiftKey) {
    const kind = kindByKey(key);
    if (kind) {
      game.lead = kind.order ? '' : key;
      chooseKind(kind);
      return true;
    }
  }
  if (key === '-' && !game.typed) {
    walk.chooseKind('move');
    game.lead = ' ';
    emitChange();
    return true;
  }
  // names of corners contain slashes; a slash before any text opens the text field
  if (/^[a-z]$/i.test(key) || (key === '/' && game.typed)) {
    game.typed += key;
    const { length } = walk.matchTyped(game.typed, nameOf);
    if (!length && !(game.lead.trim() && walk.kinds.some((kind) => kind.label === 'move'))) game.typed = game.typed.slice(0, -1);
    emitChange();
    return true;
  }
  return false;
}

function chooseKind(kind) {
  const { lead } = game;
  act.finishOrder(game.walk.chooseKind(kind.label));
  game.lead = kind.order ? '' : lead || KINDS[kind.label].key;
  emitChange();
}

function handlePageKey(event, board, open) {
  const { key } = event;
  const by = { ',': -1, '.': 1 }[key];
  const tabs = ['orders', 'results', 'powers', 'board', 'game', 'press', 'votes'];
  if (by && seats().length > 1) {
    const all = seats();
    act.selectSeat(all[(all.indexOf(game.seat) + by + all.length) % all.length], { curtain: settings.curtain });
  } else if (key === '?') openHelp();
  else if (key === '[') past.earlierTurn();
  else if (key === ']') past.laterTurn();
  else if (key === '0') board.fit();
  else if (key === '+' || key === '=') board.zoom(1 / 1.4);
  else if (key === '-' || key === '−') board.zoom(1.4);
  else if (/^[1-7]$/.test(key)) open(tabs[Number(key) - 1]);
  else if (game.moment && /^[bwa]$/i.test(key)) showPart({ b: 'before', w: 'orders', a: 'after' }[key.toLowerCase()]);
  else if (game.moment && key.toLowerCase() === 'p') past.replayTurn(board, game.moment);
  else if (key.toLowerCase() === 'u') act.undo();
  else if (key === '/') {
    open('orders');
    document.getElementById('line')?.focus();
  } else return false;
  return true;
}

/** Listen to the keys of the whole page. `open` shows a tab of the panel. */
export function addKeyListener(board, open) {
  document.addEventListener('keydown', (event) => {
    if (document.querySelector('dialog[open]')) return;
    const target = event.target;
    const writing = target.matches?.('input:not([type=range]):not([type=checkbox]),textarea,select');
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) {
      document.querySelector('#go-on,#ready,#next-power.main,#process')?.click();
      event.preventDefault();
      return;
    }
    if (event.key.toLowerCase() === 'z' && (event.ctrlKey || event.metaKey) && !writing) {
      act.undo();
      event.preventDefault();
      return;
    }
    if (event.ctrlKey || event.metaKey || event.altKey || writing) return;
    const { key } = event;
    if ((key === 'ArrowDown' || key === 'ArrowUp') && showsPresent() && target.type !== 'range' && target.id !== 'map' && !target.closest?.('[role=tablist],details.menu')) {
      if (selectStep(key === 'ArrowDown' ? 1 : -1) !== undefined || game.walk.start) event.preventDefault();
      return;
    }
    if (key !== 'Escape' && !settings.keys) return;
    // Enter and Space press a focused button, unless there is typed text for Enter to complete
    if (target.matches?.('button,a,summary') && (key === ' ' || (key === 'Enter' && !game.typed))) return;
    const used = (showsPresent() && game.seat && !game.curtain && handleOrderKey(event)) || handlePageKey(event, board, open);
    if (used) event.preventDefault();
  });
}
