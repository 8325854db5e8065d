/* Shows the dates of a page in the reader's time zone; the server writes them in UTC. `data-style` names another style.
   */
import { date } from './i18n.js';

export function instants(place = document) {
  for (const time of place.querySelectorAll('time[datetime]')) {
    time.textContent = date(time.dateTime, time.dataset.style ?? 'instant');
  }
}
