/* The grades of rated orders, as an analysis shows them. */
import { h } from './dom.js';
import { t } from './i18n.js';

const GRADES = {
  inaccuracy: ['?!', t('Inaccuracy')],
  mistake: ['?', t('Mistake')],
  blunder: ['??', t('Blunder')],
};

/** The grades that are no praise, the mildest first. */
export const BAD_GRADES = Object.keys(GRADES);

export const gradeWord = (grade) => GRADES[grade]?.[1] ?? t('Good orders');

/** Return the sign of a grade, with its name; null for good orders. */
export const gradeSign = (grade) => (GRADES[grade]
  ? h('span', { class: `grade ${grade}`, title: GRADES[grade][1] }, h('span', { 'aria-hidden': 'true' }, GRADES[grade][0]), h('span', { class: 'sr' }, GRADES[grade][1])) : null);

/** Return the given orders that the best plan lacks, and those of the plan that were not given. */
export const findDifference = ({ given, plan }) => [given.filter((order) => !plan.includes(order)), plan.filter((order) => !given.includes(order))];
