/* What a variant says of itself: two sentences, the phases to come, its signs, and the way to its rules. */
import { h } from './dom.js';
import { game } from './state.js';

/** The signs of the variant and what they mean, under a label of their own; null if it has none. */
export function signs(label) {
  const list = game.view.about.signs;
  if (!list.length) return null;
  return h('section', { class: 'legend', 'aria-label': label },
    h('h3', {}, 'Signs'),
    h('ul', { class: 'signs' }, list.map(({ kind, words }) => h('li', {}, h('span', { class: `sign ${kind}`, 'aria-hidden': 'true' }), h('span', {}, words)))));
}

/** The variant in short. */
export function introduction() {
  const { about, title } = game.view;
  const next = about.next.map((phase) => phase.text);
  return h('section', { class: 'introduction', 'aria-label': `About ${title}` },
    h('p', {}, about.summary),
    next.length ? h('p', { class: 'note' }, `After this: ${next.join(', ')}.`) : null,
    h('p', {}, h('a', { href: about.rules, target: '_blank', rel: 'noopener', 'data-key': 'rules' }, `The rules of ${title}`)));
}
