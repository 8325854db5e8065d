/* Orders on the board of an exercise, made with the mouse, touch or keys; the server reads and draws them, and stores
   nothing. */
import { requestJson } from './api.js';
import { announce, h } from './dom.js';
import { t, translateName } from './i18n.js';
import { kindButtons, orderChip, orderRow } from './order-rows.js';
import { Board } from './board.js';
import { Walk } from './walk.js';
import { formatOrder, UNIT_NAMES } from './words.js';

export const slugOf = (power) => power.toLowerCase().replace(/[^a-z]+/g, '-');

const subjectOf = (order) => /^(?:BUILD |REMOVE )?([A-Z]+ (?:[A-Z]{3}|\[[^\]]+\]))/.exec(order)?.[1] ?? order;

export class OrderMaker {
  /** `boardData` is the board; `address` returns that of the exercise; `render` shows it; `begun` is called when a unit
      is selected; `isOver` tells whether orders can no longer be given; with `leadsOn` an order leads to the next unit. */
  constructor(boardData, { address, render, begun = () => {}, isOver, leadsOn = true }) {
    Object.assign(this, { boardData, address, render, begun, isOver, leadsOn, exercise: null, walk: null, orders: [], busy: false, fault: '' });
    const frame = document.getElementById('map');
    this.first = frame.querySelector(':scope > svg');
    this.board = new Board(frame, { tap: (at) => this.tap(at), hover: (space) => this.hover(space), pull: (space) => this.pull(space) });
    this.board.setData(boardData);
    document.querySelector('.zoom').addEventListener('click', (event) => {
      const how = event.target.closest('[data-zoom]')?.dataset.zoom;
      if (how === 'fit') this.board.fit();
      else if (how) this.board.zoom(how === 'in' ? 1 / 1.4 : 1.4);
    });
  }

  nameOf(space) {
    return translateName(this.boardData.spaces[space]?.name ?? space);
  }

  unitAt(space) {
    return this.exercise.position.units.find((unit) => unit.space === space);
  }

  orderOf(start) {
    return this.orders.find((order) => (start.type === 'place' ? start.leaves.some((leaf) => leaf.order === order) : subjectOf(order) === subjectOf(start.label)));
  }

  /** Send a request; keep a refusal as the `fault`. */
  async ask(work) {
    if (this.busy) return undefined;
    this.busy = true;
    this.fault = '';
    try {
      return await work();
    } catch (refused) {
      this.fault = refused.message;
      return undefined;
    } finally {
      this.busy = false;
      this.render();
    }
  }

  /** Show an exercise from its beginning, with the spaces of `focus` in view, or with all its units. */
  show(exercise, { focus } = {}) {
    Object.assign(this, { exercise, walk: new Walk({ choices: exercise.choices ?? [] }), orders: [], fault: '' });
    this.first.remove();
    this.board.setPicture(exercise.picture || this.first.cloneNode(true));
    const spaces = focus ?? [...exercise.position.units, ...exercise.position.dislodged].map((unit) => unit.space);
    const places = focus ? [] : this.walk.starts.map((start) => start.at).filter(Boolean);
    this.board.focus(this.board.boxAround([...new Set([...spaces, ...places])]));
    this.render();
  }

  /** Replace the orders; the server reads and draws them. */
  setOrders(orders) {
    return this.ask(async () => {
      const found = await requestJson(this.address('/orders'), { method: 'POST', body: { orders } });
      this.orders = found.orders;
      this.board.setArrows([found.arrows]);
      return found;
    });
  }

  async give(order) {
    const { start } = this.walk;
    const done = await this.setOrders([...this.orders, order]);
    if (!done) return;
    announce(formatOrder(order));
    const open = this.walk.starts.find((other) => other.key !== start?.key && !this.orderOf(other));
    if (open && this.orders.length < this.exercise.needed && this.leadsOn) this.begin(open);
    else this.walk.reset();
    this.render();
  }

  finish(order) {
    if (order) this.give(order);
    else this.render();
  }

  begin(start) {
    this.fault = '';
    this.begun();
    if (!start) {
      this.walk.reset();
      return this.render();
    }
    return this.finish(this.walk.select(start));
  }

  tap({ space, coast, drop }) {
    if (this.isOver()) return undefined;
    if (!space) return this.begin(null);
    const { walk } = this;
    if (walk.start) {
      const exact = coast ? walk.nextAt(space).find((node) => node.coast === coast) : null;
      const order = exact ? walk.choose(exact) : walk.chooseAt(space);
      if (order !== undefined) return this.finish(order);
    }
    const own = walk.startAt(space);
    if (drop) return this.render();
    return own === walk.start ? this.begin(null) : this.begin(own);
  }

  pull(space) {
    const start = this.isOver() ? null : this.walk.startAt(space);
    if (start?.type !== 'unit') return false;
    if (this.walk.start !== start) this.begin(start);
    return true;
  }

  hover(space) {
    const { walk } = this;
    const can = space && walk.start?.type === 'unit' && walk.nextAt(space).length;
    this.board.drawPreview(can ? walk.of?.at ?? walk.start.at : null, space, { dashed: Boolean(walk.of) });
  }

  get starts() {
    return this.walk.starts.filter((start) => start.type !== 'loose');
  }

  /** Return the list of the units and places that can be ordered. */
  list() {
    return h('ul', { class: 'order-list', 'aria-label': t('Units') }, this.starts.map((start) => this.row(start)));
  }

  /** Mark on the map what can be selected now. */
  mark() {
    const { walk } = this;
    this.board.highlight({
      lit: walk.start ? walk.next.filter((node) => node.at).map((node) => ({ space: node.at, coast: node.coast ?? '', occupied: Boolean(this.unitAt(node.at)) })) : [],
      selected: walk.start?.at ?? null,
      of: walk.of?.at ?? null,
      marked: walk.start ? [] : this.starts.filter((start) => !this.orderOf(start)).map((start) => start.at),
      own: this.starts.map((start) => start.at),
    });
  }

  row(start) {
    const on = this.walk.start?.key === start.key;
    const order = this.orderOf(start);
    return orderRow({
      start,
      on,
      order,
      kind: start.type === 'unit' ? start.label.split(' ')[0] : start.leaves?.[0].label.split(' ')[0],
      slug: slugOf(this.exercise.power),
      words: order ? formatOrder(order) : h('b', {}, this.startWords(start)),
      state: h('span', { class: 'none' }, on && start.at ? this.nameOf(start.at) : t('no order')),
      editor: () => this.editor(),
      begin: (chosen) => this.begin(chosen),
      clear: () => this.setOrders(this.orders.filter((one) => one !== order)),
    });
  }

  editor() {
    const { walk } = this;
    return h('div', { class: 'editor' },
      kindButtons(walk, (kind) => this.finish(walk.chooseKind(kind))),
      walk.next.length ? [h('p', { class: 'edit-head' }, walk.heading), h('div', { class: 'chips' }, walk.next.map((node) => this.chip(node)))] : null);
  }

  chip(node) {
    const unit = node.at && this.unitAt(node.at);
    return orderChip(node, { unit, slug: unit && slugOf(unit.power), name: node.at ? this.nameOf(node.at) : undefined, onclick: () => this.finish(this.walk.choose(node)) });
  }

  /** Return the words for a unit or place that can be ordered. */
  startWords(start) {
    if (start.type === 'unit') return start.label;
    const [kind] = start.leaves[0].label.split(' ');
    return start.leaves.length > 1 || !UNIT_NAMES[kind] ? this.nameOf(start.at) : `${UNIT_NAMES[kind]} ${this.nameOf(start.at)}`;
  }
}
