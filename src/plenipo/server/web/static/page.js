/* A page of text: the menu of colours, and pictures in the colours that are worn. */
import { colours, repaint } from './theme.js';

colours();
repaint();
