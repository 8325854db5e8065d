/* Show the dates of a page in the reader's time zone; the server writes them in UTC. */
import { date } from './i18n.js';

export function instants(place = document) {
  for (const time of place.querySelectorAll('time[datetime]')) {
    const hours = /:\d\d/.test(time.textContent);
    time.textContent = date(time.dateTime, hours ? 'instant' : 'day');
  }
}
