// The API process of the local stack.
import { readFileSync } from 'node:fs';
import { runProcess } from '../../src/process.ts';
import { startLocalApi } from './localApi.ts';
import type { LocalFile } from './localFile.ts';

const file = process.env['AMPERSAT_LOCAL_FILE'] ?? '';

await runProcess('api', (ctx) => startLocalApi(ctx, JSON.parse(readFileSync(file, 'utf8')) as LocalFile));
