/* The deals panel: offers between two powers, made of clauses that are chosen on the map or in lists. A computer player
   answers at once, with its reason. */
import * as act from './act.js';
import { requestJson, withQuery } from './api.js';
import { h, icon, isPhone, refill, announce, swatch } from './dom.js';
import { joinNames, n as plural, t, translateName, tx } from './i18n.js';
import { apiPath, emitChange, game, nameOf, showsPresent, slugOf } from './state.js';
import { KINDS, Walk } from './walk.js';
import { formatOrder } from './words.js';

/** The state of the panel: the deals as the server told them, and the offer that is being made. */
const deals = { answer: null, asked: '', draft: null, said: '', failed: '', text: '', understood: [] };

/** The largest number of movements for which a clause holds. */
const LONGEST = 8;

document.head.append(h('link', { rel: 'stylesheet', href: new URL('deals.css', import.meta.url).href }));

const VERDICTS = { kept: ['check', t('kept')], broken: ['cross', t('broken')], void: ['minus', t('void')] };
const STATES = {
  open: t('waits for an answer'), accepted: t('agreed'), refused: t('refused'), withdrawn: t('withdrawn'), lapsed: t('lapsed'),
};
const ADD = {
  order: t('Order'), keep_out: t('Stay out'), leave: t('Leave centres'), attack: t('Attack'), show: t('Show orders'),
};

// ---------------------------------------------------------------- requests

const wanted = () => `${game.seat} ${game.view.phase_number}`;

/** Fetch the deals of the power in the seat. */
export async function loadDeals() {
  const asked = wanted();
  deals.asked = asked;
  const before = waitingOffers();
  const answer = game.seat && game.seat !== 'GM' ? await requestJson(withQuery(apiPath('/deals'), { seat: game.seat })) : null;
  if (deals.asked !== asked) return;
  deals.answer = answer;
  if (waitingOffers() > before && game.tab !== 'press') announce(t('A deal is offered to you.'));
  emitChange();
}

/** Return the number of offers that wait for your answer. */
export const waitingOffers = () => (deals.answer?.deals ?? []).filter((deal) => deal.state === 'open' && deal.partner === deals.answer.seat).length;

/** Send a request about deals and show the answer; a refusal is shown in the panel. Returns whether it was done. */
const send = (path, body) => act.enqueue(async () => {
  deals.failed = '';
  deals.said = '';
  try {
    deals.answer = await requestJson(apiPath(`/deals${path}`), { method: 'POST', body: { phase_number: game.view.phase_number, seat: game.seat, ...body } });
  } catch (error) {
    deals.failed = error.message;
    if (error.code === 'stale') throw error;
    return false;
  }
  deals.said = deals.answer.said?.text ?? '';
  deals.understood = deals.answer.understood;
  if (deals.said) announce(deals.said);
  return true;
});

// ---------------------------------------------------------------- clauses

const places = (spaces) => joinNames(spaces.map(nameOf));
const during = (count) => plural('in this movement', 'in {count} movements', count);

/** Describe a clause of an offer that is being made, as a part of a list under its power. */
function describeClause({ kind, order, spaces, target, movements }) {
  if (kind === 'order') return formatOrder(order);
  if (kind === 'show') return t('shows its orders');
  if (kind === 'attack') return t('attacks {power} {time}', { power: translateName(target), time: during(movements) });
  if (kind === 'leave') return t('leaves {places} to the other {time}', { places: places(spaces), time: during(movements) });
  return t('moves nothing into {places} {time}', { places: places(spaces), time: during(movements) });
}

function clauseBody({ power, kind, order, spaces, target, movements }) {
  if (kind === 'order') return { power, order };
  if (kind === 'show') return { power, show: true };
  return { power, movements, [kind]: kind === 'attack' ? target : spaces };
}

// ---------------------------------------------------------------- choosing on the map

/** Stop choosing a clause on the map. */
function stopPicking() {
  if (!game.pick) return;
  game.pick = null;
  deals.draft.pick = null;
  game.walk = new Walk(game.options.get(game.seat) ?? null);
}

function addClause(clause) {
  const { draft } = deals;
  stopPicking();
  draft.clauses.push(clause);
  deals.failed = '';
  announce(describeClause(clause));
  emitChange();
}

