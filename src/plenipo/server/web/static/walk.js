/* One order in the making: a walk down the tree of options the server sent. It knows no rules and no page.

   A node is {label, at, coast, role, order?, then?}. The first level is what can be ordered: a unit, or, where units
   come to the board, the places for them. Below a unit stand the kinds of order, below those units and places.
   Mouse, touch, keys and text all walk with the same few calls. */

import { t, tx } from './i18n.js';

/** The kinds, in the order in which they are shown: their key, icon, word, question about a unit, and heading. */
export const KINDS = {
  hold: { key: 'h', icon: 'hold', word: t('Hold') },
  move: { key: 'm', icon: 'move', word: t('Move'), ask: (unit) => tx('{unit} moves where?', { unit }), head: t('Moves to') },
  support: { key: 's', icon: 'support', word: t('Support'), ask: (unit) => tx('{unit} supports which unit?', { unit }), head: t('Supports') },
  convoy: { key: 'c', icon: 'convoy', word: t('Convoy'), ask: (unit) => tx('{unit} convoys which army?', { unit }), head: t('Convoys') },
  'convoyed move': { key: 'v', icon: 'via', word: t('By sea'), ask: (unit) => tx('{unit} is convoyed where?', { unit }), head: t('Convoyed to') },
  convert: { key: 't', icon: 'check', word: t('Convert'), ask: (unit) => tx('{unit} converts to what?', { unit }), head: t('Converts to') },
  retreat: { key: 'r', icon: 'retreat', word: t('Retreat'), ask: (unit) => tx('{unit} retreats where?', { unit }), head: t('Retreats to') },
  disband: { key: 'd', icon: 'disband', word: t('Disband') },
  remove: { key: 'd', icon: 'disband', word: t('Remove') },
  build: { key: 'b', icon: 'plus', word: t('Build'), head: t('Builds') },
  choose: { key: 'b', icon: 'check', word: t('Choose'), head: t('Chooses') },
};

const TRIED_FIRST = ['move', 'retreat', 'convoyed move', 'support', 'hold'];

const wordOf = (label) => KINDS[label]?.word ?? label[0].toUpperCase() + label.slice(1);

/** What can be ordered, from the choices of one power: units, places, and loose orders such as a waive. */
export function startsOf(options) {
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
    this.starts = startsOf(options);
    this.leave();
  }

  /** Nothing is being ordered any more. */
  leave() {
    this.start = null;
    this.kind = null;
    this.of = null;
    this.among = null;
  }

  startAt(space) {
    return this.starts.find((start) => start.at === space && start.type !== 'loose');
  }

  startOf(key) {
    return this.starts.find((start) => start.key === key);
  }

  /** Begin with a unit or a place; gives the order if there is but one. */
  begin(start) {
    this.leave();
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

  /** The kinds of order the unit may be given. */
  get kinds() {
    return this.start?.type === 'unit' ? this.start.node.then ?? [] : [];
  }

  /** Take a kind of order; gives the order if that is all of it, null if it goes on, undefined if there is no such kind. */
  take(label) {
    const kind = this.kinds.find((node) => node.label === label);
    if (!kind) return undefined;
    this.of = null;
    this.among = null;
    if (kind.order) return kind.order;
    this.kind = kind;
    return null;
  }

  /** What may be chosen next: nodes of the tree. */
  get next() {
    if (this.among) return this.among;
    if (this.start?.type === 'place') return this.start.leaves;
    return (this.of ?? this.kind)?.then ?? [];
  }

  /** What may be chosen next in one space, or an empty list. */
  nextAt(space) {
    return this.next.filter((node) => node.at === space);
  }

  /** Choose one of `next`; gives the order if it is complete, otherwise null. */
  choose(node) {
    if (node.order) return node.order;
    this.of = node;
    this.among = null;
    return null;
  }

  /** Choose whatever lies in a space; where several do, such as two coasts, they are what may be chosen next. */
  chooseAt(space) {
    const found = this.nextAt(space);
    if (found.length === 0) return undefined;
    if (found.length === 1) return this.choose(found[0]);
    this.among = found;
    return null;
  }

  /** Whether the next click is to say where the unit goes, and not whom it helps. */
  get travels() {
    return this.start?.type === 'unit' && !this.of && !['support', 'convoy'].includes(this.kind?.label);
  }

  /** The orders of the unit that support or convoy one of the orders with these texts, exactly as it is written. */
  helping(texts, unit = this.start) {
    const leaves = (node) => (node.order ? [node] : (node.then ?? []).flatMap(leaves));
    const helps = (order, text) => order.endsWith(` S ${text}`) || order.endsWith(` C ${text}`);
    return unit?.type === 'unit' ? leaves(unit.node).filter(({ order }) => texts.some((text) => helps(order, text))) : [];
  }

  /** One step back; false if there was nothing to step back from. */
  back() {
    if (!this.start) return false;
    if (this.among) this.among = null;
    else if (this.of) this.of = null;
    else this.leave();
    return true;
  }

  /** Return the next question about the order, as texts and elements; `bold` makes an element from a name. Null without one. */
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
  get head() {
    if (this.start?.type === 'place') return wordOf(this.start.kind);
    if (this.of) return `${KINDS[this.kind.label]?.head ?? ''} ${this.of.label} …`;
    return KINDS[this.kind?.label]?.head ?? '';
  }

  /** The nodes of `next` that typed text may mean; `nameOf` gives the name of a space. */
  matching(typed, nameOf) {
    const wanted = typed.trim().toUpperCase();
    if (!wanted) return [];
    const said = (node) => [
      node.label, node.at ?? '', `${node.at ?? ''} ${node.coast ?? ''}`, node.label.replace(/^[AF] /, ''),
      node.at ? nameOf(node.at) : '',
    ].map((text) => text.toUpperCase().replace(/^\[/, ''));
    return this.next.filter((node) => said(node).some((text) => text.startsWith(wanted.replace(/^\[/, ''))));
  }
}
