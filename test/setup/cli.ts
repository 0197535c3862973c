// The command line as its user sees it, run in this process: what it writes and how it ends.
import { PassThrough, Readable } from 'node:stream';
import { runCli } from '../../src/cli/program.ts';

/** @property json each line of `out`, read as JSON */
export type Ran = {
  code: number;
  out: string;
  err: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into results of many shapes.
  json: any[];
};
export type CommandLine = (
  argv: string[],
  more?: { signal?: AbortSignal; out?: PassThrough; err?: PassThrough },
) => Promise<Ran>;

/** @param env the whole environment of the commands */
export function commandLine(env: Record<string, string | undefined>): CommandLine {
  return async (
    argv,
    { signal = new AbortController().signal, out: stdout = new PassThrough(), err: stderr = new PassThrough() } = {},
  ) => {
    const written = { out: '', err: '' };
    stdout.on('data', (chunk) => {
      written.out += chunk;
    });
    stderr.on('data', (chunk) => {
      written.err += chunk;
    });
    const code = await runCli(argv, { stdin: Readable.from([]), stdout, stderr, signal, env });
    await Promise.all([stdout, stderr].map((stream) => new Promise((resolve) => stream.end(resolve))));
    const { out, err } = written;
    return {
      code,
      out,
      err,
      get json() {
        return out
          .split('\n')
          .filter((line) => line !== '')
          .map((line) => JSON.parse(line));
      },
    };
  };
}
