/* One order in the making: a walk down the tree of options from the server. It knows neither the rules nor the page.

   A node is {label, at, coast, role, order?, then?}. The first level lists what can be ordered: a unit, or a kind of
   order such as a build with the places for it. Below a unit are its kinds of order, below those units and spaces.
   Mouse, touch, keys and text all use the same few methods. */

import { t, tc, tx } from './i18n.js';

/** The kinds of order, as they are shown: key, icon, word, question about a unit, and heading. */
export const KINDS = {
  hold: { key: 'h', icon: 'hold', word: tc('order', 'Hold') },
  move: { key: 'm', icon: 'move', word: tc('order', 'Move'), ask: (unit) => tx('{unit} moves where?', { unit }), head: t('Moves to') },
  support: { key: 's', icon: 'support', word: tc('order', 'Support'), ask: (unit) => tx('{unit} supports which unit?', { unit }), head: t('Supports') },
  convoy: { key: 'c', icon: 'convoy', word: tc('order', 'Convoy'), ask: (unit) => tx('{unit} convoys which army?', { unit }), head: t('Convoys') },
  'convoyed move': { key: 'v', icon: 'via', word: t('By sea'), ask: (unit) => tx('{unit} is convoyed where?', { unit }), head: t('Convoyed to') },
  convert: { key: 't', icon: 'check', word: t('Convert'), ask: (unit) => tx('{unit} converts to what?', { unit }), head: t('Converts to') },
  retreat: { key: 'r', icon: 'retreat', word: tc('order', 'Retreat'), ask: (unit) => tx('{unit} retreats where?', { unit }), head: t('Retreats to') },
  disband: { key: 'd', icon: 'disband', word: tc('order', 'Disband') },
  remove: { key: 'd', icon: 'disband', word: tc('order', 'Remove') },
  build: { key: 'b', icon: 'plus', word: tc('order', 'Build'), head: t('Builds') },
  choose: { key: 'b', icon: 'check', word: t('Choose'), head: t('Chooses') },
};

const TRIED_FIRST = ['move', 'retreat', 'convoyed move', 'support', 'hold'];

const wordOf = (label) => KINDS[label]?.word ?? label[0].toUpperCase() + label.slice(1);

/** List what a power can order, from its choices: units, places, and loose orders such as a waive. */
export function listStarts(options) {
  const starts = [];
  for (const node of options?.choices ?? []) {
    if (node.role === 'unit') {
      starts.push({ type: 'unit', key: node.label, label: node.label, at: node.at, node });
    } else if (node.then) {
      const places = new Map();
      for (const leaf of node.then) {
        const at = leaf.at ?? leaf.label;
        if (!places.has(at)) {
          places.set(at, { type: 'place', key: `${node.label} ${at}`, label: at, at, kind: node.label, leaves: [] });
        }
        places.get(at).leaves.push(leaf);
      }
      for (const place of places.values()) place.leaves.sort((a, b) => (a.label < b.label ? -1 : 1));
      starts.push(...places.values());
    } else {
      starts.push({ type: 'loose', key: node.label, label: node.label, at: null, node });
    }
  }
  return starts;
}

export class Walk {
  constructor(options) {
    this.options = options;
    this.starts = listStarts(options);
    this.reset();
  }

  /** Stop ordering; nothing is selected afterwards. */
  reset() {
    this.start = null;
    this.kind = null;
    this.of = null;
    this.among = null;
  }

  startAt(space) {
    return this.starts.find((start) => start.at === space && start.type !== 'loose');
  }

  startByKey(key) {
    return this.starts.find((start) => start.key === key);
  }

  /** Select a unit or a place; returns the order if there is only one, else null. */
  select(start) {
    this.reset();
    this.start = start;
    if (!start) return null;
    if (start.type === 'loose') return start.node.order;
    if (start.type === 'place') return start.leaves.length === 1 ? start.leaves[0].order : null;
    const kinds = this.kinds;
    if (kinds.length === 1 && kinds[0].order) return kinds[0].order;
    const first = TRIED_FIRST.find((label) => kinds.some((kind) => kind.label === label && kind.then?.length));
    this.kind = kinds.find((kind) => kind.label === first) ?? null;
    return null;
  }

