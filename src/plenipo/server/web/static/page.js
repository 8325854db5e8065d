/* A page of text: the theme menu, and pictures in the colours of the theme. */
import { colours, repaint } from './theme.js';

colours();
repaint();
