/* The results of orders as a list of sentences with signs. */
import { h, icon } from './dom.js';
import { describeResult } from './words.js';

/** Return the results; `after` returns what is shown after the sentence of an outcome. */
export const listResults = (outcomes, after = () => null) => h('ul', { class: 'came' }, outcomes.filter((outcome) => outcome.unit || outcome.order).map((outcome) => {
  const [sign] = describeResult(outcome);
  return h('li', {}, icon(sign), h('span', {}, outcome.why.text, after(outcome)));
}));