async function pickOrder(power) {
  const options = await requestJson(withQuery(apiPath('/deals/options'), { seat: game.seat, power }));
  const walk = new Walk(options);
  deals.draft.pick = { kind: 'order', power, walk };
  game.walk = walk;
  game.pick = {
    power,
    question: [t('Choose a unit of {power}', { power: translateName(power) })],
    take: async (order) => addClause({ power, kind: 'order', order, movements: 1 }),
    highlights: () => (walk.start ? null : { lit: walk.starts.filter((start) => start.at).map((start) => ({ space: start.at, coast: '', occupied: true })) }),
    cancel: stopPicking,
  };
}

function pickSpaces(power, kind) {
  const chosen = new Set();
  game.walk.reset();
  deals.draft.pick = { kind, power, chosen, movements: kind === 'leave' ? 2 : 4 };
  const toggle = (space) => {
    if (!space) return undefined;
    if (kind === 'leave' && !game.board.spaces[space]?.centre) return act.showError({ message: t('{place} is not a supply centre.', { place: nameOf(space) }) });
    if (!chosen.delete(space)) chosen.add(space);
    return emitChange();
  };
  deals.draft.pick.toggle = toggle;
  game.pick = {
    question: [kind === 'leave' ? t('Choose supply centres') : t('Choose spaces')],
    tap: toggle,
    highlights: () => ({ lit: [...chosen].map((space) => ({ space, coast: '', occupied: game.view.position.units.some((unit) => unit.space === space) })) }),
    cancel: stopPicking,
  };
}

function beginPicking(power, kind) {
  stopPicking();
  if (kind === 'show') return addClause({ power, kind, movements: 1 });
  if (game.moment) act.showMoment(null);
  if (isPhone()) document.getElementById('panel').dataset.stop = document.getElementById('game').dataset.stop = 'half';
  if (kind === 'order') return act.enqueue(() => pickOrder(power));
  if (kind === 'attack') {
    deals.draft.pick = { kind, power, movements: 2 };
    game.pick = { question: [t('Choose a power')], tap: () => undefined, cancel: stopPicking };
  } else pickSpaces(power, kind);
  return emitChange();
}

const movementsField = (pick) => h('label', { class: 'deal-for' }, h('span', { class: 'label' }, t('Holds')),
  h('select', { class: 'field', 'data-key': 'movements', onchange: (event) => { pick.movements = Number(event.target.value); } },
    Array.from({ length: LONGEST }, (_, i) => h('option', { value: String(i + 1), selected: i + 1 === pick.movements }, during(i + 1)))));

function orderChoices({ walk, power }) {
  const chip = (key, label, onclick, pressed) => h('button', { type: 'button', class: 'chip', 'data-key': key, 'aria-pressed': pressed === undefined ? undefined : String(pressed), onclick }, label);
  const done = (order) => (order ? game.pick.take(order) : emitChange());
  const { start, kind } = walk;
  return [
    h('div', { class: 'chips', role: 'group', 'aria-label': t('Units of {power}', { power: translateName(power) }) },
      walk.starts.filter((one) => one.type === 'unit').map((one) => chip(`unit ${one.key}`, one.label, () => done(walk.select(one)), one === start))),
    start ? h('div', { class: 'chips', role: 'group', 'aria-label': t('Kinds of order') },
      walk.kinds.map((one) => chip(`kind ${one.label}`, KINDS[one.label]?.word ?? one.label, () => done(walk.chooseKind(one.label)), one === kind))) : null,
    start && walk.next.length ? h('div', { class: 'chips', role: 'group', 'aria-label': walk.heading || t('Spaces') },
      walk.next.map((node) => chip(`next ${node.label}`, node.label, () => done(walk.choose(node))))) : null,
  ];
}

