/* The pages about oneself: the colours, and instants in the time of whoever reads them. */
import { colours } from './theme.js';
import { instants } from './instants.js';

colours();
instants();
