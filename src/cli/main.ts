// The command line, `ampersat`: from a checkout `npm run -s ampersat -- <command>`.
import process from 'node:process';
import { EXIT } from './failure.ts';
import { runCli } from './program.ts';

const over = new AbortController();
let endedAt = 0;

// What is written to a reader that has gone (`| head`) is nobody's any more, and so is the rest of the work.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  over.abort();
});
// Notes that nobody reads are no reason to end: whoever closed only these still reads the results.
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
