/* Instants that the server wrote in UTC, in the time of whoever reads them. */

const WITH_TIME = { weekday: 'short', day: 'numeric', month: 'short', hour: '2-digit', minute: '2-digit' };
const DAY = { day: 'numeric', month: 'long', year: 'numeric' };

export function instants(place = document) {
  for (const time of place.querySelectorAll('time[datetime]')) {
    const hours = /:\d\d/.test(time.textContent);
    time.textContent = new Date(time.dateTime).toLocaleString('en-GB', hours ? WITH_TIME : DAY);
  }
}
