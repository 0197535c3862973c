// Where the project lies: sources and bundles both stand one folder below it.
import { join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');