function spaceChoices(pick) {
  const codes = Object.keys(game.board.spaces).filter((code) => !pick.chosen.has(code) && (pick.kind !== 'leave' || game.board.spaces[code].centre))
    .sort((one, other) => nameOf(one).localeCompare(nameOf(other)));
  return [
    pick.chosen.size ? h('div', { class: 'chips', role: 'group', 'aria-label': t('Chosen spaces') },
      [...pick.chosen].map((code) => h('button', { type: 'button', class: 'chip', 'data-key': `space ${code}`, 'aria-label': t('Remove {place}', { place: nameOf(code) }), onclick: () => pick.toggle(code) }, nameOf(code), icon('cross')))) : null,
    h('select', { class: 'field', 'data-key': 'space', 'aria-label': t('Add a space'), onchange: (event) => pick.toggle(event.target.value) },
      h('option', { value: '' }, t('Add a space')), codes.map((code) => h('option', { value: code }, nameOf(code)))),
    movementsField(pick),
    h('button', { type: 'button', class: 'btn tight main', 'data-key': 'add spaces', disabled: !pick.chosen.size, onclick: () => addClause({ power: pick.power, kind: pick.kind, spaces: [...pick.chosen].sort(), movements: pick.movements }) }, t('Add clause')),
  ];
}

function targetChoices(pick) {
  const two = [game.seat, deals.draft.partner];
  return [
    movementsField(pick),
    h('div', { class: 'chips', role: 'group', 'aria-label': t('Powers') }, game.view.powers.filter((power) => power.played && power.status !== 'out' && !two.includes(power.name)).map((power) => h('button', {
      type: 'button', class: 'chip', 'data-key': `target ${power.name}`, onclick: () => addClause({ power: pick.power, kind: 'attack', target: power.name, movements: pick.movements }),
    }, swatch(power.slug), h('span', {}, translateName(power.name))))),
  ];
}

function picker() {
  const { pick } = deals.draft;
  if (pick.kind === 'order') game.walk = pick.walk; // an update of the page may have set another one
  const choices = { order: orderChoices, attack: targetChoices }[pick.kind] ?? spaceChoices;
  return h('div', { class: 'deal-pick' },
    h('p', { class: 'note' }, pick.kind === 'attack' ? t('Choose the power to attack.') : t('Click the map, or choose here.')),
    choices(pick),
    h('button', { type: 'button', class: 'btn tight plain', 'data-key': 'pick no', onclick: () => { stopPicking(); emitChange(); } }, t('Cancel')));
}

// ---------------------------------------------------------------- an offer in the making

function openDraft(partner, clauses = []) {
  stopPicking();
  const { computer } = deals.answer.partners.find((one) => one.power === partner);
  deals.draft = { partner, computer, clauses: [...clauses], pick: null };
  deals.failed = '';
  deals.said = '';
  deals.understood = [];
  emitChange();
  document.getElementById('deal-head')?.focus({ preventScroll: true });
}

function closeDraft() {
  stopPicking();
  deals.draft = null;
  deals.failed = '';
  emitChange();
}

async function offer() {
  const { partner, clauses } = deals.draft;
  if (!await send('', { partner, clauses: clauses.map(clauseBody) })) return emitChange();
  closeDraft();
  const made = deals.answer.deals.find((deal) => deal.proposer === game.seat && deal.partner === partner);
  return announce([STATES[made?.state], made?.reason?.text].filter(Boolean).join(': '));
}

async function ask(text) {
  const { partner } = deals.draft;
  if (!await send('/ask', { partner, text })) return emitChange();
  if (!text && !deals.said) closeDraft();
  return emitChange();
}

function side(power, title) {
  const { clauses, pick } = deals.draft;
  const mine = clauses.filter((clause) => clause.power === power);
  return h('section', { class: 'deal-side' }, h('h3', {}, swatch(slugOf(power)), title),
    mine.length ? h('ul', { class: 'clauses' }, mine.map((clause) => h('li', {}, h('span', {}, describeClause(clause)),
      h('button', { type: 'button', class: 'round', 'data-key': `drop ${clauses.indexOf(clause)} ${power}`, 'aria-label': t('Remove: {clause}', { clause: describeClause(clause) }), onclick: () => { clauses.splice(clauses.indexOf(clause), 1); emitChange(); } }, icon('cross'))))) : h('p', { class: 'note' }, t('Nothing yet.')),
    pick?.power === power ? picker() : h('div', { class: 'chips' }, Object.entries(ADD).map(([kind, word]) => h('button', {
      type: 'button', class: 'chip', 'data-key': `add ${kind} ${power}`, onclick: () => beginPicking(power, kind),
    }, icon('plus'), word))));
}

