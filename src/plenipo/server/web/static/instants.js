/* Shows the dates of a page in the reader's time zone; the server writes them in UTC. `data-style` names another style.
   */
import { formatDate } from './i18n.js';

export function localiseDates(place = document) {
  for (const time of place.querySelectorAll('time[datetime]')) {
    time.textContent = formatDate(time.dateTime, time.dataset.style ?? 'instant');
  }
}
