/* The page that opens a game for people: its hours are those of this browser's zone. */
import { colours } from './theme.js';

const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
if (timeZone) {
  document.getElementById('zone').value = timeZone;
  document.getElementById('zone-words').textContent = `Hours are in your time zone, ${timeZone.replaceAll('_', ' ')}.`;
}
colours();
