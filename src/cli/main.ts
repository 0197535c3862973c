#!/usr/bin/env node
// The command line, `ampersat`: from a clone `npx ampersat <command>`, or installed by the package in cli/.
import process from 'node:process';
import { EXIT } from './failure.ts';
import { runCli } from './program.ts';

const over = new AbortController();
let endedAt = 0;

// A reader that has gone (`| head`) needs neither the rest of the output nor of the work.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  over.abort();
});
// A closed stderr is no reason to end: the results may still be read.
process.stderr.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
});

/** The first one ends it in order. A terminal and npm send the same one twice; one that comes later is meant. */
function stop(): void {
  if (!over.signal.aborted) endedAt = performance.now();
  else if (performance.now() - endedAt > 500) process.exit(EXIT.stopped);
  over.abort();
}
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, stop);

process.exitCode = await runCli(process.argv.slice(2), {
  stdin: process.stdin,
  stdout: process.stdout,
  stderr: process.stderr,
  signal: over.signal,
});
