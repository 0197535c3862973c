// fast-check in a long run: every property is tried a hundred times as often.
import { createRequire } from 'node:module';

// By its other entry: the configuration replaces what `import` finds by this file.
const { default: usual } = createRequire(import.meta.url)('fast-check') as typeof import('fast-check');
/** The library's own, where a property names no number. */
const USUAL_RUNS = 100;

const assert = (property: never, parameters: { numRuns?: number } = {}) =>
  usual.assert(property, { ...parameters, numRuns: 100 * (parameters.numRuns ?? USUAL_RUNS) });

export default { ...usual, assert };
