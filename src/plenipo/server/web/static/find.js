/* The list of seats: hours of the week, and instants, in the time of whoever reads them. */
import { colours } from './theme.js';
import { instants } from './instants.js';

colours();
instants();

const DAYS = ['Mondays', 'Tuesdays', 'Wednesdays', 'Thursdays', 'Fridays', 'Saturdays', 'Sundays'];
const WEEKDAYS = '0,1,2,3,4';
const hour = (instant) => instant.toLocaleTimeString('en-GB', { hour: '2-digit', minute: '2-digit' });

/** Days of the week in words, `Mondays to Fridays`. */
function days(numbers) {
  if (numbers.length === 7) return 'every day';
  if (numbers.join() === WEEKDAYS) return 'Mondays to Fridays';
  const names = numbers.map((day) => DAYS[day]);
  return [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ');
}

for (const place of document.querySelectorAll('.hours[data-week]')) {
  const week = place.dataset.week.split(' ').filter(Boolean).map((instant) => new Date(instant));
  const groups = [...new Set(week.map(hour))].sort().map((at) => {
    const on = week.filter((instant) => hour(instant) === at).map((instant) => (instant.getDay() + 6) % 7);
    return `${days([...new Set(on)].sort())} at ${at}`;
  });
  if (groups.length) place.textContent = `${groups.join(' and ')} in your time`;
}
