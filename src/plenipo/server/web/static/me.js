/* The account pages: theme menu, local dates, notifications, and passkeys of this device. */
import { colours } from './theme.js';
import { instants } from './instants.js';
import { notices } from './push.js';
import { passkeys } from './passkeys.js';

colours();
instants();
notices();
passkeys();
