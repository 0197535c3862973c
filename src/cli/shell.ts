// What a command has of the process that it runs in, and how it writes: lines for people, one line of JSON per result for programs.
import type { Readable, Writable } from 'node:stream';
import { inspect, stripVTControlCharacters } from 'node:util';
import type { CliEnv } from '../env.ts';

/** @property signal ends what would otherwise go on: Ctrl-C, or a reader that has gone */
export type Shell = {
  stdin: Readable;
  stdout: Writable;
  stderr: Writable;
  signal: AbortSignal;
  env: CliEnv;
  /** The environment that operators' commands read; left out, it is this process's own. */
  source: Record<string, string | undefined> | undefined;
  isJson: boolean;
  /** Whether tables show IDs in full. */
  isWide: boolean;
  exitCode: number;
};

export type Tone = 'green' | 'red' | 'yellow' | 'cyan' | 'dim' | 'bold';
/** Colours a text where there are colours: on a terminal, and not against the reader’s wish (NO_COLOR). */
export type Paint = (tone: Tone, text: string) => string;

export function paintOf({ stdout, env, isJson }: Pick<Shell, 'stdout' | 'env' | 'isJson'>): Paint {
  const hasColours = !isJson && env.hasColours && (stdout as { isTTY?: boolean }).isTTY === true;
  return (tone, text) => {
    const [begin, end] = inspect.colors[tone] ?? [0, 0];
    return hasColours ? `\u001b[${begin}m${text}\u001b[${end}m` : text;
  };
}

export function writeLine(shell: Pick<Shell, 'stdout'>, line: string): void {
  if (!shell.stdout.destroyed) shell.stdout.write(`${line}\n`);
}

/** For people only, beside the results: nothing is written with --json. */
export function writeNote(shell: Pick<Shell, 'stderr' | 'isJson'>, line: string): void {
  if (!shell.isJson) shell.stderr.write(`${line}\n`);
}

/** Writes a result: itself as a line of JSON, or what `words` makes of it. */
export function writeResult<T>(shell: Shell, result: T, words: (result: T, paint: Paint) => string): void {
  writeLine(shell, shell.isJson ? jsonLine(result) : words(result, paintOf(shell)));
}

/** A result on one line, for programs: parsed it is the same, and nothing in it moves the terminal of a person who looks at it. */
export function jsonLine(result: unknown): string {
  return escaped(JSON.stringify(result));
}

/** All of a result, for people who want to see it as programs do. */
export function wholeJson(result: unknown): string {
  return escaped(JSON.stringify(result, null, 2));
}

/** JSON itself escapes some of them, and leaves those that a terminal reads as the eight-bit beginning of a sequence. */
function escaped(json: string): string {
  return json.replace(UNSEEN, (letter) =>
    letter === '\n' ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}

/** What moves a cursor or turns text around. */
const UNSEEN = /[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** What others wrote, on one line and without what would move a terminal's cursor, colour it, or turn its text around. */
export function plainLine(text: string): string {
  return stripVTControlCharacters(text).replace(/\s+/g, ' ').replace(UNSEEN, '�').trim();
}
