// Whether a run has nightly sizes: `npm test -- --long`.
import process from 'node:process';

export const isLong = process.env['TEST_LONG'] === '1';
