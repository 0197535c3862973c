/** `ampersat parse`: JSON lines in, one answer a line out, in the same order, at the pace of their reader. */
import type { Readable, Writable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';
import { type CommandInput, parseCommand } from '../domain/command.ts';

/** Longest line in characters. A longer one is answered as invalid and read past without being kept. */
const MAX_LINE = 1_048_576;
const FLUSH_AT = 65_536;
const INVALID = '{"kind":"error","code":"input_invalid"}';

function answer(line: string): string {
  try {
    return JSON.stringify(parseCommand(JSON.parse(line) as CommandInput));
  } catch (error) {
    if (error instanceof SyntaxError) return INVALID;
    throw error;
  }
}

type LineState = { rest: string; isTooLong: boolean; isFirst: boolean };

function answerLine(state: LineState, piece: string): string {
  const isTooLong = state.isTooLong || state.rest.length + piece.length > MAX_LINE;
  const typed = isTooLong ? '' : state.rest + piece;
  const line = (state.isFirst ? typed.replace(/^\ufeff/, '') : typed).trim();
  state.rest = '';
  state.isTooLong = false;
  state.isFirst = false;
  if (isTooLong) return `${INVALID}\n`;
  return line === '' ? '' : `${answer(line)}\n`;
}

/** Keeps the beginning of a line that is not whole yet, as long as it may become one. */
function keepRest(state: LineState, piece: string): void {
  state.isTooLong ||= state.rest.length + piece.length > MAX_LINE;
  state.rest = state.isTooLong ? '' : state.rest + piece;
}

/** Writes and, when the reader is slow, waits for it. Does nothing for a reader that has gone away. */
async function write(stdout: Writable, text: string): Promise<void> {
  if (text === '' || stdout.destroyed || stdout.write(text)) return;
  await new Promise<void>((resolve) => {
    const goOn = () => {
      for (const event of ['drain', 'close', 'error']) stdout.off(event, goOn);
      resolve();
    };
    for (const event of ['drain', 'close', 'error']) stdout.on(event, goOn);
    if (stdout.destroyed) goOn();
  });
}

async function answerAll(stdin: Readable, stdout: Writable): Promise<void> {
  const decoder = new StringDecoder('utf8');
  const state: LineState = { rest: '', isTooLong: false, isFirst: true };
  for await (const chunk of stdin) {
    const text = typeof chunk === 'string' ? chunk : decoder.write(chunk as Buffer);
    const pieces = text.split('\n');
    const last = pieces.pop() ?? '';
    let answers = '';
    for (const piece of pieces) {
      answers += answerLine(state, piece);
      if (answers.length < FLUSH_AT) continue;
      await write(stdout, answers);
      if (stdout.destroyed) return;
      answers = '';
    }
    keepRest(state, last);
    await write(stdout, answers);
  }
  keepRest(state, decoder.end());
  await write(stdout, answerLine(state, ''));
}

/**
 * Answers every non-empty line of `stdin` with one line on `stdout`. A line that is not JSON gets `input_invalid` and the run goes
 * on. Ends when the input ends, or quietly when the reader has gone; any other failure of either stream is thrown.
 */
export async function runParse(stdin: Readable, stdout: Writable): Promise<void> {
  let failure: NodeJS.ErrnoException | undefined;
  // Stays on: the error that the reader has gone may come after the last line was written.
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    failure ??= error;
    stdin.destroy();
  });
  try {
    await answerAll(stdin, stdout);
  } catch (error) {
    // Without a reader the input is cut off, which the loop over it reports as a fault of the input.
    if (failure === undefined) throw error;
  }
  if (failure !== undefined && failure.code !== 'EPIPE') throw failure;
}
