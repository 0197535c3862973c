// How a command ends: one line that says what failed and what to do, and an exit code for scripts.
import { CommanderError } from 'commander';
import { AppError, StartError } from '../domain/errors.ts';
import { jsonLine, plainLine, type Shell } from './shell.ts';

export const EXIT = { ok: 0, failed: 1, usage: 2, stopped: 130 } as const;

/** An invalid command: exit code 2, and nothing was done. */
export class UsageError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UsageError';
  }
}

/** A failed call, in the fields of the API’s errors. */
export type CallFacts = {
  code: string;
  type?: string;
  param?: string | null;
  request_id?: string | null;
  doc_url?: string | null;
};

/** The service refused, or did not answer: exit code 1. */
export class CallError extends Error {
  readonly facts: CallFacts;

  constructor(message: string, facts: CallFacts) {
    super(message);
    this.name = 'CallError';
    this.facts = facts;
  }
}

type Told = CallFacts & { exitCode: number; message: string };

/** Writes the error to stderr. @returns the exit code @throws what is a fault of ours, with its trace */
export function reportFailure(shell: Shell, error: unknown): number {
  if (error instanceof CommanderError && error.exitCode === 0) return EXIT.ok;
  if (shell.signal.aborted) return EXIT.stopped;
  const told = tell(error);
  if (!told) throw error;
  const { exitCode, ...rest } = told;
  if (shell.isJson) shell.stderr.write(`${jsonLine({ error: rest })}\n`);
  // Commander has written it already.
  else if (!(error instanceof CommanderError)) shell.stderr.write(`${lineOf(rest)}\n`);
  return exitCode;
}

function tell(error: unknown): Told | null {
  if (error instanceof CommanderError) return { exitCode: EXIT.usage, code: 'usage', message: usageOf(error) };
  if (error instanceof UsageError) return { exitCode: EXIT.usage, code: 'usage', message: error.message };
  if (error instanceof CallError) return { exitCode: EXIT.failed, message: error.message, ...error.facts };
  if (error instanceof AppError) return { exitCode: EXIT.failed, code: error.code, message: error.message };
  if (error instanceof StartError) return { exitCode: EXIT.failed, code: 'failed', message: error.message };
  return null;
}

function usageOf({ code, message }: CommanderError): string {
  return code === 'commander.help' ? 'Missing command. See --help.' : message.replace(/^error: /, '');
}

function lineOf({ message, code, request_id: request }: Omit<Told, 'exitCode'>): string {
  return request ? `${plainLine(message)} (${code}, ${request})` : plainLine(message);
}