/** Return the field for a text to a computer player, and what it made of the last one. */
function textField() {
  const { partner } = deals.draft;
  const name = translateName(partner);
  return h('form', { class: 'deal-text', onsubmit: (event) => { event.preventDefault(); if (deals.text.trim()) ask(deals.text); } },
    h('label', { class: 'label', for: 'deal-text' }, t('Or write to {power}', { power: name })),
    h('div', { class: 'writing-row' },
      h('input', { class: 'field', id: 'deal-text', 'data-key': 'deal text', maxlength: '2000', value: deals.text, oninput: (event) => { deals.text = event.target.value; } }),
      h('button', { type: 'submit', class: 'btn', 'aria-label': t('Send') }, icon('send'))),
    deals.understood.length ? h('button', { type: 'button', class: 'btn tight', 'data-key': 'take understood', onclick: () => {
      deals.draft.clauses.push(...deals.understood);
      deals.understood = [];
      deals.said = '';
      deals.text = '';
      emitChange();
    } }, t('Add as clauses')) : null);
}

function composer(pane) {
  const { partner, computer, clauses } = deals.draft;
  const name = translateName(partner);
  return refill(pane,
    h('div', { class: 'pane-head deal-head' },
      h('button', { type: 'button', class: 'round', 'data-key': 'deal back', 'aria-label': t('All deals'), onclick: closeDraft }, icon('left')),
      h('h2', { id: 'deal-head', tabindex: '-1' }, t('Deal with {power}', { power: name }))),
    deals.failed ? h('p', { class: 'fault', role: 'alert' }, deals.failed) : null,
    deals.said ? h('p', { class: 'deal-said', role: 'status' }, tx('{power}: {words}', { power: h('b', {}, name), words: deals.said })) : null,
    side(game.seat, t('You promise')),
    side(partner, t('{power} promises', { power: name })),
    h('div', { class: 'proposal-tools' },
      h('button', { type: 'button', class: 'btn main', 'data-key': 'offer', disabled: !clauses.length, onclick: offer }, t('Offer to {power}', { power: name })),
      computer ? h('button', { type: 'button', class: 'btn', 'data-key': 'ask', onclick: () => ask('') }, t('Ask for an offer')) : null),
    computer ? textField() : null);
}

// ---------------------------------------------------------------- the deals

function showOnMap(deal, title) {
  const id = `deal ${deal.number}`;
  game.moment = null;
  game.proposal = game.proposal?.id === id ? null : { id, title, orders: deal.clauses.filter((clause) => clause.order).map((clause) => clause.order), arrows: deal.arrows };
  if (isPhone() && game.proposal) document.getElementById('panel').dataset.stop = document.getElementById('game').dataset.stop = 'peek';
  emitChange();
}

function verdict({ verdict: word, kept, movements }) {
  if (word) return h('span', { class: `verdict ${word}` }, icon(VERDICTS[word][0]), VERDICTS[word][1]);
  return kept ? h('span', { class: 'verdict kept' }, icon('check'), t('kept {kept} of {all}', { kept, all: movements })) : null;
}

function dealTitle({ proposer, partner, state }) {
  const own = proposer === game.seat;
  const power = translateName(own ? partner : proposer);
  if (state === 'accepted') return t('Deal with {power}', { power });
  return own ? t('Your offer to {power}', { power }) : t('Offer by {power}', { power });
}

/** Return the buttons for the answers to a deal. */
function dealTools(deal, title) {
  const { number, proposer, partner, state, now } = deal;
  const own = proposer === game.seat;
  const other = own ? partner : proposer;
  const open = now && state === 'open' && showsPresent();
  const orders = deal.clauses.filter((clause) => clause.power === game.seat && clause.order).map((clause) => clause.order);
  const button = (key, word, onclick, main = '') => h('button', { type: 'button', class: `btn tight ${main}`, 'data-key': `${key} ${number}`, onclick }, word);
  const tools = [
    open && !own ? button('accept', t('Accept'), () => send('/answer', { number, accepts: true }), 'main') : null,
    open && !own ? button('refuse', t('Refuse'), () => send('/answer', { number, accepts: false })) : null,
    now && ['open', 'refused'].includes(state) ? button('counter', own ? t('Change') : t('Counter'), () => openDraft(other, deal.clauses)) : null,
    open && own ? button('withdraw', t('Withdraw'), () => send('/answer', { number, accepts: false })) : null,
    deal.arrows ? h('button', { type: 'button', class: 'btn tight', 'data-key': `show ${number}`, 'aria-pressed': String(game.proposal?.id === `deal ${number}`), onclick: () => showOnMap(deal, title) }, t('Show on map')) : null,
    now && state === 'accepted' && orders.length ? button('take', t('Use my orders'), () => act.giveOrders(orders, { onward: false })) : null,
    deal.must_show ? button('show orders', t('Show my orders'), () => send('/show', { number })) : null,
  ].filter(Boolean);
  return tools.length ? h('div', { class: 'proposal-tools' }, tools) : null;
}

