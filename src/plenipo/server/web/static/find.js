/* The lists of open games and tournaments: weekly deadlines and dates in the reader's time zone. */
import { setUpThemes } from './theme.js';
import { formatDate, dayName, joinNames, t } from './i18n.js';
import { localiseDates } from './instants.js';

setUpThemes();
localiseDates();

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
for (const zone of document.querySelectorAll('input[name="zone"]')) zone.value = timeZone ?? '';

const WEEKDAYS = '0,1,2,3,4';
const hour = (instant) => formatDate(instant, 'time');

/** Describe days of the week with a time, such as `Monday to Friday at 18:00`. */
function describeWeek(numbers, time) {
  if (numbers.length === 7) return t('every day at {time}', { time });
  if (numbers.join() === WEEKDAYS) return t('{first} to {last} at {time}', { first: dayName(0), last: dayName(4), time });
  return t('{days} at {time}', { days: joinNames(numbers.map(dayName)), time });
}

for (const place of document.querySelectorAll('.hours[data-week]')) {
  const week = place.dataset.week.split(' ').filter(Boolean).map((instant) => new Date(instant));
  const groups = [...new Set(week.map(hour))].sort().map((at) => {
    const on = week.filter((instant) => hour(instant) === at).map((instant) => (instant.getDay() + 6) % 7);
    return describeWeek([...new Set(on)].sort(), at);
  });
  if (groups.length) place.textContent = t('{times} (your time)', { times: joinNames(groups) });
}
