/* The variant in short: a summary, the next phases, its map symbols, and a link to its rules. */
import { h } from './dom.js';
import { joinNames, t } from './i18n.js';
import { game } from './state.js';

/** Return the legend of the variant's map symbols under a heading; null if the variant has none. */
export function mapSymbols(label) {
  const list = game.view.about.signs;
  if (!list.length) return null;
  return h('section', { class: 'legend', 'aria-label': label },
    h('h3', {}, t('Map symbols')),
    h('ul', { class: 'signs' }, list.map(({ kind, words }) => h('li', {}, h('span', { class: `sign ${kind}`, 'aria-hidden': 'true' }), h('span', {}, words)))));
}

/** Return an introduction to the variant: its summary, the next phases and a link to its rules. */
export function introduction() {
  const { about, title } = game.view;
  const next = about.next.map((phase) => phase.text);
  return h('section', { class: 'introduction', 'aria-label': t('About {variant}', { variant: title }) },
    h('p', {}, about.summary),
    next.length && !game.view.over ? h('p', { class: 'note' }, t('Next: {phases}', { phases: joinNames(next) })) : null,
    h('p', {}, h('a', { href: about.rules, target: '_blank', rel: 'noopener', 'data-key': 'rules' }, t('Rules of {variant}', { variant: title }))));
}