function dealItem(deal) {
  const title = dealTitle(deal);
  const other = deal.proposer === game.seat ? deal.partner : deal.proposer;
  // a reason is given by the computer that answered, or that made the offer
  const says = deal.reason ? h('p', { class: 'deal-said' }, tx('{power}: {words}', { power: h('b', {}, translateName(other)), words: deal.reason.text })) : null;
  return h('li', { class: `deal ${deal.state}`, 'data-deal': String(deal.number), 'data-state': deal.state },
    h('h4', {}, swatch(slugOf(other)), title, h('span', { class: 'deal-state' }, STATES[deal.state])),
    deal.now ? null : h('p', { class: 'note' }, deal.phase),
    h('ul', { class: 'clauses' }, deal.clauses.map((clause) => h('li', {}, h('span', {}, clause.said.text), verdict(clause)))),
    says,
    deal.shown.map(({ power, orders }) => h('p', { class: 'note' }, t('{power} shows: {orders}', { power: translateName(power), orders: orders.map(formatOrder).join('; ') }))),
    dealTools(deal, title));
}

const group = (title, list) => (list.length ? h('section', {}, h('h3', {}, title), h('ul', { class: 'deals' }, list.map(dealItem))) : null);

function overview(pane, back) {
  const { answer } = deals;
  const open = answer.partners.filter((one) => !one.why_not);
  const closed = answer.partners.filter((one) => one.why_not);
  return refill(pane,
    h('div', { class: `pane-head${back ? ' deal-head' : ''}` },
      back ? h('button', { type: 'button', class: 'round', 'data-key': 'deals back', 'aria-label': t('All threads'), onclick: back }, icon('left')) : null,
      h('h2', {}, t('Deals'))),
    deals.failed ? h('p', { class: 'fault', role: 'alert' }, deals.failed) : null,
    deals.said ? h('p', { class: 'deal-said', role: 'status' }, deals.said) : null,
    answer.closed ? h('p', { class: 'note' }, answer.closed.text) : null,
    !answer.closed && open.length ? h('section', { class: 'choose' }, h('h3', {}, t('New deal')),
      h('div', { class: 'chips' }, open.map((one) => h('button', { type: 'button', class: 'chip', 'data-key': `deal with ${one.power}`, onclick: () => openDraft(one.power) },
        swatch(slugOf(one.power)), h('span', {}, translateName(one.power)), one.computer ? icon('chip') : null)))) : null,
    group(t('This phase'), answer.deals.filter((deal) => deal.now)),
    group(t('Earlier'), answer.deals.filter((deal) => !deal.now)),
    answer.deals.length ? null : h('p', { class: 'note' }, t('Promise something, and ask for something in return. Computers say at once whether they agree, and why. What was kept and broken is shown after the phase.')),
    !answer.closed && closed.length ? h('details', { class: 'agreed' }, h('summary', {}, t('Other powers')), [...new Set(closed.map((one) => one.why_not.text))].map((why) => h('p', { class: 'note' }, why))) : null);
}

/** Fill `pane` with the deals of the power in the seat, or with the offer that is being made; `back` leaves them. */
export function dealsPanel(pane, back = null) {
  if (deals.asked !== wanted()) {
    if (deals.draft) closeDraftQuietly();
    deals.failed = deals.said = '';
    loadDeals().catch((error) => {
      deals.asked = '';
      act.showError(error);
    });
  }
  if (game.curtain || !deals.answer || deals.answer.seat !== game.seat) {
    return refill(pane, h('div', { class: 'pane-head' }, h('h2', {}, t('Deals'))), h('p', { class: 'note' }, game.seat && game.seat !== 'GM' ? t('Loading deals …') : t('Deals are for players.')));
  }
  return deals.draft ? composer(pane) : overview(pane, typeof back === 'function' ? back : null);
}

function closeDraftQuietly() {
  stopPicking();
  deals.draft = null;
}
