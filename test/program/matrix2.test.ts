// A third of the scenes against a thief; processes share them.
import { attackScenes } from './thief.ts';

attackScenes(1, 3);
