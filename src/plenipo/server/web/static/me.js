/* The account pages: theme menu, local dates, notifications, and passkeys of this device. */
import { setUpThemes } from './theme.js';
import { localiseDates } from './instants.js';
import { setUpPush } from './push.js';
import { setUpPasskeys } from './passkeys.js';

setUpThemes();
localiseDates();
setUpPush();
setUpPasskeys();