  /** The kinds of order that the unit can be given. */
  get kinds() {
    return this.start?.type === 'unit' ? this.start.node.then ?? [] : [];
  }

  /** Choose a kind of order; returns the order if it is complete, null if more must be chosen, undefined if there is no
      such kind. */
  chooseKind(label) {
    const kind = this.kinds.find((node) => node.label === label);
    if (!kind) return undefined;
    this.of = null;
    this.among = null;
    if (kind.order) return kind.order;
    this.kind = kind;
    return null;
  }

  /** The nodes that can be chosen next. */
  get next() {
    if (this.among) return this.among;
    if (this.start?.type === 'place') return this.start.leaves;
    return (this.of ?? this.kind)?.then ?? [];
  }

  /** Return the nodes that can be chosen next in one space. */
  nextAt(space) {
    return this.next.filter((node) => node.at === space);
  }

  /** Choose one of `next`; returns the order if it is complete, else null. */
  choose(node) {
    if (node.order) return node.order;
    this.of = node;
    this.among = null;
    return null;
  }

  /** Choose the node in a space; if there are several, such as two coasts, they are the next choice. */
  chooseAt(space) {
    const found = this.nextAt(space);
    if (found.length === 0) return undefined;
    if (found.length === 1) return this.choose(found[0]);
    this.among = found;
    return null;
  }

  /** True if the next click chooses the unit's own destination, not a unit to support or convoy. */
  get choosesDestination() {
    return this.start?.type === 'unit' && !this.of && !['support', 'convoy'].includes(this.kind?.label);
  }

  /** Return the orders of a unit that support or convoy one of the orders with exactly these texts. */
  helpingOrders(texts, unit = this.start) {
    const leaves = (node) => (node.order ? [node] : (node.then ?? []).flatMap(leaves));
    const helps = (order, text) => order.endsWith(` S ${text}`) || order.endsWith(` C ${text}`);
    return unit?.type === 'unit' ? leaves(unit.node).filter(({ order }) => texts.some((text) => helps(order, text))) : [];
  }

  /** Undo one step; returns false if there is none. */
  undoStep() {
    if (!this.start) return false;
    if (this.among) this.among = null;
    else if (this.of) this.of = null;
    else this.reset();
    return true;
  }

  /** Return the next question about the order, as texts and elements; null without one. `bold` makes an element from a
      name. */
  question(bold) {
    if (!this.start) return null;
    const unit = bold(this.start.label);
    if (this.start.type === 'place') return tx('{place}: which unit?', { place: unit });
    if (this.among) return tx('{unit}: which of these?', { unit });
    if (this.of) {
      const values = { unit, other: bold(this.of.label) };
      return this.kind.label === 'convoy' ? tx('{unit} convoys {other} where?', values) : tx('{unit} supports {other} where?', values);
    }
    return KINDS[this.kind?.label]?.ask?.(unit) ?? tx('{unit}: which order?', { unit });
  }

  /** The heading over the choices. */
  get heading() {
    if (this.start?.type === 'place') return wordOf(this.start.kind);
    if (this.of) return `${KINDS[this.kind.label]?.head ?? ''} ${this.of.label} …`;
    return KINDS[this.kind?.label]?.head ?? '';
  }

  /** Return the nodes of `next` that typed text may mean; `nameOf` gives the name of a space. */
  matchTyped(typed, nameOf) {
    const wanted = typed.trim().toUpperCase();
    if (!wanted) return [];
    const texts = (node) => [
      node.label, node.at ?? '', `${node.at ?? ''} ${node.coast ?? ''}`, node.label.replace(/^[AF] /, ''),
      node.at ? nameOf(node.at) : '',
    ].map((text) => text.toUpperCase().replace(/^\[/, ''));
    return this.next.filter((node) => texts(node).some((text) => text.startsWith(wanted.replace(/^\[/, ''))));
  }
}
